//! Mistakes about what players may see.

use miette::{Diagnostic, LabeledSpan};
use thiserror::Error;

use crate::source::Span;

/// Something that tells players what they may not see, or that cannot be seen in the way it says.
#[derive(Debug, Error, Diagnostic)]
pub enum SecretError {
    /// A variable of the table that its owner shall see.
    #[error("`{name}` belongs to the table, so it has no owner who could see it")]
    #[diagnostic(
        code(check::no_owner),
        help("write `hidden` if nobody sees it, or give each player one")
    )]
    NoOwner {
        /// The variable.
        name: String,
        /// Its place.
        #[label("nobody owns this")]
        span: Span,
    },
    /// A number without bounds that not all see.
    #[error("`{name}` is not seen by all, so its numbers need a first and a last")]
    #[diagnostic(
        code(check::secret_range),
        help("write them: `{name}: 0..20 = …`; whoever does not see it knows that much")
    )]
    SecretRange {
        /// The variable.
        name: String,
        /// Its place.
        #[label("could be any number")]
        span: Span,
    },
    /// Showing what everybody sees.
    #[error("everybody sees `{name}` anyway")]
    #[diagnostic(
        code(check::nothing_to_show),
        help("take it out, or declare `{name}` as `hidden` or `seen by owner`")
    )]
    NothingToShow {
        /// The variable.
        name: String,
        /// Where it is shown.
        #[label("nothing new to see")]
        span: Span,
        /// The declaration.
        #[label("declared here")]
        declared: Span,
    },
    /// What is asked, or offered, tells what somebody may not see.
    #[error("{what}")]
    #[diagnostic(code(check::leak))]
    Leak {
        /// What depends on what.
        what: String,
        /// What to do.
        #[help]
        help: String,
        /// The way of the secret, from where it is read to where it shows.
        #[label(collection)]
        path: Vec<LabeledSpan>,
    },
    /// A local that holds a secret while somebody is asked.
    #[error("`{name}` holds what not all may see while somebody is asked")]
    #[diagnostic(
        code(check::secret_kept),
        help(
            "write it into a variable of the state, which is as visible as it is declared, or read \
             it again behind the question"
        )
    )]
    SecretKept {
        /// The local.
        name: String,
        /// The way of the secret, from where it is read to where it is used again.
        #[label(collection)]
        path: Vec<LabeledSpan>,
    },
}

impl SecretError {
    /// Where the secret is read that leads to this: the begin of its way.
    pub(in crate::check) fn origin(&self) -> Option<usize> {
        match self {
            SecretError::Leak { path, .. } | SecretError::SecretKept { path, .. } => {
                path.get(1).map(LabeledSpan::offset)
            }
            _ => None,
        }
    }
}
