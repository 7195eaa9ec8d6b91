//! Functions of numbers with a fixed point, which are the same on every machine.

/// The number of fraction bits of a fixed-point number.
pub(super) const BITS: u32 = 16;

/// One.
const ONE: i64 = 1 << BITS;

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
pub(super) fn exponential(number: i64) -> u64 {
    /// The logarithm of e to the base 2.
    const LOG_E: i64 = 94_548;
    let power = (number.max(-16 * ONE) * LOG_E) >> BITS;
    let (whole, part) = (power >> BITS, power & (ONE - 1));
    // A parabola through the powers of two at both ends, and nearly right between them.
    let root = ONE + ((part * (43_025 + ((part * 22_511) >> BITS))) >> BITS);
    root.unsigned_abs() >> whole.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::{BITS, ONE, exponential, ln};

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
}
