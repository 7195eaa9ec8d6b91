//! Looking at a state: values in words, as far as whoever looks may see them.

use super::tracks::Track;
use crate::bytecode::Program;
use crate::bytecode::cards::CardsInfo;
use crate::bytecode::program::{Format, Manner, Shape};
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::check::rules::Rules;
use crate::vm::{State, print_as, sees};

/// The game that is looked at.
#[derive(Clone, Copy)]
pub(in crate::game) struct Of<'a> {
    pub(in crate::game) rules: &'a Rules,
    pub(in crate::game) program: &'a Program,
    pub(in crate::game) names: &'a [String],
    pub(in crate::game) tracks: &'a [Track],
}

impl Of<'_> {
    /// The positions of the members of a dimension that belong to its kind: an array over a part of
    /// a kind has room for the whole.
    pub(super) fn own(self, dim: &DimInfo) -> Vec<usize> {
        let kind = dim.kind.and_then(|kind| self.program.kinds.get(usize::from(kind)));
        let is_own = |at: &usize| kind.is_none_or(|it| it.own.is_empty() || it.own.contains(at));
        (0..dim.size).filter(is_own).collect()
    }

    /// An index in words, by its position among all.
    pub(super) fn index(self, dim: &DimInfo, position: usize) -> String {
        let shape = dim.kind.map_or(Shape::Number, Shape::Member);
        let format = Format { shape, manner: Manner::Said };
        let position = i64::try_from(position).unwrap_or(0);
        print_as(self.program, self.names, &[dim.low + position], &format)
    }
}

/// What is looked at, and by whom.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) of: Of<'a>,
    pub(super) state: &'a State,
    pub(super) player: Option<u8>,
}

impl Look<'_> {
    /// An element in words, and whether there is anything to say about it.
    pub(super) fn element(self, var: &VarInfo, at: (usize, usize)) -> (String, Option<bool>) {
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
    pub(super) fn words(self, var: &VarInfo, (seat, element): (usize, usize)) -> Option<Vec<i64>> {
        let unseen = |player| !sees(self.state, var, (seat, element), player);
        if self.player.is_some_and(unseen) {
            return None;
        }
        let at = seat * var.count() + element;
        Some(var.element(self.of.program.players, at, |slot| self.state.word(slot)))
    }

    /// The elements of an array: each index with its value; of yes/no, the indices that are yes.
    pub(super) fn elements(self, var: &VarInfo, seat: usize) -> String {
        let yes_no = var.format.shape == Shape::Bool;
        let mut parts = Vec::new();
        for element in (0..var.count()).filter(|element| self.is_own(&var.dims, *element)) {
            let (value, holds) = self.element(var, (seat, element));
            let index = self.indices(&var.dims, element);
            match (yes_no, holds) {
                (true, Some(true)) => parts.push(index),
                (true, Some(false)) => {}
                _ => parts.push(format!("{index} {value}")),
            }
        }
        if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
    }

    /// Whether an element belongs to members that the kinds of its dimensions have.
    fn is_own(self, dims: &[DimInfo], element: usize) -> bool {
        let mut left = element;
        dims.iter().rev().all(|dim| {
            let position = left % dim.size;
            left /= dim.size;
            let kind = dim.kind.and_then(|kind| self.of.program.kinds.get(usize::from(kind)));
            kind.is_none_or(|kind| kind.own.is_empty() || kind.own.contains(&position))
        })
    }

    fn indices(self, dims: &[DimInfo], element: usize) -> String {
        let mut left = element;
        let mut words = Vec::new();
        for dim in dims.iter().rev() {
            words.push(self.of.index(dim, left % dim.size));
            left /= dim.size;
        }
        words.reverse();
        words.join(" ")
    }
}
