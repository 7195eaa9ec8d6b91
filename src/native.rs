//! Machine code for programs: each simple operation is written out, all others are left to the
//! interpreter.
//!
//! Where an operation would trap, the code leaves before it, and the interpreter carries it out. So
//! both ways of running a program have the same states, traps and fuel.

mod arithmetic;
mod cards;
mod jumps;
mod lists;
mod moves;
mod picks;
mod plan;
mod sets;
mod straight_offers;

use std::sync::Arc;

use astragal_native::{Code, Failure, Memory, Place, Shape, Word, Writer};

use self::arithmetic::Rounding;
use self::plan::{
    buffer_sizes, calls, entry_points, is_about_cards, is_written_out, leaders, may_jump,
};
use self::straight_offers::Listing;
use crate::bytecode::engine::{
    ALONE, ANYWAY, ASIDE, BURNT, DECLINES, EngineContext, MachineCode, OFFERED, OFFERS, PENDING,
    PUT_ASIDE, QUIET, Registers, STREAM, TEST_ALL, TEST_ENDS, TEST_FAILS, TEST_ONE, TESTING,
    TRACKS, UNHEARD, UNTESTED,
};
use crate::bytecode::{NONE, Op, Program};
use crate::vm::{MAX_REMEMBERED, STRETCH, WORDS_SEARCHED};

/// So many registers change all the time, and the processor holds them. The others lie in memory.
const SWIFT: usize = 4;

/// How many operations become machine code. Their time grows with the square of their number: 6,000 take 0.7 s, 16,000
/// take 4.6 s and 120 MB.
pub(crate) const MOST_OPERATIONS: usize = 8_192;

/// Gives a program machine code. If `marks`, the code says which operations it passes, and runs only for
/// those who ask that.
///
/// # Errors
/// This processor is not supported, or there is no memory.
pub fn accelerate(program: &Program, marks: bool) -> Result<(), Failure> {
    if program.code.len() > MOST_OPERATIONS {
        return Err(Failure::because(format!("more than {MOST_OPERATIONS} operations")));
    }
    let leaders = leaders(program);
    let entries = entry_points(program, &leaders);
    let begins: Vec<bool> =
        leaders.iter().zip(&entries).map(|(leads, enters)| leads | enters).collect();
    let (offers, aside) = buffer_sizes(program);
    let shape = Shape {
        words: program.slots + program.constants.len(),
        registers: SWIFT,
        cells: size_of::<Registers>() / size_of::<i64>() - SWIFT,
        marks: if marks { program.code.len() } else { 0 },
        lists: [offers, aside, STREAM * (program.players + 1)],
        leaders: &begins,
    };
    let code = Code::write(&shape, |writer| {
        let calls = calls(program);
        let listings = Listing::find_listings(program, &entries, writer);
        let tests = program.code.iter().any(|op| matches!(op, Op::TestNow { .. }));
        let mut translator =
            Translator { program, writer, calls: &calls, listings: &listings, at: 0, marks, tests };
        translator.write_code(&shape);
    })?;
    program.engine.install(Arc::new(Translated {
        code,
        entries,
        marks,
        room: buffer_sizes(program),
    }));
    Ok(())
}

#[derive(Debug)]
struct Translated {
    code: Code,
    entries: Vec<bool>,
    marks: bool,
    room: (usize, usize),
}

impl MachineCode for Translated {
    #[inline]
    fn run(&self, desk: EngineContext, at: usize) -> usize {
        let EngineContext { words, registers, marks, lists, called } = desk;
        self.code.run(Memory { words, registers, marks, lists, aid: Some(called) }, at)
    }

    fn buffer_sizes(&self) -> (usize, usize) {
        self.room
    }

    fn entry_points(&self) -> &[bool] {
        &self.entries
    }

    fn marks_operations(&self) -> bool {
        self.marks
    }

    fn size(&self) -> usize {
        self.code.size()
    }
}

struct Translator<'t, 'w> {
    program: &'t Program,
    writer: &'t mut Writer<'w>,
    calls: &'t [(u16, i64, usize)],
    listings: &'t [Listing],
    /// The operation that is being written.
    at: usize,
    marks: bool,
    /// Whether moves are tested on their own.
    tests: bool,
}

