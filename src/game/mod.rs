//! A loaded game as players know it: states, turns, moves in words, results.

mod actions;
mod labels;
mod outcome;
mod step_driver;
mod wording;
mod number_words;
mod numbering;
mod position;
mod observing;
mod tensor;
mod view;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

pub use crate::vm::{Observation, State, Trap};
pub(crate) use crate::vm::{Positions, knows_card, was_anything_learned};
pub(crate) use actions::fnv;
pub use actions::{Action, ChanceOutcome, GameType, Utility};
pub(crate) use labels::ShownWords;
pub use labels::fold_case;
pub(crate) use labels::goods_in_order;
pub(crate) use observing::MaskedMove;
pub use outcome::Outcome;
pub(crate) use outcome::places_by;
pub use position::Position;
pub(crate) use step_driver::StepDriver;
pub use tensor::ObservationPart;
pub(crate) use view::colour::stated_colour;
pub(crate) use view::{
    ActionGroup, ActionNumbers, ActionView, BoardCell, BoardLayout, Card, CardColumn, Element,
    Layer, LayerForm, LogEntry, Means, Piece, SeatView, SeenValue, Status, Thing, ValueForm,
    ViewCell, What, cells_of,
};
pub use view::{Board, Paint, TableView, Tag};

use crate::bytecode::Program;
use crate::bytecode::program::Wait;
use crate::bytecode::vars::VarInfo;
use crate::compile::{Compiled, Passes, Snippet, Specialisation, compile_without, value_text};
use crate::diagnostic::Diagnostics;
use crate::error::Error;
use crate::rules::printed::printed_columns;
use crate::rules::visit::any_stmt;
use crate::rules::{LocalId, Rules, Stmt, StmtKind, flat_index};
use crate::source::{Sources, Span};
use crate::vm::{self, Driver, Offers, UnviewedDriver, choose, compute, draw, run, waits};

/// A seat, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u8);

impl Player {
    /// The seat as an index.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// Where a game stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A player decides.
    Decide {
        /// Who decides.
        player: Player,
    },
    /// Chance picks one of these equally likely outcomes.
    Draw {
        /// How many there are.
        outcomes: u32,
    },
    /// The game is over.
    End,
}

/// How many bytes may be said between two decisions or draws.
pub const MAX_SAID: usize = 1 << 20;

/// What was said, and to whom; `None` is everybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Who hears it.
    pub to: Option<Player>,
    /// What was said.
    pub text: String,
    /// Whether they are no words of the rules, but say that a player declined, since nothing else
    /// was legal.
    pub declines: bool,
}

/// What one [`Game::advance`] brought: what was said on the way, and what is legal where it
/// stopped. A buffer to be used again.
#[derive(Clone, Debug, Default)]
pub struct LegalMoves {
    /// What was said on the way.
    pub said: Vec<Said>,
    /// The `finish` that ended the game, where it has just ended.
    pub ended_at: Option<Span>,
    /// For each operation, whether it was carried out; empty where nobody wants to know.
    pub(crate) marks: Vec<bool>,
    offers: Offers,
}

impl LegalMoves {
    /// An empty buffer.
    pub fn new() -> LegalMoves {
        LegalMoves::default()
    }

    /// How many moves are legal at the decision where it stopped.
    pub fn count(&self) -> usize {
        self.offers.count()
    }

    /// The moves as bots get them.
    #[doc(hidden)]
    pub fn offers(&self) -> &Offers {
        &self.offers
    }
}

/// Facts of a loaded game that do not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    pub title: String,
    pub players: usize,
    /// Every option with the value it has, in the order of the file.
    pub options: Vec<(String, String)>,
}

/// Something that must always hold and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unkept {
    /// Its position in [`Rules::always`](crate::rules::Rules::always).
    pub(crate) number: usize,
    /// The member for which it does not hold, where it is said of members; or why nobody knows.
    pub(crate) member: Result<i64, Trap>,
}

/// The rules, loaded for one number of players and one setting of the options. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Game {
    loaded: Arc<Loaded>,
    names: Arc<Vec<String>>,
    bots: Arc<Vec<BotFile>>,
}

