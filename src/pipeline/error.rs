//! Settings that a game does not have.

use miette::Diagnostic;
use thiserror::Error;

/// A wrong number of players or a wrong option, given on a command line or in a script.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum SettingError {
    /// Too few or too many players.
    #[error("{given} cannot play this game")]
    #[diagnostic(code(setting::players), help("it is for {allowed}"))]
    Players {
        /// How many were asked for.
        given: usize,
        /// How many can play, in words.
        allowed: String,
    },
    /// An option that does not exist.
    #[error("there is no option `{name}`")]
    #[diagnostic(code(setting::unknown_option), help("{help}"))]
    UnknownOption {
        /// What was asked for.
        name: String,
        /// What there is.
        help: String,
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
    },
}

impl SettingError {
    pub(super) fn players(given: usize, fewest: usize, most: usize) -> SettingError {
        let allowed = match (fewest, most) {
            (1, 1) => "1 player".to_owned(),
            (fewest, most) if fewest == most => format!("{fewest} players"),
            (fewest, most) => format!("{fewest} to {most} players"),
        };
        SettingError::Players { given, allowed }
    }
}
