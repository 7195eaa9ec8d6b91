//! The meaning of the language as a program to read: an interpreter that walks checked rules and does nothing clever.
//!
//! It shares no code with the compiler and the engines. Where they disagree with it, one of the two is wrong, and the
//! manual (`docs/language/`) says which. It takes from the checker what the tree of the rules holds: types, which piles
//! have an order, which `top of` lets chance decide, which arguments and cards are not told to everybody, and which
//! decisions are asked in any case. Its files are the chapters of the manual:
//!
//! | chapter | file |
//! |---|---|
//! | State, Coins, Dice, Earlier positions | `state` |
//! | Secrets, Knowledge | `knowledge` |
//! | Cards, Piles | `piles`, `cards` |
//! | Rules, Statements | `rules`, `statements`, `loops` |
//! | Expressions, Sets, Subsets, Lists, Text | `expressions`, `sets`, `text` |
//! | Decisions, what players see | `decisions`, `clauses`, `simultaneous` |
//! | Chance | `chance` |
//! | Ending a game, `measure`, `always` | `ending` |
//! | Setup, play and turns | this file, `loops` |

mod cards;
mod chance;
mod clauses;
mod decisions;
mod ending;
mod expressions;
mod knowledge;
mod loops;
mod piles;
mod rules;
mod sets;
mod simultaneous;
mod state;
mod statements;
mod text;
mod values;

use std::collections::BTreeMap;

use crate::rules::{Rules, Value};
use crate::source::Sources;

pub(crate) use ending::GameEnd;
pub(crate) use knowledge::Knowledge;
pub(crate) use state::TableState;
pub(crate) use values::{Datum, ElementKey, Halt};

use state::Tabletop;
use values::{RuleFrame, Run};

/// What a game is played with.
#[derive(Clone, Copy)]
pub(crate) struct Setup<'g> {
    pub(crate) rules: &'g Rules,
    pub(crate) sources: &'g Sources,
    /// The players, in the order of their seats.
    pub(crate) names: &'g [String],
    /// A value for each option of the file.
    pub(crate) options: &'g [Value],
    /// After so many expressions the reference gives up.
    pub(crate) most_expressions: u64,
    /// Asked now and then: whether the reference is to go on.
    pub(crate) goes_on: &'g dyn Fn() -> bool,
}

/// A text that was said, and the seat that hears it; without one, everybody does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Speech {
    pub(crate) to: Option<i64>,
    pub(crate) text: String,
    /// Whether somebody declined who could do nothing else.
    pub(crate) declines: bool,
}

/// A player is asked.
#[derive(Clone, Debug)]
pub(crate) struct AskedPlayer {
    pub(crate) player: i64,
    pub(crate) question: Option<String>,
    /// The legal moves in their order, as players type them.
    pub(crate) moves: Vec<String>,
    /// The moves as others hear them.
    pub(crate) heard: Vec<String>,
    /// The positions of the `always` that do not hold.
    pub(crate) broken: Vec<usize>,
}

/// Chance decides among outcomes that are equally likely.
#[derive(Clone, Debug)]
pub(crate) struct ChanceDraw {
    pub(crate) event: String,
    pub(crate) outcomes: Vec<String>,
    /// The seats that see which one it is.
    pub(crate) seen_by: Vec<i64>,
}

/// What everybody can compare where a game waits: what was said since it waited last, and the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause<'a> {
    pub(crate) said: &'a [Speech],
    pub(crate) state: &'a TableState,
}

/// Whoever decides and draws while the reference plays.
pub(crate) trait Partner {
    /// Returns the position of the move that is made; nothing if the game is not to go on.
    fn pick_move(&mut self, asked: &AskedPlayer, pause: Pause<'_>) -> Option<usize>;

    /// Returns the position of the outcome; nothing if the game is not to go on.
    fn pick_outcome(&mut self, drawing: &ChanceDraw, pause: Pause<'_>) -> Option<usize>;
}

/// A game that goes on no more.
#[derive(Debug)]
pub(crate) struct PlayedGame {
    pub(crate) halt: Halt,
    /// For each measure its values, one for each player or one for the game; none before the end, and where one is an
    /// error.
    pub(crate) measures: Option<Vec<Vec<i64>>>,
    /// The positions of the `always` that do not hold at the end.
    pub(crate) broken: Vec<usize>,
    /// What was said after the last pause.
    pub(crate) said: Vec<Speech>,
    pub(crate) state: TableState,
    pub(crate) decisions: u64,
    /// How many expressions were computed.
    pub(crate) expressions: u64,
}

/// One game while it is played.
struct Reference<'g> {
    rules: &'g Rules,
    table: Tabletop<'g>,
    said: Vec<Speech>,
    /// The names of the rule that is at work.
    frame: RuleFrame<'g>,
    turns_running: usize,
    /// How many `suppose` are being computed.
    supposed: usize,
    decisions: u64,
    /// How often since the last decision nothing was legal.
    passes: u64,
    depth: usize,
    expressions: u64,
    /// The first partner of each player, while a game with teams ends.
    partners: Option<Vec<usize>>,
    partner: &'g mut dyn Partner,
}

/// Plays one game; the partner answers its decisions and draws.
pub(crate) fn play_reference<'g>(setup: Setup<'g>, partner: &'g mut dyn Partner) -> PlayedGame {
    let mut game = Reference {
        rules: setup.rules,
        table: Tabletop { setup, state: TableState::default(), seers: BTreeMap::new() },
        said: Vec::new(),
        frame: RuleFrame::default(),
        turns_running: 0,
        supposed: 0,
        decisions: 0,
        passes: 0,
        depth: 0,
        expressions: 0,
        partners: None,
        partner,
    };
    let mut halt = game.run_flows().err().unwrap_or(Halt::Trap("NoFinish"));
    let (mut measures, mut broken) = (None, Vec::new());
    if let Halt::End(_) = halt {
        match (game.measures(), game.broken_invariants()) {
            (Ok(values), Ok(positions)) => (measures, broken) = (values, positions),
            _ => halt = Halt::Bound("it takes long"),
        }
    }
    let Reference { table: Tabletop { state, .. }, said, decisions, expressions, .. } = game;
    PlayedGame { halt, measures, broken, said, state, decisions, expressions }
}

impl Reference<'_> {
    /// "Setup, play and turns": `setup` runs, then `play`.
    fn run_flows(&mut self) -> Run {
        self.set_up()?;
        for flow in self.rules.setup.into_iter().chain([self.rules.play]) {
            let rule = &self.rules.rules[flow.index()];
            self.within(RuleFrame::new(&rule.locals), |it| it.run_block(&rule.body))?;
        }
        Ok(())
    }
}
