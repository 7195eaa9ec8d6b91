//! Mistakes about names.

use miette::Diagnostic;
use thiserror::Error;

use crate::diagnostic::{Fix, Fixable, Help};
use crate::source::Span;

/// A name that means nothing, or too much.
#[derive(Debug, Error, Diagnostic)]
pub enum NameError {
    /// Nothing visible has this name.
    #[error("unknown name `{name}`")]
    #[diagnostic(code(check::unknown_name))]
    UnknownName {
        /// The word.
        name: String,
        /// What to do.
        #[help]
        help: Help,
        /// Its place.
        #[label("nothing here is called so")]
        span: Span,
    },
    /// No kind has this name.
    #[error("unknown kind `{name}`")]
    #[diagnostic(code(check::unknown_kind))]
    UnknownKind {
        /// The word.
        name: String,
        /// What to do.
        #[help]
        help: Help,
        /// Its place.
        #[label("no kind is called so")]
        span: Span,
    },
    /// What stands before the dot has nothing of this name.
    #[error("{owner} has no `{name}`")]
    #[diagnostic(code(check::unknown_field))]
    UnknownField {
        /// What stands before the dot.
        owner: String,
        /// The word behind it.
        name: String,
        /// What to do.
        #[help]
        help: Help,
        /// Its place.
        #[label("not known here")]
        span: Span,
    },
    /// No rule has this name.
    #[error("unknown rule `{name}`")]
    #[diagnostic(code(check::unknown_rule))]
    UnknownRule {
        /// The word.
        name: String,
        /// What to do.
        #[help]
        help: Help,
        /// Its place.
        #[label("no rule is called so")]
        span: Span,
    },
    /// The kind has no such member.
    #[error("`{kind}` has no member `{name}`")]
    #[diagnostic(code(check::unknown_member))]
    UnknownMember {
        /// The kind.
        kind: String,
        /// The word.
        name: String,
        /// What to do.
        #[help]
        help: Help,
        /// Its place.
        #[label("not a member")]
        span: Span,
    },
    /// Two things of one sort have one name.
    #[error("`{name}` is declared twice")]
    #[diagnostic(
        code(check::duplicate),
        help("give one of the two another name, or take one of them out")
    )]
    Duplicate {
        /// The name.
        name: String,
        /// The later declaration.
        #[label("declared again here")]
        span: Span,
        /// The earlier one.
        #[label("first declared here")]
        earlier: Span,
    },
    /// A declaration takes a name that the language has.
    #[error("`{name}` is a word of the language")]
    #[diagnostic(code(check::built_in), help("take another name: every game has `{name}` already"))]
    BuiltIn {
        /// The name.
        name: String,
        /// Its place.
        #[label("declared here")]
        span: Span,
    },
    /// A local has the name of something that is visible.
    #[error("`{name}` already names {what}")]
    #[diagnostic(code(check::shadowed), help("{help}"))]
    Shadowed {
        /// What to do.
        help: String,
        /// The name.
        name: String,
        /// What has it.
        what: String,
        /// The new declaration.
        #[label("a second meaning")]
        span: Span,
        /// The visible one.
        #[label("the first meaning")]
        earlier: Option<Span>,
    },
    /// Several kinds have a member of this name.
    #[error("`{name}` could belong to several kinds")]
    #[diagnostic(code(check::ambiguous_member), help("write which one is meant: {choices}"))]
    AmbiguousMember {
        /// The word.
        name: String,
        /// The full forms.
        choices: String,
        /// Its place.
        #[label("which one?")]
        span: Span,
    },
    /// A kind is written small, or something else is not.
    #[error("the name of {what} begins with a {wanted} letter, found `{name}`")]
    #[diagnostic(code(check::naming), help("write `{better}`"))]
    Naming {
        /// What is declared.
        what: String,
        /// What it is called.
        name: String,
        /// `small` or `capital`.
        wanted: String,
        /// A name that would do.
        better: String,
        /// Its place.
        #[label("this name")]
        span: Span,
    },
    /// A printed argument that no clause binds.
    #[error("nothing gives `{name}` its values in the move `{option}`")]
    #[diagnostic(code(check::unbound_parameter))]
    UnboundParameter {
        /// What to do.
        #[help]
        help: String,
        /// The argument.
        name: String,
        /// The move.
        option: String,
        /// Its place.
        #[label("not bound by a clause")]
        span: Span,
    },
}

impl Fixable for NameError {
    fn fix(&self) -> Option<Fix> {
        match self {
            Self::UnknownName { help, span, .. }
            | Self::UnknownKind { help, span, .. }
            | Self::UnknownField { help, span, .. }
            | Self::UnknownRule { help, span, .. }
            | Self::UnknownMember { help, span, .. } => help.fix(*span),
            Self::Naming { better, span, .. } => Some(Fix { span: *span, text: better.clone() }),
            _ => None,
        }
    }
}
