//! Twice as large a file takes twice as much work to check: each family of files is written at a size and at
//! twice that size, and what the program counts is compared.

use astragal::budget::{Budget, MAX_MEMORY, MAX_WORK};
use astragal::pipeline::{self, Opened};
use astragal::source::Sources;

use super::families::{Family, families};
use crate::support::{files, read};

/// How much more a file of twice the size may take, in hundredths.
const TWICE: u64 = 230;

/// What every file takes, however small it is.
const FLOOR: u64 = 60_000;

/// What checking a file takes.
fn taken(text: &str) -> Budget {
    let mut sources = Sources::default();
    let opened = Opened::alone("it.game", text);
    pipeline::check(&mut sources, &opened).budget
}

/// What is wrong with how a family grows.
fn growth(family: &Family) -> Option<String> {
    let size = family.size / 2;
    let (once, twice) = (taken(&family.file(size)), taken(&family.file(2 * size)));
    let (work, memory) = ((once.work(), twice.work()), (once.memory(), twice.memory()));
    let grows = |(once, twice): (u64, u64)| twice * 100 > once * TWICE + FLOOR * 100;
    let spent = twice.work() > MAX_WORK || twice.memory() > MAX_MEMORY;
    (grows(work) || grows(memory) || spent)
        .then(|| format!("{}: work {work:?}, memory {memory:?}", family.name))
}

#[test]
fn games_need_a_tenth_of_the_budget_at_most() {
    let mut most = (0, 0);
    for path in files("games", "game").into_iter().chain(files("examples", "game")) {
        let budget = taken(&read(&path));
        let (work, memory) = (budget.work(), budget.memory());
        assert!(work * 10 <= MAX_WORK, "{}: {work} steps", path.display());
        assert!(memory * 10 <= MAX_MEMORY, "{}: {memory} bytes", path.display());
        most = (work.max(most.0), memory.max(most.1));
    }
    assert!(most.0 > 0 && most.1 > 0, "nothing was counted");
}

#[test]
fn twice_the_file_takes_twice_the_work() {
    let wrong: Vec<String> = families().iter().filter_map(growth).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
