//! Numbers: arithmetic that traps instead of wrapping, ranges, indices, amounts.

use crate::bytecode::program::NONE;
use crate::vm::step::Machine;
use crate::vm::trap::Trap;

impl Machine<'_> {
    pub(super) fn sum(&mut self, dst: u16, result: Option<i64>) -> Result<(), Trap> {
        let sound = result.filter(|number| *number != NONE);
        let number = sound.ok_or_else(|| Trap::Overflow { span: self.span() })?;
        self.put(dst, number);
        Ok(())
    }

    pub(super) fn divide(
        &mut self,
        dst: u16,
        a: u16,
        b: u16,
        divide: fn(i64, i64) -> Option<i64>,
    ) -> Result<(), Trap> {
        let (a, b) = (self.get(a), self.get(b));
        if b == 0 {
            return Err(Trap::DivisionByZero { span: self.span() });
        }
        self.sum(dst, divide(a, b))
    }

    pub(super) fn check_range(&self, a: u16, low: u16, high: u16) -> Result<(), Trap> {
        let (value, low, high) = (self.get(a), self.get(low), self.get(high));
        if value == NONE || (low <= value && (high == NONE || value <= high)) {
            return Ok(());
        }
        let range = if high == NONE { format!("{low}..") } else { format!("{low}..{high}") };
        Err(Trap::OutOfRange { value, range, span: self.span() })
    }

    pub(super) fn index(&self, index: u16, count: u16) -> Result<usize, Trap> {
        let value = self.get(index);
        match usize::try_from(value) {
            Ok(index) if index < usize::from(count) => Ok(index),
            _ => Err(self.outside(value, 0, count)),
        }
    }

    pub(super) fn position(&mut self, dst: u16, a: u16, low: u16, count: u16) -> Result<(), Trap> {
        let (value, low) = (self.get(a), self.get(low));
        let position = value.wrapping_sub(low);
        if value < low || position >= i64::from(count) {
            return Err(self.outside(value, low, count));
        }
        self.put(dst, position);
        Ok(())
    }

    pub(super) fn outside(&self, value: i64, low: i64, count: u16) -> Trap {
        let high = low + i64::from(count) - 1;
        Trap::NoSuchElement { value, range: format!("{low}..{high}"), span: self.span() }
    }

    pub(super) fn offset(&self, index: u16, count: u16, width: u16) -> Result<u16, Trap> {
        let index = self.index(index, count)?;
        Ok(u16::try_from(index * usize::from(width)).expect("verified: the block fits"))
    }

    pub(super) fn check_amount(&self, a: u16) -> Result<(), Trap> {
        let value = self.get(a);
        if value < 0 {
            return Err(Trap::NegativeAmount { value, span: self.span() });
        }
        Ok(())
    }

    pub(super) fn check_pay(&self, have: u16, cost: u16, low: u16) -> Result<(), Trap> {
        let (have, cost) = (self.get(have).saturating_sub(self.get(low)), self.get(cost));
        if cost > have {
            return Err(Trap::CannotPay { have, cost, span: self.span() });
        }
        Ok(())
    }

    pub(super) fn check_some(&self, a: u16) -> Result<(), Trap> {
        if self.get(a) == NONE {
            return Err(Trap::NothingToCompare { span: self.span() });
        }
        Ok(())
    }
}

pub(super) fn floor_divide(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

pub(super) fn ceil_divide(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient })
}

pub(super) fn modulo(a: i64, b: i64) -> Option<i64> {
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
