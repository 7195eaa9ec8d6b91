//! Compares the tables and knowledge of engine and reference: finds the first difference.

use std::collections::BTreeSet;

use crate::bytecode::cards::{CardsInfo, LANES};
use crate::bytecode::program::{NONE, ValueShape};
use crate::bytecode::to_word;
use crate::game::{Game, State, element_place, knows_card};
use crate::reference::{Datum, ElementKey, Knowledge, TableState};
use crate::rules::{Domain, HistoryId, Type};
use crate::syntax::ast::{Owner, Visibility};

/// Returns the first thing that differs: what it is, the engine's value, and the reference's.
pub(super) fn difference(game: &Game, state: &State, table: &TableState) -> Option<[String; 3]> {
    compare_elements(game, state, table)
        .or_else(|| compare_histories(game, state, table))
        .or_else(|| compare_piles(game, state, table))
        .or_else(|| compare_knowledge(game, state, &table.knowledge))
        .or_else(|| known_cards(game, state, &table.knowledge))
}

/// Nothing, or how two values differ.
pub(super) fn unequal<T: PartialEq + std::fmt::Debug>(
    engine: &T,
    reference: &T,
    what: impl FnOnce() -> String,
) -> Option<[String; 3]> {
    let differ = engine != reference;
    differ.then(|| [what(), format!("{engine:?}"), format!("{reference:?}")])
}

fn compare_elements(game: &Game, state: &State, table: &TableState) -> Option<[String; 3]> {
    table.elements.iter().find_map(|((var, key), value)| {
        let found = element_datum(game, state, *var, key);
        unequal(&found, value, || format!("{}{key:?}", game.rules().vars[*var].name))
    })
}

fn compare_histories(game: &Game, state: &State, table: &TableState) -> Option<[String; 3]> {
    game.rules().histories.iter().enumerate().find_map(|(at, history)| {
        let found = (state.times(game.program(), at), state.remembered(at));
        let different: BTreeSet<_> = table.past[at].iter().collect();
        let wanted = (table.count_repeats(game.rules(), HistoryId::at(at)), different.len());
        let what = || format!("{}: how often it is as now, and how many there are", history.name);
        unequal(&found, &wanted, what)
    })
}

fn compare_piles(game: &Game, state: &State, table: &TableState) -> Option<[String; 3]> {
    table.piles.iter().find_map(|((var, key), pile)| {
        let (cards, pile_number) = pile_of(game, *var, key);
        let found = groups(cards, pile_number, state);
        let wanted = if pile.ordered { pile.groups.clone() } else { into_groups(pile.cards()) };
        unequal(&found, &wanted, || format!("{}{key:?}", game.rules().vars[*var].name))
    })
}

/// Compares who knows the elements of hidden variables; what, engine and reference where they differ.
fn compare_knowledge(game: &Game, state: &State, known: &Knowledge) -> Option<[String; 3]> {
    let players = game.info().players;
    for (at, var) in
        game.rules().vars.iter().enumerate().filter(|(_, it)| it.sight != Visibility::All)
    {
        let info = &game.program().vars[at];
        let Some(secret) = &info.secret else { continue };
        let seats = if var.owner == Owner::Player { players } else { 1 };
        for element in 0..seats * info.count() {
            let word = state.word(usize::from(secret.known) + element);
            let found: BTreeSet<i64> = members_of_bits(&[word], 0);
            let key = key_of(game, at, element, var.owner == Owner::Player);
            let wanted = known.shown.get(&(at, key.clone())).cloned().unwrap_or_default();
            let what = || format!("who was shown {}{key:?}", var.name);
            if let Some(differ) = unequal(&found, &wanted, what) {
                return Some(differ);
            }
        }
    }
    None
}

/// Which cards each player knows to lie where they lie, where the engine keeps that.
fn known_cards(game: &Game, state: &State, known: &Knowledge) -> Option<[String; 3]> {
    let kept = game.program().cards.iter().filter(|info| info.known.is_some());
    kept.flat_map(|info| (0..).take(game.info().players).map(move |seat| (info, seat))).find_map(
        |(info, seat)| {
            let kind = crate::rules::KindId(info.kind.into());
            let cards = (0..).take(info.faces.len());
            let is_known = |card: &i64| knows_card(game.program(), state, seat, (info.kind, *card));
            let found: BTreeSet<i64> = cards.filter(is_known).collect();
            let wanted = known.cards.get(&(kind, seat.into())).cloned().unwrap_or_default();
            let what = || format!("the cards of kind {} that player {seat} knows", info.kind);
            unequal(&found, &wanted, what)
        },
    )
}

