//! What histories remember: exact positions, found by their digests.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::bytecode::{HistoryInfo, Program};
use crate::chance::GOLDEN;
use crate::vm::memory::Words;

/// The positions that the histories of a game remember.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// Of each position the number of its history, its words, filled up with zeros, and how often it was
    /// remembered; in the order in which they were remembered first.
    entries: Vec<i64>,
    /// The words of an entry; 0 if the game has no history.
    stride: usize,
    /// The digest of each entry.
    digests: Vec<u64>,
    /// For the upper bits of a digest whether there is an entry with them: most positions that are asked for are
    /// not remembered, and need no search.
    filter: Vec<u64>,
}

/// How many bits of a digest the filter goes by.
const FILTERED: u32 = 10;

/// Two pasts are the same if they remember the same positions, in whatever order these came.
impl PartialEq for Past {
    fn eq(&self, other: &Past) -> bool {
        self.entries == other.entries || self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Past {}

impl PartialOrd for Past {
    fn partial_cmp(&self, other: &Past) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Past {
    fn cmp(&self, other: &Past) -> Ordering {
        self.sorted().cmp(&other.sorted())
    }
}

impl Hash for Past {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sorted().hash(state);
    }
}

impl Past {
    pub(super) fn new(program: &Program) -> Past {
        let widest = program.histories.iter().map(HistoryInfo::width).max();
        Past::of_width(widest)
    }

    fn of_width(widest: Option<usize>) -> Past {
        let filter = if widest.is_some() { 1 << FILTERED >> u64::BITS.ilog2() } else { 0 };
        let stride = widest.map_or(0, |words| words + 2);
        Past { entries: Vec::new(), stride, digests: Vec::new(), filter: vec![0; filter] }
    }

    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The words of all entries.
    pub(super) fn words(&self) -> &[i64] {
        &self.entries
    }

    /// The words of all entries, these in order: the same words for the same positions.
    pub(super) fn sorted(&self) -> Vec<i64> {
        let mut entries: Vec<&[i64]> = self.entries.chunks_exact(self.stride.max(1)).collect();
        entries.sort_unstable();
        entries.concat()
    }

    /// Takes over words that another one gave.
    pub(super) fn set_words(&mut self, words: impl IntoIterator<Item = i64>) {
        self.entries.clear();
        self.entries.extend(words);
        self.digest_anew();
    }

    fn digest_anew(&mut self) {
        self.digests.clear();
        self.filter.fill(0);
        for entry in self.entries.chunks_exact(self.stride.max(1)) {
            let digest = digest(std::iter::once(&entry[..self.stride - 1]));
            self.digests.push(digest);
            let (word, bit) = place_of(digest);
            self.filter[word] |= bit;
        }
    }

    pub(super) fn copy_from(&mut self, other: &Past) {
        self.entries.clone_from(&other.entries);
        self.digests.clone_from(&other.digests);
        self.filter.clone_from(&other.filter);
        self.stride = other.stride;
    }

    /// How many different positions a history remembers.
    pub(super) fn count(&self, history: usize) -> usize {
        let entries = self.entries.chunks_exact(self.stride.max(1));
        entries.filter(|entry| entry[0] == number(history)).count()
    }

    pub(super) fn times(&self, info: &HistoryInfo, history: usize, words: &[i64]) -> i64 {
        let position = Position { info, history: number(history), words };
        let found = self.find(&position, position.digest());
        found.map_or(0, |at| self.entries[(at + 1) * self.stride - 1])
    }

    /// Puts into a slot how often the present values were remembered.
    pub(super) fn put_times(&self, program: &Program, mem: &mut [i64], dst: u16, history: u16) {
        let history = usize::from(history);
        mem.put(dst, self.times(&program.histories[history], history, mem));
    }

    pub(super) fn remember(&mut self, info: &HistoryInfo, history: usize, words: &[i64]) {
        let position = Position { info, history: number(history), words };
        let digest = position.digest();
        let at = self.find(&position, digest).unwrap_or_else(|| {
            let end = self.entries.len() + self.stride;
            self.entries.push(position.history);
            position.parts().for_each(|part| self.entries.extend_from_slice(part));
            self.entries.resize(end, 0);
            self.digests.push(digest);
            let (word, bit) = place_of(digest);
            self.filter[word] |= bit;
            self.digests.len() - 1
        });
        self.entries[(at + 1) * self.stride - 1] += 1;
    }

    pub(super) fn forget(&mut self, history: usize) {
        let mut end = 0;
        for begin in (0..self.entries.len()).step_by(self.stride.max(1)) {
            if self.entries[begin] != number(history) {
                self.entries.copy_within(begin..begin + self.stride, end);
                end += self.stride;
            }
        }
        self.entries.truncate(end);
        self.digest_anew();
    }

    /// The number of the entry of a position.
    #[inline]
    fn find(&self, position: &Position, digest: u64) -> Option<usize> {
        let (word, bit) = place_of(digest);
        if self.filter[word] & bit == 0 { None } else { self.search(position, digest) }
    }

    #[inline(never)]
    fn search(&self, position: &Position, digest: u64) -> Option<usize> {
        let alike = self.digests.iter().enumerate().filter(|(_, other)| **other == digest);
        let is_it = |at: &usize| position.is_in(&self.entries[at * self.stride..][..self.stride]);
        alike.map(|(at, _)| at).find(is_it)
    }
}

/// What a history compares: the values that it is of, as they are now.
struct Position<'a> {
    info: &'a HistoryInfo,
    history: i64,
    words: &'a [i64],
}

impl<'a> Position<'a> {
    fn parts(&self) -> impl Iterator<Item = &'a [i64]> {
        self.info.parts_of(self.words)
    }

