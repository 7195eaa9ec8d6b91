//! From a number to a mutant.

use super::changes::{CHANGES, changed, pick, pick_widening};
use super::dice::Dice;
use super::draft::{Draft, Edit, Seed, open};
use super::play::{Limits, Played, Wrong, play};

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
    /// Plays it beside the reference, and beside the game as it was before it was written in another way.
    ///
    /// # Errors
    /// What differs.
    pub fn play(&self, limits: Limits) -> Result<Played, Box<Wrong>> {
        let before = self.before.first().and_then(|(text, _)| open(&self.draft.seed, text.clone()));
        play(&self.draft.ruleset, before.as_ref().map(|it| &it.ruleset), self.number, limits)
    }
}

/// A file as it is, so that a fault that it shows can be made smaller; the number picks it.
pub fn unchanged(number: u64, seeds: &[Seed]) -> Option<Mutant> {
    let at = usize::try_from(number % seeds.len() as u64).ok()?;
    let draft = open(&seeds[at], seeds[at].text.clone())?;
    Some(Mutant { number, before: Vec::new(), draft, changes: Vec::new(), refused: Vec::new() })
}

/// The mutant of a number: first changes that alter the game, then changes that keep it.
pub fn make(number: u64, seeds: &[Seed]) -> Option<Mutant> {
    let mut dice = Dice::new(number);
    let seed = dice.pick(seeds)?;
    Some(changed_more(number, open(seed, seed.text.clone())?, &mut dice))
}

/// A text after some changes.
pub(super) fn changed_more(number: u64, mut draft: Draft, dice: &mut Dice) -> Mutant {
    let (mut changes, mut refused) = (Vec::new(), Vec::new());
    // Half of the mutants are altered, half are written in another way, some are both.
    let (altering, keeping) = match dice.below(4) {
        0 => (0, 1 + dice.below(4)),
        1 => (1 + dice.below(3), 1 + dice.below(3)),
        _ => (1 + dice.below(5), 0),
    };
    // Few games have sets of several words, which are where engines differ from each other.
    if dice.once_in(3) {
        let at = pick_widening(dice);
        if let Some((wider, _)) = changed(&draft, &CHANGES[at], dice) {
            draft = wider;
            changes.push(at);
        }
    }
    let mut before = Vec::new();
    for (keeps, wanted) in [(false, altering), (true, keeping)] {
        let mut made = 0;
        for _ in 0..PICKS {
            if made == wanted {
                break;
            }
            let at = pick(keeps, dice);
            match changed(&draft, &CHANGES[at], dice) {
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
    Mutant { number, before, draft, changes, refused }
}
