//! What lies on the table, in words, for whoever draws it.

use super::grid::{Grid, Of, grid};
use crate::bytecode::Program;
use crate::bytecode::cards::CardsInfo;
use crate::bytecode::program::{Format, Manner, Shape};
use crate::bytecode::vars::{DimInfo, VarInfo};
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
pub(super) fn view(of: Of, state: &State, player: Option<u8>) -> TableView {
    let look = Look { of, state, player };
    let vars =
        |of_player: bool| of.program.vars.iter().filter(move |var| var.of_player == of_player);
    let table = vars(false).map(|var| look.thing(var, 0)).collect();
    let players =
        (0..of.program.players).map(|seat| vars(true).map(|var| look.thing(var, seat)).collect());
    TableView { table, players: players.collect() }
}

/// What is looked at, and by whom.
#[derive(Clone, Copy)]
struct Look<'a> {
    of: Of<'a>,
    state: &'a State,
    player: Option<u8>,
}

impl Look<'_> {
    fn thing(self, var: &VarInfo, seat: usize) -> Thing {
        let title = var.title.clone();
        let words = |element: usize| self.words(var, (seat, element));
        if let Some(Grid { rows, legend }) = grid(self.of, var, &words) {
            return Thing { title, value: legend, grid: rows };
        }
        let value = if var.dims.is_empty() {
            self.element(var, (seat, 0)).0
        } else {
            elements(self.of, var, &|element| self.element(var, (seat, element)))
        };
        Thing { title, value, grid: Vec::new() }
    }

    /// An element in words, and whether there is anything to say about it.
    fn element(self, var: &VarInfo, at: (usize, usize)) -> (String, Option<bool>) {
        let slot = usize::from(var.base) + (at.0 * var.count() + at.1) * usize::from(var.width);
        let piles = &self.of.program.cards;
        if let Some((cards, pile)) = piles.iter().find_map(|cards| cards.pile_at(slot)) {
            return (self.pile(var, cards, pile), Some(true));
        }
        let Some(words) = self.words(var, at) else { return ("?".to_owned(), None) };
        let shown = print_as(self.of.program, self.of.names, &words, &var.format);
        (shown, Some(words.iter().any(|word| *word != 0)))
    }

    /// A pile: how many cards there are, and those that whoever looks knows.
    fn pile(self, var: &VarInfo, cards: &CardsInfo, pile: usize) -> String {
        let width = usize::from(cards.width);
        let set = self.state.slice(cards.set_of(pile), width);
        let count: u32 = set.iter().map(|word| word.count_ones()).sum();
        let unseen = self.player.map(usize::from).filter(|it| !cards.piles[pile].is_seen_by(*it));
        let shown = |set: &[i64]| print_as(self.of.program, self.of.names, set, &var.format);
        let (Some(player), Some(known)) = (unseen, cards.known) else {
            return if count == 0 { shown(set) } else { format!("{count}: {}", shown(set)) };
        };
        let known = self.state.slice(usize::from(known) + player * width, width);
        let known: Vec<i64> = set.iter().zip(known).map(|(here, known)| here & known).collect();
        let cards = if count == 1 { "1 card".to_owned() } else { format!("{count} cards") };
        if known.iter().all(|word| *word == 0) {
            return cards;
        }
        format!("{cards}, among them {}", shown(&known))
    }

    /// The words of an element; none if the player does not see it.
    fn words(self, var: &VarInfo, (seat, element): (usize, usize)) -> Option<Vec<i64>> {
        let unseen = |player| !sees(self.state, var, (seat, element), player);
        if self.player.is_some_and(unseen) {
            return None;
        }
        let at = seat * var.count() + element;
        Some(var.element(self.of.program.players, at, |slot| self.state.word(slot)))
    }
}

/// The elements of an array: each index with its value; of yes/no, the indices that are yes.
fn elements(
    Of { program, names, .. }: Of,
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
    let format = Format { shape, manner: Manner::Said };
    let position = i64::try_from(position).unwrap_or(0);
    print_as(program, names, &[dim.low + position], &format)
}
