//! Merges what a step did with the lines of the script below it: comparison and comments.

use std::collections::VecDeque;
use std::ops::Range;

use similar::{Algorithm, DiffTag, TextDiff, capture_diff_slices};

use crate::game::Player;
use crate::session::script::pattern::{ANY_LINES, Named, as_found, lines_fit};
use crate::session::steps::Event;
use crate::source::{Source, Span};
use crate::transcript::{Line, LineKind};

/// A line that a step adds to the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MergedLine {
    pub(super) text: String,
    /// The number of the script line that requested it.
    pin: Option<usize>,
    /// Whether it is output, which the script may check.
    output: bool,
    /// Whether it says that a player declined since nothing else was legal; a script may leave that
    /// out of the output that it expects.
    declines: bool,
}

impl MergedLine {
    /// The lines of what happened in a step. A chance event that a line requested has the comment
    /// of that line.
    pub(super) fn from_events(
        events: &[Event],
        names: &[String],
        viewer: Option<Player>,
        below: Below,
    ) -> Vec<MergedLine> {
        let mut entries = Vec::new();
        for event in events {
            let output = matches!(event, Event::Said(_));
            let declines = matches!(event, Event::Said(said) if said.declines);
            let pin = if let Event::Drew { pin, .. } = event { *pin } else { None };
            let line = below.iter().find(|(number, _)| pin == Some(*number));
            let tail = line.filter(|_| viewer.is_none()).map_or("", |(_, line)| &line.tail);
            for mut text in event.transcript_lines(names, viewer) {
                if !text.ends_with(tail) {
                    text.push_str(tail);
                }
                entries.push(MergedLine { text, pin, output, declines });
            }
        }
        entries
    }
}

