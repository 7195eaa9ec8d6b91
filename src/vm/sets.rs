//! Sets as bits in words.

use crate::bytecode::program::NONE;
use crate::vm::memory::Words;

/// Whether a member is in the set; what is no member at all is not.
pub(super) fn has(set: &[i64], member: i64) -> bool {
    let Ok(member) = usize::try_from(member) else { return false };
    set.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1)
}

/// Puts a member in; what is no member at all changes nothing.
pub(super) fn insert(set: &mut [i64], member: i64) {
    let Ok(member) = usize::try_from(member) else { return };
    if let Some(word) = set.get_mut(member / 64) {
        *word |= 1 << (member % 64);
    }
}

/// Takes a member out.
pub(super) fn remove(set: &mut [i64], member: i64) {
    let Ok(member) = usize::try_from(member) else { return };
    if let Some(word) = set.get_mut(member / 64) {
        *word &= !(1 << (member % 64));
    }
}

/// The members, in order.
pub fn members(set: &[i64]) -> impl Iterator<Item = i64> {
    (0_i64..).take(set.len() * 64).filter(|member| has(set, *member))
}

/// How many members there are.
pub(super) fn count(set: &[i64]) -> i64 {
    set.iter().map(|word| i64::from(word.count_ones())).sum()
}

/// The first member, or none.
pub(super) fn first(set: &[i64]) -> i64 {
    let word = set.iter().enumerate().find(|(_, word)| **word != 0);
    word.map_or(NONE, |(at, word)| member(at, word.trailing_zeros()))
}

/// The last member, or none.
pub(super) fn last(set: &[i64]) -> i64 {
    let word = set.iter().enumerate().rev().find(|(_, word)| **word != 0);
    word.map_or(NONE, |(at, word)| member(at, 63 - word.leading_zeros()))
}

/// The first member that is `start` or behind it, else the first member of all, or none.
pub(super) fn first_from(set: &[i64], start: i64) -> i64 {
    let begin = usize::try_from(start).unwrap_or(0);
    for (at, word) in set.iter().enumerate().skip(begin / 64) {
        let behind = if at == begin / 64 { word & (-1 << (begin % 64)) } else { *word };
        if behind != 0 {
            return member(at, behind.trailing_zeros());
        }
    }
    first(set)
}

/// The member with `index` others before it.
pub(super) fn nth(set: &[i64], index: usize) -> Option<i64> {
    let mut left = index;
    for (at, word) in set.iter().enumerate() {
        let here = word.count_ones() as usize;
        if left < here {
            let mut rest = *word;
            for _ in 0..left {
                rest &= rest - 1;
            }
            return Some(member(at, rest.trailing_zeros()));
        }
        left -= here;
    }
    None
}

/// Makes of a subset of `of` the next one: counted like a number whose digits are the members of
/// `of`, the first one changing fastest. Tells whether there is one; else it is empty again.
pub(super) fn next_subset(mem: &mut [i64], set: u16, of: u16, width: u16) -> bool {
    let mut carries = true;
    for at in 0..width {
        let digits = mem.word(of + at).cast_unsigned();
        // With every other bit set a carry runs on to the next member.
        let full = mem.word(set + at).cast_unsigned() | !digits;
        let (sum, over) = full.overflowing_add(u64::from(carries));
        mem.put(set + at, (sum & digits).cast_signed());
        carries = over;
    }
    !carries
}

/// Makes the set hold the members from `low` to `high`.
pub(super) fn fill(set: &mut [i64], low: i64, high: i64) {
    set.fill(0);
    let last = i64::try_from(set.len() * 64).unwrap_or(i64::MAX) - 1;
    for member in low.max(0)..=high.min(last) {
        insert(set, member);
    }
}

fn member(word: usize, bit: u32) -> i64 {
    i64::try_from(word * 64).unwrap_or(NONE) + i64::from(bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cyclic_order_goes_round_over_words() {
        let mut set = [0, 0];
        for member in [3, 70, 100] {
            insert(&mut set, member);
        }
        assert_eq!(first_from(&set, 71), 100);
        assert_eq!(first_from(&set, 101), 3);
        assert_eq!(first_from(&set, 64), 70);
        assert_eq!((first(&set), last(&set), count(&set)), (3, 100, 3));
        assert_eq!((nth(&set, 1), nth(&set, 3)), (Some(70), None));
    }

    #[test]
    fn strangers_are_in_no_set() {
        let mut set = [-1];
        assert!(!has(&set, NONE) && !has(&set, 64) && has(&set, 63));
        insert(&mut set, NONE);
        remove(&mut set, 64);
        assert_eq!(set, [-1]);
    }

    #[test]
    fn subsets_are_counted_over_all_words() {
        // The members are bit 1 of the first word, bit 63 of it and bit 2 of the second.
        let of = [1 << 1 | i64::MIN, 1 << 2];
        let mut mem = [0, 0, of[0], of[1]];
        let mut met = vec![[mem[0], mem[1]]];
        while next_subset(&mut mem, 0, 2, 2) {
            met.push([mem[0], mem[1]]);
        }
        let low = [0, 1 << 1, i64::MIN, of[0]];
        let counted = [0, of[1]].map(|high| low.map(|low| [low, high]));
        assert_eq!(met, counted.concat());
        assert_eq!(mem[..2], [0, 0]);
    }

    #[test]
    fn the_empty_set_has_one_subset() {
        assert!(!next_subset(&mut [0, 0], 0, 1, 1));
    }
}
