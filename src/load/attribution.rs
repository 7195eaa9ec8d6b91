//! Attributes errors in a base to the change of the variant that likely causes them.

use super::Assembled;
use crate::diagnostic::{Diagnostic, Diagnostics, Label};
use crate::source::{Sources, Span};

impl Assembled {
    /// Findings as the one who opened the file needs them: what is wrong elsewhere stands beside
    /// the place in the opened file that it comes from, and what is only advice about other files
    /// is left to those who open them.
    #[must_use]
    pub fn seen_from_here(&self, found: Diagnostics, sources: &Sources) -> Diagnostics {
        let mut seen = Diagnostics::new();
        for found in found.into_vec() {
            if self.has(found.place()) {
                seen.push(found);
            } else if found.is_error() {
                let reason = self.reason(&found, sources);
                seen.push(found.with_labels(reason));
            }
        }
        seen
    }

    fn has(&self, place: Span) -> bool {
        self.opened.is_empty() || (self.opened.start..self.opened.end).contains(&place.start)
    }

    /// What in a variant a finding in its base comes from, most likely: the change whose name the
    /// finding speaks of or points at, else the line that names the base.
    fn reason(&self, found: &Diagnostic, sources: &Sources) -> Option<Label> {
        let variant = self.variant?;
        if found.labels.iter().any(|label| self.has(label.span)) {
            return None;
        }
        let place = found.place();
        let shown = sources.find(place).map_or("", |source| source.slice(place));
        let spoken_of = |name: &str| {
            !name.is_empty() && (shown == name || found.message.contains(&format!("`{name}`")))
        };
        let (span, text) = match self.changes.iter().find(|(name, _)| spoken_of(name)) {
            Some((_, span)) => (*span, "this variant changes it here"),
            None => (variant, "in the base of this variant"),
        };
        Some(Label::new(span, text))
    }
}