/// The lines of a script below a step, up to the next step, with their numbers.
pub(super) type Below<'a> = &'a [(usize, &'a Line)];

/// Whether a line of the script gave a draw of the step its outcome.
fn is_pinned(entries: &[MergedLine], number: usize) -> bool {
    entries.iter().any(|entry| entry.pin == Some(number))
}

/// Returns the lines of the transcript below a step: its entries in order, and between them the
/// comments and empty lines of the script, counted by the lines above them that belong to the
/// step. Those with no line of the step below them come after it.
pub(super) fn weave(entries: &[MergedLine], below: Below) -> Vec<String> {
    let mut passed = 0;
    let mut free: Vec<(usize, &Line)> = Vec::new();
    for (number, line) in below {
        match line.kind {
            LineKind::Output(_) => passed += 1,
            LineKind::Chance(_) if is_pinned(entries, *number) => {
                passed += 1;
            }
            LineKind::Chance(_) => {}
            _ => free.push((passed, line)),
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

/// Compares the output with the expected one. Returns the place of the expected lines if they differ;
/// where nothing is expected, everything is right.
pub(super) fn compare_output(
    entries: &[MergedLine],
    below: Below,
    named: &mut Named,
) -> Option<Span> {
    let outputs = below.iter().filter(|(_, line)| matches!(line.kind, LineKind::Output(_)));
    let (expected, spans): (Vec<&str>, Vec<Span>) =
        outputs.map(|(_, line)| (line.text.as_str(), line.span)).unzip();
    let span = spans.into_iter().reduce(Span::to)?;
    let output = entries.iter().filter(|entry| entry.output);
    let found: Vec<&str> = output.clone().map(|entry| entry.text.as_str()).collect();
    let said = output.filter(|entry| !entry.declines).map(|entry| entry.text.as_str());
    let said: Vec<&str> = said.collect();
    let fits = lines_fit(&expected, &found, named).or_else(|| lines_fit(&expected, &said, named));
    match fits {
        Some(fits) => {
            *named = fits;
            None
        }
        None => Some(span),
    }
}

/// The lines below a step as the script expects them in its transcript, patterns in the words that they
/// fit.
pub(super) fn expected(
    entries: &[MergedLine],
    below: Below,
    found: &[String],
    named: &Named,
) -> Vec<String> {
    // A draw may be that of a later step.
    let own = |(number, line): &&(usize, &Line)| {
        !matches!(line.kind, LineKind::Chance(_)) || is_pinned(entries, *number)
    };
    let texts: Vec<&str> = below.iter().filter(own).map(|(_, line)| line.text.as_str()).collect();
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    as_found(&texts, &found, named)
}

/// What to change in a script so that it says what happened in a step: stretches of its text, and what
/// takes their place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) changes: Vec<(Range<usize>, String)>,
}

impl Edit {
    /// One line in the place of another, or after it.
    pub(super) fn for_line(source: &Source, span: Span, after: bool, text: &str) -> Edit {
        let Range { start, end } = lines_of(source, span);
        let range = if after { end..end } else { start..end };
        Edit { changes: vec![(range, format!("{text}\n"))] }
    }

    /// Brings the output below the line that ends at `head` into the words of what happened; all other
    /// lines stay where they are.
    pub(super) fn of_step(
        source: &Source,
        head: Span,
        entries: &[MergedLine],
        below: Below,
        named: &Named,
    ) -> Edit {
        let old = below.iter().filter(|(number, line)| match line.kind {
            LineKind::Output(_) => true,
            LineKind::Chance(_) => is_pinned(entries, *number),
            _ => false,
        });
        let old: Vec<(usize, &Line)> = old.copied().collect();
        let new: Vec<&MergedLine> =
            entries.iter().filter(|it| it.output || it.pin.is_some()).collect();
        // A draw is known by the line that asks for it.
        let draw = |number: Option<usize>| format!("* {number:?}");
        let expected: Vec<&str> = old.iter().map(|(_, line)| line.text.as_str()).collect();
        let found: Vec<&str> = new.iter().map(|entry| entry.text.as_str()).collect();
        let mut before = as_found(&expected, &found, named);
        for ((number, line), text) in old.iter().zip(&mut before) {
            if matches!(line.kind, LineKind::Chance(_)) {
                *text = draw(Some(*number));
            }
        }
        let name = |it: &&MergedLine| if it.output { it.text.clone() } else { draw(it.pin) };
        let after: Vec<String> = new.iter().map(name).collect();
        let (mut at, mut changes) = (lines_of(source, head).end, Vec::new());
        for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
            let (tag, lines, entries) = op.as_tag_tuple();
            let texts = new[entries].iter().filter(|entry| entry.output);
            let mut texts: VecDeque<&MergedLine> = texts.copied().collect();
            let mut left = lines.len();
            for (_, line) in &old[lines] {
                left -= 1;
                let place = lines_of(source, line.span);
                at = place.end;
                if tag == DiffTag::Equal || matches!(line.kind, LineKind::Chance(_)) {
                    continue;
                }
                if line.text == ANY_LINES {
                    // What is not left for the lines below it is meant by it.
                    texts.drain(..texts.len().saturating_sub(left));
                    continue;
                }
                let text = texts.pop_front();
                let text = text.map_or(String::new(), |entry| format!("{}\n", entry.text));
                changes.push((place, text));
            }
            if tag != DiffTag::Equal && !texts.is_empty() {
                let texts = texts.iter().flat_map(|entry| [entry.text.as_str(), "\n"]);
                changes.push((at..at, texts.collect()));
            }
        }
        Edit { changes }
    }
}

/// Whether a span lies in a text as a whole.
pub(super) fn lies_in(source: &Source, span: Span) -> bool {
    let end = Span { start: span.end, ..span };
    source.contains(span) && source.contains(end)
}

/// The whole lines of a span, up to the beginning of the next one.
fn lines_of(source: &Source, span: Span) -> Range<usize> {
    let local = |offset: u32| (offset as usize).saturating_sub(source.base).min(source.text.len());
    let start = source.text[..local(span.start)].rfind('\n').map_or(0, |at| at + 1);
    let end = local(span.end);
    start..source.text[end..].find('\n').map_or(source.text.len(), |at| end + at + 1)
}

/// The text of a script after some changes, with the ends of lines that it has. Where
/// several cases ask for changes in lines that they share, the first one counts.
pub(crate) fn edited<'a>(text: &str, edits: impl IntoIterator<Item = &'a Edit>) -> String {
    let mut changes: Vec<_> = edits.into_iter().flat_map(|edit| &edit.changes).collect();
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut edited, mut done) = (String::new(), 0);
    let mut last = None;
    for (range, new) in changes {
        if range.start < done || last.replace(range) == Some(range) {
            continue;
        }
        edited.push_str(&text[done..range.start]);
        if !new.is_empty() && !edited.is_empty() && !edited.ends_with('\n') {
            edited.push('\n');
        }
        edited.push_str(&if text.contains("\r\n") {
            new.replace('\n', "\r\n")
        } else {
            new.clone()
        });
        done = range.end;
    }
    edited + &text[done..]
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

/// A diff of a transcript: lines of each difference with context, and the line number in the script.
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
