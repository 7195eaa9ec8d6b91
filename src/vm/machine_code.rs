//! Machine code at work: what it is handed, and what it calls for.

use std::ops::ControlFlow;

use crate::bytecode::engine::{
    APART, ASIDE, BURNT, Called, DRAWN, EngineContext, GRANTED, JUMPS, LANDING, LEAVES, LEFT,
    LEGAL, LENT, MachineCode, OFFERED, OFFERS, PASSES, PENDING, PUT_ASIDE, QUIET, Registers,
    STREAM, STREAM_WORDS, STREAMS, TEST_ALL, TEST_LATER, TEST_ONE, TESTING, TRACKS, UNCOUNTED,
    UNHEARD,
};
use crate::bytecode::{Op, to_word};
use crate::chance::Seeded;
use crate::vm::lists::OpEffect;
use crate::vm::memory::WordMemory;
use crate::vm::step::{Machine, WORDS_SEARCHED};
use crate::vm::{Driver, LentStreams, MAX_ASIDE, MAX_REMEMBERED, Trap, VmStep};

type Stopped = Result<VmStep, Trap>;

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
        let mut lists = self.offers.left.take().unwrap_or_default();
        self.make_room(&mut lists, room);
        let (program, supposes) = (self.program, self.offers.supposes());
        let has_room = self.offers.aside.words.len().saturating_add(room.1) <= MAX_ASIDE;
        let mut registers = self.first_registers(has_room, driver);
        self.hand_over(&mut registers, &mut lists[STREAMS], (room.0, landing), driver);
        let mut marks = driver.op_marks().map(std::mem::take).unwrap_or_default();
        let mut stopped = None;
        let mut called = |mem: &mut [i64], registers: &mut [i64], lists: [&mut [i64]; 3], at| {
            let [offers, _, streams] = lists;
            match program.code[at] {
                Op::Draw { .. } | Op::Deal { .. } => {
                    take_streams(streams, driver);
                    let done = self.carry_out_called((at, supposes), mem, driver);
                    give_streams(streams, driver);
                    return done;
                }
                Op::Decide { .. } | Op::Tested {} => {
                    self.settle_streams(registers, streams, driver);
                }
                _ => return self.carry_out_called((at, supposes), mem, driver),
            }
            landing = self.take_over(registers, offers);
            let to = self.decide_called(mem, (at, &mut landing), driver);
            self.hand_over(registers, streams, (room.0, landing), driver);
            to.unwrap_or_else(|why| {
                stopped = Some(why);
                LEAVES
            })
        };
        let called: &mut Called = &mut called;
        let desk = EngineContext {
            words: mem,
            registers: &mut registers,
            marks: marks.as_mut_slice(),
            lists: lists.each_mut().map(Vec::as_mut_slice),
            called,
        };
        let left = native.run(desk, at);
        driver.op_marks().into_iter().for_each(|kept| std::mem::swap(kept, &mut marks));
        self.settle_streams(&mut registers, &lists[STREAMS], driver);
        landing = self.take_over(&registers, &lists[OFFERS]);
        self.keep_aside(registers[ASIDE], has_room, &lists[PUT_ASIDE]);
        self.offers.left = Some(lists);
        match stopped {
            Some(stopped) => ControlFlow::Break(stopped),
            None => ControlFlow::Continue((left, landing)),
        }
    }

    /// Grows the buffers of machine code: offers, what is put aside, streams.
    fn make_room(&self, lists: &mut [Vec<i64>; 3], (offers, aside): (usize, usize)) {
        let rooms = [offers, aside, STREAM * (self.program.players + 1)];
        for (list, room) in lists.iter_mut().zip(rooms).filter(|(list, room)| list.len() < *room) {
            list.resize(room, 0);
        }
    }

    /// Appends what the code put aside, unless it lacked room.
    fn keep_aside(&mut self, count: i64, has_room: bool, aside: &[i64]) {
        if has_room && let Ok(count) = usize::try_from(count) {
            self.offers.aside.words.extend_from_slice(&aside[..count]);
        }
    }

    /// The initial registers of a run.
    fn first_registers<D: Driver>(&self, has_room: bool, driver: &D) -> Registers {
        let mut registers = Registers::default();
        let unheard = (self.offers.supposes() || !driver.wants_speech()).into();
        (registers[QUIET], registers[UNHEARD]) = (unheard, unheard);
        registers[TRACKS] = self.observed.into();
        registers[ASIDE] = if has_room { 0 } else { FULL };
        registers
    }

    /// Fills the registers that the code continues with.
    fn hand_over<D: Driver>(
        &self,
        registers: &mut [i64],
        streams: &mut [i64],
        (room, landing): (usize, usize),
        driver: &mut D,
    ) {
        self.hand_over_streams(registers, streams, driver);
        registers[LEGAL] = if self.offers.is_clear() { 0 } else { UNCOUNTED };
        registers[BURNT] = self.fuel.cast_signed();
        registers[PASSES] = *self.passes;
        registers[LANDING] = to_word(landing);
        registers[OFFERED] = if self.may_offer(room) { 0 } else { FULL };
        registers[PENDING] = self.offers.pending.into();
        registers[TESTING] = match (self.search.is_on, driver.tests_all()) {
            (true, _) => TEST_ONE,
            (false, true) => TEST_ALL,
            (false, false) => TEST_LATER,
        };
    }

    /// The streams that the code may draw from, and how often it may decide.
    fn hand_over_streams<D: Driver>(
        &self,
        registers: &mut [i64],
        streams: &mut [i64],
        driver: &mut D,
    ) {
        give_streams(streams, driver);
        let lent = driver.lend().map(|lent| (lent.streams.len(), lent.decisions));
        let (count, decisions) = lent.unwrap_or_default();
        registers[LENT] = lent.is_some().into();
        registers[APART] = if count > 1 { -1 } else { 0 };
        let before_limit = self.program.limit.0.saturating_sub(*self.decisions).max(0);
        registers[LEFT] = before_limit.min(i64::try_from(decisions).unwrap_or(i64::MAX));
        registers[GRANTED] = registers[LEFT];
    }

    /// Takes the used streams back, and tells the driver what was drawn from them.
    fn settle_streams<D: Driver>(
        &mut self,
        registers: &mut [i64],
        streams: &[i64],
        driver: &mut D,
    ) {
        take_streams(streams, driver);
        let (decided, drawn) = (registers[GRANTED] - registers[LEFT], registers[DRAWN]);
        *self.decisions += decided;
        driver.on_lent_answers(decided.cast_unsigned(), drawn.cast_unsigned());
        (registers[GRANTED], registers[DRAWN]) = (registers[LEFT], 0);
    }

    /// Takes fuel, passes and offers back from the code. Returns where its current stretch begins.
    fn take_over(&mut self, registers: &[i64], offers: &[i64]) -> usize {
        *self.fuel = registers[BURNT].cast_unsigned();
        *self.passes = registers[PASSES];
        self.offers.pending = registers[PENDING] != 0;
        if registers[OFFERED] != FULL {
            let count = usize::try_from(registers[OFFERED]).expect("offers are counted");
            self.offers.take_over(self.program, &offers[..count]);
        }
        usize::try_from(registers[LANDING]).expect("it is an operation")
    }

    /// Decides, or ends a test while a move is sought. Returns where to go on; or why the machine stops.
    fn decide_called<D: Driver>(
        &mut self,
        mem: &mut [i64],
        (at, landing): (usize, &mut usize),
        driver: &mut D,
    ) -> Result<i64, Stopped> {
        self.at = at;
        let to = match self.program.code[at] {
            Op::Decide { site } => self.decide(mem, site, landing, driver),
            _ => self.end_search(mem, landing, driver),
        };
        match to {
            Ok(Some(to)) => Ok(to.into()),
            Ok(None) => Err(Ok(VmStep::Decide { player: self.offers.player() })),
            Err(trap) => Err(Err(trap)),
        }
    }

    fn carry_out_called<D: Driver>(
        &mut self,
        (at, supposes): (usize, bool),
        mem: &mut [i64],
        driver: &mut D,
    ) -> i64 {
        // It is read where it lies: to copy it first takes longer than most of them.
        let op = &self.program.code[at];
        match *op {
            Op::Draw { dst, outcomes, low, .. } => draw_called(mem, [dst, outcomes, low], driver),
            Op::Times { dst, history } => {
                self.past.put_times(self.program, mem, dst, history);
                0
            }
            Op::Remember { history } | Op::Forget { history } => {
                let words = self.past.words().len();
                if supposes || words > MAX_REMEMBERED {
                    return LEAVES;
                }
                let history = usize::from(history);
                match op {
                    Op::Forget { .. } => self.past.forget(history),
                    _ => {
                        self.past.remember(&self.program.histories[history], history, mem);
                    }
                }
                to_word(1 + words / WORDS_SEARCHED)
            }
            Op::Deal { pile, to, left, cards, .. } => {
                let mut draw = |outcomes| driver.draw(outcomes);
                self.card_table().deal(mem, [pile, to, left], cards, &mut draw);
                if mem.word(left) <= 0 { JUMPS } else { 0 }
            }
            op => match self.card_table().carry_out(op, mem) {
                OpEffect::Next => 0,
                OpEffect::Jumps(_) => JUMPS,
                OpEffect::Fails => LEAVES,
            },
        }
    }
}

/// Copies the streams that a driver lends to where the code draws from them.
#[inline]
fn give_streams<D: Driver>(places: &mut [i64], driver: &mut D) {
    let Some(LentStreams { streams, .. }) = driver.lend() else { return };
    for (place, stream) in places.as_chunks_mut::<STREAM>().0.iter_mut().zip(streams) {
        let [a, b, c, d] = stream.state_words().map(u64::cast_signed);
        place[..STREAM_WORDS].copy_from_slice(&[a, b, c, d, stream.coming().cast_signed()]);
    }
}

/// The driver goes on with the streams as the code left them.
#[inline]
fn take_streams<D: Driver>(places: &[i64], driver: &mut D) {
    let Some(LentStreams { streams, .. }) = driver.lend() else { return };
    for (place, stream) in places.as_chunks::<STREAM>().0.iter().zip(streams) {
        let [a, b, c, d, ..] = place.map(i64::cast_unsigned);
        *stream = Seeded::from_words([a, b, c, d]);
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
