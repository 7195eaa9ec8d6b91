//! Uniform random playouts a second, one thread, next to plain hand-written twins.
//!
//! Fed with the numbers of the same streams, machine and twin play the same games, which is asserted.
//! They are timed in turns, the twin with a generator of its own, and the medians are compared, so the
//! ratio holds on any machine.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]
#![expect(clippy::disallowed_methods, reason = "a bench reads files")]
#![expect(clippy::cast_precision_loss, reason = "counts of playouts are far below 2^52")]

mod clash;
mod connect_four;
mod kuhn;
mod luck;
mod pig;
mod tic_tac_toe;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use astragal::machinery::chance::Seed;
use astragal::machinery::compile::{Pass, Passes};
use astragal::machinery::game::Game;
use astragal::machinery::pipeline::{GameOptions, OpenedFile, check, load};
use astragal::machinery::simulate::Playouts;
use astragal::machinery::source::Sources;
use luck::{Fast, Streams};

/// How often machine and twin take turns.
const ROUNDS: usize = 9;

/// The passes of the compiler that the word after this names, with commas between them, are switched off.
const WITHOUT: &str = "--without";

/// The same where passes are measured, of which there are many; each turn is half as long.
const ROUNDS_OF_A_PASS: usize = 5;

/// How long one turn should take.
const TURN: Duration = Duration::from_millis(60);

/// A game with, perhaps, a twin.
struct Case {
    name: String,
    file: PathBuf,
    table: GameOptions,
    twin: Option<Twin>,
}

/// A game written by hand, with either source of numbers; it gives the returns.
#[derive(Clone, Copy)]
struct Twin {
    same: fn(&mut Streams) -> [i64; 2],
    fast: fn(&mut Fast) -> [i64; 2],
}

macro_rules! twin {
    ($game:ident) => {
        Some(Twin { same: $game::playout, fast: $game::playout })
    };
}

/// The games that are timed.
const CASES: &[(&str, &str, Option<Twin>)] = &[
    ("Tic-tac-toe", "examples/tic-tac-toe.game", twin!(tic_tac_toe)),
    ("Connect Four", "examples/connect-four.game", twin!(connect_four)),
    ("Elemental Clash", "games/elemental-clash/elemental-clash.game", twin!(clash)),
    ("Pig", "examples/pig.game", twin!(pig)),
    ("Kuhn poker", "examples/kuhn-poker.game", twin!(kuhn)),
    ("Othello", "examples/othello.game", None),
    ("Backgammon", "examples/backgammon.game", None),
    ("Go", "examples/go.game", None),
    ("Draughts", "examples/draughts.game", None),
    ("Hex", "examples/hex.game", None),
    ("Hearts", "examples/hearts.game", None),
    ("Leduc poker", "examples/leduc.game", None),
    ("Love Letter", "examples/love-letter.game", None),
    ("Tice", "games/tice/tice.game", None),
    ("Elemento", "games/elemento/elemento.game", None),
    ("Dice Realms", "games/dice-realms/dice-realms.game", None),
    ("Elemental Card-Dice Game", "games/card-dice/card-dice.game", None),
    ("Nim", "examples/nim.game", None),
];

