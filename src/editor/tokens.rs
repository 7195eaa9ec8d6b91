//! Semantic tokens and folding ranges.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::check::Symbol;
use crate::editor::{Document, Sort, word};
use crate::source::Span;
use crate::syntax::{TokenKind, tokenize};

/// A word, number, text or comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub span: Span,
    pub sort: Sort,
    /// Whether it is a name where it is declared.
    pub declared: bool,
}

/// A part of a file that can be folded, by its first and last offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fold {
    /// Where it begins: what else stands on this line stays.
    pub start: usize,
    /// Where it ends; a bracket there stays.
    pub end: usize,
    /// Whether it is made of comments and notes.
    pub comment: bool,
    /// Whether a bracket ends it.
    pub bracket: bool,
}

impl Document {
    /// The tokens that begin in a part of the text, in order.
    pub fn tokens(&self, within: Range<usize>) -> Vec<Token> {
        let text = &self.source.text;
        // What all names mean, and whether they are declared there.
        let uses = self.index.uses.iter().map(|it| (it.span, (it.means, false)));
        let locals = self.index.locals.keys().map(|span| (*span, (Symbol::Local(*span), true)));
        let declared = self.declared().into_iter().map(|(span, symbol)| (span, (symbol, true)));
        let names: BTreeMap<Span, (Symbol, bool)> = uses.chain(locals).chain(declared).collect();
        let pieces = tokenize(text).all.into_iter().filter(|it| within.contains(&it.start));
        let tokens = pieces.filter_map(|piece| {
            let span = Span::new(self.source.base + piece.start, self.source.base + piece.end());
            let meaning = names.get(&span).filter(|_| piece.kind == TokenKind::Word);
            let sort = match piece.kind {
                TokenKind::Comment => Sort::Comment,
                TokenKind::Text => Sort::Text,
                TokenKind::Number => Sort::Number,
                TokenKind::Word => match meaning {
                    Some((symbol, _)) => (*symbol).into(),
                    None => word(piece.text).map(|_| Sort::Word)?,
                },
                _ => return None,
            };
            let declared = meaning.is_some_and(|(_, declared)| *declared);
            Some(Token { span, sort, declared })
        });
        tokens.collect()
    }

    /// What can be folded, in order: blocks, declarations and comments of several lines.
    pub fn folds(&self) -> Vec<Fold> {
        let text = &self.source.text;
        let scan = tokenize(text);
        let breaks = |start: usize, end: usize| text[start..end].contains('\n');
        let line = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
        let block = |(start, end)| Fold { start, end, comment: false, bracket: true };
        let mut folds: Vec<Fold> = scan.pairs.iter().copied().map(block).collect();
        folds.retain(|fold| breaks(fold.start, fold.end));
        for entry in self.outline() {
            let start = self.local(entry.at.start);
            let end = start + text[start..self.local(entry.span.end).max(start)].trim_end().len();
            // Where a block begins on the first line it is folded.
            if breaks(start, end) && !folds.iter().any(|it| line(it.start) == line(start)) {
                folds.push(Fold { start, end, comment: false, bracket: false });
            }
        }
        let mut runs: Vec<Fold> = Vec::new();
        let comments = scan.all.iter().filter(|it| it.kind == TokenKind::Comment);
        for piece in comments.filter(|it| text[line(it.start)..it.start].trim().is_empty()) {
            let (start, end) = (piece.start, piece.end());
            let follows =
                |fold: &Fold| text[fold.end..start].trim_matches([' ', '\t', '\r']) == "\n";
            match runs.last_mut() {
                Some(fold) if follows(fold) => fold.end = end,
                _ => runs.push(Fold { start, end, comment: true, bracket: false }),
            }
        }
        folds.extend(runs.into_iter().filter(|fold| breaks(fold.start, fold.end)));
        folds.sort_unstable();
        folds
    }
}
