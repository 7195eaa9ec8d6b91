//! The end of a game: who won, and how the players rank.

use crate::bytecode::program::{ENDING, Ending, NONE, RETURNS, SITE};
use crate::vm::step::Machine;
use crate::vm::trap::Trap;
use crate::vm::{Step, sets};

/// Words of a set of players: seats are bytes.
const SEATS: usize = 4;

impl Machine<'_> {
    pub(super) fn end(&mut self, ending: Ending) -> Step {
        self.state.words[ENDING] = ending as i64;
        self.state.words[SITE] = 0;
        self.state.stack.clear();
        let frame = self.program.frame;
        self.state.words[frame..].fill(0);
        Step::End
    }

    pub(super) fn finish_draw(&mut self) -> Step {
        self.state.words[RETURNS..RETURNS + self.program.players].fill(0);
        self.end(Ending::Returns)
    }

    pub(super) fn finish_win(&mut self, set: u16, width: u16) -> Result<Step, Trap> {
        let mut winners = [0; SEATS];
        winners[..width.into()].copy_from_slice(self.set(set, width));
        if sets::count(&winners) == 0 {
            return Err(Trap::NobodyWins { span: self.span() });
        }
        self.share(&winners);
        Ok(self.end(Ending::Returns))
    }

    /// One winner wins and the others lose; several winners draw among themselves.
    pub(super) fn share(&mut self, winners: &[i64]) {
        let shared = i64::from(sets::count(winners) == 1);
        for seat in 0..self.program.players {
            let wins = sets::has(winners, i64::try_from(seat).unwrap_or(NONE));
            self.state.words[RETURNS + seat] = if wins { shared } else { -1 };
        }
    }

    pub(super) fn finish_ranking(&mut self, base: u16, keys: u16) -> Step {
        let players = self.program.players;
        let key = |machine: &Machine, key: usize, seat: usize| {
            machine.word(usize::from(base) + key * players + seat)
        };
        let rank = |seat: usize| {
            let machine = &*self;
            (0..usize::from(keys)).map(move |at| key(machine, at, seat))
        };
        let best = (0..players).max_by(|one, other| rank(*one).cmp(rank(*other)));
        let best = best.expect("every game has a player");
        let mut winners = [0; SEATS];
        for seat in (0..players).filter(|seat| rank(*seat).eq(rank(best))) {
            sets::insert(&mut winners, i64::try_from(seat).unwrap_or(NONE));
        }
        for seat in 0..players {
            let score = key(self, 0, seat);
            let at = self.program.scores() + seat;
            self.state.words[at] = score;
        }
        self.share(&winners);
        self.end(Ending::Scores)
    }
}
