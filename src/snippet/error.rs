//! What is wrong with a piece beyond what the checker finds.

use miette::Diagnostic;
use thiserror::Error;

use crate::source::Span;

/// A mistake in something typed against a state.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum SnippetError {
    /// A value that is not yes or no where something must hold.
    #[error("this is neither yes nor no")]
    #[diagnostic(
        code(snippet::not_a_condition),
        help("compare it with something, as in `count(Ann.hand) == 3`")
    )]
    NotACondition {
        /// Where.
        #[label("a condition is expected here")]
        span: Span,
    },
    /// A die that shows what it cannot show.
    #[error("`{die}` has no face {face}")]
    #[diagnostic(code(snippet::no_face), help("its faces are {faces}"))]
    NoFace {
        /// The die.
        die: String,
        /// What it would show.
        face: String,
        /// What it can show.
        faces: String,
        /// Where.
        #[label("no roll ends so")]
        span: Span,
    },
    /// A statement that does more than change the state.
    #[error("this does more than change the state")]
    #[diagnostic(
        code(snippet::not_only_a_change),
        help("`set` only changes variables; to run a rule that asks, draws or finishes, use `do`")
    )]
    NotOnlyAChange {
        /// Where.
        #[label("it asks, draws or ends the game")]
        span: Span,
    },
}
