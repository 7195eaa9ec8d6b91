//! Findings on the way from text to game: an ordered bag that knows no stage and draws nothing.

mod hidden;

use std::sync::Arc;

use miette::{Diagnostic, Severity};

pub use hidden::hidden_signs_in;

use crate::source::Span;

/// One finding: any error of any stage, with its code, labels and help.
pub type Finding = Arc<dyn Diagnostic + Send + Sync>;

/// Findings, sorted by place when they are taken out.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    findings: Vec<Finding>,
}

impl Diagnostics {
    /// An empty bag.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// A bag with one finding.
    pub fn of(finding: impl Diagnostic + Send + Sync + 'static) -> Diagnostics {
        Diagnostics { findings: vec![Arc::new(finding)] }
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: impl Diagnostic + Send + Sync + 'static) {
        self.findings.push(Arc::new(finding));
    }

    /// Adds a finding of another bag.
    pub fn push_finding(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// All findings, in the order in which they were found.
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    /// Adds all findings of another bag.
    pub fn extend(&mut self, other: Diagnostics) {
        self.findings.extend(other.findings);
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether one of the findings is an error, so that the next stage must not run.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| is_error(finding.as_ref()))
    }

    /// How many findings there are.
    pub fn count(&self) -> usize {
        self.findings.len()
    }

    /// How many of the findings are errors.
    pub fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| is_error(finding.as_ref())).count()
    }

    /// The first findings in order of place, and how many more there are.
    pub fn first(&self, count: usize) -> (Diagnostics, usize) {
        let mut findings = self.sorted();
        let more = findings.len().saturating_sub(count);
        findings.truncate(count);
        (Diagnostics { findings }, more)
    }

    /// The findings in order of place; those at one place in the order in which they were found,
    /// and the same words at one place once.
    pub fn sorted(&self) -> Vec<Finding> {
        let mut sorted = self.findings.clone();
        sorted.sort_by_key(|finding| place(finding.as_ref()));
        sorted.dedup_by(|a, b| {
            place(a.as_ref()) == place(b.as_ref()) && a.to_string() == b.to_string()
        });
        sorted
    }
}

/// Where a finding's main label stands: its first one, or the beginning of everything.
pub fn place(finding: &dyn Diagnostic) -> Span {
    let label = finding.labels().and_then(|mut labels| labels.next());
    label
        .map_or_else(Span::default, |label| Span::new(label.offset(), label.offset() + label.len()))
}

/// Whether a finding forbids to go on; a finding without a severity does.
pub fn is_error(finding: &dyn Diagnostic) -> bool {
    finding.severity().unwrap_or(Severity::Error) == Severity::Error
}
