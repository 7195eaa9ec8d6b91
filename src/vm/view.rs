//! What one player sees of a state, and a state that the player could be in.

use crate::bytecode::Program;
use crate::bytecode::program::{NONE, Picks};
use crate::bytecode::sets;
use crate::bytecode::vars::{Values, VarInfo};
use crate::chance::Chance;
use crate::vm::{Driver, Offers, State, Trap, deal, run};

/// What stands for a word that a player does not see.
const BLANK: i64 = NONE + 1;

/// How often it is tried to find what others could have picked.
const TRIES: usize = 200;

/// What one player sees of a state where somebody decides, or of one that has ended. A value: equal
/// observations are equal, and have the same hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    player: u8,
    /// The state with blanks for what is not seen.
    seen: State,
}

impl Observation {
    /// Whose it is, as a seat counted from 0.
    pub fn player(&self) -> u8 {
        self.player
    }

    /// The state with blanks, to be put into words.
    pub(crate) fn seen(&self) -> &State {
        &self.seen
    }
}

/// Whether there is anything that not everybody sees.
pub fn hides(program: &Program) -> bool {
    let secret = program.vars.iter().any(|var| var.secret.is_some());
    secret || !program.picks.is_empty() || deal::hides(program)
}

/// Whether a player knows where a card of a kind lies.
pub fn knows_card(program: &Program, state: &State, player: u8, card: (u16, i64)) -> bool {
    let (kind, card) = card;
    let info = program.cards.iter().find(|info| info.kind == kind);
    info.is_some_and(|info| match info.known {
        None => true,
        Some(known) => {
            let width = usize::from(info.width);
            let known = usize::from(known) + usize::from(player) * width;
            sets::has(state.slice(known, width), card)
        }
    })
}

pub fn observe(program: &Program, state: &State, player: u8) -> Observation {
    let mut seen = state.clone();
    let hidden = hidden(program, state, player).flat_map(|part| part.slot..part.slot + part.width);
    let hidden: Vec<usize> = hidden.collect();
    for slot in hidden.into_iter().chain(unseen_picks(program, state, player)) {
        seen.words[slot] = BLANK;
    }
    deal::blank(program, &mut seen, player);
    Observation { player, seen }
}

/// Whether a player sees an element of a variable; `seat` owns it, if each player has one.
pub fn sees(state: &State, var: &VarInfo, at: (usize, usize), player: u8) -> bool {
    let Some(secret) = &var.secret else { return true };
    let (seat, element) = at;
    let elements: usize = var.dims.iter().map(|dim| dim.size).product();
    let width = usize::from(secret.known_width);
    let known = usize::from(secret.known) + (seat * elements + element) * width;
    let owns = secret.owner_sees && var.of_player && seat == usize::from(player);
    owns || sets::has(state.slice(known, width), player.into())
}

/// A state that a player could be in: what the player sees is as it was, everything else is drawn
/// at random from what it could be.
///
/// # Errors
/// A mistake in the rules that showed when other picks were looked for.
pub fn sample(
    program: &Program,
    observation: &Observation,
    chance: &mut impl Chance,
) -> Result<State, Trap> {
    let mut tries = TRIES;
    loop {
        let mut state = observation.seen.clone();
        let parts: Vec<Hidden> = hidden(program, &state, observation.player).collect();
        for part in parts {
            fill(&mut state, &part, chance);
        }
        deal::deal(program, &mut state, observation.player, chance);
        tries -= 1;
        match sample_picks(program, observation, &mut state, chance) {
            Err(trap) if tries == 0 => return Err(trap),
            Err(_) => {}
            Ok(()) => return Ok(state),
        }
    }
}

/// A part of a state that somebody does not see.
struct Hidden<'p> {
    slot: usize,
    width: usize,
    values: &'p Values,
}

