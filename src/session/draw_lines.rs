//! Answers draws in a script: from its lines while there are any, else from its seed.

use std::collections::VecDeque;

use super::error::RunError;
use super::event::Answer;
use super::running::Running;
use crate::chance::{Chance, Seeded};
use crate::diagnostic::Diagnostics;
use crate::game::Step;
use crate::source::Span;
use crate::transcript::{self, Line, Words, chance, fold};

/// Longer lists of outcomes are cut.
const MOST_LISTED: u32 = 24;

/// The lines of a script that say how draws end.
#[derive(Clone, Debug)]
pub(super) struct DrawLines<'a> {
    /// The lines that were not used up yet, with their numbers.
    lines: VecDeque<(usize, &'a Line, &'a Words)>,
    /// Answers what no line answers.
    pub(super) seeded: Option<Seeded>,
    pub(super) step: Span,
}

impl<'a> DrawLines<'a> {
    pub(super) fn new(seeded: Option<Seeded>) -> DrawLines<'a> {
        DrawLines { lines: VecDeque::new(), seeded, step: Span::default() }
    }

    pub(super) fn add(&mut self, number: usize, line: &'a Line, words: &'a Words) {
        self.lines.push_back((number, line, words));
    }

    pub(super) fn unused(&self) -> Vec<RunError> {
        let unused = |(_, _, words): &(usize, &Line, &Words)| RunError::UnusedEvent {
            words: words.text.clone(),
            span: words.span,
        };
        self.lines.iter().map(unused).collect()
    }

    /// Answers a draw. The seed is asked for every draw, also where a line gives the answer: so a
    /// transcript that is played on goes on as if it had never stopped, and pinning one die leaves
    /// the others.
    pub(super) fn answer(
        &mut self,
        position: &Running,
        outcomes: u32,
    ) -> Result<Answer, Diagnostics> {
        let drawn = self.seeded.as_mut().map(|stream| stream.below(outcomes));
        let answer = self.answer_of(position, outcomes, drawn);
        answer.map_err(|first| self.unanswered(position, outcomes, first))
    }

    fn written(
        &mut self,
        at: usize,
        position: &Running,
        outcomes: u32,
    ) -> Result<Answer, Unanswered> {
        let Some(&(number, line, words)) = self.lines.get(at) else {
            return Err(Unanswered::Open);
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
                self.lines.remove(at);
                Ok(Answer { index, pin: Some(number) })
            }
            None if names(words, &event) => {
                self.lines.remove(at);
                Err(Unanswered::Misfit(unknown_outcome(position, outcomes, words)))
            }
            None => Err(Unanswered::Other(words.clone())),
        }
    }

    /// The answer of the next line. A seed answers what no line names: then lines for other draws
    /// wait, and the first that names this one counts.
    fn answer_of(
        &mut self,
        position: &Running,
        outcomes: u32,
        drawn: Option<u32>,
    ) -> Result<Answer, Unanswered> {
        let Some(index) = drawn else { return self.written(0, position, outcomes) };
        let event = position.event();
        match self.lines.iter().position(|(_, _, words)| means(words, &event)) {
            Some(at) => self.written(at, position, outcomes),
            None => Ok(Answer { index, pin: None }),
        }
    }

    /// What is wrong with a draw that has no answer, and with those of the same roll behind it: who
    /// rolls ten dice is told of all of them at once.
    fn unanswered(&mut self, position: &Running, outcomes: u32, first: Unanswered) -> Diagnostics {
        let (mut found, mut open, mut other) = (Diagnostics::new(), Vec::new(), None);
        let all = list(position, outcomes);
        let (mut ahead, mut seen, mut next) = (position.clone(), Vec::new(), Err(first));
        loop {
            let (event, example) = (ahead.event(), ahead.outcome(0));
            match next {
                Ok(_) => {}
                Err(Unanswered::Misfit(error)) => found.push(error),
                Err(Unanswered::Open) => open.push((event.clone(), example)),
                Err(Unanswered::Other(words)) => {
                    other.get_or_insert(words);
                    open.push((event.clone(), example));
                }
            }
            seen.push(event);
            ahead.draw(0);
            let Ok(Step::Draw { outcomes }) = ahead.advance() else { break };
            let event = ahead.event();
            if !are_rolled_together(&seen[0], &event) || seen.contains(&event) {
                break;
            }
            let drawn = self.seeded.as_mut().map(|stream| stream.below(outcomes));
            next = self.answer_of(&ahead, outcomes, drawn);
        }
        match other {
            Some(words) => found.push(other_event(&open, &words, &all, self.step)),
            None if open.is_empty() => {}
            None => found.push(open_draws(&open, &all, self.step)),
        }
        found
    }
}

