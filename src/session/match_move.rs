//! Matches typed words with the legal moves: a number, the words, their beginnings, or the first of them.

use std::cmp::Reverse;

use crate::snippet::named_up_to;
use crate::suggest::nearest;
use crate::transcript::{fold_case, list_words};

const MOST_ALIKE: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MoveWords {
    /// One legal move, by index.
    One(usize),
    Several(Vec<usize>),
    /// Moves that begin with these words and have more.
    Begun(Vec<usize>),
    Nothing,
}

/// Finds the legal move that a person means. The exact words come first, then, where moves are
/// `numbered`, the number in the list (counted from 1), then beginnings of words in any case; a word
/// that is typed in full is preferred to one that it only begins. The first words of a move will do
/// where no other move begins so; but a number alone is never short for more.
pub(super) fn find_move(labels: &[String], numbered: bool, typed: &str) -> MoveWords {
    let typed = fold_case(typed);
    if let Some(exact) = find_exactly(labels, &typed) {
        return MoveWords::One(exact);
    }
    let number = typed.parse::<usize>().ok().filter(|_| numbered);
    if let Some(number) = number.filter(|number| (1..=labels.len()).contains(number)) {
        return MoveWords::One(number - 1);
    }
    if typed.is_empty() {
        return MoveWords::Nothing;
    }
    match narrow(labels, &typed, |words, typed| words == typed).as_slice() {
        [] => {}
        [one] => return MoveWords::One(*one),
        several => return MoveWords::Several(several.to_vec()),
    }
    match beginning_with(labels, &typed).as_slice() {
        [] => MoveWords::Nothing,
        [one] if !typed.split(' ').all(is_number) => MoveWords::One(*one),
        begun => MoveWords::Begun(begun.to_vec()),
    }
}

/// How some moves go on after the words that all of them begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Continuation {
    /// What the person wrote.
    pub(super) typed: String,
    /// The words with which all these moves begin, as the prompt shows them.
    pub(super) prefix: String,
    /// All that can follow.
    pub(super) rests: Vec<String>,
    /// The words that can follow next.
    pub(super) next: Vec<String>,
}

pub(super) fn continuation_of(typed: &str, moves: &[&str]) -> Continuation {
    let words: Vec<Vec<&str>> = moves.iter().map(|it| it.split_whitespace().collect()).collect();
    let alike = |at: &usize| words.iter().all(|it| it.len() > at + 1 && it[*at] == words[0][*at]);
    let shared = (0..words.first().map_or(0, Vec::len)).take_while(alike).count();
    let mut next: Vec<String> = Vec::new();
    for word in words.iter().filter_map(|it| it.get(shared)) {
        if next.iter().all(|known| known != word) {
            next.push((*word).to_owned());
        }
    }
    let prefix = words.first().map_or_else(String::new, |it| it[..shared].join(" "));
    let rests = words.iter().map(|it| it[shared..].join(" ")).collect();
    Continuation { typed: typed.to_owned(), prefix, rests, next }
}

/// Finds the legal move with exactly these words; `go on` is `go_on`, as rulebooks print it, and `Red tea` is
/// `red_tea` where no other move is printed so, and so is a move without the titles of seats.
pub(super) fn find_exactly(labels: &[String], typed: &str) -> Option<usize> {
    let typed = fold_case(typed);
    let printed = |words: &str| words.replace('_', " ");
    let is_written = |label: &String| fold_case(label) == typed;
    let is_printed = |label: &String| printed(&fold_case(label)) == printed(&typed);
    let lower = |words: &str| printed(words).to_lowercase();
    let only = |is_it: &dyn Fn(&str) -> bool| {
        let mut alike = (0..labels.len()).filter(|at| is_it(&labels[*at]));
        alike.next().filter(|_| alike.next().is_none())
    };
    let small = lower(&typed);
    let exact = labels.iter().position(is_written).or_else(|| labels.iter().position(is_printed));
    exact
        .or_else(|| only(&|label| lower(label) == small))
        .or_else(|| only(&|label| lower(&without_titles(label)) == small))
}

/// A move without what stands in brackets and begins with a capital, as titles of seats do: `give Ann (Black) 2` is
/// `give Ann 2`.
fn without_titles(label: &str) -> String {
    let mut words = String::new();
    let mut rest = label;
    while let Some((before, after)) = rest.split_once(" (")
        && let Some((title, behind)) = after.split_once(')')
    {
        words.push_str(before);
        if !title.starts_with(char::is_uppercase) {
            words.extend([" (", title, ")"]);
        }
        rest = behind;
    }
    words + rest
}

/// Suggests moves for words that are none: the misspelt one, unless `refused` by a condition; else legal moves of the
/// same name, most words in common first.
pub(super) fn advice(labels: &[String], typed: &str, refused: bool) -> Option<String> {
    let typed = fold_case(typed);
    let (meant, alike) =
        (nearest(&typed, labels.iter().map(String::as_str)), find_similar(labels, &typed));
    // A move that keeps more of the words is meant rather than one with similar letters.
    let closest = alike.first().map_or(0, |at| shared(&labels[*at], &typed));
    let is_meant = |meant: &&str| {
        !refused && is_misspelt(labels, meant, &typed) && shared(meant, &typed) >= closest
    };
    if let Some(meant) = meant.filter(is_meant) {
        return Some(format!("did you mean `{meant}`?"));
    }
    let named: Vec<&String> = alike.iter().map(|at| &labels[*at]).collect();
    let words = named_up_to(MOST_ALIKE, &named);
    let verb = if alike.len() == 1 { "is" } else { "are" };
    (!alike.is_empty()).then(|| format!("legal here {verb} {}", list_words(&words)))
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
fn find_similar(labels: &[String], typed: &str) -> Vec<usize> {
    let first = lower_words(typed).into_iter().next();
    let same_name =
        |at: &usize| first.is_some() && lower_words(&labels[*at]).first() == first.as_ref();
    let mut alike: Vec<usize> = (0..labels.len()).filter(same_name).collect();
    alike.sort_by_key(|at| Reverse(shared(&labels[*at], typed)));
    alike
}

/// The number of typed words that stand at their place in a move.
fn shared(label: &str, typed: &str) -> usize {
    lower_words(label).iter().zip(&lower_words(typed)).filter(|(a, b)| a == b).count()
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
        if is_number(word) || left.iter().any(whole) {
            left.retain(whole);
        } else {
            left.retain(|index| words[*index][place].starts_with(word.as_str()));
        }
    }
    left
}

/// True if a typed number could mean another move than that of this number in the list: `drop 4`.
pub(super) fn names_other_numbers(labels: &[String]) -> bool {
    let Some(name) = common_name(labels) else { return false };
    let number = |label: &'_ String| label[name.len()..].trim().parse::<usize>().ok();
    let mut numbered = (1..).zip(labels).filter_map(|(at, label)| Some((at, number(label)?)));
    numbered.any(|(at, number)| number != at && number <= labels.len())
}

/// The word that all moves begin with and go on after: it may be left out.
pub(super) fn common_name(labels: &[String]) -> Option<&str> {
    let first = |label: &'_ String| label.split(' ').next().map(str::len);
    let length = first(labels.first()?)?;
    let name = &labels[0][..length];
    let same = |label: &String| label.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '));
    labels.iter().all(same).then_some(name)
}

fn is_number(word: &str) -> bool {
    word.chars().all(|letter| letter.is_ascii_digit())
}

fn lower_words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}
