//! Outcomes of games: payoffs, scores, places, teams and measures.

use crate::bytecode::Program;
use crate::bytecode::program::{ENDING, GameEnding};
use crate::game::{Game, State, Trap};
use crate::rules::{Stmt, StmtKind, visit::any_stmt};
use crate::vm::compute;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// 1 for a win, -1 for a loss, 0 for a draw; one for each player.
    pub returns: Vec<i64>,
    /// The first key of `finish ranking`, if the game ended so.
    pub scores: Option<Vec<i64>>,
    /// Whether the lowest score is best.
    pub lowest: bool,
    /// The place of each player, by all keys of `finish ranking`; else winners come before the others.
    pub places: Vec<usize>,
    /// For each player the first of the team; players who play alone are teams of one.
    pub teams: Vec<usize>,
}

impl Outcome {
    /// How a state ended, when it has.
    pub(super) fn from_state(program: &Program, state: &State) -> Option<Outcome> {
        let ending = GameEnding::from_word(state.word(ENDING))?;
        if ending == GameEnding::Stopped {
            return None;
        }
        let returns = state.returns(program).to_vec();
        let of_players = |slot| state.slice(slot, program.players);
        let number = |word: &i64| usize::try_from(*word).expect("places and seats are counted");
        let numbers = |slot| of_players(slot).iter().map(number).collect::<Vec<usize>>();
        let ranks = ending.ranks();
        let places = if ranks { numbers(program.places().start) } else { places_by(&returns) };
        let alone = || (0..program.players).collect();
        let teams = if ending.has_teams() { numbers(program.teams().start) } else { alone() };
        let scores = ranks.then(|| of_players(program.scores()).to_vec());
        Some(Outcome { returns, scores, lowest: ending.is_lowest(), places, teams })
    }

    /// The teams; nothing where nobody has a partner.
    pub(crate) fn partners(&self) -> Option<Vec<usize>> {
        let has_partner = self.teams.iter().enumerate().any(|(seat, team)| seat != *team);
        has_partner.then(|| self.teams.clone())
    }

    /// Whether all play together against the game, and there are several.
    pub(crate) fn is_together(&self) -> bool {
        self.teams.len() > 1 && self.teams.iter().all(|team| *team == 0)
    }

    /// The scores, or their negatives where the lowest is best: more of these is always better.
    #[doc(hidden)]
    pub fn merits(&self) -> Option<Vec<i64>> {
        let sign = if self.lowest { -1 } else { 1 };
        self.scores.as_ref().map(|scores| scores.iter().map(|score| sign * score).collect())
    }
}

impl Game {
    /// Whether the rules let all players win or score together.
    pub(crate) fn plays_together(&self) -> bool {
        let together = |stmt: &Stmt| {
            matches!(stmt.kind, StmtKind::FinishAll { win: true } | StmtKind::FinishTogether(_))
        };
        self.rules().rules.iter().any(|rule| any_stmt(&rule.body, together))
    }

    /// The values of all measures: one, or one for each player. Yes is 1, no is 0.
    /// # Errors
    /// A mistake in the rules that shows while a value is computed.
    #[doc(hidden)]
    pub fn measure_values(&self, state: &State) -> Result<Vec<Vec<i64>>, Trap> {
        let program = self.program();
        let mut scratch = state.clone();
        let mut values = Vec::with_capacity(program.measures.len());
        for measure in &program.measures {
            let players = if measure.of_player { program.players } else { 1 };
            let each =
                (0..players).map(|player| compute(program, &mut scratch, measure.piece, player));
            values.push(each.collect::<Result<Vec<i64>, Trap>>()?);
        }
        Ok(values)
    }
}

/// The places by one number of each player, of which more is better.
pub(crate) fn places_by(merits: &[i64]) -> Vec<usize> {
    let place = |own: &i64| 1 + merits.iter().filter(|other| *other > own).count();
    merits.iter().map(place).collect()
}