/// The elements of variables that a player does not see.
fn hidden<'p>(program: &'p Program, state: &State, player: u8) -> impl Iterator<Item = Hidden<'p>> {
    let secrets = program.vars.iter().filter_map(|var| Some((var, var.secret.as_ref()?)));
    secrets.flat_map(move |(var, secret)| {
        let seats = if var.of_player { program.players } else { 1 };
        let elements: usize = var.dims.iter().map(|dim| dim.size).product();
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
        Values::Between { low, high, or_none } => {
            let count = high.abs_diff(*low).saturating_add(1).saturating_add((*or_none).into());
            let way = chance.below_long(count);
            words[0] = match way.checked_sub((*or_none).into()) {
                None => NONE,
                Some(way) => low.checked_add_unsigned(way).expect("it is at most the highest"),
            };
        }
        Values::Faces(faces) => {
            let count = u32::try_from(faces.len()).expect("a die has few faces");
            words[0] = faces[chance.below(count) as usize];
        }
        Values::Subsets(members) => {
            words.fill(0);
            for member in members.iter().filter(|_| chance.below(2) == 1) {
                words[member / 64] |= 1 << (member % 64);
            }
        }
    }
}

// What was picked in a decision that several make together.

/// The decision that several make together and that waits, if one does.
fn together(program: &Program, state: &State) -> Option<Picks> {
    let site = state.site_number();
    program.picks.iter().find(|picks| usize::from(picks.site) == site).copied()
}

/// Who has decided already, in a decision that several make together.
fn decided(program: &Program, state: &State, picks: Picks) -> Vec<usize> {
    let set = |slot: u16| state.slice(slot.into(), picks.width.into());
    let has = |slot, seat| sets::has(set(slot), seat);
    let seats = (0_i64..).take(program.players);
    let asked = seats.filter(|seat| has(picks.asked, *seat) && !has(picks.rest, *seat));
    let now = decider(program, state);
    asked.filter(|seat| *seat != now).filter_map(|seat| usize::try_from(seat).ok()).collect()
}

/// Who decides at the site where a state waits.
fn decider(program: &Program, state: &State) -> i64 {
    match super::waits(program, state) {
        crate::bytecode::program::Wait::Decision { player, .. } => {
            let slot = usize::from(*player);
            slot.checked_sub(program.slots)
                .map_or_else(|| state.word(slot), |at| program.constants[at])
        }
        _ => NONE,
    }
}

/// How many have decided in the decision that several make together and that waits.
pub fn picked_unseen(program: &Program, state: &State) -> usize {
    let picks = together(program, state).filter(|_| !state.has_ended());
    picks.map_or(0, |picks| decided(program, state, picks).len())
}

fn words_of(program: &Program, picks: Picks, seat: usize) -> impl Iterator<Item = usize> {
    let players = program.players;
    (0..usize::from(picks.columns)).map(move |at| usize::from(picks.base) + at * players + seat)
}

fn unseen_picks(program: &Program, state: &State, player: u8) -> Vec<usize> {
    let Some(picks) = together(program, state).filter(|_| !state.has_ended()) else {
        return Vec::new();
    };
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
    let Some(picks) = together(program, state).filter(|_| !state.has_ended()) else {
        return Ok(());
    };
    let decided = decided(program, seen, picks);
    let now = decider(program, seen);
    let width = usize::from(picks.width);
    let asked = seen.slice(picks.asked.into(), width).to_vec();
    let rest = usize::from(picks.rest);
    state.words[rest..rest + width].copy_from_slice(&asked);
    for slot in decided.iter().flat_map(|seat| words_of(program, picks, *seat)) {
        state.words[slot] = 0;
    }
    state.jump_within(picks.begin);
    let mut again = Again { until: now, chance };
    run(program, state, &mut Offers::new(), &[], &mut again)?;
    state.decisions = seen.decisions;
    state.fuel = seen.fuel;
    let me = usize::from(observation.player);
    for slot in words_of(program, picks, me).filter(|_| decided.contains(&me)) {
        state.words[slot] = seen.words[slot];
    }
    state.canonicalise(program);
    Ok(())
}

/// Decides at random for everybody but one.
struct Again<'a, C> {
    until: i64,
    chance: &'a mut C,
}

impl<C: Chance> Driver for Again<'_, C> {
    fn wants_speech(&self) -> bool {
        false
    }

    fn hear(&mut self, _to: Option<u8>, _text: &str) {}

    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        if i64::from(offers.player()) == self.until {
            return None;
        }
        let count = u32::try_from(offers.count()).ok()?;
        Some(self.chance.below(count) as usize)
    }

    fn draw(&mut self, _outcomes: u32) -> Option<u32> {
        None
    }
}
