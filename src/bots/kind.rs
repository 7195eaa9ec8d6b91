//! The bots by name.

use std::fmt;

use super::budget::{BotBudget, Control};
use super::heuristic::Analysis;
use super::monte_carlo::{Mcts, Rollout};
use super::random::{First, Random, stream_of_decision};
use super::simple::{Greedy, Perfect, Strategic};
use super::{Bot, MAX_TREE, memory_size};
use crate::chance::Seeded;
use crate::game::{Game, State, Trap};
use crate::vm::Offers;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotKind {
    Random,
    First,
    /// The move that leads to the best score at once.
    Greedy,
    /// The move after which random play ends best.
    Rollout(BotBudget),
    Mcts(BotBudget),
    /// Perfect play, where the rest of the game is small enough.
    Solve,
    /// The strategy of the rules that has this number.
    Strategy(u16),
}

impl BotKind {
    /// The bots that every game has, as messages list them. The first budget of a bot is the one that
    /// it has if nobody names another.
    pub const ALL: [BotKind; 7] = [
        BotKind::Random,
        BotKind::First,
        BotKind::Greedy,
        BotKind::Rollout(BotBudget::Iterations(100)),
        BotKind::Mcts(BotBudget::Iterations(1000)),
        BotKind::Mcts(BotBudget::Milliseconds(200)),
        BotKind::Solve,
    ];

    /// Its name, without a budget.
    fn base_name(self) -> &'static str {
        match self {
            BotKind::Random => "random",
            BotKind::First => "first",
            BotKind::Greedy => "greedy",
            BotKind::Rollout(_) => "rollout",
            BotKind::Mcts(_) => "mcts",
            BotKind::Solve => "solve",
            BotKind::Strategy(_) => "strategy",
        }
    }

    /// Its budget, if it has one.
    fn budget(&mut self) -> Option<&mut BotBudget> {
        match self {
            BotKind::Rollout(budget) | BotKind::Mcts(budget) => Some(budget),
            _ => None,
        }
    }

    /// Returns the bot that a word of the command line means.
    pub fn parse(word: &str) -> Option<BotKind> {
        let (name, budget) = match word.split_once(':') {
            Some((name, budget)) => (name, Some(BotBudget::parse(budget)?)),
            None => (word, None),
        };
        let mut kind = BotKind::ALL.into_iter().find(|kind| kind.base_name() == name)?;
        if let Some(budget) = budget {
            *kind.budget()? = budget;
        }
        Some(kind)
    }

    /// Returns the bot that a word means at a game: a strategy of its rules by its title, else one
    /// of those that every game has.
    pub fn named(word: &str, game: &Game) -> Option<BotKind> {
        let mut strategies = (0..).zip(&game.rules().strategies);
        let strategy = strategies.find(|(_, strategy)| strategy.title == word);
        strategy.map(|(number, _)| BotKind::Strategy(number)).or_else(|| BotKind::parse(word))
    }

    /// Returns the words that bots are called by at a game.
    pub fn words(game: &Game) -> String {
        BotKind::words_where(game, |_| true)
    }

    /// Returns the words of those bots of a game for which this is true.
    pub(crate) fn words_where(game: &Game, is_meant: impl Fn(BotKind) -> bool) -> String {
        let strategies = game.rules().strategies.iter();
        let titles = strategies.map(|strategy| format!("`{}`", strategy.title));
        let others = BotKind::ALL.into_iter().filter(|kind| is_meant(*kind));
        let mut words: Vec<String> = titles.chain(others.map(|kind| format!("`{kind}`"))).collect();
        let last = words.pop().unwrap_or_default();
        format!("{} or {last}", words.join(", "))
    }

    /// Returns the word that means it at a game.
    pub fn word(self, game: &Game) -> String {
        match self {
            BotKind::Strategy(number) => game.rules().strategies[usize::from(number)].title.clone(),
            kind => kind.to_string(),
        }
    }

    /// Whether its moves follow from the seed alone, and not from the speed of the machine.
    pub(crate) fn is_repeatable(self) -> bool {
        !matches!(
            self,
            BotKind::Rollout(BotBudget::Milliseconds(_))
                | BotKind::Mcts(BotBudget::Milliseconds(_))
        )
    }

    /// Whether it plays games in its head, so that a person may have to wait for it.
    pub(crate) fn takes_time(self) -> bool {
        matches!(self, BotKind::Rollout(_) | BotKind::Mcts(_) | BotKind::Solve)
    }

    pub fn bot(self, analysis: &Analysis, control: Control) -> Box<dyn Bot> {
        match self {
            BotKind::Random => Box::new(Random),
            BotKind::First => Box::new(First),
            BotKind::Greedy => Box::new(Greedy(analysis.clone())),
            BotKind::Rollout(budget) => Box::new(Rollout::new(analysis, budget, control)),
            BotKind::Mcts(budget) => Box::new(Mcts::new(analysis, budget, control)),
            BotKind::Solve => Box::new(Perfect::new(analysis, control)),
            BotKind::Strategy(number) => Box::new(Strategic(number.into())),
        }
    }

    /// Returns the error of a bot that needs more memory than it may have.
    pub(crate) fn out_of_memory(self, game: &Game, state: &State) -> Trap {
        let span = state.span(game.program());
        Trap::BotMemory { bot: self.word(game), memory: memory_size(MAX_TREE), span }
    }

    /// Moves the stream of a seat past a decision that the bot has made before.
    pub fn skip(self, offers: &Offers, chance: &mut Seeded) {
        match self {
            BotKind::First => {}
            BotKind::Random => drop(offers.pick(chance)),
            _ => drop(stream_of_decision(chance)),
        }
    }
}

impl fmt::Display for BotKind {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(self.base_name())?;
        match { *self }.budget() {
            Some(budget) => write!(out, ":{}", budget.words()),
            None => Ok(()),
        }
    }
}
