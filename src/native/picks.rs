//! Offers, and what random players make of them: where a driver lends its streams, the code draws from
//! them itself.

use astragal_native::{Flag, Spot, Word, Writer};

use crate::bytecode::engine::{
    ALONE, ANYWAY, APART, BURNT, DRAWN, LEFT, LEGAL, LENT, OFFERED, OFFERS, PASSES, STREAM,
    STREAM_BITS, STREAM_WORDS, STREAMS, UNCOUNTED, UNHEARD, WIDTH,
};
use crate::bytecode::{Binds, Factor, NONE, Op, Wait};
use crate::native::Translator;
use crate::native::straight_offers::offered;
use crate::vm::MOST_MOVES;

/// Nothing is legal but to decline, by an option whose number stands from bit [`FORCED_BY`] on.
const FORCED: i64 = 1 << 61;
/// The number of an option is added to [`FORCED`] above all counts.
const FORCED_BY: u32 = 45;
/// One more than the number of choices, or 0 where the code did not count them.
const COUNT: u32 = 37;
/// The code counts no more choices of an option than this.
const MOST_COUNTED: i64 = (1 << (62 - COUNT)) - 1;

/// What an option binds has at most so many words where the code binds it.
const MOST_BOUND: usize = 24;
/// A set that one is taken from has at most so many words there.
pub(super) const MOST_SET: u16 = 4;
/// Among so many bits one is found by clearing those before it.
const FEW: i64 = 8;

impl Translator<'_, '_> {
    pub(super) fn offer(&mut self, binds: &Binds, word: i64) {
        let width: i64 = binds.parts().map(|(_, width)| i64::from(width)).sum();
        let word = self.writer.number(word | width << WIDTH);
        let count = self.count_choices(binds);
        let mut words = vec![word];
        if let Some(count) = count {
            let legal = self.writer.register(LEGAL);
            let legal = self.writer.add(legal, count);
            self.writer.set_register(LEGAL, legal);
            self.note_offered(count);
            words[0] = self.counted(word, count);
        } else {
            self.uncounted();
        }
        for (slot, width) in binds.parts() {
            words.extend(self.read_set(slot, width));
        }
        self.writer.append(OFFERS, OFFERED, &words, self.at);
    }

    /// The word of an option that stands for so many choices.
    fn counted(&mut self, word: Word, count: Word) -> Word {
        let count = self.writer.add(count, 1);
        let count = self.writer.shift_up(count, i64::from(COUNT));
        self.writer.or(word, count)
    }

    /// Emits the number of choices of an option; none where that may overflow.
    fn count_choices(&mut self, binds: &Binds) -> Option<Word> {
        if !is_counted(binds) {
            return None;
        }
        let mut count = self.writer.number(1);
        for factor in &binds.factors {
            let words = self.read_set(factor.set, factor.width);
            let size = self.factor_size(*factor, &words);
            count = self.writer.multiply(count, size);
        }
        Some(count)
    }

    fn factor_size(&mut self, factor: Factor, words: &[Word]) -> Word {
        let members = self.bits_in(words);
        self.writer.add(i64::from(factor.or_none), members)
    }

    /// To decline is one more choice, if there is another, if it is one anyway, or if there is no other; else
    /// it may be forced.
    pub(super) fn decline(&mut self, option: u16, how: i64) {
        let (word, one) = (self.writer.number(how | i64::from(option)), self.writer.number(1));
        let word = self.counted(word, one);
        self.note_offered(one);
        self.writer.append(OFFERS, OFFERED, &[word], self.at);
        let legal = self.writer.register(LEGAL);
        let more = self.writer.add(legal, 1);
        let (is_choice, otherwise) = match how {
            ANYWAY => (self.writer.at_most(0, legal), legal),
            ALONE => (self.writer.equal(legal, 0), legal),
            _ => (self.writer.less(0, legal), self.writer.number(forced(option))),
        };
        let legal = self.writer.select(is_choice, more, otherwise);
        self.writer.set_register(LEGAL, legal);
    }

    /// There is more to the choices from here on than to count them.
    pub(super) fn uncounted(&mut self) {
        self.writer.set_register(LEGAL, UNCOUNTED);
    }

