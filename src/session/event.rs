//! What happens in a game in play, and the loop that runs it to the next decision.

use super::running::Running;
use crate::diagnostic::Diagnostics;
use crate::game::{Player, Said, Step};
use crate::transcript;

/// What happened at a table: the truth of a played game. Its transcript is a view of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Somebody decided, or changed the position: the line that does so.
    Acted(String),
    Said(Said),
    Drew {
        event: String,
        outcome: String,
        unseen_by: Vec<Player>,
        /// The number of the script line that asked for this outcome.
        pin: Option<usize>,
    },
}

impl Event {
    /// Returns its lines in a transcript: of the whole table, or of what one player sees.
    pub(super) fn lines(&self, names: &[String], viewer: Option<Player>) -> Vec<String> {
        match self {
            Event::Acted(line) => vec![line.clone()],
            Event::Said(said) => match (said.to, viewer) {
                (Some(to), Some(viewer)) if to != viewer => Vec::new(),
                _ => transcript::said(said, names),
            },
            Event::Drew { event, outcome, unseen_by, .. } => {
                let unseen = viewer.is_some_and(|viewer| unseen_by.contains(&viewer));
                vec![transcript::chance(event, if unseen { "?" } else { outcome })]
            }
        }
    }

    /// Returns whether a player declined without being asked.
    pub(super) fn declines(&self) -> bool {
        matches!(self, Event::Said(said) if said.declines)
    }

    /// Returns whether some learn from it what others do not.
    pub(super) fn is_private(&self) -> bool {
        match self {
            Event::Acted(_) => false,
            Event::Said(said) => said.to.is_some(),
            Event::Drew { unseen_by, .. } => !unseen_by.is_empty(),
        }
    }
}

/// What a game waits for after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Decision(Player),
    Over,
    /// The rule run by `do` has returned.
    Returned,
    /// The rules could not go on; the position is the one before.
    Broken,
}

/// The answer to a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) index: u32,
    /// The number of the script line that asked for it.
    pub(super) pin: Option<usize>,
}

/// Answers the draw that waits at a position with so many outcomes, or says why it has no answer.
pub(super) type Draws<'a> = dyn FnMut(&Running, u32) -> Result<Answer, Diagnostics> + 'a;

/// Runs on to the next decision or the end, answering draws, and adds what happens to `events`,
/// also if it has to stop halfway because of a mistake in the rules or a draw without an answer.
pub(super) fn run_to_decision(
    position: &mut Running,
    draws: &mut Draws,
    events: &mut Vec<Event>,
) -> Result<Moment, Diagnostics> {
    loop {
        let step = position.advance();
        events.extend(position.said().iter().cloned().map(Event::Said));
        let outcomes = match step? {
            Step::Draw { outcomes } => outcomes,
            Step::Decide { player } => return Ok(Moment::Decision(player)),
            Step::End if position.result().is_some() => return Ok(Moment::Over),
            Step::End => return Ok(Moment::Returned),
        };
        let Answer { index, pin } = draws(position, outcomes)?;
        let seats = (0..).map(Player).take(position.names().len());
        events.push(Event::Drew {
            event: position.event(),
            outcome: position.outcome(index),
            unseen_by: seats.filter(|player| !position.sees_draw(*player)).collect(),
            pin,
        });
        position.draw(index);
    }
}
