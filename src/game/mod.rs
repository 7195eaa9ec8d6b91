//! A loaded game as players know it: states, turns, moves in words, results.

mod actions;
mod chances;
mod invariants;
mod remarks;
mod seeing;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};

pub use crate::vm::{Observation, Positions, State, Trap};
pub use actions::{Action, ChanceOutcome, GameType, PlayError, Utility};
pub use chances::Chance;
pub use invariants::{Measure, Unkept};
pub use seeing::Heard;
pub use view::{Cell, Paint, TableView, Thing};

use crate::bytecode::Program;
use crate::bytecode::program::{Ending, NONE, Shown, Wait};
use crate::check::rules::{Choose, ExprKind, KindId, LocalId, Rules, TextPart, Type, Value};
use crate::compile::{Compiled, Snippet, Specialisation, value_text};
use crate::source::{Sources, Span, fault};
use crate::vm::{Driver, Offers, Unheard, capitalised, choose, draw, print, run, text, waits};

/// A seat, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u8);

impl Player {
    /// Its position in lists of all players.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// What the game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A player picks one of [`LegalMoves::count`] moves.
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
    /// The words.
    pub text: String,
    /// Whether they are no words of the rules, but say that a player declined, since nothing else
    /// was legal.
    pub declines: bool,
}

/// What one [`Game::advance`] brought: what was said on the way, and what is legal where it
/// stopped. A buffer to be used again.
#[derive(Clone, Debug, Default)]
pub struct LegalMoves {
    /// What was said, in order.
    pub said: Vec<Said>,
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
}

/// Facts of a loaded game that do not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The title.
    pub title: String,
    /// How many play.
    pub players: usize,
    /// Every option with the value it has, in the order of the file.
    pub options: Vec<(String, String)>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// 1 for a win, -1 for a loss, 0 for a draw; one for each player.
    pub returns: Vec<i64>,
    /// The first key of `finish ranking`, if the game ended so.
    pub scores: Option<Vec<i64>>,
}

/// The rules, loaded for one number of players and one setting of the options. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Game {
    loaded: Arc<Loaded>,
    names: Arc<Vec<String>>,
}

/// Which piece of the rules was compiled to be run on its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PieceKey {
    /// Its place in the rules.
    pub span: Span,
    /// The locals that it takes.
    pub params: Vec<LocalId>,
    /// The site whose locals it reads in the state, if it reads any there.
    pub site: Option<usize>,
}

/// What all clones of a game share.
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
    fingerprint: OnceLock<u64>,
}

impl Game {
    /// A game from its rules and the program that was made of them.
    pub fn new(
        rules: Arc<Rules>,
        sources: Arc<Sources>,
        setting: Specialisation,
        compiled: Compiled,
    ) -> Game {
        let options = rules.options.iter().zip(&setting.options);
        let options = options
            .map(|(option, value)| (option.name.clone(), value_text(&rules, &option.ty, value)));
        let info = GameInfo {
            title: rules.title.clone(),
            players: setting.players,
            options: options.collect(),
        };
        let names = (1..=setting.players).map(|seat| format!("P{seat}")).collect();
        let pieces = Vec::new();
        let tracks = view::tracks(&rules, &compiled.program);
        let pieces_run = Mutex::default();
        let fingerprint = OnceLock::new();
        let loaded = Loaded {
            rules,
            sources,
            setting,
            compiled,
            pieces,
            pieces_run,
            info,
            tracks,
            fingerprint,
        };
        Game { loaded: Arc::new(loaded), names: Arc::new(names) }
    }

    /// Facts that do not change.
    pub fn info(&self) -> &GameInfo {
        &self.loaded.info
    }

    /// What the players are called: `P1`, `P2`, … unless they were given names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The same game with names for the players.
    #[must_use]
    pub fn with_names(&self, names: Vec<String>) -> Game {
        Game { loaded: Arc::clone(&self.loaded), names: Arc::new(names) }
    }

    /// The same game, whose texts are among these: all that it was read from lies at the same places.
    #[must_use]
    pub fn with_sources(&self, sources: Sources) -> Game {
        let Loaded { pieces, compiled, .. } = self.loaded.as_ref();
        self.with_parts(pieces.clone(), compiled.clone(), Arc::new(sources))
    }

