//! Machine code for programs: each simple operation is written out, all others are left to the
//! interpreter.
//!
//! Where an operation would trap, the code leaves before it, and the interpreter carries it out. So
//! both ways of running a program have the same states, traps and fuel.

mod cards;
mod listing;
mod lists;
mod picks;
mod sets;

use std::sync::Arc;

use astragal_native::{Code, Failure, Flag, Memory, Place, Shape, Word, Writer};

use self::listing::Listing;
use crate::bytecode::engine::{
    ANYWAY, ASIDE, BURNT, DECLINES, Desk, LANDING, MachineCode, OFFERED, PENDING, QUIET, Registers,
    STREAM, SWIFT, TEST_ALL, TEST_ENDS, TEST_FAILS, TEST_ONE, TESTING, TRACKS, UNHEARD, UNTESTED,
};
use crate::bytecode::{MOST_IN_SUBSETS, NONE, Op, Operand, Program, Role, Wait};
use crate::vm::{FUEL, MAX_REMEMBERED, STRETCH, WORDS_MOVED};

/// Operations on more words than this are left to the interpreter: written out they are long.
const MOST_WORDS: u16 = 160;

/// Arrays with more sets than this, one for each value, are left to the interpreter.
const MOST_VALUES: u16 = 16;

/// How many words of offers a run can make before the interpreter takes them.
const OFFERS: usize = 1024;

/// How often something can be supposed inside of something supposed, within one run.
const SUPPOSED: usize = 8;

/// Where a supposition puts more words than this aside, the interpreter does it.
const MOST_ASIDE: usize = 4096;

/// Gives a program machine code. If `marks`, the code says which operations it passes, and runs only for
/// those who ask that.
///
/// # Errors
/// This processor is not supported, or there is no memory.
pub fn accelerate(program: &Program, marks: bool) -> Result<(), Failure> {
    let leaders = leaders(program);
    let entries = entries(program, &leaders);
    let begins: Vec<bool> =
        leaders.iter().zip(&entries).map(|(leads, enters)| leads | enters).collect();
    let (offers, aside) = room(program);
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
        let listings = Listing::all(program, &entries, writer);
        let tests = program.code.iter().any(|op| matches!(op, Op::TestNow { .. }));
        let mut translator =
            Translator { program, writer, calls: &calls, listings: &listings, at: 0, marks, tests };
        translator.write(&shape);
    })?;
    program.engine.set(Arc::new(Translated { code, entries, marks, room: room(program) }));
    Ok(())
}

#[derive(Debug)]
struct Translated {
    code: Code,
    entries: Vec<bool>,
    marks: bool,
    room: (usize, usize),
}

/// How many words of offers, and of what is put aside, there must be room for.
fn room(program: &Program) -> (usize, usize) {
    let offers = program.code.iter().any(|op| matches!(op, Op::Offer { .. }));
    let words = |ranges: &Vec<(u16, u16)>| {
        1 + ranges.iter().map(|(_, width)| usize::from(*width)).sum::<usize>()
    };
    let most = program.suppositions.iter().map(words).max().unwrap_or(0);
    let aside = if most <= MOST_ASIDE { SUPPOSED * most } else { 0 };
    (if offers { OFFERS } else { 0 }, aside)
}

impl MachineCode for Translated {
    #[inline]
    fn run(&self, desk: Desk, at: usize) -> usize {
        let Desk { words, registers, marks, offers, aside, streams, called } = desk;
        let lists = [offers, aside, streams];
        self.code.run(Memory { words, registers, marks, lists, aid: Some(called) }, at)
    }

    fn room(&self) -> (usize, usize) {
        self.room
    }

    fn entries(&self) -> &[bool] {
        &self.entries
    }

    fn marks(&self) -> bool {
        self.marks
    }

    fn size(&self) -> usize {
        self.code.size()
    }
}

