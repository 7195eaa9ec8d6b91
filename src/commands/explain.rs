//! `astragal explain`: the section of docs/errors.md about the code of a diagnostic.

use crate::host::exit::{Exit, Failure};
use crate::host::{error::HostError, screen::Screen};
use crate::suggest::nearest;

const REFERENCE: &str = include_str!("../../docs/errors.md");

const HEAD: &str = "\n## ";

pub(super) fn run_explain(code: &str, screen: &mut Screen) -> Result<Exit, Failure> {
    let (code, text) = find_code(code)?;
    screen.print_line(&format!("{code}\n\n{}", render_section(text)))?;
    Ok(Exit::Fine)
}

/// The code that is meant and its section. The stage may be left out where that is clear.
fn find_code(word: &str) -> Result<(&'static str, &'static str), HostError> {
    let meant: Vec<(&str, &str)> =
        sections().filter(|(code, _)| *code == word || without_stage(code) == word).collect();
    match meant.as_slice() {
        [one] => Ok(*one),
        [] => Err(unknown_code(word)),
        several => {
            let codes: Vec<String> = several.iter().map(|(code, _)| format!("`{code}`")).collect();
            let help = format!("write which one is meant: {}", codes.join(" or "));
            Err(HostError::UnknownCode { code: word.to_owned(), help })
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

/// A section as people read it: fences become indentation, links their words, a `printf` the file that
/// it writes.
fn render_section(section: &str) -> String {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in section.lines() {
        if line.starts_with("```") {
            inside = !inside;
        } else if let Some((text, file)) = parse_printf(line).filter(|_| inside) {
            lines.push(format!("    {file}:"));
            lines.extend(text.trim_end_matches("\\n").split("\\n").map(|it| format!("      {it}")));
        } else if inside && !line.is_empty() {
            lines.push(format!("    {line}"));
        } else {
            lines.push(line.replace("**", ""));
        }
    }
    let mut text = lines.join("\n");
    while let Some((start, end, close)) = link(&text) {
        let words = text[start + 1..end].to_owned();
        text.replace_range(start..=close, &words);
    }
    text.replace("Wrong\n\n", "Wrong:\n\n").replace("Right\n\n", "Right:\n\n").trim_end().to_owned()
}

/// What an example writes into a file: `$ printf 'TEXT' > FILE`.
fn parse_printf(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("$ printf '")?.split_once("' > ")
}

/// The first `[words](page)` of a text: where its brackets open, and where both close.
fn link(text: &str) -> Option<(usize, usize, usize)> {
    text.match_indices("](").find_map(|(end, _)| {
        let start = text[..end].rfind('[').filter(|start| !text[*start..end].contains('\n'))?;
        Some((start, end, end + text[end..].find(')')?))
    })
}

fn unknown_code(word: &str) -> HostError {
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
    HostError::UnknownCode { code: word.to_owned(), help }
}

fn without_stage(code: &str) -> &str {
    code.split_once("::").map_or(code, |(_, name)| name)
}
