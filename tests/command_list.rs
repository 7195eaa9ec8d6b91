//! The page of commands and options lists what the program has.

use std::collections::BTreeMap;

use crate::commands::{astragal_wide, listed};
use crate::support::{read, root};

/// A command that not every build has; its own page lists its options.
const SERVE: &str = "serve";

/// A help without line breaks inside its sentences.
fn help(words: &[&str]) -> String {
    astragal_wide((root(), "1000"), words, "").output
}

/// The rows of the first table: the commands, with what each does.
fn command_rows() -> Vec<String> {
    let help = help(&["--help"]);
    let commands = listed(&help).filter_map(|line| line.split_once(' '));
    let commands = commands.filter(|(name, _)| ![SERVE, "help"].contains(name));
    commands.map(|(name, effect)| format!("| `{name}` | {} |", effect.trim())).collect()
}

/// The options of a command, each with what it does.
fn options(command: &str) -> Vec<(String, String)> {
    let help = help(&[command, "--help"]);
    let options = help.split_once("\nOptions:\n").expect("each command has options").1;
    let options = options.lines().take_while(|line| line.is_empty() || line.starts_with(' '));
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    let lines = options.map(str::trim).filter(|line| !line.is_empty());
    for line in lines.take_while(|line| !line.starts_with("-h,")) {
        match found.last_mut() {
            Some((_, text)) if !line.starts_with("--") && !line.starts_with("-n,") => {
                text.push(line);
            }
            _ => found.push((format!("`{}`", line.replace(['<', '>'], "")), Vec::new())),
        }
    }
    found.into_iter().map(|(option, text)| (option, effect(&text))).collect()
}

/// What an option does, with its values and its default.
fn effect(lines: &[&str]) -> String {
    let (mut effect, mut values, mut default) = (Vec::new(), Vec::new(), String::new());
    for line in lines {
        if let Some((value, _)) = line.strip_prefix("- ").and_then(|value| value.split_once(':')) {
            values.push(format!("`{value}`"));
        } else if let Some(value) = line.strip_prefix("[default: ") {
            default = format!("; default: `{}`", value.trim_end_matches(']'));
        } else if *line != "Possible values:" {
            effect.push(*line);
        }
    }
    // Only some builds make machine code.
    values.retain(|value| value != "`native`");
    let values =
        if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
    (effect.join(" ") + &values + &default).replace('|', "\\|")
}

/// The rows of the second table: each option once, with its commands.
fn option_rows(commands: &[&str]) -> Vec<String> {
    let mut found: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for command in commands {
        for option in options(command) {
            found.entry(option).or_default().push(command);
        }
    }
    let rows = found.into_iter().map(|((option, effect), takers)| {
        let takers = if takers.len() == commands.len() {
            "all".to_owned()
        } else {
            takers.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        format!("| {option} | {effect} | {takers} |")
    });
    rows.collect()
}

/// The rows of the tables of a page, without their headings and the addresses of links.
fn rows(page: &str) -> Vec<String> {
    let page = page.replace("[`", "`");
    let rows = page.lines().filter(|line| line.starts_with("| `") || line.starts_with("| -"));
    rows.map(|row| row.split("](").map(after_link).collect()).collect()
}

/// What follows the address of a link; the piece before the first link has none.
fn after_link(piece: &str) -> &str {
    if piece.starts_with('|') { piece } else { piece.split_once(')').map_or(piece, |it| it.1) }
}

#[test]
fn the_docs_list_every_command_and_option() {
    let commands = command_rows();
    let names: Vec<&str> = commands.iter().filter_map(|row| row.split('`').nth(1)).collect();
    assert!(names.len() > 10, "{names:?}");
    let mut expected = commands.clone();
    expected.extend(option_rows(&names));
    let listed = rows(&read(&root().join("docs/commands.md")));
    let pairs = [(&expected, &listed, "lacks"), (&listed, &expected, "must not have")];
    let faults = pairs.into_iter().flat_map(|(rows, others, fault)| {
        let rows = rows.iter().filter(|row| !others.contains(row));
        rows.map(move |row| format!("docs/commands.md {fault}\n{row}"))
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[cfg(feature = "serve")]
#[test]
fn the_docs_list_every_option_of_the_server() {
    let page = read(&root().join("docs/serve.md"));
    for (option, _) in options(SERVE) {
        let name = option.split(['`', ' ']).find(|word| word.starts_with("--"));
        let name = name.expect("an option has a long name");
        assert!(name == "--color" || page.contains(name), "docs/serve.md does not list {name}");
    }
}
