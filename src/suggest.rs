//! "Did you mean": the nearest of some known words.

use std::cell::Cell;

/// How many guesses help one text: with more mistakes it is a text of another sort.
pub const MOST_GUESSES: usize = 50;

/// Nobody misspells words that are longer, and comparing them takes long.
const LONGEST_WORD: usize = 200;

/// The candidate nearest to `word`: one that differs only in case, else the smallest edit distance
/// up to a third of the word's length. Ties go to one as long as the word, then to the alphabetically first,
/// so answers are stable.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_within(word, candidates, (word.chars().count() / 3).max(1))
}

/// The candidate nearest to `word`, up to so many changes.
pub(crate) fn nearest_within<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Option<&'a str> {
    if word.chars().count() > LONGEST_WORD {
        return None;
    }
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.len())
        .min_by_key(|(distance, candidate)| (*distance, candidate.len() != word.len(), *candidate))
        .map(|(_, candidate)| candidate)
}

/// Guesses about one text, of which there are not too many.
#[derive(Clone, Debug)]
pub struct Guesses {
    left: Cell<usize>,
}

impl Default for Guesses {
    fn default() -> Guesses {
        Guesses { left: Cell::new(MOST_GUESSES) }
    }
}

impl Guesses {
    pub fn are_left(&self) -> bool {
        self.left.get() > 0
    }

    /// The candidate nearest to `word`, as [`nearest`] finds it, as long as guesses are left.
    pub fn nearest<'a>(
        &self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        self.left.set(self.left.get().checked_sub(1)?);
        nearest(word, candidates)
    }
}

fn distance(word: &str, candidate: &str) -> usize {
    if word.eq_ignore_ascii_case(candidate) {
        return 0;
    }
    strsim::damerau_levenshtein(word, candidate)
}
