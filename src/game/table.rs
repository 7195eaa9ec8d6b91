//! What lies on the table, in words, for whoever draws it.

use super::Game;
use super::grid::{Grid, grid};
use crate::bytecode::Program;
use crate::bytecode::program::{DimInfo, Format, Shape, VarInfo};
use crate::check::rules::Rules;
use crate::vm::{State, print_as, sees};

/// A variable with its value in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thing {
    /// What people call it.
    pub title: String,
    /// Its value; of an array, each index with its value. Where it is drawn in rows and columns,
    /// what explains them.
    pub value: String,
    /// Rows of cells, the first with the headings, each behind a heading of its own; none where the
    /// value says all.
    pub grid: Vec<Vec<String>>,
}

/// Everything that can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableView {
    /// What the table has.
    pub table: Vec<Thing>,
    /// What each player has, by seat.
    pub players: Vec<Vec<Thing>>,
}

/// Puts a state into words: what a player sees of it, if it is a player who looks.
pub(super) fn view(game: &Game, state: &State, player: Option<u8>) -> TableView {
    let (rules, program, names) = (game.rules(), game.program(), game.names());
    let look = Look { rules, program, names, state, player };
    let of_table = program.vars.iter().filter(|var| !var.of_player);
    let table = of_table.map(|var| look.thing(var, 0)).collect();
    let players = (0..program.players).map(|seat| {
        let of_player = program.vars.iter().filter(|var| var.of_player);
        of_player.map(|var| look.thing(var, seat)).collect()
    });
    TableView { table, players: players.collect() }
}

/// What is looked at, and by whom.
pub(super) struct Look<'a> {
    pub(super) rules: &'a Rules,
    pub(super) program: &'a Program,
    pub(super) names: &'a [String],
    state: &'a State,
    player: Option<u8>,
}

impl Look<'_> {
    fn thing(&self, var: &VarInfo, seat: usize) -> Thing {
        let title = var.title.clone();
        if let Some(Grid { rows, legend }) = grid(self, var, seat) {
            return Thing { title, value: legend, grid: rows };
        }
        let value = if var.dims.is_empty() {
            self.element(var, (seat, 0)).0
        } else {
            elements(self.program, self.names, var, &|element| self.element(var, (seat, element)))
        };
        Thing { title, value, grid: Vec::new() }
    }

    /// An element in words, and whether there is anything to say about it.
    pub(super) fn element(
        &self,
        var: &VarInfo,
        (seat, element): (usize, usize),
    ) -> (String, Option<bool>) {
        if self.player.is_some_and(|player| !sees(self.state, var, (seat, element), player)) {
            return ("?".to_owned(), None);
        }
        let (players, at) = (self.program.players, seat * var.count() + element);
        let words = var.element(players, at, |slot| self.state.word(slot));
        let shown = print_as(self.program, self.names, &words, &var.format);
        (shown, Some(words.iter().any(|word| *word != 0)))
    }
}

/// The elements of an array: each index with its value; of yes/no, the indices that are yes.
fn elements(
    program: &Program,
    names: &[String],
    var: &VarInfo,
    show: &dyn Fn(usize) -> (String, Option<bool>),
) -> String {
    let count = var.count();
    let yes_no = var.format.shape == Shape::Bool;
    let mut parts = Vec::new();
    for element in (0..count).filter(|element| is_own(program, &var.dims, *element)) {
        let (value, holds) = show(element);
        let index = indices(program, names, &var.dims, element);
        match (yes_no, holds) {
            (true, Some(true)) => parts.push(index),
            (true, Some(false)) => {}
            _ => parts.push(format!("{index} {value}")),
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
        words.push(index_word(program, names, dim, left % dim.size));
        left /= dim.size;
    }
    words.reverse();
    words.join(" ")
}

/// An index in words, by its position among all.
pub(super) fn index_word(
    program: &Program,
    names: &[String],
    dim: &DimInfo,
    position: usize,
) -> String {
    let shape = dim.kind.map_or(Shape::Number, Shape::Member);
    let format = Format { shape, typed: false };
    let position = i64::try_from(position).unwrap_or(0);
    print_as(program, names, &[dim.low + position], &format)
}
