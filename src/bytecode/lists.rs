//! Lists of small numbers, packed from the top of words of 63 bits: words compare as the lists do.

use crate::bytecode::NONE;

/// The bits of a word, the sign left out: so no word is below an empty one.
pub(crate) const BITS: u16 = 63;

/// Returns how many bits an element takes where so many are possible: 0 stands for no element.
///
/// # Panics
/// If there are more members than any finite type has.
pub(crate) fn element_bits(size: usize) -> u16 {
    let bits = usize::BITS - size.leading_zeros();
    u16::try_from(bits).expect("a finite type has few members").clamp(1, BITS)
}

/// Returns how many words a list takes.
///
/// # Panics
/// If the list is longer than any may be.
pub(crate) fn width(most: usize, bits: u16) -> u16 {
    let words = most.div_ceil((BITS / bits).into());
    u16::try_from(words).expect("lists are short").max(1)
}

/// The word of an element, and how far its bits are from the lowest.
#[inline]
fn place(at: usize, bits: u16) -> (usize, u16) {
    // Only code that was damaged has no bits, or too many.
    let bits = bits.clamp(1, BITS);
    let each = usize::from(BITS / bits);
    let behind = u16::try_from(at % each).expect("a word has 63 bits") + 1;
    (at / each, BITS - behind * bits)
}

/// The element at a place, or none.
#[inline]
pub(crate) fn get(words: &[i64], bits: u16, at: usize) -> i64 {
    let (word, shift) = place(at, bits);
    let mask = i64::MAX >> (BITS - bits.clamp(1, BITS));
    match words.get(word).map_or(0, |word| word >> shift & mask) {
        0 => NONE,
        element => element - 1,
    }
}

/// Puts an element where none is; whether there is room.
#[inline]
fn put_element(words: &mut [i64], bits: u16, at: usize, element: i64) -> bool {
    let (word, shift) = place(at, bits);
    let room = words.get_mut(word);
    room.map(|word| *word |= (element + 1) << shift).is_some()
}

#[inline]
pub(crate) fn count(words: &[i64], bits: u16) -> usize {
    let Some(last) = words.iter().rposition(|word| *word != 0) else { return 0 };
    let bits = bits.clamp(1, BITS);
    let (each, spare) = (BITS / bits, BITS % bits);
    // Every element has a bit, so what is empty ends where the last of them begins.
    let below = words[last].trailing_zeros().saturating_sub(spare.into()) / u32::from(bits);
    let here = u16::try_from(below).map_or(0, |below| each.saturating_sub(below));
    last * usize::from(each) + usize::from(here)
}

pub(crate) fn elements(words: &[i64], bits: u16) -> impl Iterator<Item = i64> {
    (0..).map(move |at| get(words, bits, at)).take_while(|element| *element != NONE)
}

/// The last element, or none.
#[inline]
pub(crate) fn last(words: &[i64], bits: u16) -> i64 {
    count(words, bits).checked_sub(1).map_or(NONE, |at| get(words, bits, at))
}

/// The place of an element, counted from 1; 0 if it is not there.
pub(crate) fn index_of(words: &[i64], bits: u16, element: i64) -> usize {
    elements(words, bits).position(|other| other == element).map_or(0, |at| at + 1)
}

/// Puts an element behind the last; whether there was room for it among so many.
#[inline]
pub(crate) fn append(words: &mut [i64], bits: u16, most: usize, element: i64) -> bool {
    let at = count(words, bits);
    at < most && put_element(words, bits, at, element)
}

/// Takes the last element out and returns it, or none.
#[inline]
pub(crate) fn take_last(words: &mut [i64], bits: u16) -> i64 {
    let Some(at) = count(words, bits).checked_sub(1) else { return NONE };
    let last = get(words, bits, at);
    let (word, shift) = place(at, bits);
    words[word] &= !((last + 1) << shift);
    last
}

/// Returns a list as words; elements without a position were reported.
pub(crate) fn words(most: usize, size: usize, positions: impl Iterator<Item = i64>) -> Vec<i64> {
    let bits = element_bits(size);
    let mut words = vec![0; width(most, bits).into()];
    for position in positions {
        append(&mut words, bits, most, position);
    }
    words
}
