//! Checked rules as a rulebook in Markdown, for people at a table.
//!
//! Where the file has a note, the note is the prose. Else phrasers put a rule into words. A `Phraser` phrases its
//! expressions: `conditions`, `values`, `words` for names. A `StepPhraser` phrases its statements: `steps`, `actions`,
//! `moves`. `ending` and `questions` search a rule for what ends the game and for what it asks. A phrase is Markdown with
//! private-use marks (`said::OPEN` … `LINK`) where a sentence may be broken; a `TightPhrase` knows when it needs
//! parentheses. `said::lay_out` breaks long sentences and drops the marks. Some code reads phrases back
//! (`strip_prefix("this is so (")`): grep for a phrase before you change it. What has no words stands as code.

mod absent;
mod actions;
mod addressed;
mod bags;
mod boxed;
mod calls;
mod coins;
mod comparisons;
mod conditions;
mod drawn;
mod ending;
pub(crate) mod english;
mod firsts;
mod flow;
mod folds;
mod loops;
mod moves;
mod naming;
mod noted;
mod nouns;
mod offers;
mod optional;
mod phrases;
mod pieces;
mod places;
mod play;
mod questions;
mod results;
mod said;
mod settings;
pub(crate) mod setup;
mod starter;
mod steps;
mod stocks;
mod terms;
mod values;
mod words;

pub(crate) use self::english::{authored, is};
pub(crate) use self::firsts::{dice_of_a_turn, set_in_play, standing_players};
pub(crate) use self::phrases::{LocalNames, PhraseContext, Phrases, plain_notes};

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::budget::Budget;
use crate::compile::{Foreknown, MAX_STEPS, Specialisation};
use crate::diagnostic::Diagnostic;
use crate::rulebook::addressed::{Addressed, find_addressed};
use crate::rulebook::english::join_list;
use crate::rulebook::naming::LocalWords;
use crate::rulebook::settings::optional;
pub(crate) use crate::rulebook::settings::settings_with;
use crate::rules::{
    BinaryOp, Domain, Expr, ExprKind, Group, Kind, KindId, LocalId, PLAYER, RangeId, RuleId, Rules,
    Type, Value, VarId,
};
use crate::source::{Sources, Span};

/// A block of code that begins so draws the board that it names, in letters.
pub(crate) const PICTURE: &str = "text board ";

