//! Matches output with what a script expects of it: `...`, `{name}`, `/regular expressions/`.

use std::collections::BTreeMap;

use regex_lite::{Regex, escape};

/// What each `{name}` stood for where it was first met.
pub(in crate::session) type Named = BTreeMap<String, String>;

/// Stands for any lines of output.
pub(in crate::session) const ANY_LINES: &str = "  ...";

/// What `{name}` stands for: no white space and no punctuation. A brace is in none, so that the text of
/// a set, `{red}`, never stands for that of another.
const WORD: &str = r#"[^\s{}.,:;!?()"]+"#;

/// Returns the words that patterns stand for, if the lines are as expected.
pub(in crate::session) fn lines_fit(
    expected: &[&str],
    found: &[&str],
    named: &Named,
) -> Option<Named> {
    let (mut at, mut line, mut known) = (0, 0, named.clone());
    // Where the last `...` ends, the line that it ends before, and what was known there.
    let mut any: Option<(usize, usize, Named)> = None;
    while (at, line) != (expected.len(), found.len()) {
        if expected.get(at) == Some(&ANY_LINES) {
            at += 1;
            any = Some((at, line, known.clone()));
            continue;
        }
        let pair = expected.get(at).zip(found.get(line));
        if let Some(next) = pair.and_then(|(expected, found)| line_fits(expected, found, &known)) {
            (at, line) = (at + 1, line + 1);
            known.extend(next);
            continue;
        }
        let (after, begin, before) = any.as_mut().filter(|(_, begin, _)| *begin < found.len())?;
        *begin += 1;
        (at, line, known) = (*after, *begin, before.clone());
    }
    Some(known)
}

/// Returns the words that a pattern stands for beside those known, if a line fits it.
pub(in crate::session) fn line_fits(expected: &str, found: &str, named: &Named) -> Option<Named> {
    if expected == found {
        return Some(Named::new());
    }
    let (mut regex, mut new_names, mut rest) = ("^".to_owned(), Vec::new(), expected);
    while let Some(at) = rest.find(['{', '/']) {
        let (before, sign) = rest.split_at(at);
        // A slash between letters is none that begins a pattern: `win/lose`.
        let begins = !before.ends_with(char::is_alphanumeric);
        let split = sign.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let split = split.filter(|(name, _)| is_name(name));
        regex.push_str(&escape(before));
        if let Some((name, after)) = split {
            rest = after;
            match named.get(name) {
                Some(word) => regex.push_str(&escape(word)),
                None => {
                    let number = new_names.len().to_string();
                    regex.extend(["(?<word", &number, ">", WORD, ")"]);
                    new_names.push(name);
                }
            }
        } else if let Some((inner, after)) = sign[1..].split_once('/').filter(|_| begins) {
            rest = after;
            regex.extend(["(?:", inner, ")"]);
        } else {
            regex.push_str(&escape(&sign[..1]));
            rest = &sign[1..];
        }
    }
    if regex.len() == 1 {
        return None;
    }
    let regex = Regex::new(&(regex + &escape(rest) + "$")).ok()?;
    let captured = regex.captures(found)?;
    let mut new = Named::new();
    for (number, name) in new_names.into_iter().enumerate() {
        let word = captured.name(&format!("word{number}"))?.as_str().to_owned();
        if new.insert(name.to_owned(), word.clone()).is_some_and(|before| before != word) {
            return None;
        }
    }
    Some(new)
}

fn is_name(name: &str) -> bool {
    name.starts_with(char::is_alphabetic)
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// The lines that are expected, those with patterns in the words of the lines that they fit.
pub(in crate::session) fn as_found(
    expected: &[&str],
    found: &[&str],
    named: &Named,
) -> Vec<String> {
    let mut left = found;
    let as_found = expected.iter().map(|expected| {
        let at = left.iter().position(|line| line_fits(expected, line, named).is_some());
        let line = at.map_or(*expected, |at| left[at]);
        left = at.map_or(left, |at| &left[at + 1..]);
        line.to_owned()
    });
    as_found.collect()
}
