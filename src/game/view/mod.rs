//! The table in words and drawings, as far as the viewer may see it.

mod asked;
mod boards;
mod cards;
pub(in crate::game) mod colour;
mod grids;
mod grouping;
mod model;
mod slots;
mod standing;
mod tables;
mod tracks;
mod values;

pub use crate::rules::Paint;
pub(crate) use boards::cells_of;
pub(super) use cards::{own_piles, printed};
pub(super) use grouping::build_view;
pub(crate) use model::{
    ActionGroup, ActionNumbers, ActionView, BoardCell, BoardLayout, Card, CardColumn, Element,
    Layer, LayerForm, LogEntry, Means, Piece, SeatView, SeenValue, Status, Thing, ValueForm,
    ViewCell, What,
};
pub use model::{Board, TableView, Tag};
pub(super) use standing::{Aims, find_standing_keys};
pub(super) use tracks::{Track, tracks};

use std::collections::BTreeSet;

use crate::bytecode::Program;
use crate::bytecode::cards::CardsInfo;
use crate::bytecode::program::{Format, Manner, NONE, ValueShape};
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::game::Loaded;
use crate::rules::topology::CellLayout;
use crate::rules::{Kind, Rules, VarForm};
use crate::vm::{self, State, cards_from_top, print_as, sees};

/// The value of a die that was not rolled yet.
const UNROLLED: &str = "–";

/// What stands where nothing does.
const EMPTY: &str = ".";

/// What stands where a yes/no is yes, or a member is in a set.
const YES: &str = "x";

/// Kinds of so many members at most have them told apart by their first letters.
const MOST_TAGGED: usize = 400;

/// What stands where the viewer may not look.
const UNSEEN: &str = "?";

impl ViewCell {
    /// Returns a cell of words without a colour.
    pub(crate) fn from_text(text: &str) -> ViewCell {
        ViewCell::coloured(text.to_owned(), Vec::new())
    }

    /// Returns a cell of words with one colour each, or one for all.
    fn coloured(text: String, inks: Vec<Paint>) -> ViewCell {
        ViewCell { text, inks, ..ViewCell::default() }
    }

    pub(crate) fn shown(&self) -> &str {
        self.glyph.as_deref().unwrap_or(&self.text)
    }

    fn is_empty(&self) -> bool {
        matches!(self.text.as_str(), "" | EMPTY | "0")
    }
}

/// A row of a drawing: a heading, then cells.
fn grid_row(heading: &str, cells: impl Iterator<Item = ViewCell>) -> Vec<ViewCell> {
    std::iter::once(ViewCell::from_text(heading)).chain(cells).collect()
}

/// How the members of each kind look.
#[derive(Clone, Debug)]
pub(super) struct Looks {
    /// What stands for them where there is little room.
    shorts: Vec<Vec<String>>,
    colours: Vec<Vec<Paint>>,
}

#[derive(Clone, Copy)]
pub(super) struct ViewContext<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) rules: &'a Rules,
    pub(super) program: &'a Program,
    pub(super) names: &'a [String],
    pub(super) state: &'a State,
    /// The seat that looks, if one does.
    pub(super) player: Option<u8>,
    /// A bit for each player whose eyes count: what one of them does not see is not shown.
    pub(super) eyes: u64,
    /// The dice that were rolled, if that is known; all others that show their first face are empty.
    pub(super) rolled: Option<&'a BTreeSet<String>>,
    /// Whether what the file leaves undrawn is shown, too.
    pub(super) whole: bool,
}

impl<'a> ViewContext<'a> {
    /// A variable that is drawn or worded alone.
    fn build_thing(self, var: &VarInfo, seat: usize) -> Thing {
        let title = var.title.clone();
        if let Some((grid, value)) = grids::alone(self, var, seat) {
            return Thing { title, value, grid, ..Thing::default() };
        }
        if !var.dims.is_empty() {
            return Thing { title, value: self.print_elements(var, seat), ..Thing::default() };
        }
        let (value, _) = self.print_element(var, (seat, 0));
        let words = self.visible_words(var, (seat, 0)).unwrap_or_default();
        let inks = self.inks(&var.format, &words, &value);
        Thing { title, value, inks, ..Thing::default() }
    }

    fn build_cell(self, var: &VarInfo, at: (usize, usize)) -> ViewCell {
        if let Some((cards, pile)) = self.pile_at(var, at) {
            return ViewCell::from_text(&self.seen_pile(cards, pile).text);
        }
        let Some(words) = self.visible_words(var, at) else { return ViewCell::from_text(UNSEEN) };
        match (&var.format.shape, words.as_slice()) {
            (ValueShape::Bool, [0]) | (_, [NONE]) => ViewCell::from_text(EMPTY),
            (ValueShape::Bool, _) => ViewCell::from_text(YES),
            _ => {
                // A cell has room for the name of a player, not for the seat.
                let is_player = var.format.shape == ValueShape::Member(0);
                let manner = if is_player { Manner::Typed } else { var.format.manner };
                let text = self.print_words(&words, &Format { manner, ..var.format.clone() });
                let inks = self.inks(&var.format, &words, &text);
                ViewCell {
                    glyph: self.glyph(&var.format, &words),
                    ..ViewCell::coloured(text, inks)
                }
            }
        }
    }

