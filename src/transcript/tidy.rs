//! A script in its canonical layout: what `astragal fmt` writes.

use super::error::ScriptError;
use super::line::{Kind, Line, Words};
use super::read::{read, reported};
use super::write::{chance, decision, fold, seed};
use crate::diagnostic::Diagnostics;
use crate::source::Source;

/// The text of a script with its header in order, one space where spaces stand between words, and
/// one empty line where there are several. Output and comments stay as they are, and so does what
/// stands behind `?`, `set` and `do`. Doing it again changes nothing.
///
/// # Errors
///
/// What is wrong with the form of the script, but for the order of its header.
pub fn tidy(source: &Source) -> Result<String, Diagnostics> {
    let (script, errors) = read(source);
    if errors.iter().any(|error| !matches!(error, ScriptError::HeaderOrder { .. })) {
        return Err(reported(errors));
    }
    let mut headers: Vec<&Line> =
        script.lines.iter().filter(|line| line.kind.is_header()).collect();
    headers.sort_by_key(|line| line.kind.header_rank());
    let mut headers = headers.into_iter();
    let mut lines: Vec<String> = Vec::new();
    for line in &script.lines {
        let line = if line.kind.is_header() { headers.next().unwrap_or(line) } else { line };
        let text = written(line);
        // An empty line is worth one, and none at the beginning.
        if !text.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(text);
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    Ok(lines.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect())
}

/// A line with the spaces that belong into it, and its comment.
fn written(line: &Line) -> String {
    let words = |words: &Words| fold(&words.text);
    let text = match &line.kind {
        Kind::Output(_) | Kind::Comment | Kind::Blank => return line.text.clone(),
        Kind::Game(name) => format!("game {}", name.text),
        Kind::Players(names) => {
            format!("players {}", names.iter().map(words).collect::<Vec<_>>().join(", "))
        }
        Kind::Option { name, value } => format!("option {} = {}", words(name), words(value)),
        Kind::Seed(number) => seed(*number),
        Kind::Decision { name, words: label } => decision(&words(name), &words(label)),
        Kind::Chance(event) => {
            let (event, outcome) = event.text.split_once(':').unwrap_or((&event.text, ""));
            chance(&fold(event), &fold(outcome))
        }
        Kind::Set(statement) => format!("set {}", statement.text),
        Kind::Do(call) => format!("do {}", call.text),
        Kind::Holds(condition) => format!("? {}", condition.text),
        Kind::Refused { words: label, because: None } => format!("! {}", words(label)),
        Kind::Refused { words: label, because: Some(text) } => {
            format!("! {} because \"{}\"", words(label), text.text)
        }
        Kind::Moves => "moves".to_owned(),
        Kind::Bot(number) => format!("bot {number}"),
        Kind::Result(result) => format!("= {}", words(result)),
    };
    format!("{text}{}", line.tail)
}
