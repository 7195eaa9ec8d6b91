//! Deals cards that a player does not know anew over the places where they could lie.

use crate::bytecode::program::Promise;
use crate::bytecode::sets::{bit, members, set_bit, subtract};
use crate::bytecode::{CardsInfo, Program};
use crate::chance::Chance;
use crate::vm::order::{MOST_WORDS, OpenOrder, set_lane};
use crate::vm::piles::Piles;
use crate::vm::{State, compute};

/// How often cards are dealt evenly in the hope that all come where they can be.
const TRIES: usize = 20;
const EXCHANGES: usize = 20;

pub(super) fn hides(program: &Program) -> bool {
    program.cards.iter().any(|info| info.known.is_some())
}

/// Puts unknown cards into an order that follows from where they could lie, and tells nothing.
pub(super) fn blank(program: &Program, state: &mut State, player: u8) {
    for mut unknown in unknown(program, state, player) {
        unknown.cards.sort_unstable();
        unknown.places.sort_unstable();
        let mut piles = piles(program, state, unknown.info);
        let cards = unknown.matching(&piles);
        unknown.put_cards(&mut piles, &cards);
    }
}

/// For each kind of cards those that a player does not know, if there are any.
pub(super) fn unknown<'p>(program: &'p Program, state: &mut State, player: u8) -> Vec<Unknown<'p>> {
    let kinds = program.cards.iter().filter(|info| info.known.is_some());
    let unknown =
        kinds.map(|info| Unknown::of_piles(info, &piles(program, state, info), player.into()));
    unknown.filter(|unknown| !unknown.cards.is_empty()).collect()
}

/// Takes unknown cards from the piles where they cannot lie, since an `always` that says something of each card
/// alone would break; whether there were any.
///
/// Each deal of the cards that are left keeps these promises, and each that keeps them is left: such a promise holds
/// exactly if it holds of each card by itself.
pub(super) fn narrow(program: &Program, seen: &mut State, player: u8) -> bool {
    let mut narrows = false;
    for unknown in unknown(program, seen, player) {
        let mut bare = seen.clone();
        unknown.take_out(&mut piles(program, &mut bare, unknown.info));
        // What breaks with no unknown card anywhere says nothing of a card.
        let promises = program.always.iter().filter(|it| it.is_of_single_cards);
        let promises: Vec<&Promise> = promises.filter(|it| keeps(program, &mut bare, it)).collect();
        let mut here: Vec<usize> = unknown.places.iter().map(|place| place.pile).collect();
        here.dedup();
        here.retain(|pile| unknown.info.piles[*pile].order.is_none() && !promises.is_empty());
        for pile in here {
            let misfits = unknown.misfits(program, (&mut bare, &promises), pile);
            let mut piles = piles(program, seen, unknown.info);
            if let Some(could) = piles.could_mut(pile) {
                misfits.iter().for_each(|card| set_bit(could, *card, false));
                narrows |= !misfits.is_empty();
            }
        }
    }
    narrows
}

fn keeps(program: &Program, state: &mut State, promise: &Promise) -> bool {
    compute(program, state, promise.piece, 0) == Ok(promise.kept)
}

/// Lets cards lie where they could in another state.
pub(super) fn widen(program: &Program, state: &mut State, like: &State) {
    for info in &program.cards {
        for could in info.piles.iter().filter_map(|pile| pile.could).map(usize::from) {
            let slots = could..could + usize::from(info.width);
            state.words[slots.clone()].copy_from_slice(&like.words[slots]);
        }
    }
}

fn piles<'a>(program: &Program, state: &'a mut State, info: &'a CardsInfo) -> Piles<'a> {
    let words = state.words.as_mut_slice();
    Piles { info, words, players: program.players, known: info.known }
}

/// A place where a card lies that somebody does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct UnseenPlace {
    pile: usize,
    /// Which of the groups of its order, from the bottom; the first where there is no order.
    group: usize,
    /// A bit for each other player who knows the card.
    knowers: u64,
}

/// The cards of a kind that a player does not know, and as many places.
#[derive(Debug)]
pub(super) struct Unknown<'p> {
    info: &'p CardsInfo,
    cards: Vec<usize>,
    places: Vec<UnseenPlace>,
    /// Groups of places between which cards can be exchanged, where an exchange changes something.
    parts: Vec<Vec<usize>>,
}

