//! Cells of drawings: a value in words, with its colour and what lies below it.

use super::colour::{self, Paint};
use super::redact::Of;
use crate::bytecode::program::{Format, NONE, Shape};
use crate::bytecode::vars::VarInfo;
use crate::vm::print_as;

/// What stands where nothing does.
pub(super) const EMPTY: &str = ".";

/// What stands where a yes/no is yes, or a member is in a set.
pub(super) const YES: &str = "x";

/// What stands where somebody may not look.
const UNSEEN: &str = "?";

/// A cell of a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What stands there.
    pub text: String,
    /// The colours of its words, or one for all of them; none where colours say nothing.
    pub inks: Vec<Paint>,
    /// What lies below it, in a letter or a few, with its colour.
    pub ground: Option<(String, Paint)>,
}

impl Cell {
    /// Returns a cell of words without a colour.
    pub fn plain(text: &str) -> Cell {
        Cell { text: text.to_owned(), ..Cell::default() }
    }

    /// Whether nothing stands there.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self.text.as_str(), "" | EMPTY | "0")
    }
}

/// The cell of a value; without words it is not seen.
pub(super) fn of_words(of: Of, var: &VarInfo, words: Option<&[i64]>) -> Cell {
    let Some(words) = words else { return Cell::plain(UNSEEN) };
    match (&var.format.shape, words) {
        (Shape::Bool, [0]) | (_, [NONE]) => Cell::plain(EMPTY),
        (Shape::Bool, _) => Cell::plain(YES),
        _ => {
            let text = print_as(of.program, of.names, words, &var.format);
            let inks = inks_of(of, &var.format, words, &text);
            Cell { text, inks, ground: None }
        }
    }
}

/// The colours of the words that a value stands in, if it is a member.
pub(super) fn inks_of(of: Of, format: &Format, words: &[i64], text: &str) -> Vec<Paint> {
    let (Shape::Member(kind), [word]) = (&format.shape, words) else { return Vec::new() };
    let Ok(at) = usize::try_from(*word) else { return Vec::new() };
    colour::words(of.rules, usize::from(*kind), at, text)
}

/// Letters for the members of a kind: the shortest beginning that no other name has.
pub(super) fn tags(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| shortest(name, names)).collect()
}

fn shortest(name: &str, names: &[&str]) -> String {
    let alone = |tag: &&str| names.iter().filter(|other| other.starts_with(*tag)).count() == 1;
    let ends = name.char_indices().skip(1).map(|(at, _)| at).chain([name.len()]);
    ends.map(|end| &name[..end]).find(alone).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::tags;

    #[test]
    fn tags_are_as_short_as_can_be() {
        assert_eq!(tags(&["sand", "salt", "rock", "rocky"]), ["san", "sal", "rock", "rocky"]);
    }
}
