//! Histories: exact positions, found by their digests.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::bytecode::{HistoryInfo, Program, to_word};
use crate::chance::GOLDEN;
use crate::vm::memory::WordMemory;

/// The positions that the histories of a game remember.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// Of each position the number of its history, its words, filled up with zeros, and how often it was
    /// remembered; in the order in which they were remembered first.
    entries: Vec<i64>,
    /// The words of an entry; 0 if the game has no history.
    stride: usize,
    digests: Vec<u64>,
    /// Open addressing: the number of an entry and 1, or 0 where none is. The upper bits of its digest say where
    /// an entry is looked for first. There are twice as many places as entries, or more: a power of 2.
    table: Vec<u32>,
}

/// How many places the table has at first.
const FEWEST_PLACES: usize = 64;

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
        let places = if widest.is_some() { FEWEST_PLACES } else { 0 };
        let stride = widest.map_or(0, |words| words + 2);
        Past { entries: Vec::new(), stride, digests: Vec::new(), table: vec![0; places] }
    }

    pub(super) fn stride(&self) -> usize {
        self.stride
    }

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
        let entries = self.entries.chunks_exact(self.stride.max(1));
        let digest = |entry: &[i64]| digest(std::iter::once(&entry[..entry.len() - 1]));
        self.digests.clear();
        self.digests.extend(entries.map(digest));
        self.place_anew();
    }

    /// Makes the table, with room for one entry more.
    fn place_anew(&mut self) {
        let wanted = (2 * (self.digests.len() + 1)).next_power_of_two();
        let places = wanted.max(FEWEST_PLACES);
        self.table.clear();
        self.table.resize(places, 0);
        for (at, digest) in self.digests.iter().enumerate() {
            let mut place = first_place(*digest, places);
            while self.table[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            self.table[place] = entry_mark(at);
        }
    }

    pub(super) fn copy_from(&mut self, other: &Past) {
        self.entries.clone_from(&other.entries);
        self.digests.clone_from(&other.digests);
        self.table.clone_from(&other.table);
        self.stride = other.stride;
    }

    pub(super) fn count(&self, history: usize) -> usize {
        let entries = self.entries.chunks_exact(self.stride.max(1));
        entries.filter(|entry| entry[0] == to_word(history)).count()
    }

    pub(super) fn times(&self, info: &HistoryInfo, history: usize, words: &[i64]) -> i64 {
        let position = Position { info, history: to_word(history), words };
        match self.search(&position, position.digest()) {
            Ok(at) => self.entries[(at + 1) * self.stride - 1],
            Err(_) => 0,
        }
    }

    /// Puts into a slot how often the present values were remembered.
    pub(super) fn put_times(&self, program: &Program, mem: &mut [i64], dst: u16, history: u16) {
        let history = usize::from(history);
        mem.put(dst, self.times(&program.histories[history], history, mem));
    }

    pub(super) fn remember(
        &mut self,
        info: &HistoryInfo,
        history: usize,
        words: &[i64],
    ) -> PastChange {
        let position = Position { info, history: to_word(history), words };
        let digest = position.digest();
        let found = self.search(&position, digest);
        let change = found.map_or(PastChange::Entered, PastChange::Repeated);
        let at = found.unwrap_or_else(|place| {
            let end = self.entries.len() + self.stride;
            self.entries.push(position.history);
            position.parts().for_each(|part| self.entries.extend_from_slice(part));
            self.entries.resize(end, 0);
            let at = self.digests.len();
            self.table[place] = entry_mark(at);
            self.digests.push(digest);
            if 2 * (at + 2) > self.table.len() {
                self.place_anew();
            }
            at
        });
        self.entries[(at + 1) * self.stride - 1] += 1;
        change
    }

    /// Removes the newest entry. Earlier entries were placed without it, so its place in the table is free again.
    fn remove_newest(&mut self) {
        let digest = self.digests.pop().expect("an entry was made");
        self.entries.truncate(self.digests.len() * self.stride);
        let (places, newest) = (self.table.len(), entry_mark(self.digests.len()));
        let mut place = first_place(digest, places);
        while self.table[place] != newest {
            place = (place + 1) & (places - 1);
        }
        self.table[place] = 0;
    }

    pub(super) fn forget(&mut self, history: usize) {
        let mut end = 0;
        for begin in (0..self.entries.len()).step_by(self.stride.max(1)) {
            if self.entries[begin] != to_word(history) {
                self.entries.copy_within(begin..begin + self.stride, end);
                end += self.stride;
            }
        }
        self.entries.truncate(end);
        self.digest_anew();
    }

    /// The number of the entry of a position; or the place of the table where it would stand.
    fn search(&self, position: &Position, digest: u64) -> Result<usize, usize> {
        let places = self.table.len();
        let mut place = first_place(digest, places);
        while let Some(at) = self.table[place].checked_sub(1) {
            let at = at as usize;
            let entry = &self.entries[at * self.stride..][..self.stride];
            if self.digests[at] == digest && position.is_in(entry) {
                return Ok(at);
            }
            place = (place + 1) & (places - 1);
        }
        Err(place)
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

/// A polynomial in an odd number, with the words as coefficients, so zeros at the end change nothing; then mixed
/// (multiplicative hashing: Knuth, "The Art of Computer Programming", volume 3, section 6.4).
#[inline]
fn digest<'a>(parts: impl Iterator<Item = &'a [i64]>) -> u64 {
    let (mut sum, mut power) = (0_u64, GOLDEN);
    parts.for_each(|part| {
        for word in part {
            sum = sum.wrapping_add(word.cast_unsigned().wrapping_mul(power));
            power = power.wrapping_mul(GOLDEN);
        }
    });
    let mixed = (sum ^ sum >> 32).wrapping_mul(GOLDEN);
    (mixed ^ mixed >> 29).wrapping_mul(GOLDEN)
}

fn first_place(digest: u64, places: usize) -> usize {
    let upper = digest >> (u64::BITS - places.ilog2());
    usize::try_from(upper).expect("it is below the number of places")
}

/// The mark of an entry in the table.
fn entry_mark(at: usize) -> u32 {
    u32::try_from(at + 1).expect("a past has few positions")
}

/// What became of the past when a position was remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PastChange {
    /// The entry with this number counts one time more.
    Repeated(usize),
    /// There is one entry more, the last.
    Entered,
}

