//! What a bot is given: the game, what its seat sees, and how many moves it has.

use crate::chance::Seeded;
use crate::game::{Game, LegalMoves, Player, State, Step};

pub use crate::game::Observation;

/// Returns what a player sees of a state.
pub fn observe(game: &Game, state: &State, player: Player) -> Observation {
    game.observe(state, player)
}

/// Returns a state in which the player could be, as far as the observation tells.
pub fn sample(game: &Game, observation: &Observation, chance: &mut Seeded) -> Option<State> {
    game.sample(observation, chance).ok()
}

/// Whether there is anything that players do not see.
pub(super) fn hides(game: &Game) -> bool {
    game.has_secrets()
}

/// A decision as the bot on its seat sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The rules.
    pub game: &'a Game,
    /// What the seat sees.
    pub seen: &'a Observation,
    /// Who decides.
    pub player: Player,
    /// How many moves are legal.
    pub moves: usize,
}

/// A state at which the view could be taken, with its moves listed; none where no such state has
/// as many moves as the view.
pub(super) fn imagine(view: &View, chance: &mut Seeded, turn: &mut LegalMoves) -> Option<State> {
    let mut state = sample(view.game, view.seen, chance)?;
    match view.game.advance(&mut state, turn) {
        Ok(Step::Decide { player }) if player == view.player && turn.count() == view.moves => {
            Some(state)
        }
        _ => None,
    }
}
