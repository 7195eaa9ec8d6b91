//! A second reading of the rules: a slow evaluator of checked rules plays every game beside the
//! machine, and they agree at each step.

mod cards;
mod chance;
mod choice;
mod clauses;
mod compare;
mod evaluator;
mod expression;
mod folds;
pub(crate) mod generate;
mod heap;
mod lockstep;
mod loops;
mod places;
mod statement;
mod together;
mod value;
mod words;

use std::path::Path;
use std::thread;

use astragal::game::Game;
use astragal::pipeline::Ruleset;

use crate::support::{
    amount, below, checked, draw, game_files, read, rules, some_games, without_advice,
};
use evaluator::Evaluator;
use lockstep::Lockstep;

/// Enough for rules that call themselves, walked as a tree.
const STACK: usize = 512 * 1024 * 1024;

/// How many games are played by an ordinary run, all together.
const USUAL: usize = 20;

/// How many games of each made-up program are played.
const TO_A_PROGRAM: usize = 4;

/// How many settings of one game are played at most.
const MOST_SETTINGS: usize = 100;

/// A game that has cost the evaluator so many expressions is played no more: the others are played more often.
const MOST_STEPS: usize = 100_000_000;

#[test]
fn evaluator_and_machine_agree_on_every_game() {
    let files = game_files(&["examples", "tests/games", "games"]);
    let rules: Vec<Ruleset> = files.iter().map(|path| rules(&below(path), &read(path))).collect();
    let most = playouts().div_ceil(files.len()).min(MOST_SETTINGS);
    let games: Vec<_> = rules.iter().map(|rules| some_games(rules, most)).collect();
    let mut played = vec![(0_usize, 0_usize); files.len()];
    let mut disagree = Vec::new();
    for seed in 0.. {
        for (at, games) in games.iter().enumerate() {
            let (playouts, steps) = &mut played[at];
            if *steps < MOST_STEPS {
                *playouts += 1;
                let (setting, game) = &games[seed % games.len()];
                match on_large_stack(|| playout((setting, game), seed as u64)) {
                    Ok(more) => *steps += more,
                    Err(found) => {
                        disagree.push(format!("{}, {found}", below(&files[at])));
                        *steps = MOST_STEPS;
                    }
                }
            }
        }
        let ends = played.iter().all(|(_, steps)| *steps >= MOST_STEPS);
        if ends || played.iter().map(|(playouts, _)| playouts).sum::<usize>() >= playouts() {
            break;
        }
    }
    for (path, (playouts, steps)) in files.iter().zip(&played) {
        println!("{}: {playouts} playouts, {steps} expressions", below(path));
    }
    assert!(disagree.is_empty(), "{}", disagree.join("\n\n"));
}

#[test]
fn evaluator_and_machine_stop_at_the_same_places() {
    for path in game_files(&["tests/differential/stops"]) {
        agree(&path, playouts()).unwrap();
    }
}

#[test]
fn evaluator_and_machine_agree_on_made_up_programs() {
    let disagree = (0..).take(playouts() / TO_A_PROGRAM).filter_map(|seed| {
        let (name, text) = (format!("made up {seed}"), generate::program(seed));
        let (checked, source) = checked(&name, &text);
        let Some(rules) = checked.rules else {
            let found = draw(&source, &without_advice(checked.diagnostics));
            return Some(format!("{name} is no game:\n{found}"));
        };
        let found = on_large_stack(|| playouts_of(&rules, TO_A_PROGRAM));
        found.err().map(|found| format!("{text}\n{name}, {found}"))
    });
    let disagree: Vec<String> = disagree.collect();
    assert!(disagree.is_empty(), "{} disagree\n{}", disagree.len(), disagree.join("\n\n"));
}

/// How many games are to be played: `ASTRAGAL_DIFFERENTIAL` says it for runs by hand.
fn playouts() -> usize {
    amount("ASTRAGAL_DIFFERENTIAL", USUAL)
}

/// Plays games of a file, one setting after the other.
fn agree(path: &Path, playouts: usize) -> Result<(), String> {
    let name = below(path);
    let rules = rules(&name, &read(path));
    on_large_stack(|| playouts_of(&rules, playouts)).map_err(|found| format!("{name}, {found}"))
}

fn playouts_of(rules: &Ruleset, playouts: usize) -> Result<(), String> {
    let games = some_games(rules, playouts.min(MOST_SETTINGS));
    for (seed, (setting, game)) in (0..).zip(games.iter().cycle().take(playouts)) {
        playout((setting, game), seed)?;
    }
    Ok(())
}

/// Plays one game; returns how many expressions the evaluator has computed.
fn playout((setting, game): (&str, &Game), seed: u64) -> Result<usize, String> {
    // Every other game is played by machine code, where there is such.
    #[cfg(feature = "native")]
    if seed % 2 == 1 {
        let _ = astragal::native::accelerate(game.program(), false);
    }
    let machine = Lockstep::new(game, seed);
    let evaluator = Evaluator::new(game.rules(), game.setting(), machine);
    evaluator.play().map_err(|story| format!("{setting}, seed {seed}: {story}"))
}

/// Does work that goes as deep as rules do; a panic becomes words.
fn on_large_stack<T: Send>(work: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let joined = thread.expect("a thread can be had").join();
        joined.unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or_else(|| panic.downcast_ref::<&str>().map(|&it| it.to_owned()));
            Err(words.unwrap_or_else(|| "the evaluator panics".to_owned()))
        })
    })
}
