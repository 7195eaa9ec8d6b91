//! Settings that a game does not have.

use crate::diagnostic::diagnostics;
use crate::source::Span;

diagnostics! {
    /// A wrong number of players or a wrong option, given on a command line or in a script.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SettingError;

    setting::players => Players { given: usize, allowed: String, span: Option<Span> },
        "this game cannot be played by {given}", span: "so many play here",
        help: "it is for {allowed}";
    setting::unknown_option => UnknownOption { name: String, help: String, span: Option<Span> },
        "there is no option `{name}`", span: "not an option of this game", help: help;
    setting::bad_value => BadValue {
        name: String, value: String, allowed: String, span: Option<Span>,
    },
        "the option `{name}` cannot be `{value}`", span: "not one of its values",
        help: "it can be {allowed}";
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

diagnostics! {
    /// An option whose default is none of its values.
    #[derive(Clone, Debug)]
    pub(super) struct
    setting::default => BadDefault {
        name: String, players: usize, default: i64, allowed: String, span: Span,
    },
        "with {players} players the default of `{name}` is {default}, outside of {allowed}",
        span: "not one of its values",
        help: "change the default, or widen the range";
}

diagnostics! {
    /// Advice: the file has too many settings to check each of them.
    #[derive(Clone, Debug)]
    pub(super) struct
    setting::sampled => Sampled { span: Span },
        "there are too many combinations of options to check all of them",
        span: "with the options from here on",
        severity: Advice,
        help: "each value was checked beside the defaults of the other options; `check --play \
            1000` tries random combinations";
}

diagnostics! {
    /// A move that no setting offers.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) struct
    setting::never_legal => NeverLegal { name: String, span: Span },
        "the move `{name}` can never be legal", span: "never offered",
        severity: Warning,
        help: "its conditions hold in no setting: look at its `when` and `where`, or take it out";
}
