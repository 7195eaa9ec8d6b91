//! What a script expects of a position: conditions, refusals, moves, the result.

use super::error::RunError;
use super::match_move::find_exactly;
use super::merge::Entry;
use super::playable::Playable;
use super::script::{Moment, Runner};
use crate::snippet::Reason;
use crate::transcript::{self, Words};

impl<'a, P: Playable> Runner<'a, P> {
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
            // A line that is misspelt passes whatever the rules say, unless it says why: and words
            // of the move itself say nothing.
            because if !understood && because.is_none_or(|it| written.contains(&it.text)) => {
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
        entries.extend(labels.map(|text| Entry { text, pin: None, output: true, declines: false }));
    }

    pub(super) fn check_result(&mut self, words: &Words, tail: &'a str) {
        let (expected, span) = (transcript::fold(&words.text), words.span);
        if matches!(self.moment, Moment::Over) {
            let found = self.result();
            self.result_tail = tail;
            // Who won is a result too where the game counts points: all may share the first place.
            if expected != found && expected != self.winner() {
                self.report(RunError::Result { bless: None, found, expected, span });
            }
        } else {
            self.early_result = true;
            self.report(RunError::NotOver { to_move: self.to_move(), span });
        }
    }
}