    fn digest(&self) -> u64 {
        digest(std::iter::once(&[self.history][..]).chain(self.parts()))
    }

    fn is_in(&self, entry: &[i64]) -> bool {
        let mut rest = &entry[1..];
        entry[0] == self.history
            && self.parts().all(|part| {
                let (own, after) = rest.split_at(part.len());
                rest = after;
                own == part
            })
    }
}

/// A sum of the words, each multiplied by another odd number, so zeros at the end change nothing; then mixed
/// (multiplicative hashing: Knuth, "The Art of Computer Programming", volume 3, section 6.4).
#[inline]
fn digest<'a>(parts: impl Iterator<Item = &'a [i64]>) -> u64 {
    let (mut sum, mut odd) = (0_u64, GOLDEN);
    parts.for_each(|part| {
        for word in part {
            sum = sum.wrapping_add(word.cast_unsigned().wrapping_mul(odd));
            odd = odd.wrapping_add(GOLDEN.wrapping_mul(2));
        }
    });
    (sum ^ sum >> 32).wrapping_mul(GOLDEN)
}

/// The word and the bit of the filter for a digest.
fn place_of(digest: u64) -> (usize, u64) {
    let upper = usize::try_from(digest >> (u64::BITS - FILTERED)).expect("few bits");
    (upper / 64, 1 << (upper % 64))
}

fn number(history: usize) -> i64 {
    i64::try_from(history).expect("a program has few histories")
}

/// The past as it was before each supposition that changed it: the words, their number, and how
/// many suppositions there were around it.
#[derive(Clone, Debug, Default)]
pub(super) struct PastAside(Vec<i64>);

impl PastAside {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Keeps the past before its first change in the supposition of this depth.
    pub(super) fn keep(&mut self, past: &Past, depth: usize) {
        if self.depth() != Some(depth) {
            self.0.extend_from_slice(past.words());
            self.0.extend([number(past.words().len()), number(depth)]);
        }
    }

    /// Takes the past back that was kept in the supposition of this depth.
    pub(super) fn restore(&mut self, past: &mut Past, depth: usize) {
        if self.depth() == Some(depth) {
            let end = self.0.len() - 2;
            let kept = usize::try_from(self.0[end]).expect("it is a number of words");
            past.set_words(self.0[end - kept..end].iter().copied());
            self.0.truncate(end - kept);
        }
    }

    fn depth(&self) -> Option<usize> {
        self.0.last().map(|depth| usize::try_from(*depth).expect("it is a number of suppositions"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Past, PastAside};
    use crate::bytecode::HistoryInfo;

    fn history(parts: &[(u16, u16)]) -> HistoryInfo {
        HistoryInfo { name: String::new(), parts: parts.to_vec() }
    }

    #[test]
    fn what_is_remembered_is_counted_whatever_the_order() {
        let (narrow, wide) = (history(&[(1, 1)]), history(&[(2, 1), (0, 2)]));
        let mut past = Past::of_width(Some(3));
        let mut other = past.clone();
        for (words, again) in [([1, 2, 3], [7, 0, i64::MIN]), ([7, 0, i64::MIN], [1, 2, 3])] {
            let past = if words[0] == 1 { &mut past } else { &mut other };
            past.remember(&narrow, 0, &words);
            past.remember(&wide, 1, &words);
            past.remember(&wide, 1, &again);
            past.remember(&wide, 1, &again);
            past.remember(&wide, 1, &words);
            past.remember(&narrow, 0, &again);
        }
        assert_eq!(past, other);
        assert_eq!((past.count(0), past.count(1)), (2, 2));
        assert_eq!(past.times(&wide, 1, &[1, 2, 3]), 2);
        assert_eq!(past.times(&narrow, 0, &[9, 2, 9]), 1);
        assert_eq!(past.times(&wide, 1, &[1, 2, 4]), 0);
        past.forget(0);
        assert_eq!((past.count(0), past.count(1)), (0, 2));
    }

    #[test]
    fn what_is_only_supposed_is_taken_back() {
        let of = history(&[(0, 1)]);
        let (mut past, mut aside) = (Past::of_width(Some(1)), PastAside::default());
        past.remember(&of, 0, &[4]);
        let before = past.clone();
        aside.keep(&past, 1);
        past.remember(&of, 0, &[5]);
        let inside = past.clone();
        aside.keep(&past, 2);
        past.forget(0);
        aside.keep(&past, 2);
        past.remember(&of, 0, &[6]);
        aside.restore(&mut past, 2);
        assert_eq!(past, inside);
        aside.restore(&mut past, 2);
        aside.keep(&past, 1);
        aside.restore(&mut past, 1);
        assert_eq!((past, aside.len()), (before, 0));
    }
}
