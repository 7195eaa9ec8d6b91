//! `astragal explain`: the long text of a diagnostic.

use super::args::Explain;
use super::error::CliError;
use super::screen::{Exit, Failure, Screen};
use crate::suggest::nearest;

const REFERENCE: &str = include_str!("../../docs/errors.md");

const HEAD: &str = "\n## ";

pub(super) fn explain(command: &Explain, screen: &mut Screen) -> Result<Exit, Failure> {
    let (code, text) = find(&command.code)?;
    screen.line(&format!("{code}\n\n{}", plain(text)))?;
    Ok(Exit::Fine)
}

/// The code that is meant and its section. The stage may be left out where that is clear.
fn find(word: &str) -> Result<(&'static str, &'static str), CliError> {
    let meant: Vec<(&str, &str)> =
        sections().filter(|(code, _)| *code == word || without_stage(code) == word).collect();
    match meant.as_slice() {
        [one] => Ok(*one),
        [] => Err(unknown(word)),
        several => {
            let codes: Vec<String> = several.iter().map(|(code, _)| format!("`{code}`")).collect();
            let help = format!("write which one is meant: {}", codes.join(" or "));
            Err(CliError::UnknownCode { code: word.to_owned(), help })
        }
    }
}

fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    // A note in an example begins like a section, but is no code.
    let is_head = |at: &usize| {
        REFERENCE[at + HEAD.len()..].lines().next().is_some_and(|line| line.contains("::"))
    };
    let heads = || REFERENCE.match_indices(HEAD).map(|(at, _)| at).filter(is_head);
    let ends = heads().skip(1).chain([REFERENCE.len()]);
    heads().zip(ends).map(|(start, end)| {
        let (code, text) = REFERENCE[start + HEAD.len()..end].split_once('\n').unwrap_or_default();
        (code, text.trim())
    })
}

/// A section without the marks that only tests need: fences become indentation.
fn plain(section: &str) -> String {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in section.lines() {
        if line.starts_with("```") {
            inside = !inside;
        } else if inside && !line.is_empty() {
            lines.push(format!("    {line}"));
        } else {
            lines.push(line.replace("**", ""));
        }
    }
    let text = lines.join("\n");
    text.replace("Wrong\n\n", "Wrong:\n\n").replace("Right\n\n", "Right:\n\n").trim_end().to_owned()
}

fn unknown(word: &str) -> CliError {
    let codes: Vec<&str> = sections().map(|(code, _)| code).collect();
    let spoken = |code: &'static str| if word.contains("::") { code } else { without_stage(code) };
    let near = nearest(word, codes.iter().map(|code| spoken(code)));
    let help = match codes.iter().find(|code| Some(spoken(code)) == near) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let mut stages: Vec<String> = codes
                .iter()
                .filter_map(|code| code.split_once("::"))
                .map(|(stage, _)| format!("`{stage}::`"))
                .collect();
            stages.dedup();
            format!("codes stand above each finding; they begin with {}", stages.join(", "))
        }
    };
    CliError::UnknownCode { code: word.to_owned(), help }
}

fn without_stage(code: &str) -> &str {
    code.split_once("::").map_or(code, |(_, name)| name)
}
