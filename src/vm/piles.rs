//! Cards: moving them from pile to pile, shuffling, and who knows where they are.

use crate::bytecode::cards::{CardsInfo, PileInfo};
use crate::bytecode::program::NONE;
use crate::bytecode::sets::{self, bit, set_bit};
use crate::vm::memory::Words;
use crate::vm::order::{MOST_WORDS, Order, lane, set_lane};
use crate::vm::step::Machine;
use crate::vm::trap::Trap;

/// A set of cards.
pub(super) type Cards = [i64; MOST_WORDS];

impl<'a> Machine<'a> {
    /// The piles of a kind of cards, and whether the bottom is meant.
    pub(super) fn piles<'m>(&self, mem: &'m mut [i64], cards: u16) -> (Piles<'m>, bool)
    where
        'a: 'm,
    {
        let info = &self.program.cards[usize::from(cards / 2)];
        let players = self.program.players;
        let known = info.known.filter(|_| self.observed);
        (Piles { info, words: mem, players, known }, cards % 2 == 1)
    }

    pub(super) fn choices(&mut self, mem: &mut [i64], pile: u16, depth: u16, cards: u16) -> i64 {
        let (pile, depth) = (number(mem, pile), amount(mem, depth));
        let (mut piles, bottom) = self.piles(mem, cards);
        let group = piles.ordered(pile).and_then(|order| order.group(depth, bottom));
        group.map_or(0, |(low, high)| word(high - low + 1))
    }

    pub(super) fn candidate(
        &mut self,
        mem: &mut [i64],
        [pile, depth, index]: [u16; 3],
        cards: u16,
    ) -> i64 {
        let (pile, depth, index) = (number(mem, pile), amount(mem, depth), number(mem, index));
        let (mut piles, bottom) = self.piles(mem, cards);
        let faces = &piles.info.faces;
        let card = piles.ordered(pile).and_then(|order| {
            let (low, high) = order.group(depth, bottom)?;
            let mut at = (low + index <= high).then_some(low + index)?;
            // Cards of one face are alike: the first of them comes, so that the words of an
            // outcome say all about it.
            while at > low && faces.get(order.card(at - 1)) == faces.get(order.card(at)) {
                at -= 1;
            }
            Some(order.card(at))
        });
        card.map_or(NONE, word)
    }

    pub(super) fn settle(
        &mut self,
        mem: &mut [i64],
        [pile, depth, card]: [u16; 3],
        seen: u16,
        cards: u16,
    ) {
        let (pile, depth, card) = (number(mem, pile), amount(mem, depth), number(mem, card));
        let seen = mem.word(seen);
        let (mut piles, bottom) = self.piles(mem, cards);
        let Some(mut order) = piles.ordered(pile) else { return };
        let alike = order.settle(depth, bottom, card);
        piles.lose_sight(pile, &alike, seen);
    }

    pub(super) fn end_card(&mut self, mem: &mut [i64], pile: u16, cards: u16) -> Result<i64, Trap> {
        let pile = number(mem, pile);
        let (mut piles, bottom) = self.piles(mem, cards);
        let Some(order) = piles.ordered(pile) else { return Ok(NONE) };
        match order.group(0, bottom) {
            None => Ok(NONE),
            Some((low, high)) if low == high => Ok(word(order.card(low))),
            Some(_) => Err(Trap::OrderUnknown { span: self.span() }),
        }
    }

    pub(super) fn end_cards(
        &mut self,
        mem: &mut [i64],
        pile: u16,
        count: u16,
        cards: u16,
    ) -> Result<Cards, Trap> {
        let (pile, count) = (number(mem, pile), amount(mem, count));
        let (mut piles, bottom) = self.piles(mem, cards);
        let found = piles.ordered(pile).map_or(Some([0; MOST_WORDS]), |it| it.end(count, bottom));
        found.ok_or_else(|| Trap::OrderUnknown { span: self.span() })
    }
}

/// The number of a pile, of a card or of an outcome.
pub(super) fn number(mem: &[i64], slot: u16) -> usize {
    usize::try_from(mem.word(slot)).expect("it is never negative")
}

/// A number of cards; fewer than none are none.
fn amount(mem: &[i64], slot: u16) -> usize {
    usize::try_from(mem.word(slot)).unwrap_or(0)
}

fn word(card: usize) -> i64 {
    i64::try_from(card).expect("there are at most 1024 cards")
}

pub(super) fn cards_in(mem: &[i64], set: u16, width: u16) -> Cards {
    let mut cards = [0; MOST_WORDS];
    cards[..width.into()].copy_from_slice(mem.set(set, width));
    cards
}

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

    /// All cards of a pile.
    pub(super) fn all(&self, pile: usize) -> Cards {
        self.here(pile, &[-1; MOST_WORDS])
    }

    /// The order of a pile that keeps one.
    pub(super) fn ordered(&mut self, pile: usize) -> Option<Order<'_>> {
        let count = sets::count(self.set(pile));
        let slot = usize::from(self.pile(pile).order?);
        let words = &mut self.words[slot..slot + self.info.order_words()];
        let (lanes, joined) = words.split_at_mut(self.info.lane_words());
        Some(Order { lanes, joined, count })
    }

    /// Takes cards out of wherever they lie and puts them on one end of a pile.
    pub(super) fn gather(&mut self, cards: &Cards, to: usize, bottom: bool, told: bool) {
        let mut could = [0; MOST_WORDS];
        let mut left = sets::count(&cards[..self.width()]);
        for pile in 0..self.info.piles.len() {
            // A card is in one pile only.
            if left == 0 {
                break;
            }
            if sets::meets(self.set(pile), cards) {
                let leaving = self.here(pile, cards);
                left -= sets::count(&leaving[..self.width()]);
                self.spread(pile, &leaving, &mut could);
                self.follow(pile, to, &leaving, told);
                if let Some(mut order) = self.ordered(pile) {
                    order.take_out(cards);
                }
                sets::subtract(self.set_mut(pile), cards);
            }
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
        let cards = self.all(from);
        let (Some(source), Some(target)) = (self.pile(from).order, self.pile(to).order) else {
            return self.gather(&cards, to, bottom, true);
        };
        let mut could = [0; MOST_WORDS];
        self.spread(from, &cards, &mut could);
        let count = sets::count(&cards);
        let first = self.ordered(to).map_or(0, |mut order| order.make_room(count, bottom));
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

    pub(super) fn shuffle(&mut self, pile: usize) {
        let cards = self.all(pile);
        if let Some(mut order) = self.ordered(pile) {
            order.count = 0;
            order.joined.fill(0);
            order.put_group(&cards, false);
        }
        self.forget(&cards);
        self.enter(pile, &cards);
    }
}