    /// The same game with a program that pieces were added to.
    #[must_use]
    pub fn with_pieces(&self, pieces: Vec<Snippet>, compiled: Compiled) -> Game {
        self.with_parts(pieces, compiled, Arc::clone(&self.loaded.sources))
    }

    fn with_parts(&self, pieces: Vec<Snippet>, compiled: Compiled, sources: Arc<Sources>) -> Game {
        let Loaded { rules, setting, info, tracks, .. } = self.loaded.as_ref();
        let loaded = Loaded {
            rules: Arc::clone(rules),
            sources,
            setting: setting.clone(),
            compiled,
            pieces,
            pieces_run: Mutex::default(),
            info: info.clone(),
            tracks: tracks.clone(),
            fingerprint: OnceLock::new(),
        };
        Game { loaded: Arc::new(loaded), names: Arc::clone(&self.names) }
    }

    /// The pieces that were added to the program.
    pub fn pieces(&self) -> &[Snippet] {
        &self.loaded.pieces
    }

    /// The program with a piece of the rules added, which is compiled when it is first wanted.
    ///
    /// # Panics
    /// Never: compiling does not panic.
    pub fn piece(
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

    /// The checked rules.
    pub fn rules(&self) -> &Rules {
        &self.loaded.rules
    }

    /// The texts that the rules were read from.
    pub fn sources(&self) -> &Sources {
        &self.loaded.sources
    }

    /// The number of players and the options.
    pub fn setting(&self) -> &Specialisation {
        &self.loaded.setting
    }

    /// The program, and what is known of the places where it waits.
    pub fn compiled(&self) -> &Compiled {
        &self.loaded.compiled
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.loaded.compiled.program
    }

    /// The beginning, before setup has run.
    pub fn initial_state(&self) -> State {
        State::new(self.program())
    }

    /// Runs on until somebody must decide, chance must draw or the game is over. At a decision or
    /// a draw that already waits it says the same again, with the moves listed anew.
    ///
    /// # Errors
    /// A mistake in the rules that showed in play; the state is then not to be used any more.
    pub fn advance(&self, state: &mut State, turn: &mut LegalMoves) -> Result<Step, Trap> {
        turn.said.clear();
        let mut said = std::mem::take(&mut turn.said);
        let mut table = Table { said: &mut said, left: MAX_SAID };
        let step = self.advance_before(state, turn, &mut table)?;
        let too_much = table.left == 0;
        turn.said = said;
        if too_much {
            let span = self.program().sites[state.site_number()].span;
            return Err(Trap::TooMuchSaid { limit: MAX_SAID, span });
        }
        Ok(step)
    }

    /// The same where nobody hears what is said, and nobody will ask what the players know of the
    /// state: for programs that follow what can happen.
    ///
    /// # Errors
    /// A mistake in the rules that showed in play; the state is then not to be used any more.
    pub fn advance_unheard(&self, state: &mut State, turn: &mut LegalMoves) -> Result<Step, Trap> {
        self.advance_before(state, turn, &mut Unheard)
    }

    fn advance_before(
        &self,
        state: &mut State,
        turn: &mut LegalMoves,
        driver: &mut impl Driver,
    ) -> Result<Step, Trap> {
        if let Some(outcomes) = self.draw_waits(state) {
            turn.offers.clear();
            return Ok(Step::Draw { outcomes });
        }
        let step = run(self.program(), state, &mut turn.offers, &self.names, driver)?;
        if !matches!(step, crate::vm::Step::Decide { .. }) {
            turn.offers.clear();
        }
        if step != crate::vm::Step::End {
            state.canonicalise(self.program());
        }
        Ok(match step {
            crate::vm::Step::Decide { player } => Step::Decide { player: Player(player) },
            crate::vm::Step::Draw { outcomes } => Step::Draw { outcomes },
            crate::vm::Step::End => Step::End,
        })
    }

    fn draw_waits(&self, state: &State) -> Option<u32> {
        match waits(self.program(), state) {
            Wait::Draw { outcomes, .. } if !state.has_ended() => {
                u32::try_from(state.word((*outcomes).into())).ok()
            }
            _ => None,
        }
    }

    /// Answers a decision.
    ///
    /// # Panics
    /// If `index` is not below [`LegalMoves::count`].
    pub fn choose(&self, state: &mut State, turn: &LegalMoves, index: usize) {
        choose(self.program(), state, &turn.offers, index);
    }

    /// Answers a draw.
    ///
    /// # Panics
    /// If the state does not wait for a draw.
    pub fn draw(&self, state: &mut State, index: u32) {
        draw(self.program(), state, index);
    }

    /// A legal move in words: `invite heron wren early`.
    pub fn label(&self, state: &State, turn: &LegalMoves, index: usize) -> String {
        self.label_in(&mut state.clone(), turn, index)
    }

    /// The words of all legal moves, in their order.
    pub fn labels(&self, state: &State, turn: &LegalMoves) -> impl Iterator<Item = String> {
        // One copy for all: each move brings the values that its words are made of.
        let mut words = state.clone();
        (0..turn.count()).map(move |index| self.label_in(&mut words, turn, index))
    }

    /// Whether the words of moves may begin with a number at this decision, be such a move legal now
    /// or not.
    pub fn prints_numbers(&self, state: &State, turn: &LegalMoves) -> bool {
        if state.has_ended() {
            return false;
        }
        let choose = &self.compiled().sites[state.site_number()].choose;
        choose.as_ref().is_some_and(|choose| may_begin_with_number(self.rules(), choose))
            || self.labels(state, turn).any(|label| begins_with_number(&label))
    }

    /// The words of a move, whose values are written into the state.
    fn label_in(&self, words: &mut State, turn: &LegalMoves, index: usize) -> String {
        let program = self.program();
        let option = bind(program, words, turn, index);
        let info = &program.options[usize::from(option)];
        if let Some(template) = info.template {
            let label = text(program, words, template, &self.names, |_| {});
            return label.unwrap_or_else(|_| info.name.clone());
        }
        let arguments = info.shown.iter().map(|shown| self.argument(words, *shown));
        let mut arguments: Vec<Option<String>> = arguments.collect();
        let given = arguments.iter().rposition(Option::is_some);
        arguments.truncate(given.map_or(0, |last| last + 1));
        let mut label = info.name.clone();
        for argument in arguments {
            label.push(' ');
            label.push_str(argument.as_deref().unwrap_or("none"));
        }
        label
    }

    /// An argument of a move in words; nothing if it is none.
    fn argument(&self, state: &State, shown: Shown) -> Option<String> {
        let program = self.program();
        let word = |slot: u16| match usize::from(slot).checked_sub(program.slots) {
            Some(constant) => program.constants[constant],
            None => state.word(slot.into()),
        };
        let words: Vec<i64> = (shown.slot..shown.slot + shown.width).map(word).collect();
        let is_set = program.formats[usize::from(shown.format)].shape.is_set();
        (is_set || words != [NONE]).then(|| print(program, &self.names, &words, shown.format))
    }

    /// The name of a legal move's option: the first word of most labels.
    pub fn option_name(&self, turn: &LegalMoves, index: usize) -> &str {
        let option = turn.offers.bind(self.program(), index, |_, _| {});
        &self.program().options[usize::from(option)].name
    }

    /// What is wrong with the words of the legal moves, if anything is: a mistake in the rules, for
    /// nobody could type one of them, or say which of two is meant.
    pub fn wrong_words(&self, state: &State, turn: &LegalMoves) -> Option<Trap> {
        let mut known = BTreeSet::new();
        let mut labels = self.labels(state, turn).enumerate();
        labels.find_map(|(index, label)| {
            let fault = fault(&label);
            let words = label.split_whitespace().collect::<Vec<_>>().join(" ");
            if fault.is_none() && known.insert(words.clone()) {
                return None;
            }
            let option = turn.offers.bind(self.program(), index, |_, _| {});
            let span = self.program().options[usize::from(option)].span;
            Some(match fault {
                Some(why) => {
                    Trap::UnreadableMove { words: label.escape_debug().to_string(), why, span }
                }
                None => Trap::SameWords { words, span },
            })
        })
    }

    /// The question that stands at the decision: `Which stones leave row 1?`
    pub fn question(&self, state: &State, turn: &LegalMoves) -> Option<String> {
        let Wait::Decision { question: Some(at), .. } = waits(self.program(), state) else {
            return None;
        };
        let _ = turn;
        let question = text(self.program(), state, *at, &self.names, |_| {});
        question.ok().map(capitalised)
    }

    /// The chance event that waits, in words: `random Player`, `roll cube`, `roll die[red]`.
    pub fn event(&self, state: &State) -> String {
        match waits(self.program(), state) {
            Wait::Draw { event, .. } => {
                text(self.program(), state, *event, &self.names, |_| {}).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// An outcome of the chance event that waits, in words: `Ann`, `14`.
    pub fn outcome(&self, state: &State, index: u32) -> String {
        match waits(self.program(), state) {
            Wait::Draw { dst, low, outcome, .. } => {
                let drawn = state.word((*low).into()).saturating_add(index.into());
                let set = |write: &mut dyn FnMut(u16, i64)| write(*dst, drawn);
                text(self.program(), state, *outcome, &self.names, set).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// How it ended, when it has. A rule that was run on its own has no outcome.
    pub fn result(&self, state: &State) -> Option<Outcome> {
        let ending = state.word(crate::bytecode::program::ENDING);
        let program = self.program();
        let scored = ending == Ending::Scores as i64;
        (scored || ending == Ending::Returns as i64).then(|| Outcome {
            returns: state.returns(program).to_vec(),
            scores: scored.then(|| state.slice(program.scores(), program.players).to_vec()),
        })
    }

    /// What lies on the table.
    pub fn table(&self, state: &State) -> TableView {
        view::view(self.shown(), state, None)
    }

    /// What lies on the table, as far as a player may see it, if one looks. A die that shows its first
    /// face is empty unless it was `rolled`: dice have the names of events, `cube`, `die[red]`.
    pub fn table_since(
        &self,
        state: &State,
        player: Option<Player>,
        rolled: &BTreeSet<String>,
    ) -> TableView {
        let of = view::Of { rolled: Some(rolled), ..self.shown() };
        match player {
            Some(player) => {
                let seen = self.observe(state, player);
                view::view(of, seen.seen(), Some(player.0))
            }
            None => view::view(of, state, None),
        }
    }

    /// What the table is drawn from.
    fn shown(&self) -> view::Of<'_> {
        let Loaded { rules, tracks, .. } = self.loaded.as_ref();
        view::Of { rules, program: self.program(), names: &self.names, tracks, rolled: None }
    }
}

fn may_begin_with_number(rules: &Rules, choose: &Choose) -> bool {
    let titled = |kind: KindId| {
        rules.kinds[kind.index()].members.iter().any(|member| begins_with_number(&member.title))
    };
    let options = choose.options.iter().map(|option| &option.template);
    let declining = choose.decline.iter().map(|decline| &decline.template);
    options.chain(declining).flatten().any(|template| match &template.kind {
        ExprKind::Text(parts) => match parts.first() {
            Some(TextPart::Words(words)) => begins_with_number(words),
            Some(TextPart::Hole(hole)) => match hole.ty {
                Type::Number => true,
                Type::Kind(kind) => titled(kind),
                _ => false,
            },
            None => false,
        },
        ExprKind::Value(Value::Text(words)) => begins_with_number(words),
        _ => false,
    })
}

fn begins_with_number(words: &str) -> bool {
    words.trim_start_matches(['-', '+']).starts_with(|first: char| first.is_ascii_digit())
}

fn bind(program: &Program, state: &mut State, turn: &LegalMoves, index: usize) -> u16 {
    let mut filled = Vec::new();
    let option = turn.offers.bind(program, index, |slot, word| filled.push((slot, word)));
    filled.into_iter().for_each(|(slot, word)| state.set_word(slot.into(), word));
    option
}

/// The driver of a game that is played step by step: it hears everything and answers nothing.
struct Table<'a> {
    said: &'a mut Vec<Said>,
    /// How many more bytes are heard.
    left: usize,
}

impl Driver for Table<'_> {
    fn wants_speech(&self) -> bool {
        self.left > 0
    }

    fn hear(&mut self, to: Option<u8>, text: &str) {
        // A line takes room even if it is empty.
        self.left = self.left.saturating_sub(text.len() + 1);
        self.said.push(Said { to: to.map(Player), text: text.to_owned(), declines: false });
    }

    fn hear_declining(&mut self, text: &str) {
        self.hear(None, text);
        self.said.iter_mut().last().expect("it was just heard").declines = true;
    }

    fn decide(&mut self, _offers: &Offers) -> Option<usize> {
        None
    }

    fn draw(&mut self, _outcomes: u32) -> Option<u32> {
        None
    }
}
