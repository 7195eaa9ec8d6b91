//! Which cards the players know to lie where, and where the others could lie.
//!
//! Each player has a set of the cards that the player knows; a pile that not all see has a set of the
//! cards that could lie there, as far as everybody can tell.

use crate::bytecode::program::NONE;
use crate::vm::order::{MOST_WORDS, bit, members};
use crate::vm::piles::Piles;
use crate::vm::sets;

/// A set of cards.
type Cards = [i64; MOST_WORDS];

impl Piles<'_> {
    /// Whoever sees a pile knows what comes into it.
    pub(super) fn enter(&mut self, pile: usize, cards: &Cards) {
        let info = self.pile(pile);
        for player in (0..self.players).filter(|player| info.is_seen_by(*player)) {
            add(self.known_mut(player), cards);
        }
    }

    /// Nobody knows any more which of the cards of a pile lies where.
    pub(super) fn forget(&mut self, cards: &Cards) {
        for player in 0..self.players {
            take(self.known_mut(player), cards);
        }
    }

    /// A player knows these cards from here on.
    pub(super) fn learn(&mut self, player: usize, cards: &Cards) {
        if self.known.is_none() {
            return;
        }
        for pile in 0..self.info.piles.len() {
            let here = self.here(pile, cards);
            if here.iter().any(|word| *word != 0) {
                self.recognise(player, pile, &here);
            }
        }
        self.publish(cards);
    }

    /// A player sees cards of a pile. Cards of one face look alike: one that was known already may
    /// be the one that is seen now.
    fn recognise(&mut self, player: usize, pile: usize, cards: &Cards) {
        let mut others = self.here(pile, self.known(player));
        take(&mut others, cards);
        for card in members(cards) {
            if bit(self.known(player), card) {
                continue;
            }
            let face = self.info.faces.get(card);
            let same = members(&others).find(|other| self.info.faces.get(*other) == face);
            if let Some(same) = same {
                let same = i64::try_from(same).unwrap_or(NONE);
                sets::remove(&mut others, same);
                sets::remove(self.known_mut(player), same);
            }
        }
        add(self.known_mut(player), cards);
    }

    /// Before cards leave a pile for another one: who sees the other one sees which they are; who
    /// sees neither, and is not told, does not know any more what lies there.
    pub(super) fn follow(&mut self, (from, to): (usize, usize), leaving: &Cards, told: bool) {
        if self.known.is_none() {
            return;
        }
        let all = self.here(from, &[-1; MOST_WORDS]);
        let (source, target) = (self.pile(from), self.pile(to));
        for player in (0..self.players).filter(|player| !source.is_seen_by(*player)) {
            if target.is_seen_by(player) {
                self.recognise(player, from, leaving);
            } else if !told && all != *leaving {
                take(self.known_mut(player), &all);
            }
        }
    }

    /// Those who do not see which card of a group was decided on do not know any more which of
    /// them lies where.
    pub(super) fn lose_sight(&mut self, pile: usize, alike: &Cards, seen: i64) {
        for player in 0..self.players {
            if seen >> player & 1 == 0 && !self.pile(pile).is_seen_by(player) {
                take(self.known_mut(player), alike);
            }
        }
    }

    /// The cards of a set that lie in a pile.
    pub(super) fn here(&self, pile: usize, cards: &[i64]) -> Cards {
        let mut here = [0; MOST_WORDS];
        let both = self.set(pile).iter().zip(cards).map(|(here, card)| here & card);
        here.iter_mut().zip(both).for_each(|(word, both)| *word = both);
        here
    }

    /// Before cards leave a pile for another one: adds what could lie there, as far as everybody
    /// can tell, to `could`.
    pub(super) fn spread(&self, from: usize, leaving: &Cards, could: &mut Cards) {
        if self.known.is_none() || is_within(leaving, &self.common()) {
            return;
        }
        match self.could(from) {
            Some(there) => add(could, there),
            None => add(could, leaving),
        }
    }

    /// Behind a move: what could lie in the pile that cards came to, and in the others.
    pub(super) fn reckon(&mut self, to: usize, cards: &Cards, could: &Cards) {
        if self.known.is_none() {
            return;
        }
        if let Some(there) = self.could_mut(to) {
            add(there, could);
        }
        self.publish(cards);
        for pile in 0..self.info.piles.len() {
            let is_empty = self.set(pile).iter().all(|word| *word == 0);
            if let Some(could) = self.could_mut(pile).filter(|_| is_empty) {
                could.fill(0);
            }
        }
    }

    /// Of some cards those whose place all know can lie nowhere else.
    fn publish(&mut self, cards: &Cards) {
        if self.known.is_none() {
            return;
        }
        let mut public = self.common();
        public.iter_mut().zip(cards).for_each(|(word, card)| *word &= card);
        if public.iter().all(|word| *word == 0) {
            return;
        }
        for pile in 0..self.info.piles.len() {
            let Some(could) = self.pile(pile).could.map(usize::from) else { continue };
            let set = self.info.set_of(pile);
            for (at, public) in public.iter().take(self.width()).enumerate() {
                let here = public & self.words[set + at];
                self.words[could + at] = self.words[could + at] & !public | here;
            }
        }
    }

    /// The cards whose place all know.
    fn common(&self) -> Cards {
        let mut common = [0; MOST_WORDS];
        common[..self.width()].fill(-1);
        for player in 0..self.players {
            let known = self.known(player);
            common.iter_mut().zip(known).for_each(|(word, known)| *word &= known);
        }
        common
    }

    /// What a player knows; nothing where all see everything.
    pub(super) fn known(&self, player: usize) -> &[i64] {
        let width = self.width();
        match self.known {
            Some(known) => &self.words[usize::from(known) + player * width..][..width],
            None => &[],
        }
    }

    pub(super) fn known_mut(&mut self, player: usize) -> &mut [i64] {
        let width = self.width();
        match self.known {
            Some(known) => &mut self.words[usize::from(known) + player * width..][..width],
            None => &mut [],
        }
    }

    /// What could lie in a pile that not all see.
    pub(super) fn could(&self, pile: usize) -> Option<&[i64]> {
        let at = usize::from(self.pile(pile).could?);
        Some(&self.words[at..at + self.width()])
    }

    fn could_mut(&mut self, pile: usize) -> Option<&mut [i64]> {
        let (at, width) = (usize::from(self.pile(pile).could?), self.width());
        Some(&mut self.words[at..at + width])
    }

    /// The first card of a set that has the face of a card and lies in its pile.
    pub(super) fn first_alike(&self, card: i64, set: &Cards) -> i64 {
        let Ok(number) = usize::try_from(card) else { return card };
        let home = (0..self.info.piles.len()).find(|pile| sets::has(self.set(*pile), card));
        let Some(home) = home else { return card };
        let face = self.info.faces.get(number);
        let here = self.here(home, set);
        let first = members(&here).find(|other| self.info.faces.get(*other) == face);
        first.and_then(|first| i64::try_from(first).ok()).unwrap_or(card)
    }

    /// Whether a card of the set comes behind one of `of` that is not in it, has the same face and
    /// lies in the same pile.
    pub(super) fn alike(&self, set: &Cards, of: &Cards) -> bool {
        let (mut left_out, mut face) = ([0; MOST_WORDS], None);
        for card in members(of) {
            let here = self.info.faces.get(card);
            if here != face {
                (face, left_out) = (here, [0; MOST_WORDS]);
            }
            let number = i64::try_from(card).unwrap_or(NONE);
            if !sets::has(set, number) {
                sets::insert(&mut left_out, number);
            } else if self.meets(number, &left_out) {
                return true;
            }
        }
        false
    }

    /// Whether a card lies in one pile with one of these.
    fn meets(&self, card: i64, others: &Cards) -> bool {
        let home = (0..self.info.piles.len()).find(|pile| sets::has(self.set(*pile), card));
        home.is_some_and(|home| {
            self.set(home).iter().zip(others).any(|(pile, others)| pile & others != 0)
        })
    }

    /// Of cards with the same face that lie in one pile the first.
    pub(super) fn distinct(&self, cards: &Cards) -> Cards {
        let (mut kept, mut run) = ([0; MOST_WORDS], [0; MOST_WORDS]);
        let (mut face, width) = (None, self.width());
        for card in members(&cards[..width]) {
            let here = self.info.faces.get(card);
            let is_first = here != face;
            if is_first {
                face = here;
                run[..width].fill(0);
            }
            let number = i64::try_from(card).unwrap_or(NONE);
            if is_first || !self.meets(number, &run) {
                sets::insert(&mut kept, number);
                sets::insert(&mut run, number);
            }
        }
        kept
    }
}

fn add(set: &mut [i64], more: &[i64]) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

fn take(set: &mut [i64], out: &[i64]) {
    set.iter_mut().zip(out).for_each(|(word, out)| *word &= !out);
}

fn is_within(set: &[i64], other: &[i64]) -> bool {
    set.iter().zip(other).all(|(word, other)| word & !other == 0)
}
