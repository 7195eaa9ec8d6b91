//! Mistakes in the form of a script, found before anything is played.

use miette::Diagnostic;
use thiserror::Error;

use crate::diagnostic::{Fix, Fixable, Help};
use crate::source::Span;

/// A line that is not one of the forms of a script, or stands where it cannot.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum ScriptError {
    /// More lines than a game has.
    #[error("the script has more than {limit} lines")]
    #[diagnostic(code(script::too_long), help("split it into several scripts"))]
    TooLong {
        /// How many it may have.
        limit: usize,
        /// The first line that is too many.
        #[label("one line too many")]
        span: Span,
    },
    /// The line has no known form.
    #[error("`{line}` is not a line of a script")]
    #[diagnostic(code(script::unknown_line))]
    UnknownLine {
        /// The line.
        line: String,
        /// What to do.
        #[help]
        help: Help,
        /// The line's place.
        #[label("not understood")]
        span: Span,
    },
    /// Something is missing behind the word or sign that the line begins with.
    #[error("`{sign}` needs {expected}, found {found}")]
    #[diagnostic(code(script::incomplete_line), help("write it like `{example}`"))]
    Incomplete {
        /// The word or sign.
        sign: &'static str,
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: String,
        /// A line that is right.
        example: &'static str,
        /// The place of what is there.
        #[label("here")]
        span: Span,
    },
    /// A header line stands below one that it must precede.
    #[error("`{line}` stands below `{before}`")]
    #[diagnostic(
        code(script::header_order),
        help("the header is `game`, `players`, `option`, `seed`, in this order")
    )]
    HeaderOrder {
        /// The line that stands too low.
        line: &'static str,
        /// The line above it.
        before: &'static str,
        /// The place of the line that stands too low.
        #[label("belongs further up")]
        span: Span,
    },
    /// A header line stands below a step.
    #[error("`{line}` stands below the first step")]
    #[diagnostic(code(script::late_header), help("move it to the top, above every other step"))]
    LateHeader {
        /// The line.
        line: &'static str,
        /// Its place.
        #[label("belongs to the header")]
        span: Span,
    },
    /// A header line stands twice.
    #[error("there are two `{line}` lines")]
    #[diagnostic(code(script::two_headers), help("keep one of them"))]
    TwoHeaders {
        /// The word it begins with.
        line: &'static str,
        /// The first one.
        #[label("the first one")]
        first: Span,
        /// The second one.
        #[label(primary, "the second one")]
        span: Span,
    },
    /// Two players have one name, or an option is set twice.
    #[error("`{name}` stands twice")]
    #[diagnostic(code(script::same_name), help("{help}"))]
    SameName {
        /// The name.
        name: String,
        /// What to do.
        help: &'static str,
        /// The second place.
        #[label("again here")]
        span: Span,
    },
    /// A name of a player that lines could not be told apart by.
    #[error("`{name}` cannot be the name of a player")]
    #[diagnostic(
        code(script::bad_name),
        help("a name has no `>`, `:`, `#` and comma, and is not the beginning of another line")
    )]
    BadName {
        /// The name.
        name: String,
        /// Its place.
        #[label("this name")]
        span: Span,
    },
    /// No line says what is played.
    #[error("the script does not say which game is played")]
    #[diagnostic(
        code(script::no_game),
        help("begin with `game NAME` or `game PATH`; a path is relative to the script")
    )]
    NoGame {
        /// The beginning of the script.
        #[label("expected `game` before this")]
        span: Span,
    },
    /// Output stands below a line that says nothing.
    #[error("nothing is said by the line above this output")]
    #[diagnostic(
        code(script::stray_output),
        help(
            "output stands below a decision, `do`, `moves` or the header; take the two spaces away or remove the line"
        )
    )]
    StrayOutput {
        /// The output line.
        #[label("output of nothing")]
        span: Span,
    },
    /// A line begins with a tab or with one space.
    #[error("the line begins with white space that is not two spaces")]
    #[diagnostic(
        code(script::indentation),
        help("output begins with two spaces, every other line with none")
    )]
    Indentation {
        /// The white space.
        #[label("this white space")]
        span: Span,
    },
    /// A step stands below the result.
    #[error("{line} stands below the result")]
    #[diagnostic(
        code(script::after_result),
        help("below `= …` only `?` and comments may follow; move the result to the end")
    )]
    AfterResult {
        /// What the line is.
        line: String,
        /// Its place.
        #[label("after the end")]
        span: Span,
    },
}

impl Fixable for ScriptError {
    fn fix(&self) -> Option<Fix> {
        match self {
            Self::UnknownLine { help, span, .. } => help.fix(*span),
            _ => None,
        }
    }
}
