//! Long sentences in parts: nobody says more than twenty words at a table.
//!
//! What makes a sentence puts marks where it may be broken. Only a sentence that is too long is broken there.

use std::mem::take;

use crate::rulebook::english::{capitalised, join_words, sentence};

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
    let so = if any { "one of these is so" } else { "all of this is so" };
    let text = before.trim_start_matches(|sign: char| " -.0123456789".contains(sign));
    let mark = &before[..before.len() - text.len()];
    let end = if behind.ends_with(':') { " Then:" } else { "" };
    let behind = behind.trim_end_matches(['.', ':']);
    let told =
        match behind.strip_prefix(", ").filter(|it| text == "If " && !it.starts_with("and if ")) {
            // What is done comes first: the conditions are a list.
            Some(done) => format!("{done} if {so}"),
            None => format!("{text}{so}{behind}"),
        };
    format!("{mark}{}: {}{end}", capitalised(&broken(&told)).trim_end_matches('.'), listed(&joined))
}

/// Claims one after the other: in one sentence, or one in each where that is too long.
fn listed(joined: &[String]) -> String {
    let claims = joined.iter().map(|claim| {
        [" and ", " or "].iter().find_map(|word| claim.strip_prefix(word)).unwrap_or(claim)
    });
    let claims: Vec<String> = claims.map(broken).collect();
    let length: usize = claims.iter().map(|claim| claim.split_whitespace().count()).sum();
    if length <= MOST_WORDS_SAID {
        return format!("{}.", claims.join("; "));
    }
    join_words(claims.iter().map(|claim| sentence(claim)), " ")
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

/// The sections in short: what each step does as a whole, and each move; tables by their names, no terms.
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
        let (drawn, told): (Vec<&str>, Vec<&str>) =
            lines.iter().partition(|line| line.starts_with('|'));
        let told =
            join_words(told.into_iter().filter(|it| is_in_short(it)).map(str::to_owned), "\n");
        let told = match (told.is_empty(), drawn.is_empty()) {
            (true, true) => continue,
            (true, false) => "see the table in the whole book.".to_owned(),
            _ => told,
        };
        // A list begins below what it belongs to.
        let between = if told.starts_with("- ") || told.starts_with("1. ") { "\n\n" } else { "" };
        let between = if between.is_empty() && !heading.is_empty() { " " } else { between };
        out.extend([heading.trim_end(), between, &told, "\n\n"]);
    }
    out.trim().to_owned()
}

/// Whether a line tells a step or a move, and not what a move names or when it is allowed.
fn is_in_short(line: &str) -> bool {
    let inner = line.starts_with("  ");
    !inner
        || ["- Then: ", "- Also: "].iter().any(|it| line.trim_start().starts_with(it))
        || line.starts_with("   - ")
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
        let parts = format!("  - Draw three if all of this is so: {a}; you are not *out*.");
        assert_eq!(lay_out(&long), parts);
    }
}
