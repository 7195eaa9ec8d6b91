//! A first walk over the text: brackets, quotes, comments and line ends, before the grammar.
//!
//! It cuts the file into its declarations, so that each is read on its own; it finds the mistakes
//! that a grammar explains badly (a bracket never closed, a lost quote, signs of other languages);
//! and it hands on a text of the same length in which comments, and line ends that do not count,
//! are spaces, so that offsets stay true.

use std::mem;
use std::ops::Range;

use crate::source::Source;
use crate::source::Span;
use crate::syntax::ast::Comment;
use crate::syntax::error::SyntaxError;
use crate::syntax::foreign::foreign_sign;
use crate::syntax::levels::Level;
use crate::syntax::levels::Levels;
use crate::syntax::levels::Sign;
use crate::syntax::words::begins_declaration;
use crate::syntax::words::continues_after;
use crate::syntax::words::continues_before;
use crate::syntax::words::counts_as_depth;
use crate::syntax::words::leading_word;
use crate::syntax::words::surely_begins_declaration;

/// What the first walk found.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The text for the grammar, as long as the source.
    pub(super) text: String,
    /// The `#` comments.
    pub(super) comments: Vec<Comment>,
    /// The offset of each run of blank lines.
    pub(super) blanks: Vec<u32>,
    /// The declarations, in order.
    pub(super) chunks: Vec<Chunk>,
}

/// The text of one declaration, with the notes above it.
#[derive(Debug)]
pub(super) struct Chunk {
    /// Where it stands, in bytes from the beginning of this source.
    pub(super) range: Range<usize>,
    /// The first mistake that the walk found in it.
    pub(super) fault: Option<SyntaxError>,
}

/// Walks over a whole file.
pub(super) fn scan_file(source: &Source) -> Scan {
    Scanner::new(source, true).run()
}

/// Walks over a snippet: one chunk, whatever its lines begin with.
pub(super) fn scan_snippet(source: &Source) -> Scan {
    Scanner::new(source, false).run()
}

struct Scanner<'s> {
    source: &'s Source,
    text: &'s str,
    /// Whether lines that begin a declaration begin a chunk.
    cuts: bool,
    at: usize,
    line_start: usize,
    out: Vec<u8>,
    levels: Levels,
    /// Whether what came last goes on behind a line end.
    open_ended: bool,
    /// Whether the chunk holds drawn data, in which `-` and `common` are cells.
    drawn: bool,
    /// Whether the chunk holds nothing but notes yet.
    only_notes: bool,
    chunk_start: Option<usize>,
    fault: Option<SyntaxError>,
    scan: Scan,
}

