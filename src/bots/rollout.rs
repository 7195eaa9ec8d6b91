//! The bot that tries each move with games that go on at random, and what such games are worth.

use super::budget::{Budget, Clock};
use super::random::{pick, stream_of_decision};
use super::view::imagine;
use super::{Bot, View};
use crate::chance::{Chance, Seeded};
use crate::game::{Game, State, Turn};
use crate::vm::{Driver, Offers, run};

/// After how many decisions a random game is called a draw.
const LONGEST: u64 = 20_000;

/// Takes the move after which random games end best.
#[derive(Clone, Debug)]
pub(super) struct Rollout {
    budget: Budget,
    clock: Clock,
}

impl Rollout {
    pub(super) fn new(budget: Budget, clock: Clock) -> Rollout {
        Rollout { budget, clock }
    }
}

impl Bot for Rollout {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let mut chance = stream_of_decision(chance);
        let mut totals = vec![(0_i64, 0_i64); view.moves];
        let (mut turn, mut games) = (Turn::new(), Games::new());
        let mut spending = self.budget.spend(self.clock);
        // Each move has the same number of games, but for the last round.
        for index in (0..view.moves).cycle() {
            if view.moves == 1 || !spending.goes_on() {
                break;
            }
            let Some(mut state) = imagine(view, &mut chance, &mut turn) else { continue };
            view.game.choose(&mut state, &turn, index);
            let worth = games.play(view.game, &mut state, &mut chance);
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

/// What a game is worth to each player when it is over: the returns; to somebody who plays alone,
/// the score.
pub(super) fn worth(game: &Game, state: &State) -> Vec<i64> {
    let players = game.info().players;
    let Some(outcome) = game.result(state) else { return vec![0; players] };
    match outcome.scores {
        Some(scores) if players == 1 => scores,
        _ => outcome.returns,
    }
}

/// A place for random games, one after the other.
#[derive(Debug, Default)]
pub(super) struct Games {
    offers: Offers,
}

impl Games {
    pub(super) fn new() -> Games {
        Games::default()
    }

    /// Plays on at random to the end, and says what it is worth. A mistake in the rules is worth
    /// nothing to anybody: whoever plays on will meet it.
    pub(super) fn play(&mut self, game: &Game, state: &mut State, chance: &mut Seeded) -> Vec<i64> {
        let mut driver = Anyhow { chance, left: LONGEST };
        let step = run(game.program(), state, &mut self.offers, game.names(), &mut driver);
        match step {
            Ok(crate::vm::Step::End) => worth(game, state),
            _ => vec![0; game.info().players],
        }
    }
}

/// A driver that answers everything at random, from one stream.
struct Anyhow<'a> {
    chance: &'a mut Seeded,
    left: u64,
}

impl Driver for Anyhow<'_> {
    fn listens(&self) -> bool {
        false
    }

    fn hear(&mut self, _to: Option<u8>, _text: &str) {}

    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        Some(pick(self.chance, offers.count()))
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        Some(self.chance.below(outcomes))
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
