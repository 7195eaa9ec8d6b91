//! Draws in a script: from its lines while there are any, else from its seed.

use std::collections::VecDeque;

use super::error::RunError;
use super::flow::{Answer, Draws};
use super::position::Position;
use crate::chance::{Chance, Seeded};
use crate::diagnostic::Diagnostics;
use crate::source::Span;
use crate::transcript::{Line, Words, chance, fold};

/// Longer lists of outcomes are cut.
const MOST_LISTED: u32 = 24;

/// The chance events of a script.
#[derive(Clone, Debug)]
pub(super) struct Events<'a> {
    /// The lines that were not used up yet, with their numbers.
    lines: VecDeque<(usize, &'a Line, &'a Words)>,
    /// Answers what no line answers.
    seeded: Option<Seeded>,
    /// The step that is carried out.
    step: Span,
}

impl<'a> Events<'a> {
    pub(super) fn new(seeded: Option<Seeded>) -> Events<'a> {
        Events { lines: VecDeque::new(), seeded, step: Span::default() }
    }

    /// Adds a line behind all others.
    pub(super) fn add(&mut self, number: usize, line: &'a Line, words: &'a Words) {
        self.lines.push_back((number, line, words));
    }

    /// Answers draws from a stream where the script has no seed.
    pub(super) fn chance_follows(&mut self, stream: Seeded) {
        self.seeded.get_or_insert(stream);
    }

    /// Returns the stream, as far as it was used.
    pub(super) fn stream(&self) -> Option<Seeded> {
        self.seeded.clone()
    }

    /// Says which step is carried out from now on.
    pub(super) fn at(&mut self, step: Span) {
        self.step = step;
    }

    /// Returns the lines that nothing asked for.
    pub(super) fn unused(&self) -> Vec<RunError> {
        let unused = self.lines.iter().map(|(_, _, words)| RunError::UnusedEvent {
            words: words.text.clone(),
            span: words.span,
        });
        unused.collect()
    }

    fn written(&mut self, position: &impl Position, outcomes: u32) -> Result<Answer, RunError> {
        let Some(&(number, line, words)) = self.lines.front() else {
            return Err(open_draw(position, outcomes, self.step));
        };
        let event = position.event();
        // A `#` may belong to the outcome, so the line is also tried with its comment.
        let whole = tidy(line.text.trim_start_matches('*'));
        let words_alone = tidy(&words.text);
        let fits = |index: &u32| {
            let said = fold(&chance(&event, &position.outcome(*index)));
            [&whole, &words_alone].iter().any(|text| said.trim_start_matches("* ") == text.as_str())
        };
        match (0..outcomes).find(fits) {
            Some(index) => {
                self.lines.pop_front();
                Ok(Answer { index, pin: Some(number) })
            }
            None => Err(misfit(position, outcomes, words, self.step)),
        }
    }
}

impl Draws for Events<'_> {
    /// The seed is asked for every draw, also where a line gives the answer: so a transcript that
    /// is played on goes on as if it had never stopped, and pinning one die leaves the others.
    fn answer(&mut self, position: &impl Position, outcomes: u32) -> Result<Answer, Diagnostics> {
        let drawn = self.seeded.as_mut().map(|stream| stream.below(outcomes));
        if let (Some(index), true) = (drawn, self.lines.is_empty()) {
            return Ok(Answer { index, pin: None });
        }
        self.written(position, outcomes).map_err(|error| {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(error);
            diagnostics
        })
    }
}

fn open_draw(position: &impl Position, outcomes: u32, span: Span) -> RunError {
    RunError::OpenDraw {
        event: position.event(),
        example: position.outcome(0),
        outcomes: list(position, outcomes),
        span,
    }
}

fn misfit(position: &impl Position, outcomes: u32, words: &Words, step: Span) -> RunError {
    let (event, written) = (position.event(), tidy(&words.text));
    let outcomes = list(position, outcomes);
    let rest = written.strip_prefix(&fold(&event)).map(str::trim_start);
    match rest.and_then(|rest| rest.strip_prefix(':')) {
        Some(outcome) => RunError::UnknownOutcome {
            event,
            outcome: outcome.trim().to_owned(),
            outcomes,
            span: words.span,
        },
        None => RunError::OtherEvent {
            help: way_out(&event, &written, &position.outcome(0), &outcomes),
            event,
            span: words.span,
            step,
        },
    }
}

/// The words of a line, without a blank before its colon.
fn tidy(words: &str) -> String {
    fold(words).replacen(" :", ":", 1)
}

/// What to write in the place of a line that names another event.
fn way_out(event: &str, written: &str, example: &str, outcomes: &str) -> String {
    let named = written.split(':').next().unwrap_or_default();
    let form = format!("`* {event}: {example}`");
    if fold(event).starts_with(&format!("{named}[")) {
        return format!("each one has a line of its own: {form}; the outcomes are {outcomes}");
    }
    format!(
        "write {form} in its place, or above it if this happens later; the outcomes are {outcomes}"
    )
}

fn list(position: &impl Position, outcomes: u32) -> String {
    let shown = outcomes.min(MOST_LISTED);
    let mut words: Vec<String> = (0..shown).map(|index| position.outcome(index)).collect();
    if shown < outcomes {
        words.push(format!("… ({} more)", outcomes - shown));
    }
    words.join(", ")
}
