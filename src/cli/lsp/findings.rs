//! Findings as editors show them.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
    Uri,
};
use miette::{LabeledSpan, Severity};

use super::lines::Lines;
use crate::diagnostic::Diagnostics;
use crate::source::{Source, Span};

/// The findings of a file, in order of place.
pub(super) fn findings(
    uri: &Uri,
    source: &Source,
    lines: &Lines,
    found: &Diagnostics,
) -> Vec<Diagnostic> {
    let page = Page { uri, source, lines };
    found.sorted().iter().map(|finding| page.finding(finding.as_ref())).collect()
}

struct Page<'p> {
    uri: &'p Uri,
    source: &'p Source,
    lines: &'p Lines,
}

impl Page<'_> {
    fn finding(&self, finding: &dyn miette::Diagnostic) -> Diagnostic {
        let labels: Vec<LabeledSpan> = finding.labels().into_iter().flatten().collect();
        let main = labels.iter().position(LabeledSpan::primary).unwrap_or(0);
        let others = labels.iter().enumerate().filter(|(at, _)| *at != main);
        let related: Vec<DiagnosticRelatedInformation> =
            others.map(|(_, label)| self.related(label)).collect();
        let mut message = finding.to_string();
        if let Some(help) = finding.help() {
            message = format!("{message}\nhelp: {help}");
        }
        Diagnostic {
            range: labels.get(main).map(|label| self.place(label)).unwrap_or_default(),
            severity: Some(severity(finding)),
            code: finding.code().map(|code| NumberOrString::String(code.to_string())),
            source: Some("astragal".to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }

    fn related(&self, label: &LabeledSpan) -> DiagnosticRelatedInformation {
        let location = Location { uri: self.uri.clone(), range: self.place(label) };
        let message = label.label().unwrap_or("here").to_owned();
        DiagnosticRelatedInformation { location, message }
    }

    fn place(&self, label: &LabeledSpan) -> Range {
        let span = Span::new(label.offset(), label.offset() + label.len());
        self.lines.range(self.source, span)
    }
}

fn severity(finding: &dyn miette::Diagnostic) -> DiagnosticSeverity {
    match finding.severity() {
        Some(Severity::Advice) => DiagnosticSeverity::HINT,
        Some(Severity::Warning) => DiagnosticSeverity::WARNING,
        Some(Severity::Error) | None => DiagnosticSeverity::ERROR,
    }
}
