//! `astragal explain`: the long text of a diagnostic.

use super::args::Explain;
use super::error::CliError;
use super::screen::{Exit, Failure, Screen};
use crate::suggest::nearest;

/// The reference of all diagnostics.
const REFERENCE: &str = include_str!("../../docs/errors.md");

/// What a section begins with.
const HEAD: &str = "\n## ";

/// Prints what a code means.
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

/// The sections of the reference: code and text.
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

#[cfg(test)]
mod tests {
    use super::{find, plain, sections, without_stage};
    use crate::cli::error::CliError;

    #[test]
    fn every_code_is_found_with_and_without_its_stage() {
        for (code, text) in sections() {
            assert_eq!(find(code).unwrap(), (code, text));
            let short = find(without_stage(code));
            assert!(short.is_ok_and(|(found, _)| found == code) || shared(code), "{code}");
        }
    }

    fn shared(code: &str) -> bool {
        sections().filter(|(other, _)| without_stage(other) == without_stage(code)).count() > 1
    }

    #[test]
    fn a_note_in_an_example_is_no_section() {
        let (_, text) = find("syntax::stray_note").unwrap();
        assert!(text.contains("\n## ") && text.ends_with("```"), "{text}");
    }

    #[test]
    fn an_unknown_code_suggests() {
        let help = |word: &str| match find(word) {
            Err(CliError::UnknownCode { help, .. }) => help,
            other => panic!("{other:?}"),
        };
        assert_eq!(help("check::unknown_nam"), "did you mean `check::unknown_name`?");
        assert_eq!(help("unknown_nam"), "did you mean `check::unknown_name`?");
        assert!(help("xyz").contains("`check::`, `cli::`"));
        assert!(help("too_deep").contains("`play::too_deep` or `syntax::too_deep`"));
    }

    #[test]
    fn explanations_fit_a_terminal() {
        for (code, text) in sections() {
            let text = plain(text);
            // A command stays on one line, so that it can be pasted.
            let lines = text.lines().filter(|line| !line.starts_with("    $ "));
            let wide = lines.map(|line| line.chars().count()).max();
            assert!(wide <= Some(102), "{code}");
        }
    }
}
