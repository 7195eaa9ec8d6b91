//! Cuts lines into words, signs and texts, and puts them together with the right spaces.

use std::mem;

use crate::syntax::reader::Mark;
use crate::syntax::tokens::{Token, TokenKind, tokenize};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) place: usize,
    /// How far it is indented; a tab counts as four columns.
    pub(super) indent: usize,
    pub(super) pieces: Vec<Piece<'a>>,
    /// The comment at its end, with its `#`.
    pub(super) comment: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
    /// Whether a space stands before it.
    pub(super) apart: bool,
    pub(super) place: usize,
    /// What it means, where the text alone does not say so.
    pub(super) mark: Option<Mark>,
}

impl Piece<'_> {
    pub(super) fn is_word(&self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Number)
    }

    /// Whether it is a brace, but not one of a set.
    pub(super) fn is_block(&self) -> bool {
        matches!(self.text, "{" | "}") && self.mark != Some(Mark::Set)
    }
}

const TAB: usize = 4;

pub(super) fn cut_lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let (mut line, mut apart) = (Line::default(), false);
    for token in tokenize(text).all {
        let Token { kind, start: place, .. } = token;
        match kind {
            // A text is one piece, with what stands in its holes.
            _ if token.continues => {
                let piece = line.pieces.last_mut().expect("a text began on this line");
                piece.text = &text[piece.place..token.end()];
            }
            TokenKind::End => {
                lines.push(mem::replace(&mut line, Line { place: place + 1, ..Line::default() }));
            }
            TokenKind::Space if line.pieces.is_empty() => {
                line.indent = token.text.chars().map(|it| if it == '\t' { TAB } else { 1 }).sum();
            }
            TokenKind::Space => {}
            TokenKind::Comment => line.comment = Some(token.text.trim_end()),
            _ => {
                line.pieces.push(Piece { kind, text: token.text, apart, place, mark: None });
            }
        }
        apart = kind == TokenKind::Space;
    }
    if line != (Line { place: text.len(), ..Line::default() }) {
        lines.push(line);
    }
    lines
}

/// The pieces with the spaces that belong between them; where nothing says whether one does, their
/// author has the word.
pub(super) fn spaced(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| pieces[before]);
        // Blocks have spaces inside, sets have none.
        let apart = match before {
            None => false,
            Some(before) if before.text == "{" => before.is_block(),
            Some(_) if piece.text == "}" => piece.is_block(),
            Some(before) => belongs(before, *piece),
        };
        if apart {
            text.push(' ');
        }
        text.push_str(piece.text);
    }
    text
}

fn belongs(before: Piece, piece: Piece) -> bool {
    match (before.text, piece.text) {
        (_, "," | ";" | ")" | "]" | ":" | "." | "..") | ("(" | "[" | ".", _) => false,
        ("," | ";" | ":", _) => true,
        _ if before.mark == Some(Mark::Negative) => false,
        _ if [before.mark, piece.mark].contains(&Some(Mark::Operator)) => true,
        (sign, _) | (_, sign) if is_relation(sign) => true,
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

/// Signs with a space on both sides.
fn is_relation(sign: &str) -> bool {
    matches!(sign, "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+=" | "-=" | "->")
}
