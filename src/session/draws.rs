//! Answers draws: by what people pinned, by the lines of a script, else by the streams of a seed.

use std::collections::VecDeque;

use crate::chance::{Chance, Seed, Seeded};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::game::Step;
use crate::session::error;
use crate::session::running::Running;
use crate::source::Span;
use crate::transcript::{Line, SpannedText, chance, fold_case, list_words};

/// Longer lists of outcomes are cut, at the table and in a script.
const MOST_LISTED: u32 = 12;
const MOST_LISTED_IN_SCRIPTS: u32 = 24;

/// So many outcomes are put into words to find those that differ.
const MOST_READ: u32 = 1024;

/// Where more moves are legal, it is not tried where they lead.
const MOST_TRIED: usize = 200;

/// The answer to a draw: an outcome, and the number of the script line that requested it.
pub(super) type DrawAnswer = (u32, Option<usize>);

/// The streams of a table, each where it goes on, and the pinned outcomes of the next draws. Each
/// step keeps them, so undo changes no draw.
#[derive(Clone, Debug)]
pub(super) struct Luck {
    pub(super) seed: Seed,
    pub(super) table: Seeded,
    /// The streams of the seats, for the programs that sit there.
    pub(super) seats: Vec<Seeded>,
    /// Outcomes of the next draws, in order, as they were typed: what real dice showed.
    pub(super) pins: VecDeque<String>,
    /// Whether the game was dealt from this seed, so that the seed begins the same game again.
    pub(super) is_dealt: bool,
}

impl Luck {
    /// All streams of a seed at their beginning. Each round has streams of its own.
    pub(super) fn new(seed: Seed, round: u64, players: usize) -> Luck {
        let seats = (0..=u8::MAX).take(players).map(|seat| seed.seat(round, players, seat));
        let table = seed.table_stream(round, players);
        Luck { seed, table, seats: seats.collect(), pins: VecDeque::new(), is_dealt: true }
    }

    /// Puts all streams to the beginning of a round during a game; the pins stay.
    pub(super) fn rewind(&mut self, seed: Seed, round: u64, players: usize) {
        let pins = std::mem::take(&mut self.pins);
        *self = Luck { pins, is_dealt: false, ..Luck::new(seed, round, players) };
    }

    /// Answers a draw: pins first, then the stream of the seed. The stream advances at every draw,
    /// also where a pin gives the answer: so a saved game is played on as if it had never stopped,
    /// and pinning one die leaves the others. A pin that does not fit is dropped, with a sentence.
    pub(super) fn pick_outcome(
        &mut self,
        position: &Running,
        outcomes: u32,
        sentences: &mut Vec<String>,
    ) -> u32 {
        let drawn = self.table.below(outcomes);
        let pinned = self.pins.pop_front().and_then(|pin| {
            let found = find_outcome(position, outcomes, &pin);
            if found.is_none() {
                let misfit = describe_misfit(position, outcomes, &pin);
                sentences.push(format!("{misfit}; it was drawn instead"));
            }
            found
        });
        pinned.unwrap_or(drawn)
    }

    /// Adds outcomes, unless the next draw is known and cannot end so: then it says why.
    pub(super) fn pin(&mut self, typed: &str, position: &Running) -> Result<(), String> {
        let added = split_outcomes(typed);
        let next = if self.pins.is_empty() { next_draw(position) } else { None };
        if let (Some((position, outcomes)), Some(first)) = (next, added.first())
            && (!position.has_secrets() || position.game.is_fixed_draw(&position.state))
            && find_outcome(&position, outcomes, first).is_none()
        {
            let misfit = describe_misfit(&position, outcomes, first);
            return Err(format!("{misfit}; nothing was noted"));
        }
        self.pins.extend(added);
        Ok(())
    }
}

/// Outcomes stand between commas, or, where there is none, between spaces. One that names its
/// event, `roll die: 4`, is one.
fn split_outcomes(typed: &str) -> Vec<String> {
    let parts: Vec<&str> = if typed.contains(',') {
        typed.split(',').collect()
    } else if typed.contains(':') {
        vec![typed]
    } else {
        typed.split_whitespace().collect()
    };
    parts.into_iter().map(fold_case).filter(|part| !part.is_empty()).collect()
}

/// Finds an outcome by its words: as they are, then in any case.
fn find_outcome(position: &Running, outcomes: u32, pin: &str) -> Option<u32> {
    let event = fold_case(&position.event());
    let said = pin.strip_prefix(&event).and_then(|rest| rest.trim_start().strip_prefix(':'));
    let said = said.map_or(pin, str::trim);
    let folded = |index: u32| fold_case(&position.outcome(index));
    (0..outcomes)
        .find(|index| folded(*index) == said)
        .or_else(|| (0..outcomes).find(|index| folded(*index).eq_ignore_ascii_case(said)))
}

