//! Playouts: one by random players as fast as the machine goes, or by bots with everything counted.

use std::collections::BTreeSet;

use crate::bots::{Analysis, Bot, BotKind, Control, View};
use crate::bytecode::Program;
use crate::chance::{Chance, Seed, Seeded};
use crate::game::{Game, Player, State, Trap};
use crate::rules::STARTER;
use crate::simulate::coverage::{Points, count_cut_offs};
use crate::simulate::ends::EndKind;
use crate::simulate::move_counts::MoveCounter;
use crate::simulate::sample::PlayoutSample;
use crate::simulate::tally::{Histogram, Tally, winning_return};
use crate::simulate::{Batch, Record};
use crate::source::Span;
use crate::vm::{Driver, LentStreams, Offers, VmStep, choose, run};

/// How many decisions and draws of chance a playout had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayoutLength {
    pub decisions: u64,
    pub draws: u64,
}

/// A table for one playout after the other: everything that a playout needs is kept, so that none
/// allocates, unless it meets a longer list of moves than any before it.
#[derive(Debug)]
pub struct Playouts<'a> {
    game: &'a Game,
    start: State,
    state: State,
    offers: Offers,
    /// That of the table, then those of the seats.
    streams: Vec<Seeded>,
    /// How often each operation cut off what somebody gained, in all games.
    cut_off: Vec<u64>,
    tests_all: bool,
}

impl<'a> Playouts<'a> {
    pub fn new(game: &'a Game) -> Playouts<'a> {
        let start = game.initial_state();
        let state = start.clone();
        let streams = Seed(0).streams(0, game.info().players).collect();
        let cut_off = vec![0; game.program().code.len()];
        let (offers, tests_all) = (Offers::new(), false);
        Playouts { game, start, state, offers, streams, cut_off, tests_all }
    }

    /// Tests all offered moves, so that a mistake in any of their conditions shows.
    #[must_use]
    pub(crate) fn testing_all(self) -> Playouts<'a> {
        Playouts { tests_all: true, ..self }
    }

    /// Plays one game with random moves. The same seed and number give the same game as a table
    /// with random seats that is played step by step.
    ///
    /// # Errors
    /// A mistake in the rules that showed in play.
    pub fn play(&mut self, seed: Seed, number: u64) -> Result<PlayoutLength, Trap> {
        let players = self.game.info().players;
        self.state.set_to(&self.start);
        let streams = self.streams.iter_mut().zip(seed.streams(number, players));
        streams.for_each(|(place, stream)| *place = stream);
        let mut random = RandomStreams {
            streams: &mut self.streams,
            cut_off: &mut self.cut_off,
            played: PlayoutLength::default(),
            tests_all: self.tests_all,
        };
        let (program, names) = (self.game.program(), self.game.names());
        run(program, &mut self.state, &mut self.offers, names, &mut random)?;
        Ok(random.played)
    }

    /// What is measured at the end of the last game.
    ///
    /// # Errors
    /// A mistake in the rules that shows while a value is computed.
    pub(crate) fn measure(&self) -> Result<(), Trap> {
        self.game.measure_values(&self.state).map(|_| ())
    }

    /// Where `gains` was cut off at the top of a range in any of the games, and how often.
    pub fn cut_off(&self) -> Vec<(Span, u64)> {
        count_cut_offs(self.game, &self.cut_off)
            .into_iter()
            .filter(|(_, times)| *times > 0)
            .collect()
    }

    /// The end of the last game. Nobody was to look at it, so it does not say who knows which cards.
    pub fn last_state(&self) -> &State {
        &self.state
    }
}

/// A driver that answers everything at random, each seat and the table from a stream of its own.
struct RandomStreams<'a> {
    streams: &'a mut [Seeded],
    cut_off: &'a mut [u64],
    played: PlayoutLength,
    tests_all: bool,
}

impl RandomStreams<'_> {
    fn seat_stream(&mut self, seat: u8) -> &mut Seeded {
        &mut self.streams[1 + usize::from(seat)]
    }
}

