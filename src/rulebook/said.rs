//! Long sentences in parts: nobody says more than twenty words at a table.
//!
//! What makes a sentence puts marks where it may be broken. Only a sentence that is too long is broken there.

use std::mem::take;

use crate::rulebook::english::{capitalised, join_words};

/// Around conditions that `and` or `or` joins, and between them.
pub(super) const OPEN: char = '\u{E000}';
pub(super) const NEXT: char = '\u{E001}';
pub(super) const CLOSE: char = '\u{E002}';
/// Behind `for which`.
pub(super) const LINK: char = '\u{E003}';

/// The longest sentence that a person says at a table.
pub(super) const MOST_WORDS_SAID: usize = 20;

/// The words of a text without marks, its long sentences broken.
pub(super) fn lay_out(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let parts = if line.contains(is_mark) { sentences(line) } else { vec![line.to_owned()] };
        join_words(parts.iter().map(|it| broken(it)), " ")
    });
    join_words(lines, "\n")
}

pub(super) fn unmarked(text: &str) -> String {
    text.replace(is_mark, "")
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

fn broken(sentence: &str) -> String {
    let plain = unmarked(sentence);
    if plain.split_whitespace().count() <= MOST_WORDS_SAID {
        return plain;
    }
    let Some((before, joined, behind)) = conditions(sentence) else {
        let linked = sentence.replacen(LINK, " this holds:", 1);
        return unmarked(&linked);
    };
    let any = joined.iter().skip(1).any(|it| it.starts_with(" or "));
    let so = if any { "any of this is so" } else { "all of this is so" };
    let look = joined.iter().map(|claim| {
        let claim =
            [" and ", " or "].iter().find_map(|word| claim.strip_prefix(word)).unwrap_or(claim);
        broken(&format!("Look whether {claim}."))
    });
    let text = before.trim_start_matches(|sign: char| " -.0123456789".contains(sign));
    let mark = &before[..before.len() - text.len()];
    let last = capitalised(&broken(&format!("{text}{so}{behind}")));
    format!("{mark}{} {last}", join_words(look, " "))
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

/// The first sentence of each section and of each move; no tables, no terms.
pub(super) fn outline(text: &str) -> String {
    let mut out = String::new();
    let is_told = |section: &&str| !section.starts_with("What words mean");
    for (at, section) in text.split("### ").filter(is_told).enumerate() {
        let lines: Vec<&str> = section.lines().filter(|line| !line.is_empty()).collect();
        let (heading, lines) = if at == 0 && !text.starts_with("### ") {
            (String::new(), lines.as_slice())
        } else {
            let Some((heading, lines)) = lines.split_first() else { continue };
            (format!("**{heading}**: "), lines)
        };
        if lines.iter().any(|line| line.starts_with('|')) {
            continue;
        }
        let mut told =
            lines.iter().filter(|line| !line.starts_with(['-', ' ']) && !line.ends_with(':'));
        let first = told.next().map_or("", |line| first_sentence(line));
        let moves =
            lines.iter().filter(|line| line.starts_with("- **") || line.starts_with("- Or "));
        let moves: String = moves.flat_map(|line| [first_sentence(line), "\n"]).collect();
        out.extend([format!("{heading}{first}\n\n{moves}").trim_end(), "\n\n"]);
    }
    out.trim().to_owned()
}

fn first_sentence(line: &str) -> &str {
    let number = line.find(". ").filter(|end| line[..*end].chars().all(|it| it.is_ascii_digit()));
    let from = number.map_or(0, |end| end + 2);
    line[from..].find(". ").map_or(line, |end| &line[..=from + end])
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
        let long = format!("  - If {}, draw: three.", joined(a, "you are not *out*"));
        let parts = format!(
            "  - Look whether {a}. Look whether you are not *out*. If all of this is so, draw: three."
        );
        assert_eq!(lay_out(&long), parts);
    }
}
