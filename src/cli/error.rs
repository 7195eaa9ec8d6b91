//! What the command line cannot use: files, names, seats.

use miette::Diagnostic;
use thiserror::Error;

use crate::source::Span;

/// A file that cannot be read or an argument that fits nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub(super) enum CliError {
    #[error("cannot read `{path}`: {reason}")]
    #[diagnostic(code(cli::unreadable), help("check the path and the rights of the file"))]
    Unreadable {
        path: String,
        reason: String,
        #[label("named here")]
        span: Option<Span>,
    },
    #[error("`{path}` is a folder")]
    #[diagnostic(code(cli::folder), help("name a file in it"))]
    Folder {
        path: String,
        #[label("named here")]
        span: Option<Span>,
    },
    #[error("`{path}` is no text: byte {at} is not UTF-8")]
    #[diagnostic(code(cli::not_text), help("save the file as UTF-8"))]
    NotText {
        path: String,
        at: usize,
        #[label("named here")]
        span: Option<Span>,
    },
    #[error("`{path}` is longer than {most} bytes")]
    #[diagnostic(code(cli::too_large), help("name the file of a game or of a script"))]
    TooLarge {
        path: String,
        most: usize,
        #[label("named here")]
        span: Option<Span>,
    },
    #[error("`{path}` is a script, not the rules of a game")]
    #[diagnostic(
        code(cli::is_script),
        help(
            "`astragal run {path}` runs it, and `astragal play --load {path}` plays on where it ends"
        )
    )]
    IsScript {
        path: String,
        #[label("named here")]
        span: Option<Span>,
    },
    #[error("`{path}` is a game, not a script")]
    #[diagnostic(
        code(cli::is_game),
        help(
            "`astragal play {path}` plays it; a script names it in its first line: `game {path}`"
        )
    )]
    IsGame { path: String },
    #[error("cannot write `{path}`: {reason}")]
    #[diagnostic(code(cli::unwritable), help("check the path and the rights of the folder"))]
    Unwritable { path: String, reason: String },
    #[error("there is no game `{name}`")]
    #[diagnostic(code(cli::unknown_game))]
    UnknownGame {
        name: String,
        #[help]
        help: String,
        #[label("named here")]
        span: Option<Span>,
    },
    #[error("no finding has the code `{code}`")]
    #[diagnostic(code(cli::unknown_code))]
    UnknownCode {
        code: String,
        #[help]
        help: String,
    },
    #[error("the rulebook has no part `{word}`")]
    #[diagnostic(code(cli::unknown_part), help("its parts are {parts}"))]
    UnknownPart { word: String, parts: String },
    #[error("{names} names for {players} players")]
    #[diagnostic(code(cli::names), help("give every player a name, or leave `--players` out"))]
    Names { names: usize, players: usize },
    #[error("`{name}` cannot be the name of a player here")]
    #[diagnostic(
        code(cli::bad_name),
        help(
            "names differ, have no `>`, `:` and comma, and are not the beginning of a script line"
        )
    )]
    BadName { name: String },
    #[error("there is no seat `{seat}`")]
    #[diagnostic(code(cli::seat), help("the seats are 1 to {players}, or `all`"))]
    Seat { seat: String, players: usize },
    #[error("nobody called `{who}` can sit at the table")]
    #[diagnostic(code(cli::who), help("a seat is {known}"))]
    Who { who: String, known: String },
    #[error("`{path}` is there already")]
    #[diagnostic(code(cli::exists), help("choose another name, or remove it"))]
    Exists { path: String },
    #[error("`{name}` cannot be the name of a new game")]
    #[diagnostic(
        code(cli::new_name),
        help("use small letters, digits and `-`, and no name of a file of the base: `{better}`")
    )]
    NewName { name: String, better: String },
    #[error("there is no game to check in `{place}`")]
    #[diagnostic(
        code(cli::no_games),
        help("name a file, or a folder that holds games: their names end with `.game`")
    )]
    NoGames { place: String },
    #[error("there is no script to run in {place}{}", filtered(filter.as_deref()))]
    #[diagnostic(
        code(cli::no_scripts),
        help("name a script, or a folder that holds some: their names end with `.script`")
    )]
    NoScripts { place: String, filter: Option<String> },
    #[error("nobody called `{name}` plays here")]
    #[diagnostic(code(cli::no_player), help("the players are {names}"))]
    NoPlayer { name: String, names: String },
    #[error("no draw is called `{event}`")]
    #[diagnostic(code(cli::unknown_draw))]
    UnknownDraw {
        event: String,
        #[help]
        help: String,
    },
    #[error("{}", impossible(event, outcome))]
    #[diagnostic(code(cli::impossible_draw))]
    ImpossibleDraw {
        event: String,
        outcome: String,
        #[help]
        help: String,
    },
    #[error("`{draw}` did not happen in what was counted")]
    #[diagnostic(code(cli::unused_draw), help("leave it out, or count more decisions"))]
    UnusedDraw { draw: String },
    #[error("`{file}` is a game of `{game}`, not of the one that is played")]
    #[diagnostic(
        code(cli::other_game),
        help("leave this game and type `astragal play --load {file}`")
    )]
    OtherGame { file: String, game: String },
    #[error("`{path}` is broken off before its first move")]
    #[diagnostic(
        code(cli::cut_off),
        help("nothing of the game is in it; remove the file, and begin a new game")
    )]
    CutOff { path: String },
    #[error("a script with `do` cannot be played on")]
    #[diagnostic(
        code(cli::leaves_the_flow),
        help("`do` leaves the flow of the game for good; `astragal run` runs such scripts")
    )]
    LeavesTheFlow {
        #[label("the flow is left here")]
        span: Span,
    },
    #[error("`{path}` is there already, and {what}")]
    #[diagnostic(code(cli::not_replaced), help("{help}"))]
    NotReplaced { path: String, what: String, help: String },
    #[error("another program is writing `{path}`")]
    #[diagnostic(code(cli::busy), help("wait until it has ended, or choose another name"))]
    Busy { path: String },
    #[error("`{path}` is full: a saved game has at most {lines} lines and {bytes} bytes")]
    #[diagnostic(
        code(cli::full),
        help("what is in it can be played on; the moves behind it are not written")
    )]
    Full { path: String, lines: usize, bytes: usize },
    #[error("{}", nothing_unfinished(game.as_deref()))]
    #[diagnostic(code(cli::nothing_unfinished), help("begin a game with `astragal play {}`", game.as_deref().unwrap_or("GAME")))]
    NothingUnfinished { game: Option<String> },
    #[error("this game is being played already")]
    #[diagnostic(
        code(cli::played_elsewhere),
        help("leave it there, or begin another with `astragal play {}`", game.as_deref().unwrap_or("GAME"))
    )]
    PlayedElsewhere { game: Option<String> },
    #[error("nobody called `{bot}` can be seated for a simulation")]
    #[diagnostic(code(cli::bot), help("a seat is {known}"))]
    Bot { bot: String, known: &'static str },
    #[error("{given} bots for {players} seats")]
    #[diagnostic(code(cli::bots), help("name one bot for all seats, or one for each"))]
    Bots { given: usize, players: usize },
    #[error("`{path}` is no file of a simulation: {reason}")]
    #[diagnostic(
        code(cli::no_counts),
        help("such files are written by `astragal simulate --out FILE`")
    )]
    NoCounts { path: String, reason: String },
    #[error("`{path}` holds counts of something else: its {what} differs")]
    #[diagnostic(code(cli::other_counts), help("add up only parts of one simulation"))]
    OtherCounts { path: String, what: &'static str },
    #[error("`{path}` holds playouts that were counted already")]
    #[diagnostic(
        code(cli::counted_twice),
        help("name every part once; parts are made with `--shard`")
    )]
    CountedTwice { path: String },
    #[error("{reason}")]
    #[diagnostic(code(cli::unsolved), help("{help}"))]
    Unsolved { reason: String, help: &'static str },
    #[error("the operating system gives no random number")]
    #[diagnostic(code(cli::no_seed), help("choose a seed yourself: `--seed 1`"))]
    NoSeed,
}

impl CliError {
    /// Says where a script names the file that cannot be used.
    pub(super) fn named_at(mut self, place: Span) -> CliError {
        if let CliError::Unreadable { span, .. }
        | CliError::Folder { span, .. }
        | CliError::NotText { span, .. }
        | CliError::TooLarge { span, .. }
        | CliError::IsScript { span, .. }
        | CliError::UnknownGame { span, .. } = &mut self
        {
            *span = Some(place);
        }
        self
    }
}

fn filtered(filter: Option<&str>) -> String {
    filter.map(|text| format!(" whose path holds `{text}`")).unwrap_or_default()
}

fn impossible(event: &str, outcome: &str) -> String {
    if outcome.is_empty() {
        return format!("`{event}` lacks an outcome");
    }
    format!("`{event}` never comes out as `{outcome}`")
}

fn nothing_unfinished(game: Option<&str>) -> String {
    match game {
        Some(game) => format!("there is no unfinished game of `{game}`"),
        None => "there is no unfinished game".to_owned(),
    }
}
