//! Scans a file before the grammar: finds declarations, brackets without a partner, lost quotes and
//! signs of other languages.
//!
//! It cuts the file into its declarations, so that each is read on its own; it reports the mistakes
//! that a grammar explains badly; and it passes on a text of the same length in which comments, and
//! line ends that do not count, are spaces, so that offsets stay true.

mod levels;

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Fix, Help};
use crate::source::{Source, Span};
use crate::syntax::scan::levels::{Level, Levels};
use crate::syntax::tokens::{
    Token, TokenKind, begins_declaration, continues_after, continues_before, counts_as_depth,
    is_drawn, leading_word, surely_begins_declaration, tokenize,
};
use crate::syntax::{MAX_NESTING, error};

/// How much of a line is examined to say what a bracket in it belongs to.
const LINE_BEGIN: usize = 200;

#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The text for the grammar, as long as the source.
    pub(super) text: String,
    pub(super) chunks: Vec<Chunk>,
    /// Where a text has a `}` that closes no hole.
    pub(super) lone_braces: Vec<Span>,
}

/// The text of one declaration, with the notes above it.
#[derive(Debug)]
pub(super) struct Chunk {
    /// Where it stands, in bytes from the beginning of this source.
    pub(super) range: Range<usize>,
    /// How deep its tree is at most; none when that is too deep to be read.
    pub(super) depth: Option<usize>,
    /// The first mistake that the scanner found in it.
    pub(super) fault: Option<Diagnostic>,
}

pub(super) fn scan_file(source: &Source) -> Scan {
    scan(source, true)
}

/// Scans a snippet: one chunk, whatever its lines begin with.
pub(super) fn scan_snippet(source: &Source) -> Scan {
    scan(source, false)
}

fn scan(source: &Source, cuts: bool) -> Scan {
    let out = source.text.replace('\r', " ").into_bytes();
    let (base, text) = (source.base, source.text.as_str());
    Scanner { base, text, cuts, out, ..Scanner::default() }.scan_tokens()
}

#[derive(Default)]
struct Scanner<'s> {
    /// The global offset of the first byte.
    base: usize,
    text: &'s str,
    /// Whether lines that begin a declaration begin a chunk.
    cuts: bool,
    at: usize,
    line_start: usize,
    /// Where the first token of the line is.
    line_token: usize,
    out: Vec<u8>,
    levels: Levels,
    /// Whether what came last goes on after a line end.
    open_ended: bool,
    /// Whether a note came last: it ends with its line.
    after_note: bool,
    chunk: Begun,
    scan: Scan,
}

/// The chunk that is being scanned.
#[derive(Debug, Default)]
struct Begun {
    start: Option<usize>,
    /// Whether it holds more than notes.
    declares: bool,
    /// Whether it holds drawn data, in which `-` and `common` are cells.
    drawn: bool,
    fault: Option<Diagnostic>,
}

impl<'s> Scanner<'s> {
    fn scan_tokens(mut self) -> Scan {
        let (mut ends, mut begins_line) = (Vec::new(), true);
        for token in tokenize(self.text).all {
            // A sign of another language may take several tokens.
            if token.start < self.at {
                continue;
            }
            self.at = token.start;
            match token.kind {
                TokenKind::Space if token.text.bytes().all(|it| b" \t\r".contains(&it)) => {}
                TokenKind::End => {
                    self.lost_quote();
                    ends.push(self.at);
                    self.line_start = self.at + 1;
                    begins_line = true;
                }
                TokenKind::Comment if !token.text.starts_with("##") => {
                    self.out[token.start..token.end()].fill(b' ');
                }
                TokenKind::Sign if self.at == 0 && token.text == "\u{feff}" => {
                    self.out[..token.end()].fill(b' ');
                    self.line_start = token.end();
                }
                _ => {
                    if begins_line {
                        self.begin_line(&ends);
                        ends.clear();
                        begins_line = false;
                        self.line_token = self.at;
                    }
                    self.token(&token);
                }
            }
            self.at = self.at.max(token.end());
        }
        self.end_chunk(self.text.len());
        let text = String::from_utf8(self.out);
        self.scan.text = text.expect("only whole characters were replaced by spaces");
        self.scan
    }

    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    fn global_span(&self, range: Range<usize>) -> Span {
        Span::new(self.base + range.start, self.base + range.end)
    }

