//! The bots that do not search: the best next score, perfect play, a strategy of the rules.

use crate::bots::budget::{BotBudget, Control};
use crate::bots::heuristic::Analysis;
use crate::bots::monte_carlo::Mcts;
use crate::bots::payoff::worth;
use crate::bots::playout::Counsel;
use crate::bots::random::stream_of_decision;
use crate::bots::solver::{PlayRule, Solve, solve};
use crate::bots::{Bot, View};
use crate::chance::{Chance as _, Seeded};
use crate::game::{LegalMoves, Player, State, Step};
use crate::progress::Progress;
use crate::snippet::{LineError, WaitingGame, picked};

/// Picks one of the numbers up to a length for which this is true.
fn pick_where(chance: &mut Seeded, length: usize, is_best: impl Fn(usize) -> bool) -> usize {
    let best: Vec<usize> = (0..length).filter(|at| is_best(*at)).collect();
    best[chance.random_index(best.len())]
}

/// With up to so many outcomes each is looked at; of more, one is drawn.
const MOST_OUTCOMES: u32 = 64;

/// Through how many draws in a row each outcome is examined.
const DEPTH: usize = 2;

/// How much a point of score counts, so that means over draws keep their fractions.
const POINT: i128 = 1 << 20;

/// A win, or a loss, is more than any score.
const WIN: i128 = 1 << 100;

/// Takes the move that leads to the best score at once.
#[derive(Clone, Debug)]
pub(super) struct Greedy(pub(super) Analysis);

impl Greedy {
    /// The worth of a state to a player: the mean over outcomes of few small draws, one random outcome of others.
    fn evaluate_state(
        &self,
        player: Player,
        mut state: State,
        depth: usize,
        chance: &mut Seeded,
    ) -> i128 {
        let game = self.0.game();
        match game.advance(&mut state, &mut LegalMoves::new()) {
            Ok(Step::Draw { outcomes }) if depth < DEPTH && outcomes <= MOST_OUTCOMES => {
                let each = (0..outcomes).map(|outcome| {
                    let mut drawn = state.clone();
                    game.draw(&mut drawn, outcome);
                    self.evaluate_state(player, drawn, depth + 1, chance)
                });
                each.sum::<i128>() / i128::from(outcomes)
            }
            Ok(Step::Draw { outcomes }) => {
                game.draw(&mut state, chance.below(outcomes));
                self.evaluate_state(player, state, depth, chance)
            }
            Ok(Step::End) => {
                let won = worth(game, &state)[player.index()];
                i128::from(won) * WIN + self.score(player, &state)
            }
            Ok(Step::Decide { .. }) => self.score(player, &state),
            Err(_) => -WIN,
        }
    }

    fn score(&self, player: Player, state: &State) -> i128 {
        let ended = self.0.game().final_outcome(state).and_then(|outcome| outcome.merits());
        let scores = ended.or_else(|| self.0.lead_measure()?.scores(state));
        scores.map_or(0, |scores| i128::from(scores[player.index()]) * POINT)
    }
}

impl Bot for Greedy {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let mut chance = stream_of_decision(chance);
        let mut legal = LegalMoves::new();
        let Some(state) = view.imagine(&mut chance, &mut legal) else {
            return chance.random_index(view.count_moves());
        };
        let values = (0..view.count_moves()).map(|index| {
            let mut next = state.clone();
            view.game.choose(&mut next, &legal, index);
            self.evaluate_state(view.player, next, 0, &mut chance)
        });
        let values: Vec<i128> = values.collect();
        let best = values.iter().max().expect("a decision has a move");
        pick_where(&mut chance, values.len(), |at| values[at] == *best)
    }
}

/// Plays by a strategy of the rules; at random where none of its lines fits.
#[derive(Clone, Debug)]
pub(super) struct Strategic {
    strategy: usize,
    errors: Vec<LineError>,
}

impl Strategic {
    pub(super) fn new(strategy: usize) -> Strategic {
        Strategic { strategy, errors: Vec::new() }
    }
}

impl Bot for Strategic {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let mut chance = stream_of_decision(chance);
        let mut legal = LegalMoves::new();
        let state = view.imagine(&mut chance, &mut legal);
        self.errors.clear();
        let picked = |state| {
            let waiting = WaitingGame { game: view.game, state: &state, legal: &legal };
            picked(waiting, view.player, self.strategy, Some(&mut self.errors))
        };
        match state.map(picked).as_deref() {
            None | Some([]) => chance.random_index(view.count_moves()),
            Some(moves) => moves[chance.random_index(moves.len())],
        }
    }

    fn line_errors(&self) -> &[LineError] {
        &self.errors
    }
}

/// How many positions are examined before a move.
const MOST: usize = 100_000;

/// How long is searched where there are more.
const OTHERWISE: BotBudget = BotBudget::Iterations(1000);

/// Takes a move that none is better than; searches, where there are too many positions to know.
#[derive(Clone, Debug)]
pub(super) struct Perfect {
    otherwise: Mcts,
    progress: &'static Progress,
}

impl Perfect {
    pub(super) fn new(analysis: &Analysis, control: Control) -> Perfect {
        let otherwise = Mcts::new(analysis, Counsel::Margins, OTHERWISE, control);
        Perfect { otherwise, progress: control.progress }
    }
}

impl Bot for Perfect {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        if view.count_moves() == 1 {
            stream_of_decision(chance);
            return 0;
        }
        let mut stream = stream_of_decision(&mut chance.clone());
        let state = view.imagine(&mut stream, &mut LegalMoves::new());
        let wanted = Solve::new(PlayRule::Best, MOST, self.progress);
        let solved = state.and_then(|state| solve(view.game, &state, wanted).ok());
        let Some(first) = solved.and_then(|solution| solution.first.into_iter().next()) else {
            return self.otherwise.choose(view, chance);
        };
        pick_where(&mut stream_of_decision(chance), first.moves.len(), |at| first.moves[at].2)
    }
}
