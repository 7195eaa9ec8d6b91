//! Players that are programs: for every game, without a line from its author.
//!
//! A bot is given what its seat may see, never the state of the game. With a budget of
//! iterations it chooses the same move on every machine: what it computes is whole numbers, and
//! chance comes from the stream of its seat.

mod goals;
mod budget;
mod regression;
mod graph;
mod greedy;
mod kind;
mod mcts;
mod learned_value;
mod random;
mod ratio;
mod rollout;
mod solve;
mod solver;
mod heuristic;
mod analysis;
mod features;
mod tree;
mod values;
mod view;

pub use analysis::Analysis;
pub use budget::{Budget, Clock, Control};
pub use kind::Kind;
pub use random::pick;
pub use ratio::Ratio;
pub use solver::{FirstMoves, Refusal, Rule, Solution, Solve, Value, solve};
pub use view::View;

use crate::chance::Seeded;

/// A player that is a program.
pub trait Bot {
    /// Returns the number of the move that it makes, below [`View::moves`]. The stream is that of
    /// its seat.
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize;
}
