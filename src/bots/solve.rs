//! The bot that plays perfectly, where the rest of the game is small enough.

use super::analysis::Analysis;
use super::budget::{Budget, Control};
use super::mcts::Mcts;
use super::random::{pick, stream_of_decision};
use super::solver::{Rule, Solve, solve};
use super::view::imagine;
use super::{Bot, View};
use crate::chance::Seeded;
use crate::game::LegalMoves;
use crate::progress::Progress;

/// How many positions are looked at before a move.
const MOST: usize = 100_000;

/// How long is searched where there are more.
const OTHERWISE: Budget = Budget::Iterations(1000);

/// Takes a move that none is better than; searches, where there are too many positions to know.
#[derive(Clone, Debug)]
pub(super) struct Perfect {
    otherwise: Mcts,
    progress: &'static Progress,
}

impl Perfect {
    pub(super) fn new(analysis: &Analysis, control: Control) -> Perfect {
        Perfect { otherwise: Mcts::new(analysis, OTHERWISE, control), progress: control.progress }
    }
}

impl Bot for Perfect {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        let mut stream = stream_of_decision(&mut chance.clone());
        let state = imagine(view, &mut stream, &mut LegalMoves::new());
        let wanted = Solve { rule: Rule::Best, most: MOST, progress: self.progress };
        let solved = state.and_then(|state| solve(view.game, &state, wanted).ok());
        let Some(first) = solved.and_then(|solution| solution.first.into_iter().next()) else {
            return self.otherwise.choose(view, chance);
        };
        let moves = (0..).zip(&first.moves).filter(|(_, (_, _, best))| *best);
        let best: Vec<usize> = moves.map(|(at, _)| at).collect();
        let mut stream = stream_of_decision(chance);
        best[pick(&mut stream, best.len())]
    }
}