impl<'s> Scanner<'s> {
    fn new(source: &'s Source, cuts: bool) -> Scanner<'s> {
        Scanner {
            source,
            text: &source.text,
            cuts,
            at: 0,
            line_start: 0,
            out: source.text.replace('\r', " ").into_bytes(),
            levels: Levels::default(),
            open_ended: false,
            drawn: false,
            only_notes: true,
            chunk_start: None,
            fault: None,
            scan: Scan::default(),
        }
    }

    fn run(mut self) -> Scan {
        if self.text.starts_with('\u{feff}') {
            self.blank(0..'\u{feff}'.len_utf8());
            self.at = '\u{feff}'.len_utf8();
            self.line_start = self.at;
        }
        self.gap(true);
        while self.at < self.text.len() {
            self.token();
            self.gap(false);
        }
        self.end_chunk(self.text.len());
        let text = String::from_utf8(self.out);
        self.scan.text = text.expect("only whole characters were replaced by spaces");
        self.scan
    }

    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source.base + range.start, self.source.base + range.end)
    }

    fn blank(&mut self, range: Range<usize>) {
        self.out[range].fill(b' ');
    }

    fn report(&mut self, fault: SyntaxError) {
        self.fault.get_or_insert(fault);
    }

    // ---------------------------------------------------------------------- between the tokens

    /// Goes over spaces, comments and line ends up to the next token, then decides what the line
    /// ends were worth.
    fn gap(&mut self, at_start: bool) {
        let mut ends = Vec::new();
        let mut blank_line = None;
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    self.lost_quote();
                    if self.text[self.line_start..self.at].trim().is_empty() {
                        blank_line.get_or_insert(self.line_start);
                    }
                    ends.push(self.at);
                    self.at += 1;
                    self.line_start = self.at;
                }
                b'#' if !self.rest().starts_with("##") => {
                    self.keep_blank_line(&mut blank_line);
                    self.comment();
                }
                _ => break,
            }
        }
        self.keep_blank_line(&mut blank_line);
        if at_start || !ends.is_empty() {
            self.begin_line(&ends);
        }
    }

    fn keep_blank_line(&mut self, blank_line: &mut Option<usize>) {
        if let Some(start) = blank_line.take() {
            let span = self.span(start..start);
            self.scan.blanks.push(span.start);
        }
    }

    fn comment(&mut self) {
        let end = self.rest().find('\n').map_or(self.text.len(), |length| self.at + length);
        let words = self.text[self.at..end].trim_end();
        let range = self.at..self.at + words.len();
        let alone = self.text[self.line_start..self.at].trim().is_empty();
        let text = words.trim_start_matches('#').trim().to_owned();
        self.scan.comments.push(Comment { text, alone, span: self.span(range) });
        self.blank(self.at..end);
        self.at = end;
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
        if self.chunk_start.is_none() {
            self.begin_chunk();
        }
        let goes_on = !self.drawn && continues_before(self.rest());
        if goes_on || self.levels.inside_parentheses() {
            for end in ends {
                self.out[*end] = b' ';
            }
        } else if !self.open_ended {
            self.levels.next_segment();
        }
    }

    fn begins_chunk(&self) -> bool {
        if self.chunk_start.is_none() {
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
        if self.only_notes {
            return false;
        }
        if self.rest().starts_with("##") || begins_declaration(self.rest()) {
            return true;
        }
        let letter = self.rest().starts_with(|letter: char| letter.is_ascii_alphabetic());
        column == 0 && letter && !continues_before(self.rest())
    }

    fn begin_chunk(&mut self) {
        self.chunk_start = Some(self.at);
        self.only_notes = true;
        self.drawn = false;
        self.open_ended = false;
    }

    fn end_chunk(&mut self, end: usize) {
        let Some(start) = self.chunk_start.take() else { return };
        self.lost_quote();
        if let Some(open) = self.levels.culprit() {
            let fault = self.unclosed(&open);
            self.report(fault);
        }
        if let Err(place) = self.levels.finish() {
            self.too_deep(place.unwrap_or(start));
        }
        let fault = self.fault.take();
        self.scan.chunks.push(Chunk { range: start..end, fault });
    }

    fn unclosed(&self, open: &Level) -> SyntaxError {
        let line = self.text[..open.at].rfind('\n').map_or(0, |end| end + 1);
        let before = self.text[line..open.at].trim();
        let owner: String = before.trim_start_matches(['}', ' ']).chars().take(40).collect();
        let bracket = open.sign.opener();
        SyntaxError::UnclosedBracket {
            bracket,
            closer: open.sign.closer(),
            owner: if owner.is_empty() { bracket.to_string() } else { owner },
            span: self.span(open.at..open.at + 1),
        }
    }

    fn too_deep(&mut self, place: usize) {
        let span = self.span(place..place + 1);
        self.report(SyntaxError::TooDeep { limit: super::MAX_NESTING, span });
    }

    // ---------------------------------------------------------------------- tokens

    fn token(&mut self) {
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
        if mem::take(&mut self.only_notes) {
            self.drawn = self.cuts && matches!(leading_word(self.rest()), "kind" | "table");
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
        self.open_ended = !self.drawn && continues_after(word);
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
            let (found, help) = (sign.to_owned(), help.to_owned());
            self.at += sign.len();
            return self.report(SyntaxError::ForeignSign { found, help, span });
        }
        let two = ["==", "!=", "<=", ">=", "+=", "-=", "->", ".."];
        let known = two.into_iter().find(|sign| self.rest().starts_with(sign));
        let Some(letter) = self.rest().chars().next() else { return };
        match known {
            Some(sign) => self.known_sign(sign),
            None if "+-*/<>=.:".contains(letter) => {
                self.known_sign(&self.rest()[..1]);
            }
            None => self.stray(letter),
        }
    }

    fn known_sign(&mut self, sign: &str) {
        self.at += sign.len();
        self.open_ended = !self.drawn && !matches!(sign, ".." | "." | "->" | ":");
        if !self.drawn && sign != ":" {
            self.levels.count();
        }
    }

    fn stray(&mut self, letter: char) {
        let span = self.span(self.at..self.at + letter.len_utf8());
        self.at += letter.len_utf8();
        let help = if letter.is_alphabetic() {
            "names are made of the letters a to z, digits and `_`; a title may hold any letter"
        } else {
            "remove it"
        };
        let found = letter.escape_debug().to_string();
        self.report(SyntaxError::StrayCharacter { found, help: help.to_owned(), span });
    }

    // ---------------------------------------------------------------------- brackets

    fn open(&mut self, sign: Sign) {
        let line = &self.text[self.line_start..];
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
        let first = self.text[self.line_start..self.at].trim().is_empty();
        let indent = first.then_some(self.at - self.line_start);
        match self.levels.close(byte, indent) {
            Ok(lost) => {
                if let Some(open) = lost {
                    let fault = self.unclosed(&open);
                    self.report(fault);
                }
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
    fn lost_quote(&mut self) {
        let Some((start, in_hole)) = self.levels.drop_texts() else { return };
        let help = if in_hole {
            "add the closing quote, or the `}` of the hole; a brace in a text is written `\\{`"
        } else {
            "add the closing quote"
        };
        let end = start + self.text[start..self.at].trim_end().len();
        let (help, span) = (help.to_owned(), self.span(start..end));
        self.report(SyntaxError::UnclosedText { help, span });
    }
}
