//! From a number to a mutant.

use super::changes::{CHANGES, changed, pick};
use super::dice::Dice;
use super::draft::{Draft, Edit, Seed, open};

/// How many changes are picked before a mutant counts as not made.
const PICKS: usize = 24;

/// A changed file.
pub struct Mutant {
    pub number: u64,
    /// The texts before each of the changes that keep the game the same, and what these change.
    pub before: Vec<(String, Vec<Edit>)>,
    pub draft: Draft,
    /// The changes, by their places in the list.
    pub changes: Vec<usize>,
    /// How many picks of changes found no place.
    pub refused: Vec<usize>,
}

impl Mutant {
    /// Another text in the place of the mutant's.
    pub fn opened(&self, text: String) -> Option<Draft> {
        open(&self.draft.seed, text)
    }
}

/// The mutant of a number: first changes that alter the game, then changes that keep it.
pub fn make(number: u64, seeds: &[Seed]) -> Option<Mutant> {
    let mut dice = Dice::new(number);
    let seed = dice.pick(seeds)?;
    let mut draft = open(seed, seed.text.clone())?;
    let (mut changes, mut refused) = (Vec::new(), Vec::new());
    // Half of the mutants are altered, half are written in another way, some are both.
    let (altering, keeping) = match dice.below(4) {
        0 => (0, 1 + dice.below(4)),
        1 => (1 + dice.below(3), 1 + dice.below(3)),
        _ => (1 + dice.below(5), 0),
    };
    let mut before = Vec::new();
    for (keeps, wanted) in [(false, altering), (true, keeping)] {
        let mut made = 0;
        for _ in 0..PICKS {
            if made == wanted {
                break;
            }
            let at = pick(keeps, &mut dice);
            match changed(&draft, &CHANGES[at], &mut dice) {
                Some((next, edits)) => {
                    let earlier = std::mem::replace(&mut draft, next);
                    if keeps {
                        before.push((earlier.text, edits));
                    }
                    changes.push(at);
                    made += 1;
                }
                None => refused.push(at),
            }
        }
    }
    Some(Mutant { number, before, draft, changes, refused })
}
