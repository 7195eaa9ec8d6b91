//! Help: examples of commands, completions, manual pages.

use std::fmt::Write as _;
use std::{io, io::Write as _, path::Path, process::exit};

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use clap_complete::Shell;

use crate::commands::args::Arguments;
use crate::host::exit::{Exit, Failure};
use crate::host::{gate, screen::Screen};
use crate::load::bundled;

/// Reads the command line. Wrong use ends the program with its own exit code.
pub(super) fn parse_arguments() -> Arguments {
    let matches = build_command().try_get_matches();
    let read = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    read.unwrap_or_else(|mut error| {
        if !error.use_stderr() {
            error.exit();
        }
        if let Some(tip) = tip(&error) {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        // It names the words that were typed, or that a shell found.
        let _ = write!(io::stderr(), "{}", gate::sanitize_text(&error.render().to_string()));
        exit(error.exit_code())
    })
}

/// Guesses what was meant: a game without its command, a game to write without a folder, an option of a game as one of
/// the program.
fn tip(error: &clap::Error) -> Option<String> {
    let given = |kind| match error.get(kind) {
        Some(ContextValue::String(given)) => Some(given.as_str()),
        _ => None,
    };
    if let Some(game) = given(ContextKind::InvalidSubcommand) {
        let is_file = Path::new(game).extension().is_some_and(|it| it == "game");
        let is_game = is_file || bundled::bundled_games().iter().any(|it| it.name == game);
        return is_game.then(|| format!("to play it, type `astragal play {game}`"));
    }
    let is_write = given(ContextKind::InvalidArg).is_some_and(|it| it.starts_with("--write"));
    if is_write && error.kind() == ErrorKind::WrongNumberOfValues {
        return Some("name a folder too, as in `astragal games --write tice my-tice`".to_owned());
    }
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    let given = given(ContextKind::InvalidArg).filter(|_| is_unknown)?;
    let (program, words) = (build_command(), std::env::args().skip(1).collect::<Vec<_>>());
    let command = words.iter().find_map(|word| program.find_subcommand(word))?;
    let Some(flag) = given.starts_with("--").then_some(given) else {
        return joined_value(command, &words, given);
    };
    let has_options = command.get_arguments().any(|it| it.get_long() == Some("option"));
    if !has_options || error.get(ContextKind::SuggestedArg).is_some() {
        return None;
    }
    let mut words = words.iter().filter_map(|word| word.strip_prefix(flag));
    let value = words.next().and_then(|rest| rest.strip_prefix('=')).unwrap_or("VALUE");
    let name = flag[2..].replace('-', "_");
    Some(format!("for an option of the game, use `--option {name}={value}`"))
}

/// Returns the form `--option=value` for a value written after a space, if the option requires `=`.
fn joined_value(command: &clap::Command, words: &[String], value: &str) -> Option<String> {
    let pair = words.windows(2).find(|pair| pair[1] == value)?;
    let takes =
        |it: &clap::Arg| it.get_long() == pair[0].strip_prefix("--") && it.is_require_equals_set();
    let shown = if value.contains(' ') { format!("\"{value}\"") } else { value.to_owned() };
    command.get_arguments().any(takes).then(|| format!("write `{}={shown}`", pair[0]))
}

fn build_command() -> clap::Command {
    // Its examples are quick to try. A variant is short, but the game that it changes need not be.
    let games = bundled::bundled_games().into_iter().filter(|game| !game.name.contains('/'));
    let shortest = games.min_by_key(|game| game.text.len());
    let game = shortest.map_or_else(|| "my.game".to_owned(), |game| game.name);
    let mut command = Arguments::command().after_help(example("astragal games"));
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        let text = help_text(&name, &game);
        command = command.mut_subcommand(name, |command| command.after_help(text));
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{}\n{{options}}{{after-help}}",
        group_commands(&command)
    );
    command.help_template(template)
}

/// The commands under headings, those that most people need first; what no group names is a tool.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play and write", &["play", "serve", "games", "new", "check", "explain", "fmt"]),
    ("Test", &["run"]),
    ("Measure", &["simulate", "train", "merge", "solve", "perft"]),
    ("Publish", &["rules", "diff", "cards", "replay"]),
];

fn group_commands(program: &clap::Command) -> String {
    let (head, literal) = (program.get_styles().get_header(), program.get_styles().get_literal());
    let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    let names = program.get_subcommands().map(clap::Command::get_name);
    let rest: Vec<&str> = names.filter(|name| !grouped.contains(name)).collect();
    let mut text = String::new();
    for (title, names) in GROUPS.iter().copied().chain([("Tools", rest.as_slice())]) {
        let _ = write!(text, "\n{head}{title}:{head:#}\n");
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let (name, about) =
                (command.get_name(), command.get_about().cloned().unwrap_or_default());
            let _ = writeln!(text, "  {literal}{name:<12}{literal:#} {about}");
        }
    }
    text + &format!("\n{head}Options:{head:#}")
}

