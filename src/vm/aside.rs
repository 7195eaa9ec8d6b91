//! Words that are put aside while something is only supposed.

use crate::bytecode::Program;
use crate::vm::memory::WordMemory;
use crate::vm::past::{Past, PastAside, PastChange};

/// The words that suppositions may change, as they were before each, the innermost last: what each
/// changes, and the number of the supposition.
#[derive(Clone, Debug, Default)]
pub(super) struct Aside {
    pub(super) words: Vec<i64>,
    past: PastAside,
}

impl Aside {
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
    }

    /// Puts aside what a supposition may change.
    pub(super) fn put_aside(&mut self, program: &Program, of: u16, mem: &[i64]) {
        for (at, width) in &program.suppositions[usize::from(of)] {
            self.words.extend_from_slice(mem.bits(*at, *width));
        }
        self.words.push(of.into());
    }

    /// Takes back what the innermost supposition may have changed.
    pub(super) fn take_back(&mut self, program: &Program, mem: &mut [i64], past: &mut Past) {
        if self.past.len() > 0 {
            self.past.restore(past, self.depth(program));
        }
        let Some(start) = self.start(program, self.words.len()) else { return };
        let mut rest = &self.words[start..];
        for (at, width) in &program.suppositions[supposition(rest)] {
            let (words, behind) = rest.split_at((*width).into());
            mem.bits_mut(*at, *width).copy_from_slice(words);
            rest = behind;
        }
        self.words.truncate(start);
    }

    /// Notes what was remembered, if something is supposed.
    pub(super) fn note_past(&mut self, program: &Program, change: PastChange) {
        if !self.is_empty() {
            self.past.record_change(change, self.depth(program));
        }
    }

    /// Keeps the past before histories are forgotten, if something is supposed.
    pub(super) fn keep_past(&mut self, program: &Program, past: &Past) {
        if !self.is_empty() {
            self.past.keep_past(past, self.depth(program));
        }
    }

    /// How many words of the past are put aside.
    pub(super) fn past_words(&self) -> usize {
        self.past.len()
    }

    /// The start of the words of the supposition that ends before `end`.
    fn start(&self, program: &Program, end: usize) -> Option<usize> {
        let words = self.words.get(..end).filter(|words| !words.is_empty())?;
        let ranges = &program.suppositions[supposition(words)];
        Some(end - 1 - ranges.iter().map(|(_, width)| usize::from(*width)).sum::<usize>())
    }

    fn depth(&self, program: &Program) -> usize {
        let inner = std::iter::successors(Some(self.words.len()), |end| self.start(program, *end));
        inner.count() - 1
    }
}

/// The supposition whose words are the last of these.
fn supposition(words: &[i64]) -> usize {
    let last = words.last().copied().and_then(|last| usize::try_from(last).ok());
    last.expect("the number of a supposition")
}