/// Where code may jump to, and where states go on.
fn leaders(program: &Program) -> Vec<bool> {
    let mut leaders = vec![false; program.code.len()];
    program.sites.iter().for_each(|site| leaders[usize::from(site.to)] = true);
    program.proposals.iter().for_each(|it| leaders[usize::from(it.test)] = true);
    for site in &program.sites {
        if let Wait::Decision { otherwise: Some(to), .. } = site.wait {
            leaders[usize::from(to)] = true;
        }
    }
    let operands = program.code.iter().flat_map(Op::operands);
    for operand in operands.filter(|operand: &Operand| operand.role == Role::To) {
        leaders[usize::from(operand.value)] = true;
    }
    leaders
}

/// Where the interpreter enters machine code: at the first operation of machine code after one that the
/// interpreter does itself, or where the interpreter may have jumped.
fn entries(program: &Program, leaders: &[bool]) -> Vec<bool> {
    let code = program.code.as_slice();
    // To enter for one operation does not pay, but what it leads to may. Nor does it for one that is called.
    let is_called = |op: &Op| matches!(op, Op::Draw { .. } | Op::Deal { .. } | Op::Decide { .. });
    let is_out = |at: usize| code.get(at).is_some_and(|op| is_written_out(op) && !is_called(op));
    let pays = |at: usize| {
        is_out(at) && (is_out(at + 1) || matches!(code[at], Op::Jump { .. } | Op::Again { .. }))
    };
    let follows = |at: usize| at > 0 && !is_out(at - 1);
    (0..code.len()).map(|at| (leaders[at] || follows(at)) && pays(at)).collect()
}

/// For each slot that keeps links, the sites that it may hold and where these go on.
fn calls(program: &Program) -> Vec<(u16, i64, usize)> {
    let call = |op: &Op| match *op {
        Op::Call { link, site, .. } => {
            let to = program.sites[usize::from(site)].to;
            Some((link, i64::from(site), usize::from(to)))
        }
        _ => None,
    };
    program.code.iter().filter_map(call).collect()
}

/// Whether an operation becomes code; the interpreter does the others.
fn is_written_out(op: &Op) -> bool {
    let short = |count: u16, width: u16| {
        count.checked_mul(width).is_some_and(|words| words <= MOST_WORDS) && count <= 64
    };
    match *op {
        Op::JumpAnyWithin { count, width, .. } | Op::JumpNoneWithin { count, width, .. } => {
            count.checked_mul(width).is_some_and(|words| words <= MOST_WORDS)
        }
        Op::LoadValue { count, .. } | Op::StoreValue { count, .. } => count <= MOST_VALUES,
        Op::WhereEqual { count, .. } | Op::WhereBelow { count, .. } | Op::WhereIn { count, .. } => {
            short(count, 1)
        }
        Op::SelectWithin { count, width, .. } | Op::SelectMeeting { count, width, .. } => {
            short(count, width)
        }
        // What it joins must not change on the way.
        Op::UnionOf { dst, base, count, of, width } => {
            let apart = |from: u16, words: usize| {
                let (dst, from) = (usize::from(dst), usize::from(from));
                dst + usize::from(width) <= from || from + words <= dst
            };
            apart(base, usize::from(count) * usize::from(width))
                && apart(of, usize::from(count).div_ceil(64))
        }
        Op::UnionMoved { dst, of, count, width, .. } => {
            let apart = of + width <= dst || dst + width <= of;
            apart && count.checked_mul(width).is_some_and(|words| words <= MOST_WORDS)
        }
        Op::Push { .. }
        | Op::Pull { .. }
        | Op::Forget { .. }
        | Op::Words { .. }
        | Op::Print { .. }
        | Op::PrintSet { .. }
        | Op::Tell { .. }
        | Op::FinishDraw {}
        | Op::FinishWin { .. }
        | Op::FinishRanking { .. }
        | Op::Stop {}
        | Op::PrintPile { .. }
        | Op::NoFinish {} => false,
        _ => true,
    }
}

