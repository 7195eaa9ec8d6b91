//! Sets of small numbers as bits in words of 64.

use crate::bytecode::NONE;

/// Whether a bit of a set that is long enough is set.
#[inline]
pub(crate) fn bit(words: &[i64], at: usize) -> bool {
    words[at / 64] >> (at % 64) & 1 == 1
}

/// Sets or clears a bit of a set that is long enough.
#[inline]
pub(crate) fn set_bit(words: &mut [i64], at: usize, on: bool) {
    let (word, bit) = (&mut words[at / 64], 1 << (at % 64));
    *word = if on { *word | bit } else { *word & !bit };
}

/// Whether a member is in the set; what is no member at all is not.
#[inline]
pub fn has(set: &[i64], member: i64) -> bool {
    let Ok(member) = usize::try_from(member) else { return false };
    set.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1)
}

/// Puts a member in; what is no member at all changes nothing.
#[inline]
pub fn insert(set: &mut [i64], member: i64) {
    put_member(set, member, true);
}

#[inline]
pub fn remove(set: &mut [i64], member: i64) {
    put_member(set, member, false);
}

#[inline]
fn put_member(set: &mut [i64], member: i64, on: bool) {
    if let Ok(at) = usize::try_from(member)
        && at / 64 < set.len()
    {
        set_bit(set, at, on);
    }
}

/// Adds all members of another set.
pub(crate) fn unite(set: &mut [i64], more: &[i64]) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

pub(crate) fn subtract(set: &mut [i64], out: &[i64]) {
    set.iter_mut().zip(out).for_each(|(word, out)| *word &= !out);
}

pub(crate) fn meets(a: &[i64], b: &[i64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

pub(crate) fn is_empty(set: &[i64]) -> bool {
    set.iter().all(|word| *word == 0)
}

pub fn members(set: &[i64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(at, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest.wrapping_sub(1);
                at * 64 + bit
            })
        })
    })
}

#[inline]
pub fn count(set: &[i64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// How many of the bits up to one are set.
#[inline]
pub(crate) fn count_to(words: &[i64], at: usize) -> usize {
    count(&words[..at / 64]) + (words[at / 64] << (63 - at % 64)).count_ones() as usize
}

/// The first member, or none.
#[expect(clippy::inline_always, reason = "the interpreter comes here at every step")]
#[inline(always)]
pub fn first(set: &[i64]) -> i64 {
    let word = set.iter().enumerate().find(|(_, word)| **word != 0);
    word.map_or(NONE, |(at, word)| member_at(at, word.trailing_zeros()))
}

/// The last member, or none.
pub fn last(set: &[i64]) -> i64 {
    let word = set.iter().enumerate().rev().find(|(_, word)| **word != 0);
    word.map_or(NONE, |(at, word)| member_at(at, 63 - word.leading_zeros()))
}

/// The first member that is `start` or after it, else the first member of all, or none.
pub fn first_from(set: &[i64], start: i64) -> i64 {
    // What is below 0 comes before every member.
    let begin = usize::try_from(start).unwrap_or(0);
    for (at, word) in set.iter().enumerate().skip(begin / 64) {
        let behind = if at == begin / 64 { word & (-1 << (begin % 64)) } else { *word };
        if behind != 0 {
            return member_at(at, behind.trailing_zeros());
        }
    }
    first(set)
}

/// The first member after this one, or none; after what is below 0 the first of all.
#[inline]
pub(crate) fn after(set: &[i64], member: i64) -> i64 {
    let found = first_from(set, member.saturating_add(1));
    if found > member { found } else { NONE }
}

/// The last member that is `start` or before it, else the last member of all, or none.
pub fn last_to(set: &[i64], start: i64) -> i64 {
    let Ok(end) = usize::try_from(start) else { return last(set) };
    for (at, word) in set.iter().enumerate().rev().filter(|(at, _)| *at <= end / 64) {
        let before = if at == end / 64 { word & !(-2 << (end % 64)) } else { *word };
        if before != 0 {
            return member_at(at, 63 - before.leading_zeros());
        }
    }
    last(set)
}

/// The member with `index` others before it.
#[inline]
pub fn nth(set: &[i64], index: usize) -> Option<i64> {
    let mut left = index;
    for (at, word) in set.iter().enumerate() {
        let here = word.count_ones() as usize;
        if left < here {
            return Some(member_at(at, nth_bit(word.cast_unsigned(), left)));
        }
        left -= here;
    }
    None
}

/// The place of the bit with `index` others before it, of a word that has so many. No jump depends on the
/// index: one that depends on a random number costs more than all of this.
#[inline]
fn nth_bit(word: u64, index: usize) -> u32 {
    const LOWEST: u64 = u64::MAX / 255;
    let (mut rest, mut left, mut low) = (word, index as u64, 0);
    if word > 0xff {
        // Whole bytes are skipped: first each byte gets the number of bits up to its end.
        let pairs = word - (word >> 1 & (LOWEST * 0x55));
        let fours = (pairs & (LOWEST * 0x33)) + (pairs >> 2 & (LOWEST * 0x33));
        let up_to = ((fours + (fours >> 4)) & (LOWEST * 0x0f)).wrapping_mul(LOWEST);
        // The highest bit of a byte is left where no more bits than these end with it.
        let wanted = LOWEST * (left + 0x80);
        let skipped = ((wanted - up_to) >> 7 & LOWEST).wrapping_mul(LOWEST) >> 56;
        low = skipped * 8;
        left -= up_to << 8 >> low & 0xff;
        rest >>= low;
    }
    for passed in 1..8 {
        rest = if passed <= left { rest & rest.wrapping_sub(1) } else { rest };
    }
    u32::try_from(low).expect("a place of a bit") + rest.trailing_zeros()
}

/// Makes the set hold the members from `low` to `high`.
pub(crate) fn fill(set: &mut [i64], low: i64, high: i64) {
    set.fill(0);
    let last = member_at(set.len(), 0) - 1;
    (low.max(0)..=high.min(last)).for_each(|member| insert(set, member));
}

#[inline]
fn member_at(word: usize, bit: u32) -> i64 {
    i64::try_from(word * 64).expect("a state has fewer than 2^16 words") + i64::from(bit)
}
