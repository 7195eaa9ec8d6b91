//! Matches typed words with the legal moves: a number, the words, or their beginnings.

use std::cmp::Reverse;

use crate::suggest::nearest;
use crate::transcript::{fold, list};

const MOST_ALIKE: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MoveWords {
    /// One legal move, by index.
    One(usize),
    Several(Vec<usize>),
    Nothing,
}

/// Finds the legal move that a person means. The exact words come first, then, where moves are
/// `numbered`, the number in the list (counted from 1), then beginnings of words in any case; a word
/// that is typed in full is preferred to one that it only begins.
pub(super) fn find(labels: &[String], numbered: bool, typed: &str) -> MoveWords {
    let typed = fold(typed);
    if let Some(exact) = find_exactly(labels, &typed) {
        return MoveWords::One(exact);
    }
    let number = typed.parse::<usize>().ok().filter(|_| numbered);
    if let Some(number) = number.filter(|number| (1..=labels.len()).contains(number)) {
        return MoveWords::One(number - 1);
    }
    match narrow(labels, &typed, |words, typed| words == typed).as_slice() {
        [] => MoveWords::Nothing,
        _ if typed.is_empty() => MoveWords::Nothing,
        [one] => MoveWords::One(*one),
        several => MoveWords::Several(several.to_vec()),
    }
}

/// Finds the legal move with exactly these words.
pub(super) fn find_exactly(labels: &[String], typed: &str) -> Option<usize> {
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
    let words = named_up_to(MOST_ALIKE, labels, &alike);
    let verb = if alike.len() == 1 { "is" } else { "are" };
    (!alike.is_empty()).then(|| format!("legal here {verb} {}", list(&words)))
}

/// The first of some moves in words, and how many more there are.
pub(super) fn named_up_to(most: usize, labels: &[String], moves: &[usize]) -> Vec<String> {
    let named = moves.iter().take(most).map(|at| format!("`{}`", labels[*at]));
    let more = moves.len().saturating_sub(most);
    named.chain((more > 0).then(|| format!("{more} more"))).collect()
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
    narrow(labels, typed, |words, typed| words >= typed)
}

/// The moves that fit word by word, of those whose number of words fits.
fn narrow(labels: &[String], typed: &str, fits: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let typed = lower_words(typed);
    let words: Vec<Vec<String>> = labels.iter().map(|label| lower_words(label)).collect();
    let mut left: Vec<usize> =
        (0..labels.len()).filter(|&index| fits(words[index].len(), typed.len())).collect();
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
