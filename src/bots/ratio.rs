//! Numbers that games are solved with: exact fractions, and fixed-point numbers.

use std::cmp::Ordering;
use std::fmt;

use super::solver::Value;

/// A fraction in lowest terms; the lower number is above 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    over: i128,
    under: i128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { over: 0, under: 1 };

    /// A fraction, if the lower number is not 0 and neither is too long.
    pub fn new(over: i128, under: i128) -> Option<Ratio> {
        let shared = gcd(over.checked_abs()?, under.checked_abs()?);
        if under == 0 {
            return None;
        }
        let sign = under.signum();
        Some(Ratio { over: over / shared * sign, under: under / shared * sign })
    }

    /// The product, if its numbers are not too long.
    pub fn times(self, other: Ratio) -> Option<Ratio> {
        // Shortened crosswise first, so that less is too long.
        let left = Ratio::new(self.over, other.under)?;
        let right = Ratio::new(other.over, self.under)?;
        let over = left.over.checked_mul(right.over)?;
        Some(Ratio { over, under: left.under.checked_mul(right.under)? })
    }

    /// The upper and the lower number.
    pub fn parts(self) -> (i128, i128) {
        (self.over, self.under)
    }

    /// The same with so many bits behind the point, if it is not too long.
    pub fn fixed(self, bits: u32) -> Option<i128> {
        let whole = self.over.div_euclid(self.under);
        let (mut rest, mut fixed) = (self.over.rem_euclid(self.under), whole);
        for _ in 0..bits {
            rest = rest.checked_mul(2)?;
            fixed = fixed.checked_mul(2)?;
            if rest >= self.under {
                rest -= self.under;
                fixed += 1;
            }
        }
        Some(fixed)
    }
}

/// A number that values are computed with; nothing comes of numbers that are too long.
pub(super) trait Number: Copy + Ord {
    fn whole(number: i64) -> Self;
    fn plus(self, other: Self) -> Option<Self>;
    /// One of so many equal parts.
    fn part(self, parts: i128) -> Option<Self>;
    /// Whether two values count as the same.
    fn is_near(self, other: Self) -> bool;
}

impl Number for Ratio {
    fn whole(number: i64) -> Ratio {
        Ratio { over: number.into(), under: 1 }
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        if self.over == 0 || other.over == 0 {
            return Some(if self.over == 0 { other } else { self });
        }
        if self.under == other.under {
            let over = self.over.checked_add(other.over)?;
            return if self.under == 1 {
                Some(Ratio { over, under: 1 })
            } else {
                Ratio::new(over, self.under)
            };
        }
        let shared = gcd(self.under, other.under);
        let left = self.over.checked_mul(other.under / shared)?;
        let right = other.over.checked_mul(self.under / shared)?;
        let under = (self.under / shared).checked_mul(other.under)?;
        Ratio::new(left.checked_add(right)?, under)
    }

    fn part(self, parts: i128) -> Option<Ratio> {
        if self.over == 0 || parts == 1 {
            return Some(self);
        }
        Ratio::new(self.over, self.under.checked_mul(parts)?)
    }

    fn is_near(self, other: Ratio) -> bool {
        self == other
    }
}

/// A number with [`Value::BITS`] bits behind the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fixed(pub(super) i128);

impl Number for Fixed {
    fn whole(number: i64) -> Fixed {
        Fixed(i128::from(number) << Value::BITS)
    }

    fn plus(self, other: Fixed) -> Option<Fixed> {
        self.0.checked_add(other.0).map(Fixed)
    }

    fn part(self, parts: i128) -> Option<Fixed> {
        // Rounded to the nearest, so that errors do not all go one way.
        self.0.checked_add(parts / 2).map(|sum| Fixed(sum.div_euclid(parts)))
    }

    fn is_near(self, other: Fixed) -> bool {
        self.0.abs_diff(other.0) < 1 << (Value::BITS - 36)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let whole = |ratio: &Ratio| ratio.over.div_euclid(ratio.under);
        whole(self).cmp(&whole(other)).then_with(|| {
            // Both lie between the same whole numbers: what is larger has the smaller inverse.
            let rest = |ratio: &Ratio| ratio.over.rem_euclid(ratio.under);
            let (left, right) = (rest(self), rest(other));
            match (left, right) {
                (0, _) | (_, 0) => left.cmp(&right),
                _ => {
                    let inverse = |over, under| Ratio { over: under, under: over };
                    inverse(right, other.under).cmp(&inverse(left, self.under))
                }
            }
        })
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.under {
            1 => write!(formatter, "{}", self.over),
            under => write!(formatter, "{}/{under}", self.over),
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a, b);
    if let (Ok(mut short), Ok(mut other)) = (u64::try_from(a), u64::try_from(b)) {
        // Most numbers are short, and short divisions are quick.
        while other != 0 {
            (short, other) = (other, short % other);
        }
        return i128::from(short).max(1);
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::{Number, Ratio};

    fn ratio(over: i128, under: i128) -> Ratio {
        Ratio::new(over, under).unwrap()
    }

    #[test]
    fn fractions_are_added_and_split() {
        assert_eq!(ratio(1, 6).plus(ratio(1, 3)), Some(ratio(1, 2)));
        assert_eq!(ratio(-1, 4).plus(ratio(1, 4)), Some(Ratio::ZERO));
        assert_eq!(ratio(4, 7).part(6), Some(ratio(2, 21)));
        assert_eq!(ratio(4, 9).times(ratio(-3, 8)), Some(ratio(-1, 6)));
        assert_eq!(ratio(3, -6).to_string(), "-1/2");
        assert_eq!(ratio(1, i128::MAX).plus(ratio(1, i128::MAX - 1)), None);
    }

    #[test]
    fn fractions_are_ordered() {
        let ordered =
            [ratio(-3, 2), ratio(-1, 3), Ratio::ZERO, ratio(1, 3), ratio(2, 5), ratio(7, 3)];
        assert!(ordered.is_sorted());
        assert!(ratio(i128::MAX, i128::MAX - 1) > Ratio::whole(1));
        assert_eq!(ratio(2, 6).cmp(&ratio(1, 3)), std::cmp::Ordering::Equal);
    }

    #[test]
    fn fractions_have_places_behind_the_point() {
        assert_eq!(ratio(-3, 4).fixed(2), Some(-3));
        assert_eq!(ratio(1, 3).fixed(4), Some(5));
    }
}
