//! Simulates many bot games on many threads: the same numbers whatever their number.
//!
//! A playout depends on its number alone, and what is counted adds up in any order. Threads take
//! playouts in order and finish what they have taken, so what was done when they are stopped is
//! everything below some number.

mod move_counts;
mod coverage;
mod ends;
mod line_errors;
mod statistics;
mod playout;
mod sample;
mod tally;
mod verdict;

pub(crate) use coverage::{Point, Points, never_run};
pub(crate) use ends::{EndKind, SharedEnds, Success};
pub(crate) use line_errors::{CountedError, LineErrors};
pub(crate) use move_counts::arguments;
pub use playout::{PlayoutLength, Playouts};
pub(crate) use statistics::Apart;
pub use statistics::{Millionths, Moments, Share};
pub use tally::Histogram;
pub(crate) use tally::{MoveUse, SeatWins, Tally};
pub(crate) use verdict::{
    FEWEST, Likelihood, Verdict, Who, WinStanding, departure_from, difference_from_zero,
    difference_of, difference_of_means, difference_of_ranks, difference_of_scores,
    difference_of_shares, fairness, holm_rejects,
};

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use serde::{Deserialize, Serialize};

use crate::bots::{Analysis, BotKind, Clock};
use crate::chance::Seed;
use crate::game::Trap;
use crate::progress::Progress;
use playout::BotTable;
use sample::PlayoutSample;
use tally::merge_each;

#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The games: the same one under different settings, each played with the same seeds.
    pub games: &'a [Analysis],
    pub seats: &'a [BotKind],
    pub seed: Seed,
    pub threads: usize,
    pub clock: Clock,
    /// Whether to keep a record of each game.
    pub records: bool,
    /// Whether to test at every decision what must always hold.
    pub checks: bool,
}

/// What became of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// The number of the playout, and of the game that was played.
    pub(crate) number: u64,
    pub(crate) game: usize,
    /// The order of turns: who began, and the others in the order of their first decisions.
    pub(crate) order: Vec<usize>,
    /// 1 for a win, -1 for a loss, 0 for a draw, by seat.
    pub(crate) returns: Vec<i64>,
    pub(crate) scores: Vec<i64>,
    /// The places by all keys of a ranking.
    pub(crate) places: Vec<usize>,
    /// For each seat the first of its team; empty where nobody has a partner.
    pub(crate) teams: Vec<usize>,
    pub(crate) decisions: i64,
    pub(crate) draws: i64,
    /// What the file measures, as [`Game::measure_values`](crate::game::Game::measure_values) has it.
    pub(crate) measures: Vec<Vec<i64>>,
    pub(crate) stopped: bool,
    pub(crate) end: EndKind,
}

impl Record {
    /// For each seat 1 if it won, alone or with its team.
    fn wins(&self) -> Vec<i64> {
        self.returns.iter().map(|value| i64::from(*value == 1)).collect()
    }

    /// The same in the order of turns.
    fn wins_in_order(&self) -> Vec<i64> {
        let wins = self.wins();
        self.order.iter().filter_map(|seat| wins.get(*seat).copied()).collect()
    }
}

/// A mistake in the rules, and the playout in which it showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub(crate) trap: Trap,
    pub(crate) number: u64,
    pub(crate) game: usize,
}

/// Differences that a setting makes, second less first, over the same playouts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Difference {
    /// Wins of each seat.
    pub(crate) wins: Vec<Moments>,
    /// Wins by place in the order of turns.
    pub(crate) places: Vec<Moments>,
    pub(crate) scores: Vec<Moments>,
    pub(crate) decisions: Moments,
    pub(crate) stopped: Moments,
    /// The same with whether the game ended so.
    #[serde(default)]
    pub(crate) ends: BTreeMap<EndKind, Moments>,
    /// The same with what the file measures, in its order; of each player, one after the other.
    pub(crate) measures: Vec<Vec<Moments>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simulated {
    /// The first playout that was not done.
    pub(crate) next: u64,
    /// For each game what was counted.
    pub tallies: Vec<Tally>,
    /// For each pair of games, in order, the difference.
    pub(crate) differences: BTreeMap<(usize, usize), Difference>,
    /// A record of each game, if they are kept, in no order.
    pub(crate) records: Vec<Record>,
}

impl Simulated {
    pub(crate) fn merge(&mut self, other: &Simulated) {
        self.records.extend(other.records.iter().cloned());
        self.next = self.next.max(other.next);
        merge_each(&mut self.tallies, &other.tallies, Tally::merge);
        for (pair, other) in &other.differences {
            let own = self.differences.entry(*pair).or_default();
            merge_each(&mut own.wins, &other.wins, Moments::merge);
            merge_each(&mut own.places, &other.places, Moments::merge);
            merge_each(&mut own.scores, &other.scores, Moments::merge);
            own.decisions.merge(&other.decisions);
            own.stopped.merge(&other.stopped);
            for (end, moments) in &other.ends {
                own.ends.entry(*end).or_default().merge(moments);
            }
            merge_each(&mut own.measures, &other.measures, |own, other| {
                merge_each(own, other, Moments::merge);
            });
        }
    }
}

