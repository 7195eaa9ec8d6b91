//! Many playouts on many threads: the same numbers whatever their number.
//!
//! A playout depends on its number alone, and what is counted adds up in any order. Threads take
//! playouts in order and finish what they have taken, so what was done when they are stopped is
//! everything below some number.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::fixed::Moments;
use super::table::{Ended, Table};
use super::tally::{Tally, merge_each};
use crate::bots::{Analysis, Clock, Kind};
use crate::chance::Seed;
use crate::game::Trap;
use crate::progress::Progress;

#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The games: the same one under different settings, each played with the same seeds.
    pub games: &'a [Analysis],
    /// Who sits where.
    pub seats: &'a [Kind],
    pub seed: Seed,
    pub threads: usize,
    /// How bots know the time.
    pub clock: Clock,
}

/// A mistake in the rules, and the playout in which it showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub trap: Trap,
    pub number: u64,
    pub game: usize,
}

/// The difference that a setting makes, by the same playouts under both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Difference {
    /// For each seat, wins under the second setting less wins under the first.
    pub wins: Vec<Moments>,
    /// The same with scores.
    pub scores: Vec<Moments>,
    /// The same with the number of decisions.
    pub decisions: Moments,
}

/// What came of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The first playout that was not done.
    pub next: u64,
    /// For each game what was counted.
    pub tallies: Vec<Tally>,
    /// For each pair of games, in order, the difference.
    pub differences: BTreeMap<(usize, usize), Difference>,
}

impl Played {
    pub fn merge(&mut self, other: &Played) {
        self.next = self.next.max(other.next);
        merge_each(&mut self.tallies, &other.tallies, Tally::merge);
        for (pair, other) in &other.differences {
            let own = self.differences.entry(*pair).or_default();
            merge_each(&mut own.wins, &other.wins, Moments::merge);
            merge_each(&mut own.scores, &other.scores, Moments::merge);
            own.decisions.merge(&other.decisions);
        }
    }
}

impl Difference {
    fn add(&mut self, first: &Ended, second: &Ended) {
        add_each(&mut self.wins, &first.wins, &second.wins);
        add_each(&mut self.scores, &first.scores, &second.scores);
        self.decisions.add(second.decisions.saturating_sub(first.decisions));
    }
}

fn add_each(moments: &mut Vec<Moments>, first: &[i64], second: &[i64]) {
    moments.resize(moments.len().max(first.len().min(second.len())), Moments::default());
    for (moment, (first, second)) in moments.iter_mut().zip(first.iter().zip(second)) {
        moment.add(second.saturating_sub(*first));
    }
}

/// Plays the playouts of some numbers, or as many of them as are done when they are asked to stop.
///
/// # Errors
/// The first playout in which a mistake in the rules showed.
pub fn simulate(
    batch: Batch,
    numbers: std::ops::Range<u64>,
    progress: &Progress,
) -> Result<Played, Broken> {
    let next = AtomicU64::new(numbers.start);
    let broken = AtomicBool::new(false);
    let shared = Shared { batch, next: &next, end: numbers.end, progress, broken: &broken };
    let threads = batch.threads.max(1);
    let parts: Vec<Result<Played, Broken>> = thread::scope(|scope| {
        // As many as the system gives.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, || shared.work()).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let mut parts = vec![shared.work()];
        // A panic in a thread goes on here.
        parts.extend(others.into_iter().map(|other| match other.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        parts
    });
    let broken = parts.iter().filter_map(|part| part.as_ref().err());
    if let Some(first) = broken.min_by_key(|it| (it.number, it.game)) {
        return Err(first.clone());
    }
    let mut all = Played { next: next.into_inner().min(numbers.end), ..Played::default() };
    parts.iter().flatten().for_each(|part| all.merge(part));
    Ok(all)
}

/// How many playouts a thread takes at once where all seats are quick.
const QUICK: u64 = 64;

/// What the threads have in common.
#[derive(Clone, Copy)]
struct Shared<'a> {
    batch: Batch<'a>,
    next: &'a AtomicU64,
    end: u64,
    progress: &'a Progress,
    broken: &'a AtomicBool,
}

impl Shared<'_> {
    /// Takes playouts until there are no more.
    fn work(&self) -> Result<Played, Broken> {
        let Batch { games, seats, clock, .. } = self.batch;
        let mut tables: Vec<Table> =
            games.iter().map(|game| Table::new(game, seats, clock)).collect();
        let mut differences: BTreeMap<(usize, usize), Difference> = BTreeMap::new();
        let quick = seats.iter().all(|kind| matches!(kind, Kind::Random | Kind::First));
        let step = if quick { QUICK } else { 1 };
        while !self.progress.is_stopped() && !self.broken.load(Ordering::Relaxed) {
            let first = self.next.fetch_add(step, Ordering::Relaxed);
            if first >= self.end {
                break;
            }
            let last = first.saturating_add(step).min(self.end);
            for number in first..last {
                self.play(&mut tables, number, &mut differences)?;
            }
            self.progress.add(last - first);
        }
        let tallies = tables.into_iter().map(Table::into_tally).collect();
        Ok(Played { next: 0, tallies, differences })
    }

    /// Plays one playout under each setting.
    fn play(
        &self,
        tables: &mut [Table],
        number: u64,
        differences: &mut BTreeMap<(usize, usize), Difference>,
    ) -> Result<(), Broken> {
        let mut results: Vec<Ended> = Vec::with_capacity(tables.len());
        for (game, table) in tables.iter_mut().enumerate() {
            let played = table.play(self.batch.seed, number);
            results.push(played.map_err(|trap| {
                self.broken.store(true, Ordering::Relaxed);
                Broken { trap, number, game }
            })?);
        }
        for second in 1..results.len() {
            for first in 0..second {
                let difference = differences.entry((first, second)).or_default();
                difference.add(&results[first], &results[second]);
            }
        }
        Ok(())
    }
}
