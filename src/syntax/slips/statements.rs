//! Slips in statements and expressions that no pattern of words describes.

use super::phrases::offset;
use crate::diagnostic::Help;
use crate::suggest::nearest;
use crate::syntax::explain::Mistake;
use crate::syntax::words::leading_word;

/// What to do about a slip in a statement or an expression.
pub(super) fn help(slip: &Mistake) -> Option<Help> {
    about_moves(slip)
        .or_else(|| about_words(slip))
        .or_else(|| about_values(slip))
        .or_else(|| about_calls(slip))
}

fn about_moves(slip: &Mistake) -> Option<Help> {
    let (name, second) = (leading_word(slip.tail()), leading_word(slip.found));
    if !slip.in_move() || name != slip.tail() || name.is_empty() || second.is_empty() {
        return None;
    }
    let (words, form) = if slip.rest.contains(&format!("for {second} in")) {
        ("what a move is about stands in parentheses:", format!("{name}({second})"))
    } else {
        ("the name of a move is one word:", format!("{name}_{second}"))
    };
    Some(slip.over(name, second.len(), words, &form))
}

fn about_words(slip: &Mistake) -> Option<Help> {
    if slip.tail() == "finish" && nearest(slip.found, ["win", "draw", "ranking"]).is_none() {
        return Some(
            "write `finish win me`, `finish draw` or `finish ranking p by p.points`".into(),
        );
    }
    if slip.rest.starts_with("...") {
        return Some("where nothing happens the braces are empty: `{ }`".into());
    }
    let of = leading_word(slip.rest.strip_prefix("of").unwrap_or_default().trim_start());
    let owned = slip.last_word();
    let known = ["top", "bottom", "set", "cards", "subsets", "count", ""].contains(&owned);
    (slip.found == "of" && !of.is_empty() && !known).then(|| {
        let words = "write what somebody or something has after a dot:";
        slip.over(owned, offset(slip.rest, of) + of.len(), words, &format!("{of}.{owned}"))
    })
}

/// Values that stand where a statement is due.
fn about_values(slip: &Mistake) -> Option<Help> {
    const OPERATORS: [&str; 11] = ["<", ">", "<=", ">=", "==", "!=", "+", "-", "*", "and", "or"];
    let tail = slip.tail();
    if !slip.may_end() {
        return None;
    }
    if let Some(sign) = ["++", "--"].into_iter().find(|sign| slip.rest.starts_with(sign)) {
        let form = format!("{tail} {}= 1", &sign[..1]);
        return Some(slip.over(tail, sign.len(), "write", &form));
    }
    let is_value = !tail.is_empty() && !tail.contains(['=', ':', ' ']);
    (OPERATORS.contains(&slip.found) && is_value).then(|| {
        let rest = slip.rest.split(['}', ';']).next().unwrap_or_default().trim();
        let form = format!("return {tail} {rest}");
        slip.over(tail, rest.len(), "a value is given back with", &form)
    })
}

/// `x = score p`: two names beside each other, where a value is due.
fn about_calls(slip: &Mistake) -> Option<Help> {
    const OPENERS: [&str; 15] =
        ["=", "(", ",", "<", ">", "+", "-", "*", "return", "if", "while", "and", "or", "not", "by"];
    let (first, second) = (slip.last_word(), slip.found);
    if !["rule", "play", "setup", "moves", "measure", "always"].contains(&slip.declares())
        || !is_name(first)
        || !is_name(second)
    {
        return None;
    }
    let before = slip.tail().strip_suffix(first)?.trim_end();
    let behind = slip.rest.strip_prefix(second)?.trim_start();
    let ends = behind.chars().next().is_none_or(|next| ")},;{+-*<>=!".contains(next));
    if before.ends_with('=') && !ends {
        let place = before.trim_end_matches('=').trim_end();
        let help = format!(
            "one value stands behind `=`; of an array each element is given its own: `{place}[1] = \
             {first}`"
        );
        return Some(help.into());
    }
    let is_due = before.ends_with("win") || OPENERS.iter().any(|it| before.ends_with(it));
    (is_due && ends && !slip.in_move()).then(|| {
        let help = format!(
            "a call has parentheses, `{first}({second})`; what `{second}` has stands behind a dot, \
             `{second}.{first}`"
        );
        slip.over(first, second.len(), "", &format!("{first}({second})")).says(help.into())
    })
}

/// Whether a word may be a name, and is none of the words that statements are made of.
fn is_name(word: &str) -> bool {
    const WORDS: [&str; 22] = [
        "by", "of", "to", "from", "in", "for", "where", "when", "if", "then", "else", "or", "and",
        "not", "is", "until", "times", "gains", "loses", "pays", "at", "with",
    ];
    word.starts_with(|it: char| it.is_ascii_lowercase()) && !WORDS.contains(&word)
}
