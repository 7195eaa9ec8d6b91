//! Signature help for calls of rules, groups of moves and built-in functions.

use std::ops::Range;

use crate::check::{Description, Symbol};
use crate::editor::{Document, find_word};
use crate::syntax::{MAX_NESTING, Token, TokenKind, tokenize};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallInProgress {
    /// The forms that it may have.
    pub(crate) forms: Vec<Signature>,
    /// The argument that is being written, from 0.
    pub(crate) argument: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// How it is declared: `rule worth(of: Tree) -> number`.
    pub(crate) label: String,
    /// Where its parameters stand in the label.
    pub(crate) parameters: Vec<Range<usize>>,
    pub(crate) notes: Vec<String>,
}

impl Document {
    /// The innermost call around an offset whose parameters are known.
    pub fn call(&self, offset: usize) -> Option<CallInProgress> {
        let before = self.source.text.get(..offset)?;
        let scan = tokenize(before);
        if scan.in_text {
            return None;
        }
        let calls = scan.open.iter().rev().filter(|bracket| bracket.letter == '(');
        calls.take(MAX_NESTING).find_map(|bracket| {
            let opens = scan.all.partition_point(|it| it.start < bracket.at);
            let name = scan.all.get(opens.checked_sub(1)?)?;
            let forms = self.forms(name.text);
            let inside = scan.all[opens + 1..].iter();
            (!forms.is_empty()).then(|| CallInProgress { forms, argument: commas(inside).len() })
        })
    }

    fn forms(&self, name: &str) -> Vec<Signature> {
        let called = |symbol: &Symbol| matches!(symbol, Symbol::Rule(_) | Symbol::Moves(_));
        let mut found = self.symbols().into_iter().filter(called).map(|it| self.index.describe(it));
        if let Some(Description { code, more, notes, .. }) = found.find(|it| it.name == name) {
            return vec![signature(code, [more, notes].concat())];
        }
        let Some(word) = find_word(name) else { return Vec::new() };
        // The forms stand in backticks, and what they do after them.
        let (forms, does) = word.help.rsplit_once("`: ").unwrap_or((word.help, ""));
        let forms = forms
            .split('`')
            .filter(|form| form.strip_prefix(name).is_some_and(|behind| behind.starts_with('(')));
        forms.map(|form| signature(form.to_owned(), vec![does.to_owned()])).collect()
    }
}

fn signature(label: String, notes: Vec<String>) -> Signature {
    let scan = tokenize(&label);
    let mut parameters = Vec::new();
    if let Some((open, close)) = scan.pairs.iter().min().copied() {
        let inside = scan.all.iter().filter(|it| open < it.start && it.end() <= close);
        let mut start = open + 1;
        for end in commas(inside).into_iter().chain([close]) {
            let part = &label[start..end];
            parameters.push(start + part.len() - part.trim_start().len()..end);
            start = end + 1;
        }
    }
    parameters.retain(|part| !part.is_empty());
    Signature { label, parameters, notes }
}

/// The commas that stand in no bracket among these pieces.
fn commas<'p>(pieces: impl Iterator<Item = &'p Token<'p>>) -> Vec<usize> {
    let (mut depth, mut found) = (0_usize, Vec::new());
    for piece in pieces {
        match piece.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Comma if depth == 0 => found.push(piece.start),
            _ => {}
        }
    }
    found
}
