//! Finds out whether a game is a match of deals, whose results are only counted at their ends.

use crate::bots::heuristic::LeadMeasure;
use crate::bots::random::RandomDriver;
use crate::chance::Seed;
use crate::game::Game;
use crate::vm::{Offers, VmStep, run};

/// How many random games are looked at, and how many decisions of each.
const GAMES: u64 = 4;
const DECISIONS: u64 = 2_000;

/// How many decisions are made between two looks at the standing.
pub(super) const STRIDE: u64 = 4;

/// A deal that is shorter than so many decisions, a search sees whole anyway.
const SHORTEST: u64 = 20;

/// The mean number of decisions between two changes of the standing, where games have several and they are far apart.
/// In a ranking the end counts as one: where chance bids, the first deal may lose a match.
pub(super) fn deal_length(game: &Game, standing: &LeadMeasure) -> Option<u64> {
    let (mut changes, mut made) = (0, 0);
    for number in 0..GAMES {
        let mut chance = Seed(2).stream(number);
        let (mut state, mut offers) = (game.initial_state(), Offers::new());
        let mut before: Option<Vec<i64>> = None;
        for _ in 0..DECISIONS / STRIDE {
            let mut driver = RandomDriver { chance: &mut chance, left: STRIDE };
            made += STRIDE;
            match run(game.program(), &mut state, &mut offers, game.names(), &mut driver) {
                Ok(VmStep::End) => {
                    changes += u64::from(standing.ranks());
                    break;
                }
                Err(_) => break,
                Ok(_) => {}
            }
            let now = standing.scores(&state)?;
            changes += u64::from(before.as_ref().is_some_and(|before| *before != now));
            before = Some(now);
        }
    }
    let length = made / changes.max(1);
    let several = if standing.ranks() { changes > GAMES } else { changes >= 2 * GAMES };
    (several && length >= SHORTEST).then_some(length)
}
