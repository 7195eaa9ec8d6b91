//! The interpreter loop: one short arm per operation.
//!
//! `mem` are the words of the state, lent by `Machine::new` and passed as a parameter so that they stay in a register.
//! Fuel bounds the work between two decisions: `Again`, calls and returns burn some, more after a long stretch of code.

use std::ops::ControlFlow;

use crate::bytecode::arith::{ceil_divide, floor_divide, modulo};
use crate::bytecode::engine::MachineCode;
use crate::bytecode::subsets::count_subsets;
use crate::bytecode::{
    GameEnding, HistoryInfo, MOST_IN_SUBSETS, MOST_SUBSETS, NONE, Op, Program, RETURNS, SITE,
    ValueShape, lists, sets,
};
use crate::source::Span;
use crate::vm::cards::CardTable;
use crate::vm::lists::{OpEffect, carry_out, subset_sizes, with_subset_room};
use crate::vm::memory::{WordMemory, index_at, next_subset};
use crate::vm::offers::MayDecline;
use crate::vm::past::Past;
use crate::vm::set_operations::{
    any_line, any_within, mark_members, mark_sets, pop, set_of, sum_of, sweep, union_moved,
    union_of,
};
use crate::vm::state::{State, site_in};
use crate::vm::untested::LegalSearch;
use crate::vm::{
    Driver, FUEL, FUEL_OF_A_CARD, MAX_ASIDE, MAX_REMEMBERED, MAX_STACK, Offers, Trap, VmStep, text,
};

/// Operations in a row that burn as much fuel as a jump back.
pub(crate) const STRETCH: usize = 16;
/// Words of a history whose search burns as much.
pub(crate) const WORDS_SEARCHED: usize = 256;

