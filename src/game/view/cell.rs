//! Cells of drawings: a value in words, with its colour and what lies below it.

use super::colour::{self, Paint};
use super::look::Look;
use crate::bytecode::program::{Format, NONE, Shape};
use crate::bytecode::vars::VarInfo;
use crate::check::rules::Rules;

/// What stands where nothing does.
pub(super) const EMPTY: &str = ".";

/// What stands where a yes/no is yes, or a member is in a set.
pub(super) const YES: &str = "x";

/// What stands where somebody may not look.
const UNSEEN: &str = "?";

/// A cell of a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
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

    /// Returns a cell of words with one colour each, or one for all.
    pub(super) fn coloured(text: String, inks: Vec<Paint>) -> Cell {
        Cell { text, inks, ground: None }
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!(self.text.as_str(), "" | EMPTY | "0")
    }
}

/// A row of a drawing: a heading, then cells.
pub(super) fn row(heading: &str, cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    std::iter::once(Cell::plain(heading)).chain(cells).collect()
}

impl Look<'_> {
    /// The cell of an element of a variable.
    pub(super) fn cell(self, var: &VarInfo, at: (usize, usize)) -> Cell {
        let Some(words) = self.words(var, at) else { return Cell::plain(UNSEEN) };
        match (&var.format.shape, words.as_slice()) {
            (Shape::Bool, [0]) | (_, [NONE]) => Cell::plain(EMPTY),
            (Shape::Bool, _) => Cell::plain(YES),
            _ => {
                let text = self.print(&words, &var.format);
                let inks = self.inks(&var.format, &words, &text);
                Cell::coloured(text, inks)
            }
        }
    }

    /// The colours of the words that a value stands in, if it is a member.
    pub(super) fn inks(self, format: &Format, words: &[i64], text: &str) -> Vec<Paint> {
        let (Shape::Member(kind), [word]) = (&format.shape, words) else { return Vec::new() };
        let Ok(at) = usize::try_from(*word) else { return Vec::new() };
        colour::words(self.rules, usize::from(*kind), at, text)
    }
}

pub(super) fn member_tags(rules: &Rules, kind: usize) -> Vec<String> {
    let members = rules.kinds[kind].members.iter();
    tags(&members.map(|member| member.name.as_str()).collect::<Vec<_>>())
}

/// For each name the shortest beginning that no other name has.
fn tags(names: &[&str]) -> Vec<String> {
    let shortest = |name: &&str| {
        let alone = |tag: &&str| names.iter().filter(|other| other.starts_with(*tag)).count() == 1;
        let ends = name.char_indices().skip(1).map(|(at, _)| at).chain([name.len()]);
        ends.map(|end| &name[..end]).find(alone).unwrap_or(name).to_owned()
    };
    names.iter().map(shortest).collect()
}

#[cfg(test)]
mod tests {
    use super::tags;

    #[test]
    fn tags_are_as_short_as_can_be() {
        assert_eq!(tags(&["sand", "salt", "rock", "rocky"]), ["san", "sal", "rock", "rocky"]);
    }
}
