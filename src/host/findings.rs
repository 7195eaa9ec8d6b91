//! Diagnostics, drawn for people with excerpts of bounded length, or as JSON. The only file that draws errors.

use std::fmt::{Display, Write as _};
use std::ops::Range;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Report,
    SourceCode, SourceSpan, SpanContents,
};

use crate::diagnostic::{Diagnostic, Diagnostics, MOST_FINDINGS, Severity};
use crate::host::gate;
pub(crate) use crate::messages::diagnostic_records;
use crate::source::{Sources, Span};

/// Longer lines are not drawn whole.
const LONGEST_LINE: usize = 1000;

/// How much of a long line is drawn on each side of what matters, and of that itself.
const AROUND: usize = 100;

/// Longer messages are cut in the middle.
const LONGEST_MESSAGE: usize = 1000;

/// How wide diagnostics are drawn where no terminal says it.
pub(crate) const WIDE: usize = 80;

/// Draws diagnostics with their source text, in order of place.
pub(crate) fn render_findings(
    sources: &Sources,
    found: &Diagnostics,
    color: bool,
    width: usize,
) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false);
    let mut drawn = String::new();
    let sources = Arc::new(gate::sanitize_sources(sources).into_owned());
    let sorted = found.sorted();
    for one in sorted.iter().take(MOST_FINDINGS + 1) {
        let texts = SourceTexts(Arc::clone(&sources));
        let report = Report::new(bounded(one, &sources)).with_source_code(texts);
        handler.render_report(&mut drawn, report.as_ref()).expect("a string takes every text");
        drawn.push('\n');
    }
    if sorted.len() > MOST_FINDINGS + 1 {
        let more = sorted.len() - MOST_FINDINGS - 1;
        writeln!(drawn, "… and {more} more\n").expect("a string takes every text");
    }
    if color {
        gate::sanitize_drawing(&coloured(&drawn))
    } else {
        gate::sanitize_text(&drawn).into_owned()
    }
}

/// A drawing with colours in the lines of scripts that differ.
fn coloured(drawn: &str) -> String {
    let mut differs = false;
    let lines = drawn.split_inclusive('\n').map(|line| {
        differs =
            line.contains("expected (-) and found (+):") || differs && !line.trim().is_empty();
        match style_of_change(line.trim_start()).filter(|_| differs) {
            Some(style) => format!("{style}{}{style:#}\n", line.trim_end()),
            None => line.to_owned(),
        }
    });
    lines.collect()
}

/// The colour of a line that goes or comes.
pub(crate) fn style_of_change(line: &str) -> Option<Style> {
    match line.chars().next()? {
        '-' => Some(AnsiColor::Red.on_default()),
        '+' => Some(AnsiColor::Green.on_default()),
        _ => None,
    }
}

/// A diagnostic whose texts are short enough to be drawn.
fn bounded(one: &Diagnostic, sources: &Sources) -> Diagnostic {
    let mut bounded = one.clone();
    bounded.message = shortened(&one.message);
    bounded.help = one.help.as_deref().map(shortened);
    for label in &mut bounded.labels {
        label.text = shortened(&label.text);
        let text = sources.find(label.span).map_or("", |source| source.slice(label.span));
        if has_long_line(text) {
            let start = label.span.start as usize;
            label.span = Span::new(start, start + text.floor_char_boundary(AROUND));
        }
    }
    let main = bounded.main_label().map(|at| bounded.labels[at].span).unwrap_or_default();
    bounded.labels.retain(|label| !is_far(main, label.span, sources));
    bounded
}

/// Whether a long line lies between two places: an excerpt of both would have to show all of it.
fn is_far(a: Span, b: Span, sources: &Sources) -> bool {
    let (first, last) = (a.start.min(b.start), a.start.max(b.start));
    let between = Span { start: first, end: last };
    let text = sources.find(between).filter(|it| it.contains(Span { start: last, end: last }));
    text.is_some_and(|text| has_long_line(text.slice(between)))
}

/// All texts of a load, as the place that labels point into.
#[derive(Debug)]
struct SourceTexts(Arc<Sources>);

