//! Single phrases of the rulebook, without markup, for answers at the table.

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::rulebook::english::{self, paragraph};
use crate::rulebook::words::{Phraser, StepPhraser};
use crate::rulebook::{Book, Edition, ending, title_or_name};
use crate::rules::{Expr, LocalId, MoveOption, Rule};
use crate::source::Span;

/// What the rulebook of a game says of single conditions, values and ends.
pub(crate) struct Phrases<'a> {
    book: Book<'a>,
}

impl<'a> Phrases<'a> {
    pub(crate) fn new(edition: &Edition<'a>, budget: &'a Budget) -> Phrases<'a> {
        let mut book = Book::new(edition, budget);
        book.keeps_names = true;
        Phrases { book }
    }

    /// Returns that a condition holds, or fails, as a clause: `your coins are at least 2`.
    pub(crate) fn claim(
        &self,
        place: PhraseContext,
        condition: &Expr,
        holds: bool,
        names: &LocalNames,
    ) -> String {
        let words = self.make_phraser(place);
        let claim =
            if holds { words.phrase_condition(condition) } else { words.phrase_negated(condition) };
        with_values(&claim, names)
    }

    /// Returns what a value is: `your coins`.
    pub(crate) fn phrase_value(
        &self,
        place: PhraseContext,
        value: &Expr,
        names: &LocalNames,
    ) -> String {
        with_values(&self.make_phraser(place).phrase_value(value), names)
    }

    /// Returns what a bag is of which this is the amount of a good: `your goods`.
    pub(crate) fn phrase_goods(
        &self,
        place: PhraseContext,
        (amount, good): (&Expr, LocalId),
        names: &LocalNames,
    ) -> Option<String> {
        let goods = self.make_phraser(place).goods(amount, good)?;
        Some(with_values(&goods, names))
    }

    /// Returns the note above a statement or a clause, if there is one.
    pub(crate) fn find_note(&self, at: Span) -> Option<String> {
        self.book.note_at(at).map(|note| to_plain_text(&note))
    }

    /// Returns what the rulebook says of the `finish` at a place: when the game ends so, and who wins.
    pub(crate) fn ending(&self, finish: Span) -> Option<String> {
        ending::ending_at(&self.book, finish).map(|text| to_plain_text(&text))
    }

    /// Returns what the rulebook says of a move: how it is said; then its note or what it does, and a line for what it
    /// names and when it is allowed.
    pub(crate) fn of_move(&self, rule: &Rule, option: &MoveOption) -> (String, Vec<String>) {
        let [form, note, below] =
            StepPhraser::new(self.make_phraser((rule, Some(option)))).option_parts(option);
        let below = below.lines().map(|line| line.trim_start().trim_start_matches("- "));
        let note = Some(note.as_str()).filter(|note| !note.is_empty());
        (to_plain_text(&form), note.into_iter().chain(below).map(to_plain_text).collect())
    }

    fn make_phraser<'s>(&'s self, (rule, option): PhraseContext<'s>) -> Phraser<'s> {
        let words = Phraser::for_rule(&self.book, rule);
        option.map_or(words, |option| words.for_group(option))
    }
}

/// Where an expression is: its rule, and the move that it belongs to.
pub(crate) type PhraseContext<'a> = (&'a Rule, Option<&'a MoveOption>);

/// The names of locals that have a value, with that value.
pub(crate) type LocalNames = BTreeMap<String, String>;

/// A phrase with values in the place of names.
fn with_values(phrase: &str, names: &LocalNames) -> String {
    let put = |phrase: String, (name, value): (&String, &String)| {
        phrase.replace(&format!("*{}*", title_or_name("", name)), value)
    };
    to_plain_text(&names.iter().fold(phrase.to_owned(), put))
}

/// Notes as one paragraph without markup.
pub(crate) fn plain_notes(notes: &[String]) -> String {
    to_plain_text(&paragraph(notes))
}

/// A piece of Markdown as people read it: names of the rules stand between backticks.
fn to_plain_text(markdown: &str) -> String {
    let markdown = markdown.replace("**", "");
    let (mut marked, mut escaped) = (String::with_capacity(markdown.len()), false);
    for sign in markdown.chars() {
        marked.push(if sign == '*' && !escaped { '`' } else { sign });
        escaped = sign == '\\' && !escaped;
    }
    english::in_code(&marked)
}
