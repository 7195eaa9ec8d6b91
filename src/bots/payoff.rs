//! Payoffs of finished games.

use crate::bots::heuristic::leads;
use crate::game::{Game, State};

/// How much a win counts in a search, so that a lead can count for less than one.
pub(super) const WIN: i64 = 1 << 16;

/// What counts at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Payoff {
    /// Who won, and nothing else.
    Wins,
    /// Who won, and by how much, where the file ranks by scores.
    Margins,
    /// The score, since all have the same one.
    Common,
}

/// Gives the worth of a game to each player when it is over: the returns; to somebody who plays
/// alone, and to all who play together, the score.
pub(super) fn worth(game: &Game, state: &State) -> Vec<i64> {
    let players = game.info().players;
    let Some(outcome) = game.final_outcome(state) else { return vec![0; players] };
    match outcome.merits() {
        Some(merits) if players == 1 || outcome.is_together() => merits,
        _ => outcome.returns,
    }
}

/// What a game that is over is worth to each player, in parts of a win.
pub(super) fn final_worth(game: &Game, state: &State, payoff: Payoff) -> Vec<i64> {
    let in_parts = |worth: Vec<i64>| worth.into_iter().map(|it| it.saturating_mul(WIN)).collect();
    let outcome = game.final_outcome(state).filter(|_| payoff != Payoff::Wins);
    let Some((outcome, merits)) = outcome.and_then(|it| it.merits().map(|merits| (it, merits)))
    else {
        return in_parts(worth(game, state));
    };
    if payoff == Payoff::Common || merits.len() == 1 || outcome.is_together() {
        return in_parts(merits);
    }
    // A win is three quarters of it, so that it is more than any lead; how clear it is makes the rest.
    let unit = merits.iter().map(|merit| merit.saturating_abs()).max().unwrap_or(0).max(1);
    let margins = leads(&merits, &outcome.teams, unit);
    margins.iter().zip(&outcome.returns).map(|(lead, won)| won * (WIN * 3 / 4) + lead / 3).collect()
}