impl<'w> Translator<'_, 'w> {
    fn write_code(&mut self, shape: &Shape) {
        let code = self.program.code.as_slice();
        let begins = |at: usize| shape.leaders[at];
        for at in 0..code.len() {
            self.at = at;
            if begins(at) {
                self.writer.begin(at);
                self.listings.iter().for_each(|it| it.clear_counts(self.writer, at));
            } else if !self.writer.is_open() {
                // Nothing comes here but the interpreter.
                continue;
            }
            if !is_written_out(&code[at]) {
                self.writer.leave(at);
                continue;
            }
            // Marks are set for all operations up to the next place where others come to.
            let is_first = begins(at) || !is_written_out(&code[at - 1]) || may_jump(&code[at - 1]);
            if self.marks && is_first {
                let straight = |at: &usize| {
                    !begins(*at) && is_written_out(&code[*at]) && !may_jump(&code[*at - 1])
                };
                self.writer.mark(at, 1 + (at + 1..code.len()).take_while(straight).count());
            }
            self.operation(code[at]);
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per operation")]
    fn operation(&mut self, op: Op) {
        match op {
            Op::Jump { to } => self.writer.jump(to.into()),
            Op::Again { to } => {
                self.burn(1 + self.at.abs_diff(to.into()) / STRETCH);
                self.writer.jump(to.into());
            }
            Op::JumpIf { a, to } | Op::JumpIfNot { a, to } => {
                let word = self.read_slot(a);
                self.jump_where(word, matches!(op, Op::JumpIf { .. }), to);
            }
            Op::JumpEqual { a, b, to } => self.jump_if(Writer::equal, a, b, to),
            Op::JumpDifferent { a, b, to } => self.jump_if(Writer::differ, a, b, to),
            Op::JumpLess { a, b, to } => self.jump_if(Writer::less, a, b, to),
            Op::JumpAtMost { a, b, to } => self.jump_if(Writer::at_most, a, b, to),
            Op::Move { dst, src } => self.copy(dst, src, 1),
            Op::Copy { dst, src, width } => self.copy(dst, src, width),
            Op::Add { dst, a, b } => self.arith(Writer::add_checked, dst, a, b),
            Op::Subtract { dst, a, b } => self.arith(Writer::subtract_checked, dst, a, b),
            Op::Multiply { dst, a, b } => self.arith(Writer::multiply_checked, dst, a, b),
            Op::CeilDivide { dst, a, b } => self.emit_division(dst, a, b, Rounding::Up),
            Op::FloorDivide { dst, a, b } => self.emit_division(dst, a, b, Rounding::Down),
            Op::Modulo { dst, a, b } => self.emit_division(dst, a, b, Rounding::Rest),
            Op::Least { dst, a, b } => self.put_of(dst, a, b, Writer::least),
            Op::Greatest { dst, a, b } => self.put_of(dst, a, b, Writer::greatest),
            Op::Position { dst, a, low } => self.put_of(dst, a, low, Writer::subtract),
            Op::CutOff { a, high } => {
                // The driver sees what is cut off.
                let (a, high) = (self.read_slot(a), self.read_slot(high));
                let cut = self.writer.less(high, a);
                self.leave_if(cut);
            }
            Op::CheckRange { a, low, high } => {
                let a = self.read_slot(a);
                self.emit_range_check(a, low, high);
            }
            Op::Index { dst, a, low, count } => {
                let position = self.emit_position(a, low, count);
                self.writer.put(dst, position);
            }
            Op::CheckAmount { a } => {
                let a = self.read_slot(a);
                let low = self.writer.less(a, 0);
                self.leave_if(low);
            }
            Op::CheckPay { have, cost, low } => {
                let (have, cost, low) =
                    (self.read_slot(have), self.read_slot(cost), self.read_slot(low));
                let (rest, over) = self.writer.subtract_checked(have, low);
                self.leave_if(over);
                let short = self.writer.less(rest, cost);
                self.leave_if(short);
            }
            Op::CheckOne { a } => {
                let a = self.read_slot(a);
                let is_other = self.writer.differ(a, 1);
                self.leave_if(is_other);
            }
            Op::CheckSome { a } => {
                let a = self.read_slot(a);
                let is_none = self.writer.equal(a, NONE);
                self.leave_if(is_none);
            }
            Op::Scale { dst, a, size, b } => {
                let b = self.read_slot(b);
                self.put_scaled(dst, a, size, b);
            }
            Op::ScaleFrom { dst, a, size, b, low } => {
                let position = self.emit_position(b, low, size);
                self.put_scaled(dst, a, size, position);
            }
            Op::Load { dst, base, index, count } => {
                let place = self.element_place(base, count, 1, index);
                self.load(dst, place);
            }
            Op::Store { base, index, src, count } => {
                let place = self.element_place(base, count, 1, index);
                self.store(place, src);
            }
            Op::AddAt { base, index, count, b, range } => {
                let place = self.element_place(base, count, 1, index);
                let word = self.writer.get(place, 0);
                let more = self.read_slot(b);
                let sum = self.sum(Writer::add_checked, word, more);
                if self.constant_at(range) != Some(NONE) {
                    self.emit_range_check(sum, range, range + 1);
                }
                self.writer.set(place, 0, sum);
            }
            Op::LoadSet { dst, base, index, count, width } => {
                let place = self.element_place(base, count, width, index);
                self.load(dst, place);
            }
            Op::SetOf { dst, base, a, count, width } => {
                let a = self.read_slot(a);
                let is_none = self.writer.equal(a, NONE);
                let at = self.writer.select(is_none, i64::from(count - 1), a);
                let place = self.writer.element(base, count, width, at, self.at);
                self.load(dst, place);
            }
            Op::StoreSet { base, index, src, count, width } => {
                let place = self.element_place(base, count, width, index);
                self.store(place, src);
            }
            Op::NextPlayer { dst, a, count } => {
                let a = self.read_slot(a);
                let next = self.writer.add(a, 1);
                let is_last = self.writer.equal(next, i64::from(count));
                let next = self.writer.select(is_last, 0, next);
                self.writer.put(dst, next);
            }
            Op::PreviousPlayer { dst, a, count } => {
                let a = self.read_slot(a);
                let is_first = self.writer.equal(a, 0);
                let from = self.writer.select(is_first, i64::from(count), a);
                let previous = self.writer.subtract(from, 1);
                self.writer.put(dst, previous);
            }
            Op::CountUp { a, last, to } => self.count(a, last, to, 1),
            Op::CountDown { a, last, to } => self.count(a, last, to, -1),
            Op::WalkOn { at, base, row, count, to } => {
                let (cell, row) = (self.read_slot(at), self.read_slot(row));
                let index = self.writer.add(row, cell);
                let place = self.writer.element(base, count, 1, index, self.at);
                let cell = self.writer.get(place, 0);
                self.writer.put(at, cell);
                let ends = self.writer.equal(cell, NONE);
                self.writer.jump_if(ends, to.into());
            }
            Op::Call { to, link, site } => {
                self.burn(1);
                self.writer.put(link, i64::from(site));
                self.set_landing(to.into());
                self.writer.jump(to.into());
            }
            Op::Return { link } => self.go_back(link),
            Op::Suppose { of, .. } => {
                let burnt = self.burnt_with(1);
                let ranges = &self.program.suppositions[usize::from(of)];
                self.writer.put_aside(PUT_ASIDE, ASIDE, (ranges, of.into()), self.at);
                self.writer.set_register(BURNT, burnt);
                self.writer.set_register(QUIET, 1);
            }
            Op::Unsuppose { of, .. } => {
                let ranges = &self.program.suppositions[usize::from(of)];
                self.writer.take_back(PUT_ASIDE, ASIDE, ranges, self.at);
                let (aside, unheard) = (self.writer.register(ASIDE), self.writer.register(UNHEARD));
                let is_last = self.writer.equal(aside, 0);
                let quiet = self.writer.select(is_last, unheard, 1);
                self.writer.set_register(QUIET, quiet);
            }
            Op::Offer { option } => {
                self.offer(&self.program.options[usize::from(option)].binds, i64::from(option));
                // Where no test begins none ends.
                if self.tests {
                    self.writer.set_register(PENDING, 0);
                }
            }
            Op::TestNow { to } => {
                self.writer.set_register(PENDING, 1);
                let testing = self.writer.register(TESTING);
                let now = self.writer.equal(testing, TEST_ALL);
                self.writer.jump_if(now, to.into());
            }
            Op::Propose { proposal } => {
                let binds = &self.program.proposals[usize::from(proposal)].binds;
                self.offer(binds, UNTESTED | i64::from(proposal));
                self.uncounted();
            }
            Op::Decide { site } => self.decide(site),
            Op::Tested {} => {
                let testing = self.writer.register(TESTING);
                let is_one = self.writer.equal(testing, TEST_ONE);
                self.writer.consult_if(is_one, self.at);
                let pending = self.writer.register(PENDING);
                let fails = self.emit_not_zero(pending);
                let ended = self.writer.select(fails, TEST_FAILS, TEST_ENDS);
                self.writer.append(OFFERS, OFFERED, &[ended], self.at);
                self.uncounted();
            }
            Op::OfferDecline { option } => self.decline(option, DECLINES),
            Op::OfferDeclineAnyway { option } => self.decline(option, ANYWAY),
            Op::OfferDeclineAlone { option } => self.decline(option, ALONE),
            // Who asks for marks hears it from the interpreter.
            Op::BeginTurns { .. } if self.marks => self.writer.leave(self.at),
            Op::BeginTurns { .. } => {}
            Op::Quiet { to } => {
                let quiet = self.writer.register(QUIET);
                self.jump_where(quiet, true, to);
            }
            Op::Nth { .. } | Op::Find { .. } | Op::Times { .. } => {
                self.emit_call(op);
            }
            Op::Append { .. }
            | Op::TakeLast { .. }
            | Op::Element { .. }
            | Op::ElementOrNone { .. }
            | Op::LastElement { .. }
            | Op::Length { .. } => self.list_operation(op),
            Op::Draw { dst, outcomes, low, .. } => self.draw(op, [dst, outcomes, low]),
            Op::Deal { pile, to, left, cards, exit } => {
                self.deal(op, [pile, to, left], cards, exit);
            }
            Op::Remember { .. } | Op::Forget { .. } => {
                // What is only supposed is the interpreter's. The function tells how much fuel it burnt.
                let aside = self.writer.register(ASIDE);
                let supposes = self.emit_not_zero(aside);
                self.leave_if(supposes);
                let most = 1 + MAX_REMEMBERED / WORDS_SEARCHED;
                self.burnt_with(i64::try_from(most).expect("a small number"));
                let result = self.emit_engine_call(op);
                let burnt = self.writer.register(BURNT);
                let burnt = self.writer.add(burnt, result);
                self.writer.set_register(BURNT, burnt);
            }
            Op::Learn { .. } | Op::LoseSight { .. } => {
                // Nothing is to be done where nobody asks who knows which cards.
                let tracks = self.writer.register(TRACKS);
                let tracks = self.emit_not_zero(tracks);
                self.leave_if(tracks);
            }
            Op::Distinct { dst, set, width, together, cards } => {
                let info = &self.program.cards[usize::from(cards / 2)];
                self.distinct(op, [dst, set, width], together != 0, &info.runs);
            }
            op if is_about_cards(&op) => self.emit_call(op),
            op => self.set_operation(op),
        }
    }

    /// Calls for an operation, and goes on where it jumps; leaves before one that fails.
    fn emit_call(&mut self, op: Op) {
        let result = self.emit_engine_call(op);
        self.jump_called(op, result);
    }

    fn emit_engine_call(&mut self, op: Op) -> Word {
        let changed = op.operands().filter(|operand| operand.role.changes());
        let ranges = changed.map(|it| (it.value, u16::try_from(it.words).expect("few words")));
        // Where piles lie the operands do not say.
        let state = (0, u16::try_from(self.program.frame).expect("a state has few words"));
        let result = self.writer.aid(self.at, ranges.chain(is_about_cards(&op).then_some(state)));
        let fails = self.writer.less(result, 0);
        self.leave_if(fails);
        result
    }

    // Reading and writing.

    /// A number that is the same in every state.
    fn constant_at(&self, slot: u16) -> Option<i64> {
        let constant = usize::from(slot).checked_sub(self.program.slots)?;
        self.program.constants.get(constant).copied()
    }

    fn read_slot(&mut self, slot: u16) -> Word {
        match self.constant_at(slot) {
            Some(number) => self.writer.number(number),
            None => self.writer.word(slot),
        }
    }

    fn read_set(&mut self, slot: u16, width: u16) -> Vec<Word> {
        (slot..slot + width).map(|slot| self.read_slot(slot)).collect()
    }

    fn put_set(&mut self, dst: u16, words: impl IntoIterator<Item = Word>) {
        (dst..).zip(words).for_each(|(slot, word)| self.writer.put(slot, word));
    }

    /// Copies words, as if one after the other.
    fn copy(&mut self, dst: u16, src: u16, width: u16) {
        for at in 0..width {
            let word = self.read_slot(src + at);
            self.writer.put(dst + at, word);
        }
    }

    fn load(&mut self, dst: u16, place: Place) {
        for at in 0..place.width() {
            let word = self.writer.get(place, at);
            self.writer.put(dst + at, word);
        }
    }

    fn store(&mut self, place: Place, src: u16) {
        for at in 0..place.width() {
            let word = self.read_slot(src + at);
            self.writer.set(place, at, word);
        }
    }

    fn put_scaled(&mut self, dst: u16, a: u16, size: u16, rest: Word) {
        let a = self.read_slot(a);
        let scaled = self.writer.multiply(a, i64::from(size));
        let sum = self.writer.add(scaled, rest);
        self.writer.put(dst, sum);
    }

    fn element_place(&mut self, base: u16, count: u16, width: u16, index: u16) -> Place {
        let index = self.read_slot(index);
        self.writer.element(base, count, width, index, self.at)
    }

    fn put_of(
        &mut self,
        dst: u16,
        a: u16,
        b: u16,
        what: impl Fn(&mut Writer<'w>, Word, Word) -> Word,
    ) {
        let (a, b) = (self.read_slot(a), self.read_slot(b));
        let result = what(self.writer, a, b);
        self.writer.put(dst, result);
    }
}
