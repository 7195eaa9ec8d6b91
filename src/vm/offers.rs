//! What is legal at a decision: a buffer that is filled again at each decision, outside the state.

use crate::bytecode::{Factor, NONE, OptionInfo, Program, sets};
use crate::vm::memory::Words;
use crate::vm::past::PastAside;

/// The legal choices of one decision; an entry stands for all combinations of members of factors.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    entries: Vec<Entry>,
    /// For each entry the words of the bindings that are no factors, then those of the factors.
    words: Vec<i64>,
    pub(super) decline: Option<u16>,
    anyway: bool,
    legal: usize,
    pub(super) player: u8,
    /// The words of states before something that is only supposed, the innermost last.
    pub(super) aside: Vec<i64>,
    pub(super) past_aside: PastAside,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    option: u16,
    count: usize,
    start: usize,
}

impl Offers {
    pub fn new() -> Offers {
        Offers::default()
    }

    pub fn player(&self) -> u8 {
        self.player
    }

    /// How many choices there are, declining included.
    pub fn count(&self) -> usize {
        self.legal.saturating_add(usize::from(self.declines().is_some()))
    }

    /// How many choices there are without declining.
    pub fn legal(&self) -> usize {
        self.legal
    }

    /// Whether there are not more entries and words than these.
    #[inline]
    pub(super) fn fits(&self, entries: usize, words: usize) -> bool {
        self.entries.len() <= entries && self.words.len() <= words
    }

    /// The option of declining, if something else is legal, or only who decides knows that.
    pub fn declines(&self) -> Option<u16> {
        self.decline.filter(|_| self.legal > 0 || self.anyway)
    }

    pub(super) fn supposes(&self) -> bool {
        !self.aside.is_empty()
    }

    /// The options that are offered, in order and without repetition, declining last.
    pub fn options(&self) -> impl Iterator<Item = u16> {
        let entries = self.entries.iter().map(|entry| entry.option);
        let mut last = None;
        entries.chain(self.declines()).filter(move |option| last.replace(*option) != Some(*option))
    }

    /// The option of a choice.
    ///
    /// # Panics
    /// If `index` is not below [`Offers::count`].
    pub fn option(&self, index: usize) -> u16 {
        self.find(index).map_or_else(|| self.declined(), |(entry, _)| entry.option)
    }

    /// The entry of a choice, and which of its choices it is; none of declining.
    #[inline]
    fn find(&self, index: usize) -> Option<(Entry, usize)> {
        let mut left = index;
        for entry in &self.entries {
            if left < entry.count {
                return Some((*entry, left));
            }
            left -= entry.count;
        }
        assert!(left == 0, "choice {index} is not among the {} offered", self.count());
        None
    }

    fn declined(&self) -> u16 {
        self.declines().expect("the last choice is to decline")
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.words.clear();
        self.decline = None;
        self.anyway = false;
        self.legal = 0;
    }

    pub(super) fn decline(&mut self, option: u16, anyway: bool) {
        self.decline = Some(option);
        self.anyway = anyway;
    }

    /// Adds an option with what the slots of its bindings and factors hold.
    #[inline]
    pub(super) fn push(&mut self, option: u16, info: &OptionInfo, mem: &[i64]) {
        let start = self.words.len();
        if info.bindings.is_empty() {
            self.entries.push(Entry { option, count: 1, start });
            self.legal = self.legal.saturating_add(1);
            return;
        }
        let fixed = info.bindings.len() - info.factors.len();
        for (slot, width) in &info.bindings[..fixed] {
            self.append(mem.set(*slot, *width));
        }
        let mut count = 1;
        for factor in &info.factors {
            let set = mem.set(factor.set, factor.width);
            self.append(set);
            count = usize::saturating_mul(count, size(*factor, set));
        }
        if count == 0 {
            return self.words.truncate(start);
        }
        self.entries.push(Entry { option, count, start });
        self.legal = self.legal.saturating_add(count);
    }

    #[inline]
    fn append(&mut self, words: &[i64]) {
        match words {
            // Most are one word: nothing is called for it.
            [word] => self.words.push(*word),
            words => self.words.extend_from_slice(words),
        }
    }

    /// Calls `see` with each option that is offered, and each slot that it binds to one word with
    /// each word but none that some choice has there.
    ///
    /// # Panics
    /// If a set has 2^63 members or more.
    pub fn each_value(&self, program: &Program, mut see: impl FnMut(u16, Option<(u16, i64)>)) {
        for entry in &self.entries {
            see(entry.option, None);
            let info = &program.options[usize::from(entry.option)];
            let (fixed, taken) = info.bindings.split_at(info.bindings.len() - info.factors.len());
            let mut words = &self.words[entry.start..];
            for (slot, width) in fixed {
                let (value, rest) = words.split_at((*width).into());
                if let [word] = value {
                    see(entry.option, Some((*slot, *word)));
                }
                words = rest;
            }
            for (factor, (slot, _)) in info.factors.iter().zip(taken) {
                let (set, rest) = words.split_at(factor.width.into());
                for bit in sets::members(set) {
                    let bit = i64::try_from(bit).expect("a set has less than 2^63 bits");
                    see(entry.option, Some((*slot, factor.low + bit)));
                }
                words = rest;
            }
        }
        if let Some(option) = self.declines() {
            see(option, None);
        }
    }

    /// The option of a choice; `write` is called with each slot that it binds and its word.
    ///
    /// # Panics
    /// If `index` is not below [`Offers::count`].
    #[inline]
    pub fn bind(&self, program: &Program, index: usize, mut write: impl FnMut(u16, i64)) -> u16 {
        let Some((entry, nth)) = self.find(index) else { return self.declined() };
        let info = &program.options[usize::from(entry.option)];
        let (fixed, taken) = info.bindings.split_at(info.bindings.len() - info.factors.len());
        let mut words = &self.words[entry.start..];
        for (slot, width) in fixed {
            let (value, rest) = words.split_at((*width).into());
            (*slot..).zip(value).for_each(|(slot, word)| write(slot, *word));
            words = rest;
        }
        let (mut left, mut combinations) = (nth, entry.count);
        for (factor, (slot, _)) in info.factors.iter().zip(taken) {
            let (set, rest) = words.split_at(factor.width.into());
            let (ways, mut way) = (size(*factor, set), 0);
            // Divisions are slow, and where there is one way only there is none to find.
            if ways > 1 {
                combinations /= ways;
                way = left / combinations;
                left -= way * combinations;
            }
            write(*slot, member(*factor, set, way));
            words = rest;
        }
        entry.option
    }
}

fn size(factor: Factor, set: &[i64]) -> usize {
    sets::count(set) + usize::from(factor.or_none)
}

/// One of the ways of a factor: none first, where it has that, then the members.
fn member(factor: Factor, set: &[i64], way: usize) -> i64 {
    let Some(nth) = way.checked_sub(factor.or_none.into()) else { return NONE };
    factor.low + sets::nth(set, nth).expect("the entry counted the members")
}
