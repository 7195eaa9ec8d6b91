//! The bot that tries each move with random playouts.

use super::analysis::{Analysis, over};
use super::budget::{Budget, Control};
use super::random::{RandomDriver, stream_of_decision};
use super::view::imagine;
use super::{Bot, View};
use crate::chance::Seeded;
use crate::game::{Game, LegalMoves, State};
use crate::vm::{Offers, Step, run};

/// After how many decisions a random game is called a draw.
const LONGEST: u64 = 20_000;

/// After how many decisions the one who leads is asked for, in place of playing on: what comes
/// after them at random has little to do with the move that they began with.
const HORIZON: u64 = 20;

/// Takes the move after which random games end best.
#[derive(Clone, Debug)]
pub(super) struct Rollout {
    budget: Budget,
    control: Control,
    games: Games,
}

impl Rollout {
    pub(super) fn new(analysis: &Analysis, budget: Budget, control: Control) -> Rollout {
        Rollout { budget, control, games: Games::new(analysis) }
    }
}

impl Bot for Rollout {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let mut chance = stream_of_decision(chance);
        let mut totals = vec![(0_i64, 0_i64); view.moves];
        let mut legal = LegalMoves::new();
        let mut spending = self.budget.spend(self.control);
        // Each move has the same number of games, but for the last round.
        for index in (0..view.moves).cycle() {
            if view.moves == 1 || !spending.goes_on() {
                break;
            }
            let Some(mut state) = imagine(view, &mut chance, &mut legal) else { continue };
            view.game.choose(&mut state, &legal, index);
            let worth = self.games.play(view.game, &mut state, &mut chance);
            totals[index].0 += worth[view.player.index()];
            totals[index].1 += 1;
        }
        best(&totals)
    }
}

/// The place with the highest mean; the first of equals.
fn best(totals: &[(i64, i64)]) -> usize {
    let mut best = 0;
    for (index, (sum, count)) in totals.iter().enumerate() {
        let (best_sum, best_count) = totals[best];
        // Means are compared by cross-multiplication; what was never tried is not chosen.
        let better =
            i128::from(*sum) * i128::from(best_count) > i128::from(best_sum) * i128::from(*count);
        if *count > 0 && (best_count == 0 || better) {
            best = index;
        }
    }
    best
}

/// A place for random games, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Games {
    /// What says how much games that run are worth.
    pub(super) analysis: Analysis,
    offers: Offers,
}

impl Games {
    pub(super) fn new(analysis: &Analysis) -> Games {
        Games { analysis: analysis.clone(), offers: Offers::new() }
    }

    /// Plays on at random, and says what comes of it: what the game is worth when it is over, or
    /// who leads after [`HORIZON`] decisions, where anybody can tell. A mistake in the rules is
    /// worth nothing to anybody: whoever plays on will meet it.
    pub(super) fn play(&mut self, game: &Game, state: &mut State, chance: &mut Seeded) -> Vec<i64> {
        let left = if self.analysis.sees_leads() { HORIZON } else { LONGEST };
        let mut driver = RandomDriver { chance, left };
        match run(game.program(), state, &mut self.offers, game.names(), &mut driver) {
            Ok(Step::End) => over(game, state),
            Ok(_) => self.analysis.running(state),
            Err(_) => vec![0; game.info().players],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::best;

    #[test]
    fn the_highest_mean_is_best_and_the_first_of_equals() {
        assert_eq!(best(&[(1, 2), (2, 3), (4, 6)]), 1);
        assert_eq!(best(&[(0, 0), (-3, 4), (-1, 4)]), 2);
        assert_eq!(best(&[(0, 0)]), 0);
    }
}