/// A program that runs on a state, without the words of that.
pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) stack: &'a mut Vec<i64>,
    pub(super) past: &'a mut Past,
    pub(super) decisions: &'a mut i64,
    pub(super) passes: &'a mut i64,
    pub(super) fuel: &'a mut u64,
    pub(super) offers: &'a mut Offers,
    /// Whether the driver may look at the state between two stops, so that knowledge of cards is tracked.
    pub(super) observed: bool,
    /// The search for a random legal move.
    pub(super) search: LegalSearch,
    pub(super) names: &'a [String],
    pub(super) text: String,
    /// Whether the text begins with a title, which is then capitalised.
    capital: bool,
    pub(super) at: usize,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        program: &'a Program,
        state: &'a mut State,
        offers: &'a mut Offers,
        names: &'a [String],
    ) -> (Machine<'a>, &'a mut [i64]) {
        let State { words, stack, past, decisions, passes, fuel, .. } = state;
        let machine = Machine {
            program,
            stack,
            past,
            decisions,
            passes,
            fuel,
            offers,
            observed: true,
            search: LegalSearch::OFF,
            names,
            text: String::new(),
            capital: false,
            at: 0,
        };
        (machine, words)
    }

    /// Runs from operation `to` until the driver does not answer at once, the game ends or a trap.
    #[expect(clippy::too_many_lines, reason = "one arm per operation")]
    pub(super) fn execute<D: Driver>(
        &mut self,
        mem: &mut [i64],
        to: u16,
        driver: &mut D,
    ) -> Result<VmStep, Trap> {
        let program = self.program;
        let code = program.code.as_slice();
        let mut next = usize::from(to);
        // The first operation after the last call or return: `run_native` charges for the length from here.
        let mut stretch_start = next;
        // Machine code that sets marks is for drivers that ask for marks, and no other is.
        let asked = driver.op_marks().is_some();
        let native = program.engine.code().filter(|native| native.marks_operations() == asked);
        let entries = native.map_or(&[][..], MachineCode::entry_points);
        let room = native.map_or((0, 0), MachineCode::buffer_sizes);
        // True when neither machine code nor marks are in use: then no hook misses an operation.
        let is_plain = native.is_none() && !asked;
        loop {
            if entries.get(next) == Some(&true)
                && let Some(native) = native
            {
                match self.run_native((native, room), mem, driver, (next, stretch_start)) {
                    ControlFlow::Continue(left) => (next, stretch_start) = left,
                    ControlFlow::Break(stopped) => return stopped,
                }
            }
            self.at = next;
            if let Some(mark) = driver.op_marks().and_then(|marks| marks.get_mut(next)) {
                *mark = true;
            }
            driver.on_op();
            // A reference: operands are read in place.
            let op = &code[next];
            next += 1;
            macro_rules! branch {
                ($holds:expr, $to:expr) => {
                    if $holds {
                        next = usize::from($to);
                    }
                };
            }
            macro_rules! count_up {
                ($a:expr, $last:expr, $to:expr) => {
                    match mem.word($a) {
                        number if number < mem.word($last) => mem.put($a, number + 1),
                        _ => next = usize::from($to),
                    }
                };
            }
            macro_rules! pop_first {
                ($dst:expr, $set:expr, $width:expr, $to:expr) => {{
                    let member = sets::first(mem.bits($set, $width));
                    pop(mem, $dst, $set, $width, member);
                    branch!(member == NONE, $to);
                }};
            }
            match *op {
                Op::Jump { to } => next = to.into(),
                Op::Again { to } => {
                    next = to.into();
                    self.burn_for_length(next)?;
                    // The head of a loop is mostly one of these: a copy of its arm saves a dispatch.
                    if is_plain {
                        let head = &code[next];
                        next += 1;
                        match *head {
                            Op::CountUp { a, last, to } => count_up!(a, last, to),
                            Op::Pop { dst, set, width, to } => pop_first!(dst, set, width, to),
                            Op::JumpAtMost { a, b, to } => {
                                branch!(mem.word(a) <= mem.word(b), to);
                            }
                            Op::JumpEqual { a, b, to } => branch!(mem.word(a) == mem.word(b), to),
                            _ => next -= 1,
                        }
                    }
                }
                Op::JumpIf { a, to } => branch!(mem.word(a) != 0, to),
                Op::JumpIfNot { a, to } => branch!(mem.word(a) == 0, to),
                Op::JumpEqual { a, b, to } => branch!(mem.word(a) == mem.word(b), to),
                Op::JumpDifferent { a, b, to } => branch!(mem.word(a) != mem.word(b), to),
                Op::JumpLess { a, b, to } => branch!(mem.word(a) < mem.word(b), to),
                Op::JumpAtMost { a, b, to } => branch!(mem.word(a) <= mem.word(b), to),
                Op::JumpHas { set, member, width, to } => {
                    branch!(sets::has(mem.bits(set, width), mem.word(member)), to);
                }
                Op::JumpLacks { set, member, width, to } => {
                    branch!(!sets::has(mem.bits(set, width), mem.word(member)), to);
                }
                Op::JumpHasAt { base, index, count, member, to } => {
                    let set = self.element_slot(mem, base, index, count, 1)?;
                    branch!(sets::has(mem.bits(set, 1), mem.word(member)), to);
                }
                Op::JumpLacksAt { base, index, count, member, to } => {
                    let set = self.element_slot(mem, base, index, count, 1)?;
                    branch!(!sets::has(mem.bits(set, 1), mem.word(member)), to);
                }
                Op::JumpEmpty { set, width, to } => branch!(mem.is_empty_set(set, width), to),
                Op::JumpSome { set, width, to } => branch!(!mem.is_empty_set(set, width), to),
                Op::JumpIfAt { base, index, count, to } => {
                    branch!(mem.word(self.element_slot(mem, base, index, count, 1)?) != 0, to);
                }
                Op::JumpIfNotAt { base, index, count, to } => {
                    branch!(mem.word(self.element_slot(mem, base, index, count, 1)?) == 0, to);
                }
                Op::JumpWithin { a, b, width, to } => branch!(mem.is_within(a, b, width), to),
                Op::JumpNotWithin { a, b, width, to } => branch!(!mem.is_within(a, b, width), to),
                Op::JumpSame { a, b, width, to } => {
                    branch!(mem.bits(a, width) == mem.bits(b, width), to);
                }
                Op::JumpNotSame { a, b, width, to } => {
                    branch!(mem.bits(a, width) != mem.bits(b, width), to);
                }
                Op::JumpAnyWithin { base, count, set, width, to } => {
                    branch!(any_within(mem, base, count, set, width), to);
                }
                Op::JumpNoneWithin { base, count, set, width, to } => {
                    branch!(!any_within(mem, base, count, set, width), to);
                }
                Op::JumpAnyLine { lines, set, width, to } => {
                    branch!(any_line(mem, &program.lines[usize::from(lines)], set, width), to);
                }
                Op::JumpNoLine { lines, set, width, to } => {
                    branch!(!any_line(mem, &program.lines[usize::from(lines)], set, width), to);
                }
                Op::Move { dst, src } => mem.put(dst, mem.word(src)),
                Op::Copy { dst, src, width } => mem.copy(dst, src, width),
                Op::Add { dst, a, b } => self.arith(mem, [dst, a, b], i64::checked_add)?,
                Op::Subtract { dst, a, b } => self.arith(mem, [dst, a, b], i64::checked_sub)?,
                Op::Multiply { dst, a, b } => self.arith(mem, [dst, a, b], i64::checked_mul)?,
                Op::CeilDivide { dst, a, b } => self.divide(mem, [dst, a, b], ceil_divide)?,
                Op::FloorDivide { dst, a, b } => self.divide(mem, [dst, a, b], floor_divide)?,
                Op::Modulo { dst, a, b } => self.divide(mem, [dst, a, b], modulo)?,
                Op::Least { dst, a, b } => mem.put(dst, mem.word(a).min(mem.word(b))),
                Op::CutOff { a, high } => {
                    if mem.word(a) > mem.word(high) {
                        mem.put(a, mem.word(high));
                        // Nothing is lost under `suppose`.
                        if !self.offers.supposes() {
                            driver.on_cut_off(self.at);
                        }
                    }
                }
                Op::Greatest { dst, a, b } => mem.put(dst, mem.word(a).max(mem.word(b))),
                Op::Position { dst, a, low } => {
                    mem.put(dst, mem.word(a).wrapping_sub(mem.word(low)));
                }
                Op::CheckRange { a, low, high } => {
                    self.check_range(mem.word(a), mem.word(low), mem.word(high))?;
                }
                Op::Index { dst, a, low, count } => {
                    mem.put(dst, self.position(mem.word(a), mem.word(low), count)?);
                }
                Op::CheckAmount { a } => {
                    let value = mem.word(a);
                    self.ensure(value >= 0, |span| Trap::NegativeAmount {
                        value: value.to_string(),
                        span,
                    })?;
                }
                Op::CheckPay { have, cost, low } => {
                    let have = mem.word(have).saturating_sub(mem.word(low));
                    let cost = mem.word(cost);
                    self.ensure(cost <= have, |span| {
                        let (have, cost) = (have.to_string(), cost.to_string());
                        Trap::CannotPay { have, cost, span }
                    })?;
                }
                Op::CheckOne { a } => {
                    self.ensure(mem.word(a) == 1, |span| Trap::NotOne { span })?;
                }
                Op::CheckSome { a } => {
                    self.ensure(mem.word(a) != NONE, |span| Trap::NothingToCompare { span })?;
                }
                Op::Scale { dst, a, size, b } => {
                    mem.put(dst, mem.word(a) * i64::from(size) + mem.word(b));
                }
                Op::ScaleFrom { dst, a, size, b, low } => {
                    let position = self.position(mem.word(b), mem.word(low), size)?;
                    mem.put(dst, mem.word(a) * i64::from(size) + position);
                }
                Op::Load { dst, base, index, count } => {
                    mem.put(dst, mem.word(self.element_slot(mem, base, index, count, 1)?));
                }
                Op::Store { base, index, src, count } => {
                    mem.put(self.element_slot(mem, base, index, count, 1)?, mem.word(src));
                }
                Op::AddAt { base, index, count, b, range } => {
                    let place = self.element_slot(mem, base, index, count, 1)?;
                    self.sum(mem, place, mem.word(place).checked_add(mem.word(b)))?;
                    self.check_range(mem.word(place), mem.word(range), mem.word(range + 1))?;
                }
                Op::LoadSet { dst, base, index, count, width } => {
                    mem.copy(dst, self.element_slot(mem, base, index, count, width)?, width);
                }
                Op::StoreSet { base, index, src, count, width } => {
                    mem.copy(self.element_slot(mem, base, index, count, width)?, src, width);
                }
                Op::InsertAt { base, index, count, member, width } => {
                    let set = self.element_slot(mem, base, index, count, width)?;
                    mem.insert(set, width, mem.word(member));
                }
                Op::RemoveAt { base, index, count, member, width } => {
                    let set = self.element_slot(mem, base, index, count, width)?;
                    mem.remove(set, width, mem.word(member));
                }
                Op::LoadValue { dst, base, member, count, width } => {
                    let member = mem.word(member);
                    let has = |at: &u16| sets::has(mem.bits(base + at * width, width), member);
                    mem.put(dst, (0..count).find(has).map_or(NONE, i64::from));
                }
                Op::SetOf { dst, base, a, count, width } => {
                    let at = set_of(mem.word(a), count);
                    mem.copy(dst, base + at * width, width);
                }
                Op::StoreValue { base, member, src, count, width } => {
                    let member = mem.word(member);
                    (0..count).for_each(|at| mem.remove(base + at * width, width, member));
                    let at = set_of(mem.word(src), count);
                    mem.insert(base + at * width, width, member);
                }
                Op::NextPlayer { dst, a, count } => {
                    let next = mem.word(a) + 1;
                    mem.put(dst, if next == i64::from(count) { 0 } else { next });
                }
                Op::PreviousPlayer { dst, a, count } => {
                    let player = mem.word(a);
                    mem.put(dst, if player == 0 { i64::from(count) } else { player } - 1);
                }
                Op::CountUp { a, last, to } => count_up!(a, last, to),
                Op::CountDown { a, last, to } => match mem.word(a) {
                    number if number > mem.word(last) => mem.put(a, number - 1),
                    _ => next = to.into(),
                },
                Op::WalkOn { at, base, row, count, to } => {
                    let place =
                        self.position(mem.word(row).wrapping_add(mem.word(at)), 0, count)?;
                    let cell = mem[usize::from(base) + usize::try_from(place).unwrap_or_default()];
                    mem.put(at, cell);
                    branch!(cell == NONE, to);
                }
                Op::Clear { set, width } => mem.bits_mut(set, width).fill(0),
                Op::Single { set, member, width } => {
                    let member = mem.word(member);
                    mem.bits_mut(set, width).fill(0);
                    mem.insert(set, width, member);
                }
                Op::Insert { set, member, width } => mem.insert(set, width, mem.word(member)),
                Op::Remove { set, member, width } => mem.remove(set, width, mem.word(member)),
                Op::Union { dst, a, b, width } => mem.combine([dst, a, b], width, |a, b| a | b),
                Op::Minus { dst, a, b, width } => mem.combine([dst, a, b], width, |a, b| a & !b),
                Op::Common { dst, a, b, width } => mem.combine([dst, a, b], width, |a, b| a & b),
                Op::Interval { dst, low, high, width } => {
                    let (low, high) = (mem.word(low), mem.word(high));
                    sets::fill(mem.bits_mut(dst, width), low, high);
                }
                Op::WhereEqual { dst, base, count, a } => {
                    let a = mem.word(a);
                    mark_members(mem, dst, base, count, |word| word == a);
                }
                Op::WhereBelow { dst, base, count, a } => {
                    let a = mem.word(a);
                    mark_members(mem, dst, base, count, |word| word < a);
                }
                Op::WhereIn { dst, base, count, set } => {
                    let members = mem.word(set);
                    mark_members(mem, dst, base, count, |word| sets::has(&[members], word));
                }
                Op::UnionOf { dst, base, count, of, width } => {
                    union_of(mem, dst, (base, count, width), of);
                }
                Op::UnionMoved { dst, base, count, of, width } => {
                    union_moved(mem, dst, (base, count), (of, width));
                }
                Op::Sweep { dst, rays, from, stop, width } => {
                    sweep(mem, &program.rays[usize::from(rays)], dst, (from, stop, width));
                }
                Op::SelectWithin { dst, base, count, set, width: 1 } => {
                    let out = !mem.word(set);
                    mark_members(mem, dst, base, count, |word| word & out == 0);
                }
                Op::SelectWithin { dst, base, count, set, width } => {
                    let within = |mem: &[i64], at| mem.is_within(base + at * width, set, width);
                    mark_sets(mem, dst, count, within);
                }
                Op::SelectMeeting { dst, base, count, set, width: 1 } => {
                    let set = mem.word(set);
                    mark_members(mem, dst, base, count, |word| word & set != 0);
                }
                Op::SelectMeeting { dst, base, count, set, width } => {
                    let meets = |mem: &[i64], at| mem.is_meeting(base + at * width, set, width);
                    mark_sets(mem, dst, count, meets);
                }
                Op::SumOf { dst, base, count, set } => {
                    mem.put(dst, sum_of(mem, base, count, mem.word(set)));
                }
                Op::Count { dst, set, width } => {
                    let members = sets::count(mem.bits(set, width));
                    mem.put(dst, i64::try_from(members).expect("a state has few words"));
                }
                Op::First { dst, set, width } => mem.put(dst, sets::first(mem.bits(set, width))),
                Op::Last { dst, set, width } => mem.put(dst, sets::last(mem.bits(set, width))),
                Op::Pop { dst, set, width, to } => pop_first!(dst, set, width, to),
                Op::PopFrom { dst, set, start, width, to } => {
                    let member = sets::first_from(mem.bits(set, width), mem.word(start));
                    pop(mem, dst, set, width, member);
                    branch!(member == NONE, to);
                }
                Op::PopBack { dst, set, start, width, to } => {
                    let member = sets::last_to(mem.bits(set, width), mem.word(start));
                    pop(mem, dst, set, width, member);
                    branch!(member == NONE, to);
                }
                Op::CheckSubsets { set, width } => {
                    let members = sets::count(mem.bits(set, width));
                    let trap = |span| Trap::TooManySubsets { members, span };
                    self.ensure(members <= MOST_IN_SUBSETS, trap)?;
                }
                Op::CheckSized { set, width, sizes } => {
                    self.check_subsets(mem, [set, width, sizes], None)?;
                }
                Op::CheckAlike { set, width, sizes, cards } => {
                    self.check_subsets(mem, [set, width, sizes], Some(cards))?;
                }
                Op::NextSubset { set, of, width, to } => {
                    branch!(!next_subset(mem, set, of, width), to);
                }
                Op::Nth { .. }
                | Op::Append { .. }
                | Op::TakeLast { .. }
                | Op::Element { .. }
                | Op::ElementOrNone { .. }
                | Op::LastElement { .. }
                | Op::Length { .. }
                | Op::FirstSized { .. }
                | Op::NextSized { .. }
                | Op::Find { .. } => match carry_out(*op, mem) {
                    OpEffect::Next => {}
                    OpEffect::Jumps(to) => next = to.into(),
                    OpEffect::Fails => return Err(self.trap_of(*op, mem)),
                },
                Op::MemberAfter { member, set, width, to } => {
                    let next = sets::after(mem.bits(set, width), mem.word(member));
                    mem.put(member, next);
                    branch!(next == NONE, to);
                }
                Op::JumpBefore { a, b, width, to } => {
                    branch!(mem.bits(a, width) < mem.bits(b, width), to);
                }
                Op::JumpNotAfter { a, b, width, to } => {
                    branch!(mem.bits(a, width) <= mem.bits(b, width), to);
                }
                Op::Call { to, link, site } => {
                    self.burn_fuel()?;
                    mem.put(link, site.into());
                    next = to.into();
                    stretch_start = next;
                }
                Op::Return { link } => {
                    self.burn_for_length(stretch_start)?;
                    next = program.sites[site_in(mem.word(link))].to.into();
                    stretch_start = next;
                }
                Op::Push { base, width } => {
                    self.ensure(self.stack.len() <= MAX_STACK, |span| Trap::TooDeep {
                        most: MAX_STACK,
                        span,
                    })?;
                    self.stack.extend_from_slice(mem.bits(base, width));
                }
                Op::Pull { base, width } => {
                    let rest = self.stack.len() - usize::from(width);
                    mem.bits_mut(base, width).copy_from_slice(&self.stack[rest..]);
                    self.stack.truncate(rest);
                }
                Op::Suppose { of, .. } => {
                    self.burn_fuel()?;
                    let room = self.offers.aside.words.len() <= MAX_ASIDE;
                    self.ensure(room, |span| Trap::TooDeep { most: MAX_ASIDE, span })?;
                    self.offers.aside.put_aside(program, of, mem);
                }
                Op::Unsuppose { .. } => self.offers.aside.take_back(program, mem, self.past),
                Op::Remember { history } => {
                    self.reserve_past()?;
                    let (info, history) = self.history(history);
                    let change = self.past.remember(info, history, mem);
                    self.offers.aside.note_past(self.program, change);
                }
                Op::Forget { history } => {
                    self.reserve_past()?;
                    self.offers.aside.keep_past(self.program, self.past);
                    self.past.forget(history.into());
                }
                Op::Times { dst, history } => self.past.put_times(program, mem, dst, history),
                Op::BeginTurns { seat } if !self.offers.supposes() => {
                    driver.on_turn(mem.word(seat));
                }
                Op::BeginTurns { .. } => {}
                Op::Offer { option } => {
                    self.check_offers()?;
                    self.offers.push(option, &program.options[usize::from(option)], mem);
                }
                Op::TestNow { to } => {
                    self.offers.pending = true;
                    branch!(driver.tests_all(), to);
                }
                Op::Propose { proposal } => {
                    self.check_offers()?;
                    let at = usize::from(proposal);
                    self.offers.propose(proposal, &program.proposals[at], mem);
                }
                Op::Tested {} if self.search.is_on => {
                    match self.end_search(mem, &mut stretch_start, driver)? {
                        Some(to) => next = to.into(),
                        None => return Ok(VmStep::Decide { player: self.offers.player() }),
                    }
                }
                Op::Tested {} => self.offers.end_test(),
                Op::OfferDecline { option } => self.offers.decline(option, MayDecline::Beside),
                Op::OfferDeclineAnyway { option } => {
                    self.offers.decline(option, MayDecline::Anyway);
                }
                Op::OfferDeclineAlone { option } => {
                    self.offers.decline(option, MayDecline::Alone);
                }
                Op::Decide { site } => match self.decide(mem, site, &mut stretch_start, driver)? {
                    Some(to) => next = to.into(),
                    None => return Ok(VmStep::Decide { player: self.offers.player() }),
                },
                Op::Draw { dst, outcomes, low, site } => {
                    let outcomes = self.outcomes(mem.word(outcomes))?;
                    let Some(outcome) = driver.draw(outcomes) else {
                        mem[SITE] = site.into();
                        return Ok(VmStep::Draw { outcomes });
                    };
                    self.sum(mem, dst, mem.word(low).checked_add(outcome.into()))?;
                }
                Op::Deal { pile, to, left, cards, exit } => {
                    self.burn_fuel()?;
                    let before = mem.word(left);
                    self.card_table()
                        .deal(mem, [pile, to, left], cards, &mut |outcomes| driver.draw(outcomes));
                    let dealt = before.saturating_sub(mem.word(left)).max(0);
                    *self.fuel += dealt.saturating_mul(FUEL_OF_A_CARD).cast_unsigned();
                    branch!(mem.word(left) <= 0, exit);
                }
                Op::Quiet { to } => branch!(self.offers.supposes() || !driver.wants_speech(), to),
                Op::Words { text } => self.text.push_str(&program.texts[usize::from(text)]),
                Op::Print { a, format } => self.append_text(&[mem.word(a)], format),
                Op::PrintSet { set, width, format } => {
                    self.append_text(mem.bits(set, width), format);
                }
                Op::PrintPile { pile, cards } => {
                    let end = if cards % 2 == 1 { "bottom of " } else { "" };
                    self.text.push_str(end);
                    let info = &program.cards[usize::from(cards / 2)].piles[index_at(mem, pile)];
                    text::print_pile(&mut self.text, program, self.names, info);
                }
                Op::Tell { to_whom } => {
                    if std::mem::take(&mut self.capital) {
                        text::capitalise(&mut self.text);
                    }
                    driver.hear(u8::try_from(mem.word(to_whom)).ok(), &self.text);
                    self.text.clear();
                }
                Op::FinishDraw {} => {
                    mem[RETURNS..RETURNS + program.players].fill(0);
                    return Ok(self.end_game(mem, GameEnding::Returns));
                }
                Op::FinishWin { set, .. } => {
                    let winners = mem.word(set);
                    self.ensure(winners != 0, |span| Trap::NobodyWins { span })?;
                    self.share(mem, winners, winners.count_ones() == 1);
                    return Ok(self.end_game(mem, GameEnding::Returns));
                }
                Op::FinishRanking { base, count, lowest, .. } => {
                    return Ok(self.finish_ranking(mem, (base, count), lowest == 1));
                }
                Op::FinishTeams { base, count, ending, .. } => {
                    return self.finish_teams(mem, base, count, ending);
                }
                Op::Stop {} => return Ok(VmStep::End),
                Op::NoFinish {} => return Err(Trap::NoFinish { span: self.op_span() }),
                Op::Distinct { dst, set, width, together, cards } => {
                    self.card_table().distinct(mem, [dst, set, width], together != 0, cards);
                }
                Op::MoveCard { .. }
                | Op::MoveCards { .. }
                | Op::MovePile { .. }
                | Op::Shuffle { .. }
                | Op::Choices { .. }
                | Op::Candidate { .. }
                | Op::Settle { .. }
                | Op::LoseSight { .. }
                | Op::EndCard { .. }
                | Op::EndCards { .. }
                | Op::FirstAlike { .. }
                | Op::Learn { .. }
                | Op::NextAlike { .. } => match self.card_table().carry_out(*op, mem) {
                    OpEffect::Next => {}
                    OpEffect::Jumps(to) => next = to.into(),
                    OpEffect::Fails => return Err(self.trap_of(*op, mem)),
                },
            }
        }
    }

    /// The trap of a failed operation on a list or on cards.
    #[cold]
    fn trap_of(&self, op: Op, mem: &[i64]) -> Trap {
        let span = self.op_span();
        match op {
            Op::Element { list, index, width, bits, .. } => {
                let length = lists::count(mem.bits(list, width), bits);
                Trap::NoSuchPlace { index: mem.word(index), length, span }
            }
            Op::Append { most, .. } => Trap::ListFull { most: most.into(), span },
            Op::MoveCard { .. } => Trap::NoCard { span },
            Op::EndCard { .. } | Op::EndCards { .. } => Trap::OrderUnknown { span },
            op => unreachable!("{} never fails", op.name()),
        }
    }

    /// Traps if a set has too many subsets of these sizes; cards that look alike are interchangeable.
    fn check_subsets(
        &self,
        mem: &mut [i64],
        [set, width, sizes]: [u16; 3],
        cards: Option<u16>,
    ) -> Result<(), Trap> {
        let sizes = subset_sizes(mem, sizes);
        let (members, subsets) = with_subset_room(mem, (set, width), |mem, room| {
            let members = room.members.len();
            let Some(cards) = cards else {
                let classes = std::iter::repeat_n(1, members);
                return (members, count_subsets(classes, sizes, &mut room.ways));
            };
            self.card_table().find_alikes(mem, [set, width, cards], room);
            room.firsts.sort_unstable();
            let classes = room.firsts.chunk_by(|a, b| a == b).map(<[i64]>::len);
            (members, count_subsets(classes, sizes, &mut room.ways))
        });
        self.ensure(subsets <= MOST_SUBSETS, |span| Trap::TooManySubsets { members, span })
    }

    pub(super) fn card_table(&self) -> CardTable<'a> {
        let program = self.program;
        let is_observed = self.observed;
        CardTable { cards: &program.cards, players: program.players, is_observed }
    }

    fn history(&self, history: u16) -> (&'a HistoryInfo, usize) {
        let history = usize::from(history);
        (&self.program.histories[history], history)
    }

    /// Traps if histories are full; burns fuel for the search in them.
    fn reserve_past(&mut self) -> Result<(), Trap> {
        let words = self.past.words().len();
        let most = MAX_REMEMBERED;
        let room = words + self.offers.aside.past_words() <= most;
        self.ensure(room, |span| Trap::TooMuchRemembered { most, span })?;
        *self.fuel += (words / WORDS_SEARCHED) as u64;
        self.burn_fuel()
    }

    #[cold]
    pub(super) fn op_span(&self) -> Span {
        self.program.spans[self.at]
    }

    #[inline]
    pub(super) fn ensure(&self, holds: bool, trap: impl FnOnce(Span) -> Trap) -> Result<(), Trap> {
        if holds { Ok(()) } else { Err(trap(self.op_span())) }
    }

    #[inline]
    pub(super) fn burn_fuel(&mut self) -> Result<(), Trap> {
        *self.fuel += 1;
        self.ensure(*self.fuel <= FUEL, |span| Trap::Endless { span, steps: FUEL })
    }

    /// Burns fuel for a jump to `from`: a longer one costs more.
    #[inline]
    fn burn_for_length(&mut self, from: usize) -> Result<(), Trap> {
        *self.fuel += (self.at.abs_diff(from) / STRETCH) as u64;
        self.burn_fuel()
    }

    /// Undoes all that is supposed, after a trap.
    pub(super) fn forget_supposed(&mut self, words: &mut [i64]) {
        while !self.offers.aside.is_empty() {
            self.offers.aside.take_back(self.program, words, self.past);
        }
    }

    fn append_text(&mut self, words: &[i64], format: u16) {
        let format = &self.program.formats[usize::from(format)];
        // Only a title begins a sentence; a text stays as it was written.
        self.capital |= self.text.is_empty() && format.shape != ValueShape::Text;
        text::print(&mut self.text, self.program, self.names, words, format);
    }
}
