//! Offers, and what random players make of them: where a driver lends its streams, the code draws from
//! them itself.

use astragal_native::{Flag, Spot, Word};

use super::Translator;
use crate::bytecode::engine::{
    ANYWAY, APART, BURNT, COUNT, DECIDED, DRAWN, LEFT, LEGAL, LENT, MOST_COUNTED, OFFERED, STREAM,
    UNCOUNTED, WIDTH,
};
use crate::bytecode::{Binds, Factor, NONE, Op, Wait};
use crate::vm::MOST_MOVES;

/// The list of offers, and that of streams.
const OFFERS: usize = 0;
const STREAMS: usize = 2;

/// What an option binds has at most so many words where the code binds it.
const MOST_BOUND: usize = 24;

/// A set that one is taken from has at most so many words there.
pub(super) const MOST_SET: u16 = 4;

/// More bits than this are skipped by bytes.
const FEW: i64 = 7;

impl Translator<'_, '_> {
    pub(super) fn offer(&mut self, binds: &Binds, word: i64) {
        let width: i64 = binds.parts().map(|(_, width)| i64::from(width)).sum();
        let word = self.writer.number(word | width << WIDTH);
        let count = self.count_choices(binds);
        let legal = self.writer.register(LEGAL);
        let legal = match count {
            Some(count) => self.writer.add(legal, count),
            None => self.writer.number(UNCOUNTED),
        };
        self.writer.set_register(LEGAL, legal);
        let mut words = vec![match count {
            Some(count) => self.counted(word, count),
            None => word,
        }];
        for (slot, width) in binds.parts() {
            words.extend(self.read_set(slot, width));
        }
        self.writer.append(OFFERS, OFFERED, &words, self.at);
    }

    /// The word of an option that stands for so many choices.
    fn counted(&mut self, word: Word, count: Word) -> Word {
        let (one, at) = (self.writer.number(1), self.writer.number(COUNT.into()));
        let count = self.writer.add(count, one);
        let count = self.writer.shift_up(count, at);
        self.writer.or(word, count)
    }

    /// How many choices an option stands for; none where that may be too many.
    fn count_choices(&mut self, binds: &Binds) -> Option<Word> {
        if !is_counted(binds) {
            return None;
        }
        let mut count = self.writer.number(1);
        for factor in &binds.factors {
            let words = self.read_set(factor.set, factor.width);
            let size = self.size(*factor, &words);
            count = self.writer.multiply(count, size);
        }
        Some(count)
    }

    fn size(&mut self, factor: Factor, words: &[Word]) -> Word {
        let mut size = self.writer.number(factor.or_none.into());
        for word in words {
            let count = self.writer.count(*word);
            size = self.writer.add(size, count);
        }
        size
    }

    /// To decline is one more choice, if it is one: else nobody has counted.
    pub(super) fn decline(&mut self, option: u16, how: i64) {
        let (word, one) = (self.writer.number(how | i64::from(option)), self.writer.number(1));
        let word = self.counted(word, one);
        self.writer.append(OFFERS, OFFERED, &[word], self.at);
        let (legal, zero) = (self.writer.register(LEGAL), self.writer.number(0));
        let more = self.writer.add(legal, one);
        let is_choice = if how == ANYWAY {
            self.writer.at_most(zero, legal)
        } else {
            self.writer.less(zero, legal)
        };
        let uncounted = self.writer.number(UNCOUNTED);
        let legal = self.writer.select(is_choice, more, uncounted);
        self.writer.set_register(LEGAL, legal);
    }

    /// There is more to the choices from here on than to count them.
    pub(super) fn uncounted(&mut self) {
        let uncounted = self.writer.number(UNCOUNTED);
        self.writer.set_register(LEGAL, uncounted);
    }

