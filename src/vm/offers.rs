//! The buffer of legal moves, filled at each decision, outside the state.

use crate::bytecode::engine::{ALONE, ANYWAY, DECLINES, TEST_ENDS, TEST_FAILS, UNTESTED, WIDTH};
use crate::bytecode::{Binds, MoveProposal, OptionInfo, Program, sets};
use crate::chance::Chance;
use crate::vm::aside::Aside;
use crate::vm::factors::{bind_factors, combinations, factor_size, single_factor};
use crate::vm::memory::WordMemory;

/// So many random numbers are drawn before everything is tested.
pub(super) const TRIES: usize = 16;

/// The legal choices of one decision; an entry stands for all combinations of members of factors.
#[derive(Debug, Default)]
pub struct Offers {
    entries: Vec<OfferEntry>,
    /// For each entry the words of the bindings that are no factors, then those of the factors.
    words: Vec<i64>,
    pub(super) decline: Option<u16>,
    when: MayDecline,
    legal: usize,
    /// How many are not tested yet, and how many did not pass their test.
    untested: usize,
    refused: usize,
    /// Whether the test of a move has begun, and the move is not offered yet.
    pub(super) pending: bool,
    pub(super) player: u8,
    pub(super) aside: Aside,
    /// Where machine code leaves its offers, what it puts aside, and the streams that it draws from.
    pub(super) left: Option<Box<[Vec<i64>; 3]>>,
}

/// When declining is legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MayDecline {
    /// If something else is; else it happens by itself.
    #[default]
    Beside,
    Anyway,
    /// If nothing else is.
    Alone,
}

/// What machine code left is not copied: it is only room.
impl Clone for Offers {
    fn clone(&self) -> Offers {
        let mut offers = Offers::default();
        offers.clone_from(self);
        offers
    }

    fn clone_from(&mut self, source: &Offers) {
        self.entries.clone_from(&source.entries);
        self.words.clone_from(&source.words);
        (self.decline, self.when) = (source.decline, source.when);
        (self.legal, self.untested, self.refused) = (source.legal, source.untested, source.refused);
        (self.pending, self.player) = (source.pending, source.player);
        self.aside.clone_from(&source.aside);
    }
}

#[derive(Clone, Copy, Debug)]
struct OfferEntry {
    /// The option; of choices that are not tested yet, the proposal.
    of: u16,
    standing: OfferStatus,
    /// The first of the combinations that are meant, and how many are.
    first: usize,
    count: usize,
    start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OfferStatus {
    Legal,
    Untested,
    Refused,
}

/// The legal moves of one entry.
pub(crate) struct OfferedMoves<'a> {
    pub(crate) option: u16,
    /// The number of the first of them among all, and how many there are.
    pub(crate) index: usize,
    pub(crate) count: usize,
    /// They begin with those of the bindings that are no factors; then come the sets of the factors.
    pub(crate) words: &'a [i64],
}

/// What a random number points at.
pub(super) enum DrawnOffer {
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

impl Untested {
    pub(super) const NONE: Untested = Untested(0, 0);
}

impl Offers {
    pub(crate) fn new() -> Offers {
        Offers::default()
    }

    /// Exchanges where machine code leaves its offers.
    pub(crate) fn swap_room(&mut self, other: &mut Offers) {
        std::mem::swap(&mut self.left, &mut other.left);
    }

    pub(crate) fn player(&self) -> u8 {
        self.player
    }

    /// The number of choices, declining included.
    pub(crate) fn count(&self) -> usize {
        self.legal.saturating_add(usize::from(self.declines().is_some()))
    }

    /// How many choices there are without declining.
    pub(crate) fn legal(&self) -> usize {
        self.legal
    }

    /// Whether declining is legal even if nothing else is.
    pub(super) fn declines_anyway(&self) -> bool {
        self.decline.is_some() && self.when == MayDecline::Anyway
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
            match self.drawn(chance.random_index(self.candidates())) {
                DrawnOffer::Legal(index) => return index,
                DrawnOffer::Decline => return self.legal,
                DrawnOffer::Untested(_) | DrawnOffer::Refused => {}
            }
        }
        chance.random_index(self.count())
    }

    /// How many choices are legal, or may be, or were tested.
    pub(super) fn candidates(&self) -> usize {
        let declines = self.decline.is_some() && self.when != MayDecline::Alone;
        let known = self.legal.saturating_add(usize::from(declines));
        known.saturating_add(self.untested + self.refused)
    }

    pub(super) fn drawn(&self, number: usize) -> DrawnOffer {
        let (mut left, mut legal) = (number, 0);
        for (at, entry) in self.entries.iter().enumerate() {
            if left < entry.count {
                return match entry.standing {
                    OfferStatus::Legal => DrawnOffer::Legal(legal + left),
                    OfferStatus::Untested => DrawnOffer::Untested(Untested(at, left)),
                    OfferStatus::Refused => DrawnOffer::Refused,
                };
            }
            left -= entry.count;
            legal += if entry.standing == OfferStatus::Legal { entry.count } else { 0 };
        }
        DrawnOffer::Decline
    }