    /// Draws an outcome; calls for that if nobody lends a stream.
    pub(super) fn draw(&mut self, op: Op, [dst, outcomes, low]: [u16; 3]) {
        let burnt = self.burnt_with(1);
        let is_plain = match (self.constant_at(outcomes), self.constant_at(low)) {
            (Some(outcomes), Some(low)) => {
                (1..1 << 32).contains(&outcomes) && low.checked_add(outcomes).is_some()
            }
            _ => false,
        };
        let (outcomes, low) = (self.read_slot(outcomes), self.read_slot(low));
        let stream = self.table_stream();
        let (index, words, unsure) = self.emit_draw(stream, outcomes);
        let (outcome, over) = self.writer.add_checked(low, index);
        let mut fails = unsure;
        if !is_plain {
            let (_, beyond) = self.writer.add_checked(low, outcomes);
            let is_no_range = self.emit_no_range(outcomes);
            let wrong = [over, beyond, is_no_range];
            fails = wrong.into_iter().fold(fails, |a, b| self.writer.either(a, b));
        }
        let (fails, lent) = (self.writer.as_word(fails), self.writer.register(LENT));
        let draws = self.writer.less(fails, lent);
        let branch = self.writer.begin_if(draws);
        self.go_on(stream, words);
        self.count_draw();
        self.writer.put(dst, outcome);
        let join = self.writer.otherwise(branch);
        self.emit_engine_call(op);
        self.writer.end(join);
        self.writer.set_register(BURNT, burnt);
    }

    /// The stream from which the table draws.
    pub(super) fn table_stream(&mut self) -> Spot {
        self.writer.in_list(STREAMS, 0, STREAM, self.at)
    }

    pub(super) fn count_draw(&mut self) {
        let count = self.writer.register(DRAWN);
        let count = self.writer.add(count, 1);
        self.writer.set_register(DRAWN, count);
    }

    /// Emits a draw below `outcomes`, which is below 2^32: the outcome, the next words of the stream, and whether
    /// another word must be drawn.
    pub(super) fn emit_draw(
        &mut self,
        stream: Spot,
        outcomes: Word,
    ) -> (Word, [Word; STREAM_WORDS], Flag) {
        let [a, b, c, d, half] = [0, 1, 2, 3, 4].map(|word| self.writer.get_at(stream, word));
        let (mixed_c, mixed_d) = (self.writer.differing(c, a), self.writer.differing(d, b));
        let shifted = self.writer.shift_up(b, 17);
        let (next_a, next_d) =
            (self.writer.differing(a, mixed_d), self.writer.rotate_up(mixed_d, 45));
        let sum = self.writer.add(next_a, next_d);
        let rotated = self.writer.rotate_up(sum, 23);
        let word = self.writer.add(rotated, next_a);
        let words = [
            next_a,
            self.writer.differing(b, mixed_c),
            self.writer.differing(mixed_c, shifted),
            next_d,
            self.writer.shift_down(word, 32),
        ];
        let product = self.writer.multiply(half, outcomes);
        let low = self.writer.and(product, i64::from(u32::MAX));
        let is_unsure = self.writer.below(low, outcomes);
        (self.writer.shift_down(product, 32), words, is_unsure)
    }

    /// Emits whether a draw is impossible: from no outcomes, or from 2^32 and more.
    fn emit_no_range(&mut self, outcomes: Word) -> Flag {
        let others = self.writer.subtract(outcomes, 1);
        self.writer.at_least(others, i64::from(u32::MAX))
    }

    /// A stream goes on from words.
    pub(super) fn go_on(&mut self, stream: Spot, words: [Word; STREAM_WORDS]) {
        for (at, word) in words.into_iter().enumerate() {
            self.writer.set_at(stream, at, word);
        }
    }

    /// Lets a random player decide among what was offered, or calls for a decision.
    pub(super) fn decide(&mut self, site: u16) {
        let Some(options) = self.bound_before(site) else { return self.writer.consult(self.at) };
        let Wait::Decision { player, otherwise, .. } = self.program.sites[usize::from(site)].wait
        else {
            unreachable!("a decision has the site of one")
        };
        let listing = self.listings.iter().find(|it| it.end == self.at);
        let granted = self.writer.register(LEFT);
        let late = self.writer.at_most(granted, 0);
        self.writer.consult_if(late, self.at);
        self.decline_forced(site, otherwise);
        let stream = self.stream_of(player);
        let legal = self.writer.register(LEGAL);
        let (index, words, mut fails) = self.emit_draw(stream, legal);
        if let Some(whole) = listing.and_then(|listing| listing.whole) {
            // A run that began behind the first of the offers has not seen all.
            let whole = self.writer.get_local(whole);
            let partial = self.writer.equal(whole, 0);
            fails = self.writer.either(fails, partial);
        }
        self.writer.consult_if(fails, self.at);
        self.go_on(stream, words);
        let granted = self.writer.subtract(granted, 1);
        self.writer.set_register(LEFT, granted);
        for register in [BURNT, OFFERED, LEGAL, PASSES] {
            self.writer.set_register(register, 0);
        }
        match listing {
            Some(listing) => self.bind_listed(listing, index),
            None => self.bind_nth(&options, index),
        }
    }

