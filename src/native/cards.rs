//! Deals: the card that a shuffled pile gives is drawn in the code, where nobody asks who knows it.

use astragal_native::{Flag, Word};

use crate::bytecode::engine::{BURNT, LENT, TRACKS};
use crate::bytecode::{CardsInfo, Op, Runs};
use crate::native::Translator;
use crate::native::picks::MOST_SET;
use crate::vm::FUEL_OF_A_CARD;

/// A deal whose next card the code can draw.
struct Deal<'a> {
    info: &'a CardsInfo,
    /// The pile that cards come from, and the first word of its order.
    pile: (usize, u16),
    /// Other piles that keep an order.
    ordered: Vec<usize>,
    /// How many cards each face has.
    copies: usize,
}

impl<'a> Deal<'a> {
    /// A deal from a pile whose cards have few faces in few words; none if machine code cannot do it.
    fn of_pile(info: &'a CardsInfo, pile: i64) -> Option<Deal<'a>> {
        let pile = usize::try_from(pile).ok()?;
        let order = info.piles.get(pile)?.order?;
        let keeps = |at: &usize| *at != pile && info.piles[*at].order.is_some();
        let ordered = (0..info.piles.len()).filter(keeps).collect();
        let copies = info.faces.iter().take_while(|face| **face == info.faces[0]).count();
        // Cards of one face follow each other.
        let even = info
            .faces
            .chunks(copies)
            .all(|run| run.len() == copies && run.iter().all(|face| *face == run[0]));
        let apart = info.faces.chunks(copies).is_sorted_by(|a, b| a[0] != b[0]);
        let simple = info.width == 1 || copies == 1 && info.width <= MOST_SET;
        (even && apart && simple).then_some(Deal { info, pile: (pile, order), ordered, copies })
    }
}

impl Translator<'_, '_> {
    /// Of cards with one face the first. The function is called where not all lie in one pile, and some are left out.
    pub(super) fn distinct(
        &mut self,
        op: Op,
        [dst, set, width]: [u16; 3],
        together: bool,
        runs: &Runs,
    ) {
        let all = self.read_set(set, width);
        let kept = self.firsts(&all, runs);
        if together {
            return self.put_set(dst, kept);
        }
        let pairs = all.iter().zip(&kept);
        let left_out =
            pairs.map(|(all, kept)| self.writer.differing(*all, *kept)).collect::<Vec<_>>();
        let left_out = self.any_of(&left_out);
        let is_left_out = self.emit_not_zero(left_out);
        let branch = self.writer.begin_if(is_left_out);
        self.emit_engine_call(op);
        let meet = self.writer.otherwise(branch);
        self.put_set(dst, all);
        self.writer.end(meet);
    }

    /// See [`Runs::firsts`].
    fn firsts(&mut self, all: &[Word], runs: &Runs) -> Vec<Word> {
        let mut borrowed = None;
        let mut kept = Vec::new();
        for (at, word) in all.iter().enumerate() {
            let (first, last) = (runs.first[at], runs.last[at]);
            let ended = self.writer.or(*word, last);
            let mut less = self.writer.subtract(ended, first);
            let mut is_over = self.writer.below(ended, first);
            if let Some(borrowed) = borrowed {
                let is_none = self.writer.below(less, borrowed);
                less = self.writer.subtract(less, borrowed);
                is_over = self.writer.either(is_over, is_none);
            }
            borrowed = Some(self.writer.as_word(is_over));
            kept.push(self.writer.without(*word, less));
        }
        kept
    }

