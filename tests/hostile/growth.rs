//! Twice as large a file takes twice as much work to check, to lay out and to write the rulebook of: each family
//! of files is written at a size and at twice that size, and what the program counts is compared.

use astragal::machinery::budget::{Budget, MAX_MEMORY, MAX_WORK};
use astragal::machinery::pipeline::{self, OpenedFile};
use astragal::machinery::rulebook::{Edition, rulebook};
use astragal::machinery::source::{Source, Sources, Span};
use astragal::machinery::syntax::{parse, tidy};

use super::families::{Family, families, long_game, many, plays};
use crate::support::{effort, files, read};

/// How much more a file of twice the size may take, in hundredths.
const TWICE: u64 = 230;

/// What every file takes, however small it is.
const FLOOR: u64 = 60_000;

/// What something takes that is done with a file; nothing where the file is refused before.
type Taken = fn(&str) -> Option<Budget>;

/// What is done with a file, and what it takes of a budget; nothing where the file is refused before.
const DEEDS: [(&str, Taken); 3] = [("check", checked), ("fmt", laid_out), ("rules", told)];

#[expect(clippy::unnecessary_wraps, reason = "the others may be refused")]
fn checked(text: &str) -> Option<Budget> {
    let mut sources = Sources::default();
    let opened = OpenedFile::alone("it.game", text);
    Some(pipeline::check(&mut sources, &opened).budget)
}

fn laid_out(text: &str) -> Option<Budget> {
    let (source, budget) = (Source::new("it.game", text), Budget::default());
    let (ast, found) = parse(&source);
    let _ = (!found.has_errors()).then(|| tidy(&source, &ast, &budget))?;
    Some(budget)
}

fn told(text: &str) -> Option<Budget> {
    let (mut sources, budget) = (Sources::default(), Budget::default());
    let rules =
        pipeline::check_without_compiling(&mut sources, &OpenedFile::alone("it.game", text))
            .rules?
            .rules;
    let (rules, sources) = (&rules, &sources);
    let _ = rulebook(&Edition { rules, sources, settings: &[], variants: &[] }, &budget);
    Some(budget)
}

/// What is wrong with how a family grows.
fn growth(family: &Family, (name, taken): (&str, Taken)) -> Option<String> {
    let size = family.size / 2;
    let (once, twice) = (taken(&family.file(size))?, taken(&family.file(2 * size))?);
    let (work, memory) = ((once.work(), twice.work()), (once.memory_used(), twice.memory_used()));
    let grows = |(once, twice): (u64, u64)| twice * 100 > once * TWICE + FLOOR * 100;
    (grows(work) || grows(memory) || is_spent(&twice))
        .then(|| format!("{name} {}: work {work:?}, memory {memory:?}", family.name))
}

fn is_spent(budget: &Budget) -> bool {
    budget.work() > MAX_WORK || budget.memory_used() > MAX_MEMORY
}

#[test]
fn games_need_a_tenth_of_the_budget_at_most() {
    for (name, taken) in DEEDS {
        let mut most = (0, 0);
        for path in files("games", "game").into_iter().chain(files("examples", "game")) {
            let Some(budget) = taken(&read(&path)) else { continue };
            let (work, memory) = (budget.work(), budget.memory_used());
            assert!(work * 10 <= MAX_WORK, "{name} {}: {work} steps", path.display());
            assert!(memory * 10 <= MAX_MEMORY, "{name} {}: {memory} bytes", path.display());
            most = (work.max(most.0), memory.max(most.1));
        }
        println!("{name}: {most:?}");
        assert!(most.0 > 0 && most.1 > 0, "{name}: nothing was counted");
    }
}

#[test]
fn twice_the_file_takes_twice_the_work() {
    let all = families();
    // Every eighth, unless more is asked for.
    let every = (8 / effort()).max(1);
    let tried = DEEDS.iter().flat_map(|deed| all.iter().map(move |family| (family, *deed)));
    let tried = tried.step_by(every);
    let wrong: Vec<String> = tried.filter_map(|(family, deed)| growth(family, deed)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_game_of_ten_thousand_lines_is_a_small_one() {
    let (once, twice) = (long_game(500), long_game(1000));
    assert!((10_000..10_100).contains(&once.lines().count()), "{} lines", once.lines().count());
    for (name, taken) in DEEDS {
        let budgets = [&once, &twice].map(|text| taken(text).expect("it is right"));
        let [once, twice] = budgets.map(|budget| (budget.work(), budget.memory_used()));
        let place = format!("{name}: {once:?}, {twice:?}");
        assert!(twice.0 * 100 <= once.0 * TWICE && twice.1 * 100 <= once.1 * TWICE, "{place}");
        assert!(once.0 * 4 <= MAX_WORK, "{place}");
        println!("{place}");
    }
}

/// What is much more than a file may take ends with a finding that names the declaration, whatever is done.
#[test]
fn too_much_is_refused_by_each_command() {
    // One long cell makes all others of its column as wide.
    let rows = many(20_000, "", |at| format!("  a{at} - 1\n"));
    let wide = format!("  b \"{}\" 1\n", "x".repeat(100_000));
    let drawn = format!("game \"G\" {{ players 2 }}\nkind A {{\n  c d\n{rows}{wide}}}\n");
    let budget = laid_out(&drawn).expect("it can be read");
    assert!(is_spent(&budget));
    let place = drawn.find("kind").expect("it stands there");
    let finding = budget.finding().expect("it took too much");
    assert_eq!(finding.place(), Span::new(place, place + 4));
    // What stands in each other is told in each of the ends inside.
    let ends = "  if n == 1 { finish draw }\n".repeat(4000);
    let long = format!("if n in {{{}}} {{\n", many(2000, ", ", |at| at.to_string()));
    let text = plays(&format!("{}{ends}{}", long.repeat(4), "}\n".repeat(4)));
    assert!(is_spent(&told(&text).expect("it is a game")));
}
