//! Errors about files, names and seats.

use std::num::NonZeroUsize;

use crate::diagnostic::diagnostics;
use crate::source::Span;

diagnostics! {
    /// A file that cannot be read or an argument that fits nothing.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum HostError;

    cli::unreadable => Unreadable { path: String, reason: String },
        "cannot read `{path}`: {reason}",
        help: "check the path and the rights of the file";
    cli::folder => Folder { path: String },
        "`{path}` is a folder", help: "name a file in it";
    cli::not_text => NotText { path: String, at: usize },
        "`{path}` is not a text file: byte {at} is not UTF-8",
        help: "save the file as UTF-8";
    cli::too_large => TooLarge { path: String, most: usize },
        "`{path}` is longer than {most} bytes",
        help: "name the file of a game or of a script";
    cli::is_script => IsScript { path: String },
        "`{path}` is a script, not the rules of a game",
        help: "`astragal run {path}` runs it, and `astragal play --load {path}` continues where \
            it ends";
    cli::is_game => IsGame { path: String },
        "`{path}` is a game, not a script",
        help: "`astragal play {path}` plays it; a script names it in its first line: `game {path}`";
    cli::unwritable => Unwritable { path: String, reason: String },
        "cannot write `{path}`: {reason}", help: "check the path and the rights of the folder";
    cli::unknown_game => UnknownGame { name: String, help: String },
        "there is no game `{name}`", help: help;
    cli::unknown_code => UnknownCode { code: String, help: String },
        "no error has the code `{code}`", help: help;
    cli::unknown_part => UnknownPart { word: String, parts: String },
        "the rulebook has no part `{word}`", help: "its parts are {parts}";
    cli::names => Names { names: usize, players: String },
        "expected names for {players}, found {names}",
        help: "give every player a name, or leave `--names` out";
    cli::bad_name => SameName { name: String },
        "`{name}` appears twice", help: "players are told apart by their names";
    cli::bad_name => BadName { name: String },
        "`{name}` cannot be the name of a player here",
        help: "a name has no `>`, `:`, `#` and comma, and is not the beginning of a script line";
    cli::seat => Seat { seat: String, players: usize, help: String },
        "there is no seat `{seat}`", help: "{help}; the seats are 1 to {players}, or `all`";
    cli::who => Who { who: String, known: String },
        "`{who}` cannot take a seat", help: "a seat is {known}";
    cli::exists => Exists { path: String },
        "`{path}` already exists", help: "choose another name, or remove it";
    cli::new_name => NewName { name: String, better: String },
        "`{name}` cannot be the name of a new game",
        help: "use small letters, digits and `-`, and no name of a file of the base: `{better}`";
    cli::no_games => NoGames { place: String },
        "there is no game in `{place}`",
        help: "name a file, or a folder that holds games: their names end with `.game`";
    cli::no_scripts => NoScripts { place: String, which: String },
        "there is no script to run in {place}{which}",
        help: "name a script, or a folder that holds some: their names end with `.script`";
    cli::no_player => NoPlayer { name: String, names: String },
        "no player is called `{name}`", help: "the players are {names}";
    cli::unknown_draw => UnknownDraw { event: String, help: String },
        "no draw is called `{event}`", help: help;
    cli::impossible_draw => ImpossibleDraw { event: String, outcome: String, help: String },
        (match outcome.as_str() {
            "" => format!("`{event}` needs an outcome"),
            outcome => format!("`{event}` cannot come out as `{outcome}`"),
        }),
        help: help;
    cli::no_turns => NoTurns { why: &'static str },
        "turns cannot be counted: {why}",
        help: "count decisions with `--depth`";
    cli::unused_draw => UnusedDraw { draw: String },
        "`{draw}` did not happen in the counted games",
        help: "leave it out, or count more decisions";
    cli::other_game => OtherGame { file: String, game: String },
        "`{file}` is a game of `{game}`, not of the one that is played",
        help: "leave this game and type `astragal play --load {file}`";
    cli::cut_off => CutOff { path: String },
        "`{path}` ends before its first move",
        help: "remove the file and start a new game";
    cli::leaves_the_flow => LeavesTheFlow { span: Span },
        "a script with `do` cannot be continued", span: "the game does not continue after this",
        help: "`do` leaves the flow of the game for good; `astragal run` runs such scripts";
    script::too_slow => TooSlow { seconds: String, limit: u64, span: Span },
        "the script took {seconds} s, more than {limit} s", span: "the limit",
        help: "ask bots for fewer decisions, or raise the limit";
    cli::not_replaced => NotReplaced { path: String, what: String, help: String },
        "`{path}` already exists, and {what}", help: help;
    cli::busy => Busy { path: String },
        "another program is writing `{path}`",
        help: "wait until it has ended, or choose another name";
    cli::full => Full { path: String, lines: usize, bytes: usize },
        "`{path}` is full: a saved game has at most {lines} lines and {bytes} bytes",
        help: "the saved part can be continued; later moves are not written";
    cli::nothing_unfinished => NothingUnfinished { game: Option<String>, command: &'static str },
        (match game {
            Some(game) => format!("there is no unfinished game of `{game}`"),
            None => "there is no unfinished game".to_owned(),
        }),
        help: (format!("start a game with `astragal {command} {}`", game.as_deref().unwrap_or("GAME")));
    cli::fewer_unfinished => FewerUnfinished { number: NonZeroUsize, count: usize, game: Option<String> },
        ({
            let of = game.as_ref().map(|game| format!(" of `{game}`")).unwrap_or_default();
            match count {
                1 => format!("only one game{of} is unfinished, so none has the number {number}"),
                _ => format!("only {count} games{of} are unfinished, so none has the number {number}"),
            }
        }),
        help: "`astragal play --resume` lists them, or continues the only one; with the name of a game, only those of \
            this game are numbered";
    cli::played_elsewhere => PlayedElsewhere { game: Option<String>, command: &'static str },
        "this game is being played already",
        help: (format!(
            "finish it there, or start another with `astragal {command} {}`",
            game.as_deref().unwrap_or("GAME")
        ));
    cli::bot => Bot { bot: String, known: String },
        "`{bot}` is not a bot", help: "a seat is {known}";
    cli::bots => Bots { given: usize, players: usize },
        "{given} bots for {players} seats", help: "name one bot for all seats, or one for each";
    cli::no_bot => NoBot { path: String, is_text: bool },
        (match is_text {
            true => format!("`{path}` holds nothing that a bot learned"),
            false => format!("no bot has learned into `{path}`"),
        }),
        help: "`astragal train GAME` of this version writes such files";
    cli::damaged_bot => DamagedBot { path: String },
        "`{path}` is not as `astragal train` wrote it",
        help: "let the bot learn again: `astragal train GAME --force`";
    cli::stale_bot => StaleBot { path: String },
        "`{path}` was learned for other rules, or with other players or options",
        help: "let the bot learn these: `astragal train GAME --force`, with the `--players` and `--option` of this game";
    cli::other_bot => OtherBot { path: String, seed: u64 },
        "`{path}` was learned from other games, of the seed {seed}",
        help: "`--seed {seed}` goes on with it; `--force` replaces it";
    cli::no_counts => NoCounts { path: String, reason: String },
        "`{path}` holds no results of `simulate`{reason}",
        help: "`astragal simulate --out FILE` of this version writes such files";
    cli::other_counts => OtherCounts { path: String, what: &'static str },
        "`{path}` is from another simulation, with {what}",
        help: "merge only parts of one simulation";
    cli::other_baseline => OtherBaseline { path: String },
        "`{path}` is of another number of players", help: "compare with counts of as many players";
    cli::counted_twice => CountedTwice { path: String, is_divided: bool },
        (match is_divided {
            true => format!("`{path}` overlaps another part: these were divided differently"),
            false => format!("`{path}` holds playouts that were counted already"),
        }),
        help: "name every part once; parts are made with `--shard`";
    cli::no_cards => NoCards { title: String },
        "{title} has no cards, score sheets, boards or tokens",
        help: "cards are declared with `cards Card of Face`; `astragal rules GAME --format html` writes \
            the rulebook";
    cli::unsolved => Unsolved { reason: String, help: &'static str },
        reason, help: (*help);
    cli::no_seed => NoSeed,
        "the operating system gives no random number", help: "choose a seed yourself: `--seed 1`";
}
