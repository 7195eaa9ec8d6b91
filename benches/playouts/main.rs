//! Uniform random playouts a second, one thread, next to plain hand-written twins.
//!
//! Machine and twin play the same games with the same seeds, which is asserted; they are timed in
//! turns, and the medians are compared, so the ratio holds on any machine.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]
#![expect(clippy::disallowed_methods, reason = "a bench asks the clock")]
#![expect(clippy::cast_precision_loss, reason = "counts of playouts are far below 2^52")]

mod clash;
mod connect_four;
mod pig;
mod tic_tac_toe;

use std::hint::black_box;
use std::time::{Duration, Instant};

use astragal::chance::Seed;
use astragal::game::Game;
use astragal::pipeline::{Setting, check, load};
use astragal::simulate::Playouts;
use astragal::source::Sources;

/// How often machine and twin take turns.
const ROUNDS: usize = 15;

/// How long one turn should take.
const TURN: Duration = Duration::from_millis(60);

/// A game with, perhaps, a twin: it plays the game of a seed and number, and gives its returns.
struct Case {
    name: &'static str,
    file: &'static str,
    text: &'static str,
    twin: Option<fn(Seed, u64) -> Vec<i64>>,
}

fn main() {
    let cases = [
        Case {
            name: "Tic-tac-toe",
            file: "tic_tac_toe.game",
            text: include_str!("tic_tac_toe.game"),
            twin: Some(tic_tac_toe::playout),
        },
        Case {
            name: "Connect Four",
            file: "connect_four.game",
            text: include_str!("connect_four.game"),
            twin: Some(connect_four::playout),
        },
        Case {
            name: "Elemental Clash",
            file: "elemental-clash.game",
            text: include_str!("../../games/elemental-clash/elemental-clash.game"),
            twin: Some(clash::playout),
        },
        Case {
            name: "Pig",
            file: "pig.game",
            text: include_str!("../../examples/pig.game"),
            twin: Some(pig::playout),
        },
        Case {
            name: "Nim",
            file: "nim.game",
            text: include_str!("../../examples/nim.game"),
            twin: None,
        },
    ];
    println!("{:<16} {:>14} {:>14} {:>7}", "playouts/s", "machine", "by hand", "ratio");
    for case in cases {
        measure(&case);
    }
}

fn measure(case: &Case) {
    let game = game(case);
    if let Some(twin) = case.twin {
        compare(case, &game, twin);
    }
    let mut playouts = Playouts::new(&game);
    let mut machine = |number| {
        black_box(playouts.play(Seed(1), number).expect("the game has no mistakes"));
    };
    let count = calibrate(&mut machine);
    let (mut machines, mut twins) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        machines.push(time(count, &mut machine));
        if let Some(twin) = case.twin {
            twins.push(time(count, &mut |number| {
                black_box(twin(Seed(1), number));
            }));
        }
    }
    let machine = rate(count, median(machines));
    match case.twin {
        Some(_) => {
            let twin = rate(count, median(twins));
            println!("{:<16} {machine:>14.0} {twin:>14.0} {:>7.3}", case.name, machine / twin);
        }
        None => println!("{:<16} {machine:>14.0}", case.name),
    }
}

fn game(case: &Case) -> Game {
    let mut sources = Sources::default();
    let rules = check(&mut sources, case.file, case.text).rules.expect("the game is sound");
    load(&rules, &Setting::default()).expect("the game has its defaults")
}

/// Machine and twin must play the same games.
fn compare(case: &Case, game: &Game, twin: fn(Seed, u64) -> Vec<i64>) {
    let mut playouts = Playouts::new(game);
    for number in 0..2_000 {
        playouts.play(Seed(1), number).expect("the game has no mistakes");
        let returns = playouts.state().returns(game.program()).to_vec();
        assert_eq!(returns, twin(Seed(1), number), "{} game {number}", case.name);
    }
}

/// How many playouts fit into a turn, about.
fn calibrate(play: &mut impl FnMut(u64)) -> u64 {
    let mut count = 16;
    while time(count, play) < TURN {
        count *= 2;
    }
    count
}

fn time(count: u64, play: &mut impl FnMut(u64)) -> Duration {
    let start = Instant::now();
    (0..count).for_each(play);
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn rate(count: u64, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}
