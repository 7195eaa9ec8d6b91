//! The commands: words go in, and what they print comes out, at a terminal or in a text.

pub(crate) mod args;
mod check;
mod diff;
mod engine;
mod examples;
mod explain;
mod fmt;
mod games;
mod new;
mod pages;
mod perft;
mod random_games;
mod rules;
mod run;
mod simulate;
mod skill;
mod solve;
mod train;
mod values;

use clap::Parser as _;

use crate::host::embed::EmbedRefusal;
use crate::host::exit::{Exit, Failure};
use crate::host::{game_files::GameFiles, progress, screen::Screen};
use args::{Arguments, Command};

/// Runs a command. Those that ask a person or an editor are refused: the program runs them itself.
pub(crate) fn run(command: &Command, screen: &mut Screen) -> Result<Exit, Failure> {
    match command {
        Command::Check(command) => check::run_check(command, screen),
        Command::New { name, from } => new::new(name, from.as_deref(), screen),
        Command::Fmt(command) => fmt::fmt(command, screen),
        Command::Run(command) => run::run_scripts(command, screen),
        Command::Simulate(command) => simulate::simulate(command, screen),
        Command::Train(command) => train::train(command, screen),
        Command::Merge(command) => simulate::run_merge(command, screen),
        Command::Solve(command) => solve::solve(command, screen),
        Command::Perft(command) => perft::perft(command, screen),
        Command::Rules(command) => rules::run_rules(command, screen),
        Command::Diff(command) => diff::diff(command, screen),
        Command::Cards(command) => pages::cards(command, screen),
        Command::Replay(command) => pages::replay(command, screen),
        Command::Explain { code } => explain::run_explain(code, screen),
        Command::Games(command) => games::games_command(command, screen),
        Command::Play(_) | Command::Lsp => refuse_dialogue(screen),
        #[cfg(feature = "serve")]
        Command::Serve(_) => refuse_dialogue(screen),
        #[cfg(feature = "cli")]
        Command::Completions { .. } | Command::Man { .. } => refuse_dialogue(screen),
    }
}

fn refuse_dialogue(screen: &mut Screen) -> Result<Exit, Failure> {
    screen.print_note("this command runs only in the program itself")?;
    Ok(Exit::Usage)
}

/// Runs a command, such as `["simulate", "nim"]`, and returns what it prints. A word that names
/// `given` means these files. The signals of the process stay as they are; `stop_commands` does what
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
    let mut screen = Screen::captured(given.cloned());
    let outcome = match &command {
        Command::Run(command) if command.review => refuse_dialogue(&mut screen),
        command => run(command, &mut screen),
    };
    let (printed, drawn, objects) = screen.into_captured();
    let failed = |exit: u8| EmbedRefusal { exit, drawn, objects, printed: printed.clone() };
    match outcome {
        Ok(Exit::Fine) | Err(Failure::Said(Exit::Fine)) => Ok(printed),
        Ok(exit) | Err(Failure::Said(exit)) => Err(failed(exit as u8)),
        Err(failure) => Err(EmbedRefusal { printed, ..EmbedRefusal::from_failure(failure) }),
    }
}
