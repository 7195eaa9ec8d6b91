//! Plays mutants: `fuzz/run mutants --from SEED --count N`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use astragal_fuzz::mutants::{
    Counts, Edit, Engine, Limits, Mutant, Seed, Wrong, edited, file_of, make, play, seeds, shrunk,
};
use astragal::pipeline::Ruleset;

/// Enough for rules that call themselves, walked as a tree.
const STACK: usize = 1024 * 1024 * 1024;

/// How many mutants are told between two lines of progress.
const A_WHILE: u64 = 1000;

/// What was asked for.
struct Wanted {
    from: u64,
    count: u64,
    jobs: usize,
    limits: Limits,
    seeds: Vec<Seed>,
    /// Where faults are kept, and which ranges are done.
    folder: PathBuf,
    /// Prints the mutants and plays nothing.
    show: bool,
    shrink: bool,
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
            if let Some(mutant) = make(number, &wanted.seeds) {
                println!("{}", mutant.draft.text);
            }
        }
        return 0.into();
    }
    std::panic::set_hook(Box::new(|_| {}));
    let begun = Instant::now();
    let (next, found) = (AtomicU64::new(wanted.from), Mutex::new(BTreeMap::new()));
    let counts = Mutex::new(Counts::new());
    thread::scope(|scope| {
        for _ in 0..wanted.jobs {
            let builder = thread::Builder::new().stack_size(STACK);
            let work = || work(&wanted, &next, &counts, &found);
            builder.spawn_scoped(scope, work).expect("a thread can be had");
        }
    });
    let counts = counts.into_inner().expect("nobody panics with it");
    let seconds = begun.elapsed().as_secs_f64();
    print!("{counts}");
    println!("{:.1} s, {:.3} s each", seconds, seconds / wanted.count.max(1) as f64);
    let found = found.into_inner().expect("nobody panics with it");
    for (sort, (first, times)) in &found {
        println!("{times:5} times, first {first}: {sort}");
    }
    record(&wanted, found.len());
    if found.is_empty() { 0.into() } else { 1.into() }
}

type Found = BTreeMap<String, (u64, usize)>;

fn work(wanted: &Wanted, next: &AtomicU64, counts: &Mutex<Counts>, found: &Mutex<Found>) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= wanted.from + wanted.count {
            return;
        }
        if (number - wanted.from) % A_WHILE == A_WHILE - 1 {
            eprintln!("{number}: {} wrong", counts.lock().expect("nobody panics with it").wrong);
        }
        let Some(mutant) = make(number, &wanted.seeds) else { continue };
        let before = mutant.before.first().and_then(|(text, _)| mutant.opened(text.clone()));
        let before = before.as_ref().map(|it| &it.ruleset);
        let played = play(&mutant.draft.ruleset, before, number, wanted.limits);
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
            keep(wanted, &mutant, &wrong);
        }
    }
}

/// Writes down a fault, as small as it becomes.
fn keep(wanted: &Wanted, mutant: &Mutant, wrong: &Wrong) {
    let (file, limits) = (wanted.folder.join(format!("{}.game", mutant.number)), wanted.limits);
    let again = |text: String, before: Option<&Ruleset>| {
        let draft = mutant.opened(text)?;
        let found = play(&draft.ruleset, before, mutant.number, limits).err()?;
        Some(found).filter(|it| it.sort == wrong.sort)
    };
    let opened = |text: &str| mutant.opened(text.to_owned()).map(|it| it.ruleset);
    let (text, edits) = match wrong.sort.starts_with("before") {
        false => (mutant.draft.text.clone(), Vec::new()),
        // One of the changes in a row is at fault.
        true => {
            let mut steps = mutant.before.iter();
            let fault = steps.find(|(text, edits)| {
                edited(text, edits).is_some_and(|it| again(it, opened(text).as_ref()).is_some())
            });
            fault.or(mutant.before.last()).cloned().unwrap_or_default()
        }
    };
    let differs = |text: &str, edits: &[Edit]| match edits.is_empty() {
        true => again(text.to_owned(), None),
        false => again(edited(text, edits)?, opened(text).as_ref()),
    };
    let same = |it: &Wrong| it.sort == wrong.sort;
    let (text, edits) = if wanted.shrink {
        shrunk(&mutant.draft.seed, &text, &edits, &mut |draft, edits| {
            differs(&draft.text, edits).is_some_and(|it| same(&it))
        })
    } else {
        (text, edits)
    };
    let now = differs(&text, &edits);
    let after = edited(&text, &edits).unwrap_or_default();
    let before = (!edits.is_empty()).then_some(text.as_str());
    let words = file_of(mutant, now.as_deref().unwrap_or(wrong), limits.engine, before, &after);
    let _ = fs::create_dir_all(&wanted.folder);
    let _ = fs::write(file, words);
}

/// Writes down which mutants were played.
fn record(wanted: &Wanted, sorts: usize) {
    use std::io::Write;
    let _ = fs::create_dir_all(&wanted.folder);
    let ranges = fs::OpenOptions::new().create(true).append(true).open(wanted.folder.join("ranges.txt"));
    if let Ok(mut ranges) = ranges {
        let last = wanted.from + wanted.count;
        let engine = wanted.limits.engine;
        let _ = writeln!(ranges, "{}..{last} {engine:?} {} seeds, {sorts} sorts of faults", wanted.from, wanted.seeds.len());
    }
}

const USAGE: &str = "\
mutants [--from NUMBER] [--count N] [-j THREADS] [--engine native] [--only WORD]… [--without-seeds WORD]…
        [--seeds FOLDER]… [--decisions N] [--expressions N] [--keep N] [--no-shrink] [--show]";

fn wanted() -> Result<Wanted, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it lies in the project");
    let mut limits = Limits { engine: Engine::Interpreter, decisions: 40, expressions: 150_000 };
    let (mut from, mut count, mut jobs, mut show, mut shrink) = (0, 1000, 2, false, true);
    let mut keep = 10;
    let (mut only, mut without, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
        let number = |word: String| word.parse::<u64>().map_err(|_| format!("`{word}` is no number"));
        let small = |word: String| word.parse::<usize>().map_err(|_| format!("`{word}` is no number"));
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
    Ok(Wanted { from, count, jobs, limits, seeds: all, folder, show, shrink, keep })
}
