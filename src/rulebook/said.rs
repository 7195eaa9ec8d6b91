//! Long sentences in parts: nobody says more than twenty words at a table.
//!
//! What makes a sentence puts marks where it may be broken. Only a sentence that is too long is broken there.

use std::mem::take;

use crate::rulebook::english::{capitalised, format_table, join_words, sentence};

/// Marks around conditions that `and` or `or` joins, and between them.
pub(super) const OPEN: char = '\u{E000}';
pub(super) const NEXT: char = '\u{E001}';
pub(super) const CLOSE: char = '\u{E002}';
/// A mark behind `for which`.
pub(super) const LINK: char = '\u{E003}';

/// The longest sentence that a person says at a table.
pub(super) const MOST_WORDS_SAID: usize = 20;

/// The words of a text without marks, its long sentences broken.
pub(super) fn lay_out(text: &str) -> String {
    let line = |line: &str| {
        if !line.contains(is_mark) {
            return line.to_owned();
        }
        let mut parts = sentences(line);
        let last = parts.pop().unwrap_or_default();
        let parts = parts
            .iter()
            .map(|it| broken(it, None))
            .chain([broken(&last, Some(line.len() - bare(line).len()))]);
        join_words(parts, " ")
    };
    join_words(text.split('\n').map(line), "\n")
}

/// A line without what makes it one of a list.
fn bare(line: &str) -> &str {
    line.trim_start_matches(|sign: char| " -.0123456789".contains(sign))
}

pub(super) fn unmarked(text: &str) -> String {
    text.replace(is_mark, "")
}

/// Whether a sentence may be broken at its conditions.
pub(super) fn has_joints(text: &str) -> bool {
    text.contains(OPEN)
}

fn is_mark(sign: char) -> bool {
    (OPEN..=LINK).contains(&sign)
}

/// The sentences of a line; what stands before them belongs to the first one.
fn sentences(line: &str) -> Vec<String> {
    let (mut found, mut sentence, mut depth) = (Vec::new(), String::new(), 0);
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        depth += i32::from(sign == OPEN) - i32::from(sign == CLOSE);
        sentence.push(sign);
        let ends = matches!(sign, '.' | ':' | '!' | '?') && depth == 0;
        // A list begins with its number.
        let is_number = sentence.trim().trim_end_matches('.').chars().all(|it| it.is_ascii_digit());
        if ends && !is_number && signs.peek() == Some(&' ') {
            signs.next();
            found.push(take(&mut sentence));
        }
    }
    found.push(sentence);
    found
}

/// A sentence that is not too long: its conditions are a list below it, or follow it in sentences of their own.
fn broken(sentence: &str, below: Option<usize>) -> String {
    let plain = unmarked(sentence);
    if is_sayable(&plain) {
        return plain;
    }
    let Some((before, joined, behind)) = conditions(sentence) else {
        let linked = sentence.replacen(LINK, " this holds:", 1);
        return unmarked(&linked);
    };
    // Cases stand in parentheses where they are short.
    let (before, behind) = match (before.strip_suffix("this is so ("), behind.strip_prefix(')')) {
        (Some(before), Some(behind)) => (before, behind),
        _ => (before, behind),
    };
    let so = match joined.get(1) {
        Some(claim) if claim.starts_with(" or ") => "one of these is so",
        Some(claim) if claim.starts_with("; ") => "this is so",
        _ => "all of this is so",
    };
    let text = bare(before);
    let mark = &before[..before.len() - text.len()];
    let end = if behind.ends_with(':') { " Then:" } else { "" };
    let behind = behind.trim_end_matches(['.', ':']);
    let told =
        match behind.strip_prefix(", ").filter(|it| text == "If " && !it.starts_with("and if ")) {
            // What is done comes first: the conditions are a list.
            Some(done) => capitalised(&match format!("{done} if {so}") {
                told if is_sayable(&unmarked(&told)) => told,
                _ => format!("{done}. Only if {so}"),
            }),
            // The list says itself that it holds.
            None => format!("{}{so}{behind}", text.replace(&format!("{LINK} "), " ")),
        };
    let told = broken(&told, None);
    let listed = listed(&joined, below.filter(|_| end.is_empty()));
    format!("{mark}{}:{listed}{end}", told.trim_end_matches('.'))
}

/// Whether a sentence is short enough to say.
pub(super) fn is_sayable(sentence: &str) -> bool {
    sentence.split_whitespace().count() <= MOST_WORDS_SAID
}

/// Claims one after the other: in a list, or else in one sentence, or one in each where that is too long.
fn listed(joined: &[String], below: Option<usize>) -> String {
    let claims = joined.iter().map(|claim| {
        let words = [", and ", " and ", " or ", "; "];
        let claim = words.iter().find_map(|word| claim.strip_prefix(word)).unwrap_or(claim);
        without_parentheses(claim)
    });
    if let Some(depth) = below {
        let line =
            |claim| format!("\n{:depth$}- {}", "", sentence(&broken(claim, Some(depth + 2))));
        return claims.map(line).collect();
    }
    let claims: Vec<String> = claims.map(|it| broken(it, None)).collect();
    if is_sayable(&claims.join(" ")) {
        return format!(" {}.", claims.join("; "));
    }
    format!(" {}", join_words(claims.iter().map(|claim| sentence(claim)), " "))
}

/// What stands alone needs no parentheses around it.
pub(super) fn without_parentheses(text: &str) -> &str {
    let bare = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    bare.filter(|it| !it.contains(['(', ')'])).unwrap_or(text)
}

