//! Players that are programs: for every game, without a line from its author.
//!
//! A bot is given what its seat may see, never the state of the game. With a budget of
//! iterations it chooses the same move on every machine: what it computes is whole numbers, and
//! chance comes from the stream of its seat.

mod foretold;
mod goals;
mod heuristic;
mod kind;
mod learned_value;
mod monte_carlo;
mod simple;
mod solver;
mod tree;
mod values;

pub use heuristic::Analysis;
pub use kind::{Budget, Clock, Control, Kind};
pub use solver::{
    AllOutcomes, Draws, FirstMoves, Refusal, Rule, Solution, Solve, solve, solve_along,
};
pub use values::{Ratio, Scalar, Value, decimal};

use crate::chance::{Chance, Seeded};
use crate::game::{Game, LegalMoves, Observation, Player, State, Step, Trap};
use crate::vm::Offers;

pub trait Bot {
    /// Returns the number of the move that it makes, below [`View::moves`]. The stream is that of
    /// its seat.
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize;
}

/// A decision as the bot on its seat sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub game: &'a Game,
    pub seen: &'a Observation,
    pub player: Player,
    /// The legal moves. Only how many there are, and a random one, may be asked of them.
    pub offers: &'a Offers,
}

impl View<'_> {
    /// How many moves are legal.
    pub fn moves(&self) -> usize {
        self.offers.count()
    }

    /// A state at which the view could be taken, with its moves listed; none where no such state
    /// has as many moves as the view.
    fn imagine(&self, chance: &mut Seeded, legal: &mut LegalMoves) -> Option<State> {
        let mut state = self.game.sample(self.seen, chance).ok()?;
        let step = self.game.advance(&mut state, legal).ok()?;
        let is_here = step == Step::Decide { player: self.player } && legal.count() == self.moves();
        is_here.then_some(state)
    }
}

/// Runs a game on to the next decision or the end, with draws answered by chance.
fn settle(game: &Game, state: &mut State, chance: &mut Seeded) -> Result<Step, Trap> {
    let mut legal = LegalMoves::new();
    loop {
        match game.advance_unheard(state, &mut legal)? {
            Step::Draw { outcomes } => game.draw(state, chance.below(outcomes)),
            step => return Ok(step),
        }
    }
}