    /// Only the first mistake of a declaration counts.
    fn report_fault(&mut self, fault: Diagnostic) {
        self.chunk.fault.get_or_insert(fault);
    }

    /// At the first token of a line: begins a chunk, goes on with the line before, or ends a
    /// statement.
    fn begin_line(&mut self, ends: &[usize]) {
        if self.chunk.start.is_none() || self.cuts && self.begins_chunk() {
            self.end_chunk(self.at);
            self.chunk = Begun { start: Some(self.at), ..Begun::default() };
            self.open_ended = false;
            return;
        }
        let goes_on = !self.chunk.drawn && !self.after_note && continues_before(self.rest());
        if goes_on || self.levels.inside_parentheses() {
            for end in ends {
                self.out[*end] = b' ';
            }
        } else if !self.open_ended {
            self.levels.next_segment();
        }
    }

    /// True where a declaration begins. Inside an open bracket, or where the line before is unfinished, only a sure
    /// beginning counts.
    fn begins_chunk(&self) -> bool {
        let at_margin = self.at == self.line_start;
        if let Some(owner) = self.levels.innermost_owner() {
            return at_margin && surely_begins_declaration(self.rest(), owner);
        }
        if self.open_ended {
            let sure = surely_begins_declaration(self.rest(), "");
            return at_margin && (sure || leading_word(self.rest()) == "let");
        }
        if !self.chunk.declares {
            return false;
        }
        if self.rest().starts_with("##") || begins_declaration(self.rest()) {
            return true;
        }
        let letter = self.rest().starts_with(|letter: char| letter.is_ascii_alphabetic());
        at_margin && letter && !continues_before(self.rest())
    }

    fn end_chunk(&mut self, end: usize) {
        let Some(start) = self.chunk.start.take() else { return };
        self.lost_quote();
        if let Some(open) = self.levels.culprit() {
            self.report_unclosed(&open);
        }
        let depth = self.levels.end_declaration();
        if let Err(place) = depth {
            self.too_deep(place.unwrap_or(start));
        }
        let fault = self.chunk.fault.take();
        self.scan.chunks.push(Chunk { range: start..end, depth: depth.ok(), fault });
    }

    fn token(&mut self, token: &Token<'s>) {
        self.after_note = token.kind == TokenKind::Comment;
        if self.after_note {
            self.open_ended = false;
            return;
        }
        if !std::mem::replace(&mut self.chunk.declares, true) {
            self.chunk.drawn = self.cuts && is_drawn(self.rest());
        }
        match token.kind {
            TokenKind::Text => self.scan_text(token.text),
            TokenKind::Open => {
                self.open_bracket(token.text.chars().next().expect("a token has a letter"));
            }
            TokenKind::Close => self.close_bracket(),
            TokenKind::Word => {
                self.open_ended = !self.chunk.drawn && continues_after(token.text);
                if counts_as_depth(token.text) {
                    self.levels.count_operator();
                }
            }
            TokenKind::Number => self.scan_number(token.text),
            TokenKind::Comma => {
                self.levels.next_segment();
                self.open_ended = true;
            }
            TokenKind::Space => {
                let strange = token.text.char_indices().filter(|(_, it)| !" \t\r".contains(*it));
                strange.for_each(|(at, letter)| self.report_stray_sign(token.start + at, letter));
            }
            _ => self.scan_sign(token.text),
        }
    }

    fn scan_number(&mut self, number: &str) {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let whole = digits(number);
        self.open_ended = false;
        if whole < number.len() {
            return;
        }
        let fraction = self.rest()[whole..].strip_prefix('.').map_or(0, digits);
        if fraction > 0 {
            let range = self.at..self.at + whole + 1 + fraction;
            self.at = range.end;
            self.report_fault(error::decimal(&self.text[range.clone()], self.global_span(range)));
        }
    }

