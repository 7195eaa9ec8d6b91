//! The commands and their flags; these doc comments are the help.

mod counting;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, builder::styling::Styles};

use crate::commands::values::{number_of_players, pair};
use crate::host::files::TableSetup;

pub(crate) use counting::{Merge, PerftArgs, Simulate, SolveArgs, TableFormat, Train};

/// Writes, checks and plays the rules of tabletop games.
#[derive(Debug, Parser)]
#[command(
    name = "astragal",
    version,
    styles = Styles::plain(),
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colour.
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true, value_name = "WHEN")]
    pub(crate) color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    pub(crate) fn choice(self) -> Option<bool> {
        (self != Color::Auto).then_some(self == Color::Always)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check games; report errors with their location and a suggested fix.
    Check(Check),
    /// Create a folder with a small game, a script, and a page that explains the next steps.
    New {
        /// Name the folder and the game.
        name: PathBuf,
        /// Start with a variant of this bundled game.
        #[arg(long, value_name = "GAME")]
        from: Option<String>,
    },
    /// Format games and scripts.
    Fmt(Fmt),
    /// Play a game at the terminal.
    Play(Play),
    /// Let people around one table play, each in a browser, with a secret link.
    #[cfg(feature = "serve")]
    Serve(Serve),
    /// Replay scripts, check what they expect, and print their transcripts.
    #[command(visible_alias = "test")]
    Run(RunArgs),
    /// Simulate many bot games and summarise the results.
    Simulate(Simulate),
    /// Let a bot learn a game by playing it, and keep what it learned in a file.
    Train(Train),
    /// Merge the results of a simulation that ran in parts.
    Merge(Merge),
    /// Solve a small game: compute its value under perfect play.
    Solve(SolveArgs),
    /// Count the sequences of decisions up to a depth.
    Perft(PerftArgs),
    /// Write the rulebook of a game, in Markdown or as a page with pictures.
    Rules(RulesArgs),
    /// Tell what a variant changes, in the words of the rulebook.
    Diff(Diff),
    /// Write cards, score sheets, boards and tokens of a game, to print and cut.
    Cards(CardsArgs),
    /// Write a played game as a page with a slider, its table and its log.
    Replay(Replay),
    /// Explain an error code, with a wrong and a right example.
    Explain {
        /// Explain this code; you may leave out the stage before `::`.
        #[arg(value_name = "CODE")]
        code: String,
    },
    /// Run the language server: errors, completion and rename in your editor.
    Lsp,
    /// List the bundled games, or write one's files out.
    Games(GamesArgs),
    /// Print completions for your shell.
    #[cfg(feature = "cli")]
    Completions {
        /// Choose the shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print a manual page of the program or of one of its commands.
    #[cfg(feature = "cli")]
    Man {
        /// Choose a command; default: the whole program.
        #[arg(value_name = "COMMAND", value_parser = command_name)]
        command: Option<String>,
    },
}

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct TableArgs {
    /// Set the number of players; default: the usual number of the game.
    #[arg(long, value_name = "N", value_parser = number_of_players)]
    pub(crate) players: Option<usize>,
    /// Name the players: `Ann,Ben`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) names: Vec<String>,
    /// Set an option of the game; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) options: Vec<(String, String)>,
}

impl TableArgs {
    /// The players, their names and the options, as `host` takes them.
    pub(crate) fn setup(&self) -> TableSetup {
        let TableArgs { players, names, options } = self.clone();
        TableSetup { players, names, options }
    }

    /// The words of a command line that set up such a table.
    pub(crate) fn to_flags(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
        self.players.iter().for_each(|players| add("--players", players.to_string()));
        if !self.names.is_empty() {
            add("--names", self.names.join(","));
        }
        self.options.iter().for_each(|(name, value)| add("--option", format!("{name}={value}")));
        words
    }
}

/// What carries out the operations of a game. The results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineChoice {
    /// Interpret, and make machine code of games that take long.
    Auto,
    /// Interpret.
    Interpreter,
    /// Make machine code before the first game.
    #[cfg(feature = "native")]
    Native,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Check {
    /// Check these files, folders or bundled games; default: all games in this folder and below.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Print what a stage of the compiler produces.
    #[arg(long, value_enum, value_name = "STAGE")]
    pub(crate) emit: Option<Emit>,
    /// Choose the output: drawn on stderr, or one JSON object a line on stdout.
    #[arg(long, value_enum, default_value_t = FindingFormat::Human)]
    pub(crate) format: FindingFormat,
    /// Also play this many random games with random options, and report errors.
    #[arg(long, value_name = "N")]
    pub(crate) play: Option<u64>,
    /// Set the random seed of these games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Choose what runs the rules; the results do not depend on it. Default: auto.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<EngineChoice>,
    /// Compile all combinations of player numbers and options, not one value at a time.
    #[arg(long)]
    pub(crate) all_settings: bool,
    /// Also warn of notes that hide what happens: the rulebook prints a note in place of its rule.
    #[arg(long)]
    pub(crate) book: bool,
    /// Print who hears the arguments of moves that reach something not everybody sees.
    #[arg(long)]
    pub(crate) explain_secrets: bool,
    /// Check again whenever a file changes, until you stop the program.
    #[arg(long)]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Debug, Args)]
pub(crate) struct GamesArgs {
    /// Write the files of this game into a folder, as in `--write tice my-tice`.
    #[arg(long, num_args = 2, value_names = ["GAME", "FOLDER"])]
    pub(crate) write: Vec<String>,
    /// Overwrite existing files.
    #[arg(long, requires = "write")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// Format these games, scripts and folders; `-` formats standard input to standard output.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; report which files are not formatted.
    #[arg(long)]
    pub(crate) check: bool,
    /// Change nothing; print the differences.
    #[arg(long)]
    pub(crate) diff: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The tree of the text.
    Ast,
    /// The checked rules.
    Rules,
    /// The code for one number of players and one setting of the options.
    Bytecode,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingFormat {
    /// For people.
    #[default]
    Human,
    /// One object a line.
    Json,
}

#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Play {
    /// Choose a file or a bundled game; default: list the bundled games.
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// Set the random seed; default: a new one from the system.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Deal this playout of the seed, as `simulate` counts them; default: the first.
    #[arg(
        long,
        value_name = "N",
        requires = "seed",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) playout: u64,
    /// Seat a `human`, or a bot such as `random`, `greedy` or `mcts:1000`, at a seat, for a player by
    /// name, or at `all`; may be repeated.
    #[arg(long = "seat", value_name = "SEAT=WHO", value_parser = pair)]
    pub(crate) seats: Vec<(String, String)>,
    /// Ask for every move, even where only one is legal.
    #[arg(long)]
    pub(crate) ask_all: bool,
    /// Replay this script and continue where it ends.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "names", "options"])]
    pub(crate) load: Option<PathBuf>,
    /// Continue the last unfinished game of GAME, or the one before it with `=2`; without GAME, list them if there are
    /// several, with the number of each.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        conflicts_with_all = ["load", "players", "names", "options", "seed"]
    )]
    #[expect(clippy::option_option, reason = "clap reads `--resume` and `--resume=2` so")]
    pub(crate) resume: Option<Option<NonZeroUsize>>,
    /// Record the game in this file, as a script.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "record")]
    pub(crate) force: bool,
    /// Whenever the rules change, replay the moves so far with the new rules.
    #[arg(long)]
    pub(crate) watch: bool,
    /// Choose the output format; `json` prints a view for each decision, for programs.
    #[arg(long, value_enum, default_value_t = FindingFormat::Human, conflicts_with = "watch")]
    pub(crate) format: FindingFormat,
    /// Print line by line, without a screen for each decision.
    #[arg(long)]
    pub(crate) plain: bool,
}

