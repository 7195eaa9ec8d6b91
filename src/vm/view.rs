//! Observations of a player, and states that agree with them.

use crate::bytecode::{NONE, Picks, Program, SITE, ValueDomain, VarInfo, sets};
use crate::chance::Chance;
use crate::vm::stops::decider;
use crate::vm::{Driver, Offers, State, Trap, deal, members, run};

/// How often it is tried to find what others could have picked.
const TRIES: usize = 200;

/// What one player sees of a state where somebody decides, or of one that has ended: a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    player: u8,
    seen: State,
}

impl Observation {
    /// What stands in the words of a value that the player does not see.
    pub(crate) const BLANK: i64 = NONE + 1;

    pub(crate) fn player(&self) -> u8 {
        self.player
    }

    /// The state with everything blank that the player does not see; unknown cards lie in places
    /// that tell nothing.
    pub(crate) fn seen(&self) -> &State {
        &self.seen
    }
}

pub(crate) fn hides(program: &Program) -> bool {
    let secret = program.vars.iter().any(|var| var.secret.is_some());
    secret || !program.picks.is_empty() || deal::hides(program)
}

pub(crate) fn knows_card(program: &Program, state: &State, player: u8, card: (u16, i64)) -> bool {
    let (kind, card) = card;
    let info = program.cards.iter().find(|info| info.kind == kind);
    info.is_some_and(|info| {
        info.known.is_none_or(|known| {
            let width = usize::from(info.width);
            let known = usize::from(known) + usize::from(player) * width;
            sets::has(state.slice(known, width), card)
        })
    })
}

/// The pile where a card lies, counted among those of its kind; none lies in the box.
pub(crate) fn pile_of_card(program: &Program, state: &State, card: (u16, i64)) -> Option<usize> {
    let (kind, card) = card;
    let info = program.cards.iter().find(|info| info.kind == kind)?;
    let holds = |pile: &usize| sets::has(state.slice(info.set_of(*pile), info.width.into()), card);
    (0..info.piles.len()).find(holds)
}

/// The cards of a kind that lie in a pile.
pub(crate) fn cards_of_pile(
    program: &Program,
    state: &State,
    (kind, pile): (u16, usize),
) -> impl Iterator<Item = i64> {
    let info = program.cards.iter().find(|info| info.kind == kind);
    let set = info.map_or(&[][..], |info| state.slice(info.set_of(pile), info.width.into()));
    members(set)
}

pub(crate) fn observe(program: &Program, state: &State, player: u8) -> Observation {
    let mut seen = state.clone();
    for part in hidden(program, state, player) {
        seen.words[part.slot..part.slot + part.width].fill(Observation::BLANK);
    }
    for slot in unseen_picks(program, state, player) {
        seen.words[slot] = Observation::BLANK;
    }
    deal::blank(program, &mut seen, player);
    Observation { player, seen }
}

/// Whether a player sees an element of a variable; `seat` owns it, if each player has one.
pub(crate) fn sees(state: &State, var: &VarInfo, at: (usize, usize), player: u8) -> bool {
    let Some(secret) = &var.secret else { return true };
    let (seat, element) = at;
    let width = usize::from(secret.known_width);
    let known = usize::from(secret.known) + (seat * var.count() + element) * width;
    secret.seers.get(seat).is_some_and(|seers| seers >> player & 1 == 1)
        || sets::has(state.slice(known, width), player.into())
}

/// Draws states that the player of an observation could be in, one after the other: what the player sees
/// is as it was, everything else is drawn at random from what it could be.
#[derive(Debug)]
pub(crate) struct Sampler<'p> {
    program: &'p Program,
    observation: &'p Observation,
    /// The observed state with fewer places for cards, if invariants rule some out.
    narrowed: Option<State>,
    hidden: Vec<Hidden<'p>>,
    deals: Vec<deal::Unknown<'p>>,
}

impl<'p> Sampler<'p> {
    pub(crate) fn new(program: &'p Program, observation: &'p Observation) -> Sampler<'p> {
        let Observation { player, seen } = observation;
        let hidden = hidden(program, seen, *player).collect();
        let mut narrowed = seen.clone();
        let promises = program.always.iter().any(|it| it.is_of_single_cards);
        let narrows = promises && deal::narrow(program, &mut narrowed, *player);
        if narrows {
            deal::blank(program, &mut narrowed, *player);
        }
        let deals = deal::unknown(program, &mut narrowed, *player);
        let narrowed = narrows.then_some(narrowed);
        Sampler { program, observation, narrowed, hidden, deals }
    }

    /// Makes a state of the program one that the player could be in.
    ///
    /// # Errors
    /// A mistake in the rules that showed when other picks were looked for.
    pub(crate) fn sample(&self, chance: &mut impl Chance, state: &mut State) -> Result<(), Trap> {
        let mut tries = TRIES;
        loop {
            state.set_to(self.narrowed.as_ref().unwrap_or(&self.observation.seen));
            self.hidden.iter().for_each(|part| fill(state, part, chance));
            self.deals.iter().for_each(|unknown| unknown.deal(self.program, state, chance));
            if self.narrowed.is_some() {
                deal::widen(self.program, state, &self.observation.seen);
            }
            tries -= 1;
            match sample_picks(self.program, self.observation, state, chance) {
                Err(trap) if tries == 0 => return Err(trap),
                Err(_) => {}
                Ok(()) => return Ok(()),
            }
        }
    }
}

#[derive(Debug)]
struct Hidden<'p> {
    slot: usize,
    width: usize,
    values: &'p ValueDomain,
}

