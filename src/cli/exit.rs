//! What an end of the program looks like from outside: exit codes and failures.

use std::io;
use std::process::ExitCode;

use super::error::CliError;
use crate::diagnostic::Diagnostics;
use crate::source::Sources;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Fine = 0,
    /// The file, script or game says no.
    No = 1,
    Usage = 2,
    /// astragal itself is at fault.
    Fault = 3,
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command ends early.
#[derive(Debug)]
pub(super) enum CliFailure {
    Findings {
        sources: Sources,
        diagnostics: Diagnostics,
        exit: Exit,
    },
    Stream(io::Error),
    /// Nothing is left to say.
    Said(Exit),
}

impl From<io::Error> for CliFailure {
    fn from(error: io::Error) -> CliFailure {
        CliFailure::Stream(error)
    }
}

impl From<CliError> for CliFailure {
    /// Words that mean nothing here are wrong use; everything else says no.
    fn from(error: CliError) -> CliFailure {
        let exit = match error {
            CliError::UnknownGame { .. }
            | CliError::UnknownCode { .. }
            | CliError::UnknownPart { .. }
            | CliError::Names { .. }
            | CliError::SameName { .. }
            | CliError::BadName { .. }
            | CliError::Seat { .. }
            | CliError::Who { .. }
            | CliError::NewName { .. }
            | CliError::NoGames { .. }
            | CliError::NoScripts { .. }
            | CliError::NoPlayer { .. }
            | CliError::OtherGame { .. }
            | CliError::Bot { .. }
            | CliError::Bots { .. } => Exit::Usage,
            _ => Exit::No,
        };
        let diagnostics = Diagnostics::of(error);
        CliFailure::Findings { sources: Sources::default(), diagnostics, exit }
    }
}
