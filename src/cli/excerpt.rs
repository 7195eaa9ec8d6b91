//! A finding beside the texts that it points into, within bounds: nobody reads a line of a million
//! letters.

use std::fmt::{Debug, Display, Formatter};

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode, SourceSpan,
    SpanContents,
};

use super::gate;
use crate::source::{Sources, Span};

/// Longer lines are not drawn whole.
const LONGEST_LINE: usize = 1000;

/// How much of a long line is drawn on each side of what matters, and of that itself.
const AROUND: usize = 100;

/// Longer messages are cut in the middle.
const LONGEST_MESSAGE: usize = 1000;

pub(super) struct Excerpt<'a> {
    finding: &'a (dyn Diagnostic + Send + Sync),
    texts: Texts<'a>,
}

impl<'a> Excerpt<'a> {
    pub(super) fn new(finding: &'a (dyn Diagnostic + Send + Sync), sources: &'a Sources) -> Self {
        Excerpt { finding, texts: Texts(sources) }
    }

    /// A label that ends soon, and says so in bounds.
    fn bounded(&self, label: &LabeledSpan) -> LabeledSpan {
        let (start, mut length) = (label.offset(), label.len());
        let span = Span::new(start, start + length);
        if let Some(source) = self.texts.0.find(span) {
            let text = source.slice(span);
            if has_long_line(text) {
                length = text.floor_char_boundary(AROUND);
            }
        }
        let words = label.label().map(shortened);
        if label.primary() {
            LabeledSpan::new_primary_with_span(words, (start, length))
        } else {
            LabeledSpan::new_with_span(words, (start, length))
        }
    }
}

struct Texts<'a>(&'a Sources);

impl SourceCode for Texts<'_> {
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

impl Debug for Excerpt<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        Debug::fmt(self.finding, formatter)
    }
}

impl Display for Excerpt<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&shortened(&self.finding.to_string()))
    }
}

impl std::error::Error for Excerpt<'_> {}

impl Diagnostic for Excerpt<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.finding.code()
    }

    fn severity(&self) -> Option<Severity> {
        self.finding.severity()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        let help = self.finding.help()?.to_string();
        Some(Box::new(shortened(&help)))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.texts)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let labels = self.finding.labels()?;
        Some(Box::new(labels.map(|label| self.bounded(&label))))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        self.finding.related()
    }
}
