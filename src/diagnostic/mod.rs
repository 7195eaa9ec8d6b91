//! Findings on the way from text to game: an ordered bag that knows no stage and draws nothing.

mod hidden;

use std::fmt::{Display, Formatter};
use std::ops::Deref;
use std::sync::Arc;

use miette::{Diagnostic, Severity};

pub use hidden::hidden_signs_in;

use crate::source::Span;

/// One finding: any error of any stage, with its code, labels and help.
#[derive(Clone, Debug)]
pub struct Finding {
    error: Arc<dyn Diagnostic + Send + Sync>,
    /// The replacement that mends it, where one is known.
    pub fix: Option<Fix>,
}

/// A replacement that mends a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The text to replace; empty where something is only missing.
    pub span: Span,
    /// The text to write there.
    pub text: String,
}

/// An error that may know its fix.
pub trait Fixable: Diagnostic + Send + Sync + 'static {
    /// The replacement that mends it, where one is known.
    fn fix(&self) -> Option<Fix>;
}

/// What to do about a mistake, in words, with the text that mends it where that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Help {
    words: String,
    text: Option<String>,
    /// What the text replaces, if that is not the main label of the error.
    span: Option<Span>,
}

impl Help {
    /// Suggests the closest name.
    pub fn did_you_mean(near: &str) -> Help {
        Help { words: format!("did you mean `{near}`?"), text: Some(near.to_owned()), span: None }
    }

    /// Shows the form to write. A form with `…` is left to the designer to fill in.
    pub fn form(words: &str, form: &str) -> Help {
        let text = (!form.contains('…')).then(|| form.to_owned());
        Help { words: format!("{words} `{form}`"), text, span: None }
    }

    /// Adds the text that mends the mistake.
    #[must_use]
    pub fn with(self, text: &str) -> Help {
        Help { text: Some(text.to_owned()), ..self }
    }

    /// The same fix with the words of another help.
    #[must_use]
    pub fn says(self, other: Help) -> Help {
        Help { words: other.words, ..self }
    }

    /// Says what the text replaces, where that is not the main label of the error.
    #[must_use]
    pub fn at(self, span: Span) -> Help {
        Help { span: Some(span), ..self }
    }

    /// The fix of an error whose main label is this.
    pub fn fix(&self, label: Span) -> Option<Fix> {
        let text = self.text.clone()?;
        Some(Fix { span: self.span.unwrap_or(label), text })
    }
}

impl From<String> for Help {
    fn from(words: String) -> Help {
        Help { words, text: None, span: None }
    }
}

impl From<&str> for Help {
    fn from(words: &str) -> Help {
        Help::from(words.to_owned())
    }
}

impl Display for Help {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.words)
    }
}

impl Finding {
    /// A finding with the replacement that mends it.
    fn new(error: impl Diagnostic + Send + Sync + 'static, fix: Option<Fix>) -> Finding {
        Finding { error: Arc::new(error), fix }
    }
}

impl Deref for Finding {
    type Target = dyn Diagnostic + Send + Sync;

    fn deref(&self) -> &Self::Target {
        self.error.as_ref()
    }
}

impl AsRef<dyn Diagnostic + Send + Sync> for Finding {
    fn as_ref(&self) -> &(dyn Diagnostic + Send + Sync + 'static) {
        self.error.as_ref()
    }
}

impl Display for Finding {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.error, formatter)
    }
}

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
        Diagnostics { findings: vec![Finding::new(finding, None)] }
    }

    /// A bag with one finding, and the fix that it knows.
    pub fn of_fixable(finding: impl Fixable) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push_fixable(finding);
        diagnostics
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: impl Diagnostic + Send + Sync + 'static) {
        self.findings.push(Finding::new(finding, None));
    }

    /// Adds a finding with the fix that it knows.
    pub fn push_fixable(&mut self, finding: impl Fixable) {
        let fix = finding.fix();
        self.findings.push(Finding::new(finding, fix));
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

impl From<Finding> for Diagnostics {
    fn from(finding: Finding) -> Diagnostics {
        Diagnostics { findings: vec![finding] }
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
