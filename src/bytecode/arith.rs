//! Division of 64-bit numbers by how it rounds; none by 0 or if the result does not fit.

pub fn floor_divide(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

pub fn ceil_divide(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient })
}

/// What is left of [`floor_divide`]: it has the sign of `b`.
pub fn modulo(a: i64, b: i64) -> Option<i64> {
    let rest = a.checked_rem(b)?;
    Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

#[cfg(test)]
mod tests {
    use super::{ceil_divide, floor_divide, modulo};

    #[test]
    fn division_says_how_it_rounds_for_every_sign() {
        for a in -7_i64..=7 {
            for b in [-3_i64, -2, 2, 3] {
                let floor = floor_divide(a, b).unwrap();
                assert!(floor * b + modulo(a, b).unwrap() == a);
                assert_eq!(ceil_divide(a, b).unwrap(), -floor_divide(-a, b).unwrap());
            }
        }
    }

    #[test]
    fn the_smallest_number_divided_by_minus_one_is_too_large() {
        assert_eq!(floor_divide(i64::MIN, -1), None);
    }
}
