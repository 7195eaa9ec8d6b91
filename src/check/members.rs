//! Members as they are read from a file, and words of cells.

use std::collections::BTreeMap;

use crate::rules::{Look, Member};
use crate::source::Span;
use crate::syntax::ast::{self, Cell, CellKind};

pub(crate) const MOST_MEMBERS: usize = 4096;

/// The names so far, with their places.
pub(crate) type SeenNames = BTreeMap<String, Span>;

pub(crate) fn plain_member(name: String, title: String, span: Span) -> Member {
    Member { name, title, notes: Vec::new(), look: Look::default(), span }
}

/// The word of a label; empty if it is none, which is reported where the row is read.
pub(crate) fn cell_word(label: &ast::Cell) -> String {
    match &label.kind {
        ast::CellKind::Name(word) => word.clone(),
        _ => String::new(),
    }
}

/// What a cell holds, in messages.
pub(crate) fn describe_cell(cell: &Cell) -> String {
    match &cell.kind {
        CellKind::None => "`-`".to_owned(),
        CellKind::Number(_) => "a number".to_owned(),
        CellKind::Bool(_) => "yes or no".to_owned(),
        CellKind::Text(_) => "a text".to_owned(),
        CellKind::Name(name) => format!("the name `{name}`"),
        CellKind::Set(_) => "a set".to_owned(),
    }
}
