//! The flags of the commands that play, solve and count many games; these doc comments are the help.

use std::path::PathBuf;

use clap::{Args, ValueEnum, value_parser};

use crate::commands::args::{EngineChoice, TableArgs};
use crate::commands::values::{
    duration, name_of_file, pair, parse_byte_size, parse_margin, probability, shard,
};
use crate::compile::Passes;

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// Choose a file or a bundled game.
    pub(crate) game: String,
    /// Set the number of games; default: 10000.
    #[arg(short = 'n', long = "playouts", value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) playouts: Option<u64>,
    /// Stop when the margin of every win rate is this small: `--until 1%`; `-n` is then the most games.
    #[arg(long, value_name = "±P%", value_parser = parse_margin)]
    pub(crate) until: Option<u64>,
    /// Call a game fair whose seats surely win within so many points of parity.
    #[arg(long, value_name = "±P%", value_parser = parse_margin, default_value = "2%")]
    pub(crate) margin: u64,
    /// Write a line for each game: a table, or JSON lines if the name ends with `.jsonl`.
    #[arg(long, value_name = "FILE", value_parser = name_of_file, conflicts_with = "resume")]
    pub(crate) games: Option<PathBuf>,
    /// Also test the `always` conditions of the file at every decision.
    #[arg(long)]
    pub(crate) check: bool,
    /// Choose the bots: one for all seats, or one for each: `random,mcts:200`.
    #[arg(long, value_name = "BOTS", value_delimiter = ',', default_value = "random")]
    pub(crate) seats: Vec<String>,
    /// Compile without these passes, or without `all`.
    #[arg(long, value_name = "PASSES", hide = true)]
    pub(crate) without: Option<Passes>,
    /// Set the random seed; default: a new one from the system.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Set the number of threads; default: all cores. The results do not depend on it.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Play the same games under several values of an option, and report the differences; repeated,
    /// under all combinations.
    #[arg(long, value_name = "OPTION=A,B", value_parser = pair)]
    pub(crate) vary: Vec<(String, String)>,
    /// Report what differs from an earlier simulation: the file that its `--out` wrote.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Measure whether skill matters: each of these bots plays the one before it, on every seat;
    /// weakest first. Default: `random,greedy,mcts:50,mcts:200`, 200 games for each pair.
    #[arg(
        long, value_name = "BOTS", value_delimiter = ',', num_args = 0..=1, require_equals = true,
        default_missing_value = "random,greedy,mcts:50,mcts:200",
        conflicts_with_all = ["until", "games", "check", "seats", "vary", "baseline", "report", "out", "shard"]
    )]
    pub(crate) skill: Vec<String>,
    /// Choose the output format.
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    /// Also write an HTML report with plots.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Save the counts in this file while running, to merge or resume them later.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite existing files.
    #[arg(long)]
    pub(crate) force: bool,
    /// Continue: play only the games that the file of `--out` lacks.
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// Play only this part of the games: `2/4`.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(u64, u64)>,
    /// Choose what runs the rules; the results do not depend on it. Default: auto.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<EngineChoice>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Train {
    /// Choose a file or a bundled game.
    pub(crate) game: String,
    /// Set the number of games, in batches of 32; default: 1024. The number alone says what is learned.
    #[arg(long = "games", value_name = "N", conflicts_with = "time")]
    pub(crate) number: Option<u64>,
    /// Stop when this time is over, such as `60s`: it only chooses the number of games.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<u64>,
    /// Set the random seed of the games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Set the number of threads; default: all cores. The results do not depend on it.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Write this file; default: the one that belongs to the game. It goes on from what is there.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite an existing file, and begin again.
    #[arg(long)]
    pub(crate) force: bool,
    /// Choose what runs the rules; the results do not depend on it. Default: auto.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<EngineChoice>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people.
    Table,
    /// One object.
    Json,
    /// A number a line.
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Merge these files, written by `simulate --out`.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Choose the output format.
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    /// Call a game fair whose seats surely win within so many points of parity.
    #[arg(long, value_name = "±P%", value_parser = parse_margin, default_value = "2%")]
    pub(crate) margin: u64,
    /// Also write an HTML report with plots.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Write the merged counts to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite existing files.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// Choose a file or a bundled game; `--load` needs none.
    #[arg(required_unless_present = "load")]
    pub(crate) game: Option<String>,
    /// Begin where this script ends.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "names", "options"])]
    pub(crate) load: Option<PathBuf>,
    /// Fix the outcome of a draw; may be repeated.
    #[arg(long = "draw", value_name = "EVENT: OUTCOME")]
    pub(crate) draws: Vec<String>,
    /// Let all seats play uniformly at random instead of perfectly.
    #[arg(long)]
    pub(crate) uniform: bool,
    /// Print how likely each value of a measure of the file, or of an expression, is at the end.
    #[arg(long, value_name = "MEASURE")]
    pub(crate) distribution: Option<String>,
    /// Leave out the last positions if all of them together are less probable than this; 0: nothing.
    #[arg(long, value_name = "P", default_value = "1e-9", value_parser = probability)]
    pub(crate) remainder: u128,
    /// Limit the number of positions, not the time; default: 4000000 within 50 seconds.
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<usize>,
    /// Refuse what takes more memory than this.
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = parse_byte_size)]
    pub(crate) max_memory: usize,
    /// Choose what runs the rules; the results do not depend on it. Default: auto.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<EngineChoice>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// Choose a file or a bundled game; `--load` needs none.
    #[arg(required_unless_present = "load")]
    pub(crate) game: Option<String>,
    /// Begin where this script ends.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "names", "options"])]
    pub(crate) load: Option<PathBuf>,
    /// Count this many decisions deep; each outcome of a draw is followed and not counted.
    #[arg(long, value_name = "D", required_unless_present_any = ["playouts", "turns"])]
    pub(crate) depth: Option<usize>,
    /// Count this many turns deep, from the beginning of the game; a game that ends in the last one
    /// counts. `--depth` bounds the decisions; default: 20 for each turn.
    #[arg(long, value_name = "N", conflicts_with = "playouts")]
    pub(crate) turns: Option<i64>,
    /// Fix the outcome of a draw; may be repeated.
    #[arg(long = "draw", value_name = "EVENT: OUTCOME")]
    pub(crate) draws: Vec<String>,
    /// Limit the positions that chance may lead to before a decision. Beyond it, perft follows one
    /// outcome of each draw, from the seed.
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    pub(crate) max_states: usize,
    /// Refuse what takes more memory than this.
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = parse_byte_size)]
    pub(crate) max_memory: usize,
    /// Set the random seed of draws that are not followed in each outcome.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Split the count by the first move.
    #[arg(long)]
    pub(crate) divide: bool,
    /// Count whole games, within the depth if one is given.
    #[arg(long)]
    pub(crate) playouts: bool,
    /// Choose what runs the rules; the results do not depend on it. Default: auto.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<EngineChoice>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}
