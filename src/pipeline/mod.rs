//! The stages in order, every diagnostic kept: text to tree to rules to programs to a game.

mod error;
mod settings;

use std::collections::{BTreeMap, BTreeSet};
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

pub use crate::load::{Folder, NamedText, NoFolder, Opened};
pub use error::SettingError;
pub use settings::{Choice, MAX_COMBINATIONS, MAX_COMPILED, choices, every, is_sampled};

use error::{BadDefault, NeverLegal, Sampled};

use crate::budget::Budget;
use crate::check::check_within;
use crate::check::rules::{Rules, Type, Value};
use crate::compile::{CompileError, Compiled, Prepared, Specialisation, compile, value_text};
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::load::{Assembled, assemble};
use crate::source::{Sources, Span};
use crate::suggest::nearest;
use crate::syntax::ast::Ast;

/// More options than this that a game does not have are not reported.
const MOST_MISFITS: usize = 100;

/// What reading a byte takes, compared with a step of a plain loop.
const STEPS_OF_A_BYTE: usize = 16;

#[derive(Clone, Debug)]
pub struct Ruleset {
    pub rules: Arc<Rules>,
    pub sources: Arc<Sources>,
}

#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree of all files, of what could be read.
    pub ast: Ast,
    pub rules: Option<Ruleset>,
    pub diagnostics: Diagnostics,
    /// What it took to check the rules and to compile one setting.
    pub budget: Budget,
}

/// How a game is to be played: how many players (the fewest, if nothing is said), and options by
/// name and value in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameOptions {
    pub players: Option<usize>,
    pub options: Vec<(String, String)>,
}

/// Which settings of a game are compiled to find what is wrong with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    /// Each number of players, and each value of each option beside the defaults of the others.
    Each,
    All,
}

/// Parses and checks a text, with the files that it names, which are added to the sources, and
/// compiles it for each number of players and for each value of each option beside the defaults of
/// the others.
pub fn check(sources: &mut Sources, opened: &Opened<'_>) -> Checked {
    check_settings(sources, opened, Tried::Each)
}

/// The same, for all combinations of numbers of players and values of options.
pub fn check_all_settings(sources: &mut Sources, opened: &Opened<'_>) -> Checked {
    check_settings(sources, opened, Tried::All)
}

fn check_settings(sources: &mut Sources, opened: &Opened<'_>, tried: Tried) -> Checked {
    let assembled = assemble(sources, opened);
    let Examined { mut diagnostics, rules, advice, budget } = examined(&assembled, sources);
    if let Some(rules) = &rules {
        let (found, whole) = compile_settings(rules, &budget, tried);
        diagnostics.extend(found);
        bad_defaults(&rules.rules).into_iter().for_each(|error| diagnostics.push(error));
        if let Some(first) = rules.rules.options.first().filter(|_| !whole) {
            diagnostics.push(Sampled { span: first.span });
        }
        if !diagnostics.has_errors() {
            diagnostics.extend(advice);
        }
    }
    conclude(assembled, (rules, budget), diagnostics, sources)
}

/// Parses and checks a text, and compiles it for no setting: whoever plays it compiles the one that is
/// played.
pub fn check_once(sources: &mut Sources, opened: &Opened<'_>) -> Checked {
    let assembled = assemble(sources, opened);
    let Examined { diagnostics, rules, budget, .. } = examined(&assembled, sources);
    conclude(assembled, (rules, budget), diagnostics, sources)
}

/// What was found, the rules, advice about them, and what it took.
#[derive(Default)]
struct Examined {
    diagnostics: Diagnostics,
    rules: Option<Ruleset>,
    advice: Diagnostics,
    budget: Budget,
}

fn examined(assembled: &Assembled, sources: &Sources) -> Examined {
    let mut diagnostics = assembled.diagnostics.clone();
    // What could not be read is missing in the tree; to look for it would be an echo.
    if diagnostics.has_errors() {
        return Examined { diagnostics, ..Examined::default() };
    }
    let budget = Budget::default();
    let bytes: usize = sources.iter().map(|source| source.text.len()).sum();
    budget.charge(STEPS_OF_A_BYTE * bytes);
    let found = check_within(&assembled.ast, budget);
    diagnostics.extend(found.diagnostics);
    let rules = found.rules.filter(|_| !diagnostics.has_errors());
    let sources = || Arc::new(sources.clone());
    let rules = rules.map(|rules| Ruleset { rules: Arc::new(rules), sources: sources() });
    Examined { diagnostics, rules, advice: found.advice, budget: found.budget }
}

