//! Pins draws for a count: `roll die: 3` always ends in one way.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::chance::{Chance, Seed};
use crate::game::{Game, LegalMoves, State, Step};
use crate::session::draws::tidy;
use crate::suggest::nearest;
use crate::transcript::fold_case;

/// How many random games are searched for draws whose words are known in play only.
const GAMES: u64 = 32;

/// How many draws and decisions of each.
const STEPS: usize = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The event and its outcome: `roll die: 3`.
    pub words: String,
    pub used: bool,
}

/// Why a pin can never be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    Event {
        event: String,
        near: Option<String>,
        known: Vec<String>,
    },
    Outcome {
        event: String,
        /// How it should end; empty if that was not said.
        outcome: String,
        outcomes: Vec<String>,
    },
}

impl Pin {
    /// Words as a transcript has them, with or without their `*`.
    pub fn new(words: &str) -> Pin {
        Pin { words: tidy(words.trim_start().trim_start_matches('*')), used: false }
    }

    /// Checks that such a draw can happen.
    /// # Errors
    /// Why it cannot.
    pub fn check(&self, game: &Game) -> Result<(), Misfit> {
        let mut draws = KnownDraws::new();
        for chance in game.chances() {
            let (known, complete) =
                draws.entry(fold_case(&chance.event)).or_insert((Vec::new(), true));
            *complete &= chance.outcomes.is_some();
            add_outcomes(known, chance.outcomes.into_iter().flatten());
        }
        if self.judge(game, &draws).is_ok() {
            return Ok(());
        }
        self.explore(game, &mut draws);
        self.judge(game, &draws)
    }

    /// Adds the draws of random games, until one ends as the pin says.
    fn explore(&self, game: &Game, draws: &mut KnownDraws) {
        let mut legal = LegalMoves::new();
        for number in 0..GAMES {
            let (mut state, mut stream) = (game.initial_state(), Seed(0).stream(number));
            for _ in 0..STEPS {
                match game.advance_unheard(&mut state, &mut legal) {
                    Ok(Step::Decide { .. }) => {
                        let index = stream.random_index(legal.count());
                        game.choose(&mut state, &legal, index);
                    }
                    Ok(Step::Draw { outcomes }) => {
                        let event = fold_case(&game.event(&state));
                        let (known, complete) = draws.entry(event).or_insert((Vec::new(), true));
                        *complete &= game.is_fixed_draw(&state);
                        if !*complete || known.is_empty() {
                            add_outcomes(
                                known,
                                (0..outcomes).map(|index| game.outcome(&state, index)),
                            );
                        }
                        let found = self.find_draw(draws);
                        if found.is_some_and(|(_, outcome, it)| it.0.iter().any(|it| it == outcome))
                        {
                            return;
                        }
                        game.draw(&mut state, stream.below(outcomes));
                    }
                    Ok(Step::End) | Err(_) => break,
                }
            }
        }
    }

    /// The draw that it names, with the outcome that it wants: the longest, for an event may have
    /// a colon in it.
    fn find_draw<'a>(&'a self, draws: &'a KnownDraws) -> Option<(&'a str, &'a str, &'a Outcomes)> {
        let named = draws.iter().rev().filter_map(|(event, outcomes)| {
            let rest = self.words.strip_prefix(event.as_str())?;
            let outcome = if rest.is_empty() { "" } else { rest.strip_prefix(':')?.trim() };
            Some((event.as_str(), outcome, outcomes))
        });
        named.max_by_key(|(event, ..)| event.len())
    }

    fn judge(&self, game: &Game, draws: &KnownDraws) -> Result<(), Misfit> {
        if let Some((event, outcome, (outcomes, complete))) = self.find_draw(draws) {
            let can_be = !complete && !outcome.is_empty() && game.is_value(outcome);
            if can_be || outcomes.iter().any(|known| known == outcome) {
                return Ok(());
            }
            let outcomes = outcomes.clone();
            return Err(Misfit::Outcome { event: event.into(), outcome: outcome.into(), outcomes });
        }
        let (event, outcome) = self.words.rsplit_once(':').unwrap_or((&self.words, ""));
        let (name, named) = stem(event);
        let is_like = |known: &String| stem(known).0 == name && !stem(known).1.is_empty();
        let mut like = draws.iter().filter(|(known, _)| is_like(known)).map(|(_, it)| it);
        if !named.is_empty()
            && named.iter().all(|it| game.is_value(it))
            && let Some((outcomes, complete)) = like.next()
        {
            let known = |outcomes: &[String]| outcomes.iter().any(|it| it == outcome.trim());
            if !complete || known(outcomes) || like.any(|(more, all)| !all || known(more)) {
                return Ok(());
            }
            let (event, outcome) = (event.to_owned(), outcome.trim().to_owned());
            return Err(Misfit::Outcome { event, outcome, outcomes: outcomes.clone() });
        }
        let near = nearest(event, draws.keys().map(String::as_str)).map(str::to_owned);
        Err(Misfit::Event { event: event.to_owned(), near, known: draws.keys().cloned().collect() })
    }
}

/// The outcomes of a draw in their order, and whether these are all.
type Outcomes = (Vec<String>, bool);

/// The draws of a game, by their events.
type KnownDraws = BTreeMap<String, Outcomes>;

fn add_outcomes(known: &mut Vec<String>, outcomes: impl Iterator<Item = String>) {
    for outcome in outcomes.map(|it| fold_case(&it)) {
        if !known.contains(&outcome) {
            known.push(outcome);
        }
    }
}

/// The words of an event that are always the same, and what they name: `roll Ann.die[red]` is
/// `roll die` of `Ann` and `red`.
fn stem(event: &str) -> (String, Vec<&str>) {
    let (verb, place) = event.split_once(' ').unwrap_or(("", event));
    let (place, index) = place.split_once('[').unwrap_or((place, ""));
    let mut named: Vec<&str> = index.trim_end_matches(']').split(", ").collect();
    let name = match place.split_once('.') {
        Some((owner, name)) => {
            named.push(owner);
            name
        }
        None => place,
    };
    named.retain(|it| !it.is_empty());
    (format!("{verb} {name}"), named)
}

/// The outcomes of a draw that are followed; the pin that it meets is used.
pub fn pinned(game: &Game, state: &State, outcomes: u32, pins: &mut [Pin]) -> Range<u32> {
    if pins.is_empty() {
        return 0..outcomes;
    }
    let event = fold_case(&game.event(state));
    let mut pins = pins.iter_mut();
    let met = pins.find_map(|pin| {
        let outcome = pin.words.strip_prefix(&event)?.strip_prefix(':')?.trim();
        let way = (0..outcomes).find(|way| fold_case(&game.outcome(state, *way)) == outcome)?;
        pin.used = true;
        Some(way)
    });
    met.map_or(0..outcomes, |way| way..way + 1)
}
