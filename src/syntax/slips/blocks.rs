//! Slips with blocks: what stands in which, and what follows one.

use super::is_number;
use crate::diagnostic::Help;
use crate::syntax::explain::Mistake;
use crate::syntax::words::leading_word;

/// What to do about a slip that the block around it explains.
pub(super) fn help(slip: &Mistake) -> Option<Help> {
    about_sizes(slip)
        .or_else(|| about_then(slip))
        .or_else(|| about_decisions(slip).map(Help::from))
        .or_else(|| about_dots(slip))
        .or_else(|| about_operators(slip))
        .or_else(|| about_separators(slip))
}

/// `board Sea 6x6`
fn about_sizes(slip: &Mistake) -> Option<Help> {
    let (columns, rows) = slip.found.split_once(['x', 'X'])?;
    (slip.declares() == "board" && is_number(columns) && is_number(rows)).then(|| {
        let form = format!("{} {columns} by {rows}", slip.line());
        slip.over(slip.line(), slip.found.len(), "a board has columns and rows:", &form)
    })
}

/// `if P then finish draw`: only values stand behind `then`.
fn about_then(slip: &Mistake) -> Option<Help> {
    let start = slip.before.rfind(['{', '}', ';']).map_or(0, |at| at + 1);
    let statement = slip.before[start..].trim_start();
    let line = statement.lines().rev().find(|line| leading_word(line.trim_start()) == "if")?;
    let (condition, behind) = line.split_once(" then")?;
    let goes_on = behind.is_empty() || behind.starts_with(' ');
    (goes_on && slip.found != "else").then(|| {
        let condition = condition.trim_start();
        format!("`then` gives a value; what is done stands in braces: `{condition} {{ … }}`").into()
    })
}

/// What follows a move, and a decision without the one who decides.
fn about_decisions(slip: &Mistake) -> Option<&'static str> {
    let around = around(slip.before);
    if around == "choose" && slip.found == "{" {
        return Some("say who decides: `choose me { … }`");
    }
    if !["choose", "moves"].contains(&leading_word(around)) || !slip.tail().is_empty() {
        return None;
    }
    match slip.found {
        "," => Some("moves stand on lines of their own, or have `;` between them"),
        "else" => {
            Some("`else` stands behind the `}` of the decision, and is for when nothing is legal")
        }
        _ => None,
    }
}

/// What stands on its line before the innermost brace that is open.
fn around(before: &str) -> &str {
    let mut closed = 0_usize;
    for (at, letter) in before.char_indices().rev() {
        match letter {
            '}' => closed += 1,
            '{' if closed > 0 => closed -= 1,
            '{' => {
                let line = before[..at].rsplit(['\n', '{', ';']).next().unwrap_or_default();
                return line.trim();
            }
            _ => {}
        }
    }
    ""
}

/// Ranges with a dash, or with a dot too many.
fn about_dots(slip: &Mistake) -> Option<Help> {
    let last = slip.tail().split_whitespace().next_back()?;
    if slip.found == "." && last.ends_with("..") {
        let high = leading_word(slip.rest.trim_start_matches('.'));
        let form = format!("{}..{high}", last.trim_end_matches('.'));
        let length = slip.rest.find(high).unwrap_or_default() + high.len();
        return Some(slip.over(last, length, "a range has two dots:", &form));
    }
    let (low, high) = last.split_once('-')?;
    let in_type = slip.tail().contains(':');
    let ends = ["=", "\n", "}", ";", "seen", "hidden"].contains(&slip.found);
    (in_type && ends && is_number(low) && is_number(high))
        .then(|| slip.over(last, 0, "a range has two dots:", &format!("{low}..{high}")))
}

/// Signs that join two values.
const OPERATORS: [&str; 10] = ["+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">="];

/// `a` and below it `+ b`: a line ends where it could, unless a sign at its end says that it goes on.
fn about_operators(slip: &Mistake) -> Option<Help> {
    let begins = slip.line().is_empty() && OPERATORS.contains(&slip.found);
    let above = slip.before.trim_end().lines().next_back()?.trim();
    let is_value = above.ends_with(|it: char| it.is_ascii_alphanumeric() || ")]}_\"".contains(it));
    (begins && is_value && !["kind", "extend"].contains(&slip.declares())).then(|| {
        let found = slip.found;
        format!("a line goes on behind a sign: write `{found}` at the end of the line above, `{above} {found}`")
            .into()
    })
}

/// `a { } b { }`: what follows a block stands on a line of its own.
fn about_separators(slip: &Mistake) -> Option<Help> {
    let found = slip.found;
    let begins = found.starts_with(|it: char| it.is_ascii_lowercase());
    let follows = slip.may_end() && slip.line().ends_with('}') && begins;
    (follows && !["or", "else", "until", "where"].contains(&found)).then(|| {
        format!("begin a new line before `{found}`, or write `;` before it: `}}; {found} …`").into()
    })
}