impl Driver for RandomStreams<'_> {
    fn tracks_knowledge(&self) -> bool {
        false
    }

    fn on_cut_off(&mut self, operation: usize) {
        self.cut_off[operation] += 1;
    }

    fn tests_all(&self) -> bool {
        self.tests_all
    }

    fn lend(&mut self) -> Option<LentStreams<'_>> {
        Some(LentStreams { streams: self.streams, decisions: u64::MAX })
    }

    fn on_lent_answers(&mut self, decisions: u64, draws: u64) {
        self.played.decisions += decisions;
        self.played.draws += draws;
    }

    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        self.played.decisions += 1;
        Some(offers.pick(self.seat_stream(offers.player())))
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        self.played.draws += 1;
        Some(self.streams[0].below(outcomes))
    }
}

/// A table of bots for one playout after the other, where every operation, decision and result is
/// counted.
pub(super) struct BotTable<'a> {
    game: &'a Game,
    kinds: &'a [BotKind],
    bots: Vec<Box<dyn Bot>>,
    start: State,
    state: State,
    offers: Offers,
    counts: PlayoutCounts,
    tally: Tally,
    /// Whether to test at every decision what must always hold.
    checks: bool,
    /// In which games moves are counted.
    sample: PlayoutSample,
    /// The measure of the file that tells who began.
    starter: Option<usize>,
    /// The operations of each place that was not passed yet. Where none is left, operations are no longer marked.
    unseen: Vec<Vec<usize>>,
}

#[derive(Default)]
struct PlayoutCounts {
    operations: Vec<bool>,
    /// How often each operation cut off what somebody gained.
    cut_off: Vec<u64>,
    choices: MoveCounter,
    /// Whether the moves of this playout are counted.
    is_sampled: bool,
    /// Whether the limit of decisions stopped it.
    is_limited: bool,
    /// The seat with which turns began first in this playout.
    starter: Option<usize>,
    /// Who decided in it, in the order of their first decisions, if its moves are counted.
    order: Vec<usize>,
    /// Its decisions and draws.
    decisions: i64,
    draws: i64,
}

