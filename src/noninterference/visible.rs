//! What a seat sees of two states: values that differ were disclosed, since what is stored is as visible as its place.

use crate::bytecode::Program;
use crate::bytecode::cards::{CardsInfo, PileInfo};
use crate::bytecode::sets::members;
use crate::game::{Game, Player, State};
use crate::vm::{self, sees};

/// The first variable or pile that the seat sees in both states, and that differs.
pub(super) fn disclosed(game: &Game, states: [&State; 2], seat: Player) -> Option<String> {
    let program = game.program();
    let piles = || {
        program.cards.iter().flat_map(|cards| (0..).zip(&cards.piles).map(move |it| (cards, it)))
    };
    let is_pile = |var: usize| piles().any(|(_, (_, pile))| usize::from(pile.var) == var);
    for (at, var) in program.vars.iter().enumerate().filter(|(at, _)| !is_pile(*at)) {
        let owners = if var.of_player { program.players } else { 1 };
        for place in 0..owners * var.count() {
            let of = (place / var.count(), place % var.count());
            let is_seen = states.iter().all(|state| sees(state, var, of, seat.0));
            let value =
                |state: &State| var.element(program.players, place, |slot| state.word(slot));
            if is_seen && value(states[0]) != value(states[1]) {
                return Some(program.vars[at].name.clone());
            }
        }
    }
    let differs = |(cards, (number, pile)): &(&CardsInfo, (usize, &PileInfo))| {
        let lies = states.map(|state| lying(cards, (*number, *pile), state, seat));
        lies[0] != lies[1]
    };
    let pile = piles().find(differs).or_else(|| {
        // What the seat saw for a moment, or by a look, was shown on purpose; where it is believed to lie is not.
        let saw = |(cards, _): &(&CardsInfo, _)| {
            let known = states.map(|state| known_faces((program, cards), state, seat));
            known[0] != known[1]
        };
        piles().find(saw)
    });
    pile.map(|(_, (_, pile))| program.vars[usize::from(pile.var)].name.clone())
}

/// How many cards lie in a pile, and their faces if the seat sees them.
fn lying(
    cards: &CardsInfo,
    (number, pile): (usize, &PileInfo),
    state: &State,
    seat: Player,
) -> (usize, Vec<u16>) {
    let cells = state.slice(cards.set_of(number), cards.width.into());
    let is_open = |_: &usize| pile.is_seen_by(seat.index());
    let mut faces: Vec<u16> =
        members(cells).filter(is_open).map(|card| cards.faces[card]).collect();
    faces.sort_unstable();
    (members(cells).count(), faces)
}

/// The faces of all cards of a kind of which a seat knows where they lie.
fn known_faces((program, cards): (&Program, &CardsInfo), state: &State, seat: Player) -> Vec<u16> {
    let is_known = |card: &usize| {
        let card = i64::try_from(*card).expect("there are few cards");
        vm::knows_card(program, state, seat.0, (cards.kind, card))
    };
    let all = 0..cards.faces.len();
    let mut faces: Vec<u16> = all.filter(is_known).map(|card| cards.faces[card]).collect();
    faces.sort_unstable();
    faces
}
