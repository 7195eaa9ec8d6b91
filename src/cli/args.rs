//! The commands and their flags; these doc comments are the help.

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, builder::styling::Styles};

/// Writes, checks and plays the rules of tabletop games.
#[derive(Debug, Parser)]
#[command(
    name = "astragal",
    version,
    styles = Styles::plain(),
    arg_required_else_help = true
)]
pub(super) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,
    /// When to use colour.
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true, value_name = "WHEN")]
    pub(super) color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check files and report everything that is wrong with them.
    Check(Check),
    /// Make a folder with a small game, a script, and a page that says how to go on.
    New(New),
    /// Lay files out in the canonical way.
    Fmt(Fmt),
    /// Play a game at the table.
    Play(Play),
    /// Run scripts, check what they expect, and print their transcripts.
    Run(Run),
    /// Play many games by programs and say what they come to.
    Simulate(Simulate),
    /// Add up the files of simulations that were done in parts.
    Merge(Merge),
    /// Compute what a small game is worth when everybody plays as well as can be.
    Solve(Solve),
    /// Count the sequences of decisions up to a depth.
    Perft(Perft),
    /// Write the rulebook of a game, in Markdown.
    Rules(Rules),
    /// Explain what the code of an error means, with a wrong and a right example.
    Explain(Explain),
    /// Tell an editor what it asks of the files that are open in it, over standard input and output.
    Lsp,
    /// List the bundled games.
    Games,
    /// Print completions for a shell.
    Completions(Completions),
    /// Print a manual page, of the program or of one of its commands.
    Man(Man),
}

#[derive(Clone, Debug, Default, Args)]
pub(super) struct Table {
    /// How many play; the fewest that can if not given.
    #[arg(long, value_name = "N", value_parser = number_of_players)]
    pub(super) players: Option<usize>,
    /// What the players are called: `Ann,Ben`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) names: Vec<String>,
    /// The value of an option of the game; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub(super) options: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub(super) struct Check {
    /// Files, folders with games, or names of bundled games; all games in this folder and below if
    /// not given.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<String>,
    /// Print what a stage makes of the file.
    #[arg(long, value_enum, value_name = "STAGE")]
    pub(super) emit: Option<Emit>,
    /// How to print what was found: drawn on stderr, or one JSON object a line on stdout.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
    /// Also play this many random games under random options and report what goes wrong.
    #[arg(long, value_name = "N")]
    pub(super) play: Option<u64>,
    /// The number that the random games follow from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Compile all combinations of numbers of players and options, not one value at a time.
    #[arg(long)]
    pub(super) all_settings: bool,
    /// Check again whenever one of the files changes, until the program is stopped.
    #[arg(long)]
    pub(super) watch: bool,
    #[command(flatten)]
    pub(super) table: Table,
}

