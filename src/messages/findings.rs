//! Diagnostics as JSON: plain records with lines and columns, both counted from 1.

use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Sources, Span};

/// Returns diagnostics in order of place, one object each.
pub(crate) fn objects(sources: &Sources, found: &Diagnostics) -> Vec<Value> {
    found.sorted().iter().map(|one| object(sources, one)).collect()
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

pub(super) fn place(sources: &Sources, span: Option<Span>) -> Value {
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
