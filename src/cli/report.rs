//! Diagnostics, drawn for people or as JSON. The only file that draws errors.

use std::fmt::Write as _;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, Severity};
use serde_json::{Value, json};

use super::{excerpt::Excerpt, gate};
use crate::diagnostic::{Diagnostics, Finding, Fix, is_error};
use crate::source::{Sources, Span};

/// How many findings are drawn; more help nobody.
const MOST_DRAWN: usize = 100;

/// How wide findings are drawn where no terminal says it.
pub(super) const WIDE: usize = 80;

/// Draws findings with their source text, in order of place.
pub(super) fn draw(sources: &Sources, found: &Diagnostics, color: bool, width: usize) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false);
    let mut drawn = String::new();
    let sources = &*gate::shown(sources);
    let sorted = found.sorted();
    for finding in sorted.iter().take(MOST_DRAWN) {
        let excerpt = Excerpt::new(finding.as_ref(), sources);
        handler.render_report(&mut drawn, &excerpt).expect("a string takes every text");
        drawn.push('\n');
    }
    if sorted.len() > MOST_DRAWN {
        let more = sorted.len() - MOST_DRAWN;
        writeln!(drawn, "… and {more} more\n").expect("a string takes every text");
    }
    if color { gate::drawn(&drawn) } else { gate::plain(&drawn).into_owned() }
}

/// Writes findings as JSON, one object a line, in order of place.
pub(super) fn json(sources: &Sources, found: &Diagnostics) -> String {
    let lines =
        objects(sources, found).into_iter().flat_map(|it| [it.to_string(), "\n".to_owned()]);
    lines.collect()
}

pub(super) fn objects(sources: &Sources, found: &Diagnostics) -> Vec<Value> {
    let object = |finding: &Finding| {
        let mut object = object(sources, finding.as_ref());
        object["fix"] = finding.fix.as_ref().map(|fix| self::fix(sources, fix)).into();
        object
    };
    found.sorted().iter().map(object).collect()
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
    let severities = || sorted.iter().map(|it| it.severity().unwrap_or(Severity::Error));
    let count = |severity| severities().filter(|it| *it == severity).count();
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

/// The text to write, and what it replaces.
fn fix(sources: &Sources, fix: &Fix) -> Value {
    let mut object = place_of(sources, Some(fix.span));
    object["text"] = fix.text.clone().into();
    object
}

fn place(sources: &Sources, label: Option<&LabeledSpan>) -> Value {
    let span = label.map(|label| Span::new(label.offset(), label.offset() + label.len()));
    place_of(sources, span)
}

fn place_of(sources: &Sources, span: Option<Span>) -> Value {
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

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
