//! Machine code at work: what it is handed, and what it calls for.

use std::ops::ControlFlow;

use crate::bytecode::Op;
use crate::bytecode::engine::{
    ASIDE, BURNT, Called, Desk, JUMPS, LANDING, LEAVES, MachineCode, OFFERED, PENDING, QUIET,
    Registers, TEST_ALL, TEST_LATER, TEST_ONE, TESTING, TRACKS, UNHEARD,
};
use crate::vm::lists::Done;
use crate::vm::memory::{Words, word};
use crate::vm::offers::{bind_made, count_made};
use crate::vm::set_operations::sweep;
use crate::vm::step::{Machine, WORDS_MOVED};
use crate::vm::stops::{MOST_MOVES, decider};
use crate::vm::{Driver, MAX_ASIDE, MAX_REMEMBERED, Step, Trap};

/// Why the machine stops.
type Stopped = Result<Step, Trap>;

/// A register that says that a list takes no more.
const FULL: i64 = i64::MAX;

impl Machine<'_> {
    /// Runs machine code from an operation on. Returns the operation that the interpreter must carry
    /// out, and where the stretch of code that leads to it begins; or why the machine stops.
    pub(super) fn run_native<D: Driver>(
        &mut self,
        (native, room): (&dyn MachineCode, (usize, usize)),
        mem: &mut [i64],
        driver: &mut D,
        (at, mut landing): (usize, usize),
    ) -> ControlFlow<Stopped, (usize, usize)> {
        let (mut offers, mut aside) = std::mem::take(&mut self.offers.left);
        if offers.len() < room.0 || aside.len() < room.1 {
            offers.resize(room.0, 0);
            aside.resize(room.1, 0);
        }
        let supposes = self.offers.supposes();
        let has_room = self.offers.aside.words.len().saturating_add(room.1) <= MAX_ASIDE;
        let mut registers = self.first_registers(has_room, driver);
        self.hand_over(&mut registers, room.0, landing, driver);
        let mut marks = driver.marks().map(std::mem::take).unwrap_or_default();
        let mut stopped = None;
        let program = self.program;
        let mut called = |mem: &mut [i64], registers: &mut [i64], lists: [&mut [i64]; 2], at| {
            let op = program.code[at];
            if !matches!(op, Op::Decide { .. } | Op::Tested {}) {
                return self.carry_out_called((op, supposes), mem, driver);
            }
            if let Op::Decide { site } = op
                && let Some(to) = self.pick(mem, (registers, lists[0]), site, driver)
            {
                return to.into();
            }
            landing = self.take_over(registers, lists[0]);
            let sought = self.search_called(mem, (at, &mut landing), driver);
            self.hand_over(registers, room.0, landing, driver);
            sought.unwrap_or_else(|why| {
                stopped = Some(why);
                LEAVES
            })
        };
        let called: &mut Called = &mut called;
        let desk = Desk {
            words: mem,
            registers: &mut registers,
            marks: marks.as_mut_slice(),
            offers: &mut offers,
            aside: &mut aside,
            called,
        };
        let left = native.run(desk, at);
        driver.marks().into_iter().for_each(|kept| std::mem::swap(kept, &mut marks));
        landing = self.take_over(&registers, &offers);
        if has_room && let Ok(count) = usize::try_from(registers[ASIDE]) {
            self.offers.aside.words.extend_from_slice(&aside[..count]);
        }
        self.offers.left = (offers, aside);
        match stopped {
            Some(stopped) => ControlFlow::Break(stopped),
            None => ControlFlow::Continue((left, landing)),
        }
    }

    /// What stays as it is, or only the code changes, in one run.
    fn first_registers<D: Driver>(&self, has_room: bool, driver: &D) -> Registers {
        let mut registers = Registers::default();
        let unheard = (self.offers.supposes() || !driver.wants_speech()).into();
        (registers[QUIET], registers[UNHEARD]) = (unheard, unheard);
        registers[TRACKS] = self.observed.into();
        registers[ASIDE] = if has_room { 0 } else { FULL };
        registers
    }

    /// What the code goes on with.
    fn hand_over<D: Driver>(&self, registers: &mut [i64], room: usize, landing: usize, driver: &D) {
        registers[BURNT] = self.fuel.cast_signed();
        registers[LANDING] = word(landing);
        registers[OFFERED] = if self.may_offer(room) { 0 } else { FULL };
        registers[PENDING] = self.offers.pending.into();
        registers[TESTING] = match (self.search.is_on, driver.tests_all()) {
            (true, _) => TEST_ONE,
            (false, true) => TEST_ALL,
            (false, false) => TEST_LATER,
        };
    }

    /// What the code has done since. Returns where the stretch of code begins that it runs.
    fn take_over(&mut self, registers: &[i64], offers: &[i64]) -> usize {
        *self.fuel = registers[BURNT].cast_unsigned();
        self.offers.pending = registers[PENDING] != 0;
        if registers[OFFERED] != FULL {
            let count = usize::try_from(registers[OFFERED]).expect("offers are counted");
            self.offers.take_over(self.program, &offers[..count]);
        }
        usize::try_from(registers[LANDING]).expect("it is an operation")
    }

    /// Lets the driver pick among choices all of which the code has just offered, and returns where to go
    /// on; nothing is done, and nothing returned, where there is more to a decision.
    #[inline]
    fn pick<D: Driver>(
        &mut self,
        mem: &mut [i64],
        (registers, offers): (&mut [i64], &[i64]),
        site: u16,
        driver: &mut D,
    ) -> Option<u16> {
        let program = self.program;
        let made = offers.get(..usize::try_from(registers[OFFERED]).ok()?)?;
        if !self.offers.is_clear() || self.is_over() {
            return None;
        }
        let count = count_made(program, made).filter(|count| (1..=MOST_MOVES).contains(count))?;
        let index = driver.pick(decider(program, mem, site), count)?;
        let option = bind_made(program, made, index, |slot, word| mem.put(slot, word));
        (registers[BURNT], registers[OFFERED]) = (0, 0);
        Some(self.goes_to(option))
    }

    /// Seeks a move at a decision whose moves are not all tested, and at the end of a test while one is
    /// sought. Returns where to go on, or that the code must leave; or why the machine stops.
    fn search_called<D: Driver>(
        &mut self,
        mem: &mut [i64],
        (at, landing): (usize, &mut usize),
        driver: &mut D,
    ) -> Result<i64, Stopped> {
        self.at = at;
        let sought = match self.program.code[at] {
            Op::Tested {} => self.end_search(mem, landing, driver),
            Op::Decide { site } if self.offers.has_untested() && !self.is_over() => {
                self.search(mem, site, landing, driver)
            }
            _ => return Ok(LEAVES),
        };
        match sought {
            Ok(Some(to)) => Ok(to.into()),
            Ok(None) => Err(Ok(Step::Decide { player: self.offers.player() })),
            Err(trap) => Err(Err(trap)),
        }
    }

    fn carry_out_called<D: Driver>(
        &mut self,
        (op, supposes): (Op, bool),
        mem: &mut [i64],
        driver: &mut D,
    ) -> i64 {
        match op {
            Op::Draw { dst, outcomes, low, .. } => draw_called(mem, [dst, outcomes, low], driver),
            Op::Times { dst, history } => {
                self.past.put_times(self.program, mem, dst, history);
                0
            }
            Op::Remember { history } if !supposes && self.past.words().len() <= MAX_REMEMBERED => {
                let burnt = 1 + self.past.words().len() / WORDS_MOVED;
                let history = usize::from(history);
                self.past.remember(&self.program.histories[history], history, mem);
                word(burnt)
            }
            Op::Remember { .. } => LEAVES,
            Op::Sweep { dst, rays, from, stop, width } => {
                sweep(mem, &self.program.rays[usize::from(rays)], dst, (from, stop, width));
                0
            }
            Op::Deal { pile, to, left, cards, .. } => {
                let mut draw = |outcomes| driver.draw(outcomes);
                self.card_table().deal(mem, [pile, to, left], cards, &mut draw);
                if mem.word(left) <= 0 { JUMPS } else { 0 }
            }
            op => match self.card_table().carry_out(op, mem) {
                Done::Next => 0,
                Done::Jumps(_) => JUMPS,
                Done::Fails => LEAVES,
            },
        }
    }
}

/// A draw for machine code; what would be a trap is left to the interpreter.
fn draw_called<D: Driver>(mem: &mut [i64], [dst, outcomes, low]: [u16; 3], driver: &mut D) -> i64 {
    let (low, outcomes) = (mem.word(low), u32::try_from(mem.word(outcomes)).unwrap_or(0));
    if outcomes == 0 || low.checked_add(outcomes.into()).is_none() {
        return LEAVES;
    }
    let Some(outcome) = driver.draw(outcomes) else { return LEAVES };
    mem.put(dst, low + i64::from(outcome));
    0
}
