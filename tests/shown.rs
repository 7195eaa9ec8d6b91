//! What each game shows, as checksums: whoever changes the words of a book, a view, the code of a game or what bots
//! choose sees for which games.
//!
//! `ASTRAGAL_SHOWN=FOLDER cargo test shown` writes the texts themselves into a folder, to compare them with those of
//! an earlier state.

use std::fmt::Write;
use std::path::Path;

use astragal::bots::{Analysis, Kind};
use astragal::budget::Budget;
use astragal::bytecode::disassemble::disassemble;
use astragal::chance::Seed;
use astragal::game::{Game, Player};
use astragal::pipeline::Ruleset;
use astragal::progress::UNWATCHED;
use astragal::rulebook::{Edition, rulebook};
use astragal::simulate::{Batch, simulate};

use crate::support::{
    below, checksum, files, first_game, game_files, playout, read, rules, snapshots, some_games,
};

/// At how many states of a game everybody looks at the table.
const MOST_VIEWS: usize = 12;
/// How many games of a file are simulated; more threads than one share them.
const SIMULATED: u64 = 10;
const THREADS: usize = 2;

#[test]
fn games_show_what_they_showed() {
    let mut paths = game_files(&["games", "examples", "tests/games"]);
    paths.extend(files("tests/bots", "game"));
    let mut sums = String::new();
    for path in paths {
        let name = below(&path);
        let rules = rules(&name, &read(&path));
        let game = first_game(&rules);
        let texts = [
            ("program", programs(&rules)),
            ("book", books(&rules, &game)),
            ("views", views(&game)),
            ("simulation", simulation(&game)),
        ];
        let _ = write!(sums, "{name}:");
        for (front, text) in texts {
            keep(&format!("{name}.{front}"), &text);
            let _ = write!(sums, " {front} {} {:08x}", text.lines().count(), checksum(&text));
        }
        sums.push('\n');
    }
    let _guard = snapshots("games");
    insta::assert_snapshot!("shown", sums);
}

/// The code for some settings, with the words of a state.
fn programs(rules: &Ruleset) -> String {
    let games = some_games(rules, 2);
    let listings = games.iter().map(|(setting, game)| {
        let program = game.program();
        format!("{setting}: {} words\n{}\n", program.slots, disassemble(program))
    });
    listings.collect()
}

/// The book for all settings, and for the first.
fn books(rules: &Ruleset, game: &Game) -> String {
    let book = |setting| {
        let (rules, sources) = (&rules.rules, &rules.sources);
        let edition = Edition { rules, sources, setting, variants: &[] };
        rulebook(&edition, &Budget::default()).expect("there is room for the book").markdown()
    };
    [book(None), book(Some(game.setting()))].join("\n")
}

/// The table at some states of a random game, as it is and as each seat sees it.
fn views(game: &Game) -> String {
    let (mut states, mut all) = (0_usize, String::new());
    let mut look = |state: &_, _: &_, _| {
        states += 1;
        if states.is_power_of_two() && states < 1 << MOST_VIEWS {
            let seats = (0..).take(game.info().players).map(|seat| Some(Player(seat)));
            for seat in [None].into_iter().chain(seats) {
                let view = game.table_since(state, seat, &[].into(), false);
                let view = serde_json::to_string_pretty(&view).expect("a view is JSON");
                let _ = writeln!(all, "{states} {seat:?} {view}");
            }
        }
    };
    playout(game, 3, &mut look).expect("the game has no mistake");
    all
}

/// What random players come to.
fn simulation(game: &Game) -> String {
    let games = [Analysis::new(game.clone())];
    let seats = vec![Kind::Random; game.info().players];
    let batch = Batch {
        games: &games,
        seats: &seats,
        seed: Seed(3),
        threads: THREADS,
        clock: || 0,
        records: false,
        checks: true,
    };
    let all = simulate(batch, 0..SIMULATED, &UNWATCHED).expect("the game has no mistake");
    format!("{:#?}", all.tallies)
}

fn keep(name: &str, text: &str) {
    let Some(folder) = std::env::var_os("ASTRAGAL_SHOWN") else { return };
    let path = Path::new(&folder).join(name.replace(['/', '\\'], "-"));
    std::fs::write(path, text).expect("the folder is there");
}
