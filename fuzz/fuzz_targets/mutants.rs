//! Plays mutants: `fuzz/run mutants --from SEED --count N`.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use astragal_fuzz::mutants::{self, Counts, Engine, Limits, Mutant, Seed, file_of, seeds};
use astragal_fuzz::sittings::Sittings;

/// Enough for rules that call themselves, walked as a tree.
const STACK: usize = 64 * 1024 * 1024;

/// How many mutants are a range that is recorded when it is played.
const A_WHILE: usize = 1000;

/// What was asked for.
struct Wanted {
    from: u64,
    count: u64,
    jobs: usize,
    limits: Limits,
    seeds: Vec<Seed>,
    /// Where faults are kept.
    folder: PathBuf,
    sittings: Sittings,
    /// Prints the mutants and plays nothing.
    show: bool,
    shrink: bool,
    make: fn(u64, &[Seed]) -> Option<Mutant>,
    /// How many faults of one sort are made smaller and kept.
    keep: usize,
}

fn main() -> std::process::ExitCode {
    let wanted = match wanted() {
        Ok(wanted) => wanted,
        Err(words) => {
            eprintln!("{words}\n\n{USAGE}");
            return 2.into();
        }
    };
    if wanted.show {
        for number in wanted.from..wanted.from + wanted.count {
            if let Some(mutant) = (wanted.make)(number, &wanted.seeds) {
                println!("{}", mutant.draft.text);
            }
        }
        return 0.into();
    }
    // A panic of one mutant tells where it is.
    if wanted.count > 1 {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let begun = Instant::now();
    let (counts, found) = (Mutex::new(Counts::new()), Mutex::new(Found::new()));
    let mut played = 0;
    for from in (wanted.from..wanted.from + wanted.count).step_by(A_WHILE) {
        let range = from..(from + A_WHILE as u64).min(wanted.from + wanted.count);
        if wanted.sittings.has(&range) {
            println!("{}..{} was played before", range.start, range.end);
            continue;
        }
        let before = counts.lock().expect("nobody panics with it").wrong;
        play_range(&wanted, &range, &counts, &found);
        let wrong = counts.lock().expect("nobody panics with it").wrong;
        eprintln!("{}..{}: {} wrong", range.start, range.end, wrong - before);
        wanted.sittings.add(&range, wrong - before);
        played += range.end - range.start;
    }
    let seconds = begun.elapsed().as_secs_f64();
    print!("{}", counts.into_inner().expect("nobody panics with it"));
    println!("{seconds:.1} s, {:.3} s each", seconds / played.max(1) as f64);
    let found = found.into_inner().expect("nobody panics with it");
    for (sort, (first, times)) in &found {
        println!("{times:5} times, first {first}: {sort}");
    }
    if found.is_empty() { 0.into() } else { 1.into() }
}

/// By sort of fault the first mutant that has it, and how many do.
type Found = BTreeMap<String, (u64, usize)>;

fn play_range(wanted: &Wanted, range: &Range<u64>, counts: &Mutex<Counts>, found: &Mutex<Found>) {
    let next = AtomicU64::new(range.start);
    thread::scope(|scope| {
        for _ in 0..wanted.jobs {
            let builder = thread::Builder::new().stack_size(STACK);
            let work = || work(wanted, &next, range.end, counts, found);
            builder.spawn_scoped(scope, work).expect("a thread can be had");
        }
    });
}

fn work(wanted: &Wanted, next: &AtomicU64, end: u64, counts: &Mutex<Counts>, found: &Mutex<Found>) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= end {
            return;
        }
        let Some(mutant) = (wanted.make)(number, &wanted.seeds) else { continue };
        let played = mutant.play(wanted.limits);
        counts.lock().expect("nobody panics with it").add(&mutant, &played);
        let Err(wrong) = played else { continue };
        let mut found = found.lock().expect("nobody panics with it");
        let known = found.entry(wrong.sort.clone()).or_insert((number, 0));
        known.1 += 1;
        let times = known.1;
        drop(found);
        eprintln!("mutant {number} of {}: {}", mutant.draft.seed.name, wrong.sort);
        // Of one sort a few are looked at: they may be several faults.
        if times <= wanted.keep {
            let file = file_of(&mutant, &wrong, wanted.limits, wanted.shrink);
            let _ = fs::write(wanted.folder.join(format!("{number}.game")), file);
        }
    }
}

const USAGE: &str = "\
mutants [--from NUMBER] [--count N] [-j THREADS] [--engine native] [--only WORD]… [--without-seeds WORD]…
        [--seeds FOLDER]… [--decisions N] [--expressions N] [--keep N] [--no-shrink] [--unchanged] [--variants] [--worlds] [--show]";

fn wanted() -> Result<Wanted, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it lies in the project");
    let mut limits = Limits { engine: Engine::Interpreter, decisions: 40, expressions: 150_000 };
    let (mut from, mut count, mut jobs, mut show, mut shrink) = (0, 1000, 2, false, true);
    let (mut keep, mut make) = (10, mutants::make as fn(u64, &[Seed]) -> Option<Mutant>);
    let (mut only, mut without, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
        let number =
            |word: String| word.parse::<u64>().map_err(|_| format!("`{word}` is no number"));
        let small =
            |word: String| word.parse::<usize>().map_err(|_| format!("`{word}` is no number"));
        match word.as_str() {
            "--from" => from = number(value()?)?,
            "--count" => count = number(value()?)?,
            "-j" => jobs = small(value()?)?,
            "--decisions" => limits.decisions = number(value()?)?,
            "--expressions" => limits.expressions = number(value()?)?,
            "--keep" => keep = small(value()?)?,
            "--only" => only.push(value()?),
            "--without-seeds" => without.push(value()?),
            "--seeds" => folders.push(PathBuf::from(value()?)),
            "--no-shrink" => shrink = false,
            "--worlds" => limits.engine = Engine::Worlds,
            "--variants" => make = mutants::variant,
            "--unchanged" => make = mutants::unchanged,
            "--show" => show = true,
            "--engine" => match value()?.as_str() {
                "native" if cfg!(feature = "native") => limits.engine = Engine::Native,
                "interpreter" => {}
                other => return Err(format!("there is no engine `{other}`")),
            },
            other => return Err(format!("`{other}` is not known")),
        }
    }
    let mut all = seeds(root, &folders, &without);
    if !only.is_empty() {
        all.retain(|seed| only.iter().any(|word| seed.name.contains(word)));
    }
    if all.is_empty() {
        return Err("there are no such files".to_owned());
    }
    let folder = root.join("fuzz/artifacts/mutants");
    let sittings = Sittings::of(&folder, &all, limits);
    Ok(Wanted { from, count, jobs, limits, seeds: all, folder, sittings, show, shrink, make, keep })
}
