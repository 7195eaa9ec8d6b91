//! What a script expects of a position: conditions, refusals, moves, the result.

use super::error::RunError;
use super::position::Position;
use super::script::{Moment, Runner};
use super::typed::find_exactly;
use super::weave::Entry;
use crate::snippet::Reason;
use crate::transcript::{self, Words};

impl<'a, P: Position> Runner<'a, P> {
    pub(super) fn check(&mut self, words: &Words) {
        match self.position.verdict(&self.snippet(words)) {
            Ok(verdict) if verdict.holds => {}
            Ok(verdict) => {
                let pairs = verdict.values.iter();
                let values: Vec<String> =
                    pairs.map(|(part, value)| format!("`{part}` is {value}")).collect();
                self.report(RunError::Assertion {
                    condition: words.text.clone(),
                    values: (!values.is_empty()).then(|| values.join("\n")),
                    span: words.span,
                });
            }
            Err(diagnostics) => self.report_all(diagnostics),
        }
    }

    pub(super) fn check_refused(&mut self, words: &Words, because: Option<&Words>) {
        let written = transcript::fold(&words.text);
        if find_exactly(&self.labels(), &written).is_some() {
            self.report(RunError::LegalMove { words: written, span: words.span });
            return;
        }
        let Reason { message: reason, help, understood, .. } = self.position.why_not(&written);
        match because {
            Some(because) if !reason.contains(&because.text) => {
                let (expected, span) = (because.text.clone(), because.span);
                self.report(RunError::OtherReason { expected, reason, span });
            }
            None if !understood => {
                // Without a reason, a misspelt line would pass whatever the rules say.
                let meant = help.map(|help| format!("{help}; ")).unwrap_or_default();
                let line = format!("! {written} because \"{reason}\"");
                let help = format!("{meant}if the game must not know it, write `{line}`");
                self.report(RunError::UnknownMove {
                    words: written,
                    reason,
                    help,
                    span: words.span,
                });
            }
            _ => {}
        }
    }

    pub(super) fn list_moves(&mut self, entries: &mut Vec<Entry>) {
        let labels = self.labels().into_iter().map(|label| format!("  {label}"));
        entries.extend(labels.map(|text| Entry { text, pin: None, output: true }));
    }

    pub(super) fn check_result(&mut self, words: &Words, tail: &'a str) {
        let (expected, span) = (transcript::fold(&words.text), words.span);
        if matches!(self.moment, Moment::Over) {
            let found = self.result();
            self.result_tail = tail;
            if expected != found {
                self.report(RunError::Result { found, expected, span });
            }
        } else {
            self.report(RunError::NotOver { to_move: self.to_move(), span });
        }
    }
}
