//! A diagnostic and excerpts of the texts that it points into, cut to a bounded length for miette.

use std::fmt::{Display, Formatter};

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::gate;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Sources, Span};

/// Longer lines are not drawn whole.
const LONGEST_LINE: usize = 1000;

/// How much of a long line is drawn on each side of what matters, and of that itself.
const AROUND: usize = 100;

/// Longer messages are cut in the middle.
const LONGEST_MESSAGE: usize = 1000;

/// A diagnostic with the texts beside it.
#[derive(Debug)]
pub(super) struct Excerpt<'a> {
    bounded: Diagnostic,
    sources: SourceTexts<'a>,
}

impl<'a> Excerpt<'a> {
    /// A diagnostic whose texts are short enough to be drawn, beside the texts of its load.
    pub(super) fn new(one: &Diagnostic, sources: &'a Sources) -> Excerpt<'a> {
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
        Excerpt { bounded, sources: SourceTexts(sources) }
    }
}

/// All texts of a load, as the place that labels point into.
#[derive(Debug)]
struct SourceTexts<'a>(&'a Sources);

impl SourceCode for SourceTexts<'_> {
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

/// What is shown of the lines around a place: all of them, or, where one is too long, a bit.
fn window(text: &str, place: SourceSpan, read: &dyn SpanContents<'_>) -> std::ops::Range<usize> {
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

/// A message without its middle, where it is too long.
fn shortened(text: &str) -> String {
    let text = &*gate::plain(text);
    if text.len() <= LONGEST_MESSAGE {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(LONGEST_MESSAGE / 2)];
    let tail = &text[text.floor_char_boundary(text.len() - LONGEST_MESSAGE / 4)..];
    format!("{head} … {tail}")
}

impl Display for Excerpt<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        self.bounded.fmt(formatter)
    }
}

impl std::error::Error for Excerpt<'_> {}

impl miette::Diagnostic for Excerpt<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        miette::Diagnostic::code(&self.bounded)
    }

    fn severity(&self) -> Option<miette::Severity> {
        miette::Diagnostic::severity(&self.bounded)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        miette::Diagnostic::help(&self.bounded)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        miette::Diagnostic::labels(&self.bounded)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.sources)
    }
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