    /// The colours of the words that a value stands in, if it is a member.
    fn inks(self, format: &Format, words: &[i64], text: &str) -> Vec<Paint> {
        let (ValueShape::Member(kind), [word]) = (&format.shape, words) else { return Vec::new() };
        let Ok(at) = usize::try_from(*word) else { return Vec::new() };
        colour::colour_words(self, usize::from(*kind), at, text)
    }

    /// The glyph of a value, if it is a member that has one; of a set those of its members, where all have some.
    fn glyph(self, format: &Format, words: &[i64]) -> Option<String> {
        let glyph = |kind: u16, word: i64| {
            colour::glyph(self.rules, usize::from(kind), usize::try_from(word).ok()?)
        };
        match (&format.shape, words) {
            (ValueShape::Member(kind), [word]) => glyph(*kind, *word),
            (ValueShape::Members(kind), _) => {
                // A title of one letter stands for itself.
                let title = |word: i64| {
                    let at = usize::try_from(word).ok()?;
                    let title = &self.rules.kinds[usize::from(*kind)].members.get(at)?.title;
                    (title.chars().count() == 1).then(|| title.clone())
                };
                let sign = |word: i64| glyph(*kind, word).or_else(|| title(word));
                let signs: Option<Vec<String>> = vm::members(words).map(sign).collect();
                let is_close = |signs: &Vec<String>| signs.iter().all(|it| it.chars().count() == 1);
                let several = signs.filter(|signs| signs.len() > 1);
                several.map(|signs| signs.join(if is_close(&signs) { "" } else { " " }))
            }
            _ => None,
        }
    }

