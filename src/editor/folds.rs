//! Finds what an editor can fold: blocks, declarations and comments of several lines.

use crate::editor::Document;
use crate::syntax::{TokenKind, tokenize};

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
    /// What can be folded, in order.
    pub fn folds(&self) -> Vec<Fold> {
        let text = &self.source.text;
        let scan = tokenize(text);
        let breaks = |start: usize, end: usize| text[start..end].contains('\n');
        let line = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
        let blocks = scan.pairs.iter().filter(|(open, close)| breaks(*open, *close));
        let mut folds: Vec<Fold> = blocks
            .map(|(start, end)| Fold { start: *start, end: *end, comment: false, bracket: true })
            .collect();
        for entry in self.outline() {
            let start = self.local(entry.at.start);
            let end = start + text[start..self.local(entry.span.end).max(start)].trim_end().len();
            // Where a block begins on the first line it is folded.
            if breaks(start, end) && !folds.iter().any(|it| line(it.start) == line(start)) {
                folds.push(Fold { start, end, comment: false, bracket: false });
            }
        }
        let comments = scan.all.iter().filter(|it| it.kind == TokenKind::Comment);
        let mut run: Option<Fold> = None;
        for piece in comments.filter(|it| text[line(it.start)..it.start].trim().is_empty()) {
            match &mut run {
                Some(fold)
                    if text[fold.end..piece.start].trim_matches([' ', '\t', '\r']) == "\n" =>
                {
                    fold.end = piece.end();
                }
                _ => {
                    folds.extend(run.take());
                    run = Some(Fold {
                        start: piece.start,
                        end: piece.end(),
                        comment: true,
                        bracket: false,
                    });
                }
            }
        }
        folds.extend(run);
        folds.retain(|fold| breaks(fold.start, fold.end));
        folds.sort_unstable();
        folds
    }
}
