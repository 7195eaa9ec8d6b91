//! Slips that show what was meant: the help writes it as the language does.

mod blocks;
mod conditions;
mod data;
mod others;
mod pattern;
mod phrases;
mod rulebooks;

use self::others::OTHERS;
use self::pattern::{Place, first_help};
use self::rulebooks::RULEBOOKS;
use crate::diagnostic::Help;
use crate::source::Span;
use crate::syntax::tokens::is_part;
use crate::syntax::words::leading_word;

/// Where the grammar could not go on, in pieces.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is something that may stand at the place")]
pub(super) struct Slip<'a> {
    /// The global offset of `before`.
    pub(super) base: usize,
    /// The global offset of the mistake, where `rest` begins.
    pub(super) start: usize,
    /// The declaration up to the mistake.
    pub(super) before: &'a str,
    /// The word or sign that does not fit; `\n` at the end of a line.
    pub(super) found: &'a str,
    /// The line from there on.
    pub(super) rest: &'a str,
    /// Whether the head of a move may go on here.
    pub(super) in_move: bool,
    /// Whether a move may begin here.
    pub(super) wants_move: bool,
    /// Whether only names may stand here, in the parentheses of a move.
    pub(super) in_names: bool,
    /// Whether the pattern of a case may go on here.
    pub(super) in_case: bool,
    /// Whether a statement or a variable may end here.
    pub(super) may_end: bool,
    /// Whether `=` may stand here.
    pub(super) wants_value: bool,
}

impl<'a> Slip<'a> {
    /// The line up to the mistake.
    fn line(&self) -> &'a str {
        let before = self.before.trim_end_matches([' ', '\t']);
        before[before.rfind('\n').map_or(0, |end| end + 1)..].trim()
    }

    /// What stands between the last brace or `;` and the mistake.
    fn tail(&self) -> &'a str {
        self.line().rsplit(['{', ';', '}']).next().unwrap_or_default().trim()
    }

    /// The global offset of that.
    fn tail_start(&self) -> usize {
        let end = self.base + self.before.trim_end().len();
        end - self.tail().len()
    }

    /// A form in the place of a stretch of the file, which begins at a global offset and takes
    /// some of `rest`. A block that follows stays; a parenthesis that the stretch opens is closed
    /// by the form.
    fn instead(&self, words: &str, form: &str, from: usize, length: usize) -> Help {
        let help = Help::form(words, form);
        let behind = self.rest.get(length..).unwrap_or_default();
        let end = self.base + self.before.trim_end().len();
        let to = if length == 0 { end.max(from) } else { self.start + length };
        let block = form.strip_suffix(" { … }").filter(|_| behind.trim_start().starts_with('{'));
        let text = block.unwrap_or(form);
        if text.contains('…') {
            return help;
        }
        let part = |offset: usize| offset.saturating_sub(self.base).min(self.before.len());
        let replaced = [&self.before[part(from)..], &self.rest[..self.rest.len() - behind.len()]];
        let count = |letter| replaced.iter().map(|it| it.matches(letter).count()).sum::<usize>();
        let closes = count('(') > count(')') && behind.starts_with(')');
        help.with(text).at(Span::new(from, to + usize::from(closes)))
    }

    /// A form in the place of some text that ends where the mistake begins, and some of `rest`.
    fn over(&self, before: &str, length: usize, words: &str, form: &str) -> Help {
        let end = self.base + self.before.trim_end().len();
        let from = if before.is_empty() { self.start } else { end - before.len() };
        self.instead(words, form, from, length)
    }

    /// The first line that is no note.
    fn head(&self) -> &'a str {
        let mut lines = self.before.lines().map(str::trim_start);
        lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default()
    }

    /// The first word of the declaration.
    fn declares(&self) -> &'a str {
        leading_word(self.head())
    }

    /// Whether the declaration lists what players or the table have.
    fn lists_variables(&self) -> bool {
        matches!(self.declares(), "each" | "the")
    }

    /// Whether a type stands before the mistake.
    fn wants_range(&self) -> bool {
        self.tail().contains(':') && ["=", "\n", "}", ";", "seen", "hidden"].contains(&self.found)
    }

    /// Whether a phrase of this place is looked for here.
    fn is_in(&self, place: Place) -> bool {
        match place {
            Place::Any => true,
            Place::End => self.may_end && !self.in_move && !self.lists_variables(),
            Place::Game => self.declares() == "game",
            Place::Variable => self.lists_variables(),
            Place::Move => self.wants_move,
            Place::Head => self.in_move,
            Place::Names => self.in_names,
            Place::Case => self.in_case,
            Place::Hole => self.line().matches('"').count() % 2 == 1,
        }
    }

    /// The last word before the mistake.
    fn last_word(&self) -> &'a str {
        let tail = self.tail();
        &tail[tail.trim_end_matches(is_part).len()..]
    }
}

/// What to do about words and signs that are known from elsewhere.
pub(super) fn known(slip: &Slip) -> Option<Help> {
    // Its cells are words of their own.
    if slip.declares() == "table" {
        return None;
    }
    blocks::help(slip)
        .or_else(|| conditions::help(slip))
        .or_else(|| first_help(RULEBOOKS, slip))
        .or_else(|| first_help(OTHERS, slip))
}

/// What to do, where it is clear what was meant.
pub(super) fn help(slip: &Slip) -> Option<Help> {
    data::help(slip).or_else(|| phrases::help(slip))
}

#[cfg(test)]
mod tests;
