//! What lies on the table of the machine, read into the data of the evaluator.

use std::collections::BTreeSet;

use astragal::bytecode::cards::{CardsInfo, LANES, PileInfo};
use astragal::bytecode::program::NONE;
use astragal::check::rules::{Domain, HistoryId, Rules, Type, VarForm};
use astragal::game::{Game, State};
use astragal::syntax::ast::Owner;

use super::evaluator::Table;
use super::value::{Datum, Key, number, place};

/// The first thing that differs, in words.
pub(super) fn difference(
    game: &Game,
    rules: &Rules,
    state: &State,
    table: &Table,
) -> Option<String> {
    let differ = |what: String, machine: String, evaluator: String| {
        Some(format!("{what}\n  machine:   {machine}\n  evaluator: {evaluator}"))
    };
    for ((var, key), value) in &table.elements {
        let found = element(game, rules, state, *var, key);
        if found != *value {
            let what = format!("{}{key:?}", rules.vars[*var].name);
            return differ(what, format!("{found:?}"), format!("{value:?}"));
        }
    }
    for (at, history) in rules.histories.iter().enumerate() {
        let found = (state.times(game.program(), at), state.remembered(at));
        let different: BTreeSet<_> = table.past[at].iter().collect();
        let wanted = (table.times(rules, HistoryId::at(at)), different.len());
        if found != wanted {
            let what = format!("{}: how often it is as now, and how many there are", history.name);
            return differ(what, format!("{found:?}"), format!("{wanted:?}"));
        }
    }
    for ((var, key), heap) in &table.heaps {
        let (cards, pile) = pile_of(game, rules, *var, key);
        let found = groups(cards, pile, state);
        let wanted = if heap.ordered { heap.groups.clone() } else { whole(heap.cards()) };
        if found != wanted {
            let what = format!("{}{key:?}", rules.vars[*var].name);
            return differ(what, format!("{found:?}"), format!("{wanted:?}"));
        }
    }
    None
}

/// The number of an element of a variable, counted with the owner first.
fn position(game: &Game, var: usize, key: &Key) -> usize {
    let info = &game.program().vars[var];
    let (owner, indices) = key.split_at(key.len() - info.dims.len());
    let first = owner.first().map_or(0, |owner| place(*owner));
    let indices = indices.iter().zip(&info.dims);
    indices.fold(first, |at, (index, dim)| at * dim.size + place(index - dim.low))
}

fn element(game: &Game, rules: &Rules, state: &State, var: usize, key: &Key) -> Datum {
    let info = &game.program().vars[var];
    let at = position(game, var, key);
    let words = info.element(game.info().players, at, |slot| state.word(slot));
    match &rules.vars[var].ty {
        Type::Set(domain) => Datum::Set(bits(&words, low(rules, game, *domain, var))),
        _ if words[0] == NONE => Datum::None,
        _ => Datum::Int(words[0]),
    }
}

/// What the first bit of a set stands for.
fn low(rules: &Rules, game: &Game, domain: Domain, var: usize) -> i64 {
    use astragal::bytecode::program::Shape;
    match (domain, &game.program().vars[var].format.shape) {
        (Domain::Range(_), Shape::Numbers(low)) => *low,
        (Domain::Kind(_), _) => 0,
        (_, shape) => panic!("{} is printed as {shape:?}", rules.vars[var].name),
    }
}

fn bits(words: &[i64], low: i64) -> BTreeSet<i64> {
    let is_in = |bit: &usize| words[bit / 64] >> (bit % 64) & 1 == 1;
    (0..words.len() * 64).filter(is_in).map(|bit| low + number(bit)).collect()
}

fn pile_of<'g>(
    game: &'g Game,
    rules: &Rules,
    var: usize,
    key: &Key,
) -> (&'g CardsInfo, &'g PileInfo) {
    let VarForm::Pile(_) = rules.vars[var].form else { panic!("it is a pile") };
    let of_player = rules.vars[var].owner == Owner::Player;
    let owner = of_player.then(|| u8::try_from(key[0]).expect("a seat is a small number"));
    let indices = if of_player { &key[1..] } else { key.as_slice() };
    let dims = game.program().vars[var].dims.iter().zip(indices);
    let at = dims.fold(0, |at, (dim, index)| at * dim.size + place(index - dim.low));
    let is_it = |pile: &&PileInfo| {
        usize::from(pile.var) == var && pile.owner == owner && usize::from(pile.element) == at
    };
    let all = game.program().cards.iter();
    let mut all = all.flat_map(|cards| cards.piles.iter().map(move |pile| (cards, pile)));
    all.find(|(_, pile)| is_it(pile)).expect("every pile lies somewhere")
}

/// The cards of a pile, from the bottom up, in groups.
fn groups(cards: &CardsInfo, pile: &PileInfo, state: &State) -> Vec<BTreeSet<i64>> {
    let at = cards.piles.iter().position(|other| other == pile).expect("it is one of them");
    let set = bits(state.slice(cards.set_of(at), cards.width.into()), 0);
    let Some(order) = pile.order else { return whole(set) };
    let order = usize::from(order);
    // Of one group nothing is written: so equal positions have equal words.
    if state.slice(order, cards.order_words()).iter().all(|word| *word == 0) {
        return whole(set);
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

fn whole(cards: BTreeSet<i64>) -> Vec<BTreeSet<i64>> {
    if cards.is_empty() { Vec::new() } else { vec![cards] }
}
