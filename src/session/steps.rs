//! Steps of a game at the table: the events of each, made from a position or from a script.

use crate::diagnostic::Diagnostics;
use crate::game::{self, Player, Said, was_anything_learned};
use crate::session::draws::{DrawAnswer, Luck};
use crate::session::running::Running;
use crate::transcript;

/// What happened at a table. The transcript of a game is a view of its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Somebody decided, or changed the position: the line of the transcript.
    Acted(String),
    Said(Said),
    /// Somebody looked at secrets, or changed the seed: no line of a transcript, but others learn it.
    Noted(String),
    /// Somebody wrote a line that changes nothing: a comment, or a check.
    Written(String),
    Drew {
        event: String,
        outcome: String,
        unseen_by: Vec<Player>,
        /// The number of the script line that requested this outcome.
        pin: Option<usize>,
    },
}

impl Event {
    /// Whether some learn from it what others do not.
    pub(super) fn is_for_some(&self) -> bool {
        match self {
            Event::Acted(_) | Event::Noted(_) | Event::Written(_) => false,
            Event::Said(said) => said.to.is_some(),
            Event::Drew { unseen_by, .. } => !unseen_by.is_empty(),
        }
    }

    /// Its lines in a transcript: of the whole table, or of what one player sees.
    pub(super) fn transcript_lines(&self, names: &[String], viewer: Option<Player>) -> Vec<String> {
        match self {
            Event::Acted(line) | Event::Written(line) => vec![line.clone()],
            Event::Noted(_) => Vec::new(),
            Event::Said(said) => match (said.to, viewer) {
                (Some(to), Some(viewer)) if to != viewer => Vec::new(),
                _ => transcript::format_said(said, names),
            },
            Event::Drew { event, outcome, unseen_by, .. } => {
                let unseen = viewer.is_some_and(|viewer| unseen_by.contains(&viewer));
                vec![transcript::chance(event, if unseen { "?" } else { outcome })]
            }
        }
    }

    /// The event and outcome of a draw; none if some do not see it and it is not `told`.
    pub(super) fn drawn(&self, told: impl Fn(&[Player]) -> bool) -> Option<(&str, &str)> {
        match self {
            Event::Drew { event, outcome, unseen_by, .. } if told(unseen_by) => {
                Some((event, outcome))
            }
            _ => None,
        }
    }

    /// What the rules said to everybody.
    pub(super) fn said_to_all(&self) -> Option<&str> {
        match self {
            Event::Said(said) if said.to.is_none() => Some(&said.text),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Decision(Player),
    Over,
    /// The rule run by `do` has returned, or a script ends before a draw.
    Returned,
    /// The rules could not go on; the position is the one before.
    Broken,
}

#[derive(Clone, Debug)]
pub(super) enum Made {
    /// Nobody: a game began, from here.
    Start(Box<Running>),
    /// A person decided for this move.
    Person(usize),
    /// A program decided for this move, or nobody had a choice.
    Machine(usize),
    /// A person changed the position.
    Set,
}

#[derive(Clone, Debug)]
pub(super) struct TimelineStep {
    pub(super) made: Made,
    pub(super) events: Vec<Event>,
    /// Whether some learned from it what others did not.
    pub(super) secret: bool,
    pub(super) after: Running,
    pub(super) moment: Moment,
    /// What chance held ready before it; while it is taken back, what it holds after it: to go back and forth
    /// swaps this with the luck of the table.
    pub(super) luck: Luck,
}

impl TimelineStep {
    /// True for steps that people count.
    pub(super) fn is_counted(&self) -> bool {
        !matches!(self.made, Made::Machine(_))
    }

    pub(super) fn is_start(&self) -> bool {
        matches!(self.made, Made::Start(_))
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let names = self.after.names();
        let outcome = (self.moment == Moment::Over).then(|| self.after.final_outcome()).flatten();
        let result =
            outcome.map(|outcome| format!("= {}", transcript::format_result(&outcome, names)));
        let lines = self.events.iter().flat_map(|event| event.transcript_lines(names, None));
        lines.chain(result).collect()
    }

    /// What it is called: the line that made it, or that a game began.
    pub(super) fn title_line(&self) -> String {
        match self.events.first() {
            Some(Event::Acted(line)) if !self.is_start() => line.clone(),
            _ => "the beginning of this game".to_owned(),
        }
    }
}

/// Runs on to the next decision or the end, and adds what happens to `events`, also if it has to
/// stop halfway because of a mistake in the rules or a draw without an answer. `draw` answers the
/// draw that waits, which has so many outcomes.
pub(super) fn run_to_decision(
    position: &mut Running,
    events: &mut Vec<Event>,
    mut draw: impl FnMut(&Running, u32) -> Result<DrawAnswer, Diagnostics>,
) -> Result<Moment, Diagnostics> {
    events.extend(std::mem::take(&mut position.said).into_iter().map(Event::Said));
    loop {
        let step = position.advance_position();
        events.extend(position.legal.said.iter().cloned().map(Event::Said));
        let outcomes = match step? {
            game::Step::Draw { outcomes } => outcomes,
            game::Step::Decide { player } => return Ok(Moment::Decision(player)),
            game::Step::End if position.final_outcome().is_some() => return Ok(Moment::Over),
            game::Step::End => return Ok(Moment::Returned),
        };
        let (index, pin) = draw(position, outcomes)?;
        let (event, outcome) = (position.event(), position.outcome(index));
        let misses = |player: &Player| !position.game.sees_draw(&position.state, *player);
        let unseen_by = (0..).map(Player).take(position.names().len()).filter(misses).collect();
        events.push(Event::Drew { event, outcome, unseen_by, pin });
        position.answer_draw(index);
    }
}

/// A step, and what is reported beside its events.
pub(super) struct Settled {
    pub(super) step: TimelineStep,
    /// What became of outcomes that people had typed.
    pub(super) sentences: Vec<String>,
    pub(super) trap: Option<Diagnostics>,
}

/// Runs from a position to the next decision; `head` is the line of the player who acted. Where the rules
/// cannot go on, the step keeps the position `before` it.
pub(super) fn settle_step(
    made: Made,
    head: Option<String>,
    before: &Running,
    mut position: Running,
    luck: &mut Luck,
) -> Settled {
    let earlier = luck.clone();
    let mut sentences = Vec::new();
    let mut events: Vec<Event> = head.into_iter().map(Event::Acted).collect();
    let moment = run_to_decision(&mut position, &mut events, |position, outcomes| {
        Ok((luck.pick_outcome(position, outcomes, &mut sentences), None))
    });
    let (after, moment, trap) = match moment {
        Ok(Moment::Returned) => (position, Moment::Over, None),
        Ok(moment) => (position, moment, None),
        Err(trap) => (before.clone(), Moment::Broken, Some(trap)),
    };
    let secret = events.iter().any(Event::is_for_some);
    let step = TimelineStep { made, events, secret, after, moment, luck: earlier };
    Settled { step, sentences, trap }
}

/// Whether somebody may have learned a secret between two positions. Where a secret decides that, it may have been so
/// in any case: else those who are refused to take a move back would know.
pub(super) fn has_taught(before: &Running, after: &Running) -> bool {
    let program = after.game.program();
    let is_same = std::ptr::eq(program, before.game.program());
    after.game.rules().teaches_unseen
        || is_same && was_anything_learned(program, &before.state, &after.state)
}
