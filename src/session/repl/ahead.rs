//! Lines that were typed or pasted ahead: played in order until something happens that their author could not
//! know. A transcript may be among them.

use std::collections::VecDeque;
use std::io;

use crate::session::console::DynIo;
use crate::session::match_move::Continuation;
use crate::session::repl::commands::find_command;
use crate::session::repl::script_lines::decision_of;
use crate::snippet::named_up_to;
use crate::transcript::{fold_case, format_decision};

/// How many of the lines that are left are named.
const MOST_NAMED: usize = 4;

/// What was typed and is not done yet.
#[derive(Clone, Debug, Default)]
pub(in crate::session) struct TypedLines {
    /// A move of which only the beginning is typed.
    pub(in crate::session) half_typed: Option<Continuation>,
    /// Lines that were typed before their prompt.
    lines: VecDeque<String>,
    /// Whether they came together, so that one of them may be a part of a transcript.
    is_pasted: bool,
    /// Whether they are the beginning of a transcript, which happened already.
    is_opening: bool,
    /// Whether the last line could not be done.
    pub(in crate::session) has_failed: bool,
}

impl TypedLines {
    pub(in crate::session) fn queue(&mut self, text: &str) {
        self.is_pasted = text.contains('\n');
        self.lines.extend(text.split('\n').map(|line| line.trim_end().to_owned()));
    }

    pub(in crate::session) fn count(&self) -> usize {
        let lines = self.lines.iter().flat_map(|line| line.split(';'));
        lines.filter(|line| !line.trim().is_empty()).count()
    }

    pub(in crate::session) fn clear(&mut self) {
        self.lines.clear();
    }

    /// The next line, or the part of it before a `;`.
    pub(in crate::session) fn next(&mut self, labels: &[String]) -> Option<String> {
        while let Some(line) = self.lines.pop_front() {
            if self.is_pasted && self.skip_told_line(&line) {
                continue;
            }
            let Some(end) = end_of_first(&line, labels) else { return Some(line) };
            self.lines.push_front(line[end + 1..].trim_start().to_owned());
            return Some(line[..end].to_owned());
        }
        None
    }

    /// Follows the opening of a transcript. True for lines that tell what the game does by itself.
    fn skip_told_line(&mut self, line: &str) -> bool {
        let is_header =
            ["game ", "players ", "option ", "seed "].iter().any(|it| line.starts_with(it));
        self.is_opening = is_header || self.is_opening && !line.contains('>');
        is_header
            || line.starts_with("  ")
            || line.starts_with("= ")
            || line.starts_with("# seats:")
            || self.is_opening && line.starts_with('*')
    }

    /// The draws that a transcript has below its last decision.
    pub(super) fn draws(&mut self) -> Vec<String> {
        let mut draws = Vec::new();
        while let Some(line) = self.lines.front().filter(|_| self.is_pasted) {
            match line.strip_prefix('*') {
                Some(draw) => draws.push(fold_case(draw)),
                None if line.starts_with("  ") => {}
                None => break,
            }
            self.lines.pop_front();
        }
        draws
    }

    /// True if a pasted transcript writes out moves that are forced.
    pub(in crate::session) fn says_what_follows(&self, names: &[String]) -> bool {
        let next = self.lines.iter().find(|line| !line.starts_with("  ") && !line.starts_with('*'));
        let is_said =
            |line: &String| line.starts_with(['?', '!', '#']) || decision_of(line, names).is_some();
        self.is_pasted && next.is_some_and(is_said)
    }

    /// Takes a decision that the game makes by itself.
    fn drop_if_made(&mut self, made: &str, names: &[String]) {
        let is_made = |line: &String| {
            decision_of(line, names)
                .is_some_and(|(name, words)| format_decision(name, &fold_case(words)) == made)
        };
        if self.is_pasted && self.lines.front().is_some_and(is_made) {
            self.lines.pop_front();
        }
    }

    /// Stops playing what was typed ahead, and says what is left.
    pub(in crate::session) fn stop(&mut self, io: &mut DynIo) -> io::Result<()> {
        let left: Vec<String> = self.lines.drain(..).filter(|it| !it.is_empty()).collect();
        if left.is_empty() {
            return Ok(());
        }
        io.console.tell(&format!("not played: {}", named_up_to(MOST_NAMED, &left).join(", ")))
    }

    /// Passes over a decision that the game makes by itself; returns the draws that a pasted transcript has below it.
    pub(in crate::session) fn pass_over(
        &mut self,
        (player, label): (&str, &str),
        names: &[String],
    ) -> Vec<String> {
        self.draws();
        self.drop_if_made(&format_decision(player, &fold_case(label)), names);
        self.draws()
    }

    /// Drops a half-typed move; false if there was none.
    pub(in crate::session) fn drop_half_typed(&mut self) -> bool {
        self.half_typed.take().is_some()
    }
}

/// The end of the first of several lines joined by `;`; none if a `;` may be part of it.
fn end_of_first(line: &str, labels: &[String]) -> Option<usize> {
    let typed = line.trim_start();
    let word = typed.split_whitespace().next()?;
    let command = word.strip_prefix(':').and_then(|it| find_command(it.trim_end_matches('!')).ok());
    let is_text = typed.starts_with(['?', '!', '#', '*'])
        || word == "set"
        || command.is_some_and(|it| matches!(it.word, "set" | "eval"))
        || labels.iter().any(|label| label.contains(';'));
    if is_text { None } else { line.find(';') }
}