fn conclude(
    assembled: Assembled,
    (rules, budget): (Option<Ruleset>, Budget),
    found: Diagnostics,
    sources: &Sources,
) -> Checked {
    let rules = rules.filter(|_| !found.has_errors());
    let diagnostics = assembled.seen_from_here(found, sources);
    Checked { ast: assembled.ast, rules, diagnostics, budget }
}

/// The defaults of options that lie outside of their ranges, each for the fewest players.
fn bad_defaults(rules: &Rules) -> Vec<BadDefault> {
    let mut found: Vec<BadDefault> = Vec::new();
    for players in rules.players.0..=rules.players.1 {
        for (option, choice) in rules.options.iter().zip(choices(rules, players)) {
            let Value::Int(default) = choice.default else { continue };
            let outside = choice.range.is_some() && !choice.contains(default);
            if outside && !found.iter().any(|known| known.name == option.name) {
                let allowed = choice.text(rules, &option.ty);
                let (name, span) = (option.name.clone(), option.default.span);
                found.push(BadDefault { name, players, default, allowed, span });
            }
        }
    }
    found
}

/// Compiles for several settings; of findings that differ only in the setting, the first is kept.
/// Tells whether there was room for all that were to be tried.
fn compile_settings(ruleset: &Ruleset, budget: &Budget, tried: Tried) -> (Diagnostics, bool) {
    let prepared = Prepared::new(&ruleset.rules);
    let first = specialise(ruleset, &GameOptions::default(), &mut Vec::new());
    let before = budget.work();
    let compiled = prepared.compile(&first, &ruleset.sources, budget);
    let mut all = Compilations::default();
    if let Some(finding) = budget.finding() {
        all.diagnostics.push(finding);
        return (all.diagnostics, true);
    }
    all.take(compiled);
    // What this setting leaves out, another one may need: the text tells how much that can be.
    let bytes: usize = ruleset.sources.iter().map(|source| source.text.len()).sum();
    let each = (budget.work() - before).max(bytes as u64);
    let room = usize::try_from(MAX_COMPILED / each.max(1)).unwrap_or(usize::MAX).saturating_add(1);
    let (settings, whole) = match tried {
        Tried::Each => settings::each(&ruleset.rules, room),
        Tried::All => settings::at_most(&ruleset.rules, room),
    };
    all.known.insert(first);
    let whole = all.compile(settings, (&prepared, ruleset), |_| true) && whole;
    if tried == Tried::Each && all.moves.never_offered().next().is_some() {
        // Two options together may offer what neither does alone.
        let (settings, _) = settings::at_most(&ruleset.rules, room);
        let unsure = |moves: &Moves| moves.never_offered().next().is_some();
        all.compile(settings, (&prepared, ruleset), unsure);
    }
    all.moves.report(&mut all.diagnostics);
    (all.diagnostics, whole)
}

#[derive(Default)]
struct Compilations {
    /// What was found where.
    found: BTreeMap<Span, Vec<Discriminant<CompileError>>>,
    diagnostics: Diagnostics,
    moves: Moves,
    /// The settings that were compiled.
    known: BTreeSet<Specialisation>,
    /// The work that was spent beside the first setting.
    spent: u64,
}

impl Compilations {
    /// Compiles settings as long as that is wanted and there is work left; whether there was.
    fn compile(
        &mut self,
        settings: Vec<Specialisation>,
        (prepared, ruleset): (&Prepared, &Ruleset),
        wanted: impl Fn(&Moves) -> bool,
    ) -> bool {
        for setting in settings {
            if !wanted(&self.moves) {
                return true;
            }
            if self.known.contains(&setting) {
                continue;
            }
            if self.spent >= MAX_COMPILED {
                return false;
            }
            let own = Budget::default();
            self.take(prepared.compile(&setting, &ruleset.sources, &own));
            self.spent += own.work();
            self.known.insert(setting);
        }
        true
    }

    fn take(&mut self, compiled: Result<Compiled, Vec<CompileError>>) {
        let errors = match compiled {
            Ok(compiled) => return self.moves.look(&compiled),
            Err(errors) => errors,
        };
        for error in errors {
            let found = self.found.entry(error.span()).or_default();
            let what = discriminant(&error);
            if !found.contains(&what) {
                found.push(what);
                self.diagnostics.push(error);
            }
        }
    }
}

