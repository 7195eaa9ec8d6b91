//! What histories remember: exact positions in one sorted row of words.

use std::cmp::Ordering;

use crate::bytecode::{HistoryInfo, Program};
use crate::chance::GOLDEN;
use crate::vm::memory::Words;

/// The positions that the histories of a game remember.
///
/// An entry has the number of its history, the words of the position, filled up with zeros, and how
/// often it was remembered. Entries are sorted, so that equal contents are equal words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Past {
    entries: Vec<i64>,
    /// The words of an entry; 0 if the game has no history.
    stride: usize,
    /// For each digest whether a position with it is remembered: most positions that are asked for are not,
    /// and need no search. It follows from the entries.
    digests: Vec<u64>,
}

/// How many digests there are, as a power of 2.
const DIGESTS: u32 = 10;

impl Past {
    pub(super) fn new(program: &Program) -> Past {
        let widest = program.histories.iter().map(HistoryInfo::width).max();
        Past::of_width(widest)
    }

    fn of_width(widest: Option<usize>) -> Past {
        let digests = if widest.is_some() { 1 << DIGESTS >> u64::BITS.ilog2() } else { 0 };
        let stride = widest.map_or(0, |words| words + 2);
        Past { entries: Vec::new(), stride, digests: vec![0; digests] }
    }

    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    pub(super) fn words(&self) -> &[i64] {
        &self.entries
    }

    /// Takes over words that another one gave.
    pub(super) fn set_words(&mut self, words: impl IntoIterator<Item = i64>) {
        self.entries.clear();
        self.entries.extend(words);
        self.digest_anew();
    }

    fn digest_anew(&mut self) {
        self.digests.fill(0);
        for entry in self.entries.chunks_exact(self.stride.max(1)) {
            let (word, bit) = place_of(entry[..self.stride - 1].iter().copied());
            self.digests[word] |= bit;
        }
    }

    pub(super) fn copy_from(&mut self, other: &Past) {
        self.entries.clone_from(&other.entries);
        self.digests.clone_from(&other.digests);
        self.stride = other.stride;
    }

    /// How many different positions a history remembers.
    pub(super) fn count(&self, history: usize) -> usize {
        self.range(history).len() / self.stride.max(1)
    }

    pub(super) fn times(&self, info: &HistoryInfo, history: usize, words: &[i64]) -> i64 {
        let (word, bit) = place_of(position(info, history, words));
        if self.digests[word] & bit == 0 {
            return 0;
        }
        let found = self.search(info, history, words);
        found.map_or(0, |at| self.entries[at + self.stride - 1])
    }

    /// Puts into a slot how often the present values were remembered.
    pub(super) fn put_times(&self, program: &Program, mem: &mut [i64], dst: u16, history: u16) {
        let history = usize::from(history);
        mem.put(dst, self.times(&program.histories[history], history, mem));
    }

    pub(super) fn remember(&mut self, info: &HistoryInfo, history: usize, words: &[i64]) {
        let at = match self.search(info, history, words) {
            Ok(at) => at,
            Err(at) => {
                let rest = self.entries.len() - at;
                self.entries.resize(self.entries.len() + self.stride, 0);
                self.entries.copy_within(at..at + rest, at + self.stride);
                let entry = &mut self.entries[at..at + self.stride];
                entry.fill(0);
                let position = position(info, history, words);
                entry.iter_mut().zip(position.clone()).for_each(|(to, word)| *to = word);
                let (word, bit) = place_of(position);
                self.digests[word] |= bit;
                at
            }
        };
        self.entries[at + self.stride - 1] += 1;
    }

    pub(super) fn forget(&mut self, history: usize) {
        let range = self.range(history);
        self.entries.drain(range);
        self.digest_anew();
    }

    /// The words of the entries of a history.
    fn range(&self, history: usize) -> std::ops::Range<usize> {
        let bound = |history: i64| {
            let found = self.search_by(|entry| entry[0].cmp(&history).then(Ordering::Greater));
            found.unwrap_or_else(|at| at)
        };
        bound(number(history))..bound(number(history) + 1)
    }

    /// Where the entry of a position begins, or where it would.
    fn search(&self, info: &HistoryInfo, history: usize, words: &[i64]) -> Result<usize, usize> {
        let history = number(history);
        self.search_by(|entry| {
            let mut rest = &entry[1..];
            let mut order = entry[0].cmp(&history);
            for (base, width) in &info.parts {
                let width = usize::from(*width);
                order =
                    order.then_with(|| rest[..width].cmp(&words[usize::from(*base)..][..width]));
                rest = &rest[width..];
            }
            order
        })
    }

    fn search_by(&self, order: impl Fn(&[i64]) -> Ordering) -> Result<usize, usize> {
        let stride = self.stride;
        let entry = |at: usize| order(&self.entries[at * stride..][..stride]);
        let (mut low, mut count) = (0, self.entries.len() / stride.max(1));
        // Nobody can foretell which way a comparison goes: there is no jump for it.
        while count > 1 {
            let half = count / 2;
            low = if entry(low + half) == Ordering::Greater { low } else { low + half };
            count -= half;
        }
        match if count == 0 { Ordering::Greater } else { entry(low) } {
            Ordering::Less => Err((low + 1) * stride),
            Ordering::Greater => Err(low * stride),
            Ordering::Equal => Ok(low * stride),
        }
    }
}

/// An entry without its end: the number of the history, and the words of the position.
fn position<'a>(
    info: &'a HistoryInfo,
    history: usize,
    words: &'a [i64],
) -> impl Iterator<Item = i64> + Clone + 'a {
    std::iter::once(number(history)).chain(info.position(words))
}

/// The word and the bit of a digest: a sum of the words, each multiplied by another odd number, so zeros
/// at the end change nothing; then its upper bits (multiplicative hashing: Knuth, "The Art of Computer
/// Programming", volume 3, section 6.4).
fn place_of(words: impl Iterator<Item = i64>) -> (usize, u64) {
    let odd = (1..).step_by(2).map(|odd: u64| GOLDEN.wrapping_mul(odd));
    let products = words.zip(odd).map(|(word, odd)| word.cast_unsigned().wrapping_mul(odd));
    let sum = products.fold(0, u64::wrapping_add);
    let mixed = (sum ^ sum >> 32).wrapping_mul(GOLDEN);
    let digest = usize::try_from(mixed >> (u64::BITS - DIGESTS)).expect("few bits");
    (digest / 64, 1 << (digest % 64))
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
