//! Cuts lines into pieces, puts blocks on several lines, and sets the spaces between pieces.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use crate::syntax::reader::Mark;
use crate::syntax::tidy::layout::OutputLine;
use crate::syntax::tokens::{Token, TokenKind, tokenize};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TidyLine<'a> {
    pub(super) place: usize,
    /// How far it is indented; a tab counts as four columns.
    pub(super) indent: usize,
    pub(super) pieces: Vec<TokenPiece<'a>>,
    /// The comment at its end, with its `#`.
    pub(super) comment: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TokenPiece<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
    /// Whether a space stands before it.
    pub(super) apart: bool,
    pub(super) place: usize,
    /// What it means, where the text alone does not say so.
    pub(super) mark: Option<Mark>,
}

impl TokenPiece<'_> {
    pub(super) fn is_word(&self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Number)
    }

    /// Whether it is a brace, but not one of a set.
    pub(super) fn is_block(&self) -> bool {
        matches!(self.text, "{" | "}") && self.mark != Some(Mark::Set)
    }
}

const TAB: usize = 4;

pub(super) fn cut_lines(text: &str) -> Vec<TidyLine<'_>> {
    let mut lines = Vec::new();
    let (mut line, mut apart) = (TidyLine::default(), false);
    for token in tokenize(text).all {
        let Token { kind, start: place, .. } = token;
        match kind {
            // A text is one piece, with what stands in its holes.
            _ if token.continues => {
                let piece = line.pieces.last_mut().expect("a text began on this line");
                piece.text = &text[piece.place..token.end()];
            }
            TokenKind::End => {
                lines.push(mem::replace(
                    &mut line,
                    TidyLine { place: place + 1, ..TidyLine::default() },
                ));
            }
            TokenKind::Space if line.pieces.is_empty() => {
                line.indent = token.text.chars().map(|it| if it == '\t' { TAB } else { 1 }).sum();
            }
            TokenKind::Space => {}
            TokenKind::Comment => line.comment = Some(token.text.trim_end()),
            _ => {
                line.pieces.push(TokenPiece { kind, text: token.text, apart, place, mark: None });
            }
        }
        apart = kind == TokenKind::Space;
    }
    if line != (TidyLine { place: text.len(), ..TidyLine::default() }) {
        lines.push(line);
    }
    lines
}

/// The pieces with the spaces that belong between them; where nothing says whether one does, their
/// author has the word.
pub(super) fn join_pieces(pieces: &[TokenPiece]) -> String {
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        // Blocks have spaces inside, sets have none.
        let apart = match at.checked_sub(1).map(|before| pieces[before]) {
            None => false,
            Some(before) if before.text == "{" => before.is_block(),
            Some(_) if piece.text == "}" => piece.is_block(),
            Some(before) => belongs(before, *piece),
        };
        text.push_str(if apart { " " } else { "" });
        text.push_str(piece.text);
    }
    text
}

fn belongs(before: TokenPiece, piece: TokenPiece) -> bool {
    match (before.text, piece.text) {
        (_, "," | ";" | ")" | "]" | ":" | "." | "..") | ("(" | "[" | ".", _) => false,
        ("," | ";" | ":", _) => true,
        _ if before.mark == Some(Mark::Negative) => false,
        _ if [before.mark, piece.mark].contains(&Some(Mark::Operator)) => true,
        // Signs with a space on both sides.
        ("=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+=" | "-=" | "->", _)
        | (_, "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+=" | "-=" | "->") => true,
        (text, "{") => {
            before.is_word()
                || text.starts_with('"')
                || matches!(text, ")" | "]" | "}")
                || piece.apart
        }
        ("}", _) => piece.is_word() || piece.apart,
        _ => piece.apart,
    }
}

/// A line, or several that are drawn.
#[derive(Clone, Debug)]
pub(super) enum TidyRow<'a> {
    Line(TidyLine<'a>),
    /// Lines that are put as they are.
    Drawn(Vec<OutputLine>),
}

impl TidyRow<'_> {
    /// How many pieces it has; a line is one.
    pub(super) fn piece_count(&self) -> usize {
        match self {
            TidyRow::Line(line) => 1 + line.pieces.len(),
            TidyRow::Drawn(put) => put.len(),
        }
    }
}

/// A block on several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockShape {
    Open,
    /// Nothing stands between its braces.
    Empty,
}

/// The rows with the blocks on several lines opened, and those too that begin at these places.
pub(super) fn open_blocks<'a>(rows: &[TidyRow<'a>], forced: &BTreeSet<usize>) -> Vec<TidyRow<'a>> {
    let mut opener = Opener { shapes: shapes(rows, forced), ..Opener::default() };
    for row in rows {
        match row {
            TidyRow::Drawn(put) => opener.rows.push(TidyRow::Drawn(put.clone())),
            TidyRow::Line(line) => opener.add_line(line),
        }
    }
    opener.rows
}

