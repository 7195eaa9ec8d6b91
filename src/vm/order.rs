//! The order of a pile from the bottom up, as far as it is decided.
//!
//! Neighbours in no known order are a group: they stand in the order of their kind, so that equal
//! positions are equal, and chance decides among them when one is drawn.

use crate::bytecode::LANES;
use crate::bytecode::sets::{self, bit, members, set_bit};

/// Words of the largest set of cards.
pub(super) const MOST_WORDS: usize = 16;

/// Bits of one place in an order.
const LANE: usize = 64 / LANES;

pub(super) struct Order<'a> {
    /// The cards, four to a word.
    pub(super) lanes: &'a mut [i64],
    /// A bit for each that lies in no known order with the one below it.
    pub(super) joined: &'a mut [i64],
    pub(super) count: usize,
}

impl Order<'_> {
    pub(super) fn card(&self, at: usize) -> usize {
        lane(self.lanes, at)
    }

    /// The places that the card with `depth` others before it could have.
    pub(super) fn group(&self, depth: usize, bottom: bool) -> Option<(usize, usize)> {
        if depth >= self.count {
            return None;
        }
        let place = if bottom { depth } else { self.count - 1 - depth };
        let (mut low, mut high) = (place, place);
        while !bottom && bit(self.joined, low) {
            low -= 1;
        }
        while bottom && high + 1 < self.count && bit(self.joined, high + 1) {
            high += 1;
        }
        Some((low, high))
    }

    /// Decides that a card of the group at `depth` lies there; the cards of that group.
    pub(super) fn settle(&mut self, depth: usize, bottom: bool, card: usize) -> [i64; MOST_WORDS] {
        let mut alike = [0; MOST_WORDS];
        let Some((low, high)) = self.group(depth, bottom) else { return alike };
        let Some(mut at) = (low..=high).find(|at| self.card(*at) == card) else { return alike };
        (low..=high).for_each(|at| set_bit(&mut alike, self.card(at), true));
        let (end, lone) = if bottom { (low, low + 1) } else { (high, high) };
        while at != end {
            let next = if bottom { at - 1 } else { at + 1 };
            let moved = self.card(next);
            set_lane(self.lanes, at, moved);
            at = next;
        }
        set_lane(self.lanes, end, card);
        if low < high {
            set_bit(self.joined, lone, false);
        }
        alike
    }

    /// The set of the first cards from one end, if it is decided which they are.
    pub(super) fn end(&self, count: usize, bottom: bool) -> Option<[i64; MOST_WORDS]> {
        let count = count.min(self.count);
        let cut = if bottom { count } else { self.count - count };
        if 0 < cut && cut < self.count && bit(self.joined, cut) {
            return None;
        }
        let mut set = [0; MOST_WORDS];
        let places = if bottom { 0..cut } else { cut..self.count };
        places.for_each(|at| set_bit(&mut set, self.card(at), true));
        Some(set)
    }

    pub(super) fn take_out(&mut self, cards: &[i64; MOST_WORDS]) {
        // What lies below all of them stays as it is.
        let below = (0..self.count).find(|at| bit(cards, self.card(*at)));
        let Some(first) = below else { return };
        // Whether a card of the group that is being gone through has stayed.
        let (mut kept, mut stayed) = (first, first > 0);
        for at in first..self.count {
            let card = self.card(at);
            stayed &= bit(self.joined, at);
            if bit(cards, card) {
                continue;
            }
            set_lane(self.lanes, kept, card);
            set_bit(self.joined, kept, stayed);
            stayed = true;
            kept += 1;
        }
        for at in kept..self.count {
            set_lane(self.lanes, at, 0);
            set_bit(self.joined, at, false);
        }
        self.count = kept;
    }

    /// Puts cards on one end, in no known order.
    pub(super) fn put_group(&mut self, cards: &[i64; MOST_WORDS], bottom: bool) {
        // The words behind those of the kind are empty.
        let cards = &cards[..self.joined.len()];
        let first = self.make_room(sets::count(cards), bottom);
        for (nth, card) in members(cards).enumerate() {
            set_lane(self.lanes, first + nth, card);
            set_bit(self.joined, first + nth, nth > 0);
        }
    }

    /// Where the first of so many cards goes; those above it are moved out of the way.
    pub(super) fn make_room(&mut self, count: usize, bottom: bool) -> usize {
        if !bottom {
            return self.count;
        }
        for at in (0..self.count).rev() {
            let (card, joined) = (self.card(at), bit(self.joined, at));
            set_lane(self.lanes, at + count, card);
            set_bit(self.joined, at + count, joined);
        }
        0
    }
}

pub(super) fn lane(words: &[i64], at: usize) -> usize {
    let lanes = words[at / LANES] >> (at % LANES * LANE);
    usize::try_from(lanes & 0xffff).expect("16 bits")
}

pub(super) fn set_lane(words: &mut [i64], at: usize, card: usize) {
    let (word, shift) = (&mut words[at / LANES], at % LANES * LANE);
    let card = i64::try_from(card).expect("there are at most 1024 cards");
    *word = *word & !(0xffff << shift) | card << shift;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cards: &[i64]) -> [i64; MOST_WORDS] {
        let mut set = [0; MOST_WORDS];
        cards.iter().for_each(|card| sets::insert(&mut set, *card));
        set
    }

    fn with<T>(cards: &[i64], work: impl FnOnce(&mut Order) -> T) -> T {
        let (mut lanes, mut joined) = ([0; 4], [0]);
        let mut order = Order { lanes: &mut lanes, joined: &mut joined, count: 0 };
        order.put_group(&set(cards), false);
        order.count = cards.len();
        work(&mut order)
    }

    #[test]
    fn a_drawn_card_leaves_the_others_in_no_order() {
        with(&[2, 5, 7, 9], |order| {
            assert_eq!(order.group(0, false), Some((0, 3)));
            order.settle(0, false, 5);
            assert_eq!((order.card(3), order.group(0, false)), (5, Some((3, 3))));
            assert_eq!(order.group(1, false), Some((0, 2)));
            assert_eq!([0, 1, 2].map(|at| order.card(at)), [2, 7, 9]);
        });
    }

    #[test]
    fn the_bottom_is_settled_like_the_top() {
        with(&[2, 5, 7], |order| {
            order.settle(0, true, 7);
            assert_eq!([0, 1, 2].map(|at| order.card(at)), [7, 2, 5]);
            assert_eq!((order.group(0, true), order.group(1, true)), (Some((0, 0)), Some((1, 2))));
        });
    }

    #[test]
    fn what_came_together_is_known_only_as_a_whole() {
        with(&[2, 5], |order| {
            order.put_group(&set(&[1, 3]), true);
            order.count = 4;
            assert_eq!(order.end(2, false), Some(set(&[2, 5])));
            assert_eq!((order.end(1, false), order.end(3, false)), (None, None));
            assert_eq!(order.end(9, true), Some(set(&[1, 2, 3, 5])));
        });
    }

    #[test]
    fn a_group_stays_one_although_a_card_between_goes() {
        with(&[2, 5, 7], |order| {
            order.take_out(&set(&[5]));
            assert_eq!((order.count, order.group(0, false)), (2, Some((0, 1))));
            order.take_out(&set(&[2]));
            assert_eq!((order.card(0), order.group(0, false)), (7, Some((0, 0))));
            assert!(order.lanes.iter().skip(1).all(|word| *word == 0));
        });
    }
}
