//! The end of a game: who won, and how the players rank.

use crate::bytecode::program::{ENDING, Ending, NONE, RETURNS, SITE};
use crate::vm::step::Machine;
use crate::vm::trap::Trap;
use crate::vm::{Step, sets};

/// Words of a set of players: a seat is a number of 8 bits.
const SEATS: usize = 4;

impl Machine<'_> {
    fn end(&mut self, mem: &mut [i64], ending: Ending) -> Step {
        mem[ENDING] = ending as i64;
        mem[SITE] = 0;
        self.stack.clear();
        mem[self.program.frame..self.program.slots].fill(0);
        Step::End
    }

    pub(super) fn finish_draw(&mut self, mem: &mut [i64]) -> Step {
        mem[RETURNS..RETURNS + self.program.players].fill(0);
        self.end(mem, Ending::Returns)
    }

    pub(super) fn finish_win(
        &mut self,
        mem: &mut [i64],
        set: u16,
        width: u16,
    ) -> Result<Step, Trap> {
        let mut winners = [0; SEATS];
        let width = usize::from(width).min(SEATS);
        winners[..width].copy_from_slice(&mem[usize::from(set)..][..width]);
        if sets::count(&winners) == 0 {
            return Err(Trap::NobodyWins { span: self.span() });
        }
        self.share(mem, &winners);
        Ok(self.end(mem, Ending::Returns))
    }

    /// One winner wins and the others lose; several winners draw among themselves.
    fn share(&self, mem: &mut [i64], winners: &[i64]) {
        let shared = i64::from(sets::count(winners) == 1);
        for (seat, returned) in mem[RETURNS..][..self.program.players].iter_mut().enumerate() {
            let wins = sets::has(winners, i64::try_from(seat).unwrap_or(NONE));
            *returned = if wins { shared } else { -1 };
        }
    }

    pub(super) fn finish_ranking(&mut self, mem: &mut [i64], base: u16, keys: u16) -> Step {
        let keys_wanted = usize::from(keys);
        let players = self.program.players;
        let keys_of = |seat: usize| {
            let keys = mem[usize::from(base) + seat..].iter().step_by(players);
            keys.take(keys_wanted)
        };
        let best = (0..players).max_by(|a, b| keys_of(*a).cmp(keys_of(*b))).unwrap_or(0);
        let mut winners = [0; SEATS];
        for seat in (0..players).filter(|seat| keys_of(*seat).eq(keys_of(best))) {
            sets::insert(&mut winners, i64::try_from(seat).unwrap_or(NONE));
        }
        for seat in 0..players {
            mem[self.program.scores() + seat] = mem[usize::from(base) + seat];
        }
        self.share(mem, &winners);
        self.end(mem, Ending::Scores)
    }
}
