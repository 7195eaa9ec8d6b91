//! Lines cut into pieces: words, signs, texts, and the comment at the end.

use std::mem;

use crate::syntax::reader::Mark;
use crate::syntax::tokens::{Token, TokenKind, tokenize};

/// A line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Where it begins.
    pub(super) place: usize,
    /// How far it is indented; a tab counts as four columns.
    pub(super) indent: usize,
    /// Its pieces, the comment aside.
    pub(super) pieces: Vec<Piece<'a>>,
    /// The comment with its `#`.
    pub(super) comment: Option<&'a str>,
}

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// What kind of token it is.
    pub(super) kind: TokenKind,
    /// What it says.
    pub(super) text: &'a str,
    /// Whether a space stands before it.
    pub(super) apart: bool,
    /// Its place in the file.
    pub(super) place: usize,
    /// What it means, where the text alone does not say so.
    pub(super) mark: Option<Mark>,
}

impl Piece<'_> {
    /// Whether it is a word or a number.
    pub(super) fn is_word(&self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Number)
    }

    /// Whether it is a brace, but not one of a set.
    pub(super) fn is_block(&self) -> bool {
        matches!(self.text, "{" | "}") && self.mark != Some(Mark::Set)
    }
}

/// How many columns a tab takes.
const TAB: usize = 4;

/// Cuts a file into lines.
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