/// A file of what a bot learned of a game, as somebody read it for those who play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BotFile {
    /// How it was named; empty if it belongs to the game.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Which piece of the rules was compiled to be run on its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PieceKey {
    pub(crate) span: Span,
    /// The locals that it takes.
    pub(crate) params: Vec<LocalId>,
    /// The site whose locals it reads in the state, if it reads any there.
    pub(crate) site: Option<usize>,
}

#[derive(Debug)]
struct Loaded {
    rules: Arc<Rules>,
    sources: Arc<Sources>,
    setting: Specialisation,
    compiled: Compiled,
    /// The pieces that were added to the program and are still at work.
    pieces: Vec<Snippet>,
    /// Pieces of the rules that were run on their own.
    pieces_run: Mutex<BTreeMap<PieceKey, Arc<Compiled>>>,
    info: GameInfo,
    /// The numbers that walk along a row.
    tracks: Vec<view::Track>,
    /// What the rules compare where the game ends.
    aims: view::Aims,
    /// The columns that people read of the members of each kind.
    printed: Vec<Vec<usize>>,
    /// How members look, once it is known.
    looks: OnceLock<view::Looks>,
    fingerprint: OnceLock<u64>,
    /// The numbers of the moves, once somebody wants them.
    numbering: OnceLock<Result<numbering::ActionTable, Error>>,
    tensor: OnceLock<tensor::ObservationLayout>,
}

impl Game {
    #[doc(hidden)]
    pub fn new(
        rules: Arc<Rules>,
        sources: Arc<Sources>,
        setting: Specialisation,
        compiled: Compiled,
    ) -> Game {
        let names = (1..=setting.players).map(|seat| format!("P{seat}")).collect();
        Game::build(rules, sources, setting, compiled, Vec::new(), Arc::new(names))
    }

    fn build(
        rules: Arc<Rules>,
        sources: Arc<Sources>,
        setting: Specialisation,
        compiled: Compiled,
        pieces: Vec<Snippet>,
        names: Arc<Vec<String>>,
    ) -> Game {
        let options = rules.options.iter().zip(&setting.options);
        let options = options
            .map(|(option, value)| (option.name.clone(), value_text(&rules, &option.ty, value)));
        let info = GameInfo {
            title: rules.title.clone(),
            players: setting.players,
            options: options.collect(),
        };
        let loaded = Loaded {
            tracks: view::tracks(&rules, &compiled.program),
            aims: view::find_standing_keys(&rules),
            printed: printed_columns(&rules),
            pieces_run: Mutex::default(),
            looks: OnceLock::new(),
            fingerprint: OnceLock::new(),
            numbering: OnceLock::new(),
            tensor: OnceLock::new(),
            info,
            rules,
            sources,
            setting,
            compiled,
            pieces,
        };
        Game { loaded: Arc::new(loaded), names, bots: Arc::default() }
    }

    #[doc(hidden)]
    pub fn info(&self) -> &GameInfo {
        &self.loaded.info
    }

    /// What the players are called: `P1`, `P2`, … unless they were given names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The same game with other names of the players, by seat.
    #[must_use]
    pub fn with_names(&self, names: Vec<String>) -> Game {
        Game { names: Arc::new(names), ..self.clone() }
    }

    /// The same game with files of what bots learned of it.
    #[must_use]
    pub(crate) fn with_bots(&self, bots: Vec<BotFile>) -> Game {
        Game { bots: Arc::new(bots), ..self.clone() }
    }

    pub(crate) fn bots(&self) -> &[BotFile] {
        &self.bots
    }

    /// The same game, whose texts are among these: all that it was read from lies at the same places.
    #[must_use]
    pub(crate) fn with_sources(&self, sources: Sources) -> Game {
        let Loaded { pieces, compiled, .. } = self.loaded.as_ref();
        self.with_parts(pieces.clone(), compiled.clone(), Arc::new(sources))
    }