/// The elements of variables that a player does not see.
fn hidden<'p>(program: &'p Program, state: &State, player: u8) -> impl Iterator<Item = Hidden<'p>> {
    let secrets = program.vars.iter().filter_map(|var| Some((var, var.secret.as_ref()?)));
    secrets.flat_map(move |(var, secret)| {
        let seats = if var.of_player { program.players } else { 1 };
        let elements = var.count();
        let width = usize::from(var.width);
        let all = (0..seats).flat_map(move |seat| (0..elements).map(move |at| (seat, at)));
        let unseen = all.filter(move |at| !sees(state, var, *at, player));
        unseen.map(move |(seat, at)| Hidden {
            slot: usize::from(var.base) + (seat * elements + at) * width,
            width,
            values: &secret.values,
        })
    })
}

fn fill(state: &mut State, part: &Hidden, chance: &mut impl Chance) {
    let words = &mut state.words[part.slot..part.slot + part.width];
    match part.values {
        ValueDomain::Between { low, high, or_none } => {
            let count = high.abs_diff(*low).saturating_add(1).saturating_add((*or_none).into());
            let way = chance.below_long(count);
            words[0] = match way.checked_sub((*or_none).into()) {
                None => NONE,
                Some(way) => low.checked_add_unsigned(way).expect("it is at most the highest"),
            };
        }
        ValueDomain::Faces(faces) => {
            let count = u32::try_from(faces.len()).expect("a die has few faces");
            words[0] = faces[chance.below(count) as usize];
        }
        ValueDomain::Subsets(members) => {
            words.fill(0);
            for member in members.iter().filter(|_| chance.below(2) == 1) {
                sets::set_bit(words, *member, true);
            }
        }
    }
}

// What was picked in a decision that several make together.

/// The decision that several make together and that waits, if one does.
fn together(program: &Program, state: &State) -> Option<Picks> {
    let site = state.site_number();
    let picks = program.picks.iter().find(|picks| usize::from(picks.site) == site);
    picks.copied().filter(|_| !state.has_ended())
}

/// The deciders who have decided, in a decision that several make together.
fn decided(program: &Program, state: &State, picks: Picks) -> Vec<usize> {
    let has = |slot: u16, seat| sets::has(state.slice(slot.into(), picks.width.into()), seat);
    let now = i64::from(decider(program, &state.words, picks.site));
    let waits = |seat: &i64| has(picks.deciders, *seat) && !has(picks.rest, *seat) && *seat != now;
    let seats = (0_i64..).zip(0..program.players);
    seats.filter(|(seat, _)| waits(seat)).map(|(_, seat)| seat).collect()
}

/// How many have decided in the decision that several make together and that waits.
pub(crate) fn picked_unseen(program: &Program, state: &State) -> usize {
    together(program, state).map_or(0, |picks| decided(program, state, picks).len())
}

fn words_of(program: &Program, picks: Picks, seat: usize) -> impl Iterator<Item = usize> {
    let players = program.players;
    (0..usize::from(picks.columns)).map(move |at| usize::from(picks.base) + at * players + seat)
}

pub(crate) fn unseen_picks(program: &Program, state: &State, player: u8) -> Vec<usize> {
    let Some(picks) = together(program, state) else { return Vec::new() };
    let others = decided(program, state, picks).into_iter().filter(|it| *it != usize::from(player));
    others.flat_map(|seat| words_of(program, picks, seat)).collect()
}

/// Has those who decided before do so again, all but the one who looks.
fn sample_picks(
    program: &Program,
    observation: &Observation,
    state: &mut State,
    chance: &mut impl Chance,
) -> Result<(), Trap> {
    let seen = &observation.seen;
    let Some(picks) = together(program, state) else { return Ok(()) };
    let decided = decided(program, seen, picks);
    let (rest, width) = (usize::from(picks.rest), usize::from(picks.width));
    state.words[rest..rest + width].copy_from_slice(seen.slice(picks.deciders.into(), width));
    for slot in decided.iter().flat_map(|seat| words_of(program, picks, *seat)) {
        state.words[slot] = 0;
    }
    state.words[SITE] = picks.begin.into();
    let mut again = Again { until: decider(program, &seen.words, picks.site), chance };
    run(program, state, &mut Offers::new(), &[], &mut again)?;
    state.copy_guards(seen);
    let me = usize::from(observation.player);
    for slot in words_of(program, picks, me).filter(|_| decided.contains(&me)) {
        state.words[slot] = seen.words[slot];
    }
    state.canonicalise(program);
    Ok(())
}

/// Decides at random for everybody but one.
struct Again<'a, C> {
    until: u8,
    chance: &'a mut C,
}

impl<C: Chance> Driver for Again<'_, C> {
    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        if offers.player() == self.until {
            return None;
        }
        let count = u32::try_from(offers.count()).ok()?;
        Some(self.chance.below(count) as usize)
    }
}

/// Whether somebody knows a secret in the later of two states who did not know it in the earlier one.
pub(crate) fn was_anything_learned(program: &Program, earlier: &State, later: &State) -> bool {
    let values = program.vars.iter().filter_map(|var| {
        let secret = var.secret.as_ref()?;
        let seats = if var.of_player { program.players } else { 1 };
        let elements: usize = var.dims.iter().map(|dim| dim.size).product();
        Some((secret.known, seats * elements * usize::from(secret.known_width)))
    });
    let cards = program
        .cards
        .iter()
        .filter_map(|cards| Some((cards.known?, program.players * usize::from(cards.width))));
    values.chain(cards).any(|(at, count)| {
        let known = [earlier, later].map(|state| state.slice(at.into(), count));
        known[0].iter().zip(known[1]).any(|(earlier, later)| later & !earlier != 0)
    })
}
