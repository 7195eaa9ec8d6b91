//! Checked rules as a rulebook in Markdown, for people at a table.
//!
//! Where the file has a note, the note is the prose. Where it has none, words are made from the
//! structure; what there are no words for stands as code.

mod book;
mod conditions;
mod drawn;
mod english;
mod flow;
mod moves;
mod setup;
mod steps;
mod values;
mod words;

pub use self::english::authored;

use crate::budget::{Budget, TooMuch};
use crate::check::rules::Rules;
use crate::compile::Specialisation;
use crate::rulebook::book::Book;
use crate::source::Sources;

#[derive(Clone, Copy, Debug)]
pub struct Edition<'a> {
    pub rules: &'a Rules,
    pub sources: &'a Sources,
    /// The one setting that it is for; absent: for all of them.
    pub setting: Option<&'a Specialisation>,
    /// What there is to say of variants: a line of Markdown for each.
    pub variants: &'a [String],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    pub title: String,
    /// What stands below the title.
    pub opening: String,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The word that it is asked for by.
    pub word: &'static str,
    pub heading: &'static str,
    pub text: String,
}

/// Writes the rulebook of a game.
///
/// # Errors
/// What took most of the budget, when it is spent before the book is written.
pub fn rulebook(edition: &Edition, budget: &Budget) -> Result<Rulebook, TooMuch> {
    let book = Book::new(edition, budget);
    let parts = [
        ("players", "Players", setup::players(&book)),
        ("box", "In the box", setup::components(&book)),
        ("tables", "Tables and boards", drawn::drawn(&book)),
        ("setup", "Setup", setup::setup(&book)),
        ("play", "How to play", flow::play(&book)),
        ("moves", "Moves", moves::moves(&book)),
        ("words", "What words mean", flow::meanings(&book)),
        ("end", "How the game ends", flow::ending(&book)),
        ("options", "Options", setup::options(&book)),
        ("variants", "Variants", setup::variants(edition.variants)),
    ];
    let parts = parts.into_iter().map(|(word, heading, text)| Part { word, heading, text });
    let parts = parts.filter(|part| !part.text.is_empty()).collect();
    let opening = english::paragraph(&edition.rules.notes);
    let title = english::authored(&edition.rules.title);
    budget.finding().map_or(Ok(Rulebook { title, opening, parts }), Err)
}

impl Rulebook {
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        if !self.opening.is_empty() {
            text.extend([format!("\n{}\n", self.opening)]);
        }
        for part in &self.parts {
            text.extend([format!("\n{}", part.markdown())]);
        }
        text
    }

    /// The part that a word, or the beginning of one, asks for.
    pub fn part(&self, word: &str) -> Option<&Part> {
        let word = word.to_lowercase();
        let named = self.parts.iter().find(|part| part.word == word);
        named.or_else(|| self.parts.iter().find(|part| part.word.starts_with(&word)))
    }
}

impl Part {
    pub fn markdown(&self) -> String {
        format!("## {}\n\n{}\n", self.heading, self.text.trim_end())
    }
}
