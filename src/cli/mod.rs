//! The command line: everything that prints, reads files, or asks a person.

mod answers;
mod args;
mod board_view;
mod bundled;
mod check;
mod choices;
mod command_line;
mod compare;
mod diff;
mod disk;
mod drawn;
mod editor;
pub(crate) mod embed;
mod engine;
mod error;
mod exit;
mod game_files;
mod help;
mod hints;
mod files;
mod fmt;
mod gate;
mod saves;
mod output_formats;
mod pages;
mod line;
mod lsp;
mod moves;
mod new;
mod perft;
mod play;
mod game_records;
mod html_report;
mod json_table;
mod progress;
mod random_games;
mod results;
mod report;
mod rows;
mod rules;
mod run;
mod screen;
mod screen_moves;
mod seat_table;
#[cfg(feature = "serve")]
mod serve;
mod table_screen;
mod table_view;
mod simulate;
mod skill;
mod solve;
mod terminal;
mod tty;
mod watch;
mod writing;

use std::io::ErrorKind;
use std::process::ExitCode;

pub use lsp::serve;

use args::{Arguments, Command};
use exit::{CliFailure, Exit};
use screen::Screen;

pub fn main() -> ExitCode {
    let arguments = help::parse_arguments();
    let mut screen = Screen::new(arguments.color);
    let outcome = dispatch(&arguments, &mut screen);
    let outcome = outcome.and_then(|exit| {
        screen.flush()?;
        Ok(exit)
    });
    // Where nobody reads these lines, the exit code remains.
    let exit = outcome.unwrap_or_else(|failure| match failure {
        CliFailure::Findings { sources, diagnostics, exit } => {
            let _ = screen.flush();
            let _ = screen.report_findings(&sources, &diagnostics);
            exit
        }
        CliFailure::Said(exit) => exit,
        // The reader has seen enough.
        CliFailure::Stream(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Fine,
        CliFailure::Stream(error) => {
            let _ = screen.print_note(&format!("error: cannot go on: {error}"));
            Exit::No
        }
    });
    if !matches!(arguments.command, Command::Explain { .. }) {
        let _ = screen.note_explain();
    }
    exit.into()
}

fn dispatch(arguments: &Arguments, screen: &mut Screen) -> Result<Exit, CliFailure> {
    let outcome = match &arguments.command {
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
        Command::Games(command) => bundled::games_command(command, screen),
        Command::Play(command) => play::run_play(command, screen),
        Command::Completions { shell } => help::completions(*shell, screen),
        Command::Man { command } => help::man(command.as_deref(), screen),
    };
    match outcome {
        Err(CliFailure::Said(exit)) => Ok(exit),
        outcome => outcome,
    }
}
