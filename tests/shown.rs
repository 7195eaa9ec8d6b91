//! What each game shows, as checksums: whoever changes a finding, the words of a book, a view or the code of a game
//! sees for which games.
//!
//! `ASTRAGAL_SHOWN=FOLDER cargo test shown` writes the texts themselves into a folder, to compare them with those of
//! an earlier state.

use std::fmt::Write;
use std::path::Path;

use astragal::machinery::bots::{Analysis, BotKind};
use astragal::machinery::budget::Budget;
use astragal::machinery::bytecode::disassemble::disassemble;
use astragal::machinery::chance::Seed;
use astragal::machinery::game::{Game, LegalMoves, Player, Step};
use astragal::machinery::pipeline::Ruleset;
use astragal::machinery::progress::UNWATCHED;
use astragal::machinery::rulebook::{Edition, rulebook};
use astragal::machinery::simulate::{Batch, simulate};

use crate::differential::generate::program;
use crate::docs;
use crate::errors::right_games;
use crate::support::{
    below, checked, checksum, draw, files, first_game, game_files, playout, read, snapshots,
    some_games,
};

/// At how many states of a game everybody looks at the table.
const MOST_VIEWS: usize = 12;
/// Where there are more moves they are not looked at.
const MOST_MOVES: usize = 200;
/// How many games of a file are simulated; more threads than one share them.
const SIMULATED: u64 = 10;
const THREADS: usize = 2;
/// How many made-up programs are looked at.
const MADE_UP: u64 = 100;

#[test]
fn games_show_what_they_showed() {
    let mut paths = game_files(&["games", "examples", "tests/games", "tests/differential/stops"]);
    paths.extend(["tests/bots", "tests/bytecode"].iter().flat_map(|folder| files(folder, "game")));
    let mut sums = Sums::default();
    paths.iter().for_each(|path| sums.add(&below(path), &below(path), &read(path)));
    for (page, text) in docs::examples() {
        // Its number would change with each example before it.
        sums.add(&format!("{page} {:08x}", checksum(&text)), &page, &text);
    }
    right_games().iter().for_each(|(code, text)| sums.add(code, code, text));
    for seed in 0..MADE_UP {
        let name = format!("made up {seed}");
        sums.add(&name, &name, &program(seed));
    }
    let _guard = snapshots("games");
    insta::assert_snapshot!("shown", sums.0);
}

/// A line for each game.
#[derive(Default)]
struct Sums(String);

impl Sums {
    fn add(&mut self, line: &str, name: &str, text: &str) {
        let (checked, source) = checked(name, text);
        let findings = draw(&source, &checked.diagnostics);
        // Some need the files that they are variants of.
        let Some(rules) = checked.rules else { return };
        let game = first_game(&rules);
        let texts = [
            ("findings", findings),
            ("program", programs(&rules)),
            ("book", books(&rules, &game)),
            ("views", views(&game)),
            ("simulation", simulation(&game)),
        ];
        self.0.push_str(line);
        for (front, text) in texts {
            keep(&format!("{line}.{front}"), &text);
            let _ = write!(self.0, " · {front} {} {:08x}", text.lines().count(), checksum(&text));
        }
        self.0.push('\n');
    }
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
    let book = |settings| {
        let (rules, sources) = (&rules.rules, &rules.sources);
        let edition = Edition { rules, sources, settings, variants: &[] };
        rulebook(&edition, &Budget::default()).expect("there is room for the book").markdown()
    };
    [book(&[]), book(std::slice::from_ref(game.setting()))].join("\n")
}

/// The table at some states of a random game, as it is and as each seat sees it.
fn views(game: &Game) -> String {
    let (mut states, mut all) = (0_usize, String::new());
    let mut look = |state: &_, legal: &LegalMoves, step| {
        states += 1;
        if states.is_power_of_two() && states < 1 << MOST_VIEWS {
            let seats = (0..).take(game.info().players).map(|seat| Some(Player(seat)));
            for seat in [None].into_iter().chain(seats) {
                let mut view = game.table_since(state, seat, &[].into(), false);
                if matches!(step, Step::Decide { .. }) && legal.count() <= MOST_MOVES {
                    game.add_question(state, legal, &mut view);
                }
                let view = serde_json::to_string_pretty(&view).expect("a view is JSON");
                let _ = writeln!(all, "{states} {seat:?} {view}");
            }
        }
    };
    if let Err(trap) = playout(game, 3, &mut look) {
        let _ = writeln!(all, "{trap:?}");
    }
    all
}

/// What random players come to.
fn simulation(game: &Game) -> String {
    let games = [Analysis::new(game.clone())];
    let seats = vec![BotKind::Random; game.info().players];
    let batch = Batch {
        games: &games,
        seats: &seats,
        seed: Seed(3),
        threads: THREADS,
        clock: || 0,
        records: false,
        checks: true,
    };
    format!("{:#?}", simulate(batch, 0..SIMULATED, &UNWATCHED).map(|all| all.tallies))
}

fn keep(name: &str, text: &str) {
    let Some(folder) = std::env::var_os("ASTRAGAL_SHOWN") else { return };
    let path = Path::new(&folder).join(name.replace(['/', '\\', ':', ' '], "-"));
    std::fs::write(path, text).expect("the folder is there");
}