/// The moves of all settings: those that some setting offers, and those that one cannot.
#[derive(Default)]
struct Moves {
    offered: BTreeSet<Span>,
    barred: BTreeMap<Span, String>,
}

impl Moves {
    fn look(&mut self, compiled: &Compiled) {
        let offered = compiled.program.options.iter().map(|option| option.span);
        self.offered.extend(offered.filter(|span| !compiled.barred.contains_key(span)));
        let barred = compiled.barred.iter();
        self.barred.extend(barred.map(|(span, name)| (*span, name.clone())));
    }

    fn never_offered(&self) -> impl Iterator<Item = (&Span, &String)> {
        self.barred.iter().filter(|(span, _)| !self.offered.contains(span))
    }

    fn report(&self, diagnostics: &mut Diagnostics) {
        for (span, name) in self.never_offered() {
            diagnostics.push(NeverLegal { name: name.clone(), span: *span });
        }
    }
}

/// Compiles checked rules for one setting.
///
/// # Errors
/// A number of players or an option that the game does not have; these have no place in a text.
pub fn load(ruleset: &Ruleset, setting: &GameOptions) -> Result<Game, Diagnostics> {
    load_for(ruleset, setting, &|error| error)
}

/// Compiles checked rules for one setting that a text asks for; `place` says where.
///
/// # Errors
/// A number of players or an option that the game does not have.
pub fn load_for(
    ruleset: &Ruleset,
    setting: &GameOptions,
    place: &dyn Fn(SettingError) -> SettingError,
) -> Result<Game, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut misfits = Vec::new();
    let specialised = specialise(ruleset, setting, &mut misfits);
    if !misfits.is_empty() {
        misfits.into_iter().for_each(|error| diagnostics.push(place(error)));
        return Err(diagnostics);
    }
    let Ruleset { rules, sources } = ruleset;
    match compile(rules, &specialised, sources) {
        Ok(compiled) => {
            Ok(Game::new(Arc::clone(rules), Arc::clone(sources), specialised, compiled))
        }
        Err(errors) => {
            errors.into_iter().for_each(|error| diagnostics.push(error));
            Err(diagnostics)
        }
    }
}

fn specialise(
    ruleset: &Ruleset,
    setting: &GameOptions,
    found: &mut Vec<SettingError>,
) -> Specialisation {
    let rules = &ruleset.rules;
    let (fewest, most) = rules.players;
    let players = setting.players.unwrap_or(rules.usual_players);
    if !(fewest..=most).contains(&players) {
        found.push(SettingError::players(players, fewest, most));
    }
    let players = players.clamp(fewest, most);
    let choices = choices(rules, players);
    let mut options: Vec<Value> = choices.iter().map(|choice| choice.default.clone()).collect();
    for (name, words) in &setting.options {
        if found.len() == MOST_MISFITS {
            break;
        }
        let position = rules.options.iter().position(|option| option.name == *name);
        let Some(at) = position else {
            found.push(unknown_option(rules, name));
            continue;
        };
        match value_of(rules, &choices[at], &rules.options[at].ty, words) {
            Some(value) => options[at] = value,
            None => found.push(bad_value(rules, &choices[at], at, words)),
        }
    }
    Specialisation { players, options }
}

fn unknown_option(rules: &Rules, name: &str) -> SettingError {
    let names: Vec<&str> = rules.options.iter().map(|option| option.name.as_str()).collect();
    let help = match (nearest(name, names.iter().copied()), names.is_empty()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, true) => "this game has no options".to_owned(),
        (None, false) => format!("the options are {}", names.join(", ")),
    };
    SettingError::UnknownOption { name: name.to_owned(), help, span: None }
}

fn bad_value(rules: &Rules, choice: &Choice, at: usize, words: &str) -> SettingError {
    let option = &rules.options[at];
    SettingError::BadValue {
        name: option.name.clone(),
        value: words.to_owned(),
        allowed: choice.text(rules, &option.ty),
        span: None,
    }
}

/// The value that words stand for, if the option can have it.
fn value_of(rules: &Rules, choice: &Choice, ty: &Type, words: &str) -> Option<Value> {
    let named = choice.values.iter().find(|value| value_text(rules, ty, value) == words);
    let number = || words.parse().ok().filter(|number| choice.contains(*number)).map(Value::Int);
    named.cloned().or_else(number)
}
