//! Guesses what was meant at a mistake of form; the help writes it as the language does.

mod conditions;
mod context;
mod phrases;

use self::context::{block_help, declaration_help, statement_help};
use self::phrases::{Stage, first_help};
use crate::diagnostic::Help;
use crate::source::Span;
use crate::syntax::explain::Mistake;
use crate::syntax::tokens::{is_part, leading_word};
use crate::syntax::tree::Rule;

/// What to do about words and signs that are known from elsewhere.
pub(super) fn known(mistake: &Mistake) -> Option<Help> {
    // The cells of a table are words of their own.
    if mistake.declares() == "table" {
        return None;
    }
    block_help(mistake)
        .or_else(|| conditions::help(mistake))
        .or_else(|| first_help(Stage::First, mistake))
}

/// What to do, where it is clear what was meant.
pub(super) fn help(mistake: &Mistake) -> Option<Help> {
    declaration_help(mistake)
        .or_else(|| first_help(Stage::BeforeCode, mistake))
        .or_else(|| statement_help(mistake))
        .or_else(|| last_resort(mistake))
}

/// What to do where nothing else explains the mistake.
pub(super) fn last_resort(mistake: &Mistake) -> Option<Help> {
    first_help(Stage::Last, mistake)
}

impl<'a> Mistake<'a> {
    /// The line up to the mistake.
    pub(super) fn line(&self) -> &'a str {
        let before = self.before.trim_end_matches([' ', '\t']);
        before[before.rfind('\n').map_or(0, |end| end + 1)..].trim()
    }

    /// What stands between the last brace or `;` and the mistake.
    fn tail(&self) -> &'a str {
        self.line().rsplit(['{', ';', '}']).next().unwrap_or_default().trim()
    }

    /// The last word before the mistake.
    fn last_word(&self) -> &'a str {
        let tail = self.tail();
        &tail[tail.trim_end_matches(is_part).len()..]
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

    /// Whether the head of a move may go on here.
    pub(super) fn in_move(&self) -> bool {
        self.expects(Rule::clause) || self.expects(Rule::kw_maybe)
    }

    /// Whether a statement or a variable may end here.
    fn may_end(&self) -> bool {
        self.expects(Rule::separator) || self.expects(Rule::close_brace)
    }

    /// Whether a line, a block or the text ends here.
    fn at_end(&self) -> bool {
        ["", "\n", "}", ";"].contains(&self.found)
    }

    /// The global offset of the last letter before the mistake.
    fn end(&self) -> usize {
        self.base + self.before.trim_end().len()
    }

    /// A form in the place of some text that ends where the mistake begins, and of some of `rest`.
    fn over(&self, before: &str, length: usize, words: &str, form: &str) -> Help {
        let from = if before.is_empty() { self.start } else { self.end() - before.len() };
        self.instead(words, form, from, length)
    }

    /// A form in the place of a stretch of the file, which begins at a global offset and takes
    /// some of `rest`. A block that follows stays; a parenthesis that the stretch opens is closed
    /// by the form.
    fn instead(&self, words: &str, form: &str, from: usize, length: usize) -> Help {
        let help = Help::form(words, form);
        let behind = self.rest.get(length..).unwrap_or_default();
        let block = form.strip_suffix(" { … }").filter(|_| behind.trim_start().starts_with('{'));
        let text = block.unwrap_or(form);
        if text.contains('…') {
            return help;
        }
        let to = if length == 0 { self.end().max(from) } else { self.start + length };
        let part = from.saturating_sub(self.base).min(self.before.len());
        let replaced = [&self.before[part..], &self.rest[..self.rest.len() - behind.len()]];
        let count = |letter| replaced.iter().map(|it| it.matches(letter).count()).sum::<usize>();
        let closes = count('(') > count(')') && behind.starts_with(')');
        help.with(text).at(Span::new(from, to + usize::from(closes)))
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit())
}
