//! A loaded game as players know it: states, turns, moves in words, results.
//!
//! STUB with the agreed signatures; the real module replaces it on main.

use crate::source::Span;
use crate::diagnostic::Diagnostics;

/// A seat, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u8);

/// One moment of one playing: a value; cheap to clone, compare and hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(Vec<i64>);

/// What the machine waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A player picks one of `Turn::count()` moves.
    Decide { player: Player },
    /// Chance picks one of `outcomes` equally likely outcomes.
    Draw { outcomes: u32 },
    /// The game is over.
    End,
}

/// Why a run had to stop: a mistake in the rules that only showed in play. Also a miette
/// `Diagnostic` with labels into the rule file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[error("trap")]
pub struct Trap { pub span: Span }

/// What was said, and to whom (`None`: everybody).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said { pub to: Option<Player>, pub text: String }

/// The outcome of one `advance`: what was said on the way, and the legal moves where it stopped.
/// A reused buffer.
#[derive(Clone, Debug, Default)]
pub struct Turn { pub said: Vec<Said> }

impl Turn {
    /// An empty buffer.
    pub fn new() -> Turn { Turn::default() }
    /// How many moves are legal at the decision where it stopped.
    pub fn count(&self) -> usize { todo!() }
}

/// Static facts of a loaded game.
#[derive(Clone, Debug)]
pub struct GameInfo {
    pub title: String,
    pub players: usize,
    /// Every option with the value it has in this game, in the order of the file.
    pub options: Vec<(String, String)>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// 1 won, -1 lost, 0 drew; one per player.
    pub returns: Vec<i64>,
    /// The first key of `finish ranking`, if the game ended so.
    pub scores: Option<Vec<i64>>,
}

/// A thing on the table or of a player, for drawing: a title and its value in words.
#[derive(Clone, Debug)]
pub struct Thing { pub title: String, pub value: String }

/// The visible state for drawing.
#[derive(Clone, Debug)]
pub struct TableView {
    /// What the table has.
    pub table: Vec<Thing>,
    /// What each player has, by seat.
    pub players: Vec<Vec<Thing>>,
}

/// The rules, loaded for one number of players and one setting of the options. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Game { names: Vec<String> }

impl Game {
    pub fn info(&self) -> &GameInfo { todo!() }
    /// What the players are called; `P1`, `P2`, … unless `with_names` was used.
    pub fn names(&self) -> &[String] { &self.names }
    pub fn with_names(&self, _names: Vec<String>) -> Game { todo!() }
    /// The start, before setup has run.
    pub fn initial_state(&self) -> State { todo!() }
    /// Runs on until somebody must decide or chance must draw or the game is over. At a decision
    /// or draw that is already waiting it says the same again (moves are listed anew).
    pub fn advance(&self, _state: &mut State, _turn: &mut Turn) -> Result<Step, Trap> { todo!() }
    /// Answers a decision with the move of that index.
    pub fn choose(&self, _state: &mut State, _turn: &Turn, _index: usize) { todo!() }
    /// Answers a draw with the outcome of that index.
    pub fn draw(&self, _state: &mut State, _index: u32) { todo!() }
    /// A legal move in words: `attack fire water blaze`.
    pub fn label(&self, _state: &State, _turn: &Turn, _index: usize) -> String { todo!() }
    /// The question that stands at the decision: `Which stones leave row 1?`
    pub fn question(&self, _state: &State, _turn: &Turn) -> Option<String> { todo!() }
    /// The waiting chance event in words: `random Player`, `roll tice`, `roll die[red]`.
    pub fn event(&self, _state: &State) -> String { todo!() }
    /// An outcome of the waiting chance event in words: `Ann`, `14`.
    pub fn outcome(&self, _state: &State, _index: u32) -> String { todo!() }
    /// How it ended, when it has.
    pub fn result(&self, _state: &State) -> Option<Outcome> { todo!() }
    /// What lies on the table.
    pub fn table(&self, _state: &State) -> TableView { todo!() }
}

/// (really `crate::snippet`, floor 6) A typed expression, statement or call against a state.
pub mod snippet {
    use super::*;
    use crate::source::Source;
    /// Whether a condition holds, and both sides with their values when it does not.
    pub struct Verdict { pub holds: bool, pub values: Vec<(String, String)> }
    /// `:eval`: the value in words. `moves` is the number of legal moves at a decision.
    pub fn evaluate(_game: &Game, _state: &State, _turn: &Turn, _source: &Source) -> Result<String, Diagnostics> { todo!() }
    /// `?`
    pub fn verdict(_game: &Game, _state: &State, _turn: &Turn, _source: &Source) -> Result<Verdict, Diagnostics> { todo!() }
    /// `set STATEMENT` at a decision; advance again afterwards to list the moves anew.
    pub fn apply(_game: &Game, _state: &mut State, _source: &Source) -> Result<(), Diagnostics> { todo!() }
    /// `do RULE(args)`: leaves the flow; the returned game is used from then on with this state. When the
    /// rule returns, `advance` gives `Step::End` and `Game::result` is `None`.
    pub fn start(_game: &Game, _state: &mut State, _source: &Source) -> Result<Game, Diagnostics> { todo!() }
    /// Why a typed move is illegal here, in one sentence (without full stop), with help lines.
    pub struct Reason { pub message: String, pub span: Option<Span>, pub help: Option<String> }
    pub fn why_not(_game: &Game, _state: &State, _turn: &Turn, _words: &str) -> Reason { todo!() }
}

/// (really `crate::pipeline`, floor 6) The stages in order.
pub mod pipeline {
    use super::*;
    use crate::source::Sources;
    use crate::syntax::ast::Ast;
    /// The checked rules; opaque to callers.
    #[derive(Debug)]
    pub struct Rules;
    /// What checking a file gave: the tree, the rules when there was no error, all findings.
    pub struct Checked { pub ast: Ast, pub rules: Option<std::sync::Arc<Rules>>, pub diagnostics: Diagnostics }
    /// Number of players (default: the fewest) and options by name and value in words.
    #[derive(Clone, Debug, Default)]
    pub struct Setting { pub players: Option<usize>, pub options: Vec<(String, String)> }
    /// Parses and checks a text (adds it to `sources`), including compiling every option combination.
    pub fn check(_sources: &mut Sources, _name: &str, _text: &str) -> Checked { todo!() }
    /// Compiles checked rules for one setting. A setting that does not exist is an error in the bag
    /// (these have no span).
    pub fn load(_rules: &std::sync::Arc<Rules>, _setting: &Setting) -> Result<Game, Diagnostics> { todo!() }
    /// The rules in words, for `--emit rules`; the code, for `--emit bytecode`.
    pub fn emit_rules(_rules: &Rules) -> String { todo!() }
    pub fn emit_bytecode(_game: &Game) -> String { todo!() }
    /// Facts for listings: title, fewest and most players, option names with allowed values.
    pub fn players(_rules: &Rules) -> (usize, usize) { todo!() }
    pub fn title(_rules: &Rules) -> String { todo!() }
}
