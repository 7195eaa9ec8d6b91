//! Exit codes and failures of the program.

use std::io;
use std::process::ExitCode;

use crate::diagnostic::Diagnostics;
use crate::host::error::HostError;
use crate::source::Sources;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Fine = 0,
    /// The file, script or game says no.
    No = 1,
    Usage = 2,
    /// astragal itself is at fault.
    Fault = 3,
    /// What a shell reports of a program that Ctrl-C ended.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    Findings {
        sources: Sources,
        diagnostics: Diagnostics,
        exit: Exit,
    },
    Stream(io::Error),
    /// Nothing is left to say.
    Said(Exit),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Stream(error)
    }
}

impl From<HostError> for Failure {
    /// Words that mean nothing here are wrong use; everything else says no.
    fn from(error: HostError) -> Failure {
        let exit = match error {
            HostError::UnknownGame { .. }
            | HostError::UnknownCode { .. }
            | HostError::UnknownPart { .. }
            | HostError::Names { .. }
            | HostError::SameName { .. }
            | HostError::BadName { .. }
            | HostError::Seat { .. }
            | HostError::Who { .. }
            | HostError::NewName { .. }
            | HostError::NoGames { .. }
            | HostError::NoScripts { .. }
            | HostError::NoPlayer { .. }
            | HostError::OtherGame { .. }
            | HostError::Bot { .. }
            | HostError::NoBot { .. }
            | HostError::Bots { .. } => Exit::Usage,
            _ => Exit::No,
        };
        let diagnostics = Diagnostics::of(error);
        Failure::Findings { sources: Sources::default(), diagnostics, exit }
    }
}
