//! "Did you mean": the nearest of some known words.

use std::cell::Cell;

/// How often a text is helped with a guess: whoever makes more mistakes has written another text.
const MOST_GUESSES: usize = 50;

/// Nobody misspells words that are longer, and comparing them takes long.
const LONGEST_WORD: usize = 200;

/// The candidate nearest to `word`: one that differs only in case, else the smallest edit distance
/// up to a third of the word's length. Ties go to the alphabetically first, so answers are stable.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > LONGEST_WORD {
        return None;
    }
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.len())
        .min()
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

#[cfg(test)]
mod tests {
    use super::{Guesses, MOST_GUESSES, nearest};

    #[test]
    fn who_makes_many_mistakes_is_helped_with_the_first() {
        let guesses = Guesses::default();
        let helped = (0..2 * MOST_GUESSES).map(|_| guesses.nearest("watr", ["water"]));
        assert_eq!(helped.flatten().count(), MOST_GUESSES);
        assert!(!guesses.are_left());
    }

    #[test]
    fn a_slip_of_one_letter_is_found() {
        assert_eq!(nearest("grian", ["wool", "grain"]), Some("grain"));
    }

    #[test]
    fn case_is_forgiven_first() {
        assert_eq!(nearest("element", ["elements", "Element"]), Some("Element"));
    }

    #[test]
    fn ties_go_to_the_alphabet() {
        assert_eq!(nearest("bat", ["cat", "bar"]), Some("bar"));
    }

    #[test]
    fn strangers_are_not_suggested() {
        assert_eq!(nearest("lantern", ["wool", "grain"]), None);
    }
}
