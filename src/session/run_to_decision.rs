//! The loop that everything shares: on to the next decision, with chance answered on the way.

use super::playable::Playable;
use crate::chance::{Chance, Seeded};
use crate::diagnostic::Diagnostics;
use crate::game::{Player, Said, Step};
use crate::transcript;

/// A thing that happened between two decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Something was said.
    Said(Said),
    /// Chance decided something.
    Drew {
        /// What was decided, in words.
        event: String,
        /// How.
        outcome: String,
        /// Who does not see that.
        unseen_by: Vec<Player>,
        /// The number of the script line that asked for this outcome.
        pin: Option<usize>,
    },
}

impl Event {
    /// Returns its lines in a transcript.
    pub fn lines(&self, names: &[String]) -> Vec<String> {
        match self {
            Event::Said(said) => transcript::said(said, names),
            Event::Drew { event, outcome, .. } => vec![transcript::chance(event, outcome)],
        }
    }

    /// Returns its lines in the transcript of one player.
    pub fn lines_for(&self, names: &[String], player: Player) -> Vec<String> {
        match self {
            Event::Said(said) if said.to.is_some_and(|to| to != player) => Vec::new(),
            Event::Drew { event, unseen_by, .. } if unseen_by.contains(&player) => {
                vec![transcript::chance(event, "?")]
            }
            _ => self.lines(names),
        }
    }

    /// Returns whether a player declined without being asked.
    pub fn declines(&self) -> bool {
        matches!(self, Event::Said(said) if said.declines)
    }

    /// Returns whether some learn from it what others do not.
    pub fn is_private(&self) -> bool {
        match self {
            Event::Said(said) => said.to.is_some(),
            Event::Drew { unseen_by, .. } => !unseen_by.is_empty(),
        }
    }
}

/// The answer to a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The outcome.
    pub index: u32,
    /// The number of the script line that asked for it.
    pub pin: Option<usize>,
}

/// Whoever answers draws and may look at what they decide.
pub trait Draws {
    /// Answers the draw that waits at the position.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    fn answer<P: Playable>(&mut self, position: &P, outcomes: u32) -> Result<Answer, Diagnostics>;
}

impl Draws for Seeded {
    fn answer<P: Playable>(&mut self, _position: &P, outcomes: u32) -> Result<Answer, Diagnostics> {
        Ok(Answer { index: self.below(outcomes), pin: None })
    }
}

/// Runs on to the next decision or the end, answering draws, and adds what happens to `happened`,
/// also if it has to stop halfway. It never returns [`Step::Draw`].
///
/// # Errors
///
/// A mistake in the rules, or a draw that has no answer.
pub fn run_to_decision(
    position: &mut impl Playable,
    draws: &mut impl Draws,
    happened: &mut Vec<Event>,
) -> Result<Step, Diagnostics> {
    loop {
        let step = position.advance();
        happened.extend(position.said().iter().cloned().map(Event::Said));
        let outcomes = match step? {
            Step::Draw { outcomes } => outcomes,
            step => return Ok(step),
        };
        let answer = draws.answer(position, outcomes)?;
        happened.push(Event::Drew {
            event: position.event(),
            outcome: position.outcome(answer.index),
            unseen_by: seats(position).filter(|player| !position.sees_draw(*player)).collect(),
            pin: answer.pin,
        });
        position.draw(answer.index);
    }
}

fn seats(position: &impl Playable) -> impl Iterator<Item = Player> {
    (0..).map(Player).take(position.names().len())
}
