//! Players that are programs: for every game, without a line from its author.
//!
//! A bot is given what its seat may see, never the state of the game. With a budget of
//! iterations it chooses the same move on every machine: what it computes is whole numbers, and
//! chance comes from the stream of its seat.

mod budget;
mod deals;
mod distribution;
mod fixed_point;
mod foretold;
mod goals;
mod heuristic;
mod kind;
mod learned;
mod learned_value;
mod monte_carlo;
mod payoff;
mod playout;
mod pools;
mod random;
mod simple;
mod solver;
mod spread;
mod tree;
mod values;

pub(crate) use budget::Clock;
pub use budget::{BotBudget, Control};
pub use distribution::{Distribution, EndQuestion};
pub use heuristic::Analysis;
pub use kind::BotKind;
pub(crate) use learned::{BotFileFault, FORM as BOT_FORM, Learned, Trainer};
pub(crate) use solver::{FirstMoves, memory_size};
pub use solver::{MAX_MEMORY, ONE, PlayRule, Solution, Solve, SolveRefusal, solve, solve_along};
pub(crate) use tree::MAX_TREE;
pub(crate) use values::decimal;
pub use values::{GameValue, Ratio, Scalar};

use crate::chance::{Chance, Seeded};
use crate::game::{Game, LegalMoves, Observation, Player, State, Step};
use crate::snippet::LineError;
use crate::vm::{Driver, Offers, Sampler, UnviewedDriver};

pub trait Bot {
    /// Returns the number of the move that it makes, below `View::moves`. The stream is that of
    /// its seat.
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize;

    /// Returns whether the last move is only the best that was found until `MAX_TREE` bytes were used.
    fn ran_out(&self) -> bool {
        false
    }

    /// Returns the errors that lines of its strategy met at the last move.
    fn line_errors(&self) -> &[LineError] {
        &[]
    }
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
    pub(crate) fn count_moves(&self) -> usize {
        self.offers.count()
    }

    /// A state at which the view could be taken, with its moves listed; none where no such state
    /// has as many moves as the view.
    fn imagine(&self, chance: &mut Seeded, legal: &mut LegalMoves) -> Option<State> {
        let mut state = self.seen.seen().clone();
        let sampler = Sampler::new(self.game.program(), self.seen);
        self.imagine_in(&sampler, &mut state, chance, legal).then_some(state)
    }

    /// Replaces `state` by a sampled one that fits the view, and lists its moves; false if none does.
    fn imagine_in(
        &self,
        sampler: &Sampler,
        state: &mut State,
        chance: &mut Seeded,
        legal: &mut LegalMoves,
    ) -> bool {
        if sampler.sample(chance, state).is_err() {
            return false;
        }
        let here = Ok(Step::Decide { player: self.player });
        self.game.advance_with(state, legal, &mut UnviewedDriver) == here
            && legal.count() == self.count_moves()
    }
}

/// A driver that answers draws at random, and no decision.
struct Dealer<'a> {
    chance: &'a mut Seeded,
    /// Whether somebody looks at the states as a player does.
    is_watched: bool,
}

impl Dealer<'_> {
    /// Nobody looks at the states.
    fn unwatched(chance: &mut Seeded) -> Dealer<'_> {
        Dealer { chance, is_watched: false }
    }
}

impl Driver for Dealer<'_> {
    fn tracks_knowledge(&self) -> bool {
        self.is_watched
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        Some(self.chance.below(outcomes))
    }
}
