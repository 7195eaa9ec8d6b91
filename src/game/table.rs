//! What lies on the table, in words, for whoever draws it.

use crate::bytecode::Program;
use crate::bytecode::cards::CardsInfo;
use crate::bytecode::program::{DimInfo, Format, Shape, VarInfo};
use crate::vm::{State, print_as, sees};

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

/// Puts a state into words: what a player sees of it, if it is a player who looks.
pub(super) fn view(
    program: &Program,
    names: &[String],
    state: &State,
    player: Option<u8>,
) -> TableView {
    let of_table = program.vars.iter().filter(|var| !var.of_player);
    let table = of_table.map(|var| Look { program, names, state, player }.thing(var, 0)).collect();
    let players = (0..program.players).map(|seat| {
        let of_player = program.vars.iter().filter(|var| var.of_player);
        of_player.map(|var| Look { program, names, state, player }.thing(var, seat)).collect()
    });
    TableView { table, players: players.collect() }
}

/// What is looked at, and by whom.
struct Look<'a> {
    program: &'a Program,
    names: &'a [String],
    state: &'a State,
    player: Option<u8>,
}

impl Look<'_> {
    fn thing(&self, var: &VarInfo, seat: usize) -> Thing {
        let value = if var.dims.is_empty() {
            self.element(var, (seat, 0)).0
        } else {
            elements(self.program, self.names, var, &|element| self.element(var, (seat, element)))
        };
        Thing { title: var.title.clone(), value }
    }

    /// An element in words, and whether there is anything to say about it.
    fn element(&self, var: &VarInfo, (seat, element): (usize, usize)) -> (String, Option<bool>) {
        let at = usize::from(var.base) + (seat * var.count() + element) * usize::from(var.width);
        if let Some((cards, pile)) = self.program.cards.iter().find_map(|it| it.pile_at(at)) {
            return (self.pile(var, cards, pile), Some(true));
        }
        if self.player.is_some_and(|player| !sees(self.state, var, (seat, element), player)) {
            return ("?".to_owned(), None);
        }
        let (players, at) = (self.program.players, seat * var.count() + element);
        let words = var.element(players, at, |slot| self.state.word(slot));
        let shown = print_as(self.program, self.names, &words, &var.format);
        (shown, Some(words.iter().any(|word| *word != 0)))
    }

    /// A pile: how many cards there are, and those that whoever looks knows.
    fn pile(&self, var: &VarInfo, cards: &CardsInfo, pile: usize) -> String {
        let width = usize::from(cards.width);
        let set = self.state.slice(cards.set_of(pile), width);
        let count: u32 = set.iter().map(|word| word.count_ones()).sum();
        let unseen = self.player.map(usize::from).filter(|it| !cards.piles[pile].is_seen_by(*it));
        let shown = |set: &[i64]| print_as(self.program, self.names, set, &var.format);
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
        let position = i64::try_from(left % dim.size).unwrap_or(0);
        left /= dim.size;
        let shape = dim.kind.map_or(Shape::Number, Shape::Member);
        let format = Format { shape, typed: false };
        words.push(print_as(program, names, &[dim.low + position], &format));
    }
    words.reverse();
    words.join(" ")
}