impl Difference {
    fn add_pair(&mut self, first: &Record, second: &Record) {
        add_each(&mut self.wins, &first.wins(), &second.wins());
        add_each(&mut self.places, &first.wins_in_order(), &second.wins_in_order());
        add_each(&mut self.scores, &first.scores, &second.scores);
        self.decisions.add_number(second.decisions.saturating_sub(first.decisions));
        self.stopped.add_number(i64::from(second.stopped) - i64::from(first.stopped));
        for end in EndKind::ALL {
            let change = i64::from(second.end == end) - i64::from(first.end == end);
            self.ends.entry(end).or_default().add_number(change);
        }
        self.measures.resize(first.measures.len(), Vec::new());
        let measured = first.measures.iter().zip(&second.measures);
        for (moments, (first, second)) in self.measures.iter_mut().zip(measured) {
            add_each(moments, first, second);
        }
    }
}

fn add_each(moments: &mut Vec<Moments>, first: &[i64], second: &[i64]) {
    moments.resize(moments.len().max(first.len().min(second.len())), Moments::default());
    for (moment, (first, second)) in moments.iter_mut().zip(first.iter().zip(second)) {
        moment.add_number(second.saturating_sub(*first));
    }
}

/// How many playouts a thread takes at once where all seats are quick.
const QUICK: u64 = 64;

/// Plays the playouts of some numbers, or as many of them as are done when they must stop.
///
/// # Errors
/// The first playout in which a mistake in the rules showed.
pub fn simulate(
    batch: Batch,
    numbers: std::ops::Range<u64>,
    progress: &Progress,
) -> Result<Simulated, Broken> {
    let Batch { games, seats, .. } = batch;
    let (next, broken) = (AtomicU64::new(numbers.start), AtomicBool::new(false));
    let quick = seats.iter().all(|kind| matches!(kind, BotKind::Random | BotKind::First));
    let step = if quick { QUICK } else { 1 };
    let samples: Vec<PlayoutSample> =
        games.iter().map(|game| PlayoutSample::for_batch(game, &batch)).collect();
    // Takes playouts until there are no more.
    let work = || {
        let table = |(game, sample): (_, &PlayoutSample)| BotTable::new(game, &batch, *sample);
        let mut tables: Vec<BotTable> = games.iter().zip(&samples).map(table).collect();
        let (mut differences, mut records) = (BTreeMap::new(), Vec::new());
        while !progress.is_stopped() && !broken.load(Ordering::Relaxed) {
            let first = next.fetch_add(step, Ordering::Relaxed);
            if first >= numbers.end {
                break;
            }
            let last = first.saturating_add(step).min(numbers.end);
            for number in first..last {
                let played =
                    play_tables(&mut tables, batch, number, (&mut differences, &mut records));
                played.inspect_err(|_| broken.store(true, Ordering::Relaxed))?;
            }
            progress.advance(last - first);
        }
        let tallies = tables.into_iter().map(BotTable::into_tally).collect();
        Ok(Simulated { next: 0, tallies, differences, records })
    };
    let parts: Vec<Result<Simulated, Broken>> = thread::scope(|scope| {
        // As many as the system gives.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..batch.threads.max(1)).map_while(spawn).collect();
        let mut parts = vec![work()];
        // A panic in a thread goes on here.
        let join =
            |it: thread::ScopedJoinHandle<_>| it.join().unwrap_or_else(|it| resume_unwind(it));
        parts.extend(others.into_iter().map(join));
        parts
    });
    let broken = parts.iter().filter_map(|part| part.as_ref().err());
    if let Some(first) = broken.min_by_key(|it| (it.number, it.game)) {
        return Err(first.clone());
    }
    let mut all = Simulated { next: next.into_inner().min(numbers.end), ..Simulated::default() };
    parts.iter().flatten().for_each(|part| all.merge(part));
    Ok(all)
}

fn play_tables(
    tables: &mut [BotTable],
    batch: Batch,
    number: u64,
    (differences, records): (&mut BTreeMap<(usize, usize), Difference>, &mut Vec<Record>),
) -> Result<(), Broken> {
    let mut results: Vec<Record> = Vec::with_capacity(tables.len());
    for (game, table) in tables.iter_mut().enumerate() {
        let second = table.record_game(batch.seed, number);
        let second = second.map_err(|trap| Broken { trap, number, game })?;
        let second = Record { number, game, ..second };
        for (earlier, first) in results.iter().enumerate() {
            differences.entry((earlier, game)).or_default().add_pair(first, &second);
        }
        results.push(second);
    }
    if batch.records {
        records.append(&mut results);
    }
    Ok(())
}
