//! The stages in order, every diagnostic kept: text to tree to rules to programs to a game.

mod settings;
mod slips_of_form;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use crate::load::{Folder, NamedText, OpenedFile};
pub(crate) use settings::OptionChoice;
pub use settings::{MAX_COMBINATIONS, MAX_COMPILED, choices, every};

use crate::budget::Budget;
use crate::check::check_rules;
use crate::compile::{Compiled, RuleAnalysis, Specialisation, compile};
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::load::assemble;
pub(crate) use crate::rules::how_many;
use crate::rules::{Rules, Value};
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
    pub(crate) ast: Ast,
    /// None where there is an error.
    pub rules: Option<Ruleset>,
    pub diagnostics: Diagnostics,
    /// What it took to check the rules and to compile one setting.
    pub budget: Budget,
}

/// How a game is to be played: how many players (the usual number of the game, if nothing is said), and options by
/// name and value in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameOptions {
    /// The number of players; the usual number of the game, if nothing is said.
    pub players: Option<usize>,
    /// Options by name and value in words.
    pub options: Vec<(String, String)>,
}

/// Which settings of a game are compiled to find what is wrong with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SettingScope {
    /// Each number of players, and each value of each option beside the defaults of the others.
    Each,
    All,
}

/// Parses and checks a text, with the files that it names, which are added to the sources, and
/// compiles it for each number of players and for each value of each option beside the defaults of
/// the others.
pub fn check(sources: &mut Sources, opened: &OpenedFile<'_>) -> Checked {
    check_settings(sources, opened, Some(SettingScope::Each), slips_of_form::MOST_BYTES)
}

/// Checks as [`check`] does a text that somebody is typing: most of its mistakes are words that are not finished yet,
/// so little time is taken to find what was meant.
#[cfg(feature = "messages")]
pub(crate) fn check_typed(sources: &mut Sources, opened: &OpenedFile<'_>) -> Checked {
    check_settings(sources, opened, Some(SettingScope::Each), slips_of_form::MOST_TYPED)
}

/// Checks a text and compiles it for all combinations of numbers of players and values of options.
pub(crate) fn check_all_settings(sources: &mut Sources, opened: &OpenedFile<'_>) -> Checked {
    check_settings(sources, opened, Some(SettingScope::All), slips_of_form::MOST_BYTES)
}

/// Parses and checks a text, and compiles it for no setting: the caller that plays it compiles the one that is
/// played.
pub fn check_without_compiling(sources: &mut Sources, opened: &OpenedFile<'_>) -> Checked {
    check_settings(sources, opened, None, slips_of_form::MOST_BYTES)
}

fn check_settings(
    sources: &mut Sources,
    opened: &OpenedFile<'_>,
    tried: Option<SettingScope>,
    most_bytes: usize,
) -> Checked {
    let assembled = assemble(sources, opened);
    let mut found = assembled.diagnostics.clone();
    let (mut rules, mut budget) = (None, Budget::default());
    // What could not be read is missing in the tree; to look for it would be an echo.
    if !found.has_errors() {
        let bytes: usize = sources.iter().map(|source| source.text.len()).sum();
        budget.charge(STEPS_OF_A_BYTE * bytes);
        let checked = check_rules(&assembled.ast, budget);
        budget = checked.budget;
        found.extend(checked.diagnostics);
        rules = checked
            .rules
            .filter(|_| !found.has_errors())
            .map(|rules| Ruleset { rules: Arc::new(rules), sources: Arc::new(sources.clone()) });
        if let (Some(rules), Some(tried)) = (&rules, tried) {
            compile_settings(rules, &budget, tried, &mut found);
            if !found.has_errors() {
                found.extend(checked.advice);
            }
        }
    }
    let rules = rules.filter(|_| !found.has_errors());
    if found.has_errors() {
        found = slips_of_form::explain_by_form(found, sources, opened, most_bytes);
    }
    let diagnostics = assembled.seen_from_here(found, sources);
    Checked { ast: assembled.ast, rules, diagnostics, budget }
}

