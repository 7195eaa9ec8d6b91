//! Completion and hints for a line that is being typed.

use crate::session::match_move::{self, MoveWords};
use crate::session::repl::commands::{COMMANDS, Command, find_command};

/// The ways to go on: where the word begins that they replace, and the words. A word that others
/// follow ends with a space.
pub fn complete_line(line: &str, moves: &[String], topics: &[String]) -> (usize, Vec<String>) {
    if is_expression(line) {
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let start = line.trim_end_matches(is_name).len();
        let begun = topics.iter().filter(|it| start < line.len() && it.starts_with(&line[start..]));
        return (start, begun.cloned().collect());
    }
    let (start, words) = match complete_argument(line, moves, topics) {
        None if line.starts_with(':') => return (0, commands(line)),
        None => (0, moves),
        Some((_, [])) => return (line.len(), Vec::new()),
        Some(argument) => argument,
    };
    let (at, words) = next_words(&line[start..], words);
    (start + at, words)
}

/// Whether a line names a file at its end.
pub fn names_file(line: &str) -> bool {
    let typed = line.strip_prefix(':').unwrap_or(line);
    let Some((word, _)) = typed.split_once(' ') else { return false };
    let is_bare = ["save", "load"].contains(&word);
    (line != typed || is_bare)
        && find_command(word.trim_end_matches('!')).is_ok_and(|it| it.argument == "FILE")
}

/// Whether names of the game follow: in `? …`, `set …`, `:eval …`.
fn is_expression(line: &str) -> bool {
    let word = line.strip_prefix(':').and_then(|typed| Some(typed.split_once(' ')?.0));
    let command = word.and_then(|word| find_command(word.trim_end_matches('!')).ok());
    line.starts_with("? ")
        || line.starts_with("set ")
        || command.is_some_and(|it| matches!(it.word, "eval" | "set"))
}

/// What is shown after a line, and whether it can be taken over as it is.
pub fn hint(
    line: &str,
    (moves, numbered): (&[String], bool),
    topics: &[String],
) -> Option<(String, bool)> {
    if line.trim().is_empty() {
        return None;
    }
    if !line.starts_with(':') {
        return move_hint(line, moves, numbered);
    }
    let Some((start, _)) = complete_argument(line, moves, topics) else {
        let command = find_command(&line[1..]).ok()?;
        let rest = format!("{} {}", &command.word[line.len() - 1..], command.argument);
        return Some((rest.trim_end().to_owned(), false));
    };
    if start == line.len() {
        // Nothing follows the command yet.
        let argument = find_command(line[1..].trim_end()).ok()?.argument;
        let shown = !argument.is_empty() && line.ends_with(' ');
        return shown.then(|| (argument.to_owned(), false));
    }
    let (at, words) = complete_line(line, moves, topics);
    let [word] = words.as_slice() else { return None };
    let rest = word.trim_end().strip_prefix(line.get(at.max(start)..)?)?;
    (!rest.is_empty()).then(|| (rest.to_owned(), true))
}

/// Where the words after a command begin, and what they can be.
fn complete_argument<'a>(
    line: &str,
    moves: &'a [String],
    topics: &'a [String],
) -> Option<(usize, &'a [String])> {
    let typed = line.strip_prefix(':')?;
    let end = typed.find(char::is_whitespace)?;
    let gap = typed[end..].len() - typed[end..].trim_start().len();
    let words = match find_command(&typed[..end]).map(|command| command.word) {
        Ok("why" | "moves") => moves,
        Ok("help") => topics,
        _ => &[],
    };
    Some((1 + end + gap, words))
}

fn commands(line: &str) -> Vec<String> {
    let typed = line[1..].to_lowercase();
    let begun = COMMANDS.iter().filter(|command| command.word.starts_with(&typed));
    let line =
        |it: &Command| format!(":{}{}", it.word, if it.argument.is_empty() { "" } else { " " });
    begun.map(line).collect()
}

/// The words that can follow: those at the place of the last word in the moves that begin so.
fn next_words(line: &str, labels: &[String]) -> (usize, Vec<String>) {
    let start = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let (before, last) = (&line[..start], line[start..].to_lowercase());
    let place = before.split_whitespace().count();
    let mut words: Vec<String> = Vec::new();
    for index in match_move::beginning_with(labels, before) {
        let mut rest = labels[index].split_whitespace().skip(place);
        let Some(word) = rest.next().filter(|word| word.to_lowercase().starts_with(&last)) else {
            continue;
        };
        let word = format!("{word}{}", if rest.next().is_some() { " " } else { "" });
        if !words.contains(&word) {
            words.push(word);
        }
    }
    // A word that ends one move and goes on in another is offered once, open.
    let open = words.clone();
    words.retain(|word| word.ends_with(' ') || !open.contains(&format!("{word} ")));
    (start, words)
}

fn move_hint(line: &str, moves: &[String], numbered: bool) -> Option<(String, bool)> {
    let typed = line.trim_start();
    let literal: Vec<&String> = moves.iter().filter(|label| label.starts_with(typed)).collect();
    if let Some(rest) = common(&literal).and_then(|common| common.get(typed.len()..)) {
        return (!rest.trim().is_empty()).then(|| (rest.trim_end().to_owned(), true));
    }
    if let MoveWords::One(index) = match_move::find_move(moves, numbered, typed) {
        return Some((format!("  {}", moves[index]), false));
    }
    let begun = match_move::beginning_with(moves, typed);
    let begun: Vec<&String> = begun.into_iter().map(|index| &moves[index]).collect();
    let shared = common(&begun)?.trim_end();
    (shared.len() > typed.len()).then(|| (format!("  {shared}"), false))
}

/// The longest beginning that all have.
fn common<'a>(labels: &[&'a String]) -> Option<&'a str> {
    let (first, others) = labels.split_first()?;
    let same = |label: &&String| {
        let pairs = first.char_indices().zip(label.chars());
        let differs = pairs.into_iter().find(|((_, a), b)| a != b);
        differs.map_or(first.len().min(label.len()), |((at, _), _)| at)
    };
    Some(&first[..others.iter().map(same).min().unwrap_or(first.len())])
}