/// The indices of an element of a variable, the owner first.
fn key_of(game: &Game, var: usize, element: usize, of_player: bool) -> ElementKey {
    let info = &game.program().vars[var];
    let (mut left, mut key) = (element, ElementKey::new());
    for dim in info.dims.iter().rev() {
        key.insert(0, dim.low + to_word(left % dim.size));
        left /= dim.size;
    }
    if of_player {
        key.insert(0, to_word(left));
    }
    key
}

/// The number of an element of a variable, counted with the owner first.
fn element_index(game: &Game, var: usize, key: &ElementKey) -> usize {
    let place = element_place(&game.program().vars[var], game.info().players, key);
    place.expect("every element lies somewhere")
}

fn element_datum(game: &Game, state: &State, var: usize, key: &ElementKey) -> Datum {
    let info = &game.program().vars[var];
    let at = element_index(game, var, key);
    let words = info.element(game.info().players, at, |slot| state.word(slot));
    match &game.rules().vars[var].ty {
        Type::Set(domain) => Datum::Set(members_of_bits(&words, low(game, *domain, var))),
        _ if words[0] == NONE => Datum::None,
        _ => Datum::Int(words[0]),
    }
}

/// The value of the first bit of a set.
fn low(game: &Game, domain: Domain, var: usize) -> i64 {
    match (domain, &game.program().vars[var].format.shape) {
        (Domain::Range(_), ValueShape::Numbers(low)) => *low,
        (Domain::Kind(_), _) => 0,
        (_, shape) => panic!("{} is printed as {shape:?}", game.rules().vars[var].name),
    }
}

fn members_of_bits(words: &[i64], low: i64) -> BTreeSet<i64> {
    let is_in = |bit: &usize| words[bit / 64] >> (bit % 64) & 1 == 1;
    (0..words.len() * 64).filter(is_in).map(|bit| low + to_word(bit)).collect()
}

/// The cards that a pile is made of, and its number among their piles.
fn pile_of<'g>(game: &'g Game, var: usize, key: &ElementKey) -> (&'g CardsInfo, usize) {
    let info = &game.program().vars[var];
    let slot = usize::from(info.base) + element_index(game, var, key) * usize::from(info.width);
    let mut all = game.program().cards.iter();
    all.find_map(|cards| cards.pile_at(slot)).expect("every pile lies somewhere")
}

/// The cards of a pile, from the bottom up, in groups.
fn groups(cards: &CardsInfo, pile: usize, state: &State) -> Vec<BTreeSet<i64>> {
    let set = members_of_bits(state.slice(cards.set_of(pile), cards.width.into()), 0);
    let Some(order) = cards.piles[pile].order else { return into_groups(set) };
    let order = usize::from(order);
    // Where all cards are one group, no order is written: so equal positions have equal words.
    if state.slice(order, cards.order_words()).iter().all(|word| *word == 0) {
        return into_groups(set);
    }
    let lane = 64 / LANES;
    let mut groups: Vec<BTreeSet<i64>> = Vec::new();
    for nth in 0..set.len() {
        let word = state.word(order + nth / LANES);
        let card = word >> (nth % LANES * lane) & ((1 << lane) - 1);
        let joined = state.word(order + cards.lane_words() + nth / 64) >> (nth % 64) & 1 == 1;
        match groups.last_mut().filter(|_| joined) {
            Some(group) => {
                group.insert(card);
            }
            None => groups.push([card].into()),
        }
    }
    assert_eq!(groups.iter().flatten().copied().collect::<BTreeSet<i64>>(), set);
    assert!(groups.len() > 1, "one group is written out");
    groups
}

fn into_groups(cards: BTreeSet<i64>) -> Vec<BTreeSet<i64>> {
    if cards.is_empty() { Vec::new() } else { vec![cards] }
}
