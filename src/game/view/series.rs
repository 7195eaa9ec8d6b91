//! Variables that say something about each member of one type, a strand of cells each.

use super::cell::{self, Cell, YES};
use super::colour;
use super::redact::Look;
use crate::bytecode::program::{NONE, Shape};
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::check::rules::VarForm;

/// A cell for each of some members.
pub(super) struct Strand {
    pub(super) title: String,
    pub(super) cells: Vec<Cell>,
}

/// How a variable speaks about the members of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaks {
    /// A value for each.
    Array,
    /// Whether they are in a set.
    Set,
    /// Which one it is, as a piece stands on a place.
    Place,
}

/// How a variable speaks about the members of a dimension, if it does.
pub(super) fn speaks(look: Look, number: usize, over: &DimInfo) -> Option<Speaks> {
    let var = &look.of.program.vars[number];
    if matches!(look.of.rules.vars[number].form, VarForm::Pile(_)) {
        return None;
    }
    match (var.dims.as_slice(), &var.format.shape) {
        ([dim], _) if dim == over => Some(Speaks::Array),
        ([], Shape::Members(kind)) if over.kind == Some(*kind) => Some(Speaks::Set),
        ([], Shape::Numbers(low)) if over.kind.is_none() && over.low == *low => Some(Speaks::Set),
        ([], Shape::Member(kind)) if over.kind == Some(*kind) => Some(Speaks::Place),
        _ => None,
    }
}

/// The cells of a variable for the members of a dimension.
pub(super) fn strand(look: Look, number: usize, over: &DimInfo, seat: usize) -> Option<Strand> {
    let var = &look.of.program.vars[number];
    let says = speaks(look, number, over)?;
    let cell = |member: usize| match says {
        Speaks::Array => cell::of_words(look.of, var, look.words(var, (seat, member)).as_deref()),
        Speaks::Set | Speaks::Place => match holds(look, var, seat, (says, member)) {
            None => cell::of_words(look.of, var, None),
            Some(true) => Cell::plain(YES),
            Some(false) => Cell::plain(cell::EMPTY),
        },
    };
    let cells = look.of.own(over).into_iter().map(cell).collect();
    Some(Strand { title: var.title.clone(), cells })
}

/// The cells of what all players have: each says whose members they are.
pub(super) fn whose(look: Look, number: usize, over: &DimInfo) -> Option<Strand> {
    let var = &look.of.program.vars[number];
    let says = speaks(look, number, over)?;
    let cell = |member: usize| {
        let has = |seat: &usize| holds(look, var, *seat, (says, member)) == Some(true);
        let owners = if var.of_player { look.of.program.players } else { 1 };
        let seats: Vec<usize> = (0..owners).filter(has).collect();
        let names: Vec<&str> = seats.iter().map(|seat| look.of.names[*seat].as_str()).collect();
        match seats.as_slice() {
            [] => Cell::plain(cell::EMPTY),
            [one] => Cell {
                text: names.join(" "),
                inks: vec![colour::member(look.of.rules, 0, *one)],
                ground: None,
            },
            _ => Cell::plain(&names.join(" ")),
        }
    };
    let cells = look.of.own(over).into_iter().map(cell).collect();
    Some(Strand { title: var.title.clone(), cells })
}

/// Whether a set holds a member, or a piece stands on it; none where that is not seen.
fn holds(look: Look, var: &VarInfo, seat: usize, (says, member): (Speaks, usize)) -> Option<bool> {
    let words = look.words(var, (seat, 0))?;
    Some(match says {
        Speaks::Set => words.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1),
        Speaks::Place => {
            words.first().is_some_and(|word| *word != NONE && i64::try_from(member) == Ok(*word))
        }
        Speaks::Array => false,
    })
}
