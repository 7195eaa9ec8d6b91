//! The built-in functions, by name.

use crate::syntax::ast::FoldWord;

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

/// Functions that are there when a file has a board.
pub(crate) const BOARD_FUNCTIONS: [&str; 3] = ["neighbours", "step", "ray"];

/// Functions that are there when a board has edges or corners.
pub(crate) const JOINT_FUNCTIONS: [&str; 5] = ["edges", "corners", "ends", "sides", "edge"];

/// True for a word that a parenthesis follows: a function or a fold.
pub(crate) fn is_function(word: &str) -> bool {
    FoldWord::from_word(word).is_some()
        || FUNCTIONS.iter().any(|(name, ..)| *name == word)
        || BOARD_FUNCTIONS.contains(&word)
        || JOINT_FUNCTIONS.contains(&word)
}
