//! What bots find out about a game before they play it: once, for all who play it.

use std::sync::{Arc, OnceLock};

use super::heuristic::Standing;
use super::learned_value::Prospects;
use crate::game::Game;

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
    /// Opens a game for bots.
    pub fn new(game: Game) -> Analysis {
        let (standing, prospects) = (OnceLock::new(), OnceLock::new());
        Analysis(Arc::new(Found { game, standing, prospects }))
    }

    /// Returns the game.
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
}
