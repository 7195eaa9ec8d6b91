//! Numbers: what is computed with words.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};

use super::{Flag, Word, Writer};

/// An operand: a word, or a constant.
pub trait IntoWord {
    /// Returns the operand as a word.
    fn into_word(self, writer: &mut Writer) -> Word;
}

impl IntoWord for Word {
    fn into_word(self, _: &mut Writer) -> Word {
        self
    }
}

impl IntoWord for i64 {
    fn into_word(self, writer: &mut Writer) -> Word {
        writer.number(self)
    }
}

macro_rules! operations {
    ($( $(#[doc = $doc:literal])+ $name:ident: $op:ident )*) => {
        $( $(#[doc = $doc])+ pub fn $name(&mut self, a: impl IntoWord, b: impl IntoWord) -> Word {
            let (a, b) = (a.into_word(self), b.into_word(self));
            Word(self.builder.ins().$op(a.0, b.0))
        } )*
    };
}

macro_rules! comparisons {
    ($( $(#[doc = $doc:literal])+ $name:ident: $code:ident )*) => {
        $( $(#[doc = $doc])+ pub fn $name(&mut self, a: impl IntoWord, b: impl IntoWord) -> Flag {
            let (a, b) = (a.into_word(self), b.into_word(self));
            Flag(self.builder.ins().icmp(IntCC::$code, a.0, b.0))
        } )*
    };
}

macro_rules! checked {
    ($( $(#[doc = $doc:literal])+ $name:ident: $op:ident )*) => {
        $( $(#[doc = $doc])+ pub fn $name(&mut self, a: impl IntoWord, b: impl IntoWord) -> (Word, Flag) {
            let (a, b) = (a.into_word(self), b.into_word(self));
            let (result, over) = self.builder.ins().$op(a.0, b.0);
            (Word(result), Flag(over))
        } )*
    };
}

impl Writer<'_> {
    operations! {
        /// The sum, wrapping.
        add: iadd
        /// The difference, wrapping.
        subtract: isub
        /// The product, wrapping.
        multiply: imul
        /// The bits that both have.
        and: band
        /// The bits that one has.
        or: bor
        /// The bits that one has and the other has not.
        differing: bxor
        /// The bits of the first that the second has not.
        without: band_not
        /// The bits moved up, by the second modulo 64.
        shift_up: ishl
        /// The bits moved down, by the second modulo 64.
        shift_down: ushr
        /// The bits moved up, by the second modulo 64; those that leave come in again below.
        rotate_up: rotl
        /// The smaller one.
        least: smin
        /// The larger one.
        greatest: smax
    }

    comparisons! {
        /// Whether they are the same.
        equal: Equal
        /// Whether they differ.
        differ: NotEqual
        /// Whether the first is smaller.
        less: SignedLessThan
        /// Whether the first is not larger.
        at_most: SignedLessThanOrEqual
        /// Whether the first is smaller, where what is negative is larger than everything else.
        below: UnsignedLessThan
        /// Whether it is not.
        at_least: UnsignedGreaterThanOrEqual
    }

    checked! {
        /// The sum, and whether it does not fit.
        add_checked: sadd_overflow
        /// The difference, and whether it does not fit.
        subtract_checked: ssub_overflow
        /// The product, and whether it does not fit.
        multiply_checked: smul_overflow
    }

    /// How often the divisor goes into a number, and what is left, rounded towards 0; leaves at a point
    /// if the divisor is 0, or if the result does not fit.
    pub fn divide(&mut self, a: Word, b: impl IntoWord, point: usize) -> (Word, Word) {
        let b = b.into_word(self);
        // Divisors above 0 have neither of these.
        let low = self.less(b, 1);
        self.leave_if(low, point);
        (Word(self.builder.ins().sdiv(a.0, b.0)), Word(self.builder.ins().srem(a.0, b.0)))
    }

    /// How far a number is from 0.
    pub fn distance(&mut self, a: Word) -> Word {
        Word(self.builder.ins().iabs(a.0))
    }

    /// How many bits are set.
    pub fn count(&mut self, a: Word) -> Word {
        Word(self.builder.ins().popcnt(a.0))
    }

    /// How many bits below the first that is set; 64 if none is.
    pub fn first(&mut self, a: Word) -> Word {
        Word(self.builder.ins().ctz(a.0))
    }

    /// How many bits above the last that is set; 64 if none is.
    pub fn clear_above(&mut self, a: Word) -> Word {
        Word(self.builder.ins().clz(a.0))
    }

    /// The one if something holds, else the other.
    pub fn select(&mut self, holds: Flag, one: impl IntoWord, other: impl IntoWord) -> Word {
        let (one, other) = (one.into_word(self), other.into_word(self));
        Word(self.builder.ins().select(holds.0, one.0, other.0))
    }

    /// 1 if something holds, else 0.
    pub fn as_word(&mut self, holds: Flag) -> Word {
        Word(self.builder.ins().uextend(types::I64, holds.0))
    }

    /// Whether both hold.
    pub fn both(&mut self, a: Flag, b: Flag) -> Flag {
        Flag(self.builder.ins().band(a.0, b.0))
    }

    /// Whether one holds.
    pub fn either(&mut self, a: Flag, b: Flag) -> Flag {
        Flag(self.builder.ins().bor(a.0, b.0))
    }
}
