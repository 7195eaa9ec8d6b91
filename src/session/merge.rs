//! Merges what a step did with the lines of the script below it: comparison and comments.

use std::ops::Range;

use similar::TextDiff;

use super::steps::Event;
use crate::game::Player;
use crate::source::Span;
use crate::transcript::{Kind, Line};

/// A line that a step adds to the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) text: String,
    /// The number of the script line that requested it.
    pin: Option<usize>,
    /// Whether it is output, which the script may check.
    output: bool,
    /// Whether it says that a player declined since nothing else was legal; a script may leave that
    /// out of the output that it expects.
    declines: bool,
}

impl Entry {
    /// The lines of what happened in a step. A chance event that a line requested has the comment
    /// of that line.
    pub(super) fn of(
        events: &[Event],
        names: &[String],
        viewer: Option<Player>,
        below: Below,
    ) -> Vec<Entry> {
        let mut entries = Vec::new();
        for event in events {
            let output = matches!(event, Event::Said(_));
            let declines = matches!(event, Event::Said(said) if said.declines);
            let pin = if let Event::Drew { pin, .. } = event { *pin } else { None };
            let line = below.iter().find(|(number, _)| pin == Some(*number));
            let tail = line.filter(|_| viewer.is_none()).map_or("", |(_, line)| &line.tail);
            for mut text in event.lines(names, viewer) {
                if !text.ends_with(tail) {
                    text.push_str(tail);
                }
                entries.push(Entry { text, pin, output, declines });
            }
        }
        entries
    }
}

/// The lines of a script below a step, up to the next step, with their numbers.
pub(super) type Below<'a> = &'a [(usize, &'a Line)];

/// Returns the lines of the transcript below a step: its entries in order, and between them the
/// comments and empty lines of the script, counted by the lines above them that belong to the
/// step. Those with no line of the step below them come after it.
pub(super) fn weave(entries: &[Entry], below: Below) -> Vec<String> {
    let mut passed = 0;
    let mut free: Vec<(usize, &Line)> = Vec::new();
    for (number, line) in below {
        match line.kind {
            Kind::Output(_) => passed += 1,
            Kind::Chance(_) if entries.iter().any(|entry| entry.pin == Some(*number)) => {
                passed += 1;
            }
            Kind::Comment | Kind::Blank => free.push((passed, line)),
            _ => {}
        }
    }
    let mut woven = Vec::new();
    let mut free = free.into_iter().peekable();
    for (index, entry) in entries.iter().enumerate() {
        while let Some((_, line)) = free.next_if(|(place, _)| *place <= index && *place < passed) {
            woven.push(line.text.clone());
        }
        woven.push(entry.text.clone());
    }
    woven.extend(free.map(|(_, line)| line.text.clone()));
    woven
}

/// Compares the output with the expected one. Returns a marked list of both and the place of the
/// expected lines if they differ; where nothing is expected, everything is right.
pub(super) fn compare(entries: &[Entry], below: Below) -> Option<(String, Span)> {
    let outputs = below.iter().filter(|(_, line)| matches!(line.kind, Kind::Output(_)));
    let (expected, spans): (Vec<&str>, Vec<Span>) =
        outputs.map(|(_, line)| (line.text.as_str(), line.span)).unzip();
    let span = spans.into_iter().reduce(Span::to)?;
    let output = entries.iter().filter(|entry| entry.output);
    let found: Vec<&str> = output.clone().map(|entry| entry.text.as_str()).collect();
    let said = output.filter(|entry| !entry.declines).map(|entry| entry.text.as_str());
    let fits = expected == found || said.eq(expected.iter().copied());
    (!fits).then(|| (diff(&expected, &found), span))
}

/// How many equal lines are shown around those that differ.
const CONTEXT: usize = 3;

/// A part of a transcript that the script expects otherwise.
pub(super) struct Missed {
    pub(super) found: Range<usize>,
    pub(super) expected: Vec<String>,
    /// The number of the first line that expects something.
    pub(super) line: usize,
}

/// Where a transcript differs from what was expected: the lines of each place, the lines around
/// them, and the number of the line in the script.
pub(super) fn transcript_diff(found: &[String], missed: &[Missed]) -> String {
    let (mut expected, mut done) = (Vec::new(), 0);
    for part in missed {
        expected.extend(&found[done..part.found.start]);
        expected.extend(&part.expected);
        done = part.found.end;
    }
    expected.extend(&found[done..]);
    let expected: Vec<&str> = expected.into_iter().map(String::as_str).collect();
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    let diff = TextDiff::from_slices(&expected, &found);
    let mut shown = Vec::new();
    for group in diff.grouped_ops(CONTEXT) {
        let end = group.last().map_or(0, |op| op.new_range().end);
        let part = missed.iter().rev().find(|part| part.found.start < end);
        shown.extend(part.map(|part| format!("line {}:", part.line)));
        let changes = group.iter().flat_map(|op| diff.iter_changes(op));
        shown.extend(changes.map(|change| format!("{}{}", change.tag(), change.value())));
    }
    shown.join("\n")
}

/// Marks the lines of two texts: common ones with a space, others with `-` and `+`.
fn diff(expected: &[&str], found: &[&str]) -> String {
    let diff = TextDiff::from_slices(expected, found);
    let lines = diff.iter_all_changes().map(|it| format!("{}{}", it.tag(), it.value()));
    lines.collect::<Vec<_>>().join("\n")
}
