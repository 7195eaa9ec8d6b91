//! Which cards each player knows to lie where, and where the others could lie.

use std::ops::Range;

use crate::bytecode::sets::{self, bit, members, set_bit};
use crate::bytecode::{CardsInfo, to_word};
use crate::vm::memory::WordMemory;
use crate::vm::order::{CardSet, MOST_WORDS};
use crate::vm::piles::Piles;

impl Piles<'_> {
    pub(super) fn enter(&mut self, pile: usize, cards: &CardSet) {
        if self.known.is_none() {
            return;
        }
        let info = self.pile(pile);
        for player in (0..self.players).filter(|player| info.is_seen_by(*player)) {
            sets::unite(self.known_mut(player), cards);
        }
    }

    pub(super) fn forget(&mut self, cards: &CardSet) {
        for player in 0..self.players {
            sets::subtract(self.known_mut(player), cards);
        }
    }

    pub(super) fn learn(&mut self, player: usize, cards: &CardSet) {
        if self.known.is_none() {
            return;
        }
        // Who knows where all of them lie has nothing to learn.
        let knows = is_subset(&cards[..self.width()], self.known(player));
        for pile in 0..if knows { 0 } else { self.info.piles.len() } {
            if sets::meets(self.set(pile), cards) {
                let here = self.here(pile, cards);
                self.recognise(player, pile, &here);
            }
        }
        self.publish(cards);
    }

    /// A player sees cards of a pile. One that was known already may be the one that is seen now.
    fn recognise(&mut self, player: usize, pile: usize, cards: &CardSet) {
        let mut others = self.here(pile, self.known(player));
        sets::subtract(&mut others, cards);
        for card in members(cards) {
            if bit(self.known(player), card) {
                continue;
            }
            let face = self.info.faces.get(card);
            let same = members(&others).find(|other| self.info.faces.get(*other) == face);
            if let Some(same) = same {
                set_bit(&mut others, same, false);
                set_bit(self.known_mut(player), same, false);
            }
        }
        sets::unite(self.known_mut(player), cards);
    }

    /// Before cards leave a pile: who sees where they go learns them; without an announcement the others lose track.
    pub(super) fn follow(&mut self, from: usize, to: usize, leaving: &CardSet, announced: bool) {
        if self.known.is_none() {
            return;
        }
        let all = self.all(from);
        let (source, target) = (self.pile(from), self.pile(to));
        for player in (0..self.players).filter(|player| !source.is_seen_by(*player)) {
            if target.is_seen_by(player) {
                self.recognise(player, from, leaving);
            } else if !announced && all != *leaving {
                sets::subtract(self.known_mut(player), &all);
            }
        }
    }

    /// Players who do not see which card of `alike` was chosen no longer know where each lies; `seen` has a bit for
    /// each who sees.
    pub(super) fn lose_sight(&mut self, pile: usize, alike: &CardSet, seen: i64) {
        for player in 0..self.players {
            if seen >> player & 1 == 0 && !self.pile(pile).is_seen_by(player) {
                sets::subtract(self.known_mut(player), alike);
            }
        }
    }

    pub(super) fn here(&self, pile: usize, cards: &[i64]) -> CardSet {
        let mut here = [0; MOST_WORDS];
        let both = self.set(pile).iter().zip(cards).map(|(here, card)| here & card);
        here.iter_mut().zip(both).for_each(|(word, both)| *word = both);
        here
    }

    /// Before cards leave a pile: adds what could lie there, as far as everybody can tell.
    pub(super) fn spread(&self, from: usize, leaving: &CardSet, could: &mut CardSet) {
        if self.known.is_none() || is_subset(leaving, &self.common()) {
            return;
        }
        sets::unite(could, self.could(from).unwrap_or(leaving));
    }

    /// After a move: what could lie in the pile that cards came to, and in the others.
    pub(super) fn reckon(&mut self, to: usize, cards: &CardSet, could: &CardSet) {
        if self.known.is_none() {
            return;
        }
        if let Some(there) = self.could_mut(to) {
            sets::unite(there, could);
        }
        self.publish(cards);
        for pile in 0..self.info.piles.len() {
            if self.pile(pile).could.is_some() && sets::is_empty(self.set(pile)) {
                self.could_mut(pile).into_iter().for_each(|could| could.fill(0));
            }
        }
    }

    /// Of some cards those whose place all know can lie nowhere else.
    fn publish(&mut self, cards: &CardSet) {
        let info = self.info;
        for (at, cards) in cards.iter().take(self.width()).enumerate() {
            let public = (0..self.players).fold(*cards, |all, player| match self.known(player) {
                [] => 0,
                known => all & known[at],
            });
            if public == 0 {
                continue;
            }
            for (pile, could) in
                (0..).zip(&info.piles).filter_map(|(pile, it)| Some((pile, it.could?)))
            {
                let (could, here) =
                    (usize::from(could) + at, public & self.words[info.set_of(pile) + at]);
                self.words[could] = self.words[could] & !public | here;
            }
        }
    }

    fn common(&self) -> CardSet {
        let mut common = [0; MOST_WORDS];
        common[..self.width()].fill(-1);
        for player in 0..self.players {
            let known = self.known(player);
            common.iter_mut().zip(known).for_each(|(word, known)| *word &= known);
        }
        common
    }

    /// The slots of what a player knows; empty where all see everything.
    fn known_slots(&self, player: usize) -> Range<usize> {
        let start = self.known.map(|known| usize::from(known) + player * self.width());
        start.map_or(0..0, |start| start..start + self.width())
    }

    pub(super) fn known(&self, player: usize) -> &[i64] {
        &self.words[self.known_slots(player)]
    }

    pub(super) fn known_mut(&mut self, player: usize) -> &mut [i64] {
        let slots = self.known_slots(player);
        &mut self.words[slots]
    }

    pub(super) fn could(&self, pile: usize) -> Option<&[i64]> {
        Some(self.words.bits(self.pile(pile).could?, self.info.width))
    }

    pub(super) fn could_mut(&mut self, pile: usize) -> Option<&mut [i64]> {
        let (could, width) = (self.pile(pile).could?, self.info.width);
        Some(self.words.bits_mut(could, width))
    }

    pub(super) fn home(&self, card: usize) -> Option<usize> {
        let (base, width) = (usize::from(self.info.base), self.width());
        let sets = &self.words[base..base + self.info.piles.len() * width];
        sets.chunks_exact(width).position(|set| bit(set, card))
    }

    pub(super) fn first_alike(&self, card: i64, set: &CardSet) -> i64 {
        let Ok(number) = usize::try_from(card) else { return card };
        let Some(home) = self.home(number) else { return card };
        let face = self.info.faces[number];
        let here = self.here(home, set);
        let first = members(&here).find(|other| self.info.faces[*other] == face);
        first.map_or(card, to_word)
    }

    /// The members of a set that are the first with their face in their pile; `together` says that all lie in one. A
    /// set has at most `N` words.
    pub(super) fn distinct<const N: usize>(&self, set: u16, together: bool) -> [i64; N] {
        let (info, width) = (self.info, self.width().min(N));
        let words = self.words.bits(set, info.width);
        let all: [i64; N] = std::array::from_fn(|at| if at < width { words[at] } else { 0 });
        let mut kept = firsts(info, all);
        if !together && kept != all {
            // What lies in no pile is like no other.
            kept = all;
            for pile in 0..info.piles.len() {
                let here: [i64; N] = std::array::from_fn(|at| match self.set(pile).get(at) {
                    Some(word) => word & all[at],
                    None => 0,
                });
                let firsts = firsts(info, here);
                (0..N).for_each(|at| kept[at] &= !here[at] | firsts[at]);
            }
        }
        kept
    }
}

fn firsts<const N: usize>(info: &CardsInfo, set: [i64; N]) -> [i64; N] {
    let mut kept = [0; N];
    kept.iter_mut().zip(info.runs.firsts(set)).for_each(|(kept, word)| *kept = word);
    kept
}

fn is_subset(set: &[i64], other: &[i64]) -> bool {
    set.iter().zip(other).all(|(word, other)| word & !other == 0)
}
