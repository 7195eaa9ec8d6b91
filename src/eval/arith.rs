//! Arithmetic on numbers of 64 bits, none of which may be the word of `none`.

use crate::check::rules::Arith;

/// Returns the result; nothing if it does not fit, or of a division by 0.
pub fn arith(op: Arith, a: i64, b: i64) -> Option<i64> {
    let rest = || a.checked_rem(b);
    let quotient = || a.checked_div(b);
    let result = match op {
        Arith::Add => a.checked_add(b),
        Arith::Subtract => a.checked_sub(b),
        Arith::Multiply => a.checked_mul(b),
        Arith::CeilDivide => Some(quotient()? + i64::from(rest()? != 0 && (a < 0) == (b < 0))),
        Arith::FloorDivide => Some(quotient()? - i64::from(rest()? != 0 && (a < 0) != (b < 0))),
        Arith::Modulo => {
            let rest = rest()?;
            Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
        }
        Arith::Min => Some(a.min(b)),
        Arith::Max => Some(a.max(b)),
    };
    result.filter(|result| *result != i64::MIN)
}
