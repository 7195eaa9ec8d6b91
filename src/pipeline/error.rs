//! Settings that a game does not have.

use miette::Diagnostic;
use thiserror::Error;

use crate::source::Span;

/// A wrong number of players or a wrong option, given on a command line or in a script.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum SettingError {
    /// Too few or too many players.
    #[error("this game cannot be played by {given}")]
    #[diagnostic(code(setting::players), help("it is for {allowed}"))]
    Players {
        /// How many were asked for.
        given: usize,
        /// How many can play, in words.
        allowed: String,
        /// Where a script asks for them.
        #[label("so many play here")]
        span: Option<Span>,
    },
    /// An option that does not exist.
    #[error("there is no option `{name}`")]
    #[diagnostic(code(setting::unknown_option), help("{help}"))]
    UnknownOption {
        /// What was asked for.
        name: String,
        /// What there is.
        help: String,
        /// Where a script asks for it.
        #[label("not an option of this game")]
        span: Option<Span>,
    },
    /// A value that an option cannot have.
    #[error("the option `{name}` cannot be `{value}`")]
    #[diagnostic(code(setting::bad_value), help("it can be {allowed}"))]
    BadValue {
        /// The option.
        name: String,
        /// What was asked for.
        value: String,
        /// What it can be, in words.
        allowed: String,
        /// Where a script asks for it.
        #[label("not one of its values")]
        span: Option<Span>,
    },
}

impl SettingError {
    pub(super) fn players(given: usize, fewest: usize, most: usize) -> SettingError {
        let allowed = match (fewest, most) {
            (1, 1) => "1 player".to_owned(),
            (fewest, most) if fewest == most => format!("{fewest} players"),
            (fewest, most) => format!("{fewest} to {most} players"),
        };
        SettingError::Players { given, allowed, span: None }
    }

    /// Says where a script asks for it.
    #[must_use]
    pub fn named_at(mut self, place: Option<Span>) -> SettingError {
        let (SettingError::Players { span, .. }
        | SettingError::UnknownOption { span, .. }
        | SettingError::BadValue { span, .. }) = &mut self;
        *span = place;
        self
    }
}

/// An option whose default is none of its values.
#[derive(Clone, Debug, Error, Diagnostic)]
#[error("with {players} players the default of `{name}` is {default}, outside of {allowed}")]
#[diagnostic(code(setting::default), help("change the default, or widen the range"))]
pub(super) struct BadDefault {
    /// The option.
    pub(super) name: String,
    /// For how many players.
    pub(super) players: usize,
    /// What it is unless something else is said.
    pub(super) default: i64,
    /// What it can be, in words.
    pub(super) allowed: String,
    /// The default.
    #[label("not one of its values")]
    pub(super) span: Span,
}

/// Advice: the file has too many settings to check each of them.
#[derive(Clone, Debug, Error, Diagnostic)]
#[error("there are too many combinations of options to check all of them")]
#[diagnostic(
    code(setting::sampled),
    severity(Advice),
    help(
        "each value was checked beside the defaults of the other options; `check --play 1000` tries random combinations"
    )
)]
pub(super) struct Sampled {
    /// The first option.
    #[label("with the options from here on")]
    pub(super) span: Span,
}

/// A move that no setting offers.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
#[error("the move `{name}` can never be legal")]
#[diagnostic(
    code(setting::never_legal),
    severity(Warning),
    help("its conditions hold in no setting: look at its `when` and `where`, or take it out")
)]
pub(super) struct NeverLegal {
    /// The move.
    pub(super) name: String,
    /// The whole option.
    #[label("never offered")]
    pub(super) span: Span,
}
