//! Logarithms in whole numbers, so that searches go the same way on every machine.

/// How many bits of a fixed-point number stand behind the point.
pub(super) const BITS: u32 = 16;

/// The natural logarithm of 2, with 32 bits behind the point.
const LN_2: u64 = 2_977_044_472;

/// The natural logarithm of a number from 1 on, with [`BITS`] bits behind the point.
pub(super) fn ln(number: u32) -> u64 {
    let whole = number.max(1).ilog2();
    // The rest is a number from 1 to 2 with 31 bits behind the point; each squaring gives a bit.
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

#[cfg(test)]
mod tests {
    use super::{BITS, ln};

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
}
