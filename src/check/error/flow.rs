//! Mistakes about what happens when.

use miette::Diagnostic;
use thiserror::Error;

use crate::source::Span;

/// Something stands where it cannot happen, or a game that cannot go on.
#[derive(Debug, Error, Diagnostic)]
pub enum FlowError {
    /// There is no `game` block.
    #[error("the file has no `game` block")]
    #[diagnostic(code(check::no_game))]
    NoGame {
        /// What to do.
        #[help]
        help: &'static str,
        /// The beginning.
        #[label("before everything else")]
        span: Span,
    },
    /// There is no `play` block.
    #[error("the file has no `play` block")]
    #[diagnostic(code(check::no_play), help("say what happens in the game: `play {{ … }}`"))]
    NoPlay {
        /// The `game` block.
        #[label("this game cannot be played")]
        span: Span,
    },
    /// A block that may stand once stands twice.
    #[error("there are two `{what}`")]
    #[diagnostic(code(check::several), help("make one of the two"))]
    Several {
        /// Which block.
        what: String,
        /// The later one.
        #[label("again here")]
        span: Span,
        /// The earlier one.
        #[label("first here")]
        earlier: Span,
    },
    /// No rule that `play` reaches ends the game.
    #[error("no `finish` can be reached from `play`")]
    #[diagnostic(
        code(check::never_finishes),
        help("end the game somewhere: `finish win me`, `finish draw` or `finish ranking p by …`")
    )]
    NeverFinishes {
        /// `play`.
        #[label("this never ends")]
        span: Span,
    },
    /// The body of `limit` does not end the game.
    #[error("the `limit` does not end the game")]
    #[diagnostic(
        code(check::limit_goes_on),
        help("write how it ends: `limit 1000 decisions {{ finish draw }}`")
    )]
    LimitGoesOn {
        /// The clause.
        #[label("goes on")]
        span: Span,
    },
    /// Something that changes stands in a constant expression.
    #[error("{what} is not known before play")]
    #[diagnostic(
        code(check::not_constant),
        help(
            "here only numbers, members, options, constants, tables, columns and `players` may stand"
        )
    )]
    NotConstant {
        /// What it is.
        what: String,
        /// Its place.
        #[label("not a constant")]
        span: Span,
    },
    /// Constants that need each other.
    #[error("`{name}` is defined by itself: {path}")]
    #[diagnostic(code(check::constant_cycle), help("give one of them a value of its own"))]
    ConstantCycle {
        /// Where it was noticed.
        name: String,
        /// How it comes back.
        path: String,
        /// The reading.
        #[label("comes back here")]
        span: Span,
        /// The declaration.
        #[label("declared here")]
        declared: Span,
    },
    /// Rules whose types need each other.
    #[error("the type of `{name}` depends on itself")]
    #[diagnostic(
        code(check::rule_type_cycle),
        help("write its type: `rule {name}(…) -> TYPE = …`")
    )]
    RuleTypeCycle {
        /// The rule.
        name: String,
        /// The call.
        #[label("called here before its type is known")]
        span: Span,
        /// The declaration.
        #[label("its type is not written")]
        declared: Span,
    },
    /// A chain of names that is too long to follow.
    #[error("what `{name}` is hangs on too many other names")]
    #[diagnostic(
        code(check::long_chain),
        help("declare it behind those that it needs, or write its type")
    )]
    LongChain {
        /// The name.
        name: String,
        /// The declaration.
        #[label("needs too many others")]
        span: Span,
    },
    /// Something that may pause stands inside something larger.
    #[error("{what} must stand alone")]
    #[diagnostic(code(check::must_stand_alone), help("keep it first: `let x = …`, then use `x`"))]
    MustStandAlone {
        /// What it is, and why.
        what: String,
        /// Its place.
        #[label("part of something larger")]
        span: Span,
    },
    /// A condition that does something.
    #[error("{place} must not do anything, but {what}")]
    #[diagnostic(
        code(check::condition_not_pure),
        help("do it before, keep the outcome with `let`, and use that")
    )]
    ConditionNotPure {
        /// Where it stands.
        place: String,
        /// What it does.
        what: String,
        /// Its place.
        #[label("does something")]
        span: Span,
    },
    /// `break` where there is nothing to leave.
    #[error("`break` stands outside of every loop")]
    #[diagnostic(
        code(check::break_outside_loop),
        help("use it inside `for`, `while`, `repeat` or `turns`; `return` leaves a rule")
    )]
    BreakOutsideLoop {
        /// Its place.
        #[label("nothing to leave")]
        span: Span,
    },
    /// `turn` where no turns are counted.
    #[error("`turn` is read where no turn has begun")]
    #[diagnostic(code(check::no_turn))]
    NoTurn {
        /// What to do.
        #[help]
        help: &'static str,
        /// Its place.
        #[label("there is no turn here")]
        span: Span,
    },
    /// A value is returned where none is, or the other way round.
    #[error("{problem}")]
    #[diagnostic(code(check::return_misfit))]
    ReturnMisfit {
        /// What is wrong.
        problem: String,
        /// What to do.
        #[help]
        help: String,
        /// Its place.
        #[label("here")]
        span: Span,
    },
    /// A rule that may come to its end without its value.
    #[error("`{name}` may end without returning {expected}")]
    #[diagnostic(code(check::missing_return), help("return a value on every path"))]
    MissingReturn {
        /// The rule.
        name: String,
        /// What it promises.
        expected: String,
        /// Its name.
        #[label("promises a value")]
        span: Span,
    },
    /// A statement that never runs.
    #[error("this never runs")]
    #[diagnostic(
        code(check::unreachable),
        severity(Warning),
        help("take it out, or let what stands before it go on")
    )]
    Unreachable {
        /// Its place.
        #[label("never reached")]
        span: Span,
    },
    /// A loop over one member that chance picks.
    #[error("this goes over one member only: the one that chance picks")]
    #[diagnostic(
        code(check::one_member),
        severity(Warning),
        help(
            "keep it with `let one = …`; for all in an order by chance, draw one after the other: \
             `while left != {{}} {{ let one = random left; left -= one }}`"
        )
    )]
    OneMember {
        /// What it goes over.
        #[label("one member, not a set")]
        span: Span,
    },
    /// A call that does nothing.
    #[error("calling `{name}` alone does nothing")]
    #[diagnostic(
        code(check::pure_call),
        help("use its value: `let x = {name}(…)`, or take the call out")
    )]
    PureCall {
        /// The rule.
        name: String,
        /// The call.
        #[label("only computes a value")]
        span: Span,
    },
    /// An expression that stands as a statement.
    #[error("a value alone does nothing")]
    #[diagnostic(code(check::value_alone))]
    ValueAlone {
        /// What to do.
        #[help]
        help: &'static str,
        /// Its place.
        #[label("nobody uses this")]
        span: Span,
    },
    /// A printed argument of a type that cannot be typed.
    #[error("`{name}` is {found}, and a move cannot be told by it")]
    #[diagnostic(
        code(check::parameter_type),
        help(
            "name numbers, yes/no, members and sets of them in the parentheses; bind others outside"
        )
    )]
    ParameterType {
        /// The argument.
        name: String,
        /// What it is.
        found: String,
        /// Its place.
        #[label("not for printing")]
        span: Span,
    },
}
