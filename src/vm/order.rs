//! The order of a pile of cards, in words of a state.
//!
//! An order runs from the bottom up. Neighbours in no known order are a group: they stand in the order
//! of their kind, so that equal positions are equal, and chance decides among them when one is drawn.
//! Where all cards of a pile are one group, its set says all, and the words of its order are 0: so a
//! shuffled pile is drawn from as a set is. Any other order holds two different cards in its first word,
//! and is not 0.

use crate::bytecode::LANES;
use crate::bytecode::sets::{self, bit, members, set_bit};

/// A set of cards of any kind.
pub(super) type CardSet = [i64; MOST_WORDS];

/// Words of the largest set of cards.
pub(super) const MOST_WORDS: usize = 16;
/// Bits of one place in an order.
const LANE: usize = 64 / LANES;

/// An order as it lies in a state.
pub(super) struct Order<'a> {
    /// The cards, four to a word.
    lanes: &'a [i64],
    /// A bit for each that lies in no known order with the one below it.
    joined: &'a [i64],
    count: usize,
    /// The set of the pile, where all its cards are one group.
    shuffled: Option<&'a [i64]>,
}

impl<'a> Order<'a> {
    /// The order of a pile with a set of cards, from the words of the order.
    pub(super) fn of_pile(set: &'a [i64], (lanes, joined): (&'a [i64], &'a [i64])) -> Order<'a> {
        let shuffled = (lanes[0] == 0).then_some(set);
        Order { lanes, joined, count: sets::count(set), shuffled }
    }

    pub(super) fn card(&self, at: usize) -> usize {
        let Some(set) = self.shuffled else { return lane(self.lanes, at) };
        let card = sets::nth(set, at).and_then(|card| usize::try_from(card).ok());
        card.expect("a card of the pile")
    }

    /// The cards, the top one first, unless all of them are one group.
    pub(super) fn top_down(&self) -> Option<Vec<usize>> {
        self.shuffled.is_none().then(|| (0..self.count).rev().map(|at| self.card(at)).collect())
    }

    /// Which group a card belongs to, counted from the bottom.
    pub(super) fn group_of(&self, card: usize) -> usize {
        if self.shuffled.is_some() {
            return 0;
        }
        let at = (0..self.count).find(|at| self.card(*at) == card);
        let at = at.expect("a card of a pile is in its order");
        at - sets::count_to(self.joined, at)
    }

    /// The places that the card with `depth` others before it could have.
    pub(super) fn group(&self, depth: usize, bottom: bool) -> Option<(usize, usize)> {
        if depth >= self.count {
            return None;
        }
        if self.shuffled.is_some() {
            return Some((0, self.count - 1));
        }
        let place = if bottom { depth } else { self.count - 1 - depth };
        let low = if bottom { place } else { self.last_apart(place) };
        let mut high = place;
        while bottom && high + 1 < self.count && bit(self.joined, high + 1) {
            high += 1;
        }
        Some((low, high))
    }

    /// The last place up to one whose card is not in a group with the one below it.
    fn last_apart(&self, place: usize) -> usize {
        let (mut at, mut apart) = (place / 64, !self.joined[place / 64]);
        apart &= !(-2 << (place % 64));
        while apart == 0 {
            at -= 1;
            apart = !self.joined[at];
        }
        at * 64 + 63 - apart.leading_zeros() as usize
    }

    /// Cards of one face are alike: the first of them from `low` on comes, so that the words of an outcome say all
    /// about it.
    pub(super) fn first_alike<F: PartialEq>(
        &self,
        (low, mut at): (usize, usize),
        faces: &[F],
    ) -> usize {
        while at > low && faces.get(self.card(at - 1)) == faces.get(self.card(at)) {
            at -= 1;
        }
        at
    }

    /// The cards of the group at `depth`.
    pub(super) fn alike(&self, depth: usize, bottom: bool) -> CardSet {
        let mut alike = [0; MOST_WORDS];
        if let Some(set) = self.shuffled.filter(|_| depth < self.count) {
            alike[..set.len()].copy_from_slice(set);
            return alike;
        }
        let (low, high) = self.group(depth, bottom).unwrap_or((1, 0));
        (low..=high).for_each(|at| set_bit(&mut alike, self.card(at), true));
        alike
    }

    /// The set of the first cards from one end, if it is decided which they are.
    pub(super) fn end(&self, count: usize, bottom: bool) -> Option<CardSet> {
        let count = count.min(self.count);
        let cut = if bottom { count } else { self.count - count };
        // Of a pile that is one group, the words say nothing.
        let is_joined = || self.shuffled.is_some() || bit(self.joined, cut);
        if 0 < cut && cut < self.count && is_joined() {
            return None;
        }
        let mut set = [0; MOST_WORDS];
        let places = if bottom { 0..cut } else { cut..self.count };
        places.for_each(|at| set_bit(&mut set, self.card(at), true));
        Some(set)
    }
}

/// An order whose cards are all written out, to be changed.
pub(super) struct OpenOrder<'a> {
    pub(super) lanes: &'a mut [i64],
    pub(super) joined: &'a mut [i64],
    pub(super) count: usize,
}

