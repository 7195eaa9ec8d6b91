//! Operations on cards: moving them from pile to pile, shuffling, drawing.

use crate::bytecode::sets::{self, bit, set_bit};
use crate::bytecode::{CardsInfo, NONE, Op, PileInfo};
use crate::vm::order::{MOST_WORDS, Order, lane, set_lane};
use crate::vm::{Trap, memory::Words, step::Machine};

pub(super) type Cards = [i64; MOST_WORDS];

impl<'a> Machine<'a> {
    /// The piles that an operand names, and whether it means their bottom.
    pub(super) fn piles<'m>(&self, mem: &'m mut [i64], cards: u16) -> (Piles<'m>, bool)
    where
        'a: 'm,
    {
        let info = &self.program.cards[usize::from(cards / 2)];
        let players = self.program.players;
        let known = info.known.filter(|_| self.observed);
        (Piles { info, words: mem, players, known }, cards % 2 == 1)
    }

    /// Carries out an operation that moves cards, or finds some.
    pub(super) fn change_cards(&mut self, mem: &mut [i64], op: Op) -> Result<(), Trap> {
        match op {
            Op::MoveCard { card, to, told, cards } => {
                let (card, to) = (mem.word(card), number(mem, to));
                self.check(card != NONE, |span| Trap::NoCard { span })?;
                let mut set = [0; MOST_WORDS];
                sets::insert(&mut set, card);
                let (mut piles, bottom) = self.piles(mem, cards);
                piles.gather(&set, to, bottom, told != 0);
            }
            Op::MoveCards { set, to, width, told, cards } => {
                let (set, to) = (cards_in(mem, set, width), number(mem, to));
                let (mut piles, bottom) = self.piles(mem, cards);
                piles.gather(&set, to, bottom, told != 0);
            }
            Op::MovePile { pile, to, cards } => {
                let (from, to) = (number(mem, pile), number(mem, to));
                let (mut piles, bottom) = self.piles(mem, cards);
                piles.stack(from, to, bottom);
            }
            Op::Shuffle { pile, cards } => {
                let pile = number(mem, pile);
                self.piles(mem, cards).0.shuffle(pile);
            }
            Op::Choices { dst, pile, depth, cards } => {
                let (pile, depth) = (number(mem, pile), amount(mem, depth));
                let (mut piles, bottom) = self.piles(mem, cards);
                let group = piles.ordered(pile).and_then(|order| order.group(depth, bottom));
                mem.put(dst, group.map_or(0, |(low, high)| word(high - low + 1)));
            }
            Op::Candidate { dst, pile, depth, index, cards } => {
                let (pile, depth) = (number(mem, pile), amount(mem, depth));
                let index = number(mem, index);
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
                mem.put(dst, card.map_or(NONE, word));
            }
            Op::Settle { pile, depth, card, seen, cards } => {
                let (pile, depth) = (number(mem, pile), amount(mem, depth));
                let (card, seen) = (number(mem, card), mem.word(seen));
                let (mut piles, bottom) = self.piles(mem, cards);
                let alike = piles.ordered(pile).map(|mut it| it.settle(depth, bottom, card));
                alike.iter().for_each(|alike| piles.lose_sight(pile, alike, seen));
            }
            Op::EndCard { dst, pile, cards } => {
                let pile = number(mem, pile);
                let (mut piles, bottom) = self.piles(mem, cards);
                let order = piles.ordered(pile);
                let card = match order.and_then(|it| Some((it.group(0, bottom)?, it))) {
                    None => NONE,
                    Some(((low, high), order)) if low == high => word(order.card(low)),
                    Some(_) => return Err(Trap::OrderUnknown { span: self.span() }),
                };
                mem.put(dst, card);
            }
            Op::EndCards { dst, pile, count, width, cards } => {
                let (pile, count) = (number(mem, pile), amount(mem, count));
                let (mut piles, bottom) = self.piles(mem, cards);
                let order = piles.ordered(pile);
                let found = order.map_or(Some([0; MOST_WORDS]), |order| order.end(count, bottom));
                let found = found.ok_or_else(|| Trap::OrderUnknown { span: self.span() })?;
                mem.set_mut(dst, width).copy_from_slice(&found[..width.into()]);
            }
            Op::Distinct { dst, set, width, cards } => {
                let set = cards_in(mem, set, width);
                let kept = self.piles(mem, cards).0.distinct(&set);
                mem.set_mut(dst, width).copy_from_slice(&kept[..width.into()]);
            }
            Op::FirstAlike { card, set, width, cards } => {
                let (set, drawn) = (cards_in(mem, set, width), mem.word(card));
                let first = self.piles(mem, cards).0.first_alike(drawn, &set);
                mem.put(card, first);
            }
            Op::Learn { set, players, width, cards } => {
                let (set, players) = (cards_in(mem, set, width), [mem.word(players)]);
                let (mut piles, _) = self.piles(mem, cards);
                sets::members(&players).for_each(|player| piles.learn(player, &set));
            }
            other => unreachable!("`{}` is no operation on cards", other.name()),
        }
        Ok(())
    }
}

/// The number of a pile, of a card or of an outcome.
pub(super) fn number(mem: &[i64], slot: u16) -> usize {
    usize::try_from(mem.word(slot)).expect("it is never negative")
}

/// A number of cards; below 0, none.
fn amount(mem: &[i64], slot: u16) -> usize {
    usize::try_from(mem.word(slot).max(0)).expect("it is not negative")
}

/// The number of a card, a member or a seat as a word.
pub(super) fn word(number: usize) -> i64 {
    i64::try_from(number).expect("a state has few words")
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