impl SourceCode for SourceTexts {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_lines_before: usize,
        context_lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let wanted = Span::new(span.offset(), span.offset() + span.len());
        let source = self.0.find(wanted).ok_or(MietteError::OutOfBounds)?;
        let local = SourceSpan::from((span.offset() - source.base, span.len()));
        let text: &'a str = &source.text;
        let read = text.read_span(&local, context_lines_before, context_lines_after)?;
        let window = window(text, local, read.as_ref());
        let before = &text[read.span().offset()..window.start];
        let column = match before.rfind('\n') {
            Some(end) => before.len() - end - 1,
            None => read.column() + before.len(),
        };
        Ok(Box::new(MietteSpanContents::new_named(
            source.name.clone(),
            &text.as_bytes()[window.clone()],
            (window.start + source.base, window.len()).into(),
            read.line() + before.matches('\n').count(),
            column,
            // How many are drawn, so that labels far apart are drawn apart.
            text[window].lines().count(),
        )))
    }
}

/// The excerpt around a place: whole lines, or a part of a line that is too long.
fn window(text: &str, place: SourceSpan, read: &dyn SpanContents<'_>) -> Range<usize> {
    // What is read may end in the middle of a letter.
    let end = text.ceil_char_boundary(read.span().offset() + read.span().len());
    let start = text.floor_char_boundary(read.span().offset());
    if !has_long_line(&text[start..end]) {
        return start..end;
    }
    let low = place.offset().saturating_sub(AROUND).max(start);
    let high = (place.offset() + place.len() + AROUND).min(end);
    text.floor_char_boundary(low)..text.floor_char_boundary(high)
}

fn has_long_line(text: &str) -> bool {
    text.len() > LONGEST_LINE && text.lines().any(|line| line.len() > LONGEST_LINE)
}

/// A message without its middle, where it is too long; of several lines whole ones are left out.
fn shortened(text: &str) -> String {
    let text = &*gate::sanitize_text(text);
    if text.len() <= LONGEST_MESSAGE {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(LONGEST_MESSAGE / 2)];
    let tail = &text[text.floor_char_boundary(text.len() - LONGEST_MESSAGE / 4)..];
    // A line that fills most of a piece is cut all the same.
    let end = head.rfind('\n').filter(|end| *end >= head.len() / 2);
    let start = tail.find('\n').filter(|start| *start <= tail.len() / 2);
    let (Some(end), Some(start)) = (end, start) else { return format!("{head} … {tail}") };
    let (head, tail) = (&head[..end], &tail[start + 1..]);
    let left_out = text[end + 1..text.len() - tail.len()].lines().count();
    format!("{head}\n… {left_out} more lines\n{tail}")
}

impl miette::Diagnostic for Diagnostic {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.code.map(|code| Box::new(code) as Box<dyn Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Advice => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let labels = self.labels.iter().map(|label| {
            let place = (label.span.start as usize, label.span.len());
            if label.primary {
                LabeledSpan::new_primary_with_span(Some(label.text.clone()), place)
            } else {
                LabeledSpan::new_with_span(Some(label.text.clone()), place)
            }
        });
        Some(Box::new(labels))
    }
}

/// Writes diagnostics as JSON, one object a line, in order of place.
pub(crate) fn findings_to_json(sources: &Sources, found: &Diagnostics) -> String {
    let mut lines = String::new();
    for object in diagnostic_records(sources, found) {
        writeln!(lines, "{object}").expect("a string takes every text");
    }
    lines
}

/// The code of the first error, or of the first diagnostic if none is an error.
pub(crate) fn first_code(found: &Diagnostics) -> Option<&'static str> {
    let sorted = found.sorted();
    // A fragment of a game has no `game` block on purpose.
    let told = sorted.iter().filter(|one| one.code != Some("check::no_game"));
    told.chain(&sorted).find(|one| one.is_error()).or(sorted.first())?.code
}

/// Counts diagnostics in words: `2 errors, 1 warning`.
pub(crate) fn summary(found: &Diagnostics) -> String {
    let sorted = found.sorted();
    let counted = |severity: Severity| {
        let count = sorted.iter().filter(|one| one.severity == severity).count();
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {}{plural}", severity.name()))
    };
    let words: Vec<String> =
        [Severity::Error, Severity::Warning].into_iter().filter_map(counted).collect();
    if words.is_empty() { "no errors".to_owned() } else { words.join(", ") }
}