fn is_about_cards(op: &Op) -> bool {
    op.operands().any(|operand| operand.role == Role::Cards)
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
    fn write(&mut self, shape: &Shape) {
        let code = self.program.code.as_slice();
        let begins = |at: usize| shape.leaders[at];
        for at in 0..code.len() {
            self.at = at;
            if begins(at) {
                self.writer.begin(at);
                self.listings.iter().for_each(|it| it.begin(self.writer, at));
            } else if !self.writer.is_open() {
                // Nothing comes here but the interpreter.
                continue;
            }
            if !is_written_out(&code[at]) {
                self.writer.leave(at);
                continue;
            }
            // Marks are set for all operations up to the next place where others come to.
            let is_first = begins(at) || !is_written_out(&code[at - 1]) || jumps(&code[at - 1]);
            if self.marks && is_first {
                let straight = |at: &usize| {
                    !begins(*at) && is_written_out(&code[*at]) && !jumps(&code[*at - 1])
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
            Op::JumpIf { a, to } => self.jump_zero(a, false, to),
            Op::JumpIfNot { a, to } => self.jump_zero(a, true, to),
            Op::JumpEqual { a, b, to } => self.jump_if(Writer::equal, a, b, to),
            Op::JumpDifferent { a, b, to } => self.jump_if(Writer::differ, a, b, to),
            Op::JumpLess { a, b, to } => self.jump_if(Writer::less, a, b, to),
            Op::JumpAtMost { a, b, to } => self.jump_if(Writer::at_most, a, b, to),
            Op::Move { dst, src } => {
                let word = self.read(src);
                self.writer.put(dst, word);
            }
            Op::Copy { dst, src, width } => {
                for at in 0..width {
                    let word = self.read(src + at);
                    self.writer.put(dst + at, word);
                }
            }
            Op::Add { dst, a, b } => self.arith(Writer::add_checked, dst, a, b),
            Op::Subtract { dst, a, b } => self.arith(Writer::subtract_checked, dst, a, b),
            Op::Multiply { dst, a, b } => self.arith(Writer::multiply_checked, dst, a, b),
            Op::CeilDivide { dst, a, b } => self.divide(dst, a, b, Rounding::Up),
            Op::FloorDivide { dst, a, b } => self.divide(dst, a, b, Rounding::Down),
            Op::Modulo { dst, a, b } => self.divide(dst, a, b, Rounding::Rest),
            Op::Least { dst, a, b } => self.put_of(dst, a, b, Writer::least),
            Op::Greatest { dst, a, b } => self.put_of(dst, a, b, Writer::greatest),
            Op::Position { dst, a, low } => self.put_of(dst, a, low, Writer::subtract),
            Op::CutOff { a, high } => {
                // The driver sees what is cut off.
                let (a, high) = (self.read(a), self.read(high));
                let cut = self.writer.less(high, a);
                self.leave_if(cut);
            }
            Op::CheckRange { a, low, high } => {
                let a = self.read(a);
                self.check_range(a, low, high);
            }
            Op::Index { dst, a, low, count } => {
                let position = self.position(a, low, count);
                self.writer.put(dst, position);
            }
            Op::CheckAmount { a } => {
                let (a, zero) = (self.read(a), self.writer.number(0));
                let low = self.writer.less(a, zero);
                self.leave_if(low);
            }
            Op::CheckPay { have, cost, low } => {
                let (have, cost, low) = (self.read(have), self.read(cost), self.read(low));
                let (rest, over) = self.writer.subtract_checked(have, low);
                self.leave_if(over);
                let short = self.writer.less(rest, cost);
                self.leave_if(short);
            }
            Op::CheckSome { a } => {
                let (a, none) = (self.read(a), self.writer.number(NONE));
                let is_none = self.writer.equal(a, none);
                self.leave_if(is_none);
            }
            Op::Scale { dst, a, size, b } => {
                let (a, b, size) = (self.read(a), self.read(b), self.writer.number(size.into()));
                let scaled = self.writer.multiply(a, size);
                let sum = self.writer.add(scaled, b);
                self.writer.put(dst, sum);
            }
            Op::ScaleFrom { dst, a, size, b, low } => {
                let position = self.position(b, low, size);
                let (a, size) = (self.read(a), self.writer.number(size.into()));
                let scaled = self.writer.multiply(a, size);
                let sum = self.writer.add(scaled, position);
                self.writer.put(dst, sum);
            }
            Op::Load { dst, base, index, count } => {
                let place = self.element(base, count, 1, index);
                let word = self.writer.get(place, 0);
                self.writer.put(dst, word);
            }
            Op::Store { base, index, src, count } => {
                let place = self.element(base, count, 1, index);
                let word = self.read(src);
                self.writer.set(place, 0, word);
            }
            Op::AddAt { base, index, count, b, range } => {
                let place = self.element(base, count, 1, index);
                let word = self.writer.get(place, 0);
                let more = self.read(b);
                let sum = self.sum(Writer::add_checked, word, more);
                if self.constant(range) != Some(NONE) {
                    self.check_range(sum, range, range + 1);
                }
                self.writer.set(place, 0, sum);
            }
            Op::LoadSet { dst, base, index, count, width } => {
                let place = self.element(base, count, width, index);
                for at in 0..width {
                    let word = self.writer.get(place, at);
                    self.writer.put(dst + at, word);
                }
            }
            Op::SetOf { dst, base, a, count, width } => {
                let (a, none) = (self.read(a), self.writer.number(NONE));
                let (is_none, last) =
                    (self.writer.equal(a, none), self.writer.number((count - 1).into()));
                let at = self.writer.select(is_none, last, a);
                let place = self.writer.element(base, count, width, at, self.at);
                for at in 0..width {
                    let word = self.writer.get(place, at);
                    self.writer.put(dst + at, word);
                }
            }
            Op::StoreSet { base, index, src, count, width } => {
                let place = self.element(base, count, width, index);
                for at in 0..width {
                    let word = self.read(src + at);
                    self.writer.set(place, at, word);
                }
            }
            Op::NextPlayer { dst, a, count } => {
                let (a, one) = (self.read(a), self.writer.number(1));
                let (zero, count) = (self.writer.number(0), self.writer.number(count.into()));
                let next = self.writer.add(a, one);
                let is_last = self.writer.equal(next, count);
                let next = self.writer.select(is_last, zero, next);
                self.writer.put(dst, next);
            }
            Op::PreviousPlayer { dst, a, count } => {
                let (a, one) = (self.read(a), self.writer.number(1));
                let (zero, count) = (self.writer.number(0), self.writer.number(count.into()));
                let is_first = self.writer.equal(a, zero);
                let from = self.writer.select(is_first, count, a);
                let previous = self.writer.subtract(from, one);
                self.writer.put(dst, previous);
            }
            Op::CountUp { a, last, to } => self.count(a, last, to, 1),
            Op::CountDown { a, last, to } => self.count(a, last, to, -1),
            Op::WalkOn { at, base, row, count, to } => {
                let (cell, row) = (self.read(at), self.read(row));
                let index = self.writer.add(row, cell);
                let place = self.writer.element(base, count, 1, index, self.at);
                let cell = self.writer.get(place, 0);
                self.writer.put(at, cell);
                let none = self.writer.number(NONE);
                let ends = self.writer.equal(cell, none);
                self.writer.jump_if(ends, to.into());
            }
            Op::Call { to, link, site } => {
                self.burn(1);
                let site = self.writer.number(site.into());
                self.writer.put(link, site);
                self.land(to.into());
                self.writer.jump(to.into());
            }
            Op::Return { link } => self.go_back(link),
            Op::Suppose { of, .. } => {
                let one = self.writer.number(1);
                let burnt = self.burnt_with(one);
                let ranges = &self.program.suppositions[usize::from(of)];
                self.writer.put_aside(1, ASIDE, (ranges, of.into()), self.at);
                self.writer.set_register(BURNT, burnt);
                self.writer.set_register(QUIET, one);
            }
            Op::Unsuppose { of, .. } => {
                let ranges = &self.program.suppositions[usize::from(of)];
                self.writer.take_back(1, ASIDE, ranges, self.at);
                let (aside, zero) = (self.writer.register(ASIDE), self.writer.number(0));
                let one = self.writer.number(1);
                let unheard = self.writer.register(UNHEARD);
                let is_last = self.writer.equal(aside, zero);
                let quiet = self.writer.select(is_last, unheard, one);
                self.writer.set_register(QUIET, quiet);
            }
            Op::Offer { option } => {
                self.offer(&self.program.options[usize::from(option)].binds, i64::from(option));
                // Where no test begins none ends.
                if self.tests {
                    let zero = self.writer.number(0);
                    self.writer.set_register(PENDING, zero);
                }
            }
            Op::TestNow { to } => {
                let (one, all) = (self.writer.number(1), self.writer.number(TEST_ALL));
                self.writer.set_register(PENDING, one);
                let testing = self.writer.register(TESTING);
                let now = self.writer.equal(testing, all);
                self.writer.jump_if(now, to.into());
            }
            Op::Propose { proposal } => {
                let binds = &self.program.proposals[usize::from(proposal)].binds;
                self.offer(binds, UNTESTED | i64::from(proposal));
                self.uncounted();
            }
            Op::Decide { site } => self.decide(site),
            Op::Tested {} => {
                let (testing, one) = (self.writer.register(TESTING), self.writer.number(TEST_ONE));
                let is_one = self.writer.equal(testing, one);
                self.writer.consult_if(is_one, self.at);
                let (pending, zero) = (self.writer.register(PENDING), self.writer.number(0));
                let fails = self.writer.differ(pending, zero);
                let (failed, passed) =
                    (self.writer.number(TEST_FAILS), self.writer.number(TEST_ENDS));
                let ended = self.writer.select(fails, failed, passed);
                self.writer.append(0, OFFERED, &[ended], self.at);
                self.uncounted();
            }
            Op::OfferDecline { option } => self.decline(option, DECLINES),
            Op::OfferDeclineAnyway { option } => self.decline(option, ANYWAY),
            Op::Quiet { to } => {
                let (quiet, zero) = (self.writer.register(QUIET), self.writer.number(0));
                let quiet = self.writer.differ(quiet, zero);
                self.writer.jump_if(quiet, to.into());
            }
            Op::Nth { .. }
            | Op::NextOfSize { .. }
            | Op::Find { .. }
            | Op::Times { .. }
            | Op::Sweep { .. } => {
                self.call(op);
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
            Op::Remember { .. } => {
                // What is only supposed is the interpreter's. The function tells how much fuel it burnt.
                let (aside, zero) = (self.writer.register(ASIDE), self.writer.number(0));
                let supposes = self.writer.differ(aside, zero);
                self.leave_if(supposes);
                let most = i64::try_from(1 + MAX_REMEMBERED / WORDS_MOVED).expect("a small number");
                let most = self.writer.number(most);
                self.burnt_with(most);
                let result = self.called(op);
                let burnt = self.writer.register(BURNT);
                let burnt = self.writer.add(burnt, result);
                self.writer.set_register(BURNT, burnt);
            }
            Op::Learn { .. } | Op::LoseSight { .. } => {
                // Nothing is to be done where nobody asks who knows which cards.
                let (tracks, zero) = (self.writer.register(TRACKS), self.writer.number(0));
                let tracks = self.writer.differ(tracks, zero);
                self.leave_if(tracks);
            }
            op if is_about_cards(&op) => self.call(op),
            op => self.set_operation(op),
        }
    }

    /// Calls for an operation, and goes on where it jumps; leaves before one that fails.
    fn call(&mut self, op: Op) {
        let result = self.called(op);
        self.jump_called(op, result);
    }

    fn called(&mut self, op: Op) -> Word {
        let changed = op.operands().filter(|operand| operand.role.changes());
        let ranges = changed.map(|it| (it.value, u16::try_from(it.words).expect("few words")));
        // Where piles lie the operands do not say.
        let state = (0, u16::try_from(self.program.frame).expect("a state has few words"));
        let result = self.writer.aid(self.at, ranges.chain(is_about_cards(&op).then_some(state)));
        let zero = self.writer.number(0);
        let fails = self.writer.less(result, zero);
        self.leave_if(fails);
        result
    }

    fn jump_called(&mut self, op: Op, result: Word) {
        for to in op.operands().filter(|operand| operand.role == Role::To) {
            let zero = self.writer.number(0);
            let jumps = self.writer.differ(result, zero);
            self.writer.jump_if(jumps, to.value.into());
        }
    }

    /// Goes on to the next number, or elsewhere after the last.
    fn count(&mut self, a: u16, last: u16, to: u16, step: i64) {
        let (number, last) = (self.read(a), self.read(last));
        let (one, other) = if step > 0 { (last, number) } else { (number, last) };
        let ends = self.writer.at_most(one, other);
        self.writer.jump_if(ends, to.into());
        let step = self.writer.number(step);
        let next = self.writer.add(number, step);
        self.writer.put(a, next);
    }

    // Reading and writing.

    /// A number that is the same in every state.
    fn constant(&self, slot: u16) -> Option<i64> {
        let constant = usize::from(slot).checked_sub(self.program.slots)?;
        self.program.constants.get(constant).copied()
    }

    fn read(&mut self, slot: u16) -> Word {
        match self.constant(slot) {
            Some(number) => self.writer.number(number),
            None => self.writer.word(slot),
        }
    }

    fn read_set(&mut self, slot: u16, width: u16) -> Vec<Word> {
        (slot..slot + width).map(|slot| self.read(slot)).collect()
    }

    fn element(&mut self, base: u16, count: u16, width: u16, index: u16) -> Place {
        let index = self.read(index);
        self.writer.element(base, count, width, index, self.at)
    }

    /// A number counted from `low`; leaves unless it is one of `count`.
    fn position(&mut self, number: u16, low: u16, count: u16) -> Word {
        let (number, low) = (self.read(number), self.read(low));
        let position = self.writer.subtract(number, low);
        let count = self.writer.number(count.into());
        let (before, inside) = (self.writer.less(number, low), self.writer.less(position, count));
        self.leave_if(before);
        self.leave_unless(inside);
        position
    }

    fn put_of(
        &mut self,
        dst: u16,
        a: u16,
        b: u16,
        what: impl Fn(&mut Writer<'w>, Word, Word) -> Word,
    ) {
        let (a, b) = (self.read(a), self.read(b));
        let result = what(self.writer, a, b);
        self.writer.put(dst, result);
    }

    // Leaving and jumping.

    fn leave_if(&mut self, holds: Flag) {
        self.writer.leave_if(holds, self.at);
    }

    fn leave_unless(&mut self, holds: Flag) {
        let one = self.writer.number(1);
        let holds = self.writer.as_word(holds);
        let fails = self.writer.differ(holds, one);
        self.leave_if(fails);
    }

    fn jump_if(
        &mut self,
        compare: impl Fn(&mut Writer<'w>, Word, Word) -> Flag,
        a: u16,
        b: u16,
        to: u16,
    ) {
        let (a, b) = (self.read(a), self.read(b));
        let holds = compare(self.writer, a, b);
        self.writer.jump_if(holds, to.into());
    }

    fn jump_zero(&mut self, a: u16, is_zero: bool, to: u16) {
        let (a, zero) = (self.read(a), self.writer.number(0));
        let compare = if is_zero { Writer::equal } else { Writer::differ };
        let holds = compare(self.writer, a, zero);
        self.writer.jump_if(holds, to.into());
    }

    /// Burns fuel; leaves where there is not enough.
    fn burn(&mut self, amount: usize) {
        let amount = i64::try_from(amount).expect("code is short");
        let amount = self.writer.number(amount);
        let burnt = self.burnt_with(amount);
        self.writer.set_register(BURNT, burnt);
    }

    /// How much fuel is burnt with some more; leaves where there is not enough.
    fn burnt_with(&mut self, amount: Word) -> Word {
        let most = self.writer.number(i64::try_from(FUEL).expect("fuel is a small number"));
        let burnt = self.writer.register(BURNT);
        let burnt = self.writer.add(burnt, amount);
        let over = self.writer.less(most, burnt);
        self.leave_if(over);
        burnt
    }

    fn land(&mut self, to: usize) {
        let to = self.writer.number(i64::try_from(to).expect("code is short"));
        self.writer.set_register(LANDING, to);
    }

    fn go_back(&mut self, link: u16) {
        let sites = self.calls.iter().filter(|(slot, ..)| *slot == link);
        let sites: Vec<(i64, usize)> = sites.map(|(_, site, to)| (*site, *to)).collect();
        let landing = self.writer.register(LANDING);
        let here = self.writer.number(i64::try_from(self.at).expect("code is short"));
        let way = self.writer.subtract(here, landing);
        let way = self.writer.distance(way);
        let stretch = self.writer.number(STRETCH.ilog2().into());
        let (way, one) = (self.writer.shift_down(way, stretch), self.writer.number(1));
        let amount = self.writer.add(way, one);
        let back = self.read(link);
        let burnt = self.burnt_with(amount);
        self.writer.switch(back, &sites, self.at, |writer, to| {
            writer.set_register(BURNT, burnt);
            let to = writer.number(i64::try_from(to).expect("code is short"));
            writer.set_register(LANDING, to);
        });
    }

    // Arithmetic.

    fn arith(
        &mut self,
        what: impl Fn(&mut Writer<'w>, Word, Word) -> (Word, Flag),
        dst: u16,
        a: u16,
        b: u16,
    ) {
        let (a, b) = (self.read(a), self.read(b));
        let sum = self.sum(what, a, b);
        self.writer.put(dst, sum);
    }

    /// A result that is a number: not too large, and not what stands for none.
    fn sum(
        &mut self,
        what: impl Fn(&mut Writer<'w>, Word, Word) -> (Word, Flag),
        a: Word,
        b: Word,
    ) -> Word {
        let (result, over) = what(self.writer, a, b);
        let none = self.writer.number(NONE);
        let is_none = self.writer.equal(result, none);
        let wrong = self.writer.either(over, is_none);
        self.leave_if(wrong);
        result
    }

    fn divide(&mut self, dst: u16, a: u16, b: u16, rounding: Rounding) {
        let (a, b) = (self.read(a), self.read(b));
        // The divisor is above 0 from here on.
        let (quotient, rest) = self.writer.divide(a, b, self.at);
        let (zero, one) = (self.writer.number(0), self.writer.number(1));
        let (below, above) = (self.writer.less(rest, zero), self.writer.less(zero, rest));
        let result = match rounding {
            Rounding::Up => {
                let more = self.writer.add(quotient, one);
                self.writer.select(above, more, quotient)
            }
            Rounding::Down => {
                let less = self.writer.subtract(quotient, one);
                self.writer.select(below, less, quotient)
            }
            Rounding::Rest => {
                let positive = self.writer.add(rest, b);
                self.writer.select(below, positive, rest)
            }
        };
        let none = self.writer.number(NONE);
        let is_none = self.writer.equal(result, none);
        self.leave_if(is_none);
        self.writer.put(dst, result);
    }

    /// Leaves unless a number that is to be kept lies between two bounds.
    fn check_range(&mut self, value: Word, low: u16, high: u16) {
        let none = self.writer.number(NONE);
        let is_none = self.writer.equal(value, none);
        let open = self.constant(high) == Some(NONE);
        let (low, high) = (self.read(low), self.read(high));
        let mut inside = self.writer.at_most(low, value);
        if !open {
            let below = self.writer.at_most(value, high);
            let is_open = self.writer.equal(high, none);
            let fits = self.writer.either(below, is_open);
            inside = self.writer.both(inside, fits);
        }
        let fine = self.writer.either(inside, is_none);
        self.leave_unless(fine);
    }
}

#[derive(Clone, Copy)]
enum Rounding {
    Up,
    Down,
    Rest,
}

/// Whether what follows is not always carried out.
fn jumps(op: &Op) -> bool {
    op.operands().any(|operand| operand.role == Role::To) || !op.falls_through()
}

/// The most members of a set whose subsets can be gone through, as a word.
fn most_in_subsets() -> i64 {
    i64::try_from(MOST_IN_SUBSETS).expect("a small number")
}