fn main() {
    if std::env::args().any(|it| it == "--passes") {
        return wanted().iter().for_each(measure_passes);
    }
    println!(
        "| game | playouts/s | native | times | events a playout | ns an event | native | ratio | \
         native |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    wanted().iter().for_each(measure);
    println!("\n| game | bytes of a state | ns a copy | ms to compile | bytes of code |");
    println!("|---|---:|---:|---:|---:|");
    wanted().iter().for_each(measure_size);
}

/// The games whose titles contain a word of the command line, and the files that it names, such as
/// `growth.game,players=4,size=16`; all games, where there is none.
fn wanted() -> Vec<Case> {
    let all: Vec<String> = std::env::args().skip(1).collect();
    let after_flag = all.iter().position(|it| it == WITHOUT).map(|at| at + 1);
    let words = (0..).zip(all).filter(|(at, it)| !it.starts_with('-') && after_flag != Some(*at));
    let words: Vec<String> = words.map(|(_, word)| word).collect();
    let (files, words): (Vec<_>, Vec<_>) = words.into_iter().partition(|it| it.contains(".game"));
    let all = words.is_empty() && files.is_empty();
    let known = CASES.iter().filter(|case| all || words.iter().any(|it| case.0.contains(it)));
    let known = known.map(|(name, file, twin)| Case {
        name: (*name).to_owned(),
        file: Path::new(env!("CARGO_MANIFEST_DIR")).join(file),
        table: GameOptions::default(),
        twin: *twin,
    });
    let files = files.into_iter().map(|name| {
        let (file, options) = name.split_once(',').unwrap_or((&name, ""));
        let (file, options) =
            (PathBuf::from(file), options.split(',').filter_map(|it| it.split_once('=')));
        let mut table = GameOptions::default();
        for (option, value) in options {
            match option {
                "players" => table.players = value.parse().ok(),
                _ => table.options.push((option.to_owned(), value.to_owned())),
            }
        }
        Case { file, table, name, twin: None }
    });
    known.chain(files).collect()
}

/// A row of the second table in `docs/performance.md`: copying a state into one that is there, as
/// playouts and searches do.
fn measure_size(case: &Case) {
    let game = game(case);
    let begun = now();
    let code = accelerate(&game);
    let milliseconds = now().saturating_sub(begun).as_secs_f64() * 1e3;
    let mut playouts = Playouts::new(&game);
    playouts.play(Seed(1), 1).expect("the game has no mistakes");
    let state = playouts.last_state();
    let mut copy = state.clone();
    let mut work = |_| black_box(&mut copy).clone_from(black_box(state));
    let count = calibrate(&mut work);
    let times = (0..ROUNDS).map(|_| time(count, &mut work)).collect();
    let each = median(times).expect("there are rounds").as_nanos() as f64 / count as f64;
    let bytes = state.bytes();
    let compiled = code.map_or("- | -".to_owned(), |code| format!("{milliseconds:.0} | {code}"));
    println!("| {} | {bytes} | {each:.0} | {compiled} |", case.name);
}

fn measure(case: &Case) {
    let (game, native) = (game(case), game(case));
    let is_native = accelerate(&native).is_some();
    if let Some(twin) = case.twin {
        compare(case, &game, twin);
        compare(case, &native, twin);
    }
    let (mut slow, mut fast) = (Playouts::new(&game), Playouts::new(&native));
    let mut machine = |number| drop(black_box(slow.play(Seed(1), number)));
    let mut code = |number| drop(black_box(fast.play(Seed(1), number)));
    let count = calibrate(&mut machine);
    let mut times = Times::default();
    let mut luck = Fast(1);
    for _ in 0..ROUNDS {
        times.machine.push(time(count, &mut machine));
        if is_native {
            times.code.push(time(count, &mut code));
        }
        if let Some(twin) = case.twin {
            times.twin.push(time(count, &mut |_| {
                black_box((twin.fast)(&mut luck));
            }));
        }
    }
    print_row(case, count, times, events(&game, count));
}

/// How much longer a game takes without each pass that did something for it, and without all. Without untested moves
/// a random player draws other games, so events are compared.
fn measure_passes(case: &Case) {
    let game = game(case);
    let fired = Pass::ALL.into_iter().filter(|pass| game.compiled().fired.has(*pass));
    let each = fired.map(|pass| (pass.name(), [pass].into_iter().collect()));
    for (name, off) in each.chain([("all", Passes::all())]) {
        let other = game.without(off).expect("there is room for it");
        let (mut on, mut off) = (Playouts::new(&game), Playouts::new(&other));
        let mut with = |number| drop(black_box(on.play(Seed(1), number)));
        let mut without = |number| drop(black_box(off.play(Seed(1), number)));
        let count = calibrate(&mut with).div_ceil(2);
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS_OF_A_PASS {
            let (with, without) = (time(count, &mut with), time(count, &mut without));
            ratios.push(without.as_nanos() as f64 / with.as_nanos() as f64);
        }
        ratios.sort_by(f64::total_cmp);
        let ratio = ratios[ROUNDS_OF_A_PASS / 2] * events(&game, count) as f64
            / events(&other, count) as f64;
        println!("{ratio:.3}\t{name}\t{}", case.name);
    }
}

/// How long each turn took.
#[derive(Default)]
struct Times {
    machine: Vec<Duration>,
    code: Vec<Duration>,
    twin: Vec<Duration>,
}

/// A row of the table in `docs/performance.md`. The ratio is how fast the machine is next to the
/// twin: 1 is as fast, 0.5 takes twice as long.
fn print_row(case: &Case, count: u64, times: Times, events: u64) {
    let each = events as f64 / count as f64;
    let playout = |times| median(times).map(|time| time.as_nanos() as f64 / count as f64);
    let (machine, code, twin) = (playout(times.machine), playout(times.code), playout(times.twin));
    let shown = |number: Option<f64>, places| {
        number.map_or("-".to_owned(), |number| format!("{number:.places$}"))
    };
    let of = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
    let rate = |time: Option<f64>| shown(time.map(|time| 1e9 / time), 0);
    let event = |time: Option<f64>| shown(time.map(|time| time / each), 0);
    let cells = [
        rate(machine),
        rate(code),
        shown(of(machine, code), 2),
        format!("{each:.1}"),
        event(machine),
        event(code),
        shown(of(twin, machine), 3),
        shown(of(twin, code), 3),
    ];
    println!("| {} | {} |", case.name, cells.join(" | "));
}

/// The decisions and draws of as many playouts as were timed.
fn events(game: &Game, count: u64) -> u64 {
    let mut playouts = Playouts::new(game);
    let mut of = |number| playouts.play(Seed(1), number).expect("the game has no mistakes");
    (0..count).map(&mut of).map(|played| played.decisions + played.draws).sum()
}

fn game(case: &Case) -> Game {
    let mut sources = Sources::default();
    let text = std::fs::read_to_string(&case.file).expect("the file is there");
    let name = case.file.file_name().and_then(|name| name.to_str()).expect("a file has a name");
    let rules =
        check(&mut sources, &OpenedFile::alone(name, &text)).rules.expect("the game is sound");
    let game = load(&rules, &case.table).expect("the table is one of the game");
    let off = std::env::args().skip_while(|it| it != WITHOUT).nth(1);
    let off = off.map_or_else(Passes::default, |names| names.parse().expect("names of passes"));
    game.without(off).expect("there is room for it")
}

/// Gives a game machine code, where there is such; its bytes.
#[cfg(feature = "native")]
fn accelerate(game: &Game) -> Option<usize> {
    astragal::machinery::native::accelerate(game.program(), false).ok()?;
    game.program().engine.code().map(astragal::machinery::bytecode::engine::MachineCode::size)
}

#[cfg(not(feature = "native"))]
fn accelerate(_: &Game) -> Option<usize> {
    None
}

/// Machine and twin must play the same games.
fn compare(case: &Case, game: &Game, twin: Twin) {
    let mut playouts = Playouts::new(game);
    for number in 0..2_000 {
        playouts.play(Seed(1), number).expect("the game has no mistakes");
        let returns = playouts.last_state().returns(game.program()).to_vec();
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
    let start = now();
    (0..count).for_each(play);
    now().saturating_sub(start)
}

/// The time of the processor that was used, where the system knows: other programs then hardly matter.
#[cfg(unix)]
fn now() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("the system has this clock").into()
}

#[cfg(not(unix))]
fn now() -> Duration {
    static BEGUN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BEGUN.elapsed()
}

fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}
