//! Mistakes about types.

use miette::Diagnostic;
use thiserror::Error;

use crate::diagnostic::{Fix, Fixable, Help};
use crate::source::Span;

/// Something that does not fit where it stands.
#[derive(Debug, Error, Diagnostic)]
pub enum TypeError {
    /// One type is needed, another is there.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code(check::type_mismatch))]
    Mismatch {
        /// What is needed.
        expected: String,
        /// What is there.
        found: String,
        /// What to do.
        #[help]
        help: Help,
        /// Its place.
        #[label("this is {found}")]
        span: Span,
    },
    /// A maybe stands where a value is needed.
    #[error("expected {expected}, but this may be `none`")]
    #[diagnostic(code(check::may_be_none))]
    MayBeNone {
        /// What is needed.
        expected: String,
        /// What to do.
        #[help]
        help: String,
        /// Its place.
        #[label("perhaps `none`")]
        span: Span,
    },
    /// Two values that can never be compared.
    #[error("{left} and {right} cannot be compared")]
    #[diagnostic(code(check::not_comparable))]
    NotComparable {
        /// What to do.
        #[help]
        help: Help,
        /// The left type.
        left: String,
        /// The right type.
        right: String,
        /// The comparison.
        #[label("compared here")]
        span: Span,
    },
    /// Something is gone over that has no members.
    #[error("expected a set, found {found}")]
    #[diagnostic(
        code(check::not_a_set),
        help(
            "a set is a kind, `{{a, b}}`, `{{x in S where …}}`, a range `1..6`, or a variable that holds one"
        )
    )]
    NotASet {
        /// What is there.
        found: String,
        /// Its place.
        #[label("this is {found}")]
        span: Span,
    },
    /// Square brackets behind something that has no elements.
    #[error("{found} has no elements to pick with `[ ]`")]
    #[diagnostic(
        code(check::not_indexable),
        help("only tables and variables that are declared with `[…]` take an index")
    )]
    NotIndexable {
        /// What is there.
        found: String,
        /// Its place.
        #[label("not an array")]
        span: Span,
    },
    /// Too few or too many indices.
    #[error("`{name}` takes {expected}, found {found}")]
    #[diagnostic(code(check::wrong_index_count))]
    WrongIndexCount {
        /// The table or variable.
        name: String,
        /// How many it takes.
        expected: String,
        /// How many there are.
        found: usize,
        /// How it is written.
        #[help]
        help: Help,
        /// Its place.
        #[label("indices of `{name}`")]
        span: Span,
    },
    /// Too few or too many arguments.
    #[error("`{name}` takes {expected}, found {found}")]
    #[diagnostic(code(check::wrong_argument_count), help("it is declared as `{head}`"))]
    WrongArgumentCount {
        /// The rule.
        name: String,
        /// How many it takes.
        expected: String,
        /// How many there are.
        found: usize,
        /// Its head.
        head: String,
        /// The call.
        #[label("called here")]
        span: Span,
        /// The declaration.
        #[label("declared here")]
        declared: Option<Span>,
    },
    /// A type that cannot be guessed.
    #[error("the type of {what} cannot be told from `{value}` alone")]
    #[diagnostic(code(check::needs_type))]
    NeedsType {
        /// What has no type.
        what: String,
        /// What was read.
        value: String,
        /// What to do.
        #[help]
        help: String,
        /// Its place.
        #[label("of what?")]
        span: Span,
    },
    /// A type that is not finite where members are counted.
    #[error("expected a kind or a range with both ends, found {found}")]
    #[diagnostic(code(check::not_finite))]
    NotFinite {
        /// What to do.
        #[help]
        help: &'static str,
        /// What is there.
        found: String,
        /// Its place.
        #[label("not a finite type")]
        span: Span,
    },
    /// A maybe or set of something that has none.
    #[error("there is no `{word}` of {found}")]
    #[diagnostic(
        code(check::nested_type),
        help("`maybe` stands before a number, yes/no, text, a kind or a range")
    )]
    Nested {
        /// `maybe` or `set`.
        word: String,
        /// Of what.
        found: String,
        /// Its place.
        #[label("not here")]
        span: Span,
    },
    /// Something that never changes is changed.
    #[error("{what} cannot be changed")]
    #[diagnostic(code(check::not_assignable))]
    NotAssignable {
        /// What it is.
        what: String,
        /// What to do.
        #[help]
        help: String,
        /// Its place.
        #[label("not a place for a new value")]
        span: Span,
    },
    /// Something is rolled that is no die.
    #[error("{found} is not a die")]
    #[diagnostic(
        code(check::not_a_die),
        help("roll what is declared with `die` or `dice`; `random 1..6` draws a number")
    )]
    NotADie {
        /// What is there.
        found: String,
        /// Its place.
        #[label("no die")]
        span: Span,
    },
    /// Something is gained, lost or paid that is no coin.
    #[error("`{name}` is not a coin")]
    #[diagnostic(
        code(check::not_a_coin),
        help(
            "declare it with `coin {name}: 0.. = 0` under `each player has`, or use `+=` and `-=`"
        )
    )]
    NotACoin {
        /// The variable.
        name: String,
        /// Its place.
        #[label("no coin")]
        span: Span,
    },
    /// A division that does not say how it rounds.
    #[error("a division must say how it rounds")]
    #[diagnostic(code(check::division_rounds), help("write `ceil(a / b)` or `floor(a / b)`"))]
    DivisionRounds {
        /// The division.
        #[label("rounds up or down?")]
        span: Span,
    },
    /// What goes over a set, without a name for its members.
    #[error("`{word}` goes over the members of a set, and needs a name for them")]
    #[diagnostic(code(check::fold_form), help("write `{form}`"))]
    FoldForm {
        /// The word.
        word: String,
        /// How it is written.
        form: String,
        /// The call.
        #[label("no name for a member")]
        span: Span,
    },
    /// What goes over a set, without what it asks of each member.
    #[error("`{word}` does not say what it asks of each member")]
    #[diagnostic(code(check::fold_form), help("{asked}: `{form}`"))]
    FoldWithoutBody {
        /// The word.
        word: String,
        /// What stands where.
        asked: &'static str,
        /// How it is written.
        form: String,
        /// All of it.
        #[label("nothing is asked here")]
        span: Span,
    },
    /// Something stands inside `ceil` or `floor` that is no division.
    #[error("`{word}` needs a division")]
    #[diagnostic(
        code(check::needs_division),
        help("write `{word}(a / b)`; all other numbers are whole already")
    )]
    NeedsDivision {
        /// `ceil` or `floor`.
        word: String,
        /// Its argument.
        #[label("not a division")]
        span: Span,
    },
    /// Subsets stand where nothing goes over them one by one.
    #[error("subsets can only be gone over: {problem}")]
    #[diagnostic(code(check::subsets))]
    Subsets {
        /// What they cannot be here.
        problem: &'static str,
        /// What to do.
        #[help]
        help: &'static str,
        /// Its place.
        #[label("many sets, not one")]
        span: Span,
    },
    /// The order of `from` gets lost.
    #[error("`from` gives an order, and here nothing goes over it")]
    #[diagnostic(
        code(check::order_lost),
        help("use `S from x` behind `in`: `for p in Player from me {{ … }}`")
    )]
    OrderLost {
        /// The set.
        #[label("the order would be lost")]
        span: Span,
    },
    /// A `match` that leaves something out.
    #[error("the `match` does not say what happens for {missing}")]
    #[diagnostic(code(check::not_exhaustive), help("add a case for it, or `else: …` at the end"))]
    NotExhaustive {
        /// What is left out.
        missing: String,
        /// The `match`.
        #[label("not all cases are here")]
        span: Span,
    },
    /// A case that was there before.
    #[error("{pattern} has a case already")]
    #[diagnostic(code(check::duplicate_pattern), help("take out one of the two"))]
    DuplicatePattern {
        /// What it is for.
        pattern: String,
        /// The later one.
        #[label("never reached")]
        span: Span,
        /// The earlier one.
        #[label("first case")]
        earlier: Span,
    },
    /// A pattern whose value is not known before play.
    #[error("a case of a `match` needs a constant: a number, `yes`, `no`, `none` or a member")]
    #[diagnostic(code(check::pattern_not_constant), help("compare with `==` in an `if` instead"))]
    PatternNotConstant {
        /// The pattern.
        #[label("not a constant")]
        span: Span,
    },
    /// A range of a pattern that holds nothing.
    #[error("the range ends before it begins")]
    #[diagnostic(code(check::empty_range), help("write the lower end first"))]
    EmptyRange {
        /// The range.
        #[label("holds nothing")]
        span: Span,
    },
}

impl Fixable for TypeError {
    fn fix(&self) -> Option<Fix> {
        match self {
            Self::Mismatch { help, span, .. }
            | Self::NotComparable { help, span, .. }
            | Self::WrongIndexCount { help, span, .. } => help.fix(*span),
            Self::FoldForm { form, span, .. } | Self::FoldWithoutBody { form, span, .. } => {
                Help::form("", form).fix(*span)
            }
            _ => None,
        }
    }
}