#[derive(Debug, Args)]
pub(super) struct New {
    /// The folder to make; the game is called like it.
    pub(super) name: PathBuf,
    /// Begin with a variant of this bundled game.
    #[arg(long, value_name = "GAME")]
    pub(super) from: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Fmt {
    /// Games, scripts, and folders with such files; `-` lays out standard input on standard output.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Change nothing, and say which files are laid out in another way.
    #[arg(long)]
    pub(super) check: bool,
    /// Change nothing, and print what would change.
    #[arg(long)]
    pub(super) diff: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Emit {
    /// The tree of the text.
    Ast,
    /// The checked rules.
    Rules,
    /// The code for one number of players and one setting of the options.
    Bytecode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Human,
    /// One object a line.
    Json,
}

#[derive(Debug, Default, Args)]
pub(super) struct Play {
    /// A file, or the name of a bundled game; without it the bundled games are listed.
    pub(super) game: Option<String>,
    #[command(flatten)]
    pub(super) table: Table,
    /// The number that all chance follows from.
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Who decides: a seat, or `all`, and `human` or a bot such as `random`, `greedy`, `mcts:1000`;
    /// may be repeated.
    #[arg(long = "seat", value_name = "N=WHO", value_parser = pair)]
    pub(super) seats: Vec<(String, String)>,
    /// Play this script again and go on where it ends.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "names", "options"])]
    pub(super) load: Option<PathBuf>,
    /// Go on with the game that was left last; without GAME, with the last one of all.
    #[arg(long, conflicts_with_all = ["load", "players", "names", "options", "seed"])]
    pub(super) resume: bool,
    /// Write the game into this file, as a script.
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Let that file take the place of whatever is there.
    #[arg(long, requires = "record")]
    pub(super) force: bool,
    /// Whenever the file of the rules changes, play the moves so far on the new rules.
    #[arg(long)]
    pub(super) watch: bool,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct Run {
    /// Scripts, folders with scripts, patterns such as `games/*/scripts/l*.script`, and `-` for
    /// standard input; all scripts in this folder and below if not given.
    #[arg(value_name = "SCRIPT")]
    pub(super) scripts: Vec<PathBuf>,
    /// Run only the scripts whose path holds this text.
    #[arg(long, value_name = "TEXT")]
    pub(super) filter: Option<String>,
    /// Stop at the first script that fails.
    #[arg(long)]
    pub(super) fail_fast: bool,
    /// How to print what became of the scripts.
    #[arg(long, value_enum, default_value_t = RunFormat::Human)]
    pub(super) format: RunFormat,
    /// Run again, whenever a file changes, the scripts that it concerns, until the program is stopped.
    #[arg(long)]
    pub(super) watch: bool,
    /// Print the transcripts; one script prints it anyway.
    #[arg(long, conflicts_with = "quiet")]
    pub(super) print: bool,
    /// Print what this player saw of the game.
    #[arg(long = "as", value_name = "NAME", conflicts_with = "bless")]
    pub(super) seen_by: Option<String>,
    /// Write outputs and results into the scripts, where nothing else was wrong.
    #[arg(long)]
    pub(super) bless: bool,
    /// Print a line a script instead of its transcript.
    #[arg(long)]
    pub(super) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RunFormat {
    /// For people.
    Human,
    /// The Test Anything Protocol, version 14.
    Tap,
    /// A report in XML, as `JUnit` writes it.
    Junit,
    /// One object a line.
    Json,
}

#[derive(Debug, Args)]
pub(super) struct Simulate {
    /// A file, or the name of a bundled game.
    pub(super) game: String,
    /// How many playouts.
    #[arg(short = 'n', long = "playouts", value_name = "N", default_value_t = 10_000)]
    pub(super) playouts: u64,
    /// The bots: one for all seats, or one for each: `random,mcts:200`.
    #[arg(long, value_name = "BOTS", value_delimiter = ',', default_value = "random")]
    pub(super) seats: Vec<String>,
    /// The number that all chance follows from.
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// On how many threads; all cores if not given. The numbers do not depend on it.
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<usize>,
    /// Play the same playouts under several values of an option, and compare.
    #[arg(long, value_name = "OPTION=A,B", value_parser = pair)]
    pub(super) vary: Option<(String, String)>,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t = Layout::Table)]
    pub(super) format: Layout,
    /// Also write a page with plots, to be read in a browser or printed.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Keep the counts in this file, again and again, so that they can be added up or gone on with.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Let these files take the place of whatever is there.
    #[arg(long)]
    pub(super) force: bool,
    /// Go on with the playouts that the file of `--out` does not have yet.
    #[arg(long, requires = "out")]
    pub(super) resume: bool,
    /// Play only this part of the playouts: `2/4`.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(super) shard: Option<(u64, u64)>,
    #[command(flatten)]
    pub(super) table: Table,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Layout {
    /// For people.
    Table,
    /// One object.
    Json,
    /// A number a line.
    Csv,
}

#[derive(Debug, Args)]
pub(super) struct Merge {
    /// Files that `simulate --out` has written.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// How to print the results.
    #[arg(long, value_enum, default_value_t = Layout::Table)]
    pub(super) format: Layout,
    /// Also write a page with plots.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Write the sum into this file.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Let these files take the place of whatever is there.
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Debug, Args)]
pub(super) struct Solve {
    /// A file, or the name of a bundled game.
    pub(super) game: String,
    /// Let everybody play uniformly at random.
    #[arg(long)]
    pub(super) uniform: bool,
    /// How many positions may be looked at, however long it takes; if not given, 4000000 within 50
    /// seconds.
    #[arg(long, value_name = "N")]
    pub(super) max_states: Option<usize>,
    #[command(flatten)]
    pub(super) table: Table,
}

#[derive(Debug, Args)]
pub(super) struct Rules {
    /// A file, or the name of a bundled game.
    pub(super) game: String,
    /// Only this part: players, box, tables, setup, play, moves, words, end, options.
    pub(super) part: Option<String>,
    /// Write for this many players, and for the options as they then are; for all if not given.
    #[arg(long, value_name = "N", value_parser = number_of_players)]
    pub(super) players: Option<usize>,
    /// Write for this value of an option; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub(super) options: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The code that stands above an error; its stage may be left out.
    #[arg(value_name = "CODE")]
    pub(super) code: String,
}

#[derive(Debug, Args)]
pub(super) struct Perft {
    /// A file, or the name of a bundled game.
    pub(super) game: String,
    /// How many decisions; draws are none, and are followed in each of their outcomes.
    #[arg(long, value_name = "D", required_unless_present = "playouts")]
    pub(super) depth: Option<usize>,
    /// Let every such draw end like this; may be repeated.
    #[arg(long = "draw", value_name = "EVENT: OUTCOME")]
    pub(super) draws: Vec<String>,
    /// How many positions chance may lead to before a decision; where there are more, one outcome
    /// of each draw is followed, from the seed.
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    pub(super) max_states: usize,
    /// The random seed of draws that are not followed in each outcome.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Split the number by the first move.
    #[arg(long)]
    pub(super) divide: bool,
    /// Count whole games, within the depth if one is given.
    #[arg(long)]
    pub(super) playouts: bool,
    #[command(flatten)]
    pub(super) table: Table,
}

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct Man {
    /// The command; the whole program if not given.
    #[arg(value_name = "COMMAND", value_parser = command_name)]
    pub(super) command: Option<String>,
}

fn command_name(text: &str) -> Result<String, String> {
    let program = Arguments::command();
    let mut names = program.get_subcommands().map(clap::Command::get_name);
    if names.any(|name| name == text) {
        return Ok(text.to_owned());
    }
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    Err(format!("the commands are {}", names.join(", ")))
}

fn number_of_players(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| {
        let names = if text.contains(char::is_alphabetic) { text } else { "Ann,Ben" };
        format!(
            "expected how many play, as in `2`; what they are called belongs to `--names {names}`"
        )
    })
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once('/');
    let numbers = numbers.and_then(|(at, of)| Some((at.parse().ok()?, of.parse().ok()?)));
    numbers
        .filter(|(at, of)| (1..=*of).contains(at))
        .ok_or_else(|| "expected a part such as `2/4`".to_owned())
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected two words with `=` between them".to_owned()),
    }
}