/// The first outcomes of a draw in words, each once, and how many are not told, if any.
fn outcomes_up_to(most: u32, position: &Running, outcomes: u32) -> (Vec<String>, Option<u32>) {
    let (mut words, mut told) = (Vec::new(), 0);
    for word in (0..outcomes.min(MOST_READ)).map(|index| position.outcome(index)) {
        if words.contains(&word) {
            told += 1;
        } else if words.len() < most as usize {
            words.push(word);
            told += 1;
        }
    }
    (words, (told < outcomes).then(|| outcomes - told))
}

/// Describes a pin that no outcome fits; lists the outcomes only where everybody may know them.
fn describe_misfit(position: &Running, outcomes: u32, pin: &str) -> String {
    let Running { game, state, .. } = position;
    if game.has_secrets() && !game.is_fixed_draw(state) {
        return format!("`{pin}` is no outcome of `{}`", position.event());
    }
    let (mut words, more) = outcomes_up_to(MOST_LISTED, position, outcomes);
    words.extend(more.map(|more| format!("{more} more")));
    format!("`{pin}` is no outcome of `{}`; there are {}", position.event(), list_words(&words))
}

/// The draw that comes next, where every legal move leads to the same one.
fn next_draw(position: &Running) -> Option<(Running, u32)> {
    if position.count_moves() > MOST_TRIED {
        return None;
    }
    let after = |index| {
        let mut position = position.clone();
        position.make_move(index);
        match position.advance_position() {
            Ok(Step::Draw { outcomes }) => Some((position, outcomes)),
            _ => None,
        }
    };
    let mut draws = (0..position.count_moves()).map(after).collect::<Option<Vec<_>>>()?;
    let words = |(position, outcomes): &(Running, u32)| {
        let ends = (0..*outcomes).map(|index| position.outcome(index)).collect::<Vec<_>>();
        (position.event(), ends)
    };
    let same = draws.windows(2).all(|two| words(&two[0]) == words(&two[1]));
    if same { draws.pop() } else { None }
}

/// The lines of a script that say how draws end.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawLines<'a> {
    /// The lines that were not used up yet, with their numbers.
    pub(super) lines: VecDeque<(usize, &'a Line, &'a SpannedText)>,
    /// Answers what no line answers.
    pub(super) seeded: Option<Seeded>,
    pub(super) step: Span,
    /// Whether no step follows, so that a draw that no line answers is where the script ends.
    pub(super) is_last: bool,
    /// Whether it ended so.
    pub(super) ended: bool,
}

impl DrawLines<'_> {
    pub(super) fn unused(&self) -> Vec<Diagnostic> {
        let words = self.lines.iter().map(|(_, _, words)| words);
        let unused = |words: &&SpannedText| error::unused_event(words.text.clone(), words.span);
        words.map(unused).collect()
    }

    /// The events of the lines that no draw used; where the run stopped, those of the step that it did not make do not
    /// count.
    pub(super) fn unused_events(&self, has_stopped: bool) -> Vec<String> {
        let made = self
            .lines
            .iter()
            .filter(|(_, line, _)| !has_stopped || line.span.start < self.step.start);
        let event =
            |words: &SpannedText| words.text.split(':').next().unwrap_or_default().to_owned();
        made.map(|(_, _, words)| event(words)).collect()
    }

    /// Answers a draw: from the lines while there are any, else from the seed. The seed is asked
    /// for every draw, also where a line gives the answer: so a transcript that is played on goes
    /// on as if it had never stopped, and pinning one die leaves the others.
    pub(super) fn read_outcome(
        &mut self,
        position: &Running,
        outcomes: u32,
        last: Option<&str>,
    ) -> Result<DrawAnswer, Diagnostics> {
        let answer = self.next_answer(position, outcomes);
        // Of dice that are rolled together all are wanted or none.
        let asked = last.is_some_and(|last| is_one_roll(last, &position.event()));
        if matches!(answer, Err(Unanswered::Open)) && self.is_last && !asked {
            self.ended = true;
            return Err(Diagnostics::new());
        }
        answer.map_err(|first| self.unanswered(position, outcomes, first))
    }

    /// The answer of the next line. A seed answers what no line names: then lines for other draws
    /// wait, and the first that names this one counts.
    fn next_answer(&mut self, position: &Running, outcomes: u32) -> Result<DrawAnswer, Unanswered> {
        let event = position.event();
        let mut at = 0;
        if let Some(stream) = &mut self.seeded {
            let index = stream.below(outcomes);
            let named = self.lines.iter().position(|(_, _, words)| means(words, &event));
            let Some(named) = named else { return Ok((index, None)) };
            at = named;
        }
        let Some(&(number, line, words)) = self.lines.get(at) else {
            return Err(Unanswered::Open);
        };
        // A `#` may belong to the outcome, so the line is also tried with its comment.
        let written = [tidy(line.text.trim_start_matches('*')), tidy(&words.text)];
        let fits = |index: &u32| {
            let said = fold_case(&chance(&event, &position.outcome(*index)));
            written.iter().any(|text| said.trim_start_matches("* ") == text.as_str())
        };
        let found = (0..outcomes).find(fits);
        if found.is_none() && !has_event_name(words, &event) {
            return Err(Unanswered::Other(words.clone()));
        }
        self.lines.remove(at);
        found.map(|index| (index, Some(number))).ok_or_else(|| {
            let outcome = written[1].split_once(':').map_or("", |(_, outcome)| outcome.trim());
            let (outcome, span) = (outcome.to_owned(), words.span);
            let outcomes = format_outcomes(position, outcomes);
            Unanswered::Misfit(error::UnknownOutcome { event, outcome, outcomes, span }.into())
        })
    }

    /// Reports a draw without an answer, and those of the same roll after it at once.
    fn unanswered(&mut self, position: &Running, outcomes: u32, first: Unanswered) -> Diagnostics {
        let (mut found, mut open, mut other) = (Diagnostics::new(), Vec::new(), None);
        let all = format_outcomes(position, outcomes);
        let (mut ahead, mut seen, mut next) = (position.clone(), Vec::new(), Err(first));
        loop {
            let event = ahead.event();
            if let Err(Unanswered::Misfit(error)) = next {
                found.push(error);
            } else if let Err(reason) = next {
                open.push((event.clone(), ahead.outcome(0)));
                if let Unanswered::Other(words) = reason {
                    other.get_or_insert(words);
                }
            }
            seen.push(event);
            ahead.answer_draw(0);
            let Ok(Step::Draw { outcomes }) = ahead.advance_position() else { break };
            let event = ahead.event();
            if !is_one_roll(&seen[0], &event) || seen.contains(&event) {
                break;
            }
            next = self.next_answer(&ahead, outcomes);
        }
        match other {
            Some(words) => found.push(other_event(&open, &words, &all, self.step)),
            None if open.is_empty() => {}
            None => found.push(open_draws(&open, &all, self.step)),
        }
        found
    }
}