    /// The stream of a player, or the one for all.
    fn stream_of(&mut self, player: u16) -> Spot {
        let seat = self.read_slot(player);
        let number = self.writer.add(seat, 1);
        let place = self.writer.shift_up(number, STREAM_BITS);
        let apart = self.writer.register(APART);
        let place = self.writer.and(place, apart);
        self.writer.in_list(STREAMS, place, STREAM, self.at)
    }

    /// Emits declining where nothing is legal, or a call for a decision where that is unknown.
    fn decline_forced(&mut self, site: u16, otherwise: Option<u16>) {
        let legal = self.writer.register(LEGAL);
        let others = self.writer.subtract(legal, 1);
        let most = i64::try_from(MOST_MOVES).expect("a small number");
        let special = self.writer.at_least(others, most);
        let branch = self.writer.begin_if(special);
        // Where the decision says what follows nobody hears that somebody declines, else others may.
        let quiet = match otherwise {
            Some(_) => self.writer.number(1),
            None => self.writer.register(UNHEARD),
        };
        let quiet = self.writer.equal(quiet, 1);
        let nothing = otherwise.map(|to| (0, to));
        let declines = |op: &Op| match *op {
            Op::OfferDecline { option } => Some(option),
            _ => None,
        };
        let declining = self.listed_before(site).iter().filter_map(declines).map(|option| {
            let body = self.program.options[usize::from(option)].body;
            let to = otherwise.unwrap_or(self.program.sites[usize::from(body)].to);
            (forced(option), to)
        });
        let ways: Vec<(i64, u16)> = nothing.into_iter().chain(declining).collect();
        for (number, to) in ways {
            let is_it = self.writer.equal(legal, number);
            let is_it = self.writer.both(is_it, quiet);
            self.go_on_undecided(is_it, to);
        }
        self.writer.consult(self.at);
        self.writer.end_if(branch);
    }

    fn go_on_undecided(&mut self, holds: Flag, to: u16) {
        // Too many of them are left to the interpreter, as decisions are.
        let (passes, most) = (self.writer.register(PASSES), self.writer.register(LEFT));
        let is_early = self.writer.below(passes, most);
        let holds = self.writer.both(holds, is_early);
        let branch = self.writer.begin_if(holds);
        for register in [OFFERED, LEGAL] {
            self.writer.set_register(register, 0);
        }
        let passes = self.writer.add(passes, 1);
        self.writer.set_register(PASSES, passes);
        self.writer.jump(to.into());
        self.writer.end_if(branch);
    }

    /// The operations that list the moves of the decision that is being written.
    fn listed_before(&self, site: u16) -> &[Op] {
        let begin = usize::from(self.program.sites[usize::from(site)].to);
        self.program.code.get(begin..self.at).unwrap_or_default()
    }

    /// The options that may be offered before a decision, if the code can bind all of them.
    fn bound_before(&self, site: u16) -> Option<Vec<u16>> {
        let mut options: Vec<u16> = self.listed_before(site).iter().filter_map(offered).collect();
        options.sort_unstable();
        options.dedup();
        let fits = |option: &u16| is_bound(&self.program.options[usize::from(*option)].binds);
        (!options.is_empty() && options.iter().all(fits)).then_some(options)
    }

    /// Binds the choice with so many others before it, and goes on with what it does.
    fn bind_nth(&mut self, options: &[u16], index: Word) {
        let (zero, low, at) = (self.writer.number(0), 0xffff_i64, self.at);
        let count = |writer: &mut Writer, begin| {
            let spot = writer.in_list(OFFERS, begin, 1, at);
            let word = writer.get_at(spot, 0);
            let count = writer.shift_down(word, i64::from(COUNT));
            (word, writer.subtract(count, 1))
        };
        let passed = self.writer.go_round(
            &[zero, index],
            |writer, carried| {
                let (_, count) = count(writer, carried[0]);
                writer.at_most(count, carried[1])
            },
            |writer, carried| {
                let (word, count) = count(writer, carried[0]);
                let width = writer.shift_down(word, i64::from(WIDTH));
                let width = writer.and(width, low);
                let behind = writer.add(carried[0], 1);
                vec![writer.add(behind, width), writer.subtract(carried[1], count)]
            },
        );
        let (begin, index) = (passed[0], passed[1]);
        let spot = self.writer.in_list(OFFERS, begin, 1, at);
        let word = self.writer.get_at(spot, 0);
        let offered = self.writer.and(word, low);
        let begin = self.writer.add(begin, 1);
        for option in options {
            let is_it = self.writer.equal(offered, i64::from(*option));
            let branch = self.writer.begin_if(is_it);
            let binds = &self.program.options[usize::from(*option)].binds;
            let width = binds.parts().map(|(_, width)| usize::from(width)).sum();
            let spot = self.writer.in_list(OFFERS, begin, width, at);
            let words: Vec<Word> = (0..width).map(|word| self.writer.get_at(spot, word)).collect();
            self.emit_binds(*option, &words, index);
            self.writer.end_if(branch);
        }
        self.writer.leave(at);
    }

