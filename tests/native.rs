//! Machine code and the interpreter: the same games, traps and counts.

use astragal::machinery::bots::{Analysis, BotKind};
use astragal::machinery::chance::Seed;
use astragal::machinery::game::{Game, LegalMoves, Step};
use astragal::machinery::native::accelerate;
use astragal::machinery::pipeline::Ruleset;
use astragal::machinery::progress::Progress;
use astragal::machinery::simulate::{Batch, Playouts, simulate};

use crate::differential::generate;
use crate::support::{amount, below, checked, game_files, read, rules, some_games};

/// How many playouts a game gets. Where `ASTRAGAL_NATIVE` says how many, all games get them under several
/// settings; else a few games do: to make code takes long where the maker of it is not optimised.
const PLAYOUTS: usize = 3;

/// Of how many games one is tried.
const SPARSE: usize = 12;

/// Under how many settings a game is played where all are.
const SETTINGS: usize = 4;

/// How many programs are made up.
const PROGRAMS: usize = 20;

/// How many decisions and draws of a game are gone through one by one.
const MOST_STEPS: usize = 3_000;

fn playouts() -> u64 {
    amount("ASTRAGAL_NATIVE", PLAYOUTS) as u64
}

fn is_thorough() -> bool {
    std::env::var_os("ASTRAGAL_NATIVE").is_some()
}

/// The same settings twice: interpreted, and as machine code.
fn both(ruleset: &Ruleset, marks: bool) -> Vec<(String, Game, Game)> {
    let settings = if is_thorough() { SETTINGS } else { 1 };
    let (slow, fast) = (some_games(ruleset, settings), some_games(ruleset, settings));
    let pairs = slow.into_iter().zip(fast);
    let pairs = pairs.map(|((setting, slow), (_, fast))| {
        accelerate(fast.program(), marks).expect("this processor is one of those that are known");
        (setting, slow, fast)
    });
    pairs.collect()
}

fn agree(name: &str, ruleset: &Ruleset) {
    for (setting, slow, fast) in both(ruleset, false) {
        assert!(fast.program().engine.code().is_some_and(|code| code.size() > 0), "{name}");
        let place = format!("{name}, {setting}");
        let (mut one, mut other) = (Playouts::new(&slow), Playouts::new(&fast));
        for number in 0..playouts() {
            assert_eq!(one.play(Seed(7), number), other.play(Seed(7), number), "{place}");
            assert_eq!(one.last_state(), other.last_state(), "{place}, playout {number}");
            assert_eq!(one.cut_off(), other.cut_off(), "{place}, playout {number}");
        }
        (0..playouts()).for_each(|number| go_along(&slow, &fast, number, &place));
    }
    for (setting, slow, fast) in both(ruleset, true).into_iter().take(1) {
        let counted = |game: &Game| {
            let (games, progress) = ([Analysis::new(game.clone())], Progress::new());
            let seats = vec![BotKind::Random; game.info().players];
            let (seed, clock) = (Seed(3), || 0);
            let (checks, records) = (false, false);
            let batch =
                Batch { games: &games, seats: &seats, seed, threads: 1, clock, checks, records };
            simulate(batch, 0..playouts(), &progress)
        };
        assert_eq!(counted(&slow), counted(&fast), "{name}, {setting}, counted");
    }
}

/// Goes through a game step by step; what is said is heard.
fn go_along(slow: &Game, fast: &Game, number: u64, place: &str) {
    let mut random = Seed(11).stream(number);
    let (mut state, mut same) = (slow.initial_state(), fast.initial_state());
    let (mut moves, mut same_moves) = (LegalMoves::new(), LegalMoves::new());
    for step in 0..MOST_STEPS {
        let stopped = slow.advance(&mut state, &mut moves);
        assert_eq!(stopped, fast.advance(&mut same, &mut same_moves), "{place}, step {step}");
        assert_eq!(moves.said, same_moves.said, "{place}, step {step}");
        let Ok(stopped) = stopped else { return };
        assert_eq!(state, same, "{place}, step {step}");
        let below = |count: usize, random: &mut astragal::machinery::chance::Seeded| {
            let count = u32::try_from(count).expect("few");
            astragal::machinery::chance::Chance::below(random, count)
        };
        match stopped {
            Step::End => return,
            Step::Draw { outcomes } => {
                let index = below(outcomes as usize, &mut random);
                slow.draw(&mut state, index);
                fast.draw(&mut same, index);
            }
            Step::Decide { .. } => {
                assert_eq!(moves.count(), same_moves.count(), "{place}, step {step}");
                let index = below(moves.count(), &mut random) as usize;
                slow.choose(&mut state, &moves, index);
                fast.choose(&mut same, &same_moves, index);
            }
        }
    }
}

#[test]
fn both_engines_play_the_same_games() {
    let step = if is_thorough() { 1 } else { SPARSE };
    for path in game_files(&["examples", "tests/games", "games"]).iter().step_by(step) {
        let path = path.as_path();
        agree(&below(path), &rules(&below(path), &read(path)));
    }
}

#[test]
fn both_engines_play_made_up_programs_alike() {
    for seed in 0..amount("ASTRAGAL_MADE_UP", PROGRAMS) as u64 {
        let text = generate::program(seed);
        let name = format!("made up {seed}");
        if let Some(rules) = checked(&name, &text).0.rules {
            agree(&format!("{text}\n{name}"), &rules);
        }
    }
}

/// A loop without end stops in both after the same work, at the same place.
#[test]
fn work_is_counted_alike() {
    let endless = "game \"Round\" { players 2 }\nthe table has { n: number = 0 }\n\
        rule more(x: number) -> number { var y = x\n  y += 1\n  return y }\n\
        play {\n  while n >= 0 { n = more(n) + more(1) - 2 }\n  finish draw\n}\n";
    for (setting, slow, fast) in both(&rules("round.game", endless), false) {
        let stop = |game: &Game| game.advance(&mut game.initial_state(), &mut LegalMoves::new());
        let stopped = stop(&slow);
        assert!(stopped.is_err(), "{setting}: {stopped:?}");
        assert_eq!(stopped, stop(&fast), "{setting}");
    }
}
