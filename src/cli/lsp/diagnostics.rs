//! Diagnostics and their fixes as editors show them.

use std::path::Path;

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
    Uri,
};
use serde_json::{Value, json};

use crate::cli::lsp::open_documents::uri_of;
use crate::cli::lsp::positions::LineIndex;
use crate::diagnostic::{self, Diagnostics, Fix, Label, Severity};
use crate::source::{Sources, Span};

/// A file that is open, with the texts that its diagnostics may point into; it is the first of them.
pub(super) struct OpenPage<'p> {
    pub(super) uri: &'p Uri,
    pub(super) sources: &'p Sources,
    pub(super) text: &'p LineIndex,
}

impl OpenPage<'_> {
    /// The place of a span: in the file that was opened or in another.
    pub(super) fn location(&self, span: Span) -> Location {
        let (uri, range) = match self.sources.find(span) {
            Some(source) if source.base > 0 => {
                let uri = uri_of(Path::new(&source.name)).unwrap_or_else(|| self.uri.clone());
                (uri, LineIndex::new(source.clone()).range_of(span))
            }
            Some(_) => (self.uri.clone(), self.text.range_of(span)),
            None => (self.uri.clone(), Range::default()),
        };
        Location { uri, range }
    }

    /// The diagnostics of a file and of those that it names, in order of place. Those of others stand
    /// in the first line, and lead to their place.
    pub(super) fn to_lsp(&self, found: &Diagnostics) -> Vec<Diagnostic> {
        found.sorted().iter().map(|one| self.diagnostic(one)).collect()
    }

    pub(super) fn fixes(&self, found: &Diagnostics, range: Range) -> Vec<Value> {
        let actions = found.sorted().into_iter().filter_map(|one| {
            let fix = one.fix.as_ref()?;
            let shown = self.diagnostic(&one);
            let touched = shown.range.start <= range.end && range.start <= shown.range.end;
            touched.then(|| self.action(fix, &shown))
        });
        actions.collect()
    }

    fn action(&self, fix: &Fix, mended: &Diagnostic) -> Value {
        let Location { uri, range } = self.location(fix.span);
        let old = self.sources.find(fix.span).map_or("", |source| source.slice(fix.span));
        let title = match (old, fix.text.as_str()) {
            (old, "") => format!("take out `{old}`"),
            ("", new) => format!("write `{new}`"),
            (old, new) => format!("write `{new}` instead of `{old}`"),
        };
        let edits = json!([{ "range": range, "newText": fix.text }]);
        let document = json!({ "uri": uri, "version": null });
        json!({
            "title": title, "kind": "quickfix", "diagnostics": [mended], "isPreferred": true,
            "edit": { "documentChanges": [{ "textDocument": document, "edits": edits }] },
        })
    }

    fn diagnostic(&self, one: &diagnostic::Diagnostic) -> Diagnostic {
        let labels = &one.labels;
        let is_here = |label: &Label| self.location(label.span).uri == *self.uri;
        let first = || labels.iter().position(is_here);
        let shown = one.main_label().filter(|at| is_here(&labels[*at])).or_else(first);
        let others = labels.iter().enumerate().filter(|(at, _)| Some(*at) != shown);
        let related = others.map(|(_, label)| DiagnosticRelatedInformation {
            location: self.location(label.span),
            message: label.text.clone(),
        });
        let related: Vec<DiagnosticRelatedInformation> = related.collect();
        let help = one.help.as_ref().map(|help| format!("\nhelp: {help}"));
        Diagnostic {
            range: shown.map(|at| self.location(labels[at].span).range).unwrap_or_default(),
            severity: Some(match one.severity {
                Severity::Advice => DiagnosticSeverity::HINT,
                Severity::Warning => DiagnosticSeverity::WARNING,
                Severity::Error => DiagnosticSeverity::ERROR,
            }),
            code: one.code.map(|code| NumberOrString::String(code.to_owned())),
            source: Some("astragal".to_owned()),
            message: format!("{}{}", one.message, help.unwrap_or_default()),
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }
}