/// A shell's completions, which know the names of the bundled games beside those of files.
pub(super) fn completions(shell: Shell, screen: &mut Screen) -> Result<Exit, Failure> {
    let games: Vec<String> = bundled::bundled_games().into_iter().map(|game| game.name).collect();
    let names = games.join(" ");
    let mut program = self::build_command();
    let takes_game = |command: &&clap::Command| {
        command.get_arguments().any(|arg| arg.get_id() == "game") || command.get_name() == "check"
    };
    let takers = program.get_subcommands().filter(takes_game).map(clap::Command::get_name);
    let takers: Vec<String> = takers.map(str::to_owned).collect();
    for taker in &takers {
        let is_game = |arg: &clap::Arg| matches!(arg.get_id().as_str(), "game" | "files");
        let values = PossibleValuesParser::new(games.clone());
        program = program.mut_subcommand(taker, |command| {
            command
                .mut_args(|arg| if is_game(&arg) { arg.value_parser(values.clone()) } else { arg })
        });
    }
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut program, "astragal", &mut text);
    let mut text = String::from_utf8_lossy(&text).into_owned();
    if shell == Shell::Fish {
        let used = format!("__fish_astragal_using_subcommand {}", takers.join(" "));
        let games = format!("complete -c astragal -n \"{used}\" -a \"{names}\"\n");
        text.push_str(&games);
    } else if shell == Shell::Zsh {
        // The values of an argument would leave out the names of files.
        let either = format!("{{_alternative \"games:game:({names})\" \"files:file:_files\"}}");
        text = text.replace(&format!(":({names})"), &format!(":{either}"));
    }
    screen.print_text(&text)?;
    Ok(Exit::Fine)
}

pub(super) fn man(asked: Option<&str>, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut program = self::build_command().disable_help_subcommand(true);
    // Building it gives each command its whole name: `astragal-check`.
    program.build();
    let page = asked.and_then(|name| program.find_subcommand(name)).unwrap_or(&program).clone();
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(Failure::Stream)?;
    screen.print_text(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Fine)
}

fn help_text(command: &str, game: &str) -> String {
    match command {
        "run" => example(&format!(
            "printf 'game {game}\\nseed 1\\nbot 3\\n' > try.script\n  astragal run try.script"
        )),
        "perft" => {
            "The last line is the number alone: sequences of exactly D decisions. A game that ended \
             earlier is counted where it ended.\n\n"
                .to_owned()
                + &example(&format!("astragal perft {game} --depth 2 --divide"))
        }
        "simulate" => example(&format!("astragal simulate {game} -n 1000 --seed 1")),
        "train" => example(&format!(
            "astragal train {game} --games 64\n  astragal simulate {game} -n 20 --seed 1 --seats \
             learned,random"
        )),
        "merge" => example(&format!(
            "astragal simulate {game} -n 100 --seed 1 --shard 1/2 --out one.json\n  astragal \
             simulate {game} -n 100 --seed 1 --shard 2/2 --out two.json\n  astragal merge one.json \
             two.json"
        )),
        "solve" => example(&format!("astragal solve {game}")),
        "rules" => example(&format!(
            "astragal rules {game} > rules.md\n  astragal rules {game} --format html > \
             rules.html\n  astragal rules {game} moves"
        )),
        "diff" => {
            let mut variants = bundled::bundled_games().into_iter().map(|it| it.name);
            let variant = variants.find(|name| name.contains('/')).unwrap_or_default();
            let base = variant.split('/').next().unwrap_or_default();
            example(&format!("astragal diff {base} {variant}"))
        }
        "explain" => example("astragal explain check::unknown_name"),
        "play" => example(&format!(
            "astragal play {game} --names Ann,Ben --seed 42 --seat 2=random\n  astragal play {game} \
             --resume\n\nAt the table, `:help` lists what can be typed beside moves."
        )),
        "serve" => example(&format!(
            "astragal serve {game} --names Ann,Ben --seat Ben=random\n  astragal serve --resume\n\n\
             Each link is the key to a seat: give it to that player alone. For others in your \
             network, add `--address 0.0.0.0`."
        )),
        "man" => example("astragal man play > astragal-play.1"),
        "completions" => example("astragal completions bash > astragal.bash"),
        "lsp" => {
            let note = "Editors start it; docs/editor.md says how to set them up.";
            format!("{note}\n\n{}", example("astragal lsp"))
        }
        "new" => example("astragal new my-game"),
        "fmt" => example("astragal fmt my-game\n  astragal fmt --check my-game"),
        "cards" => example("astragal cards love-letter --html cards.html"),
        "replay" => example(&format!(
            "printf 'game {game}\\nseed 1\\nbot 3\\n' > try.script\n  astragal replay try.script \
             --html try.html"
        )),
        "check" => example(&format!("astragal check {game} --format json")),
        other => example(&format!("astragal {other}")),
    }
}

fn example(line: &str) -> String {
    format!("Example:\n  {line}")
}