    /// The same game with a program that pieces were added to.
    #[doc(hidden)]
    #[must_use]
    pub fn with_pieces(&self, pieces: Vec<Snippet>, compiled: Compiled) -> Game {
        self.with_parts(pieces, compiled, Arc::clone(&self.loaded.sources))
    }

    fn with_parts(&self, pieces: Vec<Snippet>, compiled: Compiled, sources: Arc<Sources>) -> Game {
        let Loaded { rules, setting, .. } = self.loaded.as_ref();
        let (rules, names) = (Arc::clone(rules), Arc::clone(&self.names));
        let bots = Arc::clone(&self.bots);
        Game { bots, ..Game::build(rules, sources, setting.clone(), compiled, pieces, names) }
    }

    /// The same game, compiled without some passes.
    /// # Errors
    /// If it is too large without them.
    #[doc(hidden)]
    pub fn without(&self, off: Passes) -> Result<Game, Diagnostics> {
        let compiled = compile_without(self.rules(), self.setting(), self.sources(), off)?;
        Ok(self.with_parts(Vec::new(), compiled, Arc::clone(&self.loaded.sources)))
    }

    pub(crate) fn snippets(&self) -> &[Snippet] {
        &self.loaded.pieces
    }

    /// The program with a piece of the rules added, which is compiled when it is first wanted.
    /// # Panics
    /// Never: compiling does not panic.
    pub(crate) fn piece(
        &self,
        key: PieceKey,
        compile: impl FnOnce() -> Option<Compiled>,
    ) -> Option<Arc<Compiled>> {
        let mut run = self.loaded.pieces_run.lock().expect("nobody panicked while compiling");
        if let Some(known) = run.get(&key) {
            return Some(Arc::clone(known));
        }
        let compiled = Arc::new(compile()?);
        run.insert(key, Arc::clone(&compiled));
        Some(compiled)
    }

    #[doc(hidden)]
    pub fn rules(&self) -> &Rules {
        &self.loaded.rules
    }

    /// The texts that the rules were read from.
    #[doc(hidden)]
    pub fn sources(&self) -> &Sources {
        &self.loaded.sources
    }

    #[doc(hidden)]
    pub fn setting(&self) -> &Specialisation {
        &self.loaded.setting
    }

    /// The program, and what is known of the places where it waits.
    #[doc(hidden)]
    pub fn compiled(&self) -> &Compiled {
        &self.loaded.compiled
    }

    #[doc(hidden)]
    pub fn program(&self) -> &Program {
        &self.loaded.compiled.program
    }

    /// The beginning, before setup has run.
    pub fn initial_state(&self) -> State {
        State::new(self.program())
    }

    /// Runs on until somebody must decide, chance must draw or the game is over. At a decision or
    /// a draw that already waits it says the same again, with the moves listed anew.
    /// # Errors
    /// A mistake in the rules that showed in play; the state is then not to be used any more.
    pub fn advance(&self, state: &mut State, legal: &mut LegalMoves) -> Result<Step, Trap> {
        legal.said.clear();
        let (said, marks) = (std::mem::take(&mut legal.said), std::mem::take(&mut legal.marks));
        let mut table = StepDriver { said, marks, ..StepDriver::default() };
        let step = self.advance_before(state, legal, &mut table);
        (legal.said, legal.marks) = (table.said, table.marks);
        legal.ended_at = table.ended_at.map(|operation| self.program().spans[operation]);
        if table.left == 0 && step.is_ok() {
            let span = self.program().sites[state.site_number()].span;
            return Err(Trap::TooMuchSaid { limit: MAX_SAID, span });
        }
        step
    }

    /// Advances without texts of `say` and without knowledge of cards: for programs that search.
    /// # Errors
    /// A mistake in the rules that showed in play; the state is then not to be used any more.
    pub(crate) fn advance_unheard(
        &self,
        state: &mut State,
        legal: &mut LegalMoves,
    ) -> Result<Step, Trap> {
        self.advance_before(state, legal, &mut UnviewedDriver)
    }