#[derive(Clone, Copy, Debug)]
pub struct Edition<'a> {
    pub rules: &'a Rules,
    pub sources: &'a Sources,
    /// The settings that it is for, with the same options; none: for all of them.
    pub settings: &'a [Specialisation],
    /// What there is to say of variants: a line of Markdown for each.
    pub variants: &'a [String],
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rulebook {
    pub title: String,
    pub opening: String,
    pub parts: Vec<Chapter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Chapter {
    pub word: &'static str,
    pub heading: &'static str,
    pub text: String,
}

/// Writes the rulebook of a game.
///
/// # Errors
/// What took most of the budget, when it is spent before the book is written.
pub fn rulebook(edition: &Edition, budget: &Budget) -> Result<Rulebook, Diagnostic> {
    let mut book = Book::new(edition, budget);
    book.mentioned.take();
    let ends = ending::ending(&book);
    book.ends_read.clone_from(&book.mentioned.borrow());
    book.ends_read.retain(|id| {
        let var = &edition.rules.vars[id.index()];
        ends.contains(&title_or_name(&var.title, &var.name))
    });
    let mut parts = write_parts(&book, edition);
    // What a condition reads has to be set by something: such changes are told, too.
    for _ in 0..MOST_REVISIONS {
        let mentioned = book.mentioned.take();
        if mentioned.is_subset(&book.kept) || budget.is_spent() {
            break;
        }
        book.kept.extend(mentioned);
        parts = write_parts(&book, edition);
    }
    let opening = english::paragraph(&edition.rules.notes);
    let title = authored(&edition.rules.title);
    budget.finding().map_or(Ok(Rulebook { title, opening, parts }), Err)
}

/// How often the book is revised with more changes than before.
const MOST_REVISIONS: usize = 2;

fn write_parts(book: &Book, edition: &Edition) -> Vec<Chapter> {
    let steps = setup::steps_by_hand(book);
    let end = said::lay_out(&ending::ending(book));
    let breath = said::lay_out(&setup::in_one_breath(book));
    let options = setup::render_options(book, edition.variants);
    let laid = setup::setup(book, &steps, String::new(), false);
    let boxed = boxed::components(book, &[&end]);
    let others = [&end, &boxed, &breath, &options, &laid].map(String::as_str).concat();
    let (play, for_setup) = play::render_play(book, &steps, &others);
    let play = said::lay_out(&play);
    let boxed = boxed::components(book, &[&play, &end]);
    let asks_first = [&play, &end].iter().any(|text| text.contains(starter::seated_first(book)));
    let set_up = setup::setup(book, &steps, for_setup, asks_first);
    let parts = [
        ("players", "In one breath", breath),
        ("box", "In the box", boxed),
        ("setup", "Setting up", said::lay_out(&set_up)),
        ("play", if play::is_in_turns(book) { "Your turn" } else { "How to play" }, play),
        ("end", "How it ends", end),
        ("options", "Options and variants", options),
    ];
    let parts = parts.into_iter().filter(|(.., text)| !text.is_empty());
    let parts = parts.map(|(word, heading, text)| Chapter { word, heading, text });
    if book.fixed { absent::without_absent_rules(book, parts.collect()) } else { parts.collect() }
}

/// Headings within a chapter, and the chapter.
const INNER: [(&str, &str); 4] =
    [("moves", "play"), ("tables", "play"), ("words", "play"), ("variants", "options")];

impl Rulebook {
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        if !self.opening.is_empty() {
            text.extend([format!("\n{}\n", self.opening)]);
        }
        text.extend(self.parts.iter().map(|part| format!("\n{}", part.markdown())));
        text
    }

    /// Adds what only play tells: how long a game takes, and an example.
    pub(crate) fn add_play(&mut self, time: Option<String>, example: Option<String>) {
        if let (Some(time), Some(part)) = (time, self.parts.first_mut()) {
            let line = format!("- **Time**: {time}.\n");
            let end = part.text.find('\n').map_or(part.text.len(), |end| end + 1);
            part.text.insert_str(end, &line);
        }
        if let Some(text) = example {
            let play = self.parts.iter().position(|part| part.word == "play");
            let at = play.map_or(self.parts.len(), |at| at + 1);
            self.parts.insert(at, Chapter { word: "example", heading: "An example", text });
        }
    }

    /// One page for people who know the game: the moves with their conditions, and how it ends.
    pub(crate) fn shortened(mut self) -> Rulebook {
        for part in &mut self.parts {
            part.text = match part.word {
                "play" => said::outline(&part.text),
                "options" => said::options_in_short(&part.text),
                "box" | "example" => String::new(),
                _ => continue,
            };
        }
        self.parts.retain(|part| !part.text.is_empty());
        self
    }

    /// The part that a word, or the beginning of one, asks for.
    pub fn part(&self, word: &str) -> Option<&Chapter> {
        let word = word.to_lowercase();
        let named = self.parts.iter().find(|part| part.word == word);
        let begun = || self.parts.iter().find(|part| part.word.starts_with(&word));
        named.or_else(begun).or_else(|| {
            let (_, part) = INNER.iter().find(|(inner, _)| inner.starts_with(&word))?;
            self.parts.iter().find(|it| it.word == *part)
        })
    }
}

impl Chapter {
    pub(crate) fn markdown(&self) -> String {
        format!("## {}\n\n{}\n", self.heading, self.text.trim_end())
    }
}

/// What all parts of a book look up: what is known before play, and what things are called.
struct Book<'a> {
    rules: &'a Rules,
    sources: &'a Sources,
    /// One for each number of players, with the options at their defaults; or the one that the
    /// book is for.
    settings: Vec<Specialisation>,
    known: Vec<Foreknown<'a>>,
    /// Whether it is for one setting.
    fixed: bool,
    budget: &'a Budget,
    /// For each constant, whether its value depends on options.
    optional: Vec<bool>,
    groups: BTreeMap<u32, &'a Group>,
    /// Whether locals keep the names of the file: answers put values in their places.
    keeps_names: bool,
    local_words: LocalWords<'a>,
    /// The players of rules that speak to nobody by themselves.
    addressed: Addressed,
    /// Variables that the file leaves undrawn, but that the book speaks of.
    mentioned: RefCell<BTreeSet<VarId>>,
    /// Those of them whose changes the book tells.
    kept: BTreeSet<VarId>,
    /// Those of them that decide how the game ends: notes have to tell what changes them.
    ends_read: BTreeSet<VarId>,
    /// The rules that have sections of their own.
    sections: OnceCell<BTreeSet<RuleId>>,
    /// The local of `play` that holds who begins, which the setup tells.
    first: Option<LocalId>,
    /// Whether the first turn is not that of the first seat, so that this is no first player.
    draws_first: bool,
    /// Whether options are named. Elsewhere they are as they are set, or as they usually are.
    names_options: Cell<bool>,
    /// The rules that play reaches.
    called: OnceCell<Vec<RuleId>>,
}