    /// The first choice that is not tested yet.
    pub(super) fn untested(&self) -> Option<Untested> {
        let at = self.entries.iter().position(|entry| entry.standing == OfferStatus::Untested);
        at.map(|at| Untested(at, 0))
    }

    /// True if there are at most so many entries and words.
    #[inline]
    pub(super) fn fits(&self, entries: usize, words: usize) -> bool {
        self.entries.len() <= entries && self.words.len() <= words
    }

    /// The option of declining, if that is a choice.
    pub(crate) fn declines(&self) -> Option<u16> {
        self.decline.filter(|_| match self.when {
            MayDecline::Beside => self.legal > 0,
            MayDecline::Anyway => true,
            MayDecline::Alone => self.legal == 0,
        })
    }

    pub(super) fn supposes(&self) -> bool {
        !self.aside.is_empty()
    }

    /// The options that are offered, in order and without repetition, declining last.
    pub(crate) fn options(&self) -> impl Iterator<Item = u16> {
        let entries = self.legal_entries().map(|entry| entry.of);
        let mut last = None;
        entries.chain(self.declines()).filter(move |option| last.replace(*option) != Some(*option))
    }

    /// What is legal, entry by entry, declining aside.
    #[inline]
    pub(crate) fn entries(&self) -> impl Iterator<Item = OfferedMoves<'_>> {
        let mut first = 0;
        self.legal_entries().map(move |entry| {
            let (index, words) = (first, &self.words[entry.start..]);
            first += entry.count;
            OfferedMoves { option: entry.of, index, count: entry.count, words }
        })
    }

    fn legal_entries(&self) -> impl Iterator<Item = &OfferEntry> {
        self.entries.iter().filter(|entry| entry.standing == OfferStatus::Legal)
    }

    /// The option of a choice.
    ///
    /// # Panics
    /// If `index` is not below [`Offers::count`].
    pub(crate) fn option(&self, index: usize) -> u16 {
        self.entry_at(index).map_or_else(|| self.declined(), |(entry, _)| entry.of)
    }

    /// The entry of a choice, and which of its choices it is; none of declining.
    #[inline]
    fn entry_at(&self, index: usize) -> Option<(OfferEntry, usize)> {
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

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.words.clear();
        self.decline = None;
        self.when = MayDecline::Beside;
        self.legal = 0;
        (self.untested, self.refused) = (0, 0);
    }

    pub(super) fn decline(&mut self, option: u16, when: MayDecline) {
        (self.decline, self.when) = (Some(option), when);
    }

    /// Adds an option with what the slots of its bindings and factors hold.
    #[inline]
    pub(super) fn push(&mut self, option: u16, info: &OptionInfo, mem: &[i64]) {
        self.pending = false;
        // Most offers are one choice without words, or one set of one word.
        let (start, count) = (
            self.words.len(),
            match single_factor(&info.binds) {
                Some(factor) => {
                    let set = mem.bits(factor.set, 1);
                    let count = factor_size(factor, set);
                    if count == 0 {
                        return;
                    }
                    self.words.push(set[0]);
                    count
                }
                None if info.binds.factors.is_empty() => {
                    for (slot, width) in &info.binds.slots {
                        self.push_words(mem.bits(*slot, *width));
                    }
                    1
                }
                None => return self.push_entry((option, OfferStatus::Legal), &info.binds, mem),
            },
        );
        self.push_list((option, OfferStatus::Legal), count, start);
    }

    /// Adds choices that are not tested yet, with what the slots of the proposal hold.
    pub(super) fn propose(&mut self, number: u16, proposal: &MoveProposal, mem: &[i64]) {
        self.push_entry((number, OfferStatus::Untested), &proposal.binds, mem);
    }

    #[inline]
    fn push_entry(&mut self, of: (u16, OfferStatus), binds: &Binds, mem: &[i64]) {
        let (start, mut count) = (self.words.len(), 1_usize);
        for (slot, width) in binds.split().0 {
            self.push_words(mem.bits(*slot, *width));
        }
        for factor in &binds.factors {
            let set = mem.bits(factor.set, factor.width);
            self.push_words(set);
            count = count.saturating_mul(factor_size(*factor, set));
        }
        if count == 0 {
            return self.words.truncate(start);
        }
        self.push_list(of, count, start);
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
        let (standing, start) = (OfferStatus::Refused, self.words.len());
        match self.entries.last_mut().filter(|entry| entry.standing == standing) {
            Some(entry) => entry.count += 1,
            None => self.entries.push(OfferEntry { of: 0, standing, first: 0, count: 1, start }),
        }
    }

    /// The proposal of an untested choice; `write` is called with each slot that it binds and its word.
    pub(super) fn bind_untested<'p>(
        &self,
        program: &'p Program,
        Untested(at, nth): Untested,
        write: impl FnMut(u16, i64),
    ) -> &'p MoveProposal {
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
        let behind = whole.count - nth - 1;
        let rest = OfferEntry { first: whole.first + nth + 1, count: behind, ..whole };
        let is_offered = self.entries.len() > length;
        self.refused += usize::from(!is_offered);
        // One entry for all that are refused in turn: it is passed over at each search.
        if let Some(before) = at.checked_sub(1).filter(|_| nth == 0 && !is_offered)
            && self.entries[before].standing == OfferStatus::Refused
        {
            self.entries[before].count += 1;
            if behind > 0 {
                self.entries[at] = rest;
            } else {
                self.entries.remove(at);
            }
            return;
        }
        self.entries[at] = if is_offered {
            self.entries.pop().expect("it was offered")
        } else {
            OfferEntry { standing: OfferStatus::Refused, count: 1, ..whole }
        };
        if behind > 0 {
            self.entries.insert(at + 1, rest);
        }
        if nth > 0 {
            self.entries.insert(at, OfferEntry { count: nth, ..whole });
        }
    }

    /// Adds an entry of so many choices, whose words begin at `start`.
    #[inline]
    fn push_list(&mut self, (of, standing): (u16, OfferStatus), count: usize, start: usize) {
        self.entries.push(OfferEntry { of, standing, first: 0, count, start });
        let counted =
            if standing == OfferStatus::Legal { &mut self.legal } else { &mut self.untested };
        *counted = counted.saturating_add(count);
    }

    /// Adds what machine code offers.
    pub(super) fn take_over(&mut self, program: &Program, made: &[i64]) {
        for (word, words) in NativeOffers(made) {
            let of = lower_bits(word);
            if word & TEST_FAILS != 0 {
                self.refuse();
            } else if word & ALONE != 0 {
                let when = match word & ALONE {
                    DECLINES => MayDecline::Beside,
                    ANYWAY => MayDecline::Anyway,
                    _ => MayDecline::Alone,
                };
                self.decline(of, when);
            } else if word & TEST_ENDS == 0 {
                let is_legal = word & UNTESTED == 0;
                let (standing, binds) = if is_legal {
                    (OfferStatus::Legal, &program.options[usize::from(of)].binds)
                } else {
                    (OfferStatus::Untested, &program.proposals[usize::from(of)].binds)
                };
                let start = self.words.len();
                self.push_words(words);
                match combinations(binds, &self.words[start..]) {
                    0 => self.words.truncate(start),
                    count => self.push_list((of, standing), count, start),
                }
            }
        }
    }

    pub(super) fn is_clear(&self) -> bool {
        self.entries.is_empty() && self.decline.is_none()
    }

    #[inline]
    fn push_words(&mut self, words: &[i64]) {
        match words {
            // Most are one word: nothing is called for it.
            [word] => self.words.push(*word),
            words => self.words.extend_from_slice(words),
        }
    }

    /// Calls `see` with each option that is offered; and for each of its slots that take one word with each
    /// word, but none, that some choice puts there.
    ///
    /// # Panics
    /// If a set has 2^63 members or more.
    pub(crate) fn each_value(
        &self,
        program: &Program,
        mut see: impl FnMut(u16, Option<(u16, i64)>),
    ) {
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
    pub(crate) fn bind(&self, program: &Program, index: usize, write: impl FnMut(u16, i64)) -> u16 {
        let Some((entry, nth)) = self.entry_at(index) else { return self.declined() };
        let binds = &program.options[usize::from(entry.of)].binds;
        if !binds.slots.is_empty() {
            self.bind_entry(binds, (entry, nth), write);
        }
        entry.of
    }

    #[inline]
    fn bind_entry(
        &self,
        binds: &Binds,
        (entry, nth): (OfferEntry, usize),
        write: impl FnMut(u16, i64),
    ) {
        bind_factors(binds, &self.words[entry.start..], entry.first + nth, write);
    }
}

/// What machine code offers, option by option: the word of an option, as [`WIDTH`] tells it, and what it
/// binds.
struct NativeOffers<'a>(&'a [i64]);

impl<'a> Iterator for NativeOffers<'a> {
    type Item = (i64, &'a [i64]);

    #[inline]
    fn next(&mut self) -> Option<(i64, &'a [i64])> {
        let (word, behind) = self.0.split_first()?;
        let (words, rest) = behind.split_at(lower_bits(*word >> WIDTH).into());
        self.0 = rest;
        Some((*word, words))
    }
}

/// The lower 16 bits.
#[inline]
fn lower_bits(word: i64) -> u16 {
    u16::try_from(word & 0xffff).expect("16 bits")
}
