//! The two streams of the program, and what an end looks like from outside.

use std::io::{self, BufWriter, IsTerminal, Stderr, Stdout, Write};
use std::process::ExitCode;

use super::args::Color;
use super::error::CliError;
use super::report;
use crate::diagnostic::Diagnostics;
use crate::source::Sources;

/// How wide lines are where nobody says otherwise.
const WIDTH: usize = 80;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// All is well.
    Fine,
    /// The file, script or game says no.
    No,
    /// The command was used wrongly.
    Usage,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Fine => 0,
            Exit::No => 1,
            Exit::Usage => 2,
        })
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(super) enum Failure {
    /// Something was found that forbids to go on.
    Findings {
        /// The texts that the findings point into.
        sources: Sources,
        /// What was found.
        diagnostics: Diagnostics,
        /// The exit code.
        exit: Exit,
    },
    /// A stream is gone.
    Stream(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Stream(error)
    }
}

impl From<CliError> for Failure {
    /// Files that cannot be used say no; everything else is wrong use.
    fn from(error: CliError) -> Failure {
        let exit = match error {
            CliError::Unreadable { .. }
            | CliError::Folder { .. }
            | CliError::NotText { .. }
            | CliError::TooLarge { .. }
            | CliError::Unwritable { .. }
            | CliError::UnusedDraw { .. }
            | CliError::NoSeed => Exit::No,
            _ => Exit::Usage,
        };
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(error);
        Failure::Findings { sources: Sources::default(), diagnostics, exit }
    }
}

/// Standard output for results and standard error for everything else.
#[derive(Debug)]
pub(super) struct Screen {
    out: BufWriter<Stdout>,
    err: Stderr,
    color: bool,
    width: usize,
    /// The code of the first error that was drawn.
    drawn: Option<String>,
}

impl Screen {
    pub(super) fn new(color: Color) -> Screen {
        let err = io::stderr();
        let wanted = anstream::AutoStream::choice(&err) != anstream::ColorChoice::Never;
        let color = match color {
            Color::Auto => wanted && err.is_terminal(),
            Color::Always => true,
            Color::Never => false,
        };
        let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let width = columns.unwrap_or(WIDTH).clamp(20, 1000);
        Screen { out: BufWriter::new(io::stdout()), err, color, width, drawn: None }
    }

    /// How wide lines may be.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Prints a line of the result.
    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Prints a text of the result as it is.
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    /// Prints a line that is no result.
    pub(super) fn note(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.err, "{line}")
    }

    /// Draws findings on standard error, behind the results so far.
    pub(super) fn report(&mut self, sources: &Sources, found: &Diagnostics) -> io::Result<()> {
        self.flush()?;
        if self.drawn.is_none() {
            self.drawn = report::first_code(found);
        }
        let drawn = report::draw(sources, found, self.color, self.width);
        self.err.write_all(drawn.as_bytes())
    }

    /// Says where to read more about the first error that was drawn.
    pub(super) fn tell_more(&mut self) -> io::Result<()> {
        match self.drawn.take() {
            Some(code) => self.note(&format!("for more: astragal explain {code}")),
            None => Ok(()),
        }
    }

    /// Makes sure that the results so far are out.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
