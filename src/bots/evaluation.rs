//! What games are worth: those that are over, and those that run.

use super::analysis::Analysis;
use super::heuristic::lead;
use crate::game::{Game, State};

/// How much a win counts in a search, so that a lead can count for less than one.
const WIN: i64 = 1 << 16;

/// Gives the worth of a game to each player when it is over: the returns; to somebody who plays
/// alone, the score.
pub(super) fn worth(game: &Game, state: &State) -> Vec<i64> {
    let players = game.info().players;
    let Some(outcome) = game.result(state) else { return vec![0; players] };
    match outcome.scores {
        Some(scores) if players == 1 => scores,
        _ => outcome.returns,
    }
}

/// What a game that is over is worth to each player, in parts of a win.
pub(super) fn over(game: &Game, state: &State) -> Vec<i64> {
    worth(game, state).into_iter().map(|value| value.saturating_mul(WIN)).collect()
}

/// Says what games that run are worth to a search, in parts of a win.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    study: Analysis,
}

impl Judge {
    pub(super) fn new(study: &Analysis) -> Judge {
        Judge { study: study.clone() }
    }

    /// Whether it can tell who leads while a game runs.
    pub(super) fn sees_leads(&self) -> bool {
        self.study.standing().is_some()
    }

    /// Whether it knows what lies ahead: random games tell nothing more then.
    pub(super) fn looks_ahead(&self) -> bool {
        self.study.prospects().is_some()
    }

    /// What a game that runs is worth to each player: a lead is at most three quarters of a win,
    /// to somebody who plays alone the score so far; nothing where nobody can tell.
    pub(super) fn running(&self, state: &State) -> Vec<i64> {
        self.leading(state, |_| {})
    }

    /// The same with what lies ahead of each player.
    pub(super) fn ahead(&self, state: &State) -> Vec<i64> {
        self.leading(state, |scores| {
            if let Some(prospects) = self.study.prospects() {
                prospects.add(state, scores);
            }
        })
    }

    /// What the scores of a state are worth, with something added to them.
    fn leading(&self, state: &State, add: impl FnOnce(&mut [i64])) -> Vec<i64> {
        let standing = self.study.standing();
        let scores = standing.and_then(|standing| Some((standing, standing.scores(state)?)));
        match scores {
            None => vec![0; self.study.game().info().players],
            Some((_, scores)) if scores.len() == 1 => vec![scores[0].saturating_mul(WIN)],
            Some((standing, mut scores)) => {
                let unit = standing.fine(standing.unit(&scores));
                scores.iter_mut().for_each(|score| *score = standing.fine(*score));
                add(&mut scores);
                leads(&scores, unit)
            }
        }
    }
}

/// How far each player is before the best of the others, measured by what makes a whole lead.
fn leads(scores: &[i64], unit: i64) -> Vec<i64> {
    let most = i128::from(WIN * 3 / 4);
    let share = |player| {
        let share = i128::from(lead(scores, player)) * most / i128::from(unit);
        i64::try_from(share.clamp(-most, most)).expect("it is less than a win")
    };
    (0..scores.len()).map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::{WIN, leads};

    #[test]
    fn a_lead_is_less_than_a_win() {
        assert_eq!(leads(&[3, 1, 2], 4), [WIN * 3 / 16, -WIN * 3 / 8, -WIN * 3 / 16]);
        assert_eq!(leads(&[i64::MAX, i64::MIN], 1), [WIN * 3 / 4, -WIN * 3 / 4]);
    }
}
