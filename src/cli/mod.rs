//! The program `astragal`: reads the command line, and runs what asks a person or an editor.

mod drawn;
mod editor;
mod help;
mod hints;
mod json_table;
mod lsp;
mod moves;
mod play;
#[cfg(feature = "serve")]
mod serve;
mod terminal;

use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

pub use lsp::serve;

use crate::commands::{self, args::Command};
use crate::host::exit::{Exit, Failure};
use crate::host::screen::Screen;

const FAULT: &str = "error: astragal itself is at fault, not your game\n\
    please send us the lines above, the command and its files";

pub fn main() -> ExitCode {
    let arguments = help::parse_arguments();
    let mut screen = Screen::new(arguments.color.choice());
    // A panic is a fault of astragal: scripts tell it from a game that says no.
    let outcome = catch_unwind(AssertUnwindSafe(|| dispatch(&arguments.command, &mut screen)))
        .unwrap_or_else(|_| {
            let _ = screen.print_note(FAULT);
            Err(Failure::Said(Exit::Fault))
        });
    let outcome = outcome.and_then(|exit| {
        screen.flush()?;
        Ok(exit)
    });
    // Where nobody reads these lines, the exit code remains.
    let exit = outcome.unwrap_or_else(|failure| match failure {
        Failure::Findings { sources, diagnostics, exit } => {
            let _ = screen.flush();
            let _ = screen.report_findings(&sources, &diagnostics);
            exit
        }
        Failure::Said(exit) => exit,
        // The reader has seen enough.
        Failure::Stream(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Fine,
        Failure::Stream(error) => {
            let _ = screen.print_note(&format!("error: cannot go on: {error}"));
            Exit::No
        }
    });
    if !matches!(arguments.command, Command::Explain { .. }) {
        let _ = screen.note_explain();
    }
    exit.into()
}

fn dispatch(command: &Command, screen: &mut Screen) -> Result<Exit, Failure> {
    let outcome = match command {
        Command::Play(command) => play::run_play(command, screen),
        Command::Lsp => lsp::lsp(),
        #[cfg(feature = "serve")]
        Command::Serve(command) => serve::serve(command, screen),
        Command::Completions { shell } => help::completions(*shell, screen),
        Command::Man { command } => help::man(command.as_deref(), screen),
        command => commands::run(command, screen),
    };
    match outcome {
        Err(Failure::Said(exit)) => Ok(exit),
        outcome => outcome,
    }
}