/// The first conditions of a sentence that are joined, with what stands around them.
fn conditions(sentence: &str) -> Option<(&str, Vec<String>, &str)> {
    let start = sentence.find(OPEN)?;
    let (mut joined, mut claim, mut depth) = (Vec::new(), String::new(), 0);
    for (at, sign) in sentence[start..].char_indices() {
        depth += i32::from(sign == OPEN) - i32::from(sign == CLOSE);
        match sign {
            OPEN if depth == 1 => {}
            NEXT if depth == 1 => joined.push(take(&mut claim)),
            CLOSE if depth == 0 => {
                joined.push(claim);
                return Some((
                    &sentence[..start],
                    joined,
                    &sentence[start + at + CLOSE.len_utf8()..],
                ));
            }
            sign => claim.push(sign),
        }
    }
    None
}

/// The sections in short: a move with its conditions is a paragraph, and long tables stay in the whole book.
pub(super) fn outline(text: &str) -> String {
    let mut out = String::new();
    for (at, section) in text.split("### ").enumerate() {
        let lines: Vec<&str> = section.lines().filter(|line| !line.is_empty()).collect();
        let (heading, lines) = if at == 0 && !text.starts_with("### ") {
            (String::new(), lines.as_slice())
        } else {
            let Some((heading, lines)) = lines.split_first() else { continue };
            (format!("**{heading}**:"), lines)
        };
        let (drawn, told): (Vec<&str>, Vec<&str>) =
            lines.iter().partition(|line| line.starts_with('|'));
        let told = in_short(&told);
        let table = match drawn.len() {
            0 => String::new(),
            rows if rows > MOST_ROWS_IN_SHORT => {
                by_value(&drawn).unwrap_or_else(|| "See the table in the whole book.".to_owned())
            }
            _ => drawn.join("\n"),
        };
        if told.is_empty() && table.is_empty() {
            continue;
        }
        // A list begins below what it belongs to.
        let is_list = ["- ", "1. "].iter().any(|it| told.starts_with(it)) || told.is_empty();
        let apart = if is_list { "\n\n" } else { " " };
        let between = if heading.is_empty() { "" } else { apart };
        let behind = if told.is_empty() || table.is_empty() { "" } else { "\n\n" };
        out.extend([&heading, between, &told, behind, &table, "\n\n"]);
    }
    out.trim().to_owned()
}

/// A table of one value for each row, turned about: each value once, with all rows that have it; absent if that is
/// long, too.
fn by_value(drawn: &[&str]) -> Option<String> {
    let (key, value) = two_cells(drawn.first()?)?;
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in &drawn[2..] {
        let (key, value) = two_cells(row)?;
        match rows.iter_mut().find(|(known, _)| *known == value) {
            Some((_, keys)) => keys.push(key),
            None => rows.push((value, vec![key])),
        }
    }
    let heading = [capitalised(value), key.to_owned()];
    let rows = rows.iter().map(|(value, keys)| [(*value).to_owned(), keys.join(", ")]);
    let rows: Vec<Vec<String>> = std::iter::once(heading).chain(rows).map(Vec::from).collect();
    (rows.len() <= MOST_ROWS_IN_SHORT).then(|| format_table(&rows).trim_end().to_owned())
}

fn two_cells(row: &str) -> Option<(&str, &str)> {
    let inner = row.strip_prefix("| ")?.strip_suffix(" |")?;
    inner.split_once(" | ").filter(|(_, value)| !value.contains('|'))
}

/// With more rows, a table is for the whole book.
const MOST_ROWS_IN_SHORT: usize = 10;

/// The lines of a section, what stands below a move on the line of that move.
fn in_short(lines: &[&str]) -> String {
    let mut out = String::new();
    let (mut was_listed, mut is_move) = (None, false);
    for line in lines {
        let depth = line.len() - line.trim_start().len();
        let is_listed = bare(line).len() < line.len();
        let belongs_to_move = is_move && depth == 2 && !line.ends_with(':');
        if belongs_to_move {
            let part = line.trim_start().trim_start_matches("- ");
            let is_ended = out.trim_end_matches([')', '”']).ends_with(['.', '!', '?']);
            out.extend(match part.strip_prefix("Then: ") {
                _ if is_ended => [" ", part],
                Some(done) => [": ", done],
                None => [". ", part],
            });
            continue;
        }
        // A paragraph is no part of the list above it, nor a list one of the paragraph.
        let is_apart = was_listed.replace(is_listed).is_some_and(|it| it != is_listed);
        let between = if is_apart { "\n\n" } else { "\n" };
        out.extend([if out.is_empty() { "" } else { between }, *line]);
        is_move = ["- **", "- Or **"].iter().any(|it| line.starts_with(it)) && !line.ends_with(':');
    }
    out
}

/// The table of options and what they change, in short.
pub(super) fn options_in_short(text: &str) -> String {
    let text = text.split("### Variants").next().unwrap_or_default();
    let (table, rest) = text.split_at(text.find("|\n\n").map_or(text.len(), |at| at + 1));
    format!("{}\n\n{}", table.trim_end(), outline(rest)).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_sentences_are_broken() {
        let joined = |a: &str, b: &str| format!("{OPEN}{a}{NEXT} and {b}{CLOSE}");
        let short = format!("1. If {}, stop. Go on.", joined("it rains", "you are wet"));
        assert_eq!(lay_out(&short), "1. If it rains and you are wet, stop. Go on.");
        let a = "the number of cards in your hand is at most the number of players";
        let long = format!("  - If {}, draw three.", joined(a, "you are not *out*"));
        let list = format!("    - {}.\n    - You are not *out*.", capitalised(a));
        assert_eq!(lay_out(&long), format!("  - Draw three if all of this is so:\n{list}"));
        let parts = format!("  - Draw three if all of this is so: {a}; you are not *out*. Go on.");
        assert_eq!(lay_out(&(long + " Go on.")), parts);
    }
}
