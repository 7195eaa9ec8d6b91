//! Functions of numbers with a fixed point, which are the same on every machine.

/// The number of fraction bits of a fixed-point number.
pub(super) const BITS: u32 = 16;

/// The number 1.
pub(super) const ONE: i64 = 1 << BITS;

/// The natural logarithm of 2, with 32 fraction bits.
const LN_2: u64 = 2_977_044_472;

/// The natural logarithm of a number from 1 on, with [`BITS`] fraction bits.
pub(super) fn ln(number: u32) -> u64 {
    let whole = number.max(1).ilog2();
    // The rest is a number from 1 to 2 with 31 fraction bits; each squaring gives a bit.
    let mut rest = u64::from(number.max(1)) << (31 - whole);
    let mut log = u64::from(whole);
    for _ in 0..BITS {
        rest = (rest * rest) >> 31;
        log <<= 1;
        if rest >> 32 != 0 {
            rest >>= 1;
            log |= 1;
        }
    }
    (log * LN_2) >> 32
}

/// The exponential function of a number up to 0, with [`BITS`] fraction bits.
fn exponential(number: i64) -> u64 {
    /// The logarithm of e to the base 2.
    const LOG_E: i64 = 94_548;
    let power = (number.max(-16 * ONE) * LOG_E) >> BITS;
    let (whole, part) = (power >> BITS, power & (ONE - 1));
    // A parabola through the powers of two at both ends, and nearly right between them.
    let root = ONE + ((part * (43_025 + ((part * 22_511) >> BITS))) >> BITS);
    root.unsigned_abs() >> whole.unsigned_abs()
}

/// Shares of 2^16, each in proportion to a weight and the exponential of a number (softmax).
pub(super) fn softmax(options: &[(u32, i64)]) -> Vec<u32> {
    let most = options.iter().map(|(_, number)| *number).max().unwrap_or(0);
    let power = |(weight, number): &(u32, i64)| u64::from(*weight) * exponential(number - most);
    let powers: Vec<u64> = options.iter().map(power).collect();
    let sum = powers.iter().sum::<u64>().max(1);
    let share = |power: u64| u32::try_from((power << BITS) / sum).expect("it is a share");
    powers.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::{BITS, ONE, exponential, ln, softmax};

    #[test]
    fn known_logarithms_come_out() {
        // ln 10 = 2.302585, ln 1000 = 6.907755, ln 4294967295 = 22.180710.
        for (number, millionths) in
            [(1, 0), (10, 2_302_585), (1000, 6_907_755), (u32::MAX, 22_180_710)]
        {
            let found = (ln(number) * 1_000_000) >> BITS;
            assert!(found.abs_diff(millionths) < 60, "{number}: {found}");
        }
    }

    #[test]
    fn larger_numbers_have_larger_logarithms() {
        assert!((1..3000).all(|number| ln(number) <= ln(number + 1)));
    }

    #[test]
    fn known_powers_of_e_come_out() {
        for (number, expected) in [(0, 65536), (-ONE, 24109), (-3 * ONE, 3263), (-20 * ONE, 0)] {
            assert!(exponential(number).abs_diff(expected) < 300, "{number}");
        }
    }

    #[test]
    fn shares_follow_weights_and_powers_of_e() {
        assert!(softmax(&[]).is_empty());
        assert_eq!(softmax(&[(1, 5), (3, 5)]), [1 << 14, 3 << 14]);
        let shares = softmax(&[(1, 0), (1, -ONE)]);
        assert!(shares[0].abs_diff(47_911) < 300 && shares[1].abs_diff(17_625) < 300, "{shares:?}");
    }
}
