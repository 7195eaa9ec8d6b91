//! The bots by name.

use super::Bot;
use super::analysis::Analysis;
use super::budget::{Budget, Control};
use super::first::First;
use super::greedy::Greedy;
use super::mcts::Mcts;
use super::random::Random;
use super::rollout::Rollout;
use super::solve::Perfect;
use crate::chance::Seeded;

/// Which bot sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any legal move with equal probability.
    Random,
    /// The first legal move.
    First,
    /// The move that leads to the best score at once.
    Greedy,
    /// The move after which random play ends best.
    Rollout(Budget),
    /// Monte Carlo tree search.
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
    pub fn bot(self, study: &Analysis, control: Control) -> Box<dyn Bot> {
        match self {
            Kind::Random => Box::new(Random),
            Kind::First => Box::new(First),
            Kind::Greedy => Box::new(Greedy::new(study)),
            Kind::Rollout(budget) => Box::new(Rollout::new(study, budget, control)),
            Kind::Mcts(budget) => Box::new(Mcts::new(study, budget, control)),
            Kind::Solve => Box::new(Perfect::new(study, control)),
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

#[cfg(test)]
mod tests {
    use super::{Budget, Kind};

    #[test]
    fn bots_are_known_by_their_words() {
        for word in ["random", "first", "greedy", "rollout:7", "mcts:1000", "mcts:200ms", "solve"] {
            assert_eq!(Kind::parse(word).map(Kind::word).as_deref(), Some(word));
        }
        assert_eq!(Kind::parse("mcts:2s"), Some(Kind::Mcts(Budget::Milliseconds(2000))));
        assert_eq!(Kind::parse("mcts"), Some(Kind::Mcts(Budget::Iterations(1000))));
        for word in ["", "cat", "random:3", "mcts:", "mcts:0", "mcts:-1", "mcts:0ms", "solve:9"] {
            assert_eq!(Kind::parse(word), None, "{word}");
        }
    }
}