impl<'a> BotTable<'a> {
    pub(super) fn new(
        analysis: &'a Analysis,
        batch: &Batch<'a>,
        sample: PlayoutSample,
    ) -> BotTable<'a> {
        let Batch { seats: kinds, clock, checks, .. } = *batch;
        let game = analysis.game();
        let program = game.program();
        let start = game.initial_state();
        let counts = PlayoutCounts {
            operations: vec![false; program.code.len()],
            cut_off: vec![0; program.code.len()],
            choices: MoveCounter::for_game(game),
            order: Vec::with_capacity(game.info().players),
            ..PlayoutCounts::default()
        };
        BotTable {
            game,
            kinds,
            bots: kinds.iter().map(|kind| kind.bot(analysis, Control::timed(clock))).collect(),
            state: start.clone(),
            start,
            offers: Offers::new(),
            counts,
            tally: Tally::new(game.info().players),
            checks: checks && !game.program().always.is_empty(),
            sample,
            starter: game.program().measures.iter().position(|measure| measure.name == STARTER),
            unseen: Points::of_game(game).operations(),
        }
    }

    pub(super) fn record_game(&mut self, seed: Seed, number: u64) -> Result<Record, Trap> {
        // Machine code marks what it passes, or does not, from the beginning.
        let marks = !self.unseen.is_empty() || self.game.program().engine.code().is_some();
        if !marks {
            return self.play_marking::<false>(seed, number);
        }
        let record = self.play_marking::<true>(seed, number)?;
        let operations = &self.counts.operations;
        self.unseen.retain(|place| !place.iter().any(|at| operations[*at]));
        Ok(record)
    }

    fn play_marking<const MARKS: bool>(&mut self, seed: Seed, number: u64) -> Result<Record, Trap> {
        let players = self.game.info().players;
        let program = self.game.program();
        self.state.set_to(&self.start);
        self.counts.is_limited = false;
        self.counts.order.clear();
        self.counts.choices.begin_game();
        (self.counts.decisions, self.counts.draws) = (0, 0);
        self.counts.starter = None;
        self.counts.is_sampled = self.sample.has_playout(number);
        let mut broken = BTreeSet::new();
        let mut driver = Watching::<MARKS> {
            waits: self.checks,
            program,
            streams: seed.streams(number, players).collect(),
            kinds: self.kinds,
            counts: &mut self.counts,
            tally: &mut self.tally,
        };
        loop {
            let (state, offers) = (&mut self.state, &mut self.offers);
            match run(program, state, offers, self.game.names(), &mut driver)? {
                VmStep::End => break,
                VmStep::Draw { .. } => unreachable!("the driver answers every draw"),
                VmStep::Decide { player } => {
                    self.state.canonicalise(program);
                    if self.checks {
                        count_unkept(self.game, &self.state, number, &mut broken, driver.tally);
                    }
                    let (game, player) = (self.game, Player(player));
                    let observation = game.observe(&self.state, player);
                    let view = View { game, seen: &observation, player, offers: &self.offers };
                    let seat = usize::from(player.0);
                    let index = self.bots[seat].choose(&view, &mut driver.streams[1 + seat]);
                    driver.tally.line_errors.count(self.bots[seat].line_errors(), number);
                    if self.bots[seat].ran_out() {
                        return Err(self.kinds[seat].out_of_memory(game, &self.state));
                    }
                    driver.counts.choices.count_move(program, &self.offers, index);
                    choose(program, &mut self.state, &self.offers, index);
                }
            }
        }
        if self.checks {
            count_unkept(self.game, &self.state, number, &mut broken, &mut self.tally);
        }
        self.count_end(self.counts.is_limited)
    }

    /// Counts how a playout ended, and what the file measures then.
    fn count_end(&mut self, limited: bool) -> Result<Record, Trap> {
        let (tally, counts) = (&mut self.tally, &mut self.counts);
        tally.playouts += 1;
        tally.finished += u64::from(!limited);
        tally.limit_reached += u64::from(limited);
        tally.decisions.add_number(counts.decisions);
        tally.draws.add_number(counts.draws);
        tally.sampled += u64::from(counts.is_sampled);
        let measures = &self.game.program().measures;
        let values =
            if measures.is_empty() { Vec::new() } else { self.game.measure_values(&self.state)? };
        let starter = self.starter.map_or(counts.starter, |at| seat_of(&values[at]));
        let starter = starter.filter(|seat| *seat < tally.wins.len());
        let mut record = Record {
            order: turn_order(starter, &counts.order, tally.wins.len(), counts.is_sampled),
            measures: values,
            decisions: counts.decisions,
            draws: counts.draws,
            stopped: limited,
            ..Record::default()
        };
        if let Some(outcome) = self.game.final_outcome(&self.state) {
            tally.add_order(&record.order, &outcome.returns);
            if let (Some(seat), Some(won)) = (starter, winning_return(&outcome.returns)) {
                tally.begun[seat].add_game(outcome.returns[seat] == won);
            }
            record.end = EndKind::of(&outcome, limited);
            tally.add_result(&outcome, record.end);
            if counts.is_sampled {
                counts.choices.count_end(&outcome, record.end);
            }
            record.teams = outcome.partners().unwrap_or_default();
            record.returns = outcome.returns;
            record.places = outcome.scores.iter().flat_map(|_| outcome.places.clone()).collect();
            record.scores = outcome.scores.unwrap_or_default();
            let scores = tally.scores.iter_mut().zip(&record.scores);
            scores.for_each(|(scores, score)| scores.add_number(*score));
        }
        for (measure, of_game) in measures.iter().zip(&record.measures) {
            let kept = tally.measures.entry(measure.name.clone()).or_default();
            kept.resize(kept.len().max(of_game.len()), Histogram::default());
            kept.iter_mut()
                .zip(of_game)
                .for_each(|(histogram, value)| histogram.add_number(*value));
        }
        Ok(record)
    }

    pub(super) fn into_tally(self) -> Tally {
        let BotTable { game, counts, mut tally, .. } = self;
        let taken = counts.choices.into_tally(&mut tally);
        tally.cut_off =
            count_cut_offs(game, &counts.cut_off).into_iter().map(|(_, times)| times).collect();
        tally.passed = Points::of_game(game).passed(&counts.operations, &taken);
        tally
    }
}

