//! Operations on lists, and those that search sets bit by bit: on words alone, for both engines.

use std::cell::RefCell;

use crate::bytecode::subsets::SubsetSearch;
use crate::bytecode::{NONE, Op, lists, sets, to_word};
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
            mem.put(dst, to_word(lists::count(mem.bits(list, width), bits)));
        }
        Op::Find { dst, list, member, width, bits } => {
            let at = lists::index_of(mem.bits(list, width), bits, mem.word(member));
            mem.put(dst, to_word(at));
        }
        Op::FirstSized { set, of, width, sizes, to } => {
            return with_subset_room(mem, (of, width), |mem, room| {
                room.search.start(room.members.len(), subset_sizes(mem, sizes));
                room.find_next(mem, [set, width, to])
            });
        }
        Op::NextSized { set, of, width, sizes, to } => {
            return with_subset_room(mem, (of, width), |mem, room| {
                room.resume_search(mem, [set, width, sizes]);
                room.find_next(mem, [set, width, to])
            });
        }
        op => unreachable!("{} is no operation on lists", op.name()),
    }
    OpEffect::Next
}

/// The sizes that subsets may have: none, where the most is below 0.
pub(super) fn subset_sizes(mem: &[i64], sizes: u16) -> (usize, usize) {
    match [sizes, sizes + 1].map(|slot| usize::try_from(mem.word(slot))) {
        [Ok(least), Ok(most)] => (least, most),
        _ => (1, 0),
    }
}

/// Room for what is computed of subsets. It is kept, since playouts ask for no memory.
#[derive(Debug, Default)]
pub(super) struct SubsetRoom {
    /// The members of the set, in their order.
    pub(super) members: Vec<usize>,
    /// For each card the first one that looks alike, and the last one before it.
    pub(super) firsts: Vec<i64>,
    pub(super) before: Vec<Option<usize>>,
    pub(super) ways: Vec<usize>,
    search: SubsetSearch,
}

thread_local! {
    static ROOM: RefCell<SubsetRoom> = RefCell::default();
}

/// Computes something of the subsets of a set.
pub(super) fn with_subset_room<T>(
    mem: &mut [i64],
    (set, width): (u16, u16),
    compute: impl FnOnce(&mut [i64], &mut SubsetRoom) -> T,
) -> T {
    ROOM.with_borrow_mut(|room| {
        room.members.clear();
        room.members.extend(sets::members(mem.bits(set, width)));
        room.before.clear();
        compute(mem, room)
    })
}

impl SubsetRoom {
    /// Goes on from the subset that a set holds.
    pub(super) fn resume_search(&mut self, mem: &[i64], [set, width, sizes]: [u16; 3]) {
        let held = mem.bits(set, width);
        let taken = self.members.iter().map(|member| sets::bit(held, *member));
        self.search.resume(taken, subset_sizes(mem, sizes));
    }

    /// Puts the next subset into a set, or jumps.
    pub(super) fn find_next(&mut self, mem: &mut [i64], [set, width, to]: [u16; 3]) -> OpEffect {
        if !self.search.advance(&self.before) {
            return OpEffect::Jumps(to);
        }
        let held = mem.bits_mut(set, width);
        held.fill(0);
        let taken = self.members.iter().zip(&self.search.taken).filter(|(_, taken)| **taken);
        taken.for_each(|(member, _)| sets::set_bit(held, *member, true));
        OpEffect::Next
    }
}
