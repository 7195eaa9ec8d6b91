//! Variables and tables that say something about each member of one type, a series of cells each.

use super::cell::{Cell, EMPTY, YES};
use super::colour;
use super::look::Look;
use super::tracks::number;
use crate::bytecode::program::{NONE, Shape};
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::check::rules::{Domain, Rules, Table, Type, Value, VarForm};

/// A cell for each of some members.
pub(super) struct Series {
    pub(super) title: String,
    pub(super) cells: Vec<Cell>,
}

/// How a variable speaks about the members of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaks {
    Array,
    /// Whether they are in a set.
    Set,
    /// Which one it is, as a piece stands on a place.
    Place,
}

/// How a variable speaks about the members of a dimension, if it does.
pub(super) fn speaks(look: Look, number: usize, over: &DimInfo) -> Option<Speaks> {
    let var = &look.program.vars[number];
    if matches!(look.rules.vars[number].form, VarForm::Pile(_)) {
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
pub(super) fn series_of(look: Look, number: usize, over: &DimInfo, seat: usize) -> Option<Series> {
    let var = &look.program.vars[number];
    let says = speaks(look, number, over)?;
    let cell = |member: usize| match says {
        Speaks::Array => look.cell(var, (seat, member)),
        _ => match holds(look, var, seat, says, member) {
            None => look.cell(var, (seat, 0)),
            Some(holds) => Cell::plain(if holds { YES } else { EMPTY }),
        },
    };
    let cells = look.own(over).into_iter().map(cell).collect();
    Some(Series { title: var.title.clone(), cells })
}

/// The cells of what all players have: each says whose members they are.
pub(super) fn whose(look: Look, number: usize, over: &DimInfo) -> Option<Series> {
    let var = &look.program.vars[number];
    let says = speaks(look, number, over)?;
    let cell = |member: usize| {
        let has = |seat: &usize| holds(look, var, *seat, says, member) == Some(true);
        let owners = if var.of_player { look.program.players } else { 1 };
        let seats: Vec<usize> = (0..owners).filter(has).collect();
        let names: Vec<&str> = seats.iter().map(|seat| look.names[*seat].as_str()).collect();
        match seats.as_slice() {
            [] => Cell::plain(EMPTY),
            [one] => Cell::coloured(names.join(" "), vec![colour::member(look.rules, 0, *one)]),
            _ => Cell::plain(&names.join(" ")),
        }
    };
    let cells = look.own(over).into_iter().map(cell).collect();
    Some(Series { title: var.title.clone(), cells })
}

/// Whether a set holds a member, or a piece stands on it; none where that is not seen.
fn holds(look: Look, var: &VarInfo, seat: usize, says: Speaks, member: usize) -> Option<bool> {
    let words = look.words(var, (seat, 0))?;
    Some(match says {
        Speaks::Set => words.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1),
        Speaks::Place => {
            words.first().is_some_and(|word| *word != NONE && i64::try_from(member) == Ok(*word))
        }
        Speaks::Array => false,
    })
}

/// The constant tables over one type, a series each: what was written down about its members.
pub(super) fn table_series(look: Look, over: &DimInfo) -> Vec<Series> {
    let one = |table: &Table| {
        let cells = look.own(over).into_iter().map(|at| table_cell(look, table, at)).collect();
        Series { title: table.name.replace('_', " "), cells }
    };
    tables(look, std::slice::from_ref(over)).map(one).collect()
}

/// The only table of numbers or members over some types, if there is just one.
pub(super) fn only_table<'a>(look: Look<'a>, dims: &'a [DimInfo]) -> Option<&'a Table> {
    let mut tables = tables(look, dims);
    tables.next().filter(|_| tables.next().is_none())
}

fn tables<'a>(look: Look<'a>, dims: &'a [DimInfo]) -> impl Iterator<Item = &'a Table> {
    look.rules.tables.iter().filter(move |table| {
        table.dims.len() == dims.len()
            && table.dims.iter().zip(dims).all(|(domain, dim)| is_over(look, *domain, dim))
            && matches!(table_type(table), Type::Number | Type::Kind(_))
            && !table.is_computed()
    })
}

/// Whether a table has a cell for each index of a dimension.
fn is_over(look: Look, domain: Domain, dim: &DimInfo) -> bool {
    match domain {
        Domain::Kind(kind) => dim.kind.map(u32::from) == Some(kind.0),
        Domain::Range(_) => {
            let size = i64::try_from(dim.size).expect("a dimension fits into the state");
            dim.kind.is_none() && ends(look.rules, domain) == Some((dim.low, dim.low + size - 1))
        }
    }
}

/// The first and the last number of a range whose ends are written as numbers or constants.
pub(super) fn ends(rules: &Rules, domain: Domain) -> Option<(i64, i64)> {
    let Domain::Range(range) = domain else { return None };
    let range = &rules.ranges[range.index()];
    Some((number(rules, &range.low)?, number(rules, range.high.as_ref()?)?))
}

/// The type of the cells of a table that are not empty.
pub(super) fn table_type(table: &Table) -> &Type {
    match &table.ty {
        Type::Maybe(ty) => ty,
        ty => ty,
    }
}

pub(super) fn table_cell(look: Look, table: &Table, at: usize) -> Cell {
    match (table.cells.get(at), table_type(table)) {
        (Some(Value::Int(word)), Type::Kind(kind)) => {
            let at = usize::try_from(*word).expect("a member has a position");
            let text = look.rules.kinds[kind.index()].members[at].title.clone();
            let inks = colour::words(look.rules, kind.index(), at, &text);
            Cell::coloured(text, inks)
        }
        (Some(Value::Int(word)), _) => Cell::plain(&word.to_string()),
        _ => Cell::plain(EMPTY),
    }
}
