//! What could follow on a line that is being typed.

use super::command::{COMMANDS, find};
use crate::session::match_move;

/// The ways to go on: where the word begins that they replace, and the words. A word that others
/// follow ends with a space.
pub fn complete(line: &str, moves: &[String], topics: &[String]) -> (usize, Vec<String>) {
    let (start, rest) = match argument(line) {
        Some((start, of)) => (start, Some(of)),
        None => (0, None),
    };
    match rest {
        None if line.starts_with(':') => (0, commands(line)),
        None | Some(Of::Moves) => {
            let (at, words) = next_words(&line[start..], moves);
            (start + at, words)
        }
        Some(Of::Topics) => {
            let (at, words) = next_words(&line[start..], topics);
            (start + at, words)
        }
        Some(Of::Nothing) => (line.len(), Vec::new()),
    }
}

/// What is shown behind a line, and whether it can be taken over as it is.
pub fn hint(
    line: &str,
    (moves, numbered): (&[String], bool),
    topics: &[String],
) -> Option<(String, bool)> {
    if line.trim().is_empty() {
        return None;
    }
    if line.starts_with(':') {
        return command_hint(line, moves, topics);
    }
    move_hint(line, moves, numbered)
}

/// What can stand behind a command.
enum Of {
    Moves,
    Topics,
    Nothing,
}

/// Where the words behind a command begin, and what they are.
fn argument(line: &str) -> Option<(usize, Of)> {
    let typed = line.strip_prefix(':')?;
    let end = typed.find(char::is_whitespace)?;
    let gap = typed[end..].len() - typed[end..].trim_start().len();
    let of = match find(&typed[..end]).map(|entry| entry.word) {
        Ok("why" | "moves") => Of::Moves,
        Ok("help") => Of::Topics,
        _ => Of::Nothing,
    };
    Some((1 + end + gap, of))
}

fn commands(line: &str) -> Vec<String> {
    let typed = line[1..].to_lowercase();
    let begun = COMMANDS.iter().filter(|entry| entry.word.starts_with(&typed));
    let spaced = |behind: &str| if behind.is_empty() { "" } else { " " };
    begun.map(|entry| format!(":{}{}", entry.word, spaced(entry.behind))).collect()
}

/// The words that can follow: those at the place of the last word in the moves that begin so.
fn next_words(line: &str, labels: &[String]) -> (usize, Vec<String>) {
    let start = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let (before, last) = (&line[..start], line[start..].to_lowercase());
    let place = before.split_whitespace().count();
    let mut words: Vec<String> = Vec::new();
    for index in match_move::beginning_with(labels, before) {
        let all: Vec<&str> = labels[index].split_whitespace().collect();
        let Some(word) = all.get(place).filter(|word| word.to_lowercase().starts_with(&last))
        else {
            continue;
        };
        let more = if all.len() > place + 1 { " " } else { "" };
        let word = format!("{word}{more}");
        if !words.contains(&word) {
            words.push(word);
        }
    }
    // A word that ends one move and goes on in another is offered once, open.
    let open = words.clone();
    words.retain(|word| word.ends_with(' ') || !open.contains(&format!("{word} ")));
    (start, words)
}

fn command_hint(line: &str, moves: &[String], topics: &[String]) -> Option<(String, bool)> {
    let (start, _) = match argument(line) {
        Some((start, of)) if start < line.len() => (start, of),
        Some((_, _)) => return behind(line),
        None => {
            let entry = find(&line[1..]).ok()?;
            let rest = &entry.word[line.len() - 1..];
            let space = if entry.behind.is_empty() { "" } else { " " };
            return Some((format!("{rest}{space}{}", entry.behind), false));
        }
    };
    let (at, words) = complete(line, moves, topics);
    let [word] = words.as_slice() else { return None };
    let typed = line.get(at.max(start)..)?;
    let rest = word.trim_end().get(typed.len()..)?;
    let fits = word.starts_with(typed) && !rest.is_empty();
    fits.then(|| (rest.to_owned(), true))
}

/// What stands behind a command, when nothing does yet.
fn behind(line: &str) -> Option<(String, bool)> {
    let word = line[1..].trim_end();
    let entry = find(word).ok()?;
    (!entry.behind.is_empty() && line.ends_with(' ')).then(|| (entry.behind.to_owned(), false))
}