    /// The kind of a dimension, if it is over one.
    fn dim_kind(self, dim: &DimInfo) -> Option<&'a Kind> {
        self.rules.kinds.get(usize::from(dim.kind?))
    }

    fn dim_layout(self, dim: &DimInfo) -> Option<CellLayout> {
        Some(self.dim_kind(dim)?.as_board()?.cell_layout())
    }

    /// The positions of the members of a dimension that belong to its kind: an array over a part of
    /// a kind has room for the whole.
    fn own_positions(self, dim: &DimInfo) -> Vec<usize> {
        (0..dim.size).filter(|at| self.is_own(dim, *at)).collect()
    }

    fn is_own(self, dim: &DimInfo, position: usize) -> bool {
        let kind = dim.kind.and_then(|kind| self.program.kinds.get(usize::from(kind)));
        kind.is_none_or(|kind| kind.own.is_empty() || kind.own.contains(&position))
    }

    /// An index in words, by its position among all.
    fn print_index(self, dim: &DimInfo, position: usize) -> String {
        self.index_as(dim, position, Manner::Said)
    }

    fn index_as(self, dim: &DimInfo, position: usize, manner: Manner) -> String {
        let shape = dim.kind.map_or(ValueShape::Number, ValueShape::Member);
        let position = i64::try_from(position).expect("a dimension fits into the state");
        self.print_words(&[dim.low + position], &Format { shape, manner })
    }

    fn print_words(self, words: &[i64], format: &Format) -> String {
        print_as(self.program, self.names, words, format)
    }

    /// An element in words, and whether there is anything to say about it.
    fn print_element(self, var: &VarInfo, at: (usize, usize)) -> (String, Option<bool>) {
        if let Some((cards, pile)) = self.pile_at(var, at) {
            return (self.print_pile(var, cards, pile), Some(true));
        }
        let Some(words) = self.visible_words(var, at) else { return (UNSEEN.to_owned(), None) };
        if self.is_unrolled(var, at) {
            return (UNROLLED.to_owned(), Some(false));
        }
        let shown = self.print_words(&words, &var.format);
        (shown, Some(words.iter().any(|word| *word != 0)))
    }

    fn pile_at(self, var: &VarInfo, at: (usize, usize)) -> Option<(&'a CardsInfo, usize)> {
        let slot = usize::from(var.base) + (at.0 * var.count() + at.1) * usize::from(var.width);
        self.program.cards.iter().find_map(|cards| cards.pile_at(slot))
    }

    /// A pile: how many cards there are, and those that the viewer knows.
    fn print_pile(self, var: &VarInfo, cards: &CardsInfo, pile: usize) -> String {
        let set = self.state.slice(cards.set_of(pile), cards.width.into());
        let count: u32 = set.iter().map(|word| word.count_ones()).sum();
        let shown = |set: &[i64]| self.print_words(set, &var.format);
        let Some(known) = self.known_cards(cards, pile) else {
            return match cards_from_top(cards, self.state, pile) {
                Some(order) => format!("{count}: {}", self.print_in_order(cards, &order)),
                None if count == 0 => shown(set),
                None => format!("{count}: {}", shown(set)),
            };
        };
        let cards = if count == 1 { "1 card".to_owned() } else { format!("{count} cards") };
        if known.iter().all(|word| *word == 0) {
            return cards;
        }
        format!("{cards}, among them {}", shown(&known))
    }

    /// Cards as they lie, the top one first.
    fn print_in_order(self, cards: &CardsInfo, order: &[usize]) -> String {
        let format = Format { shape: ValueShape::Member(cards.kind), manner: Manner::Said };
        let word = |card: &usize| i64::try_from(*card).expect("a card of a kind");
        let names = order.iter().map(|card| self.print_words(&[word(card)], &format));
        names.collect::<Vec<_>>().join(", ")
    }

    /// The players who have to see what is shown.
    fn seers(self) -> impl Iterator<Item = u8> {
        (0..64).filter(move |player| self.eyes >> player & 1 == 1)
    }

    /// The cards of a pile that the viewer knows, as a set; none where the viewer sees the pile.
    fn known_cards(self, cards: &CardsInfo, pile: usize) -> Option<Vec<i64>> {
        let known = usize::from(cards.known?);
        let blind = self.seers().map(usize::from).filter(|it| !cards.piles[pile].is_seen_by(*it));
        let width = usize::from(cards.width);
        blind.fold(None, |shown, player| {
            let set = shown.unwrap_or_else(|| self.state.slice(cards.set_of(pile), width).to_vec());
            let known = self.state.slice(known + player * width, width);
            Some(set.iter().zip(known).map(|(here, known)| here & known).collect())
        })
    }

    /// The words of an element; none if the player does not see it.
    fn visible_words(self, var: &VarInfo, (seat, element): (usize, usize)) -> Option<Vec<i64>> {
        let unseen = |player| !sees(self.state, var, (seat, element), player);
        let hides = |(cards, pile)| self.known_cards(cards, pile).is_some();
        if self.seers().any(unseen) || self.pile_at(var, (seat, element)).is_some_and(hides) {
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
        let ViewContext { program, rolled, .. } = self;
        let Some(rolled) = rolled else { return false };
        if !self.is_die(var) {
            return false;
        }
        let at = seat * var.count() + element;
        let now = var.element(program.players, at, |slot| self.state.word(slot));
        let first = var.element(program.players, at, |slot| program.initial[slot]);
        now == first && !rolled.contains(&self.die(var, seat, element))
    }

    fn is_die(self, var: &VarInfo) -> bool {
        let is_die = |number: usize| matches!(self.rules.vars[number].form, VarForm::Die(_));
        let number = self.program.vars.iter().position(|it| std::ptr::eq(it, var));
        number.is_some_and(is_die)
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
    fn print_elements(self, var: &VarInfo, seat: usize) -> String {
        let yes_no = var.format.shape == ValueShape::Bool;
        let mut parts = Vec::new();
        for element in 0..var.count() {
            let positions = positions(&var.dims, element);
            if !var.dims.iter().zip(&positions).all(|(dim, at)| self.is_own(dim, *at)) {
                continue;
            }
            let (value, holds) = self.print_element(var, (seat, element));
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

/// For each member of a kind the shortest beginning of its name that no other name has.
fn member_tags(rules: &Rules, kind: usize) -> Vec<String> {
    let names = rules.kinds[kind].members.iter().map(|member| member.name.as_str());
    shortest(&names.collect::<Vec<_>>())
}

/// The tags of all kinds; none for kinds of many members.
fn all_tags(rules: &Rules) -> Vec<Vec<String>> {
    let few = |kind: &usize| rules.kinds[*kind].members.len() <= MOST_TAGGED;
    let tags = |kind: usize| if few(&kind) { member_tags(rules, kind) } else { Vec::new() };
    (0..rules.kinds.len()).map(tags).collect()
}

/// For each name its shortest beginning that no other name has.
fn shortest(names: &[&str]) -> Vec<String> {
    let shortest = |name: &&str| {
        let alone = |tag: &&str| names.iter().filter(|other| other.starts_with(*tag)).count() == 1;
        let ends = name.char_indices().skip(1).map(|(at, _)| at).chain([name.len()]);
        ends.map(|end| &name[..end]).find(alone).unwrap_or(name).to_owned()
    };
    names.iter().map(shortest).collect()
}