/// The order of turns: the starter, the others by their first decision, then the rest round the table. Unless
/// `is_noted`, only the starter is known.
fn turn_order(
    starter: Option<usize>,
    decided: &[usize],
    players: usize,
    is_noted: bool,
) -> Vec<usize> {
    let mut order: Vec<usize> = starter.into_iter().collect();
    order.extend(decided.iter().filter(|seat| Some(**seat) != starter));
    let Some(first) = order.first().copied().filter(|_| is_noted) else { return order };
    for seat in (0..players).map(|at| (first + at) % players) {
        if !order.contains(&seat) {
            order.push(seat);
        }
    }
    order
}

/// Counts what must always hold and does not, once a game.
fn count_unkept(
    game: &Game,
    state: &State,
    number: u64,
    broken: &mut BTreeSet<usize>,
    tally: &mut Tally,
) {
    for unkept in game.unkept(state) {
        if broken.insert(unkept.number) {
            let (games, first) = tally.unkept.entry(unkept.number).or_insert((0, number));
            *games += 1;
            *first = number.min(*first);
        }
    }
}

/// A driver that counts, answers draws, and answers for random seats and those that take the
/// first move; for the others it lets the machine wait.
struct Watching<'a, const MARKS: bool> {
    /// Whether it lets the machine wait at every decision.
    waits: bool,
    program: &'a Program,
    /// That of the table, then those of the seats.
    streams: Vec<Seeded>,
    kinds: &'a [BotKind],
    counts: &'a mut PlayoutCounts,
    tally: &'a mut Tally,
}

impl<const MARKS: bool> Driver for Watching<'_, MARKS> {
    fn tracks_knowledge(&self) -> bool {
        self.kinds.iter().any(|kind| !matches!(kind, BotKind::Random | BotKind::First))
    }

    fn op_marks(&mut self) -> Option<&mut Vec<bool>> {
        MARKS.then_some(&mut self.counts.operations)
    }

    fn on_limit(&mut self) {
        self.counts.is_limited = true;
    }

    fn on_cut_off(&mut self, operation: usize) {
        self.counts.cut_off[operation] += 1;
    }

    fn on_turn(&mut self, seat: i64) {
        if self.counts.starter.is_none() {
            self.counts.starter = Some(usize::try_from(seat).expect("a player is a seat"));
            // What was decided before the first turn says nothing of the order of turns.
            self.counts.order.clear();
        }
    }

    fn tests_all(&self) -> bool {
        self.counts.is_sampled
    }

    fn lend(&mut self) -> Option<LentStreams<'_>> {
        let is_lent = !self.counts.is_sampled;
        is_lent.then_some(LentStreams { streams: &mut self.streams, decisions: u64::MAX })
    }

    fn on_lent_answers(&mut self, decisions: u64, draws: u64) {
        let [decisions, draws] =
            [decisions, draws].map(|it| i64::try_from(it).expect("a game has fewer than 2^63"));
        self.counts.decisions += decisions;
        self.counts.draws += draws;
    }

    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        let counts = &mut *self.counts;
        let seat = usize::from(offers.player());
        counts.decisions += 1;
        if !counts.is_sampled {
            return Some(offers.pick(&mut self.streams[1 + seat]));
        }
        let moves = offers.count();
        self.tally.decisions_sampled += 1;
        let many = u64::try_from(moves).expect("a decision has fewer than 2^64 moves");
        self.tally.moves_offered += many;
        self.tally.most_moves = self.tally.most_moves.max(many);
        counts.choices.offer(self.program, offers);
        if counts.order.len() < counts.order.capacity() && !counts.order.contains(&seat) {
            counts.order.push(seat);
        }
        let index = match self.kinds[seat] {
            BotKind::Random if !self.waits => offers.pick(&mut self.streams[1 + seat]),
            BotKind::First if !self.waits => 0,
            _ => return None,
        };
        counts.choices.count_move(self.program, offers, index);
        Some(index)
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        self.counts.draws += 1;
        Some(self.streams[0].below(outcomes))
    }
}

/// The starter from a measure: a seat from 1, or yes for that seat alone.
fn seat_of(values: &[i64]) -> Option<usize> {
    match values {
        [number] => usize::try_from(number.checked_sub(1)?).ok(),
        each => each.iter().position(|value| *value == 1),
    }
}
