//! Finds out whether a game is a match of deals, whose results are only counted at their ends.

use crate::bots::heuristic::LeadMeasure;
use crate::bots::random::RandomDriver;
use crate::bytecode::program::NONE;
use crate::chance::Seed;
use crate::game::{Game, State};
use crate::vm::{Offers, VmStep, run};

/// How many random games are looked at, and how many decisions of each.
const GAMES: u64 = 4;
const DECISIONS: u64 = 2_000;

/// How many decisions are made between two looks at the standing.
pub(super) const STRIDE: u64 = 4;

/// So many looks after a change the next deal has begun.
const LOOKS_AFTER: usize = 3;

/// What the whole range of a number counts in a distance.
const WHOLE: u64 = 1 << 10;

/// A deal that is shorter than so many decisions, a search sees whole anyway.
const SHORTEST: u64 = 20;

/// The mean number of decisions between two changes of the standing, where games have several, they are far apart,
/// and the table looks after each change as it did after the one before. A realm that grows from point to point is no
/// match of deals: what is built between two points counts, too.
///
/// In a ranking the end counts as one change: where chance bids, the first deal may lose a match.
pub(super) fn deal_length(game: &Game, standing: &LeadMeasure) -> Option<u64> {
    let (mut changes, mut made) = (0, 0);
    let mut deals = DealDistances::default();
    for number in 0..GAMES {
        let watched = WatchedGame::play_random(game, standing, number)?;
        made += watched.decisions;
        changes += watched.starts.len().saturating_sub(1) as u64;
        changes += u64::from(watched.has_ended && standing.ranks());
        deals.add_game(&watched);
    }
    let length = made / changes.max(1);
    let several = if standing.ranks() { changes > GAMES } else { changes >= 2 * GAMES };
    (several && length >= SHORTEST && deals.begin_alike()).then_some(length)
}

/// What was seen of a random game.
#[derive(Debug, Default)]
struct WatchedGame {
    /// The table after every few decisions, [`STRIDE`] of them.
    looks: Vec<Vec<i64>>,
    /// The looks with a new standing: there deals begin.
    starts: Vec<usize>,
    decisions: u64,
    has_ended: bool,
}

impl WatchedGame {
    /// Plays the game of a number; `None` if nobody can tell a standing.
    fn play_random(game: &Game, standing: &LeadMeasure, number: u64) -> Option<WatchedGame> {
        let mut watched = WatchedGame::default();
        let mut chance = Seed(2).stream(number);
        let (mut state, mut offers) = (game.initial_state(), Offers::new());
        let mut before: Option<Vec<i64>> = None;
        for _ in 0..DECISIONS / STRIDE {
            let mut driver = RandomDriver { chance: &mut chance, left: STRIDE };
            watched.decisions += STRIDE;
            match run(game.program(), &mut state, &mut offers, game.names(), &mut driver) {
                Ok(VmStep::End) => {
                    watched.has_ended = true;
                    break;
                }
                Err(_) => break,
                Ok(_) => {}
            }
            let now = standing.scores(&state)?;
            if before.as_ref().is_none_or(|before| *before != now) {
                watched.starts.push(watched.looks.len());
            }
            watched.looks.push(look(game, &state));
            before = Some(now);
        }
        Some(watched)
    }
}

/// How far the beginnings of two deals are from each other, and how far the middle of one is from its beginning.
#[derive(Debug, Default)]
struct DealDistances {
    next: u64,
    middle: u64,
}

impl DealDistances {
    fn add_game(&mut self, WatchedGame { looks, starts, .. }: &WatchedGame) {
        let ranges = ranges(looks);
        for pair in starts.windows(2).filter(|pair| pair[1] - pair[0] >= LOOKS_AFTER) {
            let from = |to: usize| distance(&looks[pair[0]], &looks[to], &ranges);
            let after = pair[1]..looks.len().min(pair[1] + LOOKS_AFTER);
            self.next += after.map(from).min().unwrap_or(0);
            self.middle += from(usize::midpoint(pair[0], pair[1]));
        }
    }

    /// Whether deals begin alike. In random games, `next` is at most a third of `middle` where cards are dealt anew, and
    /// about as much or more where realms grow: `docs/decisions.md` has the games.
    fn begin_alike(&self) -> bool {
        2 * self.next < self.middle
    }
}

/// What a state looks like from afar: how many cards lie in each pile, or without cards what variables hold.
fn look(game: &Game, state: &State) -> Vec<i64> {
    let program = game.program();
    let count = |words: &[i64]| words.iter().map(|word| i64::from(word.count_ones())).sum();
    let size = |(first, width): (usize, u16)| count(state.slice(first, width.into()));
    let piles = program
        .cards
        .iter()
        .flat_map(|cards| (0..cards.piles.len()).map(|pile| (cards.set_of(pile), cards.width)));
    let sizes: Vec<i64> = piles.map(size).collect();
    if !sizes.is_empty() {
        return sizes;
    }
    let mut look = Vec::new();
    for var in &program.vars {
        let words = state.slice(var.base.into(), var.words(program.players)).iter();
        if var.kept.is_some() || var.format.shape.is_set() {
            look.extend(words.map(|word| i64::from(word.count_ones())));
        } else {
            look.extend(words.map(|word| if *word == NONE { -1 } else { *word }));
        }
    }
    look
}

/// How far apart the numbers at each place of some rows are.
fn ranges(rows: &[Vec<i64>]) -> Vec<u64> {
    let count = rows.first().map_or(0, Vec::len);
    let range = |at: usize| {
        let numbers = rows.iter().map(|row| row[at]);
        let (least, most) = (numbers.clone().min(), numbers.max());
        least.zip(most).map_or(0, |(least, most)| most.abs_diff(least))
    };
    (0..count).map(range).collect()
}

/// The sum of the differences at all places, each in parts of its range.
fn distance(one: &[i64], other: &[i64], ranges: &[u64]) -> u64 {
    let part = |((one, other), range): ((&i64, &i64), &u64)| {
        let part = u128::from(one.abs_diff(*other)) * u128::from(WHOLE) / u128::from(*range).max(1);
        u64::try_from(part).expect("a difference is within its range")
    };
    one.iter().zip(other).zip(ranges).map(part).sum()
}

#[cfg(test)]
mod tests {
    use super::{DealDistances, WatchedGame};

    fn begin_alike(looks: Vec<Vec<i64>>, starts: [usize; 4]) -> bool {
        let mut distances = DealDistances::default();
        let starts = starts.into_iter().filter(|start| *start < looks.len()).collect();
        distances.add_game(&WatchedGame { looks, starts, ..WatchedGame::default() });
        distances.begin_alike()
    }

    #[test]
    fn hands_that_are_dealt_anew_make_deals() {
        // Thirteen cards are played; the next deal begins a look after its points.
        let look = |at: i64| vec![(12 - at).rem_euclid(13), at.rem_euclid(13)];
        assert!(begin_alike((0..40).map(look).collect(), [0, 12, 25, 38]));
    }

    #[test]
    fn what_grows_or_stays_makes_no_deals() {
        let grows = (0..40).map(|at| vec![at, at % 3]).collect();
        for looks in [grows, vec![vec![7, 7]; 40], Vec::new()] {
            assert!(!begin_alike(looks, [0, 12, 24, 36]));
        }
    }
}
