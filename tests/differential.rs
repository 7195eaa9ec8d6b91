//! The reference plays every game beside the engines, and they agree at each step.

pub(crate) mod generate;

use std::path::Path;

use astragal::machinery::chance::Seed;
use astragal::machinery::compile::compile;
use astragal::machinery::game::Game;
use astragal::machinery::lockstep::{Limits, compare_engines, error};
use astragal::machinery::pipeline::Ruleset;

use crate::support::{
    amount, below, checked, draw, first_game, game_files, read, rules, some_games, without_advice,
};

/// How many games are played by an ordinary run, all together.
const USUAL: usize = 20;

/// How many made-up programs an ordinary run plays.
const USUAL_PROGRAMS: usize = 200;

/// How many games of each made-up program are played.
const TO_A_PROGRAM: usize = 4;

/// How many settings of one game are played at most.
const MOST_SETTINGS: usize = 100;

/// A game that has cost the reference so many expressions is played no more: the others are played more often.
const MOST_EXPRESSIONS: u64 = 100_000_000;

#[test]
fn reference_and_engine_agree_on_every_game() {
    let files = game_files(&["examples", "tests/games", "games"]);
    let rules: Vec<Ruleset> = files.iter().map(|path| rules(&below(path), &read(path))).collect();
    let most = playouts().div_ceil(files.len()).min(MOST_SETTINGS);
    let games: Vec<_> = rules.iter().map(|rules| some_games(rules, most)).collect();
    let mut played = vec![(0_usize, 0_u64); files.len()];
    let mut disagree = Vec::new();
    for seed in 0.. {
        for (at, games) in games.iter().enumerate() {
            let (playouts, expressions) = &mut played[at];
            if *expressions < MOST_EXPRESSIONS {
                *playouts += 1;
                let (setting, game) = &games[seed % games.len()];
                match playout((setting, game), seed as u64) {
                    Ok(more) => *expressions += more,
                    Err(found) => {
                        disagree.push(format!("{}, {found}", below(&files[at])));
                        *expressions = MOST_EXPRESSIONS;
                    }
                }
            }
        }
        let ends = played.iter().all(|(_, expressions)| *expressions >= MOST_EXPRESSIONS);
        if ends || played.iter().map(|(playouts, _)| playouts).sum::<usize>() >= playouts() {
            break;
        }
    }
    for (path, (playouts, expressions)) in files.iter().zip(&played) {
        println!("{}: {playouts} playouts, {expressions} expressions", below(path));
    }
    assert!(disagree.is_empty(), "{}", disagree.join("\n\n"));
}

#[test]
fn reference_and_engine_stop_at_the_same_places() {
    for path in game_files(&["tests/differential/stops"]) {
        agree(&path, playouts()).unwrap();
    }
}

#[test]
fn reference_and_engine_agree_on_made_up_programs() {
    let programs = amount("ASTRAGAL_DIFFERENTIAL", USUAL_PROGRAMS * TO_A_PROGRAM) / TO_A_PROGRAM;
    let disagree = (0..).take(programs).filter_map(|seed| {
        let (name, text) = (format!("made up {seed}"), generate::program(seed));
        let (checked, source) = checked(&name, &text);
        let Some(rules) = checked.rules else {
            let found = draw(&source, &without_advice(checked.diagnostics));
            return Some(format!("{name} is no game:\n{found}"));
        };
        let found = playouts_of(&rules, TO_A_PROGRAM);
        found.err().map(|found| format!("{text}\n{name}, {found}"))
    });
    let disagree: Vec<String> = disagree.collect();
    assert!(disagree.is_empty(), "{} disagree\n{}", disagree.len(), disagree.join("\n\n"));
}

/// A program of other rules is a wrong one.
#[test]
fn a_wrong_program_is_found() {
    let text = |most: usize| {
        format!(
            "game \"Sticks\" {{ players 2 }}\nthe table has {{ sticks: 0..7 = 7 }}\nplay {{\n  turns me from \
             Player.first {{\n    choose me {{ take(n) for n in 1..min({most}, sticks) {{ sticks -= n }} }}\n    if \
             sticks == 0 {{ finish win others(me) }}\n  }}\n}}\n"
        )
    };
    let (right, wrong) = (rules("right", &text(3)), rules("wrong", &text(2)));
    let setting = first_game(&right).setting().clone();
    let program = compile(&wrong.rules, &setting, &wrong.sources).expect("the rules are right");
    let game = Game::new(right.rules.clone(), right.sources.clone(), setting, program);
    let found = compare_engines(&game, Seed(1), Limits::WHOLE).expect_err("the program is wrong");
    let told =
        error::disagrees(&found, None, "astragal check sticks.game --play 1 --players 2 --seed 1");
    insta::assert_snapshot!(format!("{}\n{}", told.message, told.help.unwrap_or_default()), @r#"
    astragal plays this game wrongly: the moves at step 0
    by the rules: ["take 1", "take 2", "take 3"]
    as it is played: ["take 1", "take 2"]
    this is a fault of astragal, not of your file: please send us the file and this command: astragal check sticks.game --play 1 --players 2 --seed 1
    "#);
}

/// How many games are to be played: `ASTRAGAL_DIFFERENTIAL` says it for runs by hand.
fn playouts() -> usize {
    amount("ASTRAGAL_DIFFERENTIAL", USUAL)
}

/// Plays games of a file, one setting after the other.
fn agree(path: &Path, playouts: usize) -> Result<(), String> {
    let name = below(path);
    let rules = rules(&name, &read(path));
    playouts_of(&rules, playouts).map_err(|found| format!("{name}, {found}"))
}

fn playouts_of(rules: &Ruleset, playouts: usize) -> Result<(), String> {
    let games = some_games(rules, playouts.min(MOST_SETTINGS));
    for (seed, (setting, game)) in (0..).zip(games.iter().cycle().take(playouts)) {
        playout((setting, game), seed)?;
    }
    Ok(())
}

/// Plays one game; returns how many expressions the reference has computed.
fn playout((setting, game): (&str, &Game), seed: u64) -> Result<u64, String> {
    // Every other game is played by machine code, where there is such.
    #[cfg(feature = "native")]
    if seed % 2 == 1 {
        let _ = astragal::machinery::native::accelerate(game.program(), false);
    }
    let compared = compare_engines(game, Seed(seed), Limits::WHOLE);
    let compared = compared.map_err(|found| format!("{setting}, seed {seed}: {found}"))?;
    Ok(compared.expressions)
}