impl<'a> OpenOrder<'a> {
    /// Writes an order out: that of a pile with a set of cards, in the words of the order.
    pub(super) fn open(set: &[i64], (lanes, joined): (&'a mut [i64], &'a mut [i64])) -> Self {
        let mut order = OpenOrder { lanes, joined, count: sets::count(set) };
        if order.lanes[0] == 0 {
            order.write_cards(set);
        }
        order
    }

    /// Of one group nothing stays written.
    pub(super) fn close(self) {
        if self.read().group(0, false).is_none_or(|(low, _)| low == 0) {
            self.lanes.fill(0);
            self.joined.fill(0);
        }
    }

    pub(super) fn read(&self) -> Order<'_> {
        let OpenOrder { lanes, joined, count } = self;
        Order { lanes, joined, count: *count, shuffled: None }
    }

    pub(super) fn card(&self, at: usize) -> usize {
        lane(self.lanes, at)
    }

    /// Decides that a card of the group at `depth` lies there.
    pub(super) fn reveal_card(&mut self, depth: usize, bottom: bool, card: usize) {
        let Some((low, high)) = self.read().group(depth, bottom) else { return };
        // The cards of a group stand in order.
        let (mut at, mut end) = (low, high + 1);
        while at + 1 < end {
            let middle = at.midpoint(end);
            if self.card(middle) <= card { at = middle } else { end = middle }
        }
        if self.card(at) != card {
            return;
        }
        let (end, lone) = if bottom { (low, low + 1) } else { (high, high) };
        while bottom && at != end {
            let moved = self.card(at - 1);
            set_lane(self.lanes, at, moved);
            at -= 1;
        }
        if !bottom {
            close_gap(self.lanes, at, end);
        }
        set_lane(self.lanes, end, card);
        if low < high {
            set_bit(self.joined, lone, false);
        }
    }

    pub(super) fn take_out(&mut self, cards: &CardSet) {
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

    pub(super) fn take_out_one(&mut self, card: usize) {
        if let Some(at) = self.place_of(card) {
            self.take_out_at(at);
        }
    }

    pub(super) fn take_out_at(&mut self, at: usize) {
        let last = self.count - 1;
        let joined = at > 0 && bit(self.joined, at);
        close_gap(self.lanes, at, last);
        set_lane(self.lanes, last, 0);
        remove_bit(self.joined, at);
        if !joined {
            set_bit(self.joined, at, false);
        }
        self.count = last;
    }

    /// The place of a card, found four places at a time.
    fn place_of(&self, card: usize) -> Option<usize> {
        const LOWEST: u64 = u64::MAX / 0xffff;
        const HIGHEST: u64 = LOWEST << (LANE - 1);
        let wanted = LOWEST * card as u64;
        let words = self.lanes[..self.count.div_ceil(LANES)].iter().enumerate();
        let found = words.map(|(at, word)| {
            let differ = word.cast_unsigned() ^ wanted;
            // The lowest bit that is left is that of the lowest lane without a difference.
            (at, differ.wrapping_sub(LOWEST) & !differ & HIGHEST)
        });
        let (at, same) = found.into_iter().find(|(_, same)| *same != 0)?;
        let at = at * LANES + same.trailing_zeros() as usize / LANE;
        (at < self.count).then_some(at)
    }

    /// Writes the cards of a set as one group. So many are in it.
    fn write_cards(&mut self, cards: &[i64]) {
        // Whole words: a lane after the other.
        let mut cards = members(cards);
        for (at, word) in self.lanes.iter_mut().enumerate().take(self.count.div_ceil(LANES)) {
            for (lane, card) in (at * LANES..self.count).zip(&mut cards).take(LANES) {
                let card = i64::try_from(card).expect("there are at most 1024 cards");
                *word |= card << (lane % LANES * LANE);
            }
        }
        (1..self.count).for_each(|at| set_bit(self.joined, at, true));
    }

    /// Puts cards on one end, in no known order.
    pub(super) fn put_group(&mut self, cards: &CardSet, bottom: bool) {
        // The words after those of the kind are empty.
        let cards = &cards[..self.joined.len()];
        let first = self.make_room(sets::count(cards), bottom);
        for (nth, card) in members(cards).enumerate() {
            set_lane(self.lanes, first + nth, card);
            set_bit(self.joined, first + nth, nth > 0);
        }
    }

    /// Puts one card on one end.
    pub(super) fn push_card(&mut self, card: usize, bottom: bool) {
        let place = self.make_room(1, bottom);
        set_lane(self.lanes, place, card);
        set_bit(self.joined, place, false);
    }

    /// Puts cards on one end, in an order that they have.
    pub(super) fn put_order(&mut self, order: &Order, bottom: bool) {
        let first = self.make_room(order.count, bottom);
        for at in 0..order.count {
            set_lane(self.lanes, first + at, order.card(at));
            set_bit(self.joined, first + at, bit(order.joined, at));
        }
    }

    /// Makes room for `count` cards at an end; returns the first place.
    pub(super) fn make_room(&mut self, count: usize, bottom: bool) -> usize {
        let before = self.count;
        self.count += count;
        if !bottom {
            return before;
        }
        for at in (0..before).rev() {
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

/// Takes a bit out; those above it move down.
fn remove_bit(words: &mut [i64], at: usize) {
    let kept = !(-1 << (at % 64));
    for word in at / 64..words.len() {
        let above = words.get(word + 1).map_or(0, |next| next << 63);
        let moved = (words[word].cast_unsigned() >> 1).cast_signed() | above;
        let kept = if word == at / 64 { kept } else { 0 };
        words[word] = words[word] & kept | moved & !kept;
    }
}

/// Moves the cards behind a place, as far as another one, one place down each.
fn close_gap(lanes: &mut [i64], from: usize, to: usize) {
    let mut at = from;
    while at < to {
        let word = at / LANES;
        if at.is_multiple_of(LANES) && at + LANES <= to {
            let rest = lanes[word].cast_unsigned() >> LANE;
            lanes[word] = rest.cast_signed() | lanes[word + 1] << (64 - LANE);
            at += LANES;
        } else {
            let moved = lane(lanes, at + 1);
            set_lane(lanes, at, moved);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytecode::to_word;

    fn set(cards: &[i64]) -> [i64; MOST_WORDS] {
        let mut set = [0; MOST_WORDS];
        cards.iter().for_each(|card| sets::insert(&mut set, *card));
        set
    }

    fn with<T>(cards: &[i64], work: impl FnOnce(&mut OpenOrder) -> T) -> T {
        let (mut lanes, mut joined) = ([0; 4], [0]);
        let mut order = OpenOrder { lanes: &mut lanes, joined: &mut joined, count: 0 };
        order.put_group(&set(cards), false);
        work(&mut order)
    }

    #[test]
    fn a_drawn_card_leaves_the_others_in_no_order() {
        with(&[2, 5, 7, 9], |order| {
            assert_eq!(order.read().group(0, false), Some((0, 3)));
            order.reveal_card(0, false, 5);
            assert_eq!((order.card(3), order.read().group(0, false)), (5, Some((3, 3))));
            assert_eq!(order.read().group(1, false), Some((0, 2)));
            assert_eq!([0, 1, 2].map(|at| order.card(at)), [2, 7, 9]);
        });
    }

    /// Many cards, so that whole words are moved, and each of them.
    #[test]
    fn a_drawn_card_is_taken_from_anywhere() {
        let cards: Vec<i64> = (0..40).map(|at| 3 * at).collect();
        for drawn in &cards {
            let (mut lanes, mut joined) = ([0; 10], [0; 2]);
            let mut order = OpenOrder { lanes: &mut lanes, joined: &mut joined, count: 0 };
            order.put_group(&set(&cards), false);
            order.reveal_card(0, false, usize::try_from(*drawn).unwrap());
            let found: Vec<i64> = (0..40).map(|at| to_word(order.card(at))).collect();
            let rest = cards.iter().filter(|card| *card != drawn);
            assert_eq!(found, rest.chain([drawn]).copied().collect::<Vec<i64>>());
            assert_eq!(
                (order.read().group(0, false), order.read().group(1, false)),
                (Some((39, 39)), Some((0, 38)))
            );
            // What is in no order is none of it.
            order.reveal_card(1, false, 1);
            assert_eq!((0..40).map(|at| to_word(order.card(at))).collect::<Vec<i64>>(), found);
        }
    }

    #[test]
    fn the_bottom_is_settled_like_the_top() {
        with(&[2, 5, 7], |order| {
            order.reveal_card(0, true, 7);
            assert_eq!([0, 1, 2].map(|at| order.card(at)), [7, 2, 5]);
            assert_eq!(
                (order.read().group(0, true), order.read().group(1, true)),
                (Some((0, 0)), Some((1, 2)))
            );
        });
    }

    #[test]
    fn what_came_together_is_known_only_as_a_whole() {
        with(&[2, 5], |order| {
            order.put_group(&set(&[1, 3]), true);
            assert_eq!(order.read().end(2, false), Some(set(&[2, 5])));
            assert_eq!((order.read().end(1, false), order.read().end(3, false)), (None, None));
            assert_eq!(order.read().end(9, true), Some(set(&[1, 2, 3, 5])));
        });
    }

    #[test]
    fn bits_above_the_one_that_goes_move_down() {
        let before: Vec<usize> = (0..192).filter(|at| at * at % 7 < 3).collect();
        for out in 0..192 {
            let mut words = [0; 3];
            before.iter().for_each(|at| set_bit(&mut words, *at, true));
            remove_bit(&mut words, out);
            let moved =
                before.iter().filter(|at| **at != out).map(|at| at - usize::from(*at > out));
            assert!(members(&words).eq(moved), "{out}");
        }
    }

    #[test]
    fn a_card_is_found_among_many() {
        let cards: Vec<usize> = (0..50).map(|at| at * 37 % 50).collect();
        let mut lanes = [0; 13];
        let mut joined = [0];
        cards.iter().enumerate().for_each(|(at, card)| set_lane(&mut lanes, at, *card));
        let order = OpenOrder { lanes: &mut lanes, joined: &mut joined, count: 50 };
        for (at, card) in cards.iter().enumerate() {
            assert_eq!(order.place_of(*card), Some(at));
        }
        assert_eq!(order.place_of(50), None);
    }

    /// Whatever lies in an order, one card goes as one of several does.
    #[test]
    fn one_card_is_taken_out_like_several() {
        for groups in 0..1 << 8 {
            for card in 0..9 {
                let taken = [false, true].map(|alone| {
                    with(&[0, 1, 2, 3, 4, 5, 6, 7, 8], |order| {
                        let apart = |at: usize| groups >> (at - 1) & 1 == 0;
                        (1..9)
                            .filter(|at| apart(*at))
                            .for_each(|at| set_bit(order.joined, at, false));
                        if alone {
                            order.take_out_one(card);
                        } else {
                            order.take_out(&set(&[to_word(card)]));
                        }
                        (order.lanes.to_vec(), order.joined.to_vec(), order.count)
                    })
                });
                assert_eq!(taken[0], taken[1], "{groups:b}, card {card}");
            }
        }
    }

    #[test]
    fn a_group_stays_one_although_a_card_between_goes() {
        with(&[2, 5, 7], |order| {
            order.take_out(&set(&[5]));
            assert_eq!((order.count, order.read().group(0, false)), (2, Some((0, 1))));
            order.take_out(&set(&[2]));
            assert_eq!((order.card(0), order.read().group(0, false)), (7, Some((0, 0))));
            assert!(order.lanes.iter().skip(1).all(|word| *word == 0));
        });
    }
}
