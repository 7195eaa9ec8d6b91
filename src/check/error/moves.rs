//! Mistakes about groups of moves.

use miette::Diagnostic;
use thiserror::Error;

use crate::diagnostic::{Fix, Fixable, Help};
use crate::source::Span;

/// A group of moves that cannot be included, or does what a group cannot do.
#[derive(Debug, Error, Diagnostic)]
pub enum MovesError {
    /// Groups that include each other more often than anybody writes.
    #[error("groups of moves are included more than {most} times")]
    #[diagnostic(code(check::too_many_groups), help("include fewer groups in each other"))]
    TooManyGroups {
        /// How often they may be.
        most: usize,
        /// The line that does it once too often.
        #[label("once too often")]
        span: Span,
    },
    /// No group has this name.
    #[error("unknown group of moves `{name}`")]
    #[diagnostic(code(check::unknown_moves))]
    Unknown {
        /// The word.
        name: String,
        /// What to do.
        #[help]
        help: Help,
        /// Its place.
        #[label("no group is called so")]
        span: Span,
    },
    /// A group that includes itself.
    #[error("the moves `{name}` include themselves: {path}")]
    #[diagnostic(
        code(check::moves_circle),
        help("take one of the lines out: a group is included once, as if it stood there")
    )]
    Circle {
        /// The group.
        name: String,
        /// How it comes back.
        path: String,
        /// The line that closes the circle.
        #[label("comes back here")]
        span: Span,
    },
    /// `return` or `break` that would leave the group.
    #[error("`{word}` cannot leave the moves `{name}`")]
    #[diagnostic(
        code(check::leaves_moves),
        help(
            "a group stands in no rule: keep what happened, `the table has {{ done = no }}`, set it in the move, and behind the `choose` write `if done {{ {word} }}`"
        )
    )]
    Leaves {
        /// `return` or `break`.
        word: &'static str,
        /// The group.
        name: String,
        /// Its place.
        #[label("nothing to leave")]
        span: Span,
    },
    /// An order of something that cannot be put in order.
    #[error("{problem}")]
    #[diagnostic(code(check::order_form))]
    Order {
        /// What is wrong.
        problem: &'static str,
        /// What to do.
        #[help]
        help: &'static str,
        /// Its place.
        #[label("not in an order")]
        span: Span,
    },
    /// `return` or `break` in statements that are only supposed.
    #[error("`{word}` cannot leave what is only supposed")]
    #[diagnostic(
        code(check::leaves_suppose),
        help("let the statements change the state, and look at that behind the `:`")
    )]
    LeavesSuppose {
        /// `return` or `break`.
        word: &'static str,
        /// Its place.
        #[label("nothing to leave")]
        span: Span,
    },
    /// Something that cannot be undone stands in what is only supposed.
    #[error("{what}, and cannot be only supposed")]
    #[diagnostic(
        code(check::suppose_pauses),
        help("suppose changes of the state alone: no decision, no chance, no end")
    )]
    SupposePauses {
        /// What it does.
        what: String,
        /// Its place.
        #[label("not to be supposed")]
        span: Span,
    },
    /// A printed form that no line can hold.
    #[error("this move cannot be read back: {why}")]
    #[diagnostic(
        code(check::unreadable_move),
        help(
            "print words that can be seen and typed, or take the text out: then the name is printed"
        )
    )]
    Unreadable {
        /// Why not.
        why: &'static str,
        /// The text.
        #[label("printed like this")]
        span: Span,
    },
    /// Two options that are always offered together and read the same.
    #[error("two moves of this decision read `{words}`")]
    #[diagnostic(
        code(check::same_words),
        help("give one of them another name or text, or say `when` it is legal")
    )]
    SameWords {
        /// What both read.
        words: String,
        /// The first.
        #[label("the first")]
        first: Span,
        /// The second.
        #[label(primary, "the second")]
        span: Span,
    },
    /// A group that nothing includes.
    #[error("nothing includes the moves `{name}`")]
    #[diagnostic(
        code(check::unused_moves),
        severity(Warning),
        help("write `moves {name}(…)` inside a `choose`, or take the group out")
    )]
    Unused {
        /// The group.
        name: String,
        /// Its name.
        #[label("never offered")]
        span: Span,
    },
}

impl Fixable for MovesError {
    fn fix(&self) -> Option<Fix> {
        match self {
            Self::Unknown { help, span, .. } => help.fix(*span),
            _ => None,
        }
    }
}