    /// Draws an outcome; calls for that if nobody lends a stream.
    pub(super) fn draw(&mut self, op: Op, [dst, outcomes, low]: [u16; 3]) {
        let one = self.writer.number(1);
        let burnt = self.burnt_with(one);
        let (outcomes, low) = (self.read(outcomes), self.read(low));
        let zero = self.writer.number(0);
        let stream = self.table_stream();
        let (index, words, fails) = self.drawn(stream, outcomes);
        let (outcome, over) = self.writer.add_checked(low, index);
        let (_, beyond) = self.writer.add_checked(low, outcomes);
        let lent = self.writer.register(LENT);
        let is_lent = self.writer.equal(lent, one);
        let fails = [over, beyond].into_iter().fold(fails, |a, b| self.writer.either(a, b));
        let fails = self.writer.as_word(fails);
        let fits = self.writer.equal(fails, zero);
        let draws = self.writer.both(is_lent, fits);
        let branch = self.writer.begin_if(draws);
        self.go_on(stream, words);
        self.count_draw();
        self.writer.put(dst, outcome);
        let join = self.writer.otherwise(branch);
        self.called(op);
        self.writer.end(join);
        self.writer.set_register(BURNT, burnt);
    }

    /// The stream from which the table draws.
    pub(super) fn table_stream(&mut self) -> Spot {
        let zero = self.writer.number(0);
        self.writer.in_list(STREAMS, zero, STREAM, self.at)
    }

    pub(super) fn count_draw(&mut self) {
        let (count, one) = (self.writer.register(DRAWN), self.writer.number(1));
        let count = self.writer.add(count, one);
        self.writer.set_register(DRAWN, count);
    }

