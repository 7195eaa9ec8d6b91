//! The bots by name.

use super::Bot;
use super::analysis::Analysis;
use super::budget::{Budget, Control};
use super::greedy::Greedy;
use super::mcts::Mcts;
use super::random::{First, Random};
use super::rollout::Rollout;
use super::solve::Perfect;
use crate::chance::Seeded;

/// Which bot sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Random,
    First,
    /// The move that leads to the best score at once.
    Greedy,
    /// The move after which random play ends best.
    Rollout(Budget),
    Mcts(Budget),
    /// Perfect play, where the rest of the game is small enough.
    Solve,
}

impl Kind {
    /// Returns the words that bots are called by, for messages.
    pub const WORDS: &'static str = "`random`, `first`, `greedy`, `rollout:100`, `mcts:1000`, `mcts:200ms` or \
         `solve`";

    /// Returns the bot that a word of the command line means.
    pub fn parse(word: &str) -> Option<Kind> {
        let (name, budget) = match word.split_once(':') {
            Some((name, budget)) => (name, Some(Budget::parse(budget)?)),
            None => (word, None),
        };
        Some(match (name, budget) {
            ("random", None) => Kind::Random,
            ("first", None) => Kind::First,
            ("greedy", None) => Kind::Greedy,
            ("solve", None) => Kind::Solve,
            ("rollout", budget) => Kind::Rollout(budget.unwrap_or(Budget::Iterations(100))),
            ("mcts", budget) => Kind::Mcts(budget.unwrap_or(Budget::Iterations(1000))),
            _ => return None,
        })
    }

    /// Returns the word of the command line that means it.
    pub fn word(self) -> String {
        match self {
            Kind::Random => "random".to_owned(),
            Kind::First => "first".to_owned(),
            Kind::Greedy => "greedy".to_owned(),
            Kind::Rollout(budget) => format!("rollout:{}", budget.words()),
            Kind::Mcts(budget) => format!("mcts:{}", budget.words()),
            Kind::Solve => "solve".to_owned(),
        }
    }

    /// Whether its moves follow from the seed alone, and not from the speed of the machine.
    pub fn is_repeatable(self) -> bool {
        !matches!(
            self,
            Kind::Rollout(Budget::Milliseconds(_)) | Kind::Mcts(Budget::Milliseconds(_))
        )
    }

    /// Whether it plays games in its head, so that a person may have to wait for it.
    pub fn takes_time(self) -> bool {
        matches!(self, Kind::Rollout(_) | Kind::Mcts(_) | Kind::Solve)
    }

    /// Seats the bot at a game.
    pub fn bot(self, analysis: &Analysis, control: Control) -> Box<dyn Bot> {
        match self {
            Kind::Random => Box::new(Random),
            Kind::First => Box::new(First),
            Kind::Greedy => Box::new(Greedy::new(analysis)),
            Kind::Rollout(budget) => Box::new(Rollout::new(analysis, budget, control)),
            Kind::Mcts(budget) => Box::new(Mcts::new(analysis, budget, control)),
            Kind::Solve => Box::new(Perfect::new(analysis, control)),
        }
    }

    /// Moves the stream of a seat past a decision that the bot has made before.
    pub fn skip(self, moves: usize, chance: &mut Seeded) {
        match self {
            Kind::First => {}
            Kind::Random => {
                super::random::pick(chance, moves);
            }
            _ => {
                super::random::stream_of_decision(chance);
            }
        }
    }
}
