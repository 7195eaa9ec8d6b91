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

/// The built-in functions: name, head, number of arguments.
pub(crate) const FUNCTIONS: [(&str, &str, usize); 10] = [
    ("next", "next(p: Player) -> Player", 1),
    ("previous", "previous(p: Player) -> Player", 1),
    ("others", "others(p: Player) -> set of Player", 1),
    ("abs", "abs(n: number) -> number", 1),
    ("min", "min(a: number, b: number) -> number", 2),
    ("max", "max(a: number, b: number) -> number", 2),
    ("ceil", "ceil(a / b) -> number", 1),
    ("floor", "floor(a / b) -> number", 1),
    ("count", "count(A: set) -> number", 1),
    ("only", "only(A: set) -> its only member", 1),
];

/// The word with which a rule of a variant calls the one that it replaces.
pub(crate) const BASE: &str = "base";

/// Functions that are there when a file has a board.
pub(crate) const BOARD_FUNCTIONS: [&str; 3] = ["neighbours", "step", "ray"];

/// Functions that are there when a board has edges or corners.
pub(crate) const JOINT_FUNCTIONS: [&str; 5] = ["edges", "corners", "ends", "sides", "edge"];

/// What to do about a draw or a change that is part of a larger expression.
pub(crate) const STAND_ALONE: &str = "keep it first: `let x = …`, then use `x`";

pub(crate) fn to_spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// The first word of the `game` block.
pub(crate) fn game_word(span: Span) -> Span {
    Span { start: span.start, end: span.end.min(span.start + 4) }
}
