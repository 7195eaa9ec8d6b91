//! What a person typed, among the legal moves: a number, the words, or the beginnings of words.

use std::cmp::Reverse;

use crate::suggest::nearest;
use crate::transcript::{fold, list};

/// Longer lists of moves are cut.
const MOST_ALIKE: usize = 4;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// One legal move, by index.
    Move(usize),
    /// Several that the words could mean.
    Several(Vec<usize>),
    /// None.
    Nothing,
}

/// Finds the legal move that a person means. The exact words come first, then, where moves are
/// `numbered`, the number in the list (counted from 1), then beginnings of words in any case; a word
/// that is typed in full is preferred to one that it only begins.
pub fn find(labels: &[String], numbered: bool, typed: &str) -> Typed {
    let typed = fold(typed);
    if let Some(exact) = find_exactly(labels, &typed) {
        return Typed::Move(exact);
    }
    let number = typed.parse::<usize>().ok().filter(|_| numbered);
    if let Some(number) = number.filter(|number| (1..=labels.len()).contains(number)) {
        return Typed::Move(number - 1);
    }
    match by_prefix(labels, &typed).as_slice() {
        [] => Typed::Nothing,
        [one] => Typed::Move(*one),
        several => Typed::Several(several.to_vec()),
    }
}

/// Finds the legal move with exactly these words.
pub fn find_exactly(labels: &[String], typed: &str) -> Option<usize> {
    let typed = fold(typed);
    labels.iter().position(|label| fold(label) == typed)
}

/// What to make in place of words that are no legal move, in a sentence: the move that was
/// misspelt, where `refused` says that no condition refused it; else the legal moves of the same
/// name, those with most words in common first.
pub(super) fn advice(labels: &[String], typed: &str, refused: bool) -> Option<String> {
    let typed = fold(typed);
    let meant = nearest(&typed, labels.iter().map(String::as_str));
    if let Some(meant) = meant.filter(|meant| !refused && is_misspelt(labels, meant, &typed)) {
        return Some(format!("did you mean `{meant}`?"));
    }
    let alike = alike(labels, &typed);
    let more = alike.len().saturating_sub(MOST_ALIKE);
    let mut words: Vec<String> =
        alike.iter().take(MOST_ALIKE).map(|at| format!("`{}`", labels[*at])).collect();
    words.extend((more > 0).then(|| format!("{more} more")));
    let verb = if alike.len() == 1 { "is" } else { "are" };
    (!alike.is_empty()).then(|| format!("legal here {verb} {}", list(&words)))
}

/// Whether each word that differs from what was meant is the word of no legal move: one that is was
/// hardly typed by mistake.
fn is_misspelt(labels: &[String], meant: &str, typed: &str) -> bool {
    let known = |word: &str| labels.iter().any(|label| label.split(' ').any(|it| it == word));
    let same_length = meant.split(' ').count() == typed.split(' ').count();
    let mut pairs = typed.split(' ').zip(meant.split(' '));
    !same_length || pairs.all(|(typed, meant)| typed == meant || !known(typed))
}

/// The legal moves that begin with the same word, by how many of the other words they share.
fn alike(labels: &[String], typed: &str) -> Vec<usize> {
    let typed = lower_words(typed);
    let words: Vec<Vec<String>> = labels.iter().map(|label| lower_words(label)).collect();
    let same_name = |at: &usize| !typed.is_empty() && words[*at].first() == typed.first();
    let mut alike: Vec<usize> = (0..labels.len()).filter(same_name).collect();
    let shared = |at: usize| words[at].iter().zip(&typed).filter(|(a, b)| a == b).count();
    alike.sort_by_key(|at| Reverse(shared(*at)));
    alike
}

/// Finds the legal moves whose first words could be meant, each by its beginning.
pub(super) fn beginning_with(labels: &[String], typed: &str) -> Vec<usize> {
    let typed = lower_words(typed);
    let words: Vec<Vec<String>> = labels.iter().map(|label| lower_words(label)).collect();
    let long_enough = (0..labels.len()).filter(|&index| words[index].len() >= typed.len());
    narrow(long_enough.collect(), &words, &typed)
}