    fn scan_sign(&mut self, sign: &'s str) {
        if let Some((sign, help)) = foreign_sign(self.rest()) {
            // At the end of a sentence it belongs to the text, and the hole before it is open.
            let ends = self.rest()[sign.len()..].starts_with('"') && self.chunk.fault.is_none();
            if let Some(hole) = self.levels.open_hole(self.text).filter(|_| ends) {
                self.report_unclosed(&hole);
            }
            let span = self.global_span(self.at..self.at + sign.len());
            self.at += sign.len();
            return self.report_fault(error::foreign_sign(sign, help, span));
        }
        match sign {
            ";" => {
                self.levels.next_segment();
                self.open_ended = false;
            }
            _ if sign.len() > 1 && sign.is_ascii() || "+-*/<>=.:".contains(sign) => {
                let drawn = self.chunk.drawn;
                self.open_ended = !drawn && !matches!(sign, ".." | "." | "->" | ":");
                if !drawn && sign != ":" {
                    self.levels.count_operator();
                }
            }
            _ => sign.chars().for_each(|letter| self.report_stray_sign(self.at, letter)),
        }
    }

    fn report_stray_sign(&mut self, at: usize, letter: char) {
        let help = if letter.is_alphabetic() {
            "names are made of the letters a to z, digits and `_`; a title may hold any letter"
                .into()
        } else {
            Help::from("remove it").with("")
        };
        let span = self.global_span(at..at + letter.len_utf8());
        self.report_fault(error::stray_character(letter.escape_debug(), help, span));
    }

    fn open_bracket(&mut self, opener: char) {
        let line = &self.text[self.line_start..];
        let line = &line[..line.floor_char_boundary(LINE_BEGIN)];
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let owner = leading_word(line.trim_start_matches(['}', ' ', '\t'])).to_owned();
        if !self.levels.open_level(opener, self.at, indent, owner) {
            self.too_deep(self.at);
        }
        self.open_ended = false;
    }

    fn close_bracket(&mut self) {
        let bracket = char::from(self.text.as_bytes()[self.at]);
        // The line is not searched backwards: brackets may be many.
        let indent = (self.at == self.line_token).then_some(self.at - self.line_start);
        match self.levels.close_level(bracket, self.at, indent) {
            Ok(Some(open)) if self.chunk.fault.is_none() => self.report_unclosed(&open),
            Ok(_) => {}
            Err(()) => {
                let span = self.global_span(self.at..self.at + 1);
                self.report_fault(error::stray_bracket(bracket, span));
            }
        }
        self.open_ended = false;
    }

    fn report_unclosed(&mut self, open: &Level) {
        let line = self.text[..open.at].rfind('\n').map_or(0, |end| end + 1);
        let before = self.text[line..open.at].trim();
        let owner: String = before.trim_start_matches(['}', ' ']).chars().take(40).collect();
        let (bracket, closer) = (open.opener, open.closer());
        let owner = if owner.is_empty() { bracket.to_string() } else { owner };
        let mut missing = open.missing_at.unwrap_or(self.at);
        // Parentheses seldom cross a line, and a block follows behind them.
        let line = self.text[open.at..].lines().next().unwrap_or_default();
        let code = line.split(" #").next().unwrap_or_default().trim_end();
        let code = code.strip_suffix('{').unwrap_or(code).trim_end();
        if bracket != '{' && !code.ends_with(['(', '[', ',']) {
            missing = missing.min(open.at + code.len());
        }
        let missing = self.text[..missing].trim_end().len();
        let (span, missing) =
            (self.global_span(open.at..open.at + 1), self.global_span(missing..missing));
        let fix = Fix { span: missing, text: closer.to_string() };
        self.report_fault(error::unclosed_bracket(bracket, closer, owner, fix, span, missing));
    }

    fn too_deep(&mut self, place: usize) {
        let span = self.global_span(place..place + 1);
        self.report_fault(error::too_deep(MAX_NESTING, span));
    }

