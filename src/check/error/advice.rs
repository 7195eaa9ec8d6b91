//! What is right and still looks like a mistake.

use miette::Diagnostic;
use thiserror::Error;

use crate::source::Span;

/// Something that plays, and that nobody would write on purpose.
#[derive(Debug, Error, Diagnostic)]
pub enum Advice {
    /// A name that nothing uses.
    #[error("nothing uses {what} `{name}`")]
    #[diagnostic(code(check::unused_name), severity(Warning), help("use it, or take it out"))]
    UnusedName {
        /// What it is: `the variable`, `the table`.
        what: &'static str,
        /// The name.
        name: String,
        /// Where it is declared.
        #[label("declared, and not used")]
        span: Span,
    },
    /// A column that nothing reads.
    #[error("nothing reads the column `{name}` of `{kind}`")]
    #[diagnostic(
        code(check::unread_column),
        severity(Warning),
        help(
            "read it with `x.{name}`, or take it out; words for people stand in a column `title` or \
             `text`"
        )
    )]
    UnreadColumn {
        /// The column.
        name: String,
        /// The kind.
        kind: String,
        /// Its heading.
        #[label("drawn, and not read")]
        span: Span,
    },
    /// A rule that nothing calls but itself.
    #[error("nothing calls the rule `{name}`")]
    #[diagnostic(
        code(check::uncalled_rule),
        severity(Warning),
        help("call it where it belongs, or take it out")
    )]
    UncalledRule {
        /// The rule.
        name: String,
        /// Where it is declared.
        #[label("never runs")]
        span: Span,
    },
    /// An option that nothing reads.
    #[error("the option `{name}` changes nothing")]
    #[diagnostic(code(check::idle_option), severity(Warning))]
    IdleOption {
        /// What to do.
        #[help]
        help: String,
        /// The option.
        name: String,
        /// Where it is declared.
        #[label("nothing reads it")]
        span: Span,
    },
    /// A set in which equal rewards become one, where each was to count.
    #[error("equal values are one in a set, so {what}")]
    #[diagnostic(code(check::swallowed), severity(Warning), help("{help}"))]
    Swallowed {
        /// What happens only once for them.
        what: &'static str,
        /// What to write instead.
        help: &'static str,
        /// The set.
        #[label("two equal ones are one here")]
        span: Span,
    },
}
