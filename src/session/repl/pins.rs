//! Draws that are given: what real dice showed comes before what the seed says.

use std::collections::VecDeque;

use crate::chance::{Chance, Seeded};
use crate::diagnostic::Diagnostics;
use crate::game::Step;
use crate::session::playable::Playable;
use crate::session::run_to_decision::{Answer, Draws};
use crate::transcript::{fold, list};

/// Longer lists of outcomes are cut.
const MOST_LISTED: u32 = 12;

/// Where more moves are legal, nobody looks where they lead.
const MOST_TRIED: usize = 200;

/// Outcomes of the next draws, in order, as they were typed.
#[derive(Clone, Debug, Default)]
pub(in crate::session) struct Pins {
    waiting: VecDeque<String>,
}

impl Pins {
    /// Adds outcomes: between commas, or, where there is none, between spaces. One that names its
    /// event, `roll die: 4`, is one.
    pub(in crate::session) fn add(&mut self, typed: &str) {
        let parts: Vec<&str> = if typed.contains(',') {
            typed.split(',').collect()
        } else if typed.contains(':') {
            vec![typed]
        } else {
            typed.split_whitespace().collect()
        };
        self.waiting.extend(parts.into_iter().map(fold).filter(|part| !part.is_empty()));
    }

    /// Adds outcomes like [`Pins::add`], unless the next draw is known and cannot end so: then it
    /// says why.
    pub(in crate::session) fn add_checked(
        &mut self,
        typed: &str,
        position: &impl Playable,
    ) -> Result<(), String> {
        let mut added = Pins::default();
        added.add(typed);
        let next = if self.waiting.is_empty() { next_draw(position) } else { None };
        if let (Some((position, outcomes)), Some(first)) = (next, added.waiting.front())
            && find(&position, outcomes, first).is_none()
        {
            let misfit = misfit(&position, outcomes, first);
            return Err(format!("{misfit}; nothing was noted"));
        }
        self.waiting.extend(added.waiting);
        Ok(())
    }

    /// Forgets all of them.
    pub(in crate::session) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Returns the outcomes that no draw has asked for yet.
    pub(in crate::session) fn waiting(&self) -> Vec<String> {
        self.waiting.iter().cloned().collect()
    }

    /// Takes the next one for a draw. One that does not fit is dropped and answered.
    fn take(&mut self, position: &impl Playable, outcomes: u32) -> Option<Result<u32, String>> {
        let pin = self.waiting.pop_front()?;
        Some(find(position, outcomes, &pin).ok_or_else(|| misfit(position, outcomes, &pin)))
    }
}

/// Finds an outcome by its words: as they are, then in any case.
fn find(position: &impl Playable, outcomes: u32, pin: &str) -> Option<u32> {
    let event = fold(&position.event());
    let said = pin.strip_prefix(&event).and_then(|rest| rest.trim_start().strip_prefix(':'));
    let said = said.map_or(pin, str::trim);
    let folded = |index: u32| fold(&position.outcome(index));
    (0..outcomes)
        .find(|index| folded(*index) == said)
        .or_else(|| (0..outcomes).find(|index| folded(*index).eq_ignore_ascii_case(said)))
}

fn misfit(position: &impl Playable, outcomes: u32, pin: &str) -> String {
    let shown = outcomes.min(MOST_LISTED);
    let mut words: Vec<String> = (0..shown).map(|index| position.outcome(index)).collect();
    if shown < outcomes {
        words.push(format!("{} more", outcomes - shown));
    }
    let (event, words) = (position.event(), list(&words));
    format!("`{pin}` is no outcome of `{event}`; there are {words}")
}

/// The draw that comes next, where every legal move leads to the same one.
fn next_draw<P: Playable + Clone>(position: &P) -> Option<(P, u32)> {
    if position.moves() > MOST_TRIED {
        return None;
    }
    let behind = |index| {
        let mut position = position.clone();
        position.choose(index);
        match position.advance() {
            Ok(Step::Draw { outcomes }) => Some((position, outcomes)),
            _ => None,
        }
    };
    let draws: Option<Vec<(P, u32)>> = (0..position.moves()).map(behind).collect();
    let mut draws = draws?;
    let words = |(position, outcomes): &(P, u32)| {
        let ends = (0..*outcomes).map(|index| position.outcome(index)).collect::<Vec<_>>();
        (position.event(), ends)
    };
    let same = draws.windows(2).all(|two| words(&two[0]) == words(&two[1]));
    if same { draws.pop() } else { None }
}

/// The draws at a table: pins first, then the stream of the seed.
pub(in crate::session) struct Dice<'a> {
    /// What people said.
    pub(in crate::session) pins: &'a mut Pins,
    /// The stream.
    pub(in crate::session) chance: &'a mut Seeded,
    /// What is to be told about pins that did not fit.
    pub(in crate::session) answers: Vec<String>,
}

impl Draws for Dice<'_> {
    /// The stream is asked for every draw, also where a pin gives the answer: so a saved game is
    /// played on as if it had never stopped, and pinning one die leaves the others.
    fn answer<P: Playable>(&mut self, position: &P, outcomes: u32) -> Result<Answer, Diagnostics> {
        let drawn = self.chance.below(outcomes);
        let index = match self.pins.take(position, outcomes) {
            Some(Ok(index)) => index,
            Some(Err(sentence)) => {
                self.answers.push(format!("{sentence}; it was drawn instead"));
                drawn
            }
            None => drawn,
        };
        Ok(Answer { index, pin: None })
    }
}

#[cfg(test)]
mod tests {
    use super::{Dice, Pins};
    use crate::chance::{Chance, Seed};
    use crate::session::playable::Playable;
    use crate::session::run_to_decision::{Event, run_to_decision};
    use crate::session::test_game::Fake;

    fn pins(typed: &str) -> Pins {
        let mut pins = Pins::default();
        pins.add(typed);
        pins
    }

    #[test]
    fn outcomes_are_split_by_spaces_or_commas() {
        assert_eq!(pins("3 5  1").waiting(), ["3", "5", "1"]);
        assert_eq!(pins("red oak, ash").waiting(), ["red oak", "ash"]);
        assert_eq!(pins("roll  die: 4").waiting(), ["roll die: 4"]);
    }

    #[test]
    fn pins_come_before_the_seed_and_leave_it_alone() {
        let mut fake = Fake::new();
        let (mut pins, mut chance) = (pins("ben, roll die: 2, 9"), Seed(3).stream(0));
        let mut dice = Dice { pins: &mut pins, chance: &mut chance, answers: Vec::new() };
        let mut happened = Vec::new();
        run_to_decision(&mut fake, &mut dice, &mut happened).unwrap();
        fake.choose(2);
        run_to_decision(&mut fake, &mut dice, &mut happened).unwrap();
        assert_eq!(
            dice.answers,
            ["`9` is no outcome of `roll die`; there are 1, 2 and 3; it was drawn instead"]
        );
        let mut other = Seed(3).stream(0);
        let drawn: Vec<u32> = [2, 3, 3].map(|outcomes| other.below(outcomes)).to_vec();
        let outcomes: Vec<String> = happened
            .into_iter()
            .filter_map(|happening| match happening {
                Event::Drew { outcome, .. } => Some(outcome),
                Event::Said(_) => None,
            })
            .collect();
        assert_eq!(outcomes, ["Ben".to_owned(), "2".to_owned(), (drawn[2] + 1).to_string()]);
        assert_eq!(chance.below(1000), other.below(1000));
    }
}
