//! Mistakes about boards and the ways between their cells.

use miette::Diagnostic;
use thiserror::Error;

use crate::source::Span;

/// A board that cannot be, or a way that it does not have.
#[derive(Debug, Error, Diagnostic)]
pub enum BoardError {
    /// A size that cannot be.
    #[error("{problem}")]
    #[diagnostic(code(check::board_size))]
    Size {
        /// What is wrong.
        problem: String,
        /// What to do.
        #[help]
        help: String,
        /// The size.
        #[label("here")]
        span: Span,
    },
    /// A drawing with too few or too many rows or cells.
    #[error("the drawing of `{name}` has {found}, and the board has {expected}")]
    #[diagnostic(
        code(check::board_drawing),
        help(
            "draw every cell where it lies: as many rows and as many cells in each as the board has"
        )
    )]
    Drawing {
        /// The column that is drawn.
        name: String,
        /// What the board has.
        expected: String,
        /// What the drawing has.
        found: String,
        /// The drawing, or the row.
        #[label("{found}")]
        span: Span,
    },
    /// A place of a map that is linked to itself.
    #[error("`{name}` is linked to itself")]
    #[diagnostic(code(check::self_link), help("a link leads from one place to another"))]
    SelfLink {
        /// The place.
        name: String,
        /// Its second mention.
        #[label("again")]
        span: Span,
    },
    /// A direction that a board does not have.
    #[error("{board} has no {direction}")]
    #[diagnostic(code(check::no_direction))]
    NoDirection {
        /// The board.
        board: String,
        /// What it does not have.
        direction: String,
        /// What to do.
        #[help]
        help: String,
        /// The direction.
        #[label("not on this board")]
        span: Span,
    },
    /// Something that is not a cell, where one is needed.
    #[error("expected a cell of a board, found {found}")]
    #[diagnostic(code(check::not_a_cell))]
    NotACell {
        /// What is there.
        found: String,
        /// What to do.
        #[help]
        help: String,
        /// The expression.
        #[label("this is {found}")]
        span: Span,
    },
    /// Lines that a board does not have.
    #[error("{problem}")]
    #[diagnostic(code(check::no_lines))]
    NoLines {
        /// What is wrong.
        problem: String,
        /// What to do.
        #[help]
        help: String,
        /// The place.
        #[label("here")]
        span: Span,
    },
}
