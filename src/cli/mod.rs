//! The command line: everything that prints, reads files, or asks a person.

mod args;
mod check;
mod diff;
mod drawn;
mod editor;
mod engine;
mod help;
mod hints;
mod fmt;
mod games;
mod pages;
mod lsp;
mod moves;
mod new;
mod perft;
mod play;
mod json_table;
mod random_games;
mod rules;
mod run;
#[cfg(feature = "serve")]
mod serve;
mod simulate;
mod skill;
mod solve;
mod terminal;

use std::io::ErrorKind;
use std::process::ExitCode;

pub use lsp::serve;

use clap::Parser as _;

use crate::host::embed::EmbedRefusal;
use crate::host::exit::{Exit, Failure};
use crate::host::{game_files::GameFiles, progress, screen::Screen};
use args::{Arguments, Command};

pub fn main() -> ExitCode {
    let arguments = help::parse_arguments();
    let mut screen = Screen::new(arguments.color.choice());
    let outcome = dispatch(&arguments.command, &mut screen);
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
        Command::Check(command) => check::run_check(command, screen),
        Command::New { name, from } => new::new(name, from.as_deref(), screen),
        Command::Fmt(command) => fmt::fmt(command, screen),
        #[cfg(feature = "serve")]
        Command::Serve(command) => serve::serve(command, screen),
        Command::Run(command) => run::run_scripts(command, screen),
        Command::Simulate(command) => simulate::simulate(command, screen),
        Command::Merge(command) => simulate::run_merge(command, screen),
        Command::Solve(command) => solve::solve(command, screen),
        Command::Perft(command) => perft::perft(command, screen),
        Command::Rules(command) => rules::run_rules(command, screen),
        Command::Diff(command) => diff::diff(command, screen),
        Command::Cards(command) => pages::cards(command, screen),
        Command::Replay(command) => pages::replay(command, screen),
        Command::Explain { code } => help::run_explain(code, screen),
        Command::Lsp => lsp::lsp(),
        Command::Games(command) => games::games_command(command, screen),
        Command::Play(command) => play::run_play(command, screen),
        Command::Completions { shell } => help::completions(*shell, screen),
        Command::Man { command } => help::man(command.as_deref(), screen),
    };
    match outcome {
        Err(Failure::Said(exit)) => Ok(exit),
        outcome => outcome,
    }
}

/// Runs a command, such as `["simulate", "nim"]`, and returns what it prints. A word that names
/// `given` means these files. The signals of the process stay as they are; [`stop_commands`] does what
/// Ctrl-C does.
///
/// # Errors
/// If the command does not end with exit code 0, or asks a person or an editor.
pub fn run_command(words: &[String], given: Option<&GameFiles>) -> Result<String, EmbedRefusal> {
    progress::leave_signals();
    let program = "astragal".to_owned();
    let arguments = Arguments::try_parse_from(std::iter::once(&program).chain(words));
    let Arguments { command, .. } = arguments.map_err(|error| EmbedRefusal {
        exit: Exit::Usage as u8,
        drawn: error.render().to_string(),
        ..EmbedRefusal::default()
    })?;
    if matches!(command, Command::Play(_) | Command::Lsp) {
        let drawn = "this command asks a person or an editor".to_owned();
        return Err(EmbedRefusal { exit: Exit::Usage as u8, drawn, ..EmbedRefusal::default() });
    }
    let mut screen = Screen::captured(given.cloned());
    let outcome = dispatch(&command, &mut screen);
    let (printed, drawn, objects) = screen.into_captured();
    let failed = |exit: u8| EmbedRefusal { exit, drawn, objects, printed: printed.clone() };
    match outcome {
        Ok(Exit::Fine) => Ok(printed),
        Ok(exit) => Err(failed(exit as u8)),
        Err(failure) => Err(EmbedRefusal { printed, ..EmbedRefusal::from_failure(failure) }),
    }
}
