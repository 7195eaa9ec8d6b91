//! What stands between the tokens: spaces, comments, and line ends with their worth.

use crate::syntax::scan::Scanner;
use crate::syntax::words::{
    begins_declaration, continues_before, leading_word, surely_begins_declaration,
};

impl Scanner<'_> {
    /// Goes over spaces, comments and line ends up to the next token, then decides what the line
    /// ends were worth.
    pub(super) fn gap(&mut self, at_start: bool) {
        let mut ends = Vec::new();
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    self.lost_quote();
                    ends.push(self.at);
                    self.at += 1;
                    self.line_start = self.at;
                }
                b'#' if !self.rest().starts_with("##") => {
                    let end = self.rest().find('\n').unwrap_or(self.rest().len()) + self.at;
                    self.blank(self.at..end);
                    self.at = end;
                }
                _ => break,
            }
        }
        if at_start || !ends.is_empty() {
            self.begin_line(&ends);
        }
    }

    /// At the first token of a line: begins a chunk, goes on with the line before, or ends a
    /// statement.
    fn begin_line(&mut self, ends: &[usize]) {
        if self.at >= self.text.len() {
            return;
        }
        if self.cuts && self.begins_chunk() {
            self.end_chunk(self.at);
            self.begin_chunk();
            return;
        }
        if self.chunk.start.is_none() {
            self.begin_chunk();
        }
        let goes_on = !self.chunk.drawn && continues_before(self.rest());
        if goes_on || self.levels.inside_parentheses() {
            for end in ends {
                self.out[*end] = b' ';
            }
        } else if !self.open_ended {
            self.levels.next_segment();
        }
    }

    fn begins_chunk(&self) -> bool {
        if self.chunk.start.is_none() {
            return true;
        }
        let column = self.at - self.line_start;
        if !self.levels.is_empty() {
            return column == 0
                && surely_begins_declaration(self.rest(), self.levels.innermost_owner());
        }
        if self.open_ended {
            let sure = surely_begins_declaration(self.rest(), "");
            return column == 0 && (sure || leading_word(self.rest()) == "let");
        }
        if !self.chunk.declares {
            return false;
        }
        if self.rest().starts_with("##") || begins_declaration(self.rest()) {
            return true;
        }
        let letter = self.rest().starts_with(|letter: char| letter.is_ascii_alphabetic());
        column == 0 && letter && !continues_before(self.rest())
    }
}