impl<'p> Unknown<'p> {
    fn of_piles(info: &'p CardsInfo, piles: &Piles, player: usize) -> Unknown<'p> {
        let (cards, places, parts) = Default::default();
        let mut unknown = Unknown { info, cards, places, parts };
        for pile in 0..piles.info.piles.len() {
            let mut set = piles.all(pile);
            subtract(&mut set, piles.known(player));
            for card in members(&set) {
                let (group, knowers) = (group(piles, pile, card), knowers(piles, card));
                unknown.cards.push(card);
                unknown.places.push(UnseenPlace { pile, group, knowers });
            }
        }
        unknown.parts = unknown.parts(piles);
        unknown
    }

    /// Deals the cards over the places: a random deal in which each could lie where it does.
    pub(super) fn deal(&self, program: &Program, state: &mut State, chance: &mut impl Chance) {
        let mut piles = piles(program, state, self.info);
        let cards = self.fitting_piles(&piles, chance);
        self.put_cards(&mut piles, &cards);
    }

    /// Takes the cards out of the piles without an order.
    fn take_out(&self, piles: &mut Piles) {
        let mut all = [0; MOST_WORDS];
        self.cards.iter().for_each(|card| set_bit(&mut all, *card, true));
        let unordered = |pile: &usize| self.info.piles[*pile].order.is_none();
        (0..self.info.piles.len()).filter(unordered).for_each(|pile| {
            subtract(piles.set_mut(pile), &all);
        });
    }

    /// The cards that break a promise where they lie in a pile; none if all do, since the rules then broke it.
    fn misfits(
        &self,
        program: &Program,
        (bare, promises): (&mut State, &[&Promise]),
        pile: usize,
    ) -> Vec<usize> {
        let breaks = |card: &usize| {
            set_bit(piles(program, bare, self.info).set_mut(pile), *card, true);
            let breaks = promises.iter().any(|it| !keeps(program, bare, it));
            set_bit(piles(program, bare, self.info).set_mut(pile), *card, false);
            breaks
        };
        let misfits: Vec<usize> = self.cards.iter().copied().filter(breaks).collect();
        if misfits.len() == self.cards.len() { Vec::new() } else { misfits }
    }

    fn put_cards(&self, piles: &mut Piles, cards: &[usize]) {
        let mut all = [0; MOST_WORDS];
        self.cards.iter().for_each(|card| set_bit(&mut all, *card, true));
        (0..piles.players).for_each(|player| subtract(piles.known_mut(player), &all));
        let mut left = cards;
        // The places of a pile stand together.
        for places in self.places.chunk_by(|a, b| a.pile == b.pile) {
            let (here, rest) = left.split_at(places.len());
            left = rest;
            let pile = places[0].pile;
            if piles.pile(pile).order.is_some() {
                let groups = here.iter().zip(places).map(|(card, place)| (*card, place.group));
                let groups: Vec<_> = groups.collect();
                piles.change_order(pile, |order| order_anew(order, &all, &groups));
            }
            let set = piles.set_mut(pile);
            subtract(set, &all);
            here.iter().for_each(|card| set_bit(set, *card, true));
        }
        for (card, place) in cards.iter().zip(&self.places) {
            for player in (0..piles.players).filter(|player| place.knowers >> player & 1 == 1) {
                set_bit(piles.known_mut(player), *card, true);
            }
        }
    }

    /// The cards for the places, in the order of their kind if each can lie so, else as they are.
    fn matching(&self, piles: &Piles) -> Vec<usize> {
        let mut taken = vec![None; self.places.len()];
        let mut first_free = 0;
        for card in self.cards.iter().rev() {
            // Mostly some place is free, and nobody has to make room.
            let mut free = (first_free..taken.len()).filter(|at| taken[*at].is_none());
            if let Some(at) = free.find(|at| fits(piles, *card, self.places[*at].pile)) {
                taken[at] = Some(*card);
            } else if !self.assign_place(
                piles,
                *card,
                &mut taken,
                &mut vec![false; self.places.len()],
            ) {
                return self.cards.clone();
            }
            while taken.get(first_free).is_some_and(Option::is_some) {
                first_free += 1;
            }
        }
        taken.into_iter().map(|card| card.expect("as many cards as places")).collect()
    }

    /// Finds a place for one more card; others make room where they can.
    fn assign_place(
        &self,
        piles: &Piles,
        card: usize,
        taken: &mut [Option<usize>],
        tried: &mut [bool],
    ) -> bool {
        for (at, place) in self.places.iter().enumerate() {
            if tried[at] || !fits(piles, card, place.pile) {
                continue;
            }
            tried[at] = true;
            if taken[at].is_none_or(|other| self.assign_place(piles, other, taken, tried)) {
                taken[at] = Some(card);
                return true;
            }
        }
        false
    }

    fn fitting_piles(&self, piles: &Piles, chance: &mut impl Chance) -> Vec<usize> {
        let mut cards = self.cards.clone();
        for part in &self.parts {
            if !(0..TRIES).any(|_| self.shuffle(&mut cards, part, piles, chance)) {
                self.exchange(&mut cards, part, piles, chance);
            }
        }
        cards
    }

    fn parts(&self, piles: &Piles) -> Vec<Vec<usize>> {
        let mut here: Vec<usize> = self.places.iter().map(|place| place.pile).collect();
        here.sort_unstable();
        here.dedup();
        // For each of these piles a name of the part that it belongs to.
        let mut names: Vec<usize> = (0..here.len()).collect();
        for card in &self.cards {
            let mut could = (0..here.len()).filter(|at| fits(piles, *card, here[*at]));
            let Some(first) = could.next() else { continue };
            for other in could {
                let (name, gone) = (names[first], names[other]);
                names.iter_mut().filter(|it| **it == gone).for_each(|it| *it = name);
            }
        }
        let name = |place: &UnseenPlace| here.binary_search(&place.pile).map(|at| names[at]);
        let part = |wanted: usize| {
            let places = 0..self.places.len();
            places.filter(|at| name(&self.places[*at]) == Ok(wanted)).collect::<Vec<_>>()
        };
        let differ = |part: &Vec<usize>| {
            let mut places = part.iter().map(|at| &self.places[*at]);
            let first = places.next();
            places.any(|place| Some(place) != first)
        };
        (0..here.len()).map(part).filter(differ).collect()
    }

    /// Shuffles the cards of a part; whether all came where they can be.
    fn shuffle(
        &self,
        cards: &mut [usize],
        part: &[usize],
        piles: &Piles,
        chance: &mut impl Chance,
    ) -> bool {
        let before: Vec<usize> = part.iter().map(|at| cards[*at]).collect();
        for at in (0..part.len()).rev() {
            cards.swap(part[at], part[chance.random_index(at + 1)]);
            if !fits(piles, cards[part[at]], self.places[part[at]].pile) {
                part.iter().zip(before).for_each(|(at, card)| cards[*at] = card);
                return false;
            }
        }
        true
    }

    /// Exchanges cards of a part so often that the deal is as good as any that fits.
    fn exchange(
        &self,
        cards: &mut [usize],
        part: &[usize],
        piles: &Piles,
        chance: &mut impl Chance,
    ) {
        let pile = |at: usize| self.places[at].pile;
        for _ in 0..EXCHANGES * part.len() {
            let one = part[chance.random_index(part.len())];
            let other = part[chance.random_index(part.len())];
            if fits(piles, cards[one], pile(other)) && fits(piles, cards[other], pile(one)) {
                cards.swap(one, other);
            }
        }
    }
}

fn fits(piles: &Piles, card: usize, pile: usize) -> bool {
    piles.could(pile).is_some_and(|could| bit(could, card))
}

/// Which group of the order of its pile a card belongs to.
fn group(piles: &Piles, pile: usize, card: usize) -> usize {
    piles.order(pile).map_or(0, |order| order.group_of(card))
}

fn knowers(piles: &Piles, card: usize) -> u64 {
    let know = |player: &usize| bit(piles.known(*player), card);
    (0..piles.players).filter(know).fold(0, |all, player| all | 1 << player)
}

/// Puts cards with their groups in place of those that are taken out of an order.
fn order_anew(order: &mut OpenOrder, out: &[i64; MOST_WORDS], new: &[(usize, usize)]) {
    let mut at = 0;
    let mut number = 0;
    while at < order.count {
        let mut end = at + 1;
        while end < order.count && bit(order.joined, end) {
            end += 1;
        }
        let kept = (at..end).map(|at| order.card(at)).filter(|card| !bit(out, *card));
        let come = new.iter().filter(|(_, group)| *group == number).map(|(card, _)| *card);
        let mut cards: Vec<usize> = kept.chain(come).collect();
        cards.sort_unstable();
        for (nth, card) in cards.into_iter().enumerate() {
            set_lane(order.lanes, at + nth, card);
            set_bit(order.joined, at + nth, nth > 0);
        }
        (at, number) = (end, number + 1);
    }
}
