//! Built-in words, and lists of names in messages.

use crate::source::Span;
use crate::syntax::ast;

/// `a`, which needs `b`, which needs `c`
pub(crate) fn quote_path<T: AsRef<str>>(words: &[T], verb: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    quoted.join(&format!(", which {verb} ")).replacen(", which", "", 1)
}

pub(crate) fn quote_list<T: AsRef<str>>(words: &[T]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    quoted.join(", ")
}

/// A call as it is written: of a rule, a function or a product.
#[derive(Clone, Copy)]
pub(crate) struct WrittenCall<'e> {
    pub(crate) name: &'e ast::Name,
    pub(crate) args: &'e [ast::Expr],
    pub(crate) span: Span,
}

/// The word with which a rule of a variant calls the one that it replaces.
pub(crate) const BASE: &str = "base";

/// What to do about a draw or a change that is part of a larger expression.
pub(crate) const STAND_ALONE: &str = "keep it first: `let x = …`, then use `x`";

pub(crate) fn to_spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// The first word of the `game` block.
pub(crate) fn game_word(span: Span) -> Span {
    Span { start: span.start, end: span.end.min(span.start + 4) }
}