/// The defaults of options that lie outside of their ranges, each for the fewest players.
fn bad_defaults(rules: &Rules) -> Diagnostics {
    let mut found = BTreeMap::new();
    for players in rules.player_counts() {
        for (option, choice) in rules.options.iter().zip(choices(rules, players)) {
            let Value::Int(default) = choice.default else { continue };
            let outside = choice.range.is_some() && !choice.is_in_range(default);
            let (name, span) = (&option.name, option.default.span);
            let allowed = || choice.describe_values(rules, &option.ty);
            let error = || settings::bad_default(name, players, default, allowed(), span);
            if outside {
                found.entry(name).or_insert_with(error);
            }
        }
    }
    found.into_values().collect()
}

/// Compiles for the usual number of players and the defaults of options.
fn compile_usual(ruleset: &Ruleset, budget: &Budget, found: &mut Diagnostics) {
    let usual = specialise(ruleset, &GameOptions::default(), &|_| None, &mut Diagnostics::new());
    let compiled = RuleAnalysis::new(&ruleset.rules).compile(&usual, &ruleset.sources, budget);
    found.extend(compiled.err().into_iter().flatten());
    found.extend(bad_defaults(&ruleset.rules));
}

/// Compiles for several settings; of findings that differ only in the setting, the first is kept.
fn compile_settings(
    ruleset: &Ruleset,
    budget: &Budget,
    tried: SettingScope,
    diagnostics: &mut Diagnostics,
) {
    let rules = &ruleset.rules;
    let prepared = RuleAnalysis::new(rules);
    let none = GameOptions::default();
    let first = specialise(ruleset, &none, &|_| None, &mut Diagnostics::new());
    let before = budget.work();
    let compiled = prepared.compile(&first, &ruleset.sources, budget);
    let mut whole = true;
    if let Some(finding) = budget.finding() {
        diagnostics.push(finding);
    } else {
        let mut all = Compilations::default();
        all.add_result(compiled);
        // Another setting may need what this one leaves out: at most as much as the text is long.
        let bytes: usize = ruleset.sources.iter().map(|source| source.text.len()).sum();
        let each = (budget.work() - before).max(bytes as u64).max(1);
        let room = usize::try_from(MAX_COMPILED / each).unwrap_or(usize::MAX).saturating_add(1);
        let (settings, are_all) = match tried {
            SettingScope::Each => settings::each_setting(rules, room),
            SettingScope::All => settings::at_most(rules, room),
        };
        all.known.insert(first);
        whole = all.compile(settings, &prepared, ruleset, |_| true) && are_all;
        let unsure = |all: &Compilations| all.never_offered().next().is_some();
        if tried == SettingScope::Each && unsure(&all) {
            // Two options together may offer what neither does alone.
            all.compile(settings::at_most(rules, room).0, &prepared, ruleset, unsure);
        }
        for (span, name) in all.never_offered() {
            diagnostics.push(settings::never_legal(name.clone(), *span));
        }
        diagnostics.extend(all.diagnostics);
    }
    diagnostics.extend(bad_defaults(rules));
    if let Some(first) = rules.options.first().filter(|_| !whole) {
        diagnostics.push(settings::sampled(first.span));
    }
}

/// What came of compiling settings.
#[derive(Default)]
struct Compilations {
    /// The codes of what was found, and where.
    found: BTreeSet<(Span, Option<&'static str>)>,
    diagnostics: Diagnostics,
    /// The moves that some setting offers.
    offered: BTreeSet<Span>,
    /// The moves that some setting cannot offer, with their names.
    barred: BTreeMap<Span, String>,
    known: BTreeSet<Specialisation>,
    /// The work that was spent beside the first setting.
    spent: u64,
}

impl Compilations {
    /// Compiles settings as long as that is wanted and there is work left; whether there was.
    fn compile(
        &mut self,
        settings: Vec<Specialisation>,
        prepared: &RuleAnalysis,
        ruleset: &Ruleset,
        wanted: impl Fn(&Compilations) -> bool,
    ) -> bool {
        for setting in settings {
            if !wanted(self) {
                return true;
            }
            if self.known.contains(&setting) {
                continue;
            }
            if self.spent >= MAX_COMPILED {
                return false;
            }
            let own = Budget::default();
            self.add_result(prepared.compile(&setting, &ruleset.sources, &own));
            self.spent += own.work();
            self.known.insert(setting);
        }
        true
    }

