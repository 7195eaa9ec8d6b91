//! What is legal at a decision: a buffer that is filled again at each decision, outside the state.

use crate::bytecode::engine::{
    ANYWAY, ASIDE, Called, DECLINES, Desk, MachineCode, OFFERED, PENDING, Registers, TEST_ENDS,
    TEST_FAILS, UNTESTED,
};
use crate::bytecode::{Binds, Factor, MOST_IN_SUBSETS, NONE, OptionInfo, Program, Proposal, sets};
use crate::chance::Chance;
use crate::vm::aside::Aside;
use crate::vm::memory::Words;

/// So many random numbers are drawn before everything is tested.
pub(super) const TRIES: usize = 16;

/// The legal choices of one decision; an entry stands for all combinations of members of factors.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    entries: Vec<Entry>,
    /// For each entry the words of the bindings that are no factors, then those of the factors.
    words: Vec<i64>,
    pub(super) decline: Option<u16>,
    anyway: bool,
    legal: usize,
    /// How many are not tested yet, and how many did not pass their test.
    untested: usize,
    refused: usize,
    /// Whether the test of a move has begun, and the move is not offered yet.
    pub(super) pending: bool,
    pub(super) player: u8,
    pub(super) aside: Aside,
    /// Where machine code leaves its offers, and what it puts aside.
    left: (Vec<i64>, Vec<i64>),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The option; of choices that are not tested yet, the proposal.
    of: u16,
    standing: Standing,
    /// The first of the combinations that are meant, and how many are.
    first: usize,
    count: usize,
    start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Legal,
    Untested,
    Refused,
}

/// What a random number points at.
pub(super) enum Drawn {
    /// The number of a legal choice.
    Legal(usize),
    /// A choice that is not tested yet.
    Untested(Untested),
    Refused,
    Decline,
}

