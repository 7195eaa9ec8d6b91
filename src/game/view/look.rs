//! Values of a state in words, as far as the player who looks may see them (redaction).

use std::collections::BTreeSet;

use super::tracks::Track;
use crate::bytecode::Program;
use crate::bytecode::cards::CardsInfo;
use crate::bytecode::program::{Format, Manner, NONE, Shape};
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::check::rules::{Kind, Rules, VarForm};
use crate::vm::{State, print_as, sees};

/// The value of a die that was not rolled yet.
const UNROLLED: &str = "–";

/// What is looked at, and by whom.
#[derive(Clone, Copy)]
pub(in crate::game) struct Look<'a> {
    pub(in crate::game) rules: &'a Rules,
    pub(in crate::game) program: &'a Program,
    pub(in crate::game) names: &'a [String],
    pub(in crate::game) tracks: &'a [Track],
    pub(in crate::game) state: &'a State,
    pub(in crate::game) player: Option<u8>,
    /// The dice that were rolled, if that is known; all others that show their first face are empty.
    pub(in crate::game) rolled: Option<&'a BTreeSet<String>>,
}

impl<'a> Look<'a> {
    /// The kind of a dimension, if it is over one.
    pub(super) fn kind(self, dim: &DimInfo) -> Option<&'a Kind> {
        self.rules.kinds.get(usize::from(dim.kind?))
    }

    /// The positions of the members of a dimension that belong to its kind: an array over a part of
    /// a kind has room for the whole.
    pub(super) fn own(self, dim: &DimInfo) -> Vec<usize> {
        (0..dim.size).filter(|at| self.is_own(dim, *at)).collect()
    }

    fn is_own(self, dim: &DimInfo, position: usize) -> bool {
        let kind = dim.kind.and_then(|kind| self.program.kinds.get(usize::from(kind)));
        kind.is_none_or(|kind| kind.own.is_empty() || kind.own.contains(&position))
    }

    /// An index in words, by its position among all.
    pub(super) fn index(self, dim: &DimInfo, position: usize) -> String {
        self.index_as(dim, position, Manner::Said)
    }

    fn index_as(self, dim: &DimInfo, position: usize, manner: Manner) -> String {
        let shape = dim.kind.map_or(Shape::Number, Shape::Member);
        let position = i64::try_from(position).expect("a dimension fits into the state");
        self.print(&[dim.low + position], &Format { shape, manner })
    }

    pub(super) fn print(self, words: &[i64], format: &Format) -> String {
        print_as(self.program, self.names, words, format)
    }

    /// An element in words, and whether there is anything to say about it.
    pub(super) fn element(self, var: &VarInfo, at: (usize, usize)) -> (String, Option<bool>) {
        let slot = usize::from(var.base) + (at.0 * var.count() + at.1) * usize::from(var.width);
        let piles = &self.program.cards;
        if let Some((cards, pile)) = piles.iter().find_map(|cards| cards.pile_at(slot)) {
            return (self.pile(var, cards, pile), Some(true));
        }
        let Some(words) = self.words(var, at) else { return ("?".to_owned(), None) };
        if self.is_unrolled(var, at) {
            return (UNROLLED.to_owned(), Some(false));
        }
        let shown = self.print(&words, &var.format);
        (shown, Some(words.iter().any(|word| *word != 0)))
    }

    /// A pile: how many cards there are, and those that whoever looks knows.
    fn pile(self, var: &VarInfo, cards: &CardsInfo, pile: usize) -> String {
        let width = usize::from(cards.width);
        let set = self.state.slice(cards.set_of(pile), width);
        let count: u32 = set.iter().map(|word| word.count_ones()).sum();
        let unseen = self.player.map(usize::from).filter(|it| !cards.piles[pile].is_seen_by(*it));
        let shown = |set: &[i64]| self.print(set, &var.format);
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
    pub(super) fn words(self, var: &VarInfo, (seat, element): (usize, usize)) -> Option<Vec<i64>> {
        let unseen = |player| !sees(self.state, var, (seat, element), player);
        if self.player.is_some_and(unseen) {
            return None;
        }
        if self.is_unrolled(var, (seat, element)) {
            return Some(vec![NONE; usize::from(var.width)]);
        }
        let at = seat * var.count() + element;
        Some(var.element(self.program.players, at, |slot| self.state.word(slot)))
    }

    /// Whether it is a die that was not rolled yet and still has the value that it began with.
    fn is_unrolled(self, var: &VarInfo, (seat, element): (usize, usize)) -> bool {
        let Look { rules, program, rolled, .. } = self;
        let Some(rolled) = rolled else { return false };
        let is_die = |number: usize| matches!(rules.vars[number].form, VarForm::Die(_));
        let number = program.vars.iter().position(|it| std::ptr::eq(it, var));
        if !number.is_some_and(is_die) {
            return false;
        }
        let at = seat * var.count() + element;
        let now = var.element(program.players, at, |slot| self.state.word(slot));
        let first = var.element(program.players, at, |slot| program.initial[slot]);
        now == first && !rolled.contains(&self.die(var, seat, element))
    }

    /// A die as events name it: `cube`, `die[red]`, `Ann.cube[2]`.
    fn die(self, var: &VarInfo, seat: usize, element: usize) -> String {
        let owner = if var.of_player { self.names[seat].clone() + "." } else { String::new() };
        let indices = self.indices(&var.dims, element, Manner::Typed);
        let indices =
            if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
        owner + &var.name + &indices
    }

    /// The elements of an array: each index with its value; of yes/no, the indices that are yes.
    pub(super) fn elements(self, var: &VarInfo, seat: usize) -> String {
        let yes_no = var.format.shape == Shape::Bool;
        let mut parts = Vec::new();
        for element in 0..var.count() {
            let positions = positions(&var.dims, element);
            if !var.dims.iter().zip(&positions).all(|(dim, at)| self.is_own(dim, *at)) {
                continue;
            }
            let (value, holds) = self.element(var, (seat, element));
            let index = self.indices(&var.dims, element, Manner::Said).join(" ");
            match (yes_no, holds) {
                (true, Some(true)) => parts.push(index),
                (true, Some(false)) => {}
                _ => parts.push(format!("{index} {value}")),
            }
        }
        let is_unrolled = |at| self.is_unrolled(var, (seat, at));
        if !parts.is_empty() && (0..var.count()).all(is_unrolled) {
            return UNROLLED.to_owned();
        }
        if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
    }

    fn indices(self, dims: &[DimInfo], element: usize, manner: Manner) -> Vec<String> {
        let positions = positions(dims, element);
        dims.iter().zip(positions).map(|(dim, at)| self.index_as(dim, at, manner)).collect()
    }
}

/// The position of an element in each dimension.
fn positions(dims: &[DimInfo], element: usize) -> Vec<usize> {
    let mut left = element;
    let mut positions = vec![0; dims.len()];
    for (dim, position) in dims.iter().zip(&mut positions).rev() {
        (*position, left) = (left % dim.size, left / dim.size);
    }
    positions
}