fn move_hint(line: &str, moves: &[String], numbered: bool) -> Option<(String, bool)> {
    let typed = line.trim_start();
    let literal: Vec<&String> = moves.iter().filter(|label| label.starts_with(typed)).collect();
    if let Some(rest) = common(&literal).and_then(|common| common.get(typed.len()..)) {
        return (!rest.trim().is_empty()).then(|| (rest.trim_end().to_owned(), true));
    }
    match match_move::find(moves, numbered, typed) {
        match_move::Typed::Move(index) => Some((format!("  {}", moves[index]), false)),
        _ => {
            let begun = match_move::beginning_with(moves, typed);
            let begun: Vec<&String> = begun.into_iter().map(|index| &moves[index]).collect();
            let shared = common(&begun)?.trim_end();
            (shared.len() > typed.len()).then(|| (format!("  {shared}"), false))
        }
    }
}

/// The longest beginning that all have.
fn common<'a>(labels: &[&'a String]) -> Option<&'a str> {
    let first = labels.first()?.as_str();
    let mut end = first.len();
    for label in labels {
        let same = first.char_indices().zip(label.chars()).find(|((_, a), b)| a != b);
        let shared = same.map_or(first.len().min(label.len()), |((at, _), _)| at);
        end = end.min(shared);
    }
    Some(&first[..end])
}

#[cfg(test)]
mod tests {
    use super::{complete, hint};

    fn moves() -> Vec<String> {
        ["barter wool oak", "barter wool oak birch", "barter salt oak", "pass"]
            .map(String::from)
            .to_vec()
    }

    fn go_on(line: &str) -> (usize, Vec<String>) {
        complete(line, &moves(), &["Cargo".to_owned(), "barter".to_owned()])
    }

    fn shown(line: &str) -> Option<(String, bool)> {
        hint(line, (&moves(), true), &["Cargo".to_owned()])
    }

    #[test]
    fn moves_are_completed_word_by_word() {
        assert_eq!(go_on(""), (0, vec!["barter ".to_owned(), "pass".to_owned()]));
        assert_eq!(go_on("bar"), (0, vec!["barter ".to_owned()]));
        assert_eq!(go_on("bar "), (4, vec!["wool ".to_owned(), "salt ".to_owned()]));
        assert_eq!(go_on("bar wo "), (7, vec!["oak ".to_owned()]));
        assert_eq!(go_on("bar wo oak B"), (11, vec!["birch".to_owned()]));
        assert_eq!(go_on("fly "), (4, Vec::new()));
    }

    #[test]
    fn commands_and_what_stands_behind_them_are_completed() {
        assert_eq!(go_on(":au"), (0, vec![":auto".to_owned()]));
        assert_eq!(go_on(":wh"), (0, vec![":why ".to_owned()]));
        assert_eq!(go_on(":why barter sa"), (12, vec!["salt ".to_owned()]));
        assert_eq!(go_on(":help C"), (6, vec!["Cargo".to_owned()]));
        assert_eq!(go_on(":eval C"), (7, Vec::new()));
    }

    #[test]
    fn hints_show_the_rest() {
        assert_eq!(shown("pa"), Some(("ss".to_owned(), true)));
        assert_eq!(shown("bar"), Some(("ter".to_owned(), true)));
        assert_eq!(shown("barter s"), Some(("alt oak".to_owned(), true)));
        assert_eq!(shown("barter wool oak"), None);
        assert_eq!(shown("  "), None);
        assert_eq!(shown("fly"), None);
    }

    #[test]
    fn what_is_short_for_a_move_is_shown_whole() {
        assert_eq!(shown("b s o"), Some(("  barter salt oak".to_owned(), false)));
        assert_eq!(shown("b w"), Some(("  barter wool oak".to_owned(), false)));
        assert_eq!(shown("4"), Some(("  pass".to_owned(), false)));
        assert_eq!(hint("4", (&moves(), false), &[]), None);
    }

    #[test]
    fn hints_say_what_a_command_needs() {
        assert_eq!(shown(":un"), Some(("do [N]".to_owned(), false)));
        assert_eq!(shown(":undo "), Some(("[N]".to_owned(), false)));
        assert_eq!(shown(":help Ca"), Some(("rgo".to_owned(), true)));
        assert_eq!(shown(":x"), None);
    }
}