    /// Deals a card, and calls for the others.
    pub(super) fn deal(&mut self, op: Op, [pile, to, left]: [u16; 3], cards: u16, exit: u16) {
        let (burnt, before) = (self.burnt_with(1), self.read_slot(left));
        let info = &self.program.cards[usize::from(cards / 2)];
        let dealt = self.constant_at(pile).and_then(|pile| Deal::of_pile(info, pile));
        if let Some(deal) = dealt {
            self.deal_one(&deal, to, left);
            let more = self.read_slot(left);
            let more = self.writer.less(0, more);
            let branch = self.writer.begin_if(more);
            self.emit_engine_call(op);
            self.writer.end_if(branch);
        } else {
            self.emit_engine_call(op);
        }
        let left = self.read_slot(left);
        let dealt = self.writer.subtract(before, left);
        let dealt = self.writer.multiply(dealt, FUEL_OF_A_CARD);
        let burnt = self.writer.add(burnt, dealt);
        self.writer.set_register(BURNT, burnt);
        let done = self.writer.at_most(left, 0);
        self.writer.jump_if(done, exit.into());
    }

    /// Deals a card if nothing is in the way.
    fn deal_one(&mut self, deal: &Deal, to: u16, left: u16) {
        let (pile, order) = deal.pile;
        let first = u16::try_from(deal.info.set_of(pile)).expect("a state has few words");
        let set = self.read_set(first, deal.info.width);
        let here = self.bits_in(&set);
        let stream = self.table_stream();
        let (index, words, fails) = self.emit_draw(stream, here);
        let fits = self.emit_can_deal(deal, (to, left), order, (here, fails));
        let branch = self.writer.begin_if(fits);
        let piles = u16::try_from(deal.info.piles.len()).expect("a state has few words");
        let place = self.read_slot(to);
        let target = self.writer.element(deal.info.base, piles, deal.info.width, place, self.at);
        // The last card needs no draw.
        let many = self.writer.less(1, here);
        let draws = self.writer.begin_if(many);
        self.go_on(stream, words);
        self.count_draw();
        self.writer.end_if(draws);
        let most = i64::try_from(deal.info.faces.len()).expect("there are at most 1024 cards");
        let card = self.nth(&set, index, most);
        let card = self.first_alike(deal, &set, card);
        for (at, word) in (0..).zip(set) {
            let bit = self.bit_of(card, at);
            let rest = self.writer.without(word, bit);
            self.writer.put(first + at, rest);
            let there = self.writer.get(target, at);
            let there = self.writer.or(there, bit);
            self.writer.set(target, at, there);
        }
        let count = self.read_slot(left);
        let count = self.writer.subtract(count, 1);
        self.writer.put(left, count);
        self.writer.end_if(branch);
    }

    /// Emits whether the code may deal the card itself: from lent streams, with no order or knowledge to keep.
    fn emit_can_deal(
        &mut self,
        deal: &Deal,
        (to, rest): (u16, u16),
        order: u16,
        (here, fails): (Word, Flag),
    ) -> Flag {
        let (rest, to, order) = (self.read_slot(rest), self.read_slot(to), self.read_slot(order));
        let (lent, tracks) = (self.writer.register(LENT), self.writer.register(TRACKS));
        let fails = self.writer.as_word(fails);
        let mut fits = self.writer.equal(lent, 1);
        for is_zero in [tracks, order, fails] {
            let holds = self.writer.equal(is_zero, 0);
            fits = self.writer.both(fits, holds);
        }
        for is_some in [rest, here] {
            let holds = self.writer.less(0, is_some);
            fits = self.writer.both(fits, holds);
        }
        for other in deal.ordered.iter().chain([&deal.pile.0]) {
            let other = i64::try_from(*other).expect("there are few piles");
            let differs = self.writer.differ(to, other);
            fits = self.writer.both(fits, differs);
        }
        fits
    }

    /// Of the cards of a set that are like one of them, the first.
    fn first_alike(&mut self, deal: &Deal, set: &[Word], card: Word) -> Word {
        if deal.copies == 1 {
            return card;
        }
        let copies = i64::try_from(deal.copies).expect("there are at most 1024 cards");
        let (_, beyond) = self.writer.divide(card, copies, self.at);
        let low = self.writer.subtract(card, beyond);
        let from = self.writer.shift_up(-1, low);
        let rest = self.writer.and(set[0], from);
        self.writer.first(rest)
    }
}
