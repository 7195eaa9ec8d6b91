//! Offers that stand for combinations of what is taken from independent sets: how many there are, and which
//! of them has a number.

use crate::bytecode::{Binds, Factor, NONE, sets};

/// How many choices there are with what was offered: the words of the bindings that are no factors, then
/// those of the factors.
#[inline]
pub(super) fn combinations(binds: &Binds, offered: &[i64]) -> usize {
    if binds.factors.is_empty() {
        return 1;
    }
    let fixed: usize = binds.split().0.iter().map(|(_, width)| usize::from(*width)).sum();
    let mut rest = &offered[fixed..];
    let mut combinations = 1_usize;
    for factor in &binds.factors {
        let (set, behind) = rest.split_at(factor.width.into());
        combinations = combinations.saturating_mul(factor_size(*factor, set));
        rest = behind;
    }
    combinations
}

/// Calls `write` with each slot that a choice binds and its word; `nth` is its number among those that were
/// offered together.
#[inline]
pub(super) fn bind_factors(
    binds: &Binds,
    offered: &[i64],
    nth: usize,
    mut write: impl FnMut(u16, i64),
) {
    if let Some(factor) = single_factor(binds) {
        return write(binds.slots[0].0, nth_member(factor, &offered[..1], nth));
    }
    let (fixed, taken) = binds.split();
    let mut words = offered;
    for (slot, width) in fixed {
        let (value, rest) = words.split_at((*width).into());
        (*slot..).zip(value).for_each(|(slot, word)| write(slot, *word));
        words = rest;
    }
    let mut left = nth;
    let mut end = binds.factors.iter().map(|factor| usize::from(factor.width)).sum();
    // The last factor counts least.
    for (at, (factor, (slot, _))) in binds.factors.iter().zip(taken).enumerate().rev() {
        let begin = end - usize::from(factor.width);
        let set = &words[begin..end];
        let mut way = left;
        if at > 0 {
            let ways = factor_size(*factor, set);
            // Divisions are slow, and where there is one way only there is none to find.
            (left, way) = if ways > 1 { (left / ways, left % ways) } else { (left, 0) };
        }
        write(*slot, nth_member(*factor, set, way));
        end = begin;
    }
}

#[inline]
pub(crate) fn factor_size(factor: Factor, set: &[i64]) -> usize {
    match factor.taken {
        Some(taken) => ways_to_take(sets::count(set), taken.into()),
        None => sets::count(set) + usize::from(factor.or_none),
    }
}

/// So many members a set of one word has at most.
const MOST: usize = 64;

/// In how many ways so many members can be taken: the triangle of Pascal.
static WAYS: [[usize; MOST + 1]; MOST + 1] = {
    let mut ways = [[0_usize; MOST + 1]; MOST + 1];
    let mut members = 0;
    while members <= MOST {
        ways[members][0] = 1;
        let mut taken = 1;
        while taken <= members {
            ways[members][taken] =
                ways[members - 1][taken - 1].saturating_add(ways[members - 1][taken]);
            taken += 1;
        }
        members += 1;
    }
    ways
};

/// In how many ways so many members of a set can be taken. A check has seen that these are few.
fn ways_to_take(members: usize, taken: usize) -> usize {
    WAYS[members].get(taken).copied().unwrap_or(0)
}

/// The subset with so many members and `way` others before it, in the order in which one counts.
fn nth_subset(set: i64, taken: usize, mut way: usize) -> i64 {
    let (mut rest, mut subset, mut left) = (set, 0, taken);
    while left > 0 && rest != 0 {
        let last = 1 << (63 - rest.leading_zeros());
        rest &= !last;
        // So many come before those with this member.
        let without = ways_to_take(rest.count_ones() as usize, left);
        if way >= without {
            way -= without;
            left -= 1;
            subset |= last;
        }
    }
    subset
}

/// The number of a subset of a set among those with as many members, as [`nth_subset`] counts them.
fn subset_number(set: i64, subset: i64) -> usize {
    let (mut rest, mut left, mut number) = (set, subset.count_ones() as usize, 0);
    while left > 0 && rest != 0 {
        let last = 1 << (63 - rest.leading_zeros());
        rest &= !last;
        if subset & last != 0 {
            number += ways_to_take(rest.count_ones() as usize, left);
            left -= 1;
        }
    }
    number
}

/// Which of the ways of a factor gives a word, if one does.
pub(crate) fn way_to(factor: Factor, set: &[i64], word: i64) -> Option<usize> {
    if let Some(taken) = factor.taken {
        let of = *set.first()?;
        let is_way = word & !of == 0 && word.count_ones() == u32::from(taken);
        return is_way.then(|| subset_number(of, word));
    }
    if word == NONE {
        return factor.or_none.then_some(0);
    }
    let bit = word.checked_sub(factor.low)?;
    let at = usize::try_from(bit).ok().filter(|_| sets::has(set, bit))?;
    Some(sets::count_to(set, at) - 1 + usize::from(factor.or_none))
}

/// The set of a binding that is one factor of one word and nothing else, as most are.
#[inline]
pub(super) fn single_factor(binds: &Binds) -> Option<Factor> {
    match (binds.slots.as_slice(), binds.factors.as_slice()) {
        ([_], [factor @ Factor { width: 1, taken: None, .. }]) => Some(*factor),
        _ => None,
    }
}

/// One of the ways of a factor: none first, where it has that, then the members.
#[inline]
pub(crate) fn nth_member(factor: Factor, set: &[i64], way: usize) -> i64 {
    if let (Some(taken), [set]) = (factor.taken, set) {
        return nth_subset(*set, taken.into(), way);
    }
    let Some(nth) = way.checked_sub(factor.or_none.into()) else { return NONE };
    factor.low + sets::nth(set, nth).expect("the entry counted the members")
}

#[cfg(test)]
mod tests {
    use super::{factor_size, nth_member, way_to};
    use crate::bytecode::Factor;

    #[test]
    fn each_way_is_found_again() {
        let plain = Factor { set: 0, width: 1, most: 64, low: -3, or_none: true, taken: None };
        let subsets =
            (0..=5).map(|taken| Factor { low: 0, or_none: false, taken: Some(taken), ..plain });
        let set = [0b1011_0100_1001_i64];
        for factor in subsets.chain([plain, Factor { or_none: false, ..plain }]) {
            for way in 0..factor_size(factor, &set) {
                let word = nth_member(factor, &set, way);
                assert_eq!(way_to(factor, &set, word), Some(way), "{factor:?} {word}");
            }
            assert_eq!(way_to(factor, &set, 1 << 20), None);
        }
    }
}
