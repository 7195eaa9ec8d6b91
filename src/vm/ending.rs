//! The end of a game: who won, and how the players rank. A set of players is one word.

use crate::bytecode::program::{ENDING, Ending, RETURNS, SITE};
use crate::bytecode::sets;
use crate::vm::Step;
use crate::vm::memory::Words;
use crate::vm::step::Machine;
use crate::vm::trap::Trap;

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
        let winners = *mem.set(set, width).first().expect("a set has a word");
        self.check(winners != 0, |span| Trap::NobodyWins { span })?;
        self.share(mem, winners);
        Ok(self.end(mem, Ending::Returns))
    }

    /// One winner wins and the others lose; several winners draw among themselves.
    fn share(&self, mem: &mut [i64], winners: i64) {
        let shared = i64::from(winners.count_ones() == 1);
        for (seat, returned) in mem[RETURNS..][..self.program.players].iter_mut().enumerate() {
            *returned = if sets::bit(&[winners], seat) { shared } else { -1 };
        }
    }

    pub(super) fn finish_ranking(&mut self, mem: &mut [i64], base: u16, keys: u16) -> Step {
        let (base, players) = (usize::from(base), self.program.players);
        let keys_of = |seat: usize| mem[base + seat..].iter().step_by(players).take(keys.into());
        let best = (1..players).fold(
            0,
            |best, seat| {
                if keys_of(seat).ge(keys_of(best)) { seat } else { best }
            },
        );
        let mut winners = [0];
        for seat in (0..players).filter(|seat| keys_of(*seat).eq(keys_of(best))) {
            sets::set_bit(&mut winners, seat, true);
        }
        let scores = self.program.scores();
        mem.copy_within(base..base + players, scores);
        self.share(mem, winners[0]);
        self.end(mem, Ending::Scores)
    }
}
