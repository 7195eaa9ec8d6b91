//! Checks expectations of a script: legal and refused moves, the result, invariants.

use crate::game::{Player, goods_in_order};
use crate::session::error;
use crate::session::match_move::find_exactly;
use crate::session::merge::Edit;
use crate::session::script::Runner;
use crate::session::script::pattern::line_fits;
use crate::session::steps::Moment;
use crate::snippet::Reason;
use crate::source::Span;
use crate::transcript::{self, Line, SpannedText};

impl<'a> Runner<'a> {
    pub(super) fn check_condition(&mut self, words: &SpannedText) {
        match self.position.waiting().judge_condition(&self.snippet(words)) {
            Ok(verdict) if verdict.holds => {}
            Ok(verdict) => {
                let pairs = verdict.values.iter();
                let mut values: Vec<String> =
                    pairs.map(|(part, value)| format!("`{part}` is {value}")).collect();
                values.extend(differences(&words.text, &verdict.values));
                self.report_error(error::assertion(
                    words.text.clone(),
                    (!values.is_empty()).then(|| values.join("\n")),
                    words.span,
                ));
            }
            Err(diagnostics) => self.found.extend(diagnostics),
        }
    }

    pub(super) fn check_refused(&mut self, words: &SpannedText, because: Option<&SpannedText>) {
        let (written, span) = (transcript::fold_case(&words.text), words.span);
        let labels = self.position.legal_labels();
        let in_order = goods_in_order(self.position.game().rules(), &written);
        if [&written, &in_order].into_iter().any(|words| find_exactly(&labels, words).is_some()) {
            return self.report_error(error::legal_move(written, span));
        }
        let Reason { message: reason, help, understood, .. } =
            self.position.why_not(&written, false);
        match because {
            Some(because) if !reason.contains(&because.text) => {
                let (expected, span) = (because.text.clone(), because.span);
                self.report_error(error::other_reason(expected, reason, span));
            }
            // A line that is misspelt passes whatever the rules say, unless it says why: and words
            // of the move itself say nothing.
            because if !understood && because.is_none_or(|it| written.contains(&it.text)) => {
                let help = if let Some((words, why)) = written.split_once(" because ") {
                    format!("put the reason in quotes: `! {words} because \"{why}\"`")
                } else {
                    // The part without a quoted word: that word is in the line already.
                    let part = reason.split('`').max_by_key(|part| part.len()).unwrap_or_default();
                    let meant = help.map(|help| format!("{help}; ").replace("?;", "?"));
                    format!(
                        "{}if the game must not know it, write `! {written} because \"{}\"`",
                        meant.unwrap_or_default(),
                        part.trim()
                    )
                };
                self.report_error(error::unknown_move(written, reason, help, span));
            }
            _ => {}
        }
    }

    pub(super) fn check_result(&mut self, words: &SpannedText, line: &'a Line) {
        let (expected, span) = (transcript::fold_case(&words.text), words.span);
        if self.moment != Moment::Over {
            self.early_result = true;
            return self.report_error(error::not_over(self.to_move(), span));
        }
        self.result_tail = &line.tail;
        let found = self.result_line();
        let outcome = self.position.final_outcome().expect("the game is over");
        // Who won is a result too where the game counts points, and so are the places.
        let names = self.position.names();
        let (winner, places) =
            (transcript::winner(&outcome, names), transcript::format_places(&outcome, names));
        // What scripts had before they had places.
        let scores = found.split(": ").next().unwrap_or_default();
        let others = [format!("{scores}: {winner}"), winner, places];
        let fits = |found: &String| line_fits(&expected, found, &self.named).is_some();
        if !fits(&found) && !others.iter().any(fits) {
            let text = format!("= {found}{}", line.tail);
            self.edits.push(Edit::for_line(self.source, line.span, false, &text));
            self.report_error(error::result(found, expected, span));
        }
    }

    /// Reports what must always hold and no longer does; the run goes on.
    pub(super) fn check_promises(&mut self, span: Span) {
        let known = std::mem::take(&mut self.unkept);
        let eyes: Vec<Player> = self.viewer.into_iter().collect();
        for (number, found) in self.position.unkept(&eyes) {
            self.unkept.insert(number);
            if known.contains(&number) {
                continue;
            }
            if self.withholds() {
                self.promises.extend(found);
                continue;
            }
            for finding in found.sorted() {
                let rule = Some(finding.place());
                self.report_error(error::unkept(finding.to_string(), span, rule));
            }
        }
    }
}

/// How two sets or lists differ that should be equal: what the left one lacks and has in excess.
fn differences(condition: &str, values: &[(String, String)]) -> Vec<String> {
    let value = |text: &str| {
        let known = values.iter().find(|(part, _)| part == text.trim());
        let value = known.map_or(text.trim(), |(_, value)| value);
        let inner = value.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        let inner = inner.or(value.strip_prefix('[').and_then(|it| it.strip_suffix(']')))?;
        let parts = inner.split(", ").filter(|it| !it.is_empty());
        Some(parts.map(str::to_owned).collect::<Vec<String>>())
    };
    let sides = condition.split(" and ").filter_map(|part| part.split_once(" == "));
    let pairs = sides.filter_map(|(left, right)| Some((value(left)?, value(right)?)));
    let mut told = Vec::new();
    for (found, expected) in pairs {
        let lacks = |these: &[String], those: &[String]| {
            let lacking = these.iter().filter(|it| !those.contains(it)).cloned();
            lacking.collect::<Vec<_>>().join(", ")
        };
        let both = [("missing", lacks(&expected, &found)), ("too much", lacks(&found, &expected))];
        let both = both.iter().filter(|(_, them)| !them.is_empty());
        told.extend(both.map(|(what, them)| format!("{what}: {them}")));
    }
    told
}
