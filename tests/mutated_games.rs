//! Games of the project, changed as authors change them: the engines and the reference agree on each, and a game that
//! is written in another way goes on as before. A variant that says what was changed goes on as the changed
//! text.
//!
//! `ASTRAGAL_MUTANTS=2000 cargo test mutated_games` plays so many, `fuzz/run mutants` any number.

use crate::mutants::{Counts, Engine, Limits, Mutant, Seed, file_of, make, seeds, variant};
use crate::support::{amount, root};

/// How many mutants are played by an ordinary run.
const USUAL: usize = 100;

#[test]
fn mutants_agree() {
    println!("{}", agree(make));
}

#[test]
fn variants_agree_with_the_changed_text() {
    println!("{}", agree(variant));
}

/// Plays some; says what they came to.
fn agree(make: fn(u64, &[Seed]) -> Option<Mutant>) -> Counts {
    let seeds = seeds(root(), &[], &[]);
    let (mut counts, mut wrong) = (Counts::new(), Vec::new());
    for number in (0..).take(amount("ASTRAGAL_MUTANTS", USUAL)) {
        let native = cfg!(feature = "native") && number % 2 == 1;
        let engine = if native { Engine::Native } else { Engine::Interpreter };
        let limits = Limits { engine, decisions: 20, expressions: 30_000 };
        let Some(mutant) = make(number, &seeds) else { continue };
        let played = mutant.play(limits);
        counts.add(&mutant, &played);
        wrong.extend(played.err().map(|found| file_of(&mutant, &found, limits, true)));
    }
    let found = wrong.join("\n\n");
    assert!(wrong.is_empty(), "{counts}\n{} mutants differ\n{found}", wrong.len());
    counts
}
