//! The command line as programs see it: help with examples that work as pasted, completions, manual pages.

use std::{io, io::Write, process::exit};

use clap::{CommandFactory, FromArgMatches};

use super::args::{Arguments, Completions, Man};
use super::screen::{Exit, Failure, Screen};
use super::{bundled, gate};

/// Reads the command line. Wrong use ends the program with its own exit code.
pub(super) fn parse() -> Arguments {
    let matches = command().try_get_matches();
    let read = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    read.unwrap_or_else(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        // It names the words that were typed, or that a shell found.
        let _ = write!(io::stderr(), "{}", gate::plain(&error.render().to_string()));
        exit(error.exit_code())
    })
}

pub(super) fn command() -> clap::Command {
    let game = game();
    let mut command = Arguments::command().after_help(example("astragal games"));
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        let text = text(&name, &game);
        command = command.mut_subcommand(name, |command| command.after_help(text));
    }
    command
}

pub(super) fn completions(command: &Completions, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(command.shell, &mut self::command(), "astragal", &mut text);
    screen.text(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Fine)
}

pub(super) fn man(command: &Man, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut program = self::command().disable_help_subcommand(true);
    // Building it gives each command its whole name: `astragal-check`.
    program.build();
    let asked = command.command.as_deref();
    let page = asked.and_then(|name| program.find_subcommand(name)).unwrap_or(&program).clone();
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(Failure::Stream)?;
    screen.text(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Fine)
}

/// The bundled game with the shortest rules: its examples are quick to try. A variant is short, but
/// the game that it changes need not be.
fn game() -> String {
    let games = bundled::games().into_iter().filter(|game| !game.name.contains('/'));
    let shortest = games.min_by_key(|game| game.text.len());
    shortest.map_or_else(|| "my.game".to_owned(), |game| game.name)
}

fn text(command: &str, game: &str) -> String {
    match command {
        "run" => example(&format!(
            "printf 'game {game}\\nseed 1\\nbot 3\\n' > try.script\n  astragal run try.script"
        )),
        "perft" => {
            let note = "The last line is the number alone: sequences of exactly D decisions. A \
                        game that ended earlier is counted where it ended.";
            format!("{note}\n\n{}", example(&format!("astragal perft {game} --depth 2 --divide")))
        }
        "simulate" => example(&format!("astragal simulate {game} -n 1000 --seed 1")),
        "merge" => example(&format!(
            "astragal simulate {game} -n 100 --seed 1 --shard 1/2 --out one.json\n  astragal \
             simulate {game} -n 100 --seed 1 --shard 2/2 --out two.json\n  astragal merge one.json \
             two.json"
        )),
        "solve" => example(&format!("astragal solve {game}")),
        "rules" => example(&format!(
            "astragal rules {game} > rules.md\n  astragal rules {game} --players 3\n  astragal \
             rules {game} moves"
        )),
        "explain" => example("astragal explain check::unknown_name"),
        "play" => example(&format!(
            "astragal play {game} --names Ann,Ben --seed 42 --seat 2=random\n  astragal play {game} \
             --resume\n\nAt the table, `:help` lists what can be typed beside moves."
        )),
        "man" => example("astragal man play > astragal-play.1"),
        "completions" => example("astragal completions bash > astragal.bash"),
        "lsp" => {
            let note = "Editors start it; docs/editor.md says how to set them up.";
            format!("{note}\n\n{}", example("astragal lsp"))
        }
        "fmt" => example("astragal fmt my.game\n  astragal fmt --check *.game"),
        "check" => example(&format!("astragal check {game} --format json")),
        other => example(&format!("astragal {other}")),
    }
}

fn example(line: &str) -> String {
    format!("Example:\n  {line}")
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn every_command_is_well_formed_and_has_an_example() {
        let command = command();
        command.clone().debug_assert();
        let help = |command: &clap::Command| command.get_after_help().map(ToString::to_string);
        let lacking = command
            .get_subcommands()
            .find(|command| !help(command).is_some_and(|text| text.contains("Example:\n  ")));
        assert!(lacking.is_none(), "{lacking:?}");
    }
}
