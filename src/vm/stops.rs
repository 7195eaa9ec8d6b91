//! Where a run stops: decisions, draws, the end with its ranking. A set of players is one word.

use crate::bytecode::{ENDING, GameEnding, Program, RETURNS, SITE, Wait, sets};
use crate::vm::memory::{WordMemory, word};
use crate::vm::{Driver, TextListener, Trap, VmStep, step::Machine, text::said_of};

/// How many moves there may be at one decision: all of them are listed, counted and compared.
pub(crate) const MOST_MOVES: usize = 1_000_000;
/// A set of players is one word.
const MOST_SEATS: usize = 64;
/// How many words listed moves may take.
const MOST_WORDS: usize = 1 << 23;

/// Who decides at a site, and where to go on where nothing is legal, if the file says that.
fn decision(program: &Program, site: u16) -> (u16, Option<u16>) {
    let Wait::Decision { player, otherwise, .. } = program.sites[usize::from(site)].wait else {
        unreachable!("the compiler gives a decision the site of a decision");
    };
    (player, otherwise)
}

/// The seat that decides at a site.
#[inline]
pub(super) fn decider(program: &Program, mem: &[i64], site: u16) -> u8 {
    u8::try_from(mem.word(decision(program, site).0)).expect("a player is a seat")
}

impl Machine<'_> {
    /// Where to go on, or nothing if the driver lets the machine wait.
    #[inline]
    pub(super) fn decide<D: Driver>(
        &mut self,
        mem: &mut [i64],
        site: u16,
        landing: &mut usize,
        driver: &mut D,
    ) -> Result<Option<u16>, Trap> {
        if self.reaches_decision_limit() {
            self.offers.clear();
            return Ok(Some(self.beyond_limit(driver)));
        }
        if self.offers.has_untested() {
            return self.search(mem, site, landing, driver);
        }
        self.offers.player = decider(self.program, mem, site);
        self.answer(mem, site, driver)
    }

    /// Whether there were as many decisions as there may be.
    #[inline]
    pub(super) fn reaches_decision_limit(&self) -> bool {
        *self.decisions >= self.program.limit.0
    }

    /// Where the block of the limit begins.
    fn beyond_limit<D: Driver>(&self, driver: &mut D) -> u16 {
        driver.reaches_limit();
        self.program.sites[usize::from(self.program.limit.1)].to
    }

    /// Lets the driver decide among legal moves, all of which are known.
    #[expect(clippy::inline_always, reason = "the interpreter comes here at every decision")]
    #[inline(always)]
    pub(super) fn answer<D: Driver>(
        &mut self,
        mem: &mut [i64],
        site: u16,
        driver: &mut D,
    ) -> Result<Option<u16>, Trap> {
        if self.offers.count() == 0 {
            return self.nothing_legal(mem, site, driver).map(Some);
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
    pub(super) fn take(&mut self, mem: &mut [i64], index: usize) -> u16 {
        let program = self.program;
        let option = self.offers.bind(program, index, |slot, word| mem.put(slot, word));
        self.offers.clear();
        self.goes_to(option)
    }

    /// Where a move of an option goes on.
    #[inline]
    pub(super) fn goes_to(&mut self, option: u16) -> u16 {
        *self.decisions += 1;
        (*self.passes, *self.fuel) = (0, 0);
        let body = self.program.options[usize::from(option)].body;
        self.program.sites[usize::from(body)].to
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
        site: u16,
        driver: &mut D,
    ) -> Result<u16, Trap> {
        let (decline, seat) = (self.offers.decline, self.offers.player);
        self.offers.clear();
        let otherwise = decision(self.program, site).1;
        if otherwise.is_none() && decline.is_none() {
            return Err(self.nothing_to_choose());
        }
        if *self.decisions + *self.passes >= self.program.most_passes {
            return Ok(self.beyond_limit(driver));
        }
        *self.passes += 1;
        if let Some(to) = otherwise {
            return Ok(to);
        }
        let option = decline.expect("it is offered");
        if driver.wants_speech() {
            let text = self.declining(mem, option, seat);
            driver.hear_declining(&text);
        }
        let body = self.program.options[usize::from(option)].body;
        Ok(self.program.sites[usize::from(body)].to)
    }

    #[cold]
    fn nothing_to_choose(&self) -> Trap {
        let span = self.span();
        let picked = self.program.options.iter().find(|it| it.span == span);
        Trap::NothingLegal { is_any: picked.and_then(|option| option.is_any.clone()), span }
    }

    /// `Ann passes.`; a printed form is what the file makes it: `Ann: no trade`.
    fn declining(&mut self, mem: &[i64], option: u16, seat: u8) -> String {
        let info = &self.program.options[usize::from(option)];
        let name = self.names.get(usize::from(seat)).map_or("", String::as_str);
        let at = self.at;
        let printed = info.template.and_then(|to| {
            let done = self.execute(&mut mem.to_vec(), to, &mut TextListener);
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

    pub(super) fn end(&mut self, mem: &mut [i64], ending: GameEnding) -> VmStep {
        mem[ENDING] = ending as i64;
        mem[SITE] = 0;
        self.stack.clear();
        mem[self.program.frame..self.program.slots].fill(0);
        VmStep::End
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
    ) -> VmStep {
        let (base, players) = (usize::from(base), self.program.players);
        let key = |seat: usize| (0..keys.into()).map(move |at: usize| base + at * players + seat);
        let keys_of = |seat: usize| key(seat).map(|at| mem[at]);
        let mut places = [0; MOST_SEATS];
        for (seat, place) in places[..players].iter_mut().enumerate() {
            let above = (0..players).filter(|other| keys_of(*other).gt(keys_of(seat)));
            *place = word(1 + above.count());
        }
        let winners = (0..players).filter(|seat| places[*seat] == 1);
        let winners: u64 = winners.map(|seat| 1 << seat).sum();
        let scores = self.program.scores();
        mem.copy_within(base..base + players, scores);
        if lowest {
            mem[scores..scores + players].iter_mut().for_each(|score| *score = -*score);
        }
        self.share(mem, winners.cast_signed());
        let step = self.end(mem, if lowest { GameEnding::LowScores } else { GameEnding::Scores });
        mem[self.program.places()].copy_from_slice(&places[..players]);
        step
    }
}
