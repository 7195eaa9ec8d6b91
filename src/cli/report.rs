//! Diagnostics, drawn for people or as JSON. The only file that draws errors.

use std::fmt::Write as _;

use miette::{GraphicalReportHandler, GraphicalTheme};
use serde_json::{Value, json};

use super::excerpt::Excerpt;
use super::gate;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::source::{Sources, Span};

/// How many diagnostics are drawn; more help nobody.
const MOST_DRAWN: usize = 100;

/// How wide diagnostics are drawn where no terminal says it.
pub(super) const WIDE: usize = 80;

/// Draws diagnostics with their source text, in order of place.
pub(super) fn draw(sources: &Sources, found: &Diagnostics, color: bool, width: usize) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false);
    let mut drawn = String::new();
    let sources = &*gate::shown(sources);
    let sorted = found.sorted();
    for one in sorted.iter().take(MOST_DRAWN) {
        let excerpt = Excerpt::new(one, sources);
        handler.render_report(&mut drawn, &excerpt).expect("a string takes every text");
        drawn.push('\n');
    }
    if sorted.len() > MOST_DRAWN {
        let more = sorted.len() - MOST_DRAWN;
        writeln!(drawn, "… and {more} more\n").expect("a string takes every text");
    }
    if color { gate::drawn(&drawn) } else { gate::plain(&drawn).into_owned() }
}

/// Writes diagnostics as JSON, one object a line, in order of place.
pub(super) fn json(sources: &Sources, found: &Diagnostics) -> String {
    let mut lines = String::new();
    for object in objects(sources, found) {
        writeln!(lines, "{object}").expect("a string takes every text");
    }
    lines
}

/// Diagnostics as objects, in order of place.
pub(super) fn objects(sources: &Sources, found: &Diagnostics) -> Vec<Value> {
    found.sorted().iter().map(|one| object(sources, one)).collect()
}

/// The code of the first error, or of the first diagnostic if none is an error.
pub(super) fn first_code(found: &Diagnostics) -> Option<&'static str> {
    let sorted = found.sorted();
    sorted.iter().find(|one| one.is_error()).or(sorted.first())?.code
}

/// Counts diagnostics in words: `2 errors, 1 warning`.
pub(super) fn summary(found: &Diagnostics) -> String {
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

fn object(sources: &Sources, one: &Diagnostic) -> Value {
    let main = one.main_label();
    let mut object = place(sources, main.map(|main| one.labels[main].span));
    object["severity"] = one.severity.name().into();
    object["code"] = one.code.into();
    object["message"] = one.message.as_str().into();
    object["help"] = one.help.as_deref().into();
    let others = one.labels.iter().enumerate().filter(|(at, _)| Some(*at) != main);
    let related = others.map(|(_, label)| {
        let mut related = place(sources, Some(label.span));
        related["message"] = label.text.as_str().into();
        related
    });
    object["related"] = related.collect();
    let fix = one.fix.as_ref().map(|fix| {
        let mut object = place(sources, Some(fix.span));
        object["text"] = fix.text.as_str().into();
        object
    });
    object["fix"] = fix.into();
    object
}

fn place(sources: &Sources, span: Option<Span>) -> Value {
    let place = span.and_then(|span| {
        let source = sources.find(span)?;
        Some((source, source.place(span.start), source.place(span.end)))
    });
    json!({
        "file": place.map(|(source, _, _)| &source.name),
        "line": place.map(|(_, start, _)| start.line),
        "column": place.map(|(_, start, _)| start.column),
        "end_line": place.map(|(_, _, end)| end.line),
        "end_column": place.map(|(_, _, end)| end.column),
    })
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
