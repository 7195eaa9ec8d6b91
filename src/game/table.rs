//! What lies on the table, in words, for whoever draws it.

use crate::bytecode::Program;
use crate::bytecode::program::{DimInfo, Format, Shape, VarInfo};
use crate::vm::{State, print_as};

/// A variable with its value in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thing {
    /// What people call it.
    pub title: String,
    /// Its value; of an array, each index with its value.
    pub value: String,
}

/// Everything that can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableView {
    /// What the table has.
    pub table: Vec<Thing>,
    /// What each player has, by seat.
    pub players: Vec<Vec<Thing>>,
}

/// Puts a state into words.
pub(super) fn view(program: &Program, names: &[String], state: &State) -> TableView {
    let of_table = program.vars.iter().filter(|var| !var.of_player);
    let table = of_table.map(|var| thing(program, names, state, (var, 0))).collect();
    let players = (0..program.players).map(|seat| {
        let of_player = program.vars.iter().filter(|var| var.of_player);
        of_player.map(|var| thing(program, names, state, (var, seat))).collect()
    });
    TableView { table, players: players.collect() }
}

fn thing(
    program: &Program,
    names: &[String],
    state: &State,
    (var, seat): (&VarInfo, usize),
) -> Thing {
    let first = seat * var.count();
    let word =
        |element: usize| var.element(program.players, first + element, |slot| state.word(slot));
    let show = |words: &[i64]| print_as(program, names, words, &var.format);
    let value = if var.dims.is_empty() {
        show(&word(0))
    } else {
        elements(program, names, var, &|element| {
            let words = word(element);
            (show(&words), words.iter().any(|word| *word != 0))
        })
    };
    Thing { title: var.title.clone(), value }
}

/// The elements of an array: each index with its value; of yes/no, the indices that are yes.
fn elements(
    program: &Program,
    names: &[String],
    var: &VarInfo,
    show: &dyn Fn(usize) -> (String, bool),
) -> String {
    let count = var.count();
    let yes_no = var.format.shape == Shape::Bool;
    let mut parts = Vec::new();
    for element in (0..count).filter(|element| is_own(program, &var.dims, *element)) {
        let (value, holds) = show(element);
        let index = indices(program, names, &var.dims, element);
        match (yes_no, holds) {
            (true, true) => parts.push(index),
            (true, false) => {}
            (false, _) => parts.push(format!("{index} {value}")),
        }
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// Whether an element belongs to members that the kinds of its dimensions have: an array over a
/// part of a kind has room for the whole.
fn is_own(program: &Program, dims: &[DimInfo], element: usize) -> bool {
    let mut left = element;
    dims.iter().rev().all(|dim| {
        let position = left % dim.size;
        left /= dim.size;
        let kind = dim.kind.and_then(|kind| program.kinds.get(usize::from(kind)));
        kind.is_none_or(|kind| kind.own.is_empty() || kind.own.contains(&position))
    })
}

fn indices(program: &Program, names: &[String], dims: &[DimInfo], element: usize) -> String {
    let mut left = element;
    let mut words = Vec::new();
    for dim in dims.iter().rev() {
        let position = i64::try_from(left % dim.size).unwrap_or(0);
        left /= dim.size;
        let shape = dim.kind.map_or(Shape::Number, Shape::Member);
        let format = Format { shape, typed: false };
        words.push(print_as(program, names, &[dim.low + position], &format));
    }
    words.reverse();
    words.join(" ")
}
