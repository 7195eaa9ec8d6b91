//! What a bot is given: the game, what its seat sees, and how many moves it has.

use crate::chance::Seeded;
use crate::game::{Game, Player, State, Step, Turn};

/// What one player sees of a state. Where nothing is hidden that is all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    seen: State,
}

/// Returns what a player sees of a state.
pub fn observe(_game: &Game, state: &State, _player: Player) -> Observation {
    Observation { seen: state.clone() }
}

/// Puts a state in which the player could be, as far as the observation tells, into `into`.
pub fn sample(_game: &Game, observation: &Observation, _chance: &mut Seeded, into: &mut State) {
    into.clone_from(&observation.seen);
}

/// Whether there is anything that players do not see.
pub(super) fn hides(_game: &Game) -> bool {
    false
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
pub(super) fn imagine(view: &View, chance: &mut Seeded, turn: &mut Turn) -> Option<State> {
    let mut state = view.game.initial_state();
    sample(view.game, view.seen, chance, &mut state);
    match view.game.advance(&mut state, turn) {
        Ok(Step::Decide { player }) if player == view.player && turn.count() == view.moves => {
            Some(state)
        }
        _ => None,
    }
}
