//! Uniform random playouts a second, one thread, next to plain hand-written twins.
//!
//! Fed with the numbers of the same streams, machine and twin play the same games, which is asserted.
//! They are timed in turns, the twin with a generator of its own, and the medians are compared, so the
//! ratio holds on any machine.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]
#![expect(clippy::disallowed_methods, reason = "a bench asks the clock")]
#![expect(clippy::cast_precision_loss, reason = "counts of playouts are far below 2^52")]

mod clash;
mod connect_four;
mod kuhn;
mod luck;
mod pig;
mod tic_tac_toe;

use std::hint::black_box;
use std::time::{Duration, Instant};

use astragal::chance::Seed;
use astragal::game::Game;
use astragal::pipeline::{GameOptions, Opened, check, load};
use astragal::simulate::Playouts;
use astragal::source::Sources;
use luck::{Fast, Streams};

/// How often machine and twin take turns.
const ROUNDS: usize = 15;

/// How long one turn should take.
const TURN: Duration = Duration::from_millis(60);

/// A game with, perhaps, a twin.
struct Case {
    name: &'static str,
    file: &'static str,
    text: &'static str,
    twin: Option<Twin>,
}

/// A game written by hand, with either source of numbers; it gives the returns.
#[derive(Clone, Copy)]
struct Twin {
    same: fn(&mut Streams) -> [i64; 2],
    fast: fn(&mut Fast) -> [i64; 2],
}

/// The games that are timed.
const CASES: &[Case] = &[
    Case {
        name: "Tic-tac-toe",
        file: "tic-tac-toe.game",
        text: include_str!("../../examples/tic-tac-toe.game"),
        twin: Some(Twin { same: tic_tac_toe::playout, fast: tic_tac_toe::playout }),
    },
    Case {
        name: "Connect Four",
        file: "connect-four.game",
        text: include_str!("../../examples/connect-four.game"),
        twin: Some(Twin { same: connect_four::playout, fast: connect_four::playout }),
    },
    Case {
        name: "Elemental Clash",
        file: "elemental-clash.game",
        text: include_str!("../../games/elemental-clash/elemental-clash.game"),
        twin: Some(Twin { same: clash::playout, fast: clash::playout }),
    },
    Case {
        name: "Pig",
        file: "pig.game",
        text: include_str!("../../examples/pig.game"),
        twin: Some(Twin { same: pig::playout, fast: pig::playout }),
    },
    Case {
        name: "Kuhn poker",
        file: "kuhn-poker.game",
        text: include_str!("../../examples/kuhn-poker.game"),
        twin: Some(Twin { same: kuhn::playout, fast: kuhn::playout }),
    },
    Case {
        name: "Love Letter",
        file: "love-letter.game",
        text: include_str!("../../examples/love-letter.game"),
        twin: None,
    },
    Case {
        name: "Tice",
        file: "tice.game",
        text: include_str!("../../games/tice/tice.game"),
        twin: None,
    },
    Case {
        name: "Elemento",
        file: "elemento.game",
        text: include_str!("../../games/elemento/elemento.game"),
        twin: None,
    },
    Case {
        name: "Dice Realms",
        file: "dice-realms.game",
        text: include_str!("../../games/dice-realms/dice-realms.game"),
        twin: None,
    },
    Case {
        name: "Elemental Card-Dice Game",
        file: "card-dice.game",
        text: include_str!("../../games/card-dice/card-dice.game"),
        twin: None,
    },
    Case {
        name: "Nim",
        file: "nim.game",
        text: include_str!("../../examples/nim.game"),
        twin: None,
    },
];

fn main() {
    println!("| game | playouts/s | ns a playout | events a playout | ns an event | ratio |");
    println!("|---|---:|---:|---:|---:|---:|");
    wanted().for_each(measure);
    println!("\n| game | bytes of a state | ns a copy |");
    println!("|---|---:|---:|");
    wanted().for_each(measure_copy);
}

/// The games whose titles contain a word of the command line; all, where there is none.
fn wanted() -> impl Iterator<Item = &'static Case> {
    let words: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    CASES
        .iter()
        .filter(move |case| words.is_empty() || words.iter().any(|it| case.name.contains(it)))
}

/// A row of the second table in `docs/performance.md`: copying a state into one that is there, as
/// playouts and searches do.
fn measure_copy(case: &Case) {
    let game = game(case);
    let mut playouts = Playouts::new(&game);
    playouts.play(Seed(1), 1).expect("the game has no mistakes");
    let state = playouts.state();
    let mut copy = state.clone();
    let mut work = |_| black_box(&mut copy).clone_from(black_box(state));
    let count = calibrate(&mut work);
    let times = (0..ROUNDS).map(|_| time(count, &mut work)).collect();
    let each = median(times).as_nanos() as f64 / count as f64;
    println!("| {} | {} | {each:.0} |", case.name, state.bytes());
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
    let mut luck = Fast(1);
    for _ in 0..ROUNDS {
        machines.push(time(count, &mut machine));
        if let Some(twin) = case.twin {
            twins.push(time(count, &mut |_| {
                black_box((twin.fast)(&mut luck));
            }));
        }
    }
    print_row(case, count, (machines, twins), events(&game, count));
}

/// A row of the table in `docs/performance.md`. The ratio is how fast the machine is next to the
/// twin: 1 is as fast, 0.5 takes twice as long.
fn print_row(
    case: &Case,
    count: u64,
    (machines, twins): (Vec<Duration>, Vec<Duration>),
    events: u64,
) {
    let machine = median(machines).as_nanos() as f64;
    let playout = machine / count as f64;
    let each = events as f64 / count as f64;
    let rate = 1e9 / playout;
    let ratio = match case.twin {
        Some(_) => format!("{:.3}", median(twins).as_nanos() as f64 / machine),
        None => "-".to_owned(),
    };
    let event = playout / each;
    println!("| {} | {rate:.0} | {playout:.0} | {each:.1} | {event:.0} | {ratio} |", case.name);
}

/// The decisions and draws of as many playouts as were timed.
fn events(game: &Game, count: u64) -> u64 {
    let mut playouts = Playouts::new(game);
    let mut of = |number| playouts.play(Seed(1), number).expect("the game has no mistakes");
    (0..count).map(&mut of).map(|played| played.decisions + played.draws).sum()
}

fn game(case: &Case) -> Game {
    let mut sources = Sources::default();
    let rules =
        check(&mut sources, &Opened::alone(case.file, case.text)).rules.expect("the game is sound");
    load(&rules, &GameOptions::default()).expect("the game has its defaults")
}

/// Machine and twin must play the same games.
fn compare(case: &Case, game: &Game, twin: Twin) {
    let mut playouts = Playouts::new(game);
    for number in 0..2_000 {
        playouts.play(Seed(1), number).expect("the game has no mistakes");
        let returns = playouts.state().returns(game.program()).to_vec();
        assert_eq!(
            returns,
            (twin.same)(&mut Streams::new(Seed(1), number)),
            "{} game {number}",
            case.name
        );
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
