//! What a bot is given: the game, what its seat sees, and how many moves it has.

use crate::chance::Seeded;
use crate::game::{Game, LegalMoves, Observation, Player, State, Step};

/// A decision as the bot on its seat sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub game: &'a Game,
    pub seen: &'a Observation,
    pub player: Player,
    pub moves: usize,
}

/// A state at which the view could be taken, with its moves listed; none where no such state has
/// as many moves as the view.
pub(super) fn imagine(view: &View, chance: &mut Seeded, legal: &mut LegalMoves) -> Option<State> {
    let mut state = view.game.sample(view.seen, chance).ok()?;
    match view.game.advance(&mut state, legal) {
        Ok(Step::Decide { player }) if player == view.player && legal.count() == view.moves => {
            Some(state)
        }
        _ => None,
    }
}
