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
        let lies = states.map(|state| lying((program, cards), (*number, *pile), state, seat));
        lies[0] != lies[1]
    };
    piles().find(differs).map(|(_, (_, pile))| program.vars[usize::from(pile.var)].name.clone())
}

/// How many cards lie in a pile, and the faces of those that the seat sees or has seen: they may have lain open for a
/// moment.
fn lying(
    (program, cards): (&Program, &CardsInfo),
    (number, pile): (usize, &PileInfo),
    state: &State,
    seat: Player,
) -> (usize, Vec<u16>) {
    let cells = state.slice(cards.set_of(number), cards.width.into());
    let is_open = pile.is_seen_by(seat.index());
    let is_known = |card: &usize| {
        let card = i64::try_from(*card).expect("there are few cards");
        is_open || vm::knows_card(program, state, seat.0, (cards.kind, card))
    };
    let mut faces: Vec<u16> =
        members(cells).filter(is_known).map(|card| cards.faces[card]).collect();
    faces.sort_unstable();
    (members(cells).count(), faces)
}