    /// What a stream gives next, as a seeded stream has it: one of so many outcomes, the words of the
    /// stream after it, and whether there is none, or another word must be drawn for it.
    pub(super) fn drawn(&mut self, stream: Spot, outcomes: Word) -> (Word, [Word; STREAM], Flag) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|word| self.writer.get_at(stream, word));
        let [by_17, by_23, by_32, by_45] = [17, 23, 32, 45].map(|by| self.writer.number(by));
        let sum = self.writer.add(a, d);
        let rotated = self.writer.rotate_up(sum, by_23);
        let word = self.writer.add(rotated, a);
        let (mixed_c, mixed_d) = (self.writer.differing(c, a), self.writer.differing(d, b));
        let shifted = self.writer.shift_up(b, by_17);
        let words = [
            self.writer.differing(a, mixed_d),
            self.writer.differing(b, mixed_c),
            self.writer.differing(mixed_c, shifted),
            self.writer.rotate_up(mixed_d, by_45),
        ];
        let half = self.writer.shift_down(word, by_32);
        let product = self.writer.multiply(half, outcomes);
        let all = self.writer.number(u32::MAX.into());
        let low = self.writer.and(product, all);
        // This is so, too, where there is no outcome, or where there are 2^32 and more.
        let is_unsure = self.writer.below(low, outcomes);
        let (zero, one) = (self.writer.number(0), self.writer.number(1));
        let few = self.writer.at_most(outcomes, all);
        let some = self.writer.at_most(one, outcomes);
        let fits = self.writer.both(few, some);
        let fits = self.writer.as_word(fits);
        let too_many = self.writer.equal(fits, zero);
        let fails = self.writer.either(is_unsure, too_many);
        (self.writer.shift_down(product, by_32), words, fails)
    }

    /// A stream goes on from words.
    pub(super) fn go_on(&mut self, stream: Spot, words: [Word; STREAM]) {
        for (at, word) in words.into_iter().enumerate() {
            self.writer.set_at(stream, at, word);
        }
    }

    /// Lets a random player decide among what was offered, or calls for a decision.
    pub(super) fn decide(&mut self, site: u16) {
        let Some((options, last)) = self.bound_here(site) else {
            return self.writer.consult(self.at);
        };
        let Wait::Decision { player, .. } = self.program.sites[usize::from(site)].wait else {
            unreachable!("a decision has the site of one")
        };
        let (zero, one) = (self.writer.number(0), self.writer.number(1));
        let (legal, left) = (self.writer.register(LEGAL), self.writer.register(LEFT));
        let most = self.writer.number(i64::try_from(MOST_MOVES).expect("a small number"));
        let others = self.writer.subtract(legal, one);
        let (many, late) = (self.writer.at_least(others, most), self.writer.at_most(left, zero));
        let asks = self.writer.either(many, late);
        self.writer.consult_if(asks, self.at);
        let (seat, apart) = (self.read(player), self.writer.register(APART));
        let number = self.writer.add(seat, one);
        let place = self.writer.multiply(number, apart);
        let stream = self.writer.in_list(STREAMS, place, STREAM, self.at);
        let (index, words, fails) = self.drawn(stream, legal);
        self.writer.consult_if(fails, self.at);
        self.go_on(stream, words);
        for (register, by) in [(LEFT, -1), (DECIDED, 1)] {
            let (number, by) = (self.writer.register(register), self.writer.number(by));
            let number = self.writer.add(number, by);
            self.writer.set_register(register, number);
        }
        let offered = self.writer.register(OFFERED);
        for register in [BURNT, OFFERED, LEGAL] {
            self.writer.set_register(register, zero);
        }
        // What was offered last may be all that was.
        if let Some(option) = last {
            let binds = &self.program.options[usize::from(option)].binds;
            let words: Vec<Word> =
                binds.parts().flat_map(|(slot, width)| self.read_set(slot, width)).collect();
            let length = self.writer.number(1 + i64::try_from(words.len()).expect("few words"));
            let is_all = self.writer.equal(offered, length);
            let branch = self.writer.begin_if(is_all);
            self.bind(option, &words, index);
            self.writer.end_if(branch);
        }
        self.bind_nth(&options, index);
    }

    /// The options that may be offered before a decision, and the one that is right before it, if the code
    /// can bind all of them.
    fn bound_here(&self, site: u16) -> Option<(Vec<u16>, Option<u16>)> {
        let begin = usize::from(self.program.sites[usize::from(site)].to);
        let listing = self.program.code.get(begin..self.at)?;
        let mut options = Vec::new();
        for op in listing {
            if let Op::Offer { option }
            | Op::OfferDecline { option }
            | Op::OfferDeclineAnyway { option } = *op
                && !options.contains(&option)
            {
                options.push(option);
            }
        }
        let fits = |option: &u16| {
            let binds = &self.program.options[usize::from(*option)].binds;
            let words: usize = binds.parts().map(|(_, width)| usize::from(width)).sum();
            let narrow = binds.factors.iter().all(|factor| factor.width <= MOST_SET);
            is_counted(binds) && words <= MOST_BOUND && narrow
        };
        let last = match listing.last() {
            Some(Op::Offer { option }) if !self.writer.is_leader(self.at) => Some(*option),
            _ => None,
        };
        (!options.is_empty() && options.iter().all(fits)).then_some((options, last))
    }

    /// Binds the choice with so many others before it, and goes on with what it does.
    fn bind_nth(&mut self, options: &[u16], index: Word) {
        let (zero, one) = (self.writer.number(0), self.writer.number(1));
        let (count_at, width_at) =
            (self.writer.number(COUNT.into()), self.writer.number(WIDTH.into()));
        let low = self.writer.number(0xffff);
        let at = self.at;
        let count = |writer: &mut astragal_native::Writer, begin| {
            let spot = writer.in_list(OFFERS, begin, 1, at);
            let word = writer.get_at(spot, 0);
            let count = writer.shift_down(word, count_at);
            (word, writer.subtract(count, one))
        };
        let passed = self.writer.go_round(
            &[zero, index],
            |writer, carried| {
                let (_, count) = count(writer, carried[0]);
                writer.at_most(count, carried[1])
            },
            |writer, carried| {
                let (word, count) = count(writer, carried[0]);
                let width = writer.shift_down(word, width_at);
                let width = writer.and(width, low);
                let behind = writer.add(carried[0], one);
                vec![writer.add(behind, width), writer.subtract(carried[1], count)]
            },
        );
        let (begin, index) = (passed[0], passed[1]);
        let spot = self.writer.in_list(OFFERS, begin, 1, at);
        let word = self.writer.get_at(spot, 0);
        let offered = self.writer.and(word, low);
        let begin = self.writer.add(begin, one);
        for option in options {
            let number = self.writer.number(i64::from(*option));
            let is_it = self.writer.equal(offered, number);
            let branch = self.writer.begin_if(is_it);
            let binds = &self.program.options[usize::from(*option)].binds;
            let width = binds.parts().map(|(_, width)| usize::from(width)).sum();
            let spot = self.writer.in_list(OFFERS, begin, width, at);
            let words: Vec<Word> = (0..width).map(|word| self.writer.get_at(spot, word)).collect();
            self.bind(*option, &words, index);
            self.writer.end_if(branch);
        }
        self.writer.leave(at);
    }

    /// Binds one of the choices that an option stands for, by its words, and goes on with what it does.
    fn bind(&mut self, option: u16, words: &[Word], index: Word) {
        let option = &self.program.options[usize::from(option)];
        let (fixed, taken) = option.binds.split();
        let mut words = words.iter().copied();
        for (slot, width) in fixed {
            for (slot, word) in (*slot..*slot + *width).zip(words.by_ref()) {
                self.writer.put(slot, word);
            }
        }
        let factors = &option.binds.factors;
        let sets: Vec<Vec<Word>> = factors
            .iter()
            .map(|factor| words.by_ref().take(factor.width.into()).collect())
            .collect();
        // The last factor counts least.
        let mut rest = index;
        for (at, factor) in factors.iter().enumerate().rev() {
            let mut way = rest;
            if at > 0 {
                let size = self.size(*factor, &sets[at]);
                (rest, way) = self.writer.divide(rest, size, self.at);
            }
            let member = self.member(*factor, &sets[at], way);
            self.writer.put(taken[at].0, member);
        }
        let body = self.program.sites[usize::from(option.body)].to;
        self.writer.jump(body.into());
    }

    /// One of the ways of a factor: none first, where it has that, then the members.
    fn member(&mut self, factor: Factor, set: &[Word], way: Word) -> Word {
        let none = self.writer.number(factor.or_none.into());
        let nth = self.writer.subtract(way, none);
        let place = self.nth(set, nth);
        let low = self.writer.number(factor.low);
        let member = self.writer.add(place, low);
        if !factor.or_none {
            return member;
        }
        let (zero, none) = (self.writer.number(0), self.writer.number(NONE));
        let is_none = self.writer.equal(way, zero);
        self.writer.select(is_none, none, member)
    }

    /// The place of the bit of a set with so many others before it.
    pub(super) fn nth(&mut self, set: &[Word], nth: Word) -> Word {
        // The word that it is in: so many bits come before each.
        let zero = self.writer.number(0);
        let (mut word, mut left, mut low) = (set[0], nth, zero);
        let mut before = zero;
        for (at, words) in (1..).zip(set.windows(2)) {
            let count = self.writer.count(words[0]);
            before = self.writer.add(before, count);
            let is_behind = self.writer.at_most(before, nth);
            let (rest, place) = (self.writer.subtract(nth, before), self.writer.number(64 * at));
            word = self.writer.select(is_behind, words[1], word);
            left = self.writer.select(is_behind, rest, left);
            low = self.writer.select(is_behind, place, low);
        }
        let (few, byte) = (self.writer.number(FEW), self.writer.number(0xff));
        let (eight, one) = (self.writer.number(8), self.writer.number(1));
        let skipped = self.writer.go_round(
            &[word, left, low],
            |writer, carried| writer.less(few, carried[1]),
            |writer, carried| {
                let lowest = writer.and(carried[0], byte);
                let count = writer.count(lowest);
                vec![
                    writer.shift_down(carried[0], eight),
                    writer.subtract(carried[1], count),
                    writer.add(carried[2], eight),
                ]
            },
        );
        let passed = self.writer.go_round(
            &skipped[..2],
            |writer, carried| writer.less(zero, carried[1]),
            |writer, carried| {
                let below = writer.subtract(carried[0], one);
                vec![writer.and(carried[0], below), writer.subtract(carried[1], one)]
            },
        );
        let place = self.writer.first(passed[0]);
        self.writer.add(skipped[2], place)
    }
}

/// Whether the code counts the choices that an option stands for.
fn is_counted(binds: &Binds) -> bool {
    let most = |factor: &Factor| 64 * i64::from(factor.width) + i64::from(factor.or_none);
    let most = binds.factors.iter().try_fold(1, |product: i64, factor| {
        let most = factor.taken.is_none().then(|| most(factor))?;
        product.checked_mul(most).filter(|product| *product <= MOST_COUNTED)
    });
    most.is_some()
}
