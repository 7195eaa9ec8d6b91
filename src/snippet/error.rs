//! What is wrong with a piece beyond what the checker finds.

use crate::diagnostic::diagnostics;
use crate::source::Span;

diagnostics! {
    /// A mistake in something typed against a state.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SnippetError;

    snippet::not_a_condition => NotACondition { span: Span },
        "this is neither yes nor no", span: "a condition is expected here",
        help: "compare it with something, as in `count(Ann.hand) == 3`";
    snippet::no_face => NoFace { die: String, face: String, faces: String, span: Span },
        "`{die}` has no face {face}", span: "no roll ends so", help: "its faces are {faces}";
    snippet::not_only_a_change => NotOnlyAChange { span: Span },
        "this does more than change the state", span: "it asks, draws or ends the game",
        help: "`set` only changes variables; to run a rule that asks, draws or finishes, use `do`";
}
