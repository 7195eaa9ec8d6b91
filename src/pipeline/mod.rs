//! The stages in order, every diagnostic kept: text to tree to rules to programs to a game.

mod error;
mod settings;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use crate::assemble::{Folder, NamedText, NoFolder, Opened};
pub use error::SettingError;
pub use settings::{Choice, MAX_COMBINATIONS, MAX_COMPILED, choices, every, is_sampled};

use error::{BadDefault, NeverLegal, Sampled};

use crate::assemble::{Assembled, assemble};
use crate::check::check as check_rules;
use crate::check::rules::{Rules, Type, Value};
use crate::compile::{
    CompileError, Compiled, Prepared, Setting as Specialised, compile, value_text,
};
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::source::{Sources, Span};
use crate::suggest::nearest;
use crate::syntax::ast::Ast;

/// How many bytes of rules make an operation, roughly.
const BYTES_OF_AN_OPERATION: usize = 16;

/// Rules that passed every check, with the texts they came from.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// The checked rules.
    pub rules: Arc<Rules>,
    /// The texts.
    pub sources: Arc<Sources>,
}

/// What checking a file gave.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree of all files, of what could be read.
    pub ast: Ast,
    /// The rules, when nothing was wrong with them.
    pub rules: Option<Ruleset>,
    /// All findings.
    pub diagnostics: Diagnostics,
}

/// How a game is to be played: how many players (the fewest, if nothing is said), and options by
/// name and value in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    /// The number of players.
    pub players: Option<usize>,
    /// Name and value of options; the others have their defaults.
    pub options: Vec<(String, String)>,
}

/// Parses and checks a text, with the files that it names, which are added to the sources, and
/// compiles it for every setting.
pub fn check(sources: &mut Sources, opened: &Opened<'_>) -> Checked {
    let assembled = assemble(sources, opened);
    let (mut diagnostics, rules, advice) = checked(&assembled, sources);
    if let Some(rules) = &rules {
        let (found, whole) = compile_all(rules);
        diagnostics.extend(found);
        bad_defaults(&rules.rules).into_iter().for_each(|error| diagnostics.push(error));
        if let Some(first) = rules.rules.options.first().filter(|_| !whole) {
            diagnostics.push(Sampled { span: first.span });
        }
        if !diagnostics.has_errors() {
            diagnostics.extend(advice);
        }
    }
    conclude(assembled, rules, diagnostics, sources)
}

/// Parses and checks a text that is known to compile for every setting, and does not try it again.
pub fn check_once(sources: &mut Sources, opened: &Opened<'_>) -> Checked {
    let assembled = assemble(sources, opened);
    let (diagnostics, rules, _) = checked(&assembled, sources);
    conclude(assembled, rules, diagnostics, sources)
}

/// What was found, the rules, and advice about them.
fn checked(
    assembled: &Assembled,
    sources: &Sources,
) -> (Diagnostics, Option<Ruleset>, Diagnostics) {
    let mut diagnostics = assembled.diagnostics.clone();
    // What could not be read is missing in the tree; to look for it would be an echo.
    if diagnostics.has_errors() {
        return (diagnostics, None, Diagnostics::new());
    }
    let found = check_rules(&assembled.ast);
    diagnostics.extend(found.diagnostics);
    let rules = found.rules.filter(|_| !diagnostics.has_errors());
    let sources = || Arc::new(sources.clone());
    let rules = rules.map(|rules| Ruleset { rules: Arc::new(rules), sources: sources() });
    (diagnostics, rules, found.advice)
}

fn conclude(
    assembled: Assembled,
    rules: Option<Ruleset>,
    found: Diagnostics,
    sources: &Sources,
) -> Checked {
    let rules = rules.filter(|_| !found.has_errors());
    let diagnostics = assembled.seen_from_here(found, sources);
    Checked { ast: assembled.ast, rules, diagnostics }
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

/// Compiles for every setting that the file allows, or for some where that would take long; of
/// findings that differ only in the setting, the first is kept. Tells whether all were tried.
fn compile_all(ruleset: &Ruleset) -> (Diagnostics, bool) {
    let mut diagnostics = Diagnostics::new();
    let mut found: Vec<CompileError> = Vec::new();
    let mut moves = Moves::default();
    let prepared = Prepared::new(&ruleset.rules);
    let (settings, whole) = settings::at_most(&ruleset.rules, room(ruleset, &prepared));
    for setting in settings {
        let errors = match prepared.compile(&setting, &ruleset.sources) {
            Ok(compiled) => {
                moves.look(&compiled);
                continue;
            }
            Err(errors) => errors,
        };
        for error in errors {
            let known = |other: &CompileError| {
                std::mem::discriminant(other) == std::mem::discriminant(&error)
                    && other.span() == error.span()
            };
            if !found.iter().any(known) {
                diagnostics.push(error.clone());
                found.push(error);
            }
        }
    }
    moves.report(&mut diagnostics);
    (diagnostics, whole)
}

/// For how many settings there is room, as far as the first one and the text tell: what one setting
/// leaves out, another one may need.
fn room(ruleset: &Ruleset, prepared: &Prepared) -> usize {
    let first = specialise(ruleset, &Setting::default(), &mut Vec::new());
    let compiled = prepared.compile(&first, &ruleset.sources);
    let bytes: usize = ruleset.sources.iter().map(|source| source.text.len()).sum();
    let code = compiled.map_or(0, |compiled| compiled.program.code.len());
    MAX_COMPILED / code.max(bytes / BYTES_OF_AN_OPERATION).max(1)
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

    fn report(self, diagnostics: &mut Diagnostics) {
        for (span, name) in self.barred {
            if !self.offered.contains(&span) {
                diagnostics.push(NeverLegal { name, span });
            }
        }
    }
}

/// Compiles checked rules for one setting.
///
/// # Errors
/// A number of players or an option that the game does not have; these have no place in a text.
pub fn load(ruleset: &Ruleset, setting: &Setting) -> Result<Game, Diagnostics> {
    load_for(ruleset, setting, &|error| error)
}

/// Compiles checked rules for one setting that a text asks for; `place` says where.
///
/// # Errors
/// A number of players or an option that the game does not have.
pub fn load_for(
    ruleset: &Ruleset,
    setting: &Setting,
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

fn specialise(ruleset: &Ruleset, setting: &Setting, found: &mut Vec<SettingError>) -> Specialised {
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
    Specialised { players, options }
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
