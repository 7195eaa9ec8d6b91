//! Piles of cards: moving cards from one to another, shuffling, and drawing.

use crate::bytecode::sets::{self, bit, set_bit};
use crate::bytecode::{CardsInfo, PileInfo};
use crate::vm::order::{CardSet, MOST_WORDS, OpenOrder, Order};

/// The piles of one kind of cards in a state.
pub(super) struct Piles<'a> {
    pub(super) info: &'a CardsInfo,
    pub(super) words: &'a mut [i64],
    pub(super) players: usize,
    /// The first slot of what each player knows, where that is kept.
    pub(super) known: Option<u16>,
}

impl<'a> Piles<'a> {
    pub(super) fn width(&self) -> usize {
        self.info.width.into()
    }

    pub(super) fn pile(&self, pile: usize) -> &'a PileInfo {
        &self.info.piles[pile]
    }

    pub(super) fn set(&self, pile: usize) -> &[i64] {
        let at = self.info.set_of(pile);
        &self.words[at..at + self.width()]
    }

    pub(super) fn set_mut(&mut self, pile: usize) -> &mut [i64] {
        let (at, width) = (self.info.set_of(pile), self.width());
        &mut self.words[at..at + width]
    }

    pub(super) fn all(&self, pile: usize) -> CardSet {
        self.here(pile, &[-1; MOST_WORDS])
    }

    /// The order of a pile that keeps one: hands and most other piles do not, and nothing is called for them.
    #[inline]
    pub(super) fn order(&self, pile: usize) -> Option<Order<'_>> {
        let slot = usize::from(self.pile(pile).order?);
        let words = &self.words[slot..slot + self.info.order_words()];
        Some(Order::of_pile(self.set(pile), words.split_at(self.info.lane_words())))
    }

    /// Changes the order of a pile that keeps one; the pile still has the cards that are in it.
    pub(super) fn change_order(&mut self, pile: usize, change: impl FnOnce(&mut OpenOrder)) {
        let Some(slot) = self.pile(pile).order.map(usize::from) else { return };
        let set = self.all(pile);
        let words = &mut self.words[slot..slot + self.info.order_words()];
        let mut order = OpenOrder::open(&set, words.split_at_mut(self.info.lane_words()));
        change(&mut order);
        order.close();
    }

    /// Whether a pile keeps an order, and its cards are not all one group.
    #[inline]
    fn has_known_order(&self, pile: usize) -> bool {
        self.pile(pile).order.is_some_and(|slot| self.words[usize::from(slot)] != 0)
    }

    /// Before cards leave a pile: takes them out of its order.
    fn leave_order(&mut self, pile: usize, cards: &CardSet) {
        if self.has_known_order(pile) {
            self.change_order(pile, |order| order.take_out(cards));
        }
    }

    /// Before cards come into a pile: puts them on one end of its order, in no known order.
    fn enter_order(&mut self, pile: usize, cards: &CardSet, bottom: bool) {
        if !sets::is_empty(self.set(pile)) {
            self.change_order(pile, |order| order.put_group(cards, bottom));
        }
    }

    /// Takes one card out of wherever it lies and puts it on one end of a pile, where nobody asks who
    /// knows it.
    pub(super) fn carry(&mut self, card: usize, to: usize, bottom: bool) {
        if let Some(from) = self.home(card) {
            if self.has_known_order(from) {
                self.change_order(from, |order| order.take_out_one(card));
            }
            set_bit(self.set_mut(from), card, false);
        }
        self.put_card(card, to, bottom);
    }

    /// Puts one card that lies nowhere on one end of a pile.
    #[inline]
    pub(super) fn put_card(&mut self, card: usize, to: usize, bottom: bool) {
        if self.pile(to).order.is_some() {
            self.put_in_order(card, to, bottom);
        }
        set_bit(self.set_mut(to), card, true);
    }

    /// A deal stays short: most piles have no order.
    #[inline(never)]
    fn put_in_order(&mut self, card: usize, to: usize, bottom: bool) {
        // One card alone is in no order.
        if !sets::is_empty(self.set(to)) {
            self.change_order(to, |order| order.push_card(card, bottom));
        }
    }

    /// Takes the top card of a pile; `draw` decides which one it is, if it is not known. None if there is none,
    /// or if `draw` does not answer.
    pub(super) fn draw_top(
        &mut self,
        pile: usize,
        draw: &mut impl FnMut(u32) -> Option<u32>,
    ) -> Option<usize> {
        if !self.has_known_order(pile) {
            return self.draw_shuffled(pile, draw);
        }
        let order = self.order(pile)?;
        let (low, high) = order.group(0, false)?;
        let mut at = low;
        if low < high {
            let outcomes = u32::try_from(high - low + 1).expect("a pile has few cards");
            let drawn = usize::try_from(draw(outcomes)?).expect("it is below the number of cards");
            at = order.first_alike((low, low + drawn), &self.info.faces);
        }
        let card = order.card(at);
        self.change_order(pile, |order| order.take_out_at(at));
        set_bit(self.set_mut(pile), card, false);
        Some(card)
    }

    /// Takes one of the cards of a pile of which nobody knows the order.
    fn draw_shuffled(
        &mut self,
        pile: usize,
        draw: &mut impl FnMut(u32) -> Option<u32>,
    ) -> Option<usize> {
        let (faces, set) = (&self.info.faces, self.set(pile));
        let outcomes = u32::try_from(sets::count(set)).expect("a pile has few cards");
        let drawn = if outcomes > 1 { draw(outcomes)? } else { 0 };
        let nth = sets::nth(set, usize::try_from(drawn).ok()?)?;
        let mut card = usize::try_from(nth).expect("it is a card");
        // As among the cards of an order. Cards with the same face follow each other in their kind.
        let mut alike = card;
        while alike > 0 && faces[alike - 1] == faces[card] {
            alike -= 1;
            card = if bit(set, alike) { alike } else { card };
        }
        set_bit(self.set_mut(pile), card, false);
        Some(card)
    }

    /// Takes cards out of wherever they lie and puts them on one end of a pile.
    pub(super) fn gather(&mut self, cards: &CardSet, to: usize, bottom: bool, announced: bool) {
        let mut could = [0; MOST_WORDS];
        for pile in 0..self.info.piles.len() {
            if !sets::meets(self.set(pile), cards) {
                continue;
            }
            if self.known.is_some() {
                let leaving = self.here(pile, cards);
                self.spread(pile, &leaving, &mut could);
                self.follow(pile, to, &leaving, announced);
            }
            self.leave_order(pile, cards);
            sets::subtract(self.set_mut(pile), cards);
        }
        self.enter_order(to, cards, bottom);
        sets::unite(self.set_mut(to), cards);
        self.enter(to, cards);
        self.reckon(to, cards, &could);
    }

    /// Puts all of one pile on one end of another, in its order.
    pub(super) fn stack(&mut self, from: usize, to: usize, bottom: bool) {
        if from == to {
            return;
        }
        let (source, target) = (self.pile(from).order, self.pile(to).order);
        if source.or(target).is_none() && self.known.is_none() {
            return self.pour(from, to);
        }
        let cards = self.all(from);
        let (Some(source), Some(target)) = (source, target) else {
            return self.gather(&cards, to, bottom, true);
        };
        let mut could = [0; MOST_WORDS];
        self.spread(from, &cards, &mut could);
        if self.has_known_order(from) {
            let (lanes, all) = (self.info.lane_words(), self.info.order_words());
            let there = self.all(to);
            let [source, target] = [source, target].map(usize::from).map(|at| at..at + all);
            let both = self.words.get_disjoint_mut([source, target]);
            let [source, target] = both.expect("two piles have two orders");
            let mut above = OpenOrder::open(&there, target.split_at_mut(lanes));
            above.put_order(&Order::of_pile(&cards, source.split_at(lanes)), bottom);
            above.close();
            source.fill(0);
        } else {
            self.enter_order(to, &cards, bottom);
        }
        self.set_mut(from).fill(0);
        sets::unite(self.set_mut(to), &cards);
        self.enter(to, &cards);
        self.reckon(to, &cards, &could);
    }

    /// Puts all of one pile into another, where neither has an order.
    fn pour(&mut self, from: usize, to: usize) {
        let (from, to) = (self.info.set_of(from), self.info.set_of(to));
        for at in 0..self.width() {
            self.words[to + at] |= std::mem::take(&mut self.words[from + at]);
        }
    }

    pub(super) fn shuffle(&mut self, pile: usize) {
        let cards = self.all(pile);
        if let Some(slot) = self.pile(pile).order.map(usize::from) {
            self.words[slot..slot + self.info.order_words()].fill(0);
        }
        self.forget(&cards);
        self.enter(pile, &cards);
    }
}
