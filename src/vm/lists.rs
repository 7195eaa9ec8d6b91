//! Operations on lists, and those that search sets bit by bit: on words alone, for both engines.

use crate::bytecode::{NONE, Op, lists, sets};
use crate::vm::memory::WordMemory;

/// What came of an operation.
pub(super) enum OpEffect {
    Next,
    Jumps(u16),
    /// Nothing was changed: it is a trap.
    Fails,
}

/// Carries out an operation on lists or bits; no other is known here.
#[inline]
pub(super) fn carry_out(op: Op, mem: &mut [i64]) -> OpEffect {
    match op {
        Op::Nth { dst, set, index, width } => {
            let at = usize::try_from(mem.word(index)).unwrap_or(usize::MAX);
            let member = sets::nth(mem.bits(set, width), at);
            mem.put(dst, member.unwrap_or(NONE));
        }
        Op::Append { list, member, width, bits, most } => {
            let member = mem.word(member);
            let list = mem.bits_mut(list, width);
            if member != NONE && !lists::append(list, bits, most.into(), member) {
                return OpEffect::Fails;
            }
        }
        Op::TakeLast { dst, list, width, bits, to } => {
            let last = lists::take_last(mem.bits_mut(list, width), bits);
            mem.put(dst, last);
            if last == NONE {
                return OpEffect::Jumps(to);
            }
        }
        Op::Element { dst, list, index, width, bits } => {
            let at = usize::try_from(mem.word(index)).ok().and_then(|index| index.checked_sub(1));
            let element = at.map_or(NONE, |at| lists::get(mem.bits(list, width), bits, at));
            if element == NONE {
                return OpEffect::Fails;
            }
            mem.put(dst, element);
        }
        Op::ElementOrNone { dst, list, index, width, bits } => {
            let at = usize::try_from(mem.word(index)).unwrap_or(usize::MAX);
            mem.put(dst, lists::get(mem.bits(list, width), bits, at));
        }
        Op::LastElement { dst, list, width, bits } => {
            mem.put(dst, lists::last(mem.bits(list, width), bits));
        }
        Op::Length { dst, list, width, bits } => {
            mem.put(dst, number(lists::count(mem.bits(list, width), bits)));
        }
        Op::Find { dst, list, member, width, bits } => {
            let at = lists::find(mem.bits(list, width), bits, mem.word(member));
            mem.put(dst, number(at));
        }
        op => unreachable!("{} is no operation on lists", op.name()),
    }
    OpEffect::Next
}

fn number(count: usize) -> i64 {
    i64::try_from(count).expect("lists are short")
}