/// What suppositions changed of the past, the last change last: for each the words that undo it, the number of these
/// words, and how many suppositions there are around it.
///
/// A position that was met again has the number of its entry; a new one has no words; before histories are
/// forgotten, all words of the past are kept behind two others.
#[derive(Clone, Debug, Default)]
pub(super) struct PastAside(Vec<i64>);

impl PastAside {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Notes what was remembered in the supposition of this depth.
    pub(super) fn record_change(&mut self, change: PastChange, depth: usize) {
        match change {
            PastChange::Repeated(at) => self.0.extend([to_word(at), 1, to_word(depth)]),
            PastChange::Entered => self.0.extend([0, to_word(depth)]),
        }
    }

    /// Keeps the whole past before histories are forgotten in the supposition of this depth.
    pub(super) fn keep_past(&mut self, past: &Past, depth: usize) {
        self.0.extend([0, 0]);
        self.0.extend_from_slice(past.words());
        self.0.extend([to_word(past.words().len() + 2), to_word(depth)]);
    }

    /// Undoes what changed in the supposition of this depth, the last change first.
    pub(super) fn restore(&mut self, past: &mut Past, depth: usize) {
        while self.depth() == Some(depth) {
            let end = self.0.len() - 2;
            let start = end - usize::try_from(self.0[end]).expect("it is a number of words");
            match self.0[start..end] {
                [] => past.remove_newest(),
                [at] => {
                    let at = usize::try_from(at).expect("it is the number of an entry");
                    past.entries[(at + 1) * past.stride - 1] -= 1;
                }
                [_, _, ref words @ ..] => past.set_words(words.iter().copied()),
            }
            self.0.truncate(start);
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
    fn a_long_past_is_searched_in_a_few_steps() {
        let of = history(&[(0, 2)]);
        let mut past = Past::of_width(Some(2));
        for number in 0..20_000 {
            past.remember(&of, 0, &[number % 100, number / 100]);
        }
        let places = past.table.len();
        let steps = |digest: &u64| {
            let first = super::first_place(*digest, places);
            let mut steps = 1;
            while past.table[(first + steps) & (places - 1)] != 0 {
                steps += 1;
            }
            steps
        };
        let steps: usize = past.digests.iter().map(steps).sum();
        assert!(steps < 4 * 20_000, "{steps} steps");
        assert_eq!(past.count(0), 20_000);
        assert_eq!(past.times(&of, 0, &[99, 199]), 1);
        assert_eq!(past.times(&of, 0, &[99, 200]), 0);
    }

    #[test]
    fn what_is_only_supposed_is_taken_back() {
        let of = history(&[(0, 1)]);
        let (mut past, mut aside) = (Past::of_width(Some(1)), PastAside::default());
        past.remember(&of, 0, &[4]);
        let before = past.clone();
        aside.record_change(past.remember(&of, 0, &[5]), 1);
        let inside = past.clone();
        aside.keep_past(&past, 2);
        past.forget(0);
        aside.record_change(past.remember(&of, 0, &[6]), 2);
        aside.restore(&mut past, 2);
        assert_eq!(past, inside);
        aside.restore(&mut past, 2);
        aside.restore(&mut past, 1);
        assert_eq!((past, aside.len()), (before, 0));
    }

    /// The table grows in between, and entries of many suppositions share places.
    #[test]
    fn each_supposition_is_taken_back_alone() {
        let of = history(&[(0, 1)]);
        let (mut past, mut aside) = (Past::of_width(Some(1)), PastAside::default());
        let mut pasts = Vec::new();
        for depth in 1..40_u8 {
            pasts.push(past.clone());
            for value in 0..10 {
                aside.record_change(
                    past.remember(&of, 0, &[i64::from((7 * u16::from(depth) + value) % 150)]),
                    depth.into(),
                );
            }
        }
        for (depth, before) in (1..40_usize).zip(&pasts).rev() {
            aside.restore(&mut past, depth);
            assert_eq!(past.entries, before.entries, "{depth}");
            for value in 0..150 {
                assert_eq!(past.times(&of, 0, &[value]), before.times(&of, 0, &[value]));
            }
            let occupied = past.table.iter().filter(|mark| **mark > 0).count();
            assert_eq!(occupied, past.digests.len(), "no place is lost");
        }
        assert_eq!(aside.len(), 0);
    }
}
