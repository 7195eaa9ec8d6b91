//! Where a run stops: decisions, draws, the end with its ranking. A set of players is one word.

use crate::bytecode::{ENDING, Ending, RETURNS, SITE, Wait, sets};
use crate::vm::{Driver, Listener, Step, Trap, memory::Words, step::Machine, text::said_of};

/// How many moves there may be at one decision: all of them are listed, counted and compared.
const MOST_MOVES: usize = 1_000_000;

/// How many words listed moves may take.
const MOST_WORDS: usize = 1 << 23;

impl Machine<'_> {
    /// Where to go on, or nothing if the driver lets the machine wait.
    #[inline]
    pub(super) fn decide<D: Driver>(
        &mut self,
        mem: &mut [i64],
        site: u16,
        driver: &mut D,
    ) -> Result<Option<u16>, Trap> {
        let program = self.program;
        let Wait::Decision { player, otherwise, .. } = program.sites[usize::from(site)].wait else {
            unreachable!("the compiler gives a decision the site of a decision");
        };
        let (limit, beyond) = program.limit;
        if *self.decisions >= limit {
            self.offers.clear();
            return Ok(Some(program.sites[usize::from(beyond)].to));
        }
        let seat = u8::try_from(mem.word(player)).expect("a player is a seat");
        self.offers.player = seat;
        if self.offers.has_untested()
            && let Some(index) = self.draw_move(mem, seat, driver)?
        {
            return Ok(Some(self.take(mem, index)));
        }
        if self.offers.count() == 0 {
            return self.nothing_legal(mem, seat, otherwise, driver).map(Some);
        }
        let most = MOST_MOVES;
        self.check(self.offers.count() <= most, |span| Trap::TooManyMoves { most, span })?;
        let Some(index) = driver.decide(self.offers) else {
            mem[SITE] = site.into();
            return Ok(None);
        };
        Ok(Some(self.take(mem, index)))
    }

    /// Makes a move; returns where to go on.
    fn take(&mut self, mem: &mut [i64], index: usize) -> u16 {
        let program = self.program;
        let option = self.offers.bind(program, index, |slot, word| mem.put(slot, word));
        self.offers.clear();
        *self.decisions += 1;
        *self.fuel = 0;
        let body = program.options[usize::from(option)].body;
        program.sites[usize::from(body)].to
    }

    /// A trap while moves are listed, where more of them would fill the memory.
    #[inline]
    pub(super) fn check_offers(&self) -> Result<(), Trap> {
        let fits = self.offers.fits(MOST_MOVES, MOST_WORDS);
        self.check(fits, |span| Trap::TooManyMoves { most: MOST_MOVES, span })
    }

    /// Whether so many more words of offers could not be too many.
    #[inline]
    pub(super) fn may_offer(&self, words: usize) -> bool {
        self.offers.fits(MOST_MOVES - words, MOST_WORDS - words)
    }

    fn nothing_legal<D: Driver>(
        &mut self,
        mem: &[i64],
        seat: u8,
        otherwise: Option<u16>,
        driver: &mut D,
    ) -> Result<u16, Trap> {
        let decline = self.offers.decline;
        self.offers.clear();
        if let Some(to) = otherwise {
            return Ok(to);
        }
        let option = decline.ok_or_else(|| Trap::NothingLegal { span: self.span() })?;
        if driver.wants_speech() {
            let text = self.declining(mem, option, seat);
            driver.hear_declining(&text);
        }
        let body = self.program.options[usize::from(option)].body;
        Ok(self.program.sites[usize::from(body)].to)
    }

    /// `Ann passes.`; a printed form is what the file makes it: `Ann: no trade`.
    fn declining(&mut self, mem: &[i64], option: u16, seat: u8) -> String {
        let info = &self.program.options[usize::from(option)];
        let name = self.names.get(usize::from(seat)).map_or("", String::as_str);
        let at = self.at;
        let printed = info.template.and_then(|to| {
            let done = self.execute(&mut mem.to_vec(), to, &mut Listener);
            let text = std::mem::take(&mut self.text);
            done.is_ok().then_some(text)
        });
        self.at = at;
        match printed {
            Some(printed) => format!("{name}: {printed}"),
            None => said_of(name, &info.name),
        }
    }

    #[inline]
    pub(super) fn outcomes(&mut self, outcomes: i64) -> Result<u32, Trap> {
        self.burn()?;
        match u32::try_from(outcomes) {
            Ok(outcomes) if outcomes > 0 => Ok(outcomes),
            _ => Err(Trap::EmptyDraw { span: self.span() }),
        }
    }

    pub(super) fn end(&mut self, mem: &mut [i64], ending: Ending) -> Step {
        mem[ENDING] = ending as i64;
        mem[SITE] = 0;
        self.stack.clear();
        mem[self.program.frame..self.program.slots].fill(0);
        Step::End
    }

    /// One winner wins and the others lose; several winners draw among themselves.
    pub(super) fn share(&self, mem: &mut [i64], winners: i64) {
        let shared = i64::from(winners.count_ones() == 1);
        for (seat, returned) in mem[RETURNS..][..self.program.players].iter_mut().enumerate() {
            *returned = if sets::bit(&[winners], seat) { shared } else { -1 };
        }
    }

    pub(super) fn finish_ranking(
        &mut self,
        mem: &mut [i64],
        base: u16,
        keys: u16,
        lowest: bool,
    ) -> Step {
        let (base, players) = (usize::from(base), self.program.players);
        let keys_of = |seat: usize| mem[base + seat..].iter().step_by(players).take(keys.into());
        let better = |a: usize, b: usize| if keys_of(b).ge(keys_of(a)) { b } else { a };
        let best = (0..players).reduce(better).expect("somebody plays");
        let mut winners = [0];
        for seat in (0..players).filter(|seat| keys_of(*seat).eq(keys_of(best))) {
            sets::set_bit(&mut winners, seat, true);
        }
        let scores = self.program.scores();
        mem.copy_within(base..base + players, scores);
        if lowest {
            mem[scores..scores + players].iter_mut().for_each(|score| *score = -*score);
        }
        self.share(mem, winners[0]);
        self.end(mem, if lowest { Ending::LowScores } else { Ending::Scores })
    }
}
