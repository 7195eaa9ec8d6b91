//! Sums, quotients and bounds. Where a result is no number, the code leaves.

use astragal_native::{Flag, Word, Writer};

use crate::bytecode::NONE;
use crate::native::Translator;

#[derive(Clone, Copy)]
pub(super) enum Rounding {
    Up,
    Down,
    Rest,
}

impl<'w> Translator<'_, 'w> {
    /// A number counted from `low`; leaves unless it is one of `count`.
    pub(super) fn emit_position(&mut self, number: u16, low: u16, count: u16) -> Word {
        let (number, low) = (self.read_slot(number), self.read_slot(low));
        let position = self.writer.subtract(number, low);
        let before = self.writer.less(number, low);
        let inside = self.writer.less(position, i64::from(count));
        self.leave_if(before);
        self.leave_unless(inside);
        position
    }

    pub(super) fn arith(
        &mut self,
        what: impl Fn(&mut Writer<'w>, Word, Word) -> (Word, Flag),
        dst: u16,
        a: u16,
        b: u16,
    ) {
        let (a, b) = (self.read_slot(a), self.read_slot(b));
        let sum = self.sum(what, a, b);
        self.writer.put(dst, sum);
    }

    /// A result that is a number: not too large, and not what stands for none.
    pub(super) fn sum(
        &mut self,
        what: impl Fn(&mut Writer<'w>, Word, Word) -> (Word, Flag),
        a: Word,
        b: Word,
    ) -> Word {
        let (result, over) = what(self.writer, a, b);
        let is_none = self.writer.equal(result, NONE);
        let wrong = self.writer.either(over, is_none);
        self.leave_if(wrong);
        result
    }

    pub(super) fn emit_division(&mut self, dst: u16, a: u16, b: u16, rounding: Rounding) {
        let (a, b) = (self.read_slot(a), self.read_slot(b));
        // The divisor is above 0 from here on.
        let (quotient, rest) = self.writer.divide(a, b, self.at);
        let (below, above) = (self.writer.less(rest, 0), self.writer.less(0, rest));
        let result = match rounding {
            Rounding::Up => {
                let more = self.writer.add(quotient, 1);
                self.writer.select(above, more, quotient)
            }
            Rounding::Down => {
                let less = self.writer.subtract(quotient, 1);
                self.writer.select(below, less, quotient)
            }
            Rounding::Rest => {
                let positive = self.writer.add(rest, b);
                self.writer.select(below, positive, rest)
            }
        };
        let is_none = self.writer.equal(result, NONE);
        self.leave_if(is_none);
        self.writer.put(dst, result);
    }

    /// Leaves unless a number that is to be kept lies between two bounds.
    pub(super) fn emit_range_check(&mut self, value: Word, low: u16, high: u16) {
        let is_none = self.writer.equal(value, NONE);
        let open = self.constant_at(high) == Some(NONE);
        let (low, high) = (self.read_slot(low), self.read_slot(high));
        let mut inside = self.writer.at_most(low, value);
        if !open {
            let below = self.writer.at_most(value, high);
            let is_open = self.writer.equal(high, NONE);
            let fits = self.writer.either(below, is_open);
            inside = self.writer.both(inside, fits);
        }
        let fine = self.writer.either(inside, is_none);
        self.leave_unless(fine);
    }
}
