//! Whether the verdicts of `astragal simulate` hold: games of which the truth is known are simulated many times, and each
//! verdict is counted. `cargo bench --bench verdicts`, or `-- 200` for fewer simulations.

#![allow(clippy::print_stdout, reason = "it reports")]

use std::path::PathBuf;
use std::process::Command;
use std::thread;

use serde_json::Value;

/// A game, how it is simulated, and which verdicts are counted.
struct Known {
    file: &'static str,
    playouts: u64,
    more: &'static [&'static str],
    counted: &'static [Counted],
}

/// What is counted, whether a simulation shows it, and how often it may or must.
type Counted = (&'static str, fn(&Value) -> bool, Bound);

#[derive(Clone, Copy)]
enum Bound {
    /// A false verdict: nominally 5 of 1,000.
    Rare,
    /// An effect that is there: 900 of 1,000.
    Found,
}

const ALL: [Known; 5] = [
    Known {
        file: "even",
        playouts: 20_000,
        more: &[],
        counted: &[
            ("not fair", |it| says(it, "Not fair"), Bound::Rare),
            ("fair", |it| says(it, "Fair"), Bound::Found),
            ("a move goes with winning", |it| says(it, "`"), Bound::Rare),
        ],
    },
    Known {
        file: "ahead",
        playouts: 4_000,
        more: &[],
        counted: &[
            ("fair", |it| says(it, "Fair"), Bound::Rare),
            ("not fair", |it| says(it, "Not fair"), Bound::Found),
        ],
    },
    Known {
        file: "card",
        playouts: 30_000,
        more: &[],
        counted: &[(
            "`take best` is clear",
            |it| clear(it).any(|of| of == "take best"),
            Bound::Found,
        )],
    },
    Known {
        file: "noise",
        playouts: 15_000,
        more: &[],
        counted: &[
            ("a card is clear", |it| clear(it).next().is_some(), Bound::Rare),
            ("goes with winning, or too strong", |it| says(it, "`"), Bound::Rare),
        ],
    },
    Known {
        file: "twins",
        playouts: 2_000,
        more: &["--vary", "longer=no,yes"],
        counted: &[("a clear difference", differs, Bound::Rare)],
    },
];

fn says(run: &Value, word: &str) -> bool {
    let answers = run["answers"].as_array().into_iter().flatten();
    answers.filter_map(Value::as_str).any(|answer| answer.starts_with(word))
}

fn clear(run: &Value) -> impl Iterator<Item = &str> {
    let choices = run["choices"].as_array().into_iter().flatten();
    choices.filter(|it| it["clear"] == true).filter_map(|it| it["choice"].as_str())
}

fn differs(compared: &Value) -> bool {
    let sentences = compared["differences"][0]["sentences"].as_array().into_iter().flatten();
    sentences.filter_map(Value::as_str).any(|sentence| !sentence.starts_with("No clear difference"))
}

fn simulate(known: &Known, seed: usize) -> Value {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/verdicts").join(known.file);
    let output = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(["simulate".as_ref(), file.with_extension("game").as_os_str()])
        .args(["-n", &known.playouts.to_string(), "--seed", &seed.to_string()])
        .args(["--threads", "1", "--format", "json"])
        .args(known.more)
        .output()
        .expect("the program runs");
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

fn main() {
    let asked = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let simulations: usize = asked.unwrap_or(2_000);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    println!("game    games of each  verdict                            of {simulations}  holds");
    let mut all_hold = true;
    for known in &ALL {
        let count = |first: usize| {
            let mut counts = vec![0; known.counted.len()];
            for seed in (first..simulations).step_by(threads) {
                let found = simulate(known, seed);
                for (count, (_, holds, _)) in counts.iter_mut().zip(known.counted) {
                    *count += usize::from(holds(&found));
                }
            }
            counts
        };
        let parts = thread::scope(|scope| {
            let parts: Vec<_> =
                (0..threads).map(|first| scope.spawn(move || count(first))).collect();
            parts.into_iter().map(|part| part.join().expect("it counts")).collect::<Vec<_>>()
        });
        for (at, (what, _, bound)) in known.counted.iter().enumerate() {
            let times: usize = parts.iter().map(|counts| counts[at]).sum();
            // Of 2,000 simulations with 5 of 1,000 false verdicts, 29 are never reached by chance.
            let holds = match bound {
                Bound::Rare => times * 2_000 <= 29 * simulations,
                Bound::Found => times * 10 >= 9 * simulations,
            };
            all_hold &= holds;
            let (file, playouts) = (known.file, known.playouts);
            println!("{file:<7} {playouts:>13}  {what:<32}  {times:>7}  {holds}");
        }
    }
    assert!(all_hold, "a verdict does not hold");
}
