//! The English of the documentation and the help: short sentences, standard terms.

use std::path::PathBuf;

use crate::commands::{astragal, listed};
use crate::support::{files, name, read, root};

/// How many words a sentence may have.
const MOST_WORDS: usize = 30;

/// Phrases that readers stumbled over, in lower case.
const PHRASES: &[&str] = &[
    "gone over",
    "goes over",
    "go over them",
    "stand behind",
    "stands behind",
    "hang on",
    "hangs on",
    "whoever",
    "what is asked for",
    "still stand",
    "comes near",
    "come near",
    "nothing here is called",
];

/// The text of a page without its code.
fn prose(page: &str) -> String {
    let mut inside = false;
    let mut prose = String::new();
    for line in page.lines() {
        let fence = line.starts_with("```");
        inside ^= fence;
        prose.push_str(if inside || fence { "" } else { line });
        prose.push('\n');
    }
    // What stands in backticks is code: one word.
    prose.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "x" }).collect()
}

/// The sentences of a text: a paragraph, a cell of a table, a point of a list ends one too.
fn sentences(prose: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in prose.lines() {
        let begins = line.trim_start().starts_with(['|', '*', '-', '#'])
            || line.starts_with(|first: char| first.is_ascii_digit());
        if begins || line.trim().is_empty() {
            blocks.push(String::new());
        }
        for (at, cell) in line.split('|').enumerate() {
            if at > 0 {
                blocks.push(String::new());
            }
            let block = blocks.last_mut().expect("there is always one");
            block.push_str(cell);
            block.push(' ');
        }
    }
    let ends = |text: &str| text.ends_with(['.', ':', ';', '?', '!']);
    let mut found = Vec::new();
    for block in blocks {
        let mut sentence = String::new();
        for word in block.split_whitespace() {
            sentence.push_str(word);
            sentence.push(' ');
            if ends(word.trim_end_matches([')', '*', '"', '_'])) {
                found.push(std::mem::take(&mut sentence));
            }
        }
        found.push(sentence);
    }
    found
}

/// What is wrong with the English of a text, a line for each fault.
fn faults(place: &str, prose: &str) -> Vec<String> {
    let lower = prose.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let phrases = PHRASES.iter().filter(|phrase| lower.contains(**phrase));
    let phrases = phrases.map(|phrase| format!("{place}: “{phrase}”"));
    let long = sentences(prose).into_iter().filter(|sentence| {
        let is_word = |word: &&str| word.contains(char::is_alphanumeric);
        sentence.split_whitespace().filter(is_word).count() > MOST_WORDS
    });
    phrases.chain(long.map(|sentence| format!("{place}: long: {sentence}"))).collect()
}

#[test]
fn pages_are_easy_to_read() {
    let mut pages: Vec<PathBuf> = files("docs", "md");
    let top = ["README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md"];
    pages.extend(top.iter().map(|name| root().join(name)));
    let found: Vec<String> =
        pages.iter().flat_map(|page| faults(&name(page), &prose(&read(page)))).collect();
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn help_is_easy_to_read() {
    let help = astragal(&["--help"], "").output;
    let commands: Vec<&str> = listed(&help).filter_map(|line| line.split(' ').next()).collect();
    assert!(commands.len() > 10, "only {commands:?} were found");
    // Each line of the list of commands is a sentence of its own.
    let lines: Vec<String> = help.lines().map(|line| format!("{line}\n\n")).collect();
    let mut found = faults("astragal --help", &lines.concat());
    for command in commands {
        let help = astragal(&[command, "--help"], "").output;
        found.extend(faults(&format!("astragal {command} --help"), &prose(&help)));
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_long_sentence_and_an_old_phrase_are_found() {
    let long = "word ".repeat(31);
    assert_eq!(faults("page", &format!("{long}. Whoever wins.")).len(), 2);
    assert!(faults("page", &format!("Short. {}.", "word ".repeat(30))).is_empty());
    assert!(faults("page", &prose("`whoever` wins\n```text\nwhoever\n```\n")).is_empty());
}
