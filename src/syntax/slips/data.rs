//! Slips in what is listed or drawn: kinds, tables, variables, heads of rules.

use super::Slip;
use crate::diagnostic::Help;
use crate::source::padded;
use crate::syntax::words::leading_word;

/// What to do about a slip in a declaration.
pub(super) fn help(slip: &Slip) -> Option<Help> {
    match slip.declares() {
        "kind" | "extend" => about_kinds(slip),
        "table" => about_tables(slip).map(Help::from),
        "game" => about_games(slip).map(Help::from),
        "cards" => about_copies(slip).map(Help::from),
        "each" | "the" => about_has(slip).or_else(|| about_variables(slip)),
        "rule" | "moves" => about_heads(slip).or_else(|| about_variables(slip)),
        _ => about_variables(slip),
    }
}

fn about_kinds(slip: &Slip) -> Option<Help> {
    let (head, tail) = (slip.head(), slip.tail());
    if slip.found == "{" && slip.line().ends_with('=') {
        let name = leading_word(head.strip_prefix("kind")?.trim_start());
        let form = format!("kind {name} {{ … }}");
        let words = "the members stand in braces without `=`:";
        return Some(slip.over(slip.line(), 0, words, &form));
    }
    if let Some((member, value)) = tail.split_once([':', '='])
        && [",", "\n", "}"].contains(&slip.found)
    {
        return Some(drawn(head, member.trim(), value.trim()).into());
    }
    let words: Vec<&str> = tail.split_whitespace().collect();
    match words[..] {
        [number] if slip.found == "," && number.chars().all(|it| it.is_ascii_digit()) => Some(
            "members are names, such as `two`; numbers alone are a type already: `2..10`".into(),
        ),
        [first, second] if slip.found == "," && !second.contains('"') => Some(
            format!(
                "members have commas between them, `{first}, {second}`; a title stands in quotes, \
                 `{first} \"{first} {second}\"`"
            )
            .into(),
        ),
        _ => {
            let above = slip.before.trim_end().lines().next_back()?;
            let row = slip.line().is_empty() && above.trim_end().ends_with('"');
            row.then(|| "headings are words without quotes".into())
        }
    }
}

/// A kind with a column, for what stands behind a member.
fn drawn(head: &str, member: &str, value: &str) -> String {
    let name = leading_word(head.trim_start_matches("extend ").trim_start_matches("kind ").trim());
    let width = member.len() + 2;
    format!(
        "what belongs to a member stands in a column below a heading, a line for each member:\n\n\
         kind {name} {{\n  {}worth\n  {}{value}\n}}",
        padded("", width),
        padded(member, width)
    )
}

fn about_tables(slip: &Slip) -> Option<String> {
    let listed = slip.found == "," || slip.found == "[" && slip.line().ends_with('=');
    listed
        .then(|| "cells stand beside each other, without brackets and commas: `= 5 4 3`".to_owned())
}

fn about_games(slip: &Slip) -> Option<String> {
    let limits = leading_word(slip.tail()) == "limit";
    limits
        .then(|| "say of what, and what happens then: `limit 500 decisions { finish draw }`".into())
}

/// `copies 2`: there is no word for as many of each.
fn about_copies(slip: &Slip) -> Option<String> {
    if let Some(help) = about_computed_copies(slip) {
        return Some(help);
    }
    let number = slip.found.chars().all(|it| it.is_ascii_digit());
    (slip.line().ends_with("copies") && number).then(|| {
        format!(
            "list them, `copies {{ ace: {0}, king: {0} }}`, or give the faces a column of numbers and \
             name it: `copies number`",
            slip.found
        )
    })
}

/// `copies { ace: 2 * players }`: how many cards there are does not depend on who plays.
fn about_computed_copies(slip: &Slip) -> Option<String> {
    let (_, listed) = slip.before.split_once("copies")?;
    let entry = listed.split_once('{')?.1.rsplit([',', '\n']).next()?;
    let face = entry.split_once(':')?.0.trim();
    let reckons = ["*", "+", "-", "(", "if"].contains(&slip.found);
    let is_name = slip.found.starts_with(|it: char| it.is_ascii_alphabetic());
    (reckons || is_name && entry.trim_end().ends_with(':')).then(|| {
        format!(
            "a number stands here, the same however many play: write the most that can be needed, \
             `{face}: 12`, and let `setup` move the others to a pile that is out of play"
        )
    })
}

fn about_has(slip: &Slip) -> Option<Help> {
    if slip.found == "{" && ["each player", "the table"].contains(&slip.line()) {
        let form = format!("{} has {{ … }}", slip.line());
        return Some(slip.over(slip.line(), 0, "write", &form));
    }
    (slip.found == ",").then(|| {
        "each variable has one value, and stands on a line of its own or behind `;`".into()
    })
}

/// A variable whose type or first value is written otherwise.
fn about_variables(slip: &Slip) -> Option<Help> {
    let tail = slip.tail();
    let is_variable = slip.lists_variables() || leading_word(tail) == "var";
    let (_, ty) = tail.split_once(':').filter(|_| is_variable)?;
    let ty = ty.trim();
    if slip.found == "or" && leading_word(slip.rest[2..].trim_start()) == "none" {
        let length = slip.rest.find("none").unwrap_or_default() + "none".len();
        let words = "what may be missing is a `maybe`:";
        return Some(slip.over(ty, length, words, &format!("maybe {ty}")));
    }
    if slip.found == "of" && !["set", "cards"].contains(&ty) {
        let of = leading_word(slip.rest[2..].trim_start());
        let help = format!(
            "there is no `{ty}`: `set of {of}` holds some of them, an array `name[{of}]: 0..9 = 0` how \
             many of each, and cards lie in piles"
        );
        return Some(help.into());
    }
    let ends = ["\n", "}", ";", ""].contains(&slip.found);
    if !(ends && slip.wants_value) || ty.is_empty() {
        return None;
    }
    let form = format!("{tail} = {}", first_value(ty));
    Some(slip.over(tail, 0, "write its first value too:", &form))
}

/// A value that fits a type.
fn first_value(ty: &str) -> String {
    match leading_word(ty) {
        "maybe" => "none".to_owned(),
        "set" => "{}".to_owned(),
        "yes" => "no".to_owned(),
        "number" => "0".to_owned(),
        name if name.starts_with(|it: char| it.is_ascii_uppercase()) => format!("{name}.first"),
        _ => ty.split("..").next().unwrap_or("0").to_owned(),
    }
}

fn about_heads(slip: &Slip) -> Option<Help> {
    let line = slip.line();
    let word = slip.declares();
    let in_head = line == slip.head().trim_end() && line.starts_with(word) && !line.contains(')');
    if !in_head {
        return None;
    }
    if line.contains('(') && [")", ","].contains(&slip.found) && !line.ends_with('(') {
        let name = slip.last_word();
        return Some(format!("a parameter has a type: `{name}: Player`, `{name}: 1..6`").into());
    }
    let name = slip.last_word();
    let parenless = !line.contains('(') && ["{", "=", "->", ":"].contains(&slip.found);
    parenless.then(|| {
        let words = "write parentheses, even with nothing in them:";
        slip.over(line, 0, words, &format!("{word} {name}()"))
    })
}