    /// Binds one of the choices that an option stands for, by its words, and goes on with what it does.
    pub(super) fn emit_binds(&mut self, option: u16, words: &[Word], index: Word) {
        let option = &self.program.options[usize::from(option)];
        let (fixed, taken) = option.binds.split();
        let mut words = words.iter().copied();
        for (slot, width) in fixed {
            self.put_set(*slot, words.by_ref().take((*width).into()));
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
                let size = self.factor_size(*factor, &sets[at]);
                (rest, way) = self.writer.divide(rest, size, self.at);
            }
            let member = self.nth_member(*factor, &sets[at], way);
            self.writer.put(taken[at].0, member);
        }
        let body = self.program.sites[usize::from(option.body)].to;
        self.writer.jump(body.into());
    }

    /// One of the ways of a factor: none first, where it has that, then the members.
    fn nth_member(&mut self, factor: Factor, set: &[Word], way: Word) -> Word {
        let nth = self.writer.subtract(way, i64::from(factor.or_none));
        let place = self.nth(set, nth, factor.most.into());
        let member = self.writer.add(place, factor.low);
        if !factor.or_none {
            return member;
        }
        let is_none = self.writer.equal(way, 0);
        self.writer.select(is_none, NONE, member)
    }

    /// The member of a set with so many others before it. There are at most so many members.
    pub(super) fn nth(&mut self, set: &[Word], nth: Word, most: i64) -> Word {
        // The word that it is in: so many bits come before each.
        let zero = self.writer.number(0);
        let (mut word, mut left, mut low) = (set[0], nth, zero);
        let mut before = zero;
        for (at, words) in (1_i64..).zip(set.windows(2)) {
            let count = self.writer.count(words[0]);
            before = self.writer.add(before, count);
            let is_behind = self.writer.at_most(before, nth);
            let rest = self.writer.subtract(nth, before);
            word = self.writer.select(is_behind, words[1], word);
            left = self.writer.select(is_behind, rest, left);
            low = self.writer.select(is_behind, 64 * at, low);
        }
        // Halves, as long as there are many: no jump depends on what was drawn.
        let most = if set.len() > 1 { 64 } else { most.min(64) };
        let mut bits = FEW;
        while bits < most {
            bits *= 2;
        }
        while bits > FEW {
            bits /= 2;
            let here = self.writer.and(word, (1_i64 << bits) - 1);
            let count = self.writer.count(here);
            let is_behind = self.writer.at_most(count, left);
            let (behind, rest) =
                (self.writer.shift_down(word, bits), self.writer.subtract(left, count));
            let place = self.writer.add(low, bits);
            word = self.writer.select(is_behind, behind, word);
            left = self.writer.select(is_behind, rest, left);
            low = self.writer.select(is_behind, place, low);
        }
        let mut rest = word;
        for nth in 1..bits.min(most) {
            let below = self.writer.subtract(rest, 1);
            rest = self.writer.and(rest, below);
            let is_behind = self.writer.at_most(nth, left);
            word = self.writer.select(is_behind, rest, word);
        }
        let place = self.writer.first(word);
        self.writer.add(low, place)
    }
}

/// The number of legal choices that stands for declining by an option.
fn forced(option: u16) -> i64 {
    FORCED | i64::from(option) << FORCED_BY
}

/// Whether the code can bind each of the choices that an option stands for.
pub(super) fn is_bound(binds: &Binds) -> bool {
    let words: usize = binds.parts().map(|(_, width)| usize::from(width)).sum();
    let narrow = binds.factors.iter().all(|factor| factor.width <= MOST_SET);
    is_counted(binds) && words <= MOST_BOUND && narrow
}

/// Whether the code counts the choices that an option stands for.
fn is_counted(binds: &Binds) -> bool {
    let most = |factor: &Factor| i64::from(factor.most) + i64::from(factor.or_none);
    let most = binds.factors.iter().try_fold(1, |product: i64, factor| {
        let most = factor.taken.is_none().then(|| most(factor))?;
        product.checked_mul(most).filter(|product| *product <= MOST_COUNTED)
    });
    most.is_some()
}
