//! Operations on lists, and those that search sets bit by bit: on words alone, for both engines.

use crate::bytecode::subsets::SubsetSearch;
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
        Op::FirstSized { set, of, width, sizes, to } => {
            let members = members_of(mem, of, width);
            let search = SubsetSearch::new(members.len(), subset_sizes(mem, sizes));
            return found_subset(mem, [set, width, to], &members, search, &[]);
        }
        Op::NextSized { set, of, width, sizes, to } => {
            let members = members_of(mem, of, width);
            let before = vec![None; members.len()];
            let search = search_after(mem, [set, width, sizes], &members);
            return found_subset(mem, [set, width, to], &members, search, &before);
        }
        op => unreachable!("{} is no operation on lists", op.name()),
    }
    OpEffect::Next
}

fn number(count: usize) -> i64 {
    i64::try_from(count).expect("lists are short")
}

/// The sizes that subsets may have: none, where the most is below 0.
pub(super) fn subset_sizes(mem: &[i64], sizes: u16) -> (usize, usize) {
    match [sizes, sizes + 1].map(|slot| usize::try_from(mem.word(slot))) {
        [Ok(least), Ok(most)] => (least, most),
        _ => (1, 0),
    }
}

pub(super) fn members_of(mem: &[i64], set: u16, width: u16) -> Vec<usize> {
    sets::members(mem.bits(set, width)).collect()
}

/// The search for the subset after the one that a set holds.
pub(super) fn search_after(
    mem: &[i64],
    [set, width, sizes]: [u16; 3],
    members: &[usize],
) -> SubsetSearch {
    let held = mem.bits(set, width);
    let taken = members.iter().map(|member| sets::bit(held, *member)).collect();
    SubsetSearch::after(taken, subset_sizes(mem, sizes))
}

/// Puts the next subset of a search into a set, or jumps.
pub(super) fn found_subset(
    mem: &mut [i64],
    [set, width, to]: [u16; 3],
    members: &[usize],
    mut search: SubsetSearch,
    before: &[Option<usize>],
) -> OpEffect {
    if !search.step(before) {
        return OpEffect::Jumps(to);
    }
    let held = mem.bits_mut(set, width);
    held.fill(0);
    let taken = members.iter().zip(&search.taken).filter(|(_, taken)| **taken);
    taken.for_each(|(member, _)| sets::set_bit(held, *member, true));
    OpEffect::Next
}
