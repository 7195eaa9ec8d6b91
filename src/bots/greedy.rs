//! The bot that looks one move ahead.

use super::analysis::{Analysis, worth};
use super::random::{pick, stream_of_decision};
use super::view::imagine;
use super::{Bot, View};
use crate::chance::{Chance, Seeded};
use crate::game::{Game, LegalMoves, Player, State, Step};

/// With up to so many outcomes each is looked at; of more, one is drawn.
const MOST_OUTCOMES: u32 = 64;

/// Through how many draws in a row each outcome is looked at.
const DEPTH: usize = 2;

/// How much a point of score counts, so that means over draws keep their fractions.
const POINT: i128 = 1 << 20;

/// A win, or a loss, is more than any score.
const WIN: i128 = 1 << 100;

/// Takes the move that leads to the best score at once.
#[derive(Clone, Debug)]
pub(super) struct Greedy {
    analysis: Analysis,
}

impl Greedy {
    pub(super) fn new(analysis: &Analysis) -> Greedy {
        Greedy { analysis: analysis.clone() }
    }

    /// What a state is worth to a player, with draws answered by all their outcomes.
    fn value(
        &self,
        at: (&Game, Player),
        mut state: State,
        depth: usize,
        chance: &mut Seeded,
    ) -> i128 {
        let (game, player) = at;
        match game.advance(&mut state, &mut LegalMoves::new()) {
            Ok(Step::Draw { outcomes }) if depth < DEPTH && outcomes <= MOST_OUTCOMES => {
                let each = (0..outcomes).map(|outcome| {
                    let mut drawn = state.clone();
                    game.draw(&mut drawn, outcome);
                    self.value(at, drawn, depth + 1, chance)
                });
                each.sum::<i128>() / i128::from(outcomes)
            }
            Ok(Step::Draw { outcomes }) => {
                game.draw(&mut state, chance.below(outcomes));
                self.value(at, state, depth, chance)
            }
            Ok(Step::End) => {
                let won = worth(game, &state)[player.index()];
                i128::from(won) * WIN + self.score(at, &state)
            }
            Ok(Step::Decide { .. }) => self.score(at, &state),
            Err(_) => -WIN,
        }
    }

    fn score(&self, (game, player): (&Game, Player), state: &State) -> i128 {
        let ended = game.result(state).and_then(|outcome| outcome.scores);
        let scores = ended.or_else(|| self.analysis.standing()?.scores(state));
        scores.map_or(0, |scores| i128::from(scores[player.index()]) * POINT)
    }
}

impl Bot for Greedy {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let mut chance = stream_of_decision(chance);
        let mut legal = LegalMoves::new();
        let Some(state) = imagine(view, &mut chance, &mut legal) else {
            return pick(&mut chance, view.moves);
        };
        let values = (0..view.moves).map(|index| {
            let mut next = state.clone();
            view.game.choose(&mut next, &legal, index);
            self.value((view.game, view.player), next, 0, &mut chance)
        });
        let values: Vec<i128> = values.collect();
        let best = values.iter().max().expect("a decision has a move");
        let equals: Vec<usize> = (0..values.len()).filter(|at| values[*at] == *best).collect();
        equals[pick(&mut chance, equals.len())]
    }
}
