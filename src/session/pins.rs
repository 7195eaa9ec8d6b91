//! Pins draws for a count: `roll die: 3` always ends in one way.

use std::collections::BTreeMap;

use crate::chance::{Chance, Seed};
use crate::game::{Game, LegalMoves, State, Step};
use crate::suggest::nearest;
use crate::transcript::fold;

/// How many random games are looked at for draws whose words are known in play only.
const GAMES: u64 = 32;

/// How many draws and decisions of each.
const STEPS: usize = 400;

/// A draw that always ends in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The event and its outcome: `roll die: 3`.
    pub words: String,
    pub used: bool,
}

/// Why a pin can never be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// No draw is called so.
    Event { event: String, near: Option<String>, known: Vec<String> },
    /// The draw never ends so.
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
        let words = fold(words.trim_start().trim_start_matches('*'));
        Pin { words: words.replacen(" :", ":", 1), used: false }
    }

    /// Checks that such a draw can happen.
    /// # Errors
    /// Why it cannot.
    pub fn check(&self, game: &Game) -> Result<(), Misfit> {
        let mut known = Known::of(game);
        if known.judge(game, self).is_ok() {
            return Ok(());
        }
        known.look(game, self);
        known.judge(game, self)
    }
}

/// The outcomes of a draw in their order, and whether these are all.
type Outcomes = (Vec<String>, bool);

/// The draws of a game.
struct Known(BTreeMap<String, Outcomes>);

impl Known {
    fn of(game: &Game) -> Known {
        let mut known = Known(BTreeMap::new());
        for chance in game.chances() {
            let entry = known.0.entry(fold(&chance.event)).or_insert((Vec::new(), true));
            entry.1 &= chance.outcomes.is_some();
            note(&mut entry.0, chance.outcomes.iter().flatten());
        }
        known
    }

    /// Adds what happens in random games, until the pin is met.
    fn look(&mut self, game: &Game, pin: &Pin) {
        let mut legal = LegalMoves::new();
        for number in 0..GAMES {
            let (mut state, mut stream) = (game.initial_state(), Seed(0).stream(number));
            for _ in 0..STEPS {
                match game.advance_unheard(&mut state, &mut legal) {
                    Ok(Step::Decide { .. }) => {
                        let moves = u32::try_from(legal.count())
                            .expect("a decision has fewer than 2^32 moves");
                        game.choose(&mut state, &legal, stream.below(moves) as usize);
                    }
                    Ok(Step::Draw { outcomes }) => {
                        self.add(game, &state, outcomes);
                        if self.find(pin).is_some_and(|(_, outcome, it)| {
                            it.0.iter().any(|known| known == outcome)
                        }) {
                            return;
                        }
                        game.draw(&mut state, stream.below(outcomes));
                    }
                    Ok(Step::End) | Err(_) => break,
                }
            }
        }
    }

    fn add(&mut self, game: &Game, state: &State, outcomes: u32) {
        let entry = self.0.entry(fold(&game.event(state))).or_insert((Vec::new(), false));
        if !entry.1 {
            let words: Vec<String> =
                (0..outcomes).map(|index| game.outcome(state, index)).collect();
            note(&mut entry.0, words.iter());
        }
    }

    /// The draw that a pin names, with the outcome that it wants: the longest, for an event may
    /// have a colon in it.
    fn find<'a>(&'a self, pin: &'a Pin) -> Option<(&'a str, &'a str, &'a Outcomes)> {
        let named = self.0.iter().rev().filter_map(|(event, outcomes)| {
            let rest = pin.words.strip_prefix(event.as_str())?;
            let outcome = if rest.is_empty() { "" } else { rest.strip_prefix(':')?.trim() };
            Some((event.as_str(), outcome, outcomes))
        });
        named.max_by_key(|(event, ..)| event.len())
    }

    fn judge(&self, game: &Game, pin: &Pin) -> Result<(), Misfit> {
        if let Some((event, outcome, (outcomes, complete))) = self.find(pin) {
            let can_be = !complete && !outcome.is_empty() && game.is_value(outcome);
            return if can_be || outcomes.iter().any(|known| known == outcome) {
                Ok(())
            } else {
                let outcomes = outcomes.clone();
                Err(Misfit::Outcome { event: event.into(), outcome: outcome.into(), outcomes })
            };
        }
        let event = pin.words.rsplit_once(':').map_or(pin.words.as_str(), |(event, _)| event);
        let (name, named) = stem(event);
        let like =
            |known: &&String| stem(known).0 == name && stem(known).1.is_empty() == named.is_empty();
        if !named.is_empty()
            && named.iter().all(|it| game.is_value(it))
            && self.0.keys().any(|it| like(&it))
        {
            return Ok(());
        }
        let near = nearest(event, self.0.keys().map(String::as_str)).map(str::to_owned);
        Err(Misfit::Event {
            event: event.to_owned(),
            near,
            known: self.0.keys().cloned().collect(),
        })
    }
}

/// Adds outcomes that are not there yet.
fn note<'a>(known: &mut Vec<String>, outcomes: impl Iterator<Item = &'a String>) {
    for outcome in outcomes.map(|it| fold(it)) {
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

/// The outcomes of a draw that are followed.
pub(super) fn pinned(
    game: &Game,
    state: &State,
    outcomes: u32,
    pins: &mut [Pin],
) -> std::ops::Range<u32> {
    if pins.is_empty() {
        return 0..outcomes;
    }
    let event = fold(&game.event(state));
    let mut pins = pins.iter_mut();
    let met = pins.find_map(|pin| {
        let outcome = pin.words.strip_prefix(&event)?.strip_prefix(':')?.trim();
        let way = (0..outcomes).find(|way| fold(&game.outcome(state, *way)) == outcome)?;
        pin.used = true;
        Some(way)
    });
    met.map_or(0..outcomes, |way| way..way + 1)
}

#[cfg(test)]
mod tests {
    use super::{Pin, stem};

    #[test]
    fn an_event_is_known_by_the_words_that_stay() {
        assert_eq!(stem("roll Ann.die[red, 2]"), ("roll die".to_owned(), vec!["red", "2", "Ann"]));
        assert_eq!(stem("random Player"), ("random Player".to_owned(), vec![]));
    }

    #[test]
    fn a_pin_may_be_written_as_in_a_transcript() {
        assert_eq!(Pin::new("* roll  die : 3").words, "roll die: 3");
    }
}
