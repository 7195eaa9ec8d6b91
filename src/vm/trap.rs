//! Why a run had to stop: mistakes in the rules that only show in play.

use miette::Diagnostic;
use thiserror::Error;

use crate::source::Span;

/// A run that had to stop, with its place in the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum Trap {
    /// A result with more than 64 bits.
    #[error("the result is too large for a number")]
    #[diagnostic(code(play::overflow), help("numbers have 64 bits; keep the amounts smaller"))]
    Overflow {
        /// Where.
        #[label("this grows without end")]
        span: Span,
    },
    /// A division by nothing.
    #[error("division by 0")]
    #[diagnostic(code(play::division_by_zero), help("test the divisor before dividing"))]
    DivisionByZero {
        /// Where.
        #[label("the divisor is 0 here")]
        span: Span,
    },
    /// A number outside the range of its variable.
    #[error("{value} is outside {range}")]
    #[diagnostic(
        code(play::out_of_range),
        help(
            "widen the range where the variable is declared, or use `gains` and `loses`, which stop at the bounds of a coin"
        )
    )]
    OutOfRange {
        /// The number.
        value: i64,
        /// The range in words.
        range: String,
        /// Where.
        #[label("this would be {value}")]
        span: Span,
    },
    /// An index that does not exist.
    #[error("there is no element {value}: the indices are {range}")]
    #[diagnostic(code(play::no_such_element), help("test the index before using it"))]
    NoSuchElement {
        /// The index.
        value: i64,
        /// The indices that there are, in words.
        range: String,
        /// Where.
        #[label("this index is outside")]
        span: Span,
    },
    /// A payment of more than there is.
    #[error("{cost} cannot be paid: only {have} can")]
    #[diagnostic(
        code(play::cannot_pay),
        help("offer the move only `when` it can be paid, or use `loses`")
    )]
    CannotPay {
        /// What could be paid.
        have: i64,
        /// What is to be paid.
        cost: i64,
        /// Where.
        #[label("this asks for more than there is")]
        span: Span,
    },
    /// An amount below 0.
    #[error("{value} is no amount")]
    #[diagnostic(code(play::negative_amount), help("an amount is 0 or more"))]
    NegativeAmount {
        /// The amount.
        value: i64,
        /// Where.
        #[label("this is below 0 here")]
        span: Span,
    },
    /// A decision without a legal move.
    #[error("nothing is legal at this decision")]
    #[diagnostic(
        code(play::nothing_legal),
        help("say what happens then: add `else {{ … }}` or `or pass {{ … }}` behind the options")
    )]
    NothingLegal {
        /// Where.
        #[label("every option is ruled out here")]
        span: Span,
    },
    /// A decision with more moves than anybody can look at.
    #[error("more than {most} moves are legal at this decision")]
    #[diagnostic(
        code(play::too_many_moves),
        help(
            "ask in steps: let one decision pick the first part of a move, and the next one the rest"
        )
    )]
    TooManyMoves {
        /// How many there may be.
        most: usize,
        /// Where.
        #[label("too many to choose from")]
        span: Span,
    },
    /// A draw from nothing.
    #[error("there is nothing to draw from")]
    #[diagnostic(code(play::empty_draw), help("draw only when the set is not empty"))]
    EmptyDraw {
        /// Where.
        #[label("this is empty here")]
        span: Span,
    },
    /// A card that is moved although there is none.
    #[error("there is no card to move")]
    #[diagnostic(
        code(play::no_card),
        help("ask first: `if c != none {{ … }}`; of a pile that may be empty move `top 1 of` it")
    )]
    NoCard {
        /// Where.
        #[label("this is none here")]
        span: Span,
    },
    /// The top of a pile that chance has not decided.
    #[error("nobody knows yet which card lies there")]
    #[diagnostic(
        code(play::order_unknown),
        help(
            "let chance decide: keep it first, `let c = top of deck`, or move it; only what was put there card by card is known"
        )
    )]
    OrderUnknown {
        /// Where.
        #[label("these cards lie in no known order")]
        span: Span,
    },
    /// The subsets of too large a set.
    #[error("a set of {members} members has too many subsets")]
    #[diagnostic(
        code(play::too_many_subsets),
        help("at most {most} members have their subsets gone over; take some out with `where`")
    )]
    TooManySubsets {
        /// How many members it has.
        members: usize,
        /// How many it may have.
        most: usize,
        /// Where.
        #[label("{members} members here")]
        span: Span,
    },
    /// The smallest or largest of nothing.
    #[error("there is nothing to compare")]
    #[diagnostic(
        code(play::nothing_to_compare),
        help("`min` and `max` need at least one member; test the set first")
    )]
    NothingToCompare {
        /// Where.
        #[label("the set is empty here")]
        span: Span,
    },
    /// The end of `play`.
    #[error("play has come to its end without `finish`")]
    #[diagnostic(
        code(play::no_finish),
        help("say how the game ends: `finish win …`, `finish draw` or `finish ranking …`")
    )]
    NoFinish {
        /// Where.
        #[label("nothing follows after this")]
        span: Span,
    },
    /// A win of nobody.
    #[error("`finish win` names nobody")]
    #[diagnostic(code(play::nobody_wins), help("if nobody wins, say `finish draw`"))]
    NobodyWins {
        /// Where.
        #[label("this set is empty here")]
        span: Span,
    },
    /// Two legal moves with the same words.
    #[error("two different moves read `{words}`")]
    #[diagnostic(
        code(play::same_words),
        help("print what tells them apart: put its name into the parentheses of the option")
    )]
    SameWords {
        /// What both read.
        words: String,
        /// Where.
        #[label("this option lists both")]
        span: Span,
    },
    /// A legal move that no line can hold.
    #[error("a move reads `{words}` and cannot be read back: {why}")]
    #[diagnostic(code(play::unreadable_move), help("print words that can be seen and typed"))]
    UnreadableMove {
        /// What it reads.
        words: String,
        /// Why it cannot be read back.
        why: &'static str,
        /// Where.
        #[label("this option is printed so")]
        span: Span,
    },
    /// Too much work between two decisions.
    #[error("this goes on for ever")]
    #[diagnostic(
        code(play::endless),
        help("let the loop end, or ask a player inside of it; draws of chance are no end")
    )]
    Endless {
        /// Where.
        #[label("still here after {steps} rounds without a decision")]
        span: Span,
        /// How long it ran.
        steps: u64,
    },
    /// More was said between two decisions than anybody could read.
    #[error("between two decisions more is said than {limit} bytes")]
    #[diagnostic(code(play::too_much_said), help("say less, or ask a player in between"))]
    TooMuchSaid {
        /// How much may be said.
        limit: usize,
        /// Where the game went on to.
        #[label("it was said on the way to here")]
        span: Span,
    },
    /// Rules inside rules without end.
    #[error("a rule calls itself without end")]
    #[diagnostic(code(play::too_deep), help("a rule that calls itself must stop at some point"))]
    TooDeep {
        /// Where.
        #[label("called inside itself too often")]
        span: Span,
    },
}

impl Trap {
    /// Its place in the rules.
    pub fn span(&self) -> Span {
        match self {
            Trap::Overflow { span }
            | Trap::DivisionByZero { span }
            | Trap::OutOfRange { span, .. }
            | Trap::NoSuchElement { span, .. }
            | Trap::CannotPay { span, .. }
            | Trap::NegativeAmount { span, .. }
            | Trap::NothingLegal { span }
            | Trap::TooManyMoves { span, .. }
            | Trap::EmptyDraw { span }
            | Trap::NoCard { span }
            | Trap::OrderUnknown { span }
            | Trap::TooManySubsets { span, .. }
            | Trap::NothingToCompare { span }
            | Trap::SameWords { span, .. }
            | Trap::UnreadableMove { span, .. }
            | Trap::NoFinish { span }
            | Trap::NobodyWins { span }
            | Trap::Endless { span, .. }
            | Trap::TooMuchSaid { span, .. }
            | Trap::TooDeep { span } => *span,
        }
    }
}
