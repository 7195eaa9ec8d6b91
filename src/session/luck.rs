//! Random streams of a table and typed outcomes; each step keeps them, so undo changes no draw.

use std::collections::VecDeque;

use super::event::Answer;
use super::running::Running;
use crate::chance::{Chance, Seed, Seeded};
use crate::game::Step;
use crate::transcript::{fold, list};

/// Longer lists of outcomes are cut.
const MOST_LISTED: u32 = 12;

/// Where more moves are legal, nobody looks where they lead.
const MOST_TRIED: usize = 200;

/// The streams of a table, each where it goes on, and what people said of the next draws.
#[derive(Clone, Debug)]
pub(super) struct Luck {
    pub(super) seed: Seed,
    pub(super) table: Seeded,
    /// The streams of the seats, for the programs that sit there.
    pub(super) seats: Vec<Seeded>,
    /// Outcomes of the next draws, in order, as they were typed: what real dice showed.
    pins: VecDeque<String>,
}

impl Luck {
    /// All streams of a seed at their beginning. Each round has streams of its own.
    pub(super) fn new(seed: Seed, round: u64, players: usize) -> Luck {
        let seats = (0..=u8::MAX).take(players).map(|seat| seed.seat(round, players, seat));
        let table = seed.table(round, players);
        Luck { seed, table, seats: seats.collect(), pins: VecDeque::new() }
    }

    /// Puts all streams to the beginning of a round. What people said of the next draws stays.
    pub(super) fn rewind(&mut self, seed: Seed, round: u64, players: usize) {
        let pins = std::mem::take(&mut self.pins);
        *self = Luck { pins, ..Luck::new(seed, round, players) };
    }

    /// Answers a draw: pins first, then the stream of the seed. The stream is asked for every draw,
    /// also where a pin gives the answer: so a saved game is played on as if it had never stopped,
    /// and pinning one die leaves the others. A pin that does not fit is dropped, with a sentence.
    pub(super) fn answer(
        &mut self,
        position: &Running,
        outcomes: u32,
        sentences: &mut Vec<String>,
    ) -> Answer {
        let drawn = self.table.below(outcomes);
        let pinned = self.pins.pop_front().and_then(|pin| {
            let found = find(position, outcomes, &pin);
            if found.is_none() {
                let misfit = misfit(position, outcomes, &pin);
                sentences.push(format!("{misfit}; it was drawn instead"));
            }
            found
        });
        Answer { index: pinned.unwrap_or(drawn), pin: None }
    }

    /// Adds outcomes, unless the next draw is known and cannot end so: then it says why.
    pub(super) fn pin(&mut self, typed: &str, position: &Running) -> Result<(), String> {
        let added = split(typed);
        let next = if self.pins.is_empty() { next_draw(position) } else { None };
        if let (Some((position, outcomes)), Some(first)) = (next, added.first())
            && find(&position, outcomes, first).is_none()
        {
            let misfit = misfit(&position, outcomes, first);
            return Err(format!("{misfit}; nothing was noted"));
        }
        self.pins.extend(added);
        Ok(())
    }

    pub(super) fn forget_pins(&mut self) {
        self.pins.clear();
    }

    /// Returns the outcomes that no draw has asked for yet.
    pub(super) fn pins(&self) -> Vec<String> {
        self.pins.iter().cloned().collect()
    }
}

/// Outcomes stand between commas, or, where there is none, between spaces. One that names its
/// event, `roll die: 4`, is one.
fn split(typed: &str) -> Vec<String> {
    let parts: Vec<&str> = if typed.contains(',') {
        typed.split(',').collect()
    } else if typed.contains(':') {
        vec![typed]
    } else {
        typed.split_whitespace().collect()
    };
    parts.into_iter().map(fold).filter(|part| !part.is_empty()).collect()
}

/// Finds an outcome by its words: as they are, then in any case.
fn find(position: &Running, outcomes: u32, pin: &str) -> Option<u32> {
    let event = fold(&position.event());
    let said = pin.strip_prefix(&event).and_then(|rest| rest.trim_start().strip_prefix(':'));
    let said = said.map_or(pin, str::trim);
    let folded = |index: u32| fold(&position.outcome(index));
    (0..outcomes)
        .find(|index| folded(*index) == said)
        .or_else(|| (0..outcomes).find(|index| folded(*index).eq_ignore_ascii_case(said)))
}

fn misfit(position: &Running, outcomes: u32, pin: &str) -> String {
    let shown = outcomes.min(MOST_LISTED);
    let mut words: Vec<String> = (0..shown).map(|index| position.outcome(index)).collect();
    words.extend((shown < outcomes).then(|| format!("{} more", outcomes - shown)));
    format!("`{pin}` is no outcome of `{}`; there are {}", position.event(), list(&words))
}

/// The draw that comes next, where every legal move leads to the same one.
fn next_draw(position: &Running) -> Option<(Running, u32)> {
    if position.moves() > MOST_TRIED {
        return None;
    }
    let after = |index| {
        let mut position = position.clone();
        position.choose(index);
        match position.advance() {
            Ok(Step::Draw { outcomes }) => Some((position, outcomes)),
            _ => None,
        }
    };
    let mut draws = (0..position.moves()).map(after).collect::<Option<Vec<_>>>()?;
    let words = |(position, outcomes): &(Running, u32)| {
        let ends = (0..*outcomes).map(|index| position.outcome(index)).collect::<Vec<_>>();
        (position.event(), ends)
    };
    let same = draws.windows(2).all(|two| words(&two[0]) == words(&two[1]));
    if same { draws.pop() } else { None }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn outcomes_are_split_by_spaces_or_commas() {
        assert_eq!(split("3 5  1"), ["3", "5", "1"]);
        assert_eq!(split("red oak, ash"), ["red oak", "ash"]);
        assert_eq!(split("roll  die: 4"), ["roll die: 4"]);
    }
}
