//! Diagnostics as JSON: plain records with lines and columns, both counted from 1.

use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::source::{Sources, Span};

answer_types! {
    /// From where to where something stands; nothing of it is known where it stands in no text.
    #[derive(Default)]
    pub(super) struct TextPlace {
        file: Option<String>, line: Option<usize>, column: Option<usize>, end_line: Option<usize>,
        end_column: Option<usize>,
    }

    pub(super) struct Finding {
        #[serde(flatten)] place: TextPlace,
        severity: Severity, code: Option<&'static str>, message: String, help: Option<String>,
        related: Vec<RelatedPlace>, fix: Option<FindingFix>,
    }
    struct RelatedPlace { #[serde(flatten)] place: TextPlace, message: String }
    /// What to write at a place instead of what stands there.
    struct FindingFix { #[serde(flatten)] place: TextPlace, text: String }

    /// What is asked of a text, or what is wrong with it, and the simulated game that showed it.
    #[serde(untagged)]
    #[cfg_attr(test, ts(optional_fields))]
    pub(super) enum OrFindings<T> {
        Sound(T),
        Wrong { findings: Vec<Finding>, #[serde(skip_serializing_if = "Option::is_none")] playout: Option<u64> },
    }
}

impl<T> OrFindings<T> {
    pub(super) fn wrong(sources: &Sources, found: &Diagnostics) -> OrFindings<T> {
        OrFindings::Wrong { findings: findings(sources, found), playout: None }
    }
}

/// Returns diagnostics in order of place, one object each.
pub(crate) fn diagnostic_records(sources: &Sources, found: &Diagnostics) -> Vec<Value> {
    findings(sources, found).iter().map(|one| json!(one)).collect()
}

/// Returns diagnostics in order of place.
pub(super) fn findings(sources: &Sources, found: &Diagnostics) -> Vec<Finding> {
    found.sorted().iter().map(|one| finding(sources, one)).collect()
}

fn finding(sources: &Sources, one: &Diagnostic) -> Finding {
    let main = one.main_label();
    let others = one.labels.iter().enumerate().filter(|(at, _)| Some(*at) != main);
    let related = others.map(|(_, label)| RelatedPlace {
        place: place(sources, label.span),
        message: label.text.clone(),
    });
    let fix = one.fix.as_ref();
    Finding {
        place: main.map(|main| place(sources, one.labels[main].span)).unwrap_or_default(),
        severity: one.severity,
        code: one.code,
        message: one.message.clone(),
        help: one.help.clone(),
        related: related.collect(),
        fix: fix.map(|it| FindingFix { place: place(sources, it.span), text: it.text.clone() }),
    }
}

pub(super) fn place(sources: &Sources, span: Span) -> TextPlace {
    let Some(source) = sources.find(span) else { return TextPlace::default() };
    let (start, end) = (source.place(span.start), source.place(span.end));
    TextPlace {
        file: Some(source.name.clone()),
        line: Some(start.line),
        column: Some(start.column),
        end_line: Some(end.line),
        end_column: Some(end.column),
    }
}
