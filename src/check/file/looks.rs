//! Columns `colour` and `glyph`: how members look on the table, for the eye alone.

use std::collections::BTreeSet;

use unicode_width::UnicodeWidthStr;

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::file::members::describe_cell;
use crate::diagnostic::Help;
use crate::rules::{KindId, Paint};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::ast::{self, Cell, CellKind};

pub(crate) const COLOUR: &str = "colour";
pub(crate) const GLYPH: &str = "glyph";

/// How many columns of the screen a glyph may take.
const WIDEST: usize = 2;

/// `#c04000`
fn rgb(word: &str) -> Option<Paint> {
    let digits = word.strip_prefix('#').filter(|it| it.len() == 6 && it.is_ascii())?;
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    let is_hexadecimal = digits.bytes().all(|it| it.is_ascii_hexdigit());
    is_hexadecimal.then_some(Paint::Rgb(part(0)?, part(2)?, part(4)?))
}

/// Takes a column that only the table view reads, and returns whether it is one. With a type in
/// its heading, or with members of another kind in its cells, it is a column like any other.
pub(crate) fn takes_look(
    file: &mut FileContext,
    id: KindId,
    (name, is_typed): (&ast::Name, bool),
    cells: &[(&str, Option<&Cell>)],
) -> bool {
    let is_look =
        |cell: &Cell| matches!(cell.kind, CellKind::None | CellKind::Text(_) | CellKind::Name(_));
    let is_named = [COLOUR, GLYPH].contains(&name.text.as_str());
    let written = || cells.iter().filter_map(|(_, cell)| *cell);
    if !is_named || is_typed || !written().all(is_look) || are_of_another(file, id, written()) {
        return false;
    }
    for (label, cell) in cells {
        let (Some(at), Some(cell)) = (file.member_of(id, label), cell) else { continue };
        if cell.kind == CellKind::None {
            continue;
        }
        if name.text == COLOUR {
            let colour = colour(file, cell);
            file.rules.kinds[id.index()].members[at].look.colour = colour;
        } else {
            let glyph = glyph(file, cell);
            file.rules.kinds[id.index()].members[at].look.glyph = Some(glyph);
        }
    }
    true
}

/// Whether the words of cells are members of one other kind.
fn are_of_another<'c>(
    file: &FileContext,
    id: KindId,
    cells: impl Iterator<Item = &'c Cell>,
) -> bool {
    let words = cells.filter_map(|cell| match &cell.kind {
        CellKind::Name(word) => Some(file.names.owners(word)),
        _ => None,
    });
    let kinds = |owners: &[(KindId, usize)]| -> BTreeSet<KindId> {
        owners.iter().map(|(kind, _)| *kind).filter(|kind| *kind != id).collect()
    };
    let common = words.map(kinds).reduce(|all, kinds| &all & &kinds);
    common.is_some_and(|kinds| !kinds.is_empty())
}

pub(crate) fn colour(file: &mut FileContext, cell: &Cell) -> Option<Paint> {
    let (CellKind::Name(word) | CellKind::Text(word)) = &cell.kind else { return None };
    let named = Paint::NAMED.iter().find(|(name, _)| name == word).map(|(_, colour)| *colour);
    if let Some(colour) = named.or_else(|| rgb(word)) {
        return Some(colour);
    }
    let known = Paint::NAMED.map(|(name, _)| name);
    let help = match nearest(word, known) {
        Some(near) => Help::did_you_mean(near),
        None => format!(
            "write {} or a number like `\"#c04000\"`; with a type, as in `{COLOUR}: Hue` or \
             `{COLOUR}: text`, it is a column for the rules",
            known.map(|name| format!("`{name}`")).join(", ")
        )
        .into(),
    };
    file.report_error(error::no_colour(word, help, cell.span));
    // Who reads the column is told that it is for the eye.
    Some(Paint::White)
}

pub(crate) fn glyph(file: &mut FileContext, cell: &Cell) -> String {
    let problem = match &cell.kind {
        CellKind::Text(glyph) => match glyph.width() {
            1..=WIDEST if !glyph.contains(char::is_control) => return glyph.clone(),
            0 => "this glyph takes no room".to_owned(),
            _ if glyph.contains(char::is_control) => "a glyph is one sign or two".to_owned(),
            width => format!("this glyph is {width} columns wide, and the most is {WIDEST}"),
        },
        _ => format!("a glyph is a text, found {}", describe_cell(cell)),
    };
    file.report_error(error::glyph(problem, cell.span));
    "?".to_owned()
}

/// Reports that a rule reads what only the table view does; whether it is that.
pub(crate) fn reads_look(file: &mut FileContext, kind: KindId, name: &str, span: Span) -> bool {
    let mut looks = file.rules.kind_at(kind).members.iter().map(|member| &member.look);
    let is_look = match name {
        COLOUR => looks.any(|look| look.colour.is_some()),
        GLYPH => looks.any(|look| look.glyph.is_some()),
        _ => false,
    };
    if is_look {
        let ty = if name == COLOUR { "KIND" } else { "text" };
        file.report_error(error::look_only(name, ty, span));
    }
    is_look
}
