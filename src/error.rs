//! The error of the library: why a text is no game, or why a step of a game cannot be made.

use std::fmt::{Display, Formatter};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Sources;

/// Why a text is no game, or why a step of a game cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    diagnostics: Vec<Diagnostic>,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text has mistakes, or the game has no such options.
    Text,
    /// Chance draws, or the game is over.
    NoDecision,
    /// No draw with this outcome waits.
    NoOutcome,
    /// The move is not legal.
    Illegal,
    /// A mistake in the rules that shows in play.
    Rules,
    /// The moves of the game have no numbers: nothing bounds an argument.
    Unnumbered,
    /// The bytes are no state of this game.
    Bytes,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), diagnostics: Vec::new() }
    }

    /// The findings, a line each, with the places that the sources know.
    pub(crate) fn with_findings(kind: ErrorKind, found: &Diagnostics, sources: &Sources) -> Error {
        let diagnostics = found.sorted();
        let lines: Vec<String> = diagnostics
            .iter()
            .map(|found| {
                let line = format!("{}: {found}", found.severity.name());
                let Some(source) = found.labels.first().and_then(|it| sources.find(it.span)) else {
                    return line;
                };
                let place = source.place(found.place().start);
                format!("{}:{}:{}: {line}", source.name, place.line, place.column)
            })
            .collect();
        Error { kind, message: lines.join("\n"), diagnostics }
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// All that was found, sorted by place; nothing where a move or a state is refused.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl Display for Error {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