    /// The words of a text, with the quotes that belong to them.
    fn scan_text(&mut self, words: &str) {
        let mut letters = words.char_indices();
        if !self.levels.inside_text() {
            self.open_bracket('"');
            letters.next();
        }
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => return self.levels.pop(None),
                '\\' => drop(letters.next()),
                '\t' | '\r' => {}
                '}' => {
                    let brace = self.global_span(self.at + at..self.at + at + 1);
                    let last = self.scan.lone_braces.last().map_or(0, |it| it.start as usize);
                    if last < self.base + self.line_start || self.scan.lone_braces.is_empty() {
                        self.scan.lone_braces.push(brace);
                    }
                }
                letter if letter.is_control() => self.report_stray_sign(self.at + at, letter),
                _ => {}
            }
        }
    }

    /// A line ends inside a text: closes the text and what stands in its holes.
    fn lost_quote(&mut self) {
        let hole = self.levels.open_hole(self.text);
        let Some(start) = self.levels.drop_texts() else { return };
        if let Some(hole) = hole {
            return self.report_unclosed(&hole);
        }
        let end = start + self.text[start..self.at].trim_end().len();
        let help = if end == start + 1 {
            "put the opening quote where the text begins, or remove this one".into()
        } else {
            Help::from("add the closing quote").with("\"").with_span(self.global_span(end..end))
        };
        let span = self.global_span(start..end);
        self.report_fault(error::unclosed_text(help, span));
    }
}

/// Signs of other languages and of word processors, the help for each, and what replaces it if that
/// is clear. Longer signs stand before
/// their beginnings.
const FOREIGN_SIGNS: &[(&str, &str, &str)] = &[
    ("&&", "write `and`", "and"),
    ("||", "write `or`", "or"),
    ("===", "write `==`", "=="),
    ("!==", "write `!=`", "!="),
    ("=<", "write `<=`", "<="),
    ("=>", "write `:` in a case of a `match`, `->` before the type of a rule, `>=` to compare", ""),
    ("<>", "write `!=`", "!="),
    (":=", "write `=`", "="),
    ("++", "write `+= 1`", "+= 1"),
    ("**", "there is no power: multiply with `*`, or draw a table of the values", ""),
    ("^", "there is no power: multiply with `*`, or draw a table of the values", ""),
    ("*=", "write `a = a * b`", ""),
    ("//", "a comment begins with `#`; a division is `floor(a / b)` or `ceil(a / b)`", ""),
    ("/*", "a comment begins with `#` and ends with its line", ""),
    ("%", "write `a mod b`", ""),
    ("&", "write `and`, or `common` for what two sets share", ""),
    ("|", "write `or`, or `union` for two sets together", ""),
    ("!", "write `not`", "not "),
    ("'", "write `\"` around a text", ""),
    ("`", "write `\"` around a text", ""),
    ("“", "write `\"` around a text", "\""),
    ("”", "write `\"` around a text", "\""),
    ("„", "write `\"` around a text", "\""),
    ("«", "write `\"` around a text", "\""),
    ("»", "write `\"` around a text", "\""),
    ("‘", "write `\"` around a text", ""),
    ("’", "write `\"` around a text", ""),
    ("–", "write `-`", "-"),
    ("—", "write `-`", "-"),
    ("−", "write `-`", "-"),
    ("×", "write `*`", "*"),
    ("÷", "write `floor(a / b)` or `ceil(a / b)`", ""),
    ("≤", "write `<=`", "<="),
    ("≥", "write `>=`", ">="),
    ("≠", "write `!=`", "!="),
    ("→", "write `->`", "->"),
    ("…", "write `..`", ".."),
    ("?", "write `if P then A else B`", ""),
];

/// The foreign sign that `text` begins with, and the help for it.
fn foreign_sign(text: &str) -> Option<(&'static str, Help)> {
    if text.starts_with("!=") && !text.starts_with("!==") {
        return None;
    }
    let (sign, words, instead) = FOREIGN_SIGNS.iter().find(|(sign, ..)| text.starts_with(sign))?;
    let help = Help::from(*words);
    Some((sign, if instead.is_empty() { help } else { help.with(instead) }))
}
