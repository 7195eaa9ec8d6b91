//! What a game that is over is worth to each player.

use crate::game::{Game, State};

/// How much a win counts in a search, so that a lead can count for less than one.
pub(super) const WIN: i64 = 1 << 16;

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
pub(super) fn final_worth(game: &Game, state: &State) -> Vec<i64> {
    worth(game, state).into_iter().map(|value| value.saturating_mul(WIN)).collect()
}
