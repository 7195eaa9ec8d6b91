//! What a setting can make impossible although the rules are sound.

use miette::Diagnostic;
use thiserror::Error;

use crate::budget::TooMuch;
use crate::source::Span;

/// A mistake that shows when the rules are specialised for a number of players and options.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum CompileError {
    /// A game that takes too much to compile.
    #[error(transparent)]
    #[diagnostic(transparent)]
    TooMuch(#[from] TooMuch),
    /// A constant expression without a value.
    #[error("this has no value{setting}: {reason}")]
    #[diagnostic(
        code(setting::no_value),
        help("give it a value for every number of players and every option that the file allows")
    )]
    NoValue {
        /// Why.
        reason: String,
        /// For which setting, in words.
        setting: String,
        /// Where.
        #[label("computed here")]
        span: Span,
    },
    /// A card that starts nowhere.
    #[error("the card `{card}` is in no pile at the beginning{setting}")]
    #[diagnostic(
        code(setting::no_home),
        help("let a pile start with all cards: `deck: cards hidden = {cards}`")
    )]
    NoHome {
        /// The card.
        card: String,
        /// The kind of cards.
        cards: String,
        /// For which setting, in words.
        setting: String,
        /// The kind of cards.
        #[label("every card lies in a pile")]
        span: Span,
    },
    /// A card that starts in several piles.
    #[error("the card `{card}` is in several piles at the beginning{setting}")]
    #[diagnostic(
        code(setting::two_homes),
        help("let each card start in one pile; of what each player has there are several")
    )]
    TwoHomes {
        /// The card.
        card: String,
        /// For which setting, in words.
        setting: String,
        /// The kind of cards.
        #[label("every card lies in one pile")]
        span: Span,
    },
    /// A range that ends before it begins.
    #[error("the range {low}..{high} is empty{setting}")]
    #[diagnostic(
        code(setting::empty_range),
        help("let the lower end stay the lower one in every setting, with `max(…)` for example")
    )]
    EmptyRange {
        /// The first number.
        low: i64,
        /// The last number.
        high: i64,
        /// For which setting, in words.
        setting: String,
        /// Where.
        #[label("holds nothing then")]
        span: Span,
    },
    /// A range that is open or too long where its numbers are counted.
    #[error("this range is too long to count its numbers{setting}")]
    #[diagnostic(
        code(setting::long_range),
        help("an index, a set or a die needs a range of at most {most} numbers, closed above")
    )]
    LongRange {
        /// The longest allowed.
        most: i64,
        /// For which setting, in words.
        setting: String,
        /// Where.
        #[label("used as a finite type")]
        span: Span,
    },
    /// A set with more subsets than anybody goes over.
    #[error("a set of {members} members has too many subsets{setting}")]
    #[diagnostic(
        code(setting::too_many_subsets),
        help("at most {most} members have their subsets gone over; take some out with `where`")
    )]
    TooManySubsets {
        /// How many members it has.
        members: usize,
        /// How many it may have.
        most: usize,
        /// For which setting, in words.
        setting: String,
        /// Where.
        #[label("{members} members")]
        span: Span,
    },
    /// A first value outside the range of its variable.
    #[error("the first value {value} is outside {range}{setting}")]
    #[diagnostic(code(setting::first_value), help("change the value or widen the range"))]
    FirstValue {
        /// The value.
        value: i64,
        /// The range in words.
        range: String,
        /// For which setting, in words.
        setting: String,
        /// Where.
        #[label("this gives {value}")]
        span: Span,
    },
    /// A number in a set that cannot have it.
    #[error("a set of {range} cannot have {number}{setting}")]
    #[diagnostic(
        code(setting::no_member),
        help("widen the range where the set is declared, or leave the number out")
    )]
    NoMember {
        /// The number.
        number: i64,
        /// The numbers that it can have, in words.
        range: String,
        /// For which setting, in words.
        setting: String,
        /// Where.
        #[label("outside of {range}")]
        span: Span,
    },
    /// A limit below which nobody decides anything.
    #[error("the game is over before the first decision{setting}: its limit is {limit}")]
    #[diagnostic(
        code(setting::no_decisions),
        help(
            "allow at least one, `limit 1 decisions`; `finish` in `play` ends a game without any"
        )
    )]
    NoDecisions {
        /// The limit.
        limit: i64,
        /// For which setting, in words.
        setting: String,
        /// Where.
        #[label("{limit} decisions")]
        span: Span,
    },
    /// A game that does not fit into the machine.
    #[error("the game is too large{setting}: {what}")]
    #[diagnostic(
        code(setting::too_large),
        help(
            "make kinds, arrays and tables smaller, or divide long rules; 65535 of each is the most"
        )
    )]
    TooLarge {
        /// What there is too much of.
        what: String,
        /// For which setting, in words.
        setting: String,
        /// Where.
        #[label("reached here")]
        span: Span,
    },
}

impl CompileError {
    /// Its place in the rules.
    pub fn span(&self) -> Span {
        match self {
            CompileError::TooMuch(TooMuch { span, .. })
            | CompileError::NoValue { span, .. }
            | CompileError::NoHome { span, .. }
            | CompileError::TwoHomes { span, .. }
            | CompileError::EmptyRange { span, .. }
            | CompileError::LongRange { span, .. }
            | CompileError::TooManySubsets { span, .. }
            | CompileError::FirstValue { span, .. }
            | CompileError::NoDecisions { span, .. }
            | CompileError::NoMember { span, .. }
            | CompileError::TooLarge { span, .. } => *span,
        }
    }
}
