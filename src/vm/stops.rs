//! Stops of a run: decisions, draws, the end with its ranking. A set of players is one word.

use crate::bytecode::{ENDING, GameEnding, NONE, Program, RETURNS, SITE, Wait, sets, to_word};
use crate::vm::memory::WordMemory;
use crate::vm::{Driver, TextListener, Trap, VmStep, step::Machine, text::said_of};

/// How many moves there may be at one decision: all of them are listed, counted and compared.
pub(crate) const MOST_MOVES: usize = 1_000_000;
/// A set of players is one word.
const MOST_SEATS: usize = 64;
/// How many words listed moves may take.
const MOST_WORDS: usize = 1 << 23;

/// The decider at a site, and where to continue if nothing is legal, if the file says so.
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
    /// Lets the driver decide. Returns where to continue; none lets the machine wait.
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
            return Ok(Some(self.reach_limit(driver)));
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

    /// Tells the driver of the limit; returns the block of the limit.
    fn reach_limit<D: Driver>(&self, driver: &mut D) -> u16 {
        driver.on_limit();
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
        self.ensure(self.offers.count() <= most, |span| Trap::TooManyMoves { most, span })?;
        let Some(index) = driver.decide(self.offers) else {
            mem[SITE] = site.into();
            return Ok(None);
        };
        Ok(Some(self.take_move(mem, index)))
    }

    /// Makes a move; returns where to go on.
    pub(super) fn take_move(&mut self, mem: &mut [i64], index: usize) -> u16 {
        let program = self.program;
        let option = self.offers.bind(program, index, |slot, word| mem.put(slot, word));
        self.offers.clear();
        self.body_of_option(option)
    }

    #[inline]
    pub(super) fn body_of_option(&mut self, option: u16) -> u16 {
        *self.decisions += 1;
        (*self.passes, *self.fuel) = (0, 0);
        let body = self.program.options[usize::from(option)].body;
        self.program.sites[usize::from(body)].to
    }

    /// A trap while moves are listed, where more of them would fill the memory.
    #[inline]
    pub(super) fn check_offers(&self) -> Result<(), Trap> {
        let fits = self.offers.fits(MOST_MOVES, MOST_WORDS);
        self.ensure(fits, |span| Trap::TooManyMoves { most: MOST_MOVES, span })
    }

    /// True if so many more words of offers are within the limit.
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
            return Ok(self.reach_limit(driver));
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
        let span = self.op_span();
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
        self.burn_fuel()?;
        match u32::try_from(outcomes) {
            Ok(outcomes) if outcomes > 0 => Ok(outcomes),
            _ => Err(Trap::EmptyDraw { span: self.op_span() }),
        }
    }

    pub(super) fn end_game(&mut self, mem: &mut [i64], ending: GameEnding) -> VmStep {
        mem[ENDING] = ending as i64;
        mem[SITE] = 0;
        self.stack.clear();
        mem[self.program.frame..self.program.slots].fill(0);
        VmStep::End
    }

    /// One winner, or one team of them, wins and the others lose; several winners draw among themselves.
    pub(super) fn share(&self, mem: &mut [i64], winners: i64, one_team: bool) {
        let shared = i64::from(one_team);
        for (seat, returned) in mem[RETURNS..][..self.program.players].iter_mut().enumerate() {
            *returned = if sets::bit(&[winners], seat) { shared } else { -1 };
        }
    }

    pub(super) fn finish_ranking(
        &mut self,
        mem: &mut [i64],
        (base, keys): (u16, u16),
        lowest: bool,
    ) -> VmStep {
        let mut own = [0; MOST_SEATS];
        own.iter_mut().zip(0..).for_each(|(own, seat)| *own = seat);
        let ending = if lowest { GameEnding::LowScores } else { GameEnding::Scores };
        self.rank(mem, (base, keys), (&own, &own), ending)
    }

    /// The team of each player is known by its first member, and has the keys of the best one.
    pub(super) fn finish_teams(
        &mut self,
        mem: &mut [i64],
        base: u16,
        rows: u16,
        ending: u16,
    ) -> Result<VmStep, Trap> {
        let ending = GameEnding::from_word(ending.into()).unwrap_or(GameEnding::TeamReturns);
        let (first, players) = (usize::from(base), self.program.players);
        let keys =
            (base + u16::try_from(players).expect("players are few"), rows.saturating_sub(1));
        if ending == GameEnding::TeamReturns && keys.1 > 0 {
            let winners = mem[first + players];
            self.ensure(winners != 0, |span| Trap::NobodyWins { span })?;
            let row = mem[first + players..][..players].iter_mut().enumerate();
            row.for_each(|(seat, wins)| *wins = i64::from(sets::bit(&[winners], seat)));
        }
        let mem_read = &*mem;
        let team_of = |seat: usize| mem_read[first + seat];
        let (mut teams, mut best) = ([0; MOST_SEATS], [0; MOST_SEATS]);
        for seat in 0..players {
            let is_partner = |other: &usize| {
                *other == seat || (team_of(seat) != NONE && team_of(*other) == team_of(seat))
            };
            teams[seat] = (0..players).find(is_partner).unwrap_or(seat);
            let keys_of = |seat: usize| keys_of(mem_read, keys, players, seat);
            let better = |a: usize, b: usize| if keys_of(b).gt(keys_of(a)) { b } else { a };
            best[seat] = (0..players).filter(is_partner).reduce(better).unwrap_or(seat);
        }
        Ok(self.rank(mem, keys, (&teams, &best), ending))
    }

    /// Ends with the players in the order of keys, those of the best partner of each.
    fn rank(
        &mut self,
        mem: &mut [i64],
        keys: (u16, u16),
        (teams, best): (&[usize; MOST_SEATS], &[usize; MOST_SEATS]),
        ending: GameEnding,
    ) -> VmStep {
        let players = self.program.players;
        let keys_of = |seat: usize| keys_of(mem, keys, players, best[seat]);
        let (mut places, mut scores) = ([0; MOST_SEATS], [0; MOST_SEATS]);
        for seat in 0..players {
            let above = (0..players).filter(|other| keys_of(*other).gt(keys_of(seat)));
            places[seat] = to_word(1 + above.count());
            scores[seat] = keys_of(seat).next().unwrap_or(0);
        }
        let winners = || (0..players).filter(|seat| places[*seat] == 1);
        let mut leaders = winners().map(|seat| teams[seat]);
        let leader = leaders.next();
        let one_team = leaders.all(|team| Some(team) == leader);
        let all = winners().map(|seat| 1_u64 << seat).sum::<u64>().cast_signed();
        match ending {
            GameEnding::TeamReturns if keys.1 == 0 => self.share(mem, 0, one_team),
            GameEnding::Together => self.share(mem, all, false),
            _ => self.share(mem, all, one_team),
        }
        if ending.ranks() {
            let sign = if ending.is_lowest() { -1 } else { 1 };
            let kept = &mut mem[self.program.scores()..][..players];
            kept.iter_mut().zip(scores).for_each(|(kept, score)| *kept = sign * score);
        }
        let step = self.end_game(mem, ending);
        mem[self.program.places()].copy_from_slice(&places[..players]);
        if ending.has_teams() {
            let kept = mem[self.program.teams()].iter_mut();
            kept.zip(teams).for_each(|(kept, team)| *kept = to_word(*team));
        }
        step
    }
}

/// The keys of a player, one row after the other.
fn keys_of(
    mem: &[i64],
    (base, keys): (u16, u16),
    players: usize,
    seat: usize,
) -> impl Iterator<Item = i64> + use<'_> {
    (0..usize::from(keys)).map(move |at| mem[usize::from(base) + at * players + seat])
}
