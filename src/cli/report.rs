//! Diagnostics, drawn for people or as JSON. The only file that draws errors.

use std::fmt::Write as _;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, Severity, SourceCode, SourceSpan, SpanContents,
};
use serde_json::{Value, json};

use crate::diagnostic::{Diagnostics, is_error};
use crate::source::{Source, Sources, Span};

/// Draws findings with their source text, in order of place.
pub(super) fn draw(sources: &Sources, found: &Diagnostics, color: bool, width: usize) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false);
    let mut drawn = String::new();
    for finding in found.sorted() {
        let shelved = Shelved { finding: finding.as_ref(), shelf: Shelf(sources) };
        handler.render_report(&mut drawn, &shelved).expect("a string takes every text");
        drawn.push('\n');
    }
    drawn
}

/// Writes findings as JSON, one object a line, in order of place.
pub(super) fn json(sources: &Sources, found: &Diagnostics) -> String {
    let mut lines = String::new();
    for finding in found.sorted() {
        let object = object(sources, finding.as_ref());
        writeln!(lines, "{object}").expect("a string takes every text");
    }
    lines
}

/// The code of the first error, or of the first finding if none is an error.
pub(super) fn first_code(found: &Diagnostics) -> Option<String> {
    let sorted = found.sorted();
    let error = sorted.iter().find(|finding| is_error(finding.as_ref()));
    error.or(sorted.first()).and_then(|finding| finding.code()).map(|code| code.to_string())
}

/// Counts findings in words: `2 errors, 1 warning`.
pub(super) fn summary(found: &Diagnostics) -> String {
    let sorted = found.sorted();
    let count = |severity| {
        let all = sorted
            .iter()
            .filter(|finding| finding.severity().unwrap_or(Severity::Error) == severity);
        all.count()
    };
    let words = [(Severity::Error, "error"), (Severity::Warning, "warning")]
        .map(|(severity, word)| (count(severity), word))
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}{}", if number == 1 { "" } else { "s" }));
    let words: Vec<String> = words.collect();
    if words.is_empty() { "no errors".to_owned() } else { words.join(", ") }
}

fn object(sources: &Sources, finding: &dyn Diagnostic) -> Value {
    let labels: Vec<LabeledSpan> = finding.labels().into_iter().flatten().collect();
    let main = labels.iter().position(LabeledSpan::primary).unwrap_or(0);
    let mut object = place(sources, labels.get(main));
    object["severity"] = severity(finding).into();
    object["code"] = finding.code().map(|code| code.to_string()).into();
    object["message"] = finding.to_string().into();
    object["help"] = finding.help().map(|help| help.to_string()).into();
    let others = labels.iter().enumerate().filter(|(index, _)| *index != main);
    let labelled = others.map(|(_, label)| {
        let mut related = place(sources, Some(label));
        related["message"] = label.label().into();
        related
    });
    let nested =
        finding.related().into_iter().flatten().map(|related| self::object(sources, related));
    object["related"] = labelled.chain(nested).collect::<Vec<Value>>().into();
    object
}

fn severity(finding: &dyn Diagnostic) -> &'static str {
    match finding.severity() {
        Some(Severity::Advice) => "advice",
        Some(Severity::Warning) => "warning",
        Some(Severity::Error) | None => "error",
    }
}

fn place(sources: &Sources, label: Option<&LabeledSpan>) -> Value {
    let span = label.map(|label| Span::new(label.offset(), label.offset() + label.len()));
    let Some((source, span)) = span.and_then(|span| Some((sources.find(span)?, span))) else {
        let none = Value::Null;
        return json!({
            "file": none, "line": none, "column": none, "end_line": none, "end_column": none,
        });
    };
    let (start, end) = (source.place(span.start), source.place(span.end));
    json!({
        "file": source.name, "line": start.line, "column": start.column,
        "end_line": end.line, "end_column": end.column,
    })
}

/// All texts of a load, as the place that labels point into.
struct Shelf<'a>(&'a Sources);

impl SourceCode for Shelf<'_> {
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
        let shifted = (read.span().offset() + source.base, read.span().len()).into();
        Ok(Box::new(MietteSpanContents::new_named(
            name(source),
            read.data(),
            shifted,
            read.line(),
            read.column(),
            read.line_count(),
        )))
    }
}

fn name(source: &Source) -> String {
    source.name.clone()
}

/// A finding with the texts beside it.
struct Shelved<'a> {
    finding: &'a (dyn Diagnostic + Send + Sync),
    shelf: Shelf<'a>,
}

impl std::fmt::Debug for Shelved<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self.finding, formatter)
    }
}

impl std::fmt::Display for Shelved<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.finding, formatter)
    }
}

impl std::error::Error for Shelved<'_> {}

impl Diagnostic for Shelved<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.finding.code()
    }

    fn severity(&self) -> Option<Severity> {
        self.finding.severity()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.finding.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.shelf)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.finding.labels()
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        self.finding.related()
    }
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
