//! Caches what bots find out about a game, and evaluates its states (leaf evaluation).

use std::sync::{Arc, OnceLock};

use super::heuristic::{Standing, lead};
use super::learned_value::Prospects;
use crate::game::{Game, State};

/// A game as bots know it. What takes time is found out when somebody asks for it, and kept; all
/// clones share it.
#[derive(Clone, Debug)]
pub struct Analysis(Arc<Found>);

#[derive(Debug)]
struct Found {
    game: Game,
    standing: OnceLock<Option<Standing>>,
    prospects: OnceLock<Option<Prospects>>,
}

impl Analysis {
    pub fn new(game: Game) -> Analysis {
        let (standing, prospects) = Default::default();
        Analysis(Arc::new(Found { game, standing, prospects }))
    }

    pub fn game(&self) -> &Game {
        &self.0.game
    }

    /// Who leads while it runs, where that can be told.
    pub(super) fn standing(&self) -> Option<&Standing> {
        self.0.standing.get_or_init(|| Standing::of(self.game())).as_ref()
    }

    /// What lies ahead of whom, where games are long.
    pub(super) fn prospects(&self) -> Option<&Prospects> {
        let learn = || Prospects::of(self.game(), self.standing()?);
        self.0.prospects.get_or_init(learn).as_ref()
    }

    /// Whether it can tell who leads while a game runs.
    pub(super) fn sees_leads(&self) -> bool {
        self.standing().is_some()
    }

    /// Whether it knows what lies ahead: random games tell nothing more then.
    pub(super) fn looks_ahead(&self) -> bool {
        self.prospects().is_some()
    }

    /// What a game that runs is worth to each player: a lead is at most three quarters of a win,
    /// to somebody who plays alone the score so far; nothing where nobody can tell.
    pub(super) fn running(&self, state: &State) -> Vec<i64> {
        self.leading(state, |_| {})
    }

    /// The same with what lies ahead of each player.
    pub(super) fn ahead(&self, state: &State) -> Vec<i64> {
        self.leading(state, |scores| {
            if let Some(prospects) = self.prospects() {
                prospects.add(state, scores);
            }
        })
    }

    /// What the scores of a state are worth, with something added to them.
    fn leading(&self, state: &State, add: impl FnOnce(&mut [i64])) -> Vec<i64> {
        let standing = self.standing();
        let scores = standing.and_then(|standing| Some((standing, standing.scores(state)?)));
        match scores {
            None => vec![0; self.game().info().players],
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