/// Why no line answers a draw.
enum Unanswered {
    Open,
    /// The next one names its event, and an outcome that it does not have.
    Misfit(RunError),
    /// The next one names another event.
    Other(Words),
}

fn names(words: &Words, event: &str) -> bool {
    let written = tidy(&words.text);
    written.strip_prefix(&fold(event)).is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// Whether a line names an event, or the dice of which it is one.
fn means(words: &Words, event: &str) -> bool {
    let written = tidy(&words.text);
    let dice = written.split(':').next().unwrap_or_default();
    names(words, event) || fold(event).starts_with(&format!("{dice}["))
}

/// Whether two events are dice of one array: `roll cup[1]` and `roll cup[2]`.
fn are_rolled_together(one: &str, other: &str) -> bool {
    let dice = |event: &str| event.split_once('[').map(|(dice, _)| dice.to_owned());
    dice(one).is_some() && dice(one) == dice(other)
}

/// The lines that would answer draws.
fn lines(open: &[(String, String)]) -> String {
    let lines: Vec<String> = open.iter().map(|(event, outcome)| chance(event, outcome)).collect();
    lines.join("\n")
}

fn open_draws(open: &[(String, String)], outcomes: &str, span: Span) -> RunError {
    let events: Vec<String> = open.iter().map(|(event, _)| format!("`{event}`")).collect();
    let help = match open {
        [(event, outcome)] => format!(
            "add a line like `{}` below this one, or `seed 1` to the header; the outcomes are \
             {outcomes}",
            chance(event, outcome)
        ),
        several => format!(
            "add these lines with your outcomes below this one, or `seed 1` to the header; the \
             outcomes are {outcomes}\n{}",
            lines(several)
        ),
    };
    let verb = if open.len() == 1 { "ends" } else { "end" };
    RunError::OpenDraw { events: transcript::list(&events), verb, help, span }
}

fn unknown_outcome(position: &Running, outcomes: u32, words: &Words) -> RunError {
    let written = tidy(&words.text);
    let outcome = written.split_once(':').map_or("", |(_, outcome)| outcome.trim()).to_owned();
    let (event, outcomes) = (position.event(), list(position, outcomes));
    RunError::UnknownOutcome { event, outcome, outcomes, span: words.span }
}

/// The words of a line, without a blank before its colon.
fn tidy(words: &str) -> String {
    fold(words).replacen(" :", ":", 1)
}

/// What to say of a line that names another event than those that happen.
fn other_event(open: &[(String, String)], words: &Words, outcomes: &str, step: Span) -> RunError {
    let (event, example) = &open[0];
    let help = if means(words, event) || open.len() > 1 {
        let all = lines(open);
        format!("each die has a line of its own; the outcomes are {outcomes}\n{all}")
    } else {
        format!(
            "write `{}` in its place, or above it if this happens later; the outcomes are {outcomes}",
            chance(event, example)
        )
    };
    RunError::OtherEvent { help, event: event.clone(), span: words.span, step }
}

fn list(position: &Running, outcomes: u32) -> String {
    let shown = outcomes.min(MOST_LISTED);
    let mut words: Vec<String> = (0..shown).map(|index| position.outcome(index)).collect();
    words.extend((shown < outcomes).then(|| format!("… ({} more)", outcomes - shown)));
    words.join(", ")
}
