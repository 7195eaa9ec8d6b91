//! Findings as editors show them.

use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    DocumentChanges, Location, NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier,
    Range, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use miette::{LabeledSpan, Severity};

use super::{addresses::address_of, lines::Lines};
use crate::diagnostic::{Diagnostics, Fix};
use crate::source::{Sources, Span};

/// The findings of a file and of those that it names, in order of place. Those of others stand in
/// the first line, and lead to their place.
pub(super) fn findings(uri: &Uri, sources: &Sources, found: &Diagnostics) -> Vec<Diagnostic> {
    let page = Page::new(uri, sources);
    found.sorted().iter().map(|finding| page.finding(finding.as_ref())).collect()
}

/// The fixes of the findings that touch a range.
pub(super) fn fixes(
    uri: &Uri,
    sources: &Sources,
    found: &Diagnostics,
    range: Range,
) -> Vec<CodeAction> {
    let page = Page::new(uri, sources);
    let findings = found.sorted().into_iter().filter_map(|finding| {
        let fix = finding.fix.as_ref()?;
        let shown = page.finding(finding.as_ref());
        let touched = shown.range.start <= range.end && range.start <= shown.range.end;
        touched.then(|| page.action(fix, shown))
    });
    findings.collect()
}

/// The place of a span: in the file that was opened, which is the first, or in another.
pub(super) fn location(uri: &Uri, sources: &Sources, lines: &Lines, span: Span) -> Location {
    match sources.find(span) {
        Some(source) if source.base > 0 => {
            let range = Lines::of(&source.text).range(source, span);
            let uri = address_of(Path::new(&source.name)).unwrap_or_else(|| uri.clone());
            Location { uri, range }
        }
        Some(source) => Location { uri: uri.clone(), range: lines.range(source, span) },
        None => Location { uri: uri.clone(), range: Range::default() },
    }
}

struct Page<'p> {
    uri: &'p Uri,
    sources: &'p Sources,
    /// Those of the file that was opened.
    lines: Lines,
}

impl<'p> Page<'p> {
    fn new(uri: &'p Uri, sources: &'p Sources) -> Page<'p> {
        let lines = sources.iter().next().map(|source| Lines::of(&source.text));
        Page { uri, sources, lines: lines.unwrap_or_else(|| Lines::of("")) }
    }

    fn action(&self, fix: &Fix, finding: Diagnostic) -> CodeAction {
        let Location { uri, range } = location(self.uri, self.sources, &self.lines, fix.span);
        let old = self.sources.find(fix.span).map_or("", |source| source.slice(fix.span));
        let title = match (old, fix.text.as_str()) {
            (old, "") => format!("take out `{old}`"),
            ("", new) => format!("write `{new}`"),
            (old, new) => format!("write `{new}` instead of `{old}`"),
        };
        let edit = TextEdit { range, new_text: fix.text.clone() };
        let document = OptionalVersionedTextDocumentIdentifier { uri, version: None };
        let edits = vec![OneOf::Left(edit)];
        let edits = vec![TextDocumentEdit { text_document: document, edits }];
        CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![finding]),
            edit: Some(WorkspaceEdit {
                document_changes: Some(DocumentChanges::Edits(edits)),
                ..WorkspaceEdit::default()
            }),
            is_preferred: Some(true),
            ..CodeAction::default()
        }
    }

    fn finding(&self, finding: &dyn miette::Diagnostic) -> Diagnostic {
        let labels: Vec<LabeledSpan> = finding.labels().into_iter().flatten().collect();
        let main = labels.iter().position(LabeledSpan::primary).unwrap_or(0);
        let is_here = |label: &LabeledSpan| self.place(label).uri == *self.uri;
        let first = || labels.iter().position(is_here);
        let shown = if labels.get(main).is_some_and(is_here) { Some(main) } else { first() };
        let here = shown.map(|at| self.place(&labels[at]));
        let others = labels.iter().enumerate().filter(|(at, _)| Some(*at) != shown);
        let related: Vec<DiagnosticRelatedInformation> =
            others.map(|(_, label)| self.related(label)).collect();
        let mut message = finding.to_string();
        if let Some(help) = finding.help() {
            message = format!("{message}\nhelp: {help}");
        }
        Diagnostic {
            range: here.map(|place| place.range).unwrap_or_default(),
            severity: Some(severity(finding)),
            code: finding.code().map(|code| NumberOrString::String(code.to_string())),
            source: Some("astragal".to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }

    fn related(&self, label: &LabeledSpan) -> DiagnosticRelatedInformation {
        let message = label.label().unwrap_or("here").to_owned();
        DiagnosticRelatedInformation { location: self.place(label), message }
    }

    fn place(&self, label: &LabeledSpan) -> Location {
        let span = Span::new(label.offset(), label.offset() + label.len());
        location(self.uri, self.sources, &self.lines, span)
    }
}

fn severity(finding: &dyn miette::Diagnostic) -> DiagnosticSeverity {
    match finding.severity() {
        Some(Severity::Advice) => DiagnosticSeverity::HINT,
        Some(Severity::Warning) => DiagnosticSeverity::WARNING,
        Some(Severity::Error) | None => DiagnosticSeverity::ERROR,
    }
}