/// Its entry, and which of the choices of the entry it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Untested(usize, usize);

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

    /// Whether declining is legal even if nothing else is.
    pub(super) fn declines_anyway(&self) -> bool {
        self.decline.is_some() && self.anyway
    }

    pub(super) fn has_untested(&self) -> bool {
        self.untested > 0
    }

    /// Picks a legal choice, each equally likely. With the same numbers it is the choice that a driver
    /// gets for which not all choices are tested.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick(&self, chance: &mut impl Chance) -> usize {
        for _ in 0..if self.refused > 0 { TRIES } else { 0 } {
            match self.drawn(chance.index(self.candidates())) {
                Drawn::Legal(index) => return index,
                Drawn::Decline => return self.legal,
                Drawn::Untested(_) | Drawn::Refused => {}
            }
        }
        chance.index(self.count())
    }

    /// How many choices are legal, or may be, or were tested.
    pub(super) fn candidates(&self) -> usize {
        let known = self.legal.saturating_add(usize::from(self.decline.is_some()));
        known.saturating_add(self.untested + self.refused)
    }

    /// What a number below [`Offers::candidates`] points at.
    pub(super) fn drawn(&self, number: usize) -> Drawn {
        let (mut left, mut legal) = (number, 0);
        for (at, entry) in self.entries.iter().enumerate() {
            if left < entry.count {
                return match entry.standing {
                    Standing::Legal => Drawn::Legal(legal + left),
                    Standing::Untested => Drawn::Untested(Untested(at, left)),
                    Standing::Refused => Drawn::Refused,
                };
            }
            left -= entry.count;
            legal += if entry.standing == Standing::Legal { entry.count } else { 0 };
        }
        Drawn::Decline
    }

    /// The first choice that is not tested yet.
    pub(super) fn untested(&self) -> Option<Untested> {
        let at = self.entries.iter().position(|entry| entry.standing == Standing::Untested);
        at.map(|at| Untested(at, 0))
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
        let entries = self.legal_entries().map(|entry| entry.of);
        let mut last = None;
        entries.chain(self.declines()).filter(move |option| last.replace(*option) != Some(*option))
    }

    fn legal_entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.standing == Standing::Legal)
    }

    /// The option of a choice.
    ///
    /// # Panics
    /// If `index` is not below [`Offers::count`].
    pub fn option(&self, index: usize) -> u16 {
        self.find(index).map_or_else(|| self.declined(), |(entry, _)| entry.of)
    }

    /// The entry of a choice, and which of its choices it is; none of declining.
    #[inline]
    fn find(&self, index: usize) -> Option<(Entry, usize)> {
        let mut left = index;
        for entry in self.legal_entries() {
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
        (self.untested, self.refused) = (0, 0);
    }

    pub(super) fn decline(&mut self, option: u16, anyway: bool) {
        self.decline = Some(option);
        self.anyway = anyway;
    }

    /// Adds an option with what the slots of its bindings and factors hold.
    #[inline]
    pub(super) fn push(&mut self, option: u16, info: &OptionInfo, mem: &[i64]) {
        self.pending = false;
        self.add((option, Standing::Legal), &info.binds, mem);
    }

    /// Adds choices that are not tested yet, with what the slots of the proposal hold.
    pub(super) fn propose(&mut self, number: u16, proposal: &Proposal, mem: &[i64]) {
        self.add((number, Standing::Untested), &proposal.binds, mem);
    }

    #[inline]
    fn add(&mut self, of: (u16, Standing), binds: &Binds, mem: &[i64]) {
        let start = self.words.len();
        for (slot, width) in binds.parts() {
            self.append(mem.set(slot, width));
        }
        self.enter(of, binds, start);
    }

    /// The end of a test: counts a move that did not pass it.
    #[inline]
    pub(super) fn end_test(&mut self) {
        if self.pending {
            self.refuse();
        }
    }

    fn refuse(&mut self) {
        self.refused += 1;
        let (standing, start) = (Standing::Refused, self.words.len());
        match self.entries.last_mut().filter(|entry| entry.standing == standing) {
            Some(entry) => entry.count += 1,
            None => self.entries.push(Entry { of: 0, standing, first: 0, count: 1, start }),
        }
    }

    /// The proposal of an untested choice; `write` is called with each slot that it binds and its word.
    pub(super) fn bind_untested<'p>(
        &self,
        program: &'p Program,
        Untested(at, nth): Untested,
        write: impl FnMut(u16, i64),
    ) -> &'p Proposal {
        let entry = self.entries[at];
        let proposal = &program.proposals[usize::from(entry.of)];
        self.bind_entry(&proposal.binds, (entry, nth), write);
        proposal
    }

    pub(super) fn length(&self) -> usize {
        self.entries.len()
    }

    /// Ends the test of a choice. If it was offered since there were `length` entries, it is legal.
    pub(super) fn end_test_of(&mut self, Untested(at, nth): Untested, length: usize) {
        self.untested -= 1;
        let whole = self.entries[at];
        let tested = if self.entries.len() > length {
            self.entries.pop().expect("it was offered")
        } else {
            self.refused += 1;
            Entry { standing: Standing::Refused, count: 1, ..whole }
        };
        self.entries[at] = tested;
        let behind = whole.count - nth - 1;
        if behind > 0 {
            let rest = Entry { first: whole.first + nth + 1, count: behind, ..whole };
            self.entries.insert(at + 1, rest);
        }
        if nth > 0 {
            self.entries.insert(at, Entry { count: nth, ..whole });
        }
    }

    /// Makes an entry of the words from `start` on, if they are a choice.
    #[inline]
    fn enter(&mut self, (of, standing): (u16, Standing), binds: &Binds, start: usize) {
        let count = if binds.factors.is_empty() { 1 } else { self.combinations(binds) };
        if count == 0 {
            return self.words.truncate(start);
        }
        self.entries.push(Entry { of, standing, first: 0, count, start });
        let counted =
            if standing == Standing::Legal { &mut self.legal } else { &mut self.untested };
        *counted = counted.saturating_add(count);
    }

    /// How many choices there are in the sets of some factors, which stand last.
    fn combinations(&self, binds: &Binds) -> usize {
        let words: usize = binds.factors.iter().map(|it| usize::from(it.width)).sum();
        let mut rest = &self.words[self.words.len() - words..];
        let mut combinations = 1_usize;
        for factor in &binds.factors {
            let (set, behind) = rest.split_at(factor.width.into());
            combinations = combinations.saturating_mul(size(*factor, set));
            rest = behind;
        }
        combinations
    }

    /// Runs machine code, and takes over what it offers and puts aside. `fits` says for each whether all
    /// that there is room for may come.
    pub(super) fn run(
        &mut self,
        program: &Program,
        (native, room): (&dyn MachineCode, (usize, usize)),
        (words, registers, marks, called): (&mut [i64], &mut Registers, &mut [bool], &mut Called),
        fits: (bool, bool),
        at: usize,
    ) -> usize {
        let (offers, aside) = &mut self.left;
        if offers.len() < room.0 || aside.len() < room.1 {
            offers.resize(room.0, 0);
            aside.resize(room.1, 0);
        }
        registers[PENDING] = self.pending.into();
        // No more fits where so much is in use.
        (registers[OFFERED], registers[ASIDE]) =
            (if fits.0 { 0 } else { i64::MAX }, if fits.1 { 0 } else { i64::MAX });
        let left = native.run(Desk { words, registers, marks, offers, aside, called }, at);
        self.pending = registers[PENDING] != 0;
        let made = |fits: bool, count: i64| usize::try_from(count).ok().filter(|_| fits);
        if let Some(count @ 1..) = made(fits.0, registers[OFFERED]) {
            self.take_over(program, count);
        }
        if let Some(count @ 1..) = made(fits.1, registers[ASIDE]) {
            self.aside.words.extend_from_slice(&self.left.1[..count]);
        }
        left
    }

    fn take_over(&mut self, program: &Program, count: usize) {
        let made = std::mem::take(&mut self.left.0);
        let mut rest = &made[..count];
        while let Some((word, behind)) = rest.split_first() {
            let option = usize::try_from(word & 0xffff).expect("16 bits");
            if word & (TEST_ENDS | TEST_FAILS) != 0 {
                if word & TEST_FAILS != 0 {
                    self.refuse();
                }
                rest = behind;
                continue;
            }
            rest = behind;
            let of = u16::try_from(option).expect("16 bits");
            if word & (DECLINES | ANYWAY) != 0 {
                self.decline(of, word & ANYWAY != 0);
                continue;
            }
            let (standing, binds) = match word & UNTESTED {
                0 => (Standing::Legal, &program.options[option].binds),
                _ => (Standing::Untested, &program.proposals[option].binds),
            };
            let start = self.words.len();
            for (_, width) in binds.parts() {
                let (words, behind) = rest.split_at(width.into());
                self.append(words);
                rest = behind;
            }
            self.enter((of, standing), binds, start);
        }
        self.left.0 = made;
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
        for entry in self.legal_entries() {
            see(entry.of, None);
            let binds = &program.options[usize::from(entry.of)].binds;
            let (fixed, taken) = binds.split();
            let mut words = &self.words[entry.start..];
            for (slot, width) in fixed {
                let (value, rest) = words.split_at((*width).into());
                if let [word] = value {
                    see(entry.of, Some((*slot, *word)));
                }
                words = rest;
            }
            for (factor, (slot, _)) in binds.factors.iter().zip(taken) {
                let (set, rest) = words.split_at(factor.width.into());
                for bit in sets::members(set).filter(|_| factor.taken.is_none()) {
                    let bit = i64::try_from(bit).expect("a set has less than 2^63 bits");
                    see(entry.of, Some((*slot, factor.low + bit)));
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
    pub fn bind(&self, program: &Program, index: usize, write: impl FnMut(u16, i64)) -> u16 {
        let Some((entry, nth)) = self.find(index) else { return self.declined() };
        self.bind_entry(&program.options[usize::from(entry.of)].binds, (entry, nth), write);
        entry.of
    }

    #[inline]
    fn bind_entry(
        &self,
        binds: &Binds,
        (entry, nth): (Entry, usize),
        mut write: impl FnMut(u16, i64),
    ) {
        let (fixed, taken) = binds.split();
        let mut words = &self.words[entry.start..];
        for (slot, width) in fixed {
            let (value, rest) = words.split_at((*width).into());
            (*slot..).zip(value).for_each(|(slot, word)| write(slot, *word));
            words = rest;
        }
        let (mut left, mut combinations) = (entry.first + nth, entry.count);
        for (at, (factor, (slot, _))) in binds.factors.iter().zip(taken).enumerate() {
            let (set, rest) = words.split_at(factor.width.into());
            // The last factor counts least. Divisions are slow, and where there is one way only there
            // is none to find.
            let mut way = left;
            if at + 1 < binds.factors.len() {
                let ways = size(*factor, set);
                combinations /= ways;
                way = if ways > 1 { left / combinations } else { 0 };
                left -= way * combinations;
            }
            write(*slot, member(*factor, set, way));
            words = rest;
        }
    }
}

#[inline]
fn size(factor: Factor, set: &[i64]) -> usize {
    match factor.taken {
        Some(taken) => ways_to_take(sets::count(set), taken.into()),
        None => sets::count(set) + usize::from(factor.or_none),
    }
}

/// In how many ways so many members can be taken: the triangle of Pascal.
const WAYS: [[usize; MOST_IN_SUBSETS + 1]; MOST_IN_SUBSETS + 1] = {
    let mut ways = [[0; MOST_IN_SUBSETS + 1]; MOST_IN_SUBSETS + 1];
    let mut members = 0;
    while members <= MOST_IN_SUBSETS {
        ways[members][0] = 1;
        let mut taken = 1;
        while taken <= members {
            ways[members][taken] = ways[members - 1][taken - 1] + ways[members - 1][taken];
            taken += 1;
        }
        members += 1;
    }
    ways
};

/// In how many ways so many members of a set can be taken. `CheckSubsets` has seen that it has few.
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

/// One of the ways of a factor: none first, where it has that, then the members.
fn member(factor: Factor, set: &[i64], way: usize) -> i64 {
    if let (Some(taken), [set]) = (factor.taken, set) {
        return nth_subset(*set, taken.into(), way);
    }
    let Some(nth) = way.checked_sub(factor.or_none.into()) else { return NONE };
    factor.low + sets::nth(set, nth).expect("the entry counted the members")
}