    /// Runs on to the next decision or the end of the game; the driver answers all draws. Unlike after
    /// [`Game::advance`], equal positions may be different states.
    pub(crate) fn advance_with(
        &self,
        state: &mut State,
        legal: &mut LegalMoves,
        driver: &mut impl Driver,
    ) -> Result<Step, Trap> {
        let step = run(self.program(), state, &mut legal.offers, &self.names, driver)?;
        Ok(match step {
            vm::VmStep::Decide { player } => Step::Decide { player: Player(player) },
            vm::VmStep::Draw { outcomes } => Step::Draw { outcomes },
            vm::VmStep::End => Step::End,
        })
    }

    fn advance_before(
        &self,
        state: &mut State,
        legal: &mut LegalMoves,
        driver: &mut impl Driver,
    ) -> Result<Step, Trap> {
        if let Some(outcomes) = waiting_outcomes(self.program(), state) {
            legal.offers.clear();
            return Ok(Step::Draw { outcomes });
        }
        let step = self.advance_with(state, legal, driver)?;
        if !matches!(step, Step::Decide { .. }) {
            legal.offers.clear();
        }
        if step != Step::End {
            state.canonicalise(self.program());
        }
        Ok(step)
    }

    /// Answers a decision.
    /// # Panics
    /// If `index` is not below [`LegalMoves::count`].
    pub fn choose(&self, state: &mut State, legal: &LegalMoves, index: usize) {
        choose(self.program(), state, &legal.offers, index);
    }

    /// Answers a draw.
    /// # Panics
    /// If the state does not wait for a draw.
    pub fn draw(&self, state: &mut State, index: u32) {
        draw(self.program(), state, index);
    }

    /// How it ended, when it has. A rule that was run on its own has no outcome.
    #[doc(hidden)]
    pub fn final_outcome(&self, state: &State) -> Option<Outcome> {
        Outcome::from_state(self.program(), state)
    }

    /// The same game where each state knows its turn; nothing if the rules have no `turns`.
    pub(crate) fn counting_turns(&self) -> Option<Game> {
        let mut rules = self.rules().clone();
        rules.reads_turn = true;
        let is_turns = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Turns { .. });
        let counts = rules.rules.iter().any(|rule| any_stmt(&rule.body, is_turns));
        let off = self.compiled().off;
        let compiled = compile_without(&rules, self.setting(), self.sources(), off).ok()?;
        let (sources, setting) = (Arc::clone(&self.loaded.sources), self.setting().clone());
        let names = Arc::clone(&self.names);
        let rules = Arc::new(rules);
        counts.then(|| Game::build(rules, sources, setting, compiled, Vec::new(), names))
    }

    /// The number of the turn, where the game counts turns; 0 before the first.
    pub(crate) fn turn_number(&self, state: &State) -> Option<i64> {
        self.rules().reads_turn.then(|| state.word(Program::header(self.info().players)))
    }

    /// What must always hold and does not hold now.
    #[doc(hidden)]
    pub fn unkept(&self, state: &State) -> Vec<Unkept> {
        let program = self.program();
        if program.always.is_empty() {
            return Vec::new();
        }
        let mut scratch = state.clone();
        let mut unkept = Vec::new();
        for promise in &program.always {
            let value = compute(program, &mut scratch, promise.piece, 0);
            if value != Ok(promise.kept) {
                unkept.push(Unkept { number: promise.number.into(), member: value });
            }
        }
        unkept
    }
}

/// How many outcomes the draw has at which a state waits.
fn waiting_outcomes(program: &Program, state: &State) -> Option<u32> {
    match waits(program, state) {
        Wait::Draw { outcomes, .. } if !state.has_ended() => {
            u32::try_from(state.word((*outcomes).into())).ok()
        }
        _ => None,
    }
}

/// The number of an element among all of a variable, its owner first; nothing where an index lies outside.
pub(crate) fn element_place(info: &VarInfo, players: usize, indices: &[i64]) -> Option<usize> {
    let owner = info.of_player.then_some((0, players));
    let dims = info.dims.iter().map(|dim| (dim.low, dim.size));
    flat_index(owner.into_iter().chain(dims), indices)
}