/// The blocks on a line that stand in no other on it, by their places.
pub(super) fn outermost_blocks(pieces: &[TokenPiece]) -> Vec<usize> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for (at, piece) in pieces.iter().enumerate() {
        match piece.text {
            "{" => open.push((at, piece)),
            "}" => {
                let Some((from, brace)) = open.pop() else { continue };
                let outer = open.iter().any(|(_, brace)| can_open(brace));
                if can_open(brace) && at > from + 1 && !outer {
                    found.push(brace.place);
                }
            }
            _ => {}
        }
    }
    found
}

fn can_open(brace: &TokenPiece) -> bool {
    matches!(brace.mark, Some(Mark::Block | Mark::Moves))
}

/// The shapes of blocks on several lines, by the places of both of their braces.
fn shapes(rows: &[TidyRow], forced: &BTreeSet<usize>) -> BTreeMap<usize, BlockShape> {
    let mut shapes = BTreeMap::new();
    // What stands last before a piece is its opening brace where the block is empty.
    let (mut open, mut last) = (Vec::new(), None);
    for (number, row) in rows.iter().enumerate() {
        let TidyRow::Line(line) = row else {
            last = None;
            continue;
        };
        for piece in &line.pieces {
            match piece.text {
                "{" => open.push((number, piece)),
                "}" => {
                    let Some((from, brace)) = open.pop() else { continue };
                    let apart = from != number || forced.contains(&brace.place);
                    if apart && brace.is_block() {
                        let empty = last == Some(brace.place);
                        let shape = if empty { BlockShape::Empty } else { BlockShape::Open };
                        shapes.extend([(brace.place, shape), (piece.place, shape)]);
                    }
                }
                _ => {}
            }
            last = Some(piece.place);
        }
        if line.comment.is_some() {
            last = None;
        }
    }
    shapes
}

#[derive(Default)]
struct Opener<'a> {
    shapes: BTreeMap<usize, BlockShape>,
    rows: Vec<TidyRow<'a>>,
    line: TidyLine<'a>,
    /// For each open bracket, whether it is a block on several lines.
    open: Vec<bool>,
}

impl<'a> Opener<'a> {
    fn add_line(&mut self, line: &TidyLine<'a>) {
        self.line.indent = line.indent;
        let mut dropped = false;
        for (at, piece) in line.pieces.iter().enumerate() {
            let more = at + 1 < line.pieces.len();
            let shape = self.shapes.get(&piece.place).copied();
            match piece.text {
                ";" if self.open.last() == Some(&true) => {
                    dropped = true;
                    if more {
                        self.end_line();
                    }
                    continue;
                }
                // On one line, it divides two statements or nothing.
                ";" if self.open.last().is_some() && self.divides_nothing(line, at) => continue,
                "}" if shape == Some(BlockShape::Open) => self.end_line(),
                "}" if shape == Some(BlockShape::Empty) => self.resume_line(),
                _ => {}
            }
            self.line.pieces.push(*piece);
            match piece.text {
                "{" => self
                    .open
                    .push(shape == Some(BlockShape::Open) && piece.mark != Some(Mark::List)),
                "(" | "[" => self.open.push(false),
                "}" | ")" | "]" => {
                    self.open.pop();
                }
                _ => {}
            }
            if piece.text == "{" && shape == Some(BlockShape::Open) && more {
                self.end_line();
            }
        }
        // A note belongs to what follows it.
        let note = line.comment.is_some_and(|comment| comment.starts_with("##"));
        if note && line.pieces.last().is_some_and(|last| matches!(last.text, "{" | ";")) {
            self.end_line();
        }
        self.line.comment = line.comment;
        let nothing = self.line.pieces.is_empty() && self.line.comment.is_none();
        if !(nothing && dropped) {
            self.rows.push(TidyRow::Line(mem::take(&mut self.line)));
        }
    }

    /// Whether a `;` of a block on one line has no statement before or after it.
    fn divides_nothing(&self, line: &TidyLine, at: usize) -> bool {
        let before = self.line.pieces.last();
        let first = before.is_some_and(|it| it.text == "{" && it.is_block());
        let last = line.pieces.get(at + 1).is_some_and(|it| matches!(it.text, "}" | ";"));
        first || last
    }

    /// Ends the line that is made, if it has begun.
    fn end_line(&mut self) {
        if !self.line.pieces.is_empty() {
            let next = TidyLine { indent: self.line.indent, ..TidyLine::default() };
            self.rows.push(TidyRow::Line(mem::replace(&mut self.line, next)));
        }
    }

    /// Goes on with the line before, after blank ones.
    fn resume_line(&mut self) {
        while let Some(TidyRow::Line(line)) = self.rows.pop() {
            if !line.pieces.is_empty() {
                self.line = line;
                return;
            }
        }
    }
}