    fn add_result(&mut self, compiled: Result<Compiled, Diagnostics>) {
        let errors = match compiled {
            Ok(Compiled { program, barred, .. }) => {
                let offered = program.options.iter().map(|option| option.span);
                self.offered.extend(offered.filter(|span| !barred.contains_key(span)));
                return self.barred.extend(barred);
            }
            Err(errors) => errors,
        };
        for error in errors {
            if self.found.insert((error.place(), error.code)) {
                self.diagnostics.push(error);
            }
        }
    }

    /// The moves that no setting offers.
    fn never_offered(&self) -> impl Iterator<Item = (&Span, &String)> {
        self.barred.iter().filter(|(span, _)| !self.offered.contains(span))
    }
}

/// Compiles checked rules for one setting.
///
/// # Errors
/// A number of players or an option that the game does not have; these have no place in a text.
pub fn load(ruleset: &Ruleset, setting: &GameOptions) -> Result<Game, Diagnostics> {
    load_for(ruleset, setting, &|_| None)
}

/// What a setting asks for that a game does not have: so many players, an option, a value of an option.
pub(crate) enum SettingMisfit<'a> {
    Players,
    Option(&'a str),
    Value(&'a str),
}

/// Compiles checked rules for one setting that a text asks for; `place` says where.
pub(crate) fn load_for(
    ruleset: &Ruleset,
    setting: &GameOptions,
    place: &dyn Fn(SettingMisfit) -> Option<Span>,
) -> Result<Game, Diagnostics> {
    let mut found = Diagnostics::new();
    let specialised = specialise(ruleset, setting, place, &mut found);
    if !found.is_empty() {
        return Err(found);
    }
    let Ruleset { rules, sources } = ruleset;
    let compiled = compile(rules, &specialised, sources)?;
    Ok(Game::new(Arc::clone(rules), Arc::clone(sources), specialised, compiled))
}

fn specialise(
    ruleset: &Ruleset,
    setting: &GameOptions,
    place: &dyn Fn(SettingMisfit) -> Option<Span>,
    found: &mut Diagnostics,
) -> Specialisation {
    let rules = &ruleset.rules;
    let mut players = setting.players.unwrap_or(rules.usual_players);
    if !rules.player_counts().any(|count| count == players) {
        let place = place(SettingMisfit::Players);
        found.push(settings::players(players, how_many(rules.player_counts()), place));
        players = rules.usual_players;
    }
    let choices = choices(rules, players);
    let mut options: Vec<Value> = choices.iter().map(|choice| choice.default.clone()).collect();
    for (name, words) in &setting.options {
        if found.count() == MOST_MISFITS {
            break;
        }
        let Some(at) = rules.options.iter().position(|option| option.name == *name) else {
            let place = place(SettingMisfit::Option(name));
            found.push(settings::unknown_option(name, known_options(rules, name), place));
            continue;
        };
        let (choice, ty) = (&choices[at], &rules.options[at].ty);
        match choice.parse_value(rules, ty, words) {
            Some(value) => options[at] = value,
            None => {
                let (allowed, place) =
                    (choice.describe_values(rules, ty), place(SettingMisfit::Value(name)));
                found.push(settings::BadValue { name, value: words, allowed, span: place });
            }
        }
    }
    Specialisation { players, options }
}

/// The help for an unknown option: the nearest name, or all names.
fn known_options(rules: &Rules, name: &str) -> String {
    let names: Vec<&str> = rules.options.iter().map(|option| option.name.as_str()).collect();
    match (nearest(name, names.iter().copied()), names.is_empty()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, true) => "this game has no options".to_owned(),
        (None, false) => format!("the options are {}", names.join(", ")),
    }
}
