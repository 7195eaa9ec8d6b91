//! Words, numbers, signs, brackets and texts.

use std::mem;

use crate::diagnostic::Help;
use crate::syntax::error::SyntaxError;
use crate::syntax::scan::Scanner;
use crate::syntax::scan::foreign::foreign_sign;
use crate::syntax::scan::levels::{Level, Sign};
use crate::syntax::tokens::leading_sign;
use crate::syntax::words::{continues_after, counts_as_depth, is_drawn, leading_word};

/// How much of a line is looked at to say what a bracket in it belongs to.
const LINE_BEGIN: usize = 200;

impl Scanner<'_> {
    pub(super) fn token(&mut self) {
        let byte = self.text.as_bytes()[self.at];
        if !self.rest().starts_with("##") {
            self.first_word();
        }
        match byte {
            b'#' => self.note(),
            b'"' => self.string(),
            b'(' | b'[' | b'{' => self.open(Sign::of(byte)),
            b')' | b']' | b'}' => self.close(byte),
            b',' | b';' => self.divide(byte),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.word(),
            byte if byte.is_ascii_digit() => self.number(),
            _ => self.sign(),
        }
    }

    /// Looks at the word that a chunk begins with: drawn data has rules of its own.
    fn first_word(&mut self) {
        if !mem::replace(&mut self.chunk.declares, true) {
            self.chunk.drawn = self.cuts && is_drawn(self.rest());
        }
    }

    fn note(&mut self) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.at += length;
        self.open_ended = false;
    }

    fn divide(&mut self, byte: u8) {
        self.at += 1;
        self.levels.next_segment();
        self.open_ended = byte == b',';
    }

    fn word(&mut self) {
        let word = leading_word(self.rest());
        self.at += word.len();
        self.open_ended = !self.chunk.drawn && continues_after(word);
        if counts_as_depth(word) {
            self.levels.count();
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits(self.rest());
        self.open_ended = false;
        let fraction = self.rest().strip_prefix('.').map_or(0, digits);
        if fraction > 0 {
            self.at += 1 + fraction;
            let range = start..self.at;
            let found = self.text[range.clone()].to_owned();
            self.report(SyntaxError::Decimal { found, span: self.span(range) });
        }
    }

    fn sign(&mut self) {
        if let Some((sign, help)) = foreign_sign(self.rest()) {
            let span = self.span(self.at..self.at + sign.len());
            let found = sign.to_owned();
            self.at += sign.len();
            return self.report(SyntaxError::ForeignSign { found, help, span });
        }
        let Some(letter) = self.rest().chars().next() else { return };
        match leading_sign(self.rest()) {
            Some(sign) => self.known_sign(sign),
            None if "+-*/<>=.:".contains(letter) => {
                self.known_sign(&self.rest()[..1]);
            }
            None => self.stray(letter),
        }
    }

    fn known_sign(&mut self, sign: &str) {
        self.at += sign.len();
        self.open_ended = !self.chunk.drawn && !matches!(sign, ".." | "." | "->" | ":");
        if !self.chunk.drawn && sign != ":" {
            self.levels.count();
        }
    }

    fn stray(&mut self, letter: char) {
        let span = self.span(self.at..self.at + letter.len_utf8());
        self.at += letter.len_utf8();
        let help = if letter.is_alphabetic() {
            "names are made of the letters a to z, digits and `_`; a title may hold any letter"
                .into()
        } else {
            Help::from("remove it").with("")
        };
        let found = letter.escape_debug().to_string();
        self.report(SyntaxError::StrayCharacter { found, help, span });
    }

    // ---------------------------------------------------------------------- brackets

    fn open(&mut self, sign: Sign) {
        let line = &self.text[self.line_start..];
        let line = &line[..line.floor_char_boundary(LINE_BEGIN)];
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let owner = leading_word(line.trim_start_matches(['}', ' ', '\t'])).to_owned();
        let level = Level::new(sign, self.at, indent, owner);
        if !self.levels.open(level) {
            self.too_deep(self.at);
        }
        self.at += 1;
        self.open_ended = false;
    }

    fn close(&mut self, byte: u8) {
        let before = self.text[self.line_start..self.at].bytes();
        let first = before.rev().all(|byte| byte.is_ascii_whitespace());
        let indent = first.then_some(self.at - self.line_start);
        let lost = self.levels.close((byte, self.at), indent);
        match lost {
            Ok(None) => {}
            // Only the first mistake counts.
            Ok(Some(_)) if self.chunk.fault.is_some() => {}
            Ok(Some(open)) => {
                let fault = self.unclosed(&open);
                self.report(fault);
            }
            Err(()) => {
                let span = self.span(self.at..self.at + 1);
                let bracket = char::from(byte);
                self.report(SyntaxError::StrayBracket { bracket, span });
            }
        }
        self.at += 1;
        self.open_ended = false;
        if byte == b'}' && self.levels.inside_text() {
            self.words();
        }
    }

    // ---------------------------------------------------------------------- texts

    fn string(&mut self) {
        if self.levels.inside_text() {
            unreachable!("the words of a text are read in one go, its quote included");
        }
        self.open(Sign::Text);
        self.words();
    }

    /// Goes over the words of a text, up to its quote, a hole, or the end of the line.
    fn words(&mut self) {
        while let Some(letter) = self.rest().chars().next() {
            match letter {
                '\n' => break,
                '"' => {
                    self.levels.close_text();
                    self.at += 1;
                    return;
                }
                '{' => return self.open(Sign::Hole),
                '\\' if !self.rest()[1..].starts_with('\n') => {
                    let next = self.rest()[1..].chars().next();
                    self.at += 1 + next.map_or(0, char::len_utf8);
                }
                '\t' | '\r' => self.at += 1,
                letter if letter.is_control() => self.stray(letter),
                letter => self.at += letter.len_utf8(),
            }
        }
        self.lost_quote();
    }

    /// A line ends inside a text: closes the text and what stands in its holes.
    pub(super) fn lost_quote(&mut self) {
        let Some((start, in_hole)) = self.levels.drop_texts() else { return };
        let end = start + self.text[start..self.at].trim_end().len();
        let help = if in_hole {
            "add the closing quote, or the `}` of the hole; a brace in a text is written `\\{`"
                .into()
        } else {
            Help::from("add the closing quote").with("\"").at(self.span(end..end))
        };
        let span = self.span(start..end);
        self.report(SyntaxError::UnclosedText { help, span });
    }
}