#[cfg(feature = "serve")]
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Choose a file or a bundled game; `--load` and `--resume` need none.
    #[arg(required_unless_present_any = ["load", "resume"])]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// Set the random seed; default: a new one from the system.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Seat a bot such as `random`, `greedy` or `mcts:1000` at a seat or for a player by name; may be
    /// repeated. All other seats are for people.
    #[arg(long = "seat", value_name = "SEAT=WHO", value_parser = pair)]
    pub(crate) seats: Vec<(String, String)>,
    /// Replay this script and continue where it ends.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "names", "options"])]
    pub(crate) load: Option<PathBuf>,
    /// Continue the last unfinished game of GAME, or of all, under the same links.
    #[arg(long, conflicts_with_all = ["load", "players", "names", "options", "seed"])]
    pub(crate) resume: bool,
    /// Record the game in this file, as a script.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "record")]
    pub(crate) force: bool,
    /// Listen at this address: `0.0.0.0` for others in the network. Default: 127.0.0.1, for this machine
    /// alone.
    #[arg(long, value_name = "IP")]
    pub(crate) address: Option<std::net::IpAddr>,
    /// Listen at this port; default: 7117. With 0 the system chooses one.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Also answer under this name, with its port if it is not the usual one; the links have the first
    /// one. May be repeated; `https://` may stand before it.
    #[arg(long = "host", value_name = "HOST")]
    pub(crate) hosts: Vec<String>,
    /// Give each seat so much time to think in a game: `10m`, `90s`. A bot plays on for a seat without time.
    #[arg(long, value_name = "TIME", value_parser = crate::commands::values::duration)]
    pub(crate) clock: Option<u64>,
    /// Send this page instead of the one inside the program.
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct RunArgs {
    /// Run these scripts, folders, or patterns such as `games/*/scripts/l*.script`; `-` is standard
    /// input. Default: all scripts in this folder and below.
    #[arg(value_name = "SCRIPT")]
    pub(crate) scripts: Vec<PathBuf>,
    /// Run only scripts whose path contains this text.
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// Run only scripts and cases with this tag.
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// Play this game instead of the one that each script names: run the scripts of a base on its variant.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["bless", "review"])]
    pub(crate) game: Option<String>,
    /// Let this seed decide draws in scripts without a seed; default with `--game`: 1.
    #[arg(long, value_name = "N", conflicts_with_all = ["bless", "review"])]
    pub(crate) seed: Option<u64>,
    /// Stop at the first script that fails.
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Choose the output format.
    #[arg(long, value_enum, default_value_t = RunFormat::Human)]
    pub(crate) format: RunFormat,
    /// Run the affected scripts again whenever a file changes, until you stop the program.
    #[arg(long)]
    pub(crate) watch: bool,
    /// Print the transcripts even of several scripts.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) print: bool,
    /// Print what this player saw of the game.
    #[arg(long = "as", value_name = "NAME", conflicts_with = "bless")]
    pub(crate) seen_by: Option<String>,
    /// Write the actual outputs and results into scripts that have no other error.
    #[arg(long)]
    pub(crate) bless: bool,
    /// Show each output or result that differs, and ask whether to write it into the script.
    #[arg(long, conflicts_with_all = ["bless", "seen_by", "watch", "print"])]
    pub(crate) review: bool,
    /// Print one line for each script instead of its transcript.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunFormat {
    /// For people.
    Human,
    /// The Test Anything Protocol, version 14.
    Tap,
    /// A report in XML, for servers that run tests.
    Junit,
    /// One object a line.
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// Choose a file or a bundled game.
    pub(crate) old: String,
    /// Choose what to compare it with, such as a variant of it.
    pub(crate) new: String,
    /// Also play so many games of each by random bots, and tell what differs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) play: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// Choose a file or a bundled game.
    pub(crate) game: String,
    /// Write only this part: players, box, setup, play, example, end, options.
    pub(crate) part: Option<String>,
    /// Write for this number of players and its default options; default: for all.
    #[arg(long, value_name = "N", value_parser = number_of_players)]
    pub(crate) players: Option<usize>,
    /// Write for this value of an option; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) options: Vec<(String, String)>,
    /// Choose the format; `html` is a page for a browser or a printer.
    #[arg(long, value_enum, default_value_t = BookFormat::Markdown)]
    pub(crate) format: BookFormat,
    /// Write one page for people who know the game.
    #[arg(long, conflicts_with = "part")]
    pub(crate) short: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BookFormat {
    /// Text with marks, for editors and other programs.
    Markdown,
    /// A page with contents, and pictures of boards and cards.
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct PageFile {
    /// Write the page into this file; default: print it.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "html")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CardsArgs {
    /// Choose a file or a bundled game.
    pub(crate) game: String,
    /// Write the cards for this number of players; default: the usual number of the game.
    #[arg(long, value_name = "N", value_parser = number_of_players)]
    pub(crate) players: Option<usize>,
    /// Write the cards for this value of an option; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) options: Vec<(String, String)>,
    /// Write each card once, however many there are.
    #[arg(long)]
    pub(crate) once: bool,
    /// Write a sheet of backs behind each sheet of cards.
    #[arg(long)]
    pub(crate) backs: bool,
    #[command(flatten)]
    pub(crate) out: PageFile,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Choose a script or a saved game.
    #[arg(value_name = "SCRIPT")]
    pub(crate) script: PathBuf,
    /// Show what this player saw of the game; default: everything.
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) seen_by: Option<String>,
    #[command(flatten)]
    pub(crate) out: PageFile,
}

#[cfg(feature = "cli")]
fn command_name(text: &str) -> Result<String, String> {
    let program = <Arguments as clap::CommandFactory>::command();
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    if names.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(format!("the commands are {}", names.join(", ")))
}
