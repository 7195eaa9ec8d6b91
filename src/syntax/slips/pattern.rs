//! Patterns of slips: what stands before a mistake, what stands there, and what to say.

use super::Slip;
use crate::diagnostic::Help;

/// How many bytes a statement may have: nobody writes a slip of more, and patterns take their time.
const LONGEST: usize = 240;

/// A slip that is known by its words.
///
/// `before` are the last words before the mistake, with `^` in front all of the statement; `found` is
/// what stands there, one word or more, up to the end of the statement. `_` is any word, `#` a
/// number, `"` a text, `*` anything but the end of a line, `\n` that end, `a|b` one of two words and
/// `…` some words.
///
/// In `help`, `{1}`, `{2}` and so on are what those stand for; `{found}` is the word at the mistake,
/// `{behind}` the rest of the statement, `{rest}` both, `{tail}` all that stands before it and `{last}` the
/// last word of that.
pub(super) struct Phrase {
    before: &'static str,
    found: &'static str,
    help: &'static str,
    /// The form to write behind the help, and whether it replaces what stands before the mistake too.
    form: Option<(&'static str, bool)>,
    place: Place,
}

impl Phrase {
    /// The phrase where it is looked for in one place only.
    pub(super) const fn in_place(self, place: Place) -> Phrase {
        Phrase { place, ..self }
    }
}

/// Where in a file a phrase is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Anywhere.
    Any,
    /// Where a statement or a variable may end.
    End,
    /// In the block of the game.
    Game,
    /// Where the variables of the players and the table are listed.
    Variable,
    /// Where a move begins.
    Move,
    /// In the head of a move.
    Head,
    /// In the parentheses of a move.
    Names,
    /// Behind the pattern of a case.
    Case,
    /// In a hole of a text.
    Hole,
}

/// A phrase that is looked for anywhere.
pub(super) const fn say(before: &'static str, found: &'static str, help: &'static str) -> Phrase {
    Phrase { before, found, help, form: None, place: Place::Any }
}

/// A phrase that a form of the language replaces: the words of both patterns, and the rest of the
/// statement if the form has it.
pub(super) const fn mend(
    before: &'static str,
    found: &'static str,
    help: &'static str,
    form: &'static str,
) -> Phrase {
    Phrase { before, found, help, form: Some((form, true)), place: Place::Any }
}

/// A phrase whose form replaces only what begins at the mistake.
pub(super) const fn mend_rest(
    before: &'static str,
    found: &'static str,
    help: &'static str,
    form: &'static str,
) -> Phrase {
    Phrase { before, found, help, form: Some((form, false)), place: Place::Any }
}

/// A phrase that is looked for in one place.
pub(super) const fn say_in(
    place: Place,
    before: &'static str,
    found: &'static str,
    help: &'static str,
) -> Phrase {
    say(before, found, help).in_place(place)
}

/// What to do about a slip that one of the phrases describes: the first that does.
pub(super) fn first_help(phrases: &[Phrase], slip: &Slip) -> Option<Help> {
    let (tail, rest) = (slip.tail(), statement(slip.rest));
    if tail.len() + rest.len() > LONGEST {
        return None;
    }
    let (tail, rest) = (words(tail), words(rest));
    phrases.iter().filter(|it| slip.is_in(it.place)).find_map(|phrase| {
        let mut captured = Vec::new();
        let first = before(phrase.before, &tail, &mut captured)?;
        if !found(phrase.found, slip, &rest, &mut captured) {
            return None;
        }
        let help = filled(phrase.help, slip, &captured);
        let Some((form, from_before)) = phrase.form else { return Some(help.into()) };
        let first = tail.get(first).filter(|_| from_before);
        let from = first.map_or(slip.start, |word| slip.tail_start() + offset(slip.tail(), word));
        let behind = length(phrase, form, slip);
        Some(slip.instead(&help, &filled(form, slip, &captured), from, behind))
    })
}

/// How much a phrase replaces from the mistake on.
fn length(phrase: &Phrase, form: &str, slip: &Slip) -> usize {
    let takes_rest =
        phrase.found.contains(' ') || form.contains("{rest}") || form.contains("{behind}");
    match slip.found {
        "" | "\n" | "}" | ";" | "{" => 0,
        _ if takes_rest => statement(slip.rest).len(),
        found => found.len(),
    }
}