/// What a piece of text takes to find and to make, compared with a step of a plain loop.
const STEPS_OF_A_PIECE: usize = 8;

/// How many bytes of text are copied in a step.
const BYTES_IN_A_STEP: usize = 8;

/// How often a byte of text is kept until the whole book is printed.
const COPIES: usize = 2;

impl<'a> Book<'a> {
    fn new(edition: &Edition<'a>, budget: &'a Budget) -> Book<'a> {
        let (rules, sources) = (edition.rules, edition.sources);
        let settings = match edition.settings {
            [] => settings_with(rules, &[], budget),
            settings => settings.to_vec(),
        };
        budget.charge(settings.len() * rules.ranges.len());
        let steps = MAX_STEPS / settings.len().max(1);
        let known = settings.iter().map(|it| Foreknown::new(rules, it.clone(), steps)).collect();
        let groups = rules.groups.iter().map(|group| (group.span.start, group)).collect();
        let (fixed, optional) = (!edition.settings.is_empty(), optional(rules));
        let mut book = Book {
            rules,
            sources,
            settings,
            known,
            fixed,
            budget,
            optional,
            groups,
            keeps_names: false,
            local_words: LocalWords::new(),
            addressed: find_addressed(rules),
            mentioned: RefCell::default(),
            kept: BTreeSet::new(),
            ends_read: BTreeSet::new(),
            sections: OnceCell::new(),
            first: None,
            draws_first: false,
            names_options: Cell::new(false),
            called: OnceCell::new(),
        };
        book.local_words = naming::name_locals(&book);
        book.first = starter::first_turn(&book).and_then(Expr::as_local);
        book.draws_first =
            starter::first_player(&book).iter().any(|it| !it.contains("first player"));
        book
    }

    /// A piece of the book; nothing when the budget is spent.
    fn write_piece(&self, write: impl FnOnce() -> String) -> String {
        if !self.has_room(0) {
            return String::new();
        }
        let text = write();
        self.has_room(text.len());
        text
    }

    /// Charges for a piece of so many bytes; whether there is anything left.
    fn has_room(&self, bytes: usize) -> bool {
        self.budget.charge(STEPS_OF_A_PIECE + bytes / BYTES_IN_A_STEP);
        self.budget.hold_memory(COPIES * bytes);
        !self.budget.is_spent()
    }

    fn most_players(&self) -> usize {
        self.settings.last().map_or(0, |setting| setting.players)
    }

    fn group_around(&self, span: Span) -> Option<&'a Group> {
        let (_, group) = self.groups.range(..=span.start).next_back()?;
        (span.end <= group.span.end).then_some(*group)
    }

    /// The value of an expression, if it is the same in every setting that the book is for.
    fn known_value(&self, expr: &Expr) -> Option<Value> {
        let (first, rest) = self.known.split_first()?;
        let value = self.under(first, expr)?;
        if !self.fixed && self.names_options.get() && self.reads_options(expr) {
            return None;
        }
        let same = |known: &Foreknown| self.under(known, expr).is_some_and(|it| it == value);
        rest.iter().all(same).then_some(value)
    }

    /// The value of an expression in one setting, if there are steps left to compute it.
    fn under(&self, known: &Foreknown, expr: &Expr) -> Option<Value> {
        let before = known.left();
        if before == 0 || self.budget.is_spent() {
            return None;
        }
        let value = known.value(expr);
        self.budget.charge(1 + before - known.left());
        value
    }

    fn truth(&self, expr: &Expr) -> Option<bool> {
        match self.known_value(expr) {
            Some(Value::Int(number)) if expr.ty == Type::Bool => Some(number != 0),
            Some(_) => None,
            // Nobody computes the first part at a table where the second decides.
            None => {
                let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) = &expr.kind else {
                    return None;
                };
                let decides = *op == BinaryOp::Or;
                match (self.truth(a), self.truth(b)) {
                    (Some(truth), _) | (_, Some(truth)) if truth == decides => Some(decides),
                    (Some(_), rest) | (rest, Some(_)) => rest,
                    _ => None,
                }
            }
        }
    }

    fn describe_value(&self, value: &Value, ty: &Type) -> String {
        self.write_piece(|| self.value_text(value, ty))
    }

    fn value_text(&self, value: &Value, ty: &Type) -> String {
        match (value, ty) {
            (Value::None, _) => "none".to_owned(),
            (value, Type::Maybe(inner)) => self.describe_value(value, inner),
            (Value::Text(text), _) => authored(text),
            (Value::Int(number), Type::Bool) => if *number == 0 { "no" } else { "yes" }.to_owned(),
            (Value::Int(number), Type::Kind(kind)) => self.member_title(*kind, *number),
            (Value::Int(number), _) => number.to_string().replace('-', "−"),
            (Value::Set(members), Type::Set(domain)) => self.describe_set(members, *domain),
            (Value::Set(members), _) => join_list(members.iter().map(ToString::to_string), "and"),
            (Value::List(elements), Type::List(domain, _)) if !elements.is_empty() => {
                let member =
                    |it: &i64| self.describe_value(&Value::Int(*it), &domain.member_type());
                format!("the list {}", join_list(elements.iter().map(member), "and"))
            }
            (Value::List(_), _) => "an empty list".to_owned(),
        }
    }

    fn describe_set(&self, members: &[i64], domain: Domain) -> String {
        let ty = domain.member_type();
        if members.is_empty() {
            return "nothing".to_owned();
        }
        if self.is_all_members(members, &Type::Set(domain)) {
            return format!("all {}", self.nouns(domain));
        }
        join_list(members.iter().map(|it| self.describe_value(&Value::Int(*it), &ty)), "and")
    }

    /// Whether these are all members of a kind, which has a name of its own.
    fn is_all_members(&self, members: &[i64], ty: &Type) -> bool {
        let Type::Set(Domain::Kind(kind)) = ty else { return false };
        *kind != PLAYER
            && members.len() > 1
            && members.len() == self.lookup_kind(*kind).own_members().len()
    }

    fn lookup_kind(&self, kind: KindId) -> &'a Kind {
        &self.rules.kinds[kind.index()]
    }

    /// The ends of a range, if they are known; the last may be open.
    fn range_ends(&self, range: RangeId) -> Option<(i64, Option<i64>)> {
        let range = &self.rules.ranges[range.index()];
        let number = |expr: &Expr| match self.known_value(expr) {
            Some(Value::Int(number)) => Some(number),
            _ => None,
        };
        let low = number(&range.low)?;
        range.high.as_ref().map_or(Some((low, None)), |high| Some((low, Some(number(high)?))))
    }

    fn count_members(&self, domain: Domain) -> Option<usize> {
        match domain {
            Domain::Kind(PLAYER) => None,
            Domain::Kind(kind) => Some(self.lookup_kind(kind).own_members().len()),
            Domain::Range(range) => {
                let (low, high) = self.range_ends(range)?;
                usize::try_from(high?.checked_sub(low)?.checked_add(1)?).ok()
            }
        }
    }

    /// How many members a set has that is a whole type or goes from one number to another.
    fn set_length(&self, set: &Expr) -> Option<usize> {
        let ExprKind::Interval(low, high) = &set.kind else {
            let ExprKind::Whole(domain) = set.kind else { return None };
            return self.count_members(domain);
        };
        let (Value::Int(low), Value::Int(high)) = (self.known_value(low)?, self.known_value(high)?)
        else {
            return None;
        };
        usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok()
    }

    fn source(&self, span: Span) -> String {
        let text = self.sources.find(span).map_or("", |source| source.slice(span));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Whether the file says what something is called beside its name.
fn has_own_title(title: &str, name: &str) -> bool {
    !title.is_empty() && title != name && title != name.replace('_', " ")
}

pub(crate) fn title_or_name(title: &str, name: &str) -> String {
    if title.is_empty() { name.replace('_', " ") } else { authored(title) }
}