enum Unanswered {
    Open,
    /// The next one names its event, and an outcome that it does not have.
    Misfit(Diagnostic),
    /// The next one names another event.
    Other(SpannedText),
}

/// Dice of one array are rolled together: `roll cup[1]` and `roll cup[2]`.
fn is_one_roll(event: &str, other: &str) -> bool {
    let array = |event: &'_ str| event.find('[').map(|at| event[..at].to_owned());
    array(event).is_some() && array(event) == array(other)
}

fn has_event_name(words: &SpannedText, event: &str) -> bool {
    let written = tidy(&words.text);
    written.strip_prefix(&fold_case(event)).is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// True if a line names an event, or the dice that it is one of.
fn means(words: &SpannedText, event: &str) -> bool {
    let written = tidy(&words.text);
    let dice = written.split(':').next().unwrap_or_default();
    has_event_name(words, event) || fold_case(event).starts_with(&format!("{dice}["))
}

/// The words of a line, without a blank before its colon.
pub(super) fn tidy(words: &str) -> String {
    fold_case(words).replacen(" :", ":", 1)
}

fn format_draws(open: &[(String, String)]) -> String {
    let lines: Vec<String> = open.iter().map(|(event, outcome)| chance(event, outcome)).collect();
    lines.join("\n")
}

fn open_draws(open: &[(String, String)], outcomes: &str, span: Span) -> Diagnostic {
    let events: Vec<String> = open.iter().map(|(event, _)| format!("`{event}`")).collect();
    let lines = format_draws(open);
    let (verb, help) = if open.len() == 1 {
        let help = format!("add a line like `{lines}` below this one, or `seed 1` to the header");
        ("ends", format!("{help}; the outcomes are {outcomes}"))
    } else {
        let help = "add these lines with your outcomes below this one, or `seed 1` to the header";
        ("end", format!("{help}; the outcomes are {outcomes}\n{lines}"))
    };
    error::open_draw(list_words(&events), verb, help, span)
}

/// Reports a line that names another event than the open ones.
fn other_event(
    open: &[(String, String)],
    words: &SpannedText,
    outcomes: &str,
    step: Span,
) -> Diagnostic {
    let (event, _) = &open[0];
    let help = if means(words, event) || open.len() > 1 {
        let all = format_draws(open);
        format!("write one line for each die; the outcomes are {outcomes}\n{all}")
    } else {
        // What was typed of the other event may be an outcome of this one.
        let typed = words.text.rsplit(':').next().map_or("", str::trim);
        let line = match outcomes.split(", ").find(|outcome| *outcome == typed) {
            Some(outcome) => chance(event, outcome),
            None => format_draws(open),
        };
        format!(
            "write `{line}` in its place, or above it if this happens later; the outcomes are {outcomes}"
        )
    };
    error::other_event(event.clone(), help, words.span, step)
}

/// The outcomes of a draw, for the help of a script.
fn format_outcomes(position: &Running, outcomes: u32) -> String {
    let (mut words, more) = outcomes_up_to(MOST_LISTED_IN_SCRIPTS, position, outcomes);
    words.extend(more.map(|more| format!("… ({more} more)")));
    words.join(", ")
}