/// Where a piece of a text begins in it.
pub(super) fn offset(text: &str, piece: &str) -> usize {
    (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The words and brackets of a text, each a piece of it; a text in quotes is one.
pub(super) fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '(' | ')' | '[' | ']' | ',' | ':' => 1,
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ => rest.find([' ', '\t', '(', ')', '[', ']', ',', ':']).unwrap_or(rest.len()),
        };
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

/// The first of the words that fit the pattern up to the last word.
fn before(pattern: &str, words: &[&str], captured: &mut Vec<String>) -> Option<usize> {
    let whole = pattern.starts_with('^');
    let pattern: Vec<&str> = pattern.trim_start_matches('^').split_whitespace().collect();
    let starts = if whole { 0..=0 } else { 0..=words.len() };
    starts.rev().find(|start| fits(&pattern, &words[*start..], captured))
}

fn found(pattern: &str, slip: &Slip, rest: &[&str], captured: &mut Vec<String>) -> bool {
    if pattern.contains(' ') {
        let pattern: Vec<&str> = pattern.split_whitespace().collect();
        return fits(&pattern, rest, captured);
    }
    pattern.split('|').any(|it| match it {
        "*" => !["", "\n"].contains(&slip.found),
        "\\n" => ["", "\n", "}", ";"].contains(&slip.found),
        "_" => slip.found.starts_with(|it: char| it.is_ascii_alphabetic()),
        "#" => is_number(slip.found),
        it => it == slip.found,
    })
}

/// Whether the words are what the pattern says, from the first to the last.
fn fits(pattern: &[&str], words: &[&str], captured: &mut Vec<String>) -> bool {
    let Some((place, pattern)) = pattern.split_first() else { return words.is_empty() };
    let kept = captured.len();
    let lengths = if *place == "…" { 1..=words.len() } else { 1..=words.len().min(1) };
    for length in lengths {
        let (here, behind) = words.split_at(length);
        if let Some(open) = fits_one(place, here) {
            captured.extend(open.then(|| joined(here)));
            if fits(pattern, behind, captured) {
                return true;
            }
            captured.truncate(kept);
        }
    }
    false
}

/// Whether some words are what a place of a pattern says, and whether it is an open one.
fn fits_one(place: &str, words: &[&str]) -> Option<bool> {
    let word = words.first()?;
    match place {
        "…" => Some(true),
        "_" => (!"()[],:".contains(word)).then_some(true),
        "#" => is_number(word).then_some(true),
        _ => place.split('|').any(|it| it == *word).then(|| place.contains('|')),
    }
}

/// Words as they are written: no blank stands inside of brackets.
pub(super) fn joined(words: &[&str]) -> String {
    let mut text = String::new();
    for word in words {
        let close = matches!(*word, "(" | ")" | "[" | "]" | "," | ":");
        if !text.is_empty() && !close && !text.ends_with(['(', '[']) {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|it| it.is_ascii_digit())
}

fn filled(help: &str, slip: &Slip, captured: &[String]) -> String {
    let rest = statement(slip.rest);
    let behind = rest.strip_prefix(slip.found).unwrap_or_default().trim_start();
    let mut text = help.to_owned();
    for (place, word) in captured.iter().enumerate() {
        text = text.replace(&format!("{{{}}}", place + 1), word);
    }
    text.replace("{found}", slip.found)
        .replace("{rest}", rest)
        .replace("{behind}", behind)
        .replace("{tail}", slip.tail())
        .replace("{last}", slip.last_word())
}

/// The text up to where its statement ends: at `;`, at a block, or where a bracket closes that it
/// has not opened.
pub(super) fn statement(text: &str) -> &str {
    let mut open = 0_usize;
    let mut quoted = false;
    for (at, letter) in text.char_indices() {
        quoted ^= letter == '"';
        match letter {
            _ if quoted => {}
            '{' if open == 0 && at > 0 && !wants_value(&text[..at]) => {
                return text[..at].trim_end();
            }
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' | ';' if open == 0 => return text[..at].trim_end(),
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
    }
    text.trim_end()
}

/// Whether a text ends with an operator, so that a brace behind it is a set.
fn wants_value(text: &str) -> bool {
    let text = text.trim_end();
    let last = text.rsplit([' ', '(']).next().unwrap_or_default();
    let words = ["in", "union", "minus", "common", "within", "and", "or", "not", "return", "win"];
    text.ends_with(['=', '<', '>', '+', '-', '*', ',', '(', '[']) || words.contains(&last)
}
