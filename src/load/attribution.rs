//! Attributes errors in a base to the change of the variant that likely causes them.

use std::fmt::Display;

use miette::{Diagnostic, LabeledSpan, Severity};

use super::Assembled;
use crate::diagnostic::{Diagnostics, Finding, Fix, Fixable, is_error, place};
use crate::source::{Sources, Span};

impl Assembled {
    /// Findings as the one who opened the file needs them: what is wrong elsewhere stands beside
    /// the place in the opened file that it comes from, and what is only advice about other files
    /// is left to those who open them.
    #[must_use]
    pub fn seen_from_here(&self, found: Diagnostics, sources: &Sources) -> Diagnostics {
        let mut seen = Diagnostics::new();
        for finding in found.into_findings() {
            let here = self.has(place(finding.as_ref()));
            match self.reason(finding.as_ref(), sources) {
                _ if here => seen.push_finding(finding),
                Some(reason) if is_error(finding.as_ref()) => {
                    seen.push_fixable(Both { finding, reason });
                }
                None if is_error(finding.as_ref()) => seen.push_finding(finding),
                _ => {}
            }
        }
        seen
    }

    fn has(&self, place: Span) -> bool {
        self.opened.is_empty() || (self.opened.start..self.opened.end).contains(&place.start)
    }

    /// What in a variant a finding in its base comes from, most likely: the change whose name the
    /// finding speaks of or points at, else the line that names the base.
    fn reason(&self, finding: &dyn Diagnostic, sources: &Sources) -> Option<LabeledSpan> {
        let variant = self.variant?;
        let in_here =
            |label: LabeledSpan| self.has(Span::new(label.offset(), label.offset() + label.len()));
        if finding.labels().is_some_and(|mut labels| labels.any(in_here)) {
            return None;
        }
        let words = finding.to_string();
        let place = place(finding);
        let shown = sources.find(place).map_or("", |source| source.slice(place));
        let spoken_of = |name: &str| {
            !name.is_empty() && (shown == name || words.contains(&format!("`{name}`")))
        };
        let (span, text) = match self.changes.iter().find(|(name, _)| spoken_of(name)) {
            Some((_, span)) => (*span, "this variant changes it here"),
            None => (variant, "in the base of this variant"),
        };
        Some(LabeledSpan::new_with_span(Some(text.to_owned()), span))
    }
}

/// A finding with one more label.
#[derive(Debug, thiserror::Error)]
#[error("{finding}")]
struct Both {
    finding: Finding,
    reason: LabeledSpan,
}

impl Fixable for Both {
    fn fix(&self) -> Option<Fix> {
        self.finding.fix.clone()
    }
}

impl Diagnostic for Both {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.finding.code()
    }

    fn severity(&self) -> Option<Severity> {
        self.finding.severity()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.finding.help()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let labels = self.finding.labels().into_iter().flatten();
        Some(Box::new(labels.chain([self.reason.clone()])))
    }
}