fn by_prefix(labels: &[String], typed: &str) -> Vec<usize> {
    let typed = lower_words(typed);
    let words: Vec<Vec<String>> = labels.iter().map(|label| lower_words(label)).collect();
    let as_long = (0..labels.len()).filter(|&index| words[index].len() == typed.len());
    if typed.is_empty() { Vec::new() } else { narrow(as_long.collect(), &words, &typed) }
}

/// Keeps the moves that fit word by word.
fn narrow(mut left: Vec<usize>, words: &[Vec<String>], typed: &[String]) -> Vec<usize> {
    for (place, word) in typed.iter().enumerate() {
        let whole = |index: &usize| words[*index][place] == *word;
        // A number is never the beginning of another one: `take 1` does not mean `take 10`.
        let number = word.chars().all(|letter| letter.is_ascii_digit());
        if number || left.iter().any(whole) {
            left.retain(whole);
        } else {
            left.retain(|index| words[*index][place].starts_with(word.as_str()));
        }
    }
    left
}

fn lower_words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{Typed, advice, find};

    const MOVES: [&str; 6] =
        ["take 1", "take 10", "barter oak elm", "barter oak ash", "roll", "roll again"];

    fn means(typed: &str) -> Typed {
        find(&MOVES.map(String::from), true, typed)
    }

    #[test]
    fn words_and_numbers_mean_moves() {
        assert_eq!(means("barter  oak ash"), Typed::Move(3));
        assert_eq!(means("5"), Typed::Move(4));
    }

    #[test]
    fn beginnings_mean_moves() {
        assert_eq!(means("bar O a"), Typed::Move(3));
        assert_eq!(means("r"), Typed::Move(4));
        assert_eq!(means("ro ag"), Typed::Move(5));
    }

    #[test]
    fn numbers_in_a_move_are_typed_in_full() {
        assert_eq!(means("t 1"), Typed::Move(0));
        assert_eq!(means("t 10"), Typed::Move(1));
    }

    #[test]
    fn what_could_mean_two_moves_means_none() {
        let oaks = ["barter oak elm", "barter oak elder"].map(String::from);
        assert_eq!(find(&oaks, true, "b o e"), Typed::Several(vec![0, 1]));
        assert_eq!(find(&oaks, true, "b o el"), Typed::Several(vec![0, 1]));
        assert_eq!(find(&oaks, true, "b o eld"), Typed::Move(1));
    }

    #[test]
    fn other_words_mean_nothing() {
        assert_eq!(
            [means("fly"), means("7"), means("0"), means("  ")],
            [const { Typed::Nothing }; 4]
        );
    }

    fn advised(typed: &str, refused: bool) -> Option<String> {
        advice(&MOVES.map(String::from), typed, refused)
    }

    #[test]
    fn moves_that_are_refused_are_answered_with_those_like_them() {
        let alike = "legal here are `barter oak elm` and `barter oak ash`";
        assert_eq!(advised("barter elm oak", true).unwrap(), alike);
        let nearer = "legal here are `barter oak ash` and `barter oak elm`";
        assert_eq!(advised("barter elm ash", true).unwrap(), nearer);
        assert_eq!(advised("fly", true), None);
        let many: Vec<String> = (1..=6).map(|number| format!("take {number}")).collect();
        let cut = "legal here are `take 1`, `take 2`, `take 3`, `take 4` and 2 more";
        assert_eq!(advice(&many, "take 7", true).unwrap(), cut);
    }

    #[test]
    fn only_a_word_that_no_move_has_is_misspelt() {
        assert_eq!(advised("rol again", false).unwrap(), "did you mean `roll again`?");
        let alike = "legal here are `barter oak elm` and `barter oak ash`";
        assert_eq!(advised("barter elm elm", false).unwrap(), alike);
    }

    #[test]
    fn where_moves_are_not_numbered_a_number_is_a_printed_form() {
        let bids = ["6", "4 more", "pass"].map(String::from);
        let found = ["6", "4", "4 m", "2", "1", "pa"].map(|typed| find(&bids, false, typed));
        let [six, four] = [Typed::Move(0), Typed::Move(1)];
        let nothing = Typed::Nothing;
        assert_eq!(found, [six, nothing.clone(), four, nothing.clone(), nothing, Typed::Move(2)]);
    }
}
