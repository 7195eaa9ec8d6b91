//! The bots by name.

use std::fmt;

use crate::bots::budget::{BotBudget, Control};
use crate::bots::heuristic::Analysis;
use crate::bots::monte_carlo::{Mcts, Rollout};
use crate::bots::playout::Counsel;
use crate::bots::random::{First, Random, stream_of_decision};
use crate::bots::simple::{Greedy, Perfect, Strategic};
use crate::bots::{Bot, MAX_TREE, memory_size};
use crate::chance::Seeded;
use crate::game::{Game, State, Trap};
use crate::vm::Offers;

/// What tells a search which moves are likely to be good, and how games go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchGuide {
    Nothing,
    /// The strategy of the rules that has this number.
    Strategy(u16),
    /// What the file of this number of the game says that a bot learned.
    Learned(u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotKind {
    Random,
    First,
    /// The move that leads to the best score at once.
    Greedy,
    /// The move after which random play ends best.
    Rollout(BotBudget),
    /// Tree search by random games alone.
    Uct(BotBudget),
    /// Tree search in which results count as they are meant, with a guide if there is one.
    Mcts(BotBudget, SearchGuide),
    /// Perfect play, where the rest of the game is small enough.
    Solve,
    /// The strategy of the rules that has this number.
    Strategy(u16),
    /// A short search with what was learned, as the file of this number of the game says it.
    Learned(u16),
}

/// How many games `learned` plays in its head for a move.
const SEARCH_OF_LEARNED: BotBudget = BotBudget::Iterations(100);

impl BotKind {
    /// The bots that every game has, as messages list them. The first budget of a bot is the one that
    /// it has if nobody names another.
    pub const ALL: [BotKind; 7] = [
        BotKind::Random,
        BotKind::First,
        BotKind::Greedy,
        BotKind::Rollout(BotBudget::Iterations(100)),
        BotKind::Mcts(BotBudget::Iterations(1000), SearchGuide::Nothing),
        BotKind::Mcts(BotBudget::Milliseconds(200), SearchGuide::Nothing),
        BotKind::Solve,
    ];

    /// Its name, without a budget.
    fn base_name(self) -> &'static str {
        match self {
            BotKind::Random => "random",
            BotKind::First => "first",
            BotKind::Greedy => "greedy",
            BotKind::Rollout(_) => "rollout",
            BotKind::Uct(_) => "uct",
            BotKind::Mcts(..) => "mcts",
            BotKind::Solve => "solve",
            BotKind::Strategy(_) => "strategy",
            BotKind::Learned(_) => "learned",
        }
    }

    /// Its budget, if it has one.
    fn budget(&mut self) -> Option<&mut BotBudget> {
        match self {
            BotKind::Rollout(budget) | BotKind::Uct(budget) | BotKind::Mcts(budget, _) => {
                Some(budget)
            }
            _ => None,
        }
    }

    /// True if its budget for a move is within these limits: iterations or milliseconds, whichever it counts.
    #[cfg(feature = "serve")]
    pub(crate) fn fits_budget(mut self, games: u32, milliseconds: u64) -> bool {
        match self.budget() {
            Some(BotBudget::Iterations(number)) => *number <= games,
            Some(BotBudget::Milliseconds(length)) => *length <= milliseconds,
            None => true,
        }
    }

    /// Returns the bot that a word of the command line means.
    pub fn parse(word: &str) -> Option<BotKind> {
        let (name, budget) = match word.split_once(':') {
            Some((name, budget)) => (name, Some(BotBudget::from_words(budget)?)),
            None => (word, None),
        };
        // The search of earlier versions is known, and not proposed.
        let mut known = BotKind::ALL.into_iter().chain([BotKind::Uct(BotBudget::Iterations(1000))]);
        let mut kind = known.find(|kind| kind.base_name() == name)?;
        if let Some(budget) = budget {
            *kind.budget()? = budget;
        }
        Some(kind)
    }

    /// Returns the bot that a word means at a game: a strategy of its rules by its title, else one
    /// of those that every game has, perhaps with a strategy as its guide, or with what a file of the game
    /// says that was learned: `mcts:200+Mason`, `mcts:200@azul.bot`.
    pub fn from_word(word: &str, game: &Game) -> Option<BotKind> {
        let strategy = |title: &str| {
            let mut strategies = (0..).zip(&game.rules().strategies);
            strategies.find(|(_, strategy)| strategy.title == title).map(|(number, _)| number)
        };
        if let Some(number) = strategy(word) {
            return Some(BotKind::Strategy(number));
        }
        if let Some((search, name)) = BotKind::learned_file(word) {
            let mut files = (0..).zip(game.bots());
            let (number, _) = files.find(|(_, file)| file.name == name)?;
            return match BotKind::parse(search) {
                Some(BotKind::Mcts(budget, _)) => {
                    Some(BotKind::Mcts(budget, SearchGuide::Learned(number)))
                }
                _ => (search == "learned").then_some(BotKind::Learned(number)),
            };
        }
        let Some((search, title)) = word.split_once('+') else { return BotKind::parse(word) };
        match BotKind::parse(search)? {
            BotKind::Mcts(budget, _) => {
                Some(BotKind::Mcts(budget, SearchGuide::Strategy(strategy(title)?)))
            }
            _ => None,
        }
    }

    /// The search and the file in `mcts@file`; an empty name is the file of the game.
    pub(crate) fn learned_file(word: &str) -> Option<(&str, &str)> {
        match word.split_once('@') {
            Some((search, name)) if search == "learned" || search.starts_with("mcts") => {
                Some((search, name))
            }
            None if word == "learned" => Some((word, "")),
            _ => None,
        }
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
        let title = |number: u16| &game.rules().strategies[usize::from(number)].title;
        let name = |number: u16| &game.bots()[usize::from(number)].name;
        match self {
            BotKind::Strategy(number) => title(number).clone(),
            BotKind::Mcts(_, SearchGuide::Strategy(number)) => format!("{self}+{}", title(number)),
            BotKind::Mcts(_, SearchGuide::Learned(number)) => format!("{self}@{}", name(number)),
            BotKind::Learned(number) if !name(number).is_empty() => {
                format!("{self}@{}", name(number))
            }
            kind => kind.to_string(),
        }
    }

    /// True if its moves depend on the seed alone, not on the speed of the machine.
    pub(crate) fn is_repeatable(mut self) -> bool {
        !matches!(self.budget(), Some(BotBudget::Milliseconds(_)))
    }

    /// True if it searches, so that a person may have to wait.
    pub(crate) fn takes_time(self) -> bool {
        !matches!(self, BotKind::Random | BotKind::First | BotKind::Greedy | BotKind::Strategy(_))
    }

    pub fn bot(self, analysis: &Analysis, control: Control) -> Box<dyn Bot> {
        match self {
            BotKind::Random => Box::new(Random),
            BotKind::First => Box::new(First),
            BotKind::Greedy => Box::new(Greedy(analysis.clone())),
            BotKind::Rollout(budget) => Box::new(Rollout::new(analysis, budget, control)),
            BotKind::Uct(budget) => Box::new(Mcts::new(analysis, Counsel::Chance, budget, control)),
            BotKind::Mcts(budget, guide) => {
                Box::new(Mcts::new(analysis, guide.counsel(analysis), budget, control))
            }
            BotKind::Learned(number) => {
                let counsel = SearchGuide::Learned(number).counsel(analysis);
                Box::new(Mcts::new(analysis, counsel, SEARCH_OF_LEARNED, control))
            }
            BotKind::Solve => Box::new(Perfect::new(analysis, control)),
            BotKind::Strategy(number) => Box::new(Strategic::new(number.into())),
        }
    }

    /// Returns the error of a bot that needs more memory than it may have.
    pub(crate) fn out_of_memory(self, game: &Game, state: &State) -> Trap {
        let span = state.site_span(game.program());
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

impl SearchGuide {
    fn counsel(self, analysis: &Analysis) -> Counsel {
        match self {
            SearchGuide::Nothing => Counsel::Margins,
            SearchGuide::Strategy(number) => Counsel::Strategy(number.into()),
            // Who read the file has tried it.
            SearchGuide::Learned(number) => match analysis.learned(number.into()) {
                Some(learned) => learned.counsel(analysis),
                None => Counsel::Margins,
            },
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
