//! Piles of cards: moving cards from one to another, shuffling, and drawing.

use crate::bytecode::sets::{self, bit, set_bit};
use crate::bytecode::{CardsInfo, PileInfo};
use crate::vm::order::{Cards, MOST_WORDS, Order, lane, set_lane};

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

    pub(super) fn all(&self, pile: usize) -> Cards {
        self.here(pile, &[-1; MOST_WORDS])
    }

    /// The order of a pile that keeps one: hands and most other piles do not, and nothing is called for them.
    #[inline]
    pub(super) fn ordered(&mut self, pile: usize) -> Option<Order<'_>> {
        let slot = usize::from(self.pile(pile).order?);
        let count = sets::count(self.set(pile));
        let words = &mut self.words[slot..slot + self.info.order_words()];
        let (lanes, joined) = words.split_at_mut(self.info.lane_words());
        Some(Order { lanes, joined, count })
    }

    /// Takes one card out of wherever it lies and puts it on one end of a pile, where nobody asks who
    /// knows it.
    pub(super) fn carry(&mut self, card: usize, to: usize, bottom: bool) {
        if let Some(from) = self.home(card) {
            if let Some(mut order) = self.ordered(from) {
                order.take_out_one(card);
            }
            set_bit(self.set_mut(from), card, false);
        }
        self.put(card, to, bottom);
    }

    /// Puts one card that lies nowhere on one end of a pile.
    #[inline]
    pub(super) fn put(&mut self, card: usize, to: usize, bottom: bool) {
        if self.pile(to).order.is_some() {
            self.put_in_order(card, to, bottom);
        }
        set_bit(self.set_mut(to), card, true);
    }

    /// A deal stays short: most piles have no order.
    #[inline(never)]
    fn put_in_order(&mut self, card: usize, to: usize, bottom: bool) {
        if let Some(mut order) = self.ordered(to) {
            let place = order.make_room(1, bottom);
            set_lane(order.lanes, place, card);
            set_bit(order.joined, place, false);
        }
    }

    /// Takes the top card of a pile; `draw` decides which one it is, if it is not known. None if there is none,
    /// or if `draw` does not answer.
    pub(super) fn draw_top(
        &mut self,
        pile: usize,
        draw: &mut impl FnMut(u32) -> Option<u32>,
    ) -> Option<usize> {
        let faces = &self.info.faces;
        let mut order = self.ordered(pile)?;
        let (low, high) = order.group(0, false)?;
        let mut at = low;
        if low < high {
            let outcomes = u32::try_from(high - low + 1).expect("a pile has few cards");
            let drawn = usize::try_from(draw(outcomes)?).expect("it is below the number of cards");
            at = order.first_alike((low, low + drawn), faces);
        }
        let card = order.card(at);
        order.take_out_at(at);
        set_bit(self.set_mut(pile), card, false);
        Some(card)
    }

    /// Whether all cards of a pile lie in no known order.
    pub(super) fn is_shuffled(&mut self, pile: usize) -> bool {
        self.ordered(pile).and_then(|order| order.group(0, false)).is_some_and(|(low, _)| low == 0)
    }

    /// Draws from a shuffled pile of so many cards by its set alone: [`Piles::fill_shuffled`] must follow.
    pub(super) fn draw_shuffled(
        &mut self,
        (pile, count): (usize, usize),
        draw: &mut impl FnMut(u32) -> Option<u32>,
    ) -> Option<usize> {
        let (faces, set) = (&self.info.faces, self.set(pile));
        let outcomes = u32::try_from(count).expect("a pile has few cards");
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

    /// Gives the cards of a pile no known order.
    pub(super) fn fill_shuffled(&mut self, pile: usize) {
        let cards = self.all(pile);
        if let Some(mut order) = self.ordered(pile) {
            order.fill(&cards);
        }
    }

    /// Takes cards out of wherever they lie and puts them on one end of a pile.
    pub(super) fn gather(&mut self, cards: &Cards, to: usize, bottom: bool, announced: bool) {
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
            if let Some(mut order) = self.ordered(pile) {
                order.take_out(cards);
            }
            sets::subtract(self.set_mut(pile), cards);
        }
        if let Some(mut order) = self.ordered(to) {
            order.put_group(cards, bottom);
        }
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
        let count = sets::count(&cards);
        let mut above = self.ordered(to).expect("the target keeps an order");
        let first = above.make_room(count, bottom);
        let (source, target) = (usize::from(source), usize::from(target));
        let (lanes, all) = (self.info.lane_words(), self.info.order_words());
        for at in 0..count {
            let card = lane(&self.words[source..], at);
            set_lane(&mut self.words[target..], first + at, card);
            let joined = bit(&self.words[source + lanes..], at);
            set_bit(&mut self.words[target + lanes..], first + at, joined);
        }
        self.words[source..source + all].fill(0);
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
        self.fill_shuffled(pile);
        self.forget(&cards);
        self.enter(pile, &cards);
    }
}
