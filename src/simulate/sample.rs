//! In which games of random players moves are counted: to list every legal move at every decision can take many times
//! as long as to draw one.

use crate::bots::{Analysis, BotKind};
use crate::chance::{Chance, Seed, Seeded};
use crate::game::Game;
use crate::simulate::Batch;
use crate::vm::{Driver, LentStreams, Offers, VmStep, run};

/// The first games are counted, and then one of so many.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayoutSample {
    first: u64,
    every: u64,
}

/// How many games tell what it costs, if all their moves are listed within [`MOST_TRIED`] operations.
const TRIED: u64 = 16;

const MOST_TRIED: u64 = 2_000_000;

/// So many decisions tell to one point how often moves are taken.
const ENOUGH: u64 = 10_000;

/// Counting moves makes a simulation so many percent longer at most. That holds for the games that are counted first,
/// compared with all that are played by default, and for those that are counted among the games after them.
const LONGER: u64 = 5;

const BY_DEFAULT: u64 = 10_000;

/// So many operations more take no time that anybody notices.
const UNNOTICED: u64 = 4_000_000;

/// To count a listed move takes about as long as so many operations, and so does a decision whose moves are counted.
const COUNTING: u64 = 16;

impl PlayoutSample {
    /// Measures the first games with and without a list of all moves, in operations. It depends on the rules alone, so
    /// parts of a simulation count the same games.
    pub(super) fn for_batch(analysis: &Analysis, batch: &Batch<'_>) -> PlayoutSample {
        let Batch { seats, records, checks, .. } = *batch;
        if checks || records || seats.iter().any(|kind| *kind != BotKind::Random) {
            return PlayoutSample { first: u64::MAX, every: 1 };
        }
        let [percent, operations, decisions] = analysis.listing_cost(|| longer(analysis.game()));
        let most = BY_DEFAULT * LONGER / percent.max(1);
        let first = (ENOUGH * TRIED / decisions.max(1)).min(most);
        let unnoticed = UNNOTICED * TRIED / operations.max(1);
        PlayoutSample {
            first: first.max(unnoticed).max(TRIED),
            every: percent.div_ceil(LONGER).max(1),
        }
    }

    pub(super) fn has_playout(self, number: u64) -> bool {
        number < self.first || number.is_multiple_of(self.every)
    }
}

/// By how many percent and operations [`TRIED`] games take longer whose moves are counted, and their decisions. A game
/// that is cut off counts as a whole one.
fn longer(game: &Game) -> [u64; 3] {
    let listed = Costs::measure(game, true, u64::MAX);
    let drawn = Costs::measure(game, false, listed.decisions);
    let longer = listed.operations.saturating_sub(drawn.operations);
    let of_all = |count: u64| count.saturating_mul(TRIED) / listed.games.max(1);
    let percent = longer.saturating_mul(100) / drawn.operations.max(1);
    [percent, of_all(longer), of_all(listed.decisions)]
}

/// A driver that counts what random games cost.
#[derive(Default)]
struct Costs {
    lists: bool,
    streams: Vec<Seeded>,
    operations: u64,
    decisions: u64,
    /// After how many decisions it stops.
    most: u64,
    games: u64,
}

impl Costs {
    fn measure(game: &Game, lists: bool, most: u64) -> Costs {
        let mut costs = Costs { lists, most, ..Costs::default() };
        // What goes wrong there goes wrong again where it is counted.
        let _ = (0..TRIED).try_for_each(|number| costs.measure_game(game, number));
        costs
    }

    /// Plays a game; none if it is cut off, or its rules have a mistake.
    fn measure_game(&mut self, game: &Game, number: u64) -> Option<()> {
        if self.is_enough() {
            return None;
        }
        self.games += 1;
        self.streams = Seed(0).streams(number, game.info().players).collect();
        let (mut state, mut offers) = (game.initial_state(), Offers::new());
        let end = run(game.program(), &mut state, &mut offers, game.names(), self);
        (end == Ok(VmStep::End)).then_some(())
    }

    fn is_enough(&self) -> bool {
        self.decisions >= self.most || self.lists && self.operations >= MOST_TRIED
    }
}

impl Driver for Costs {
    fn tracks_knowledge(&self) -> bool {
        false
    }

    fn on_op(&mut self) {
        self.operations += 1;
    }

    fn tests_all(&self) -> bool {
        self.lists
    }

    fn lend(&mut self) -> Option<LentStreams<'_>> {
        let decisions = self.most.saturating_sub(self.decisions);
        (!self.lists).then_some(LentStreams { streams: &mut self.streams, decisions })
    }

    fn on_lent_answers(&mut self, decisions: u64, _: u64) {
        self.decisions += decisions;
    }

    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        if self.is_enough() {
            return None;
        }
        self.decisions += 1;
        if self.lists {
            let moves =
                u64::try_from(offers.count()).expect("a decision has fewer than 2^64 moves");
            self.operations += COUNTING * (1 + moves);
        }
        Some(offers.pick(&mut self.streams[1 + usize::from(offers.player())]))
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        Some(self.streams[0].below(outcomes))
    }
}
