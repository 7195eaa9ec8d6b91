//! Slips that show what was meant: the help writes it as the language does.

mod data;
mod phrases;

use crate::syntax::words::leading_word;

/// Where the grammar could not go on, in pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slip<'a> {
    /// The declaration up to the mistake.
    pub(super) before: &'a str,
    /// The word or sign that does not fit; `\n` at the end of a line.
    pub(super) found: &'a str,
    /// The line from there on.
    pub(super) rest: &'a str,
    /// Whether the head of a move may go on here.
    pub(super) in_move: bool,
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

    /// The last word before the mistake.
    fn last_word(&self) -> &'a str {
        let tail = self.tail();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        &tail[tail.trim_end_matches(is_part).len()..]
    }
}

/// What to do, where it is clear what was meant.
pub(super) fn help(slip: &Slip) -> Option<String> {
    data::help(slip).or_else(|| phrases::help(slip))
}

#[cfg(test)]
mod tests;
