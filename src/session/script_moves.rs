//! Decisions in a script: who makes them, which move is meant, and what others hear of it.

use super::error::RunError;
use super::match_move::{advice, find_exactly};
use super::merge::Entry;
use super::playable::Playable;
use super::script::{Moment, Runner, Stop};
use crate::source::Span;
use crate::suggest::nearest;
use crate::transcript::{self, Line, Words};

impl<P: Playable> Runner<'_, P> {
    /// Makes the move of a line.
    pub(super) fn decide(
        &mut self,
        line: &Line,
        name: &Words,
        words: &Words,
        entries: &mut Vec<Entry>,
    ) -> Result<(), Stop> {
        self.check_player(name)?;
        let labels = self.labels();
        // A `#` may belong to the move, so the line is tried with its comment first.
        let whole = line.text.split_once('>').map_or("", |(_, rest)| rest);
        let whole = find_exactly(&labels, whole);
        self.has_comment = whole.is_none();
        match whole.or_else(|| find_exactly(&labels, &words.text)) {
            Some(index) => {
                if self.viewer.is_some() {
                    return self.choose(index, line.span, entries);
                }
                self.position.choose(index);
                self.run_to_decision(entries, line.span)
            }
            None => self.refuse(words, &labels),
        }
    }

    /// Makes a move and writes its line, as whoever looks hears it.
    pub(super) fn choose(
        &mut self,
        index: usize,
        span: Span,
        entries: &mut Vec<Entry>,
    ) -> Result<(), Stop> {
        let (name, label) = (self.to_move(), self.position.label(index));
        let others = match (self.viewer, self.moment) {
            (Some(viewer), Moment::Decision(player)) if viewer != player => {
                Some((self.position.told(index), viewer))
            }
            _ => None,
        };
        let at = entries.len();
        entries.push(Entry { text: String::new(), pin: None, output: false, declines: false });
        self.position.choose(index);
        let settled = self.run_to_decision(entries, span);
        let label = others.map_or(label, |(told, viewer)| self.position.hears(&told, viewer));
        entries[at].text = transcript::decision(&name, &label);
        settled
    }

    fn check_player(&mut self, name: &Words) -> Result<(), Stop> {
        let names = self.position.names().to_vec();
        let to_move = self.to_move();
        let written = transcript::fold(&name.text);
        if written == to_move {
            return Ok(());
        }
        if names.contains(&written) {
            return self.stop(RunError::WrongPlayer { name: written, to_move, span: name.span });
        }
        let help = match nearest(&written, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the players are {}", transcript::list(&names)),
        };
        self.stop(RunError::UnknownPlayer { name: written, help, span: name.span })
    }

    fn refuse(&mut self, words: &Words, labels: &[String]) -> Result<(), Stop> {
        let written = transcript::fold(&words.text);
        let reason = self.position.why_not(&written);
        let help = advice(labels, &written, reason.span.is_some()).or(reason.help);
        self.stop(RunError::IllegalMove {
            words: written,
            reason: reason.message,
            help,
            span: words.span,
            rule: reason.span,
        })
    }
}
