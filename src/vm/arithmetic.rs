//! Arithmetic and element access of a run: a trap where a result would wrap or an index is outside.

use crate::bytecode::NONE;
use crate::vm::memory::WordMemory;
use crate::vm::step::Machine;
use crate::vm::trap::Trap;

impl Machine<'_> {
    #[inline]
    pub(super) fn sum(&self, mem: &mut [i64], dst: u16, result: Option<i64>) -> Result<(), Trap> {
        match result {
            Some(number) if number != NONE => {
                mem.put(dst, number);
                Ok(())
            }
            _ => Err(self.overflow()),
        }
    }

    #[cold]
    fn overflow(&self) -> Trap {
        Trap::Overflow { span: self.op_span() }
    }

    #[inline]
    pub(super) fn arith(
        &self,
        mem: &mut [i64],
        [dst, a, b]: [u16; 3],
        arith: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<(), Trap> {
        self.sum(mem, dst, arith(mem.word(a), mem.word(b)))
    }

    pub(super) fn divide(
        &self,
        mem: &mut [i64],
        operands: [u16; 3],
        divide: fn(i64, i64) -> Option<i64>,
    ) -> Result<(), Trap> {
        self.ensure(mem.word(operands[2]) != 0, |span| Trap::DivisionByZero { span })?;
        self.arith(mem, operands, divide)
    }

    /// A number that is to be kept must lie between two bounds; a `high` of none is open.
    #[inline]
    pub(super) fn check_range(&self, value: i64, low: i64, high: i64) -> Result<(), Trap> {
        if value == NONE || (low <= value && (high == NONE || value <= high)) {
            return Ok(());
        }
        Err(self.out_of_range(value, low, high))
    }

    #[cold]
    fn out_of_range(&self, value: i64, low: i64, high: i64) -> Trap {
        let range = if high == NONE { format!("{low}..") } else { format!("{low}..{high}") };
        Trap::OutOfRange { value: value.to_string(), range, span: self.op_span() }
    }

    /// The first slot of an element of an array; its index is in a slot.
    #[inline]
    pub(super) fn element_slot(
        &self,
        mem: &[i64],
        base: u16,
        index: u16,
        count: u16,
        width: u16,
    ) -> Result<u16, Trap> {
        match u16::try_from(mem.word(index)) {
            Ok(index) if index < count => Ok(base + index * width),
            _ => Err(self.outside(mem.word(index), 0, count)),
        }
    }

    #[inline]
    pub(super) fn position(&self, value: i64, low: i64, count: u16) -> Result<i64, Trap> {
        let position = value.wrapping_sub(low);
        if value < low || position >= i64::from(count) {
            return Err(self.outside(value, low, count));
        }
        Ok(position)
    }

    #[cold]
    fn outside(&self, value: i64, low: i64, count: u16) -> Trap {
        let high = low + i64::from(count) - 1;
        Trap::NoSuchElement { value, range: format!("{low}..{high}"), span: self.op_span() }
    }
}
