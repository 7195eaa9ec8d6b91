//! docs/errors.md: a section for each code, and examples that do what they say.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::commands::{Ran, astragal_in, words};
use crate::support::{ADVICE, empty_folder, files, read, root};

/// No test can take the random numbers of the operating system away. A game that fills a file is too long to be shown, and what is unfinished is kept from
/// one command to the next only in tests/files.rs; it plays both. The
/// usual program is no server; tests/serve.rs shows what one says, unless it was built without its page. A leak is refused
/// before it can be played; tests/noninterference.rs plays some. How long a script takes differs from run to run.
/// What counts the findings that are too many stands below 100 others; tests/limits.rs has it.
const UNPROVOKED: [&str; 11] = [
    "check::more_findings",
    "cli::fewer_unfinished",
    "cli::full",
    "cli::no_seed",
    "engine::disagrees",
    "play::bot_memory",
    "play::leak",
    "script::too_slow",
    "serve::address",
    "serve::page",
    "serve::people",
];

/// Codes whose examples would be too long for the page, or need two programs at once. The sessions in
/// tests/diagnostics show them.
const WITHOUT_EXAMPLE: &[&str] = &[
    "check::long_chain",
    "check::long_title",
    "check::more_findings",
    "check::no_order",
    "check::too_many_columns",
    "check::too_many_groups",
    "check::too_much_work",
    "cli::busy",
    "cli::cut_off",
    "cli::fewer_unfinished",
    "cli::full",
    "cli::no_seed",
    "cli::other_game",
    "cli::played_elsewhere",
    "cli::too_large",
    "engine::disagrees",
    "files::too_long",
    "files::too_many",
    "files::too_many_declarations",
    "play::bot_memory",
    "play::leak",
    "play::unnumbered",
    "script::unkept",
    "script::too_long",
    "script::too_slow",
    "script::withheld",
    "serve::address",
    "serve::page",
    "serve::people",
    "syntax::long_name",
    "syntax::too_long",
];

/// A section of the page.
struct Section {
    code: String,
    wrong: Option<Example>,
    right: Option<Example>,
}

/// A fenced block: what it is, and its text.
struct Example {
    kind: String,
    text: String,
}

fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut open: Option<(String, Example)> = None;
    for line in read(&root().join("docs/errors.md")).lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => {
                let (way, example) = open.take().expect("it is open");
                let section = sections.last_mut().expect("examples stand in sections");
                let slot = match way.as_str() {
                    "wrong" => &mut section.wrong,
                    "right" => &mut section.right,
                    other => panic!("{}: an example is wrong or right, not {other}", section.code),
                };
                assert!(slot.is_none(), "{} has two {way} examples", section.code);
                *slot = Some(example);
            }
            (Some(tags), None) => {
                let (kind, way) = tags.split_once(' ').expect("a tag and `wrong` or `right`");
                let example = Example { kind: kind.to_owned(), text: String::new() };
                open = Some((way.to_owned(), example));
            }
            (None, Some((_, example))) => example.text.extend([line, "\n"]),
            (None, None) => {
                if let Some(code) = line.strip_prefix("## ") {
                    let code = code.to_owned();
                    sections.push(Section { code, wrong: None, right: None });
                }
            }
        }
    }
    sections
}

/// The right games of the page, with their codes.
pub(crate) fn right_games() -> Vec<(String, String)> {
    let right =
        |it: Section| Some((it.code, it.right.filter(|example| example.kind == "game")?.text));
    sections().into_iter().filter_map(right).collect()
}

/// All codes that the program may print.
fn codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for path in files("src", "rs") {
        // An entry of a table begins with its code: `check::unknown_name => …`.
        let text = read(&path);
        let heads = text.split("diagnostics! {").skip(1).flat_map(str::lines);
        for code in heads.filter_map(|line| Some(line.split_once(" => ")?.0.trim())) {
            let letters = |letter: char| letter.is_ascii_lowercase() || "_:".contains(letter);
            if code.contains("::") && code.chars().all(letters) {
                codes.insert(code.to_owned());
            }
        }
    }
    codes
}

#[test]
fn every_code_has_its_section() {
    let sections: Vec<String> = sections().into_iter().map(|section| section.code).collect();
    assert!(sections.is_sorted(), "the sections are sorted by their codes");
    let known = codes();
    let told: BTreeSet<String> = sections.iter().cloned().collect();
    assert_eq!(told.len(), sections.len(), "a code has two sections");
    let untold: Vec<&String> = known.difference(&told).collect();
    assert!(untold.is_empty(), "docs/errors.md says nothing of {untold:?}");
    let unknown: Vec<&String> = told.difference(&known).collect();
    assert!(unknown.is_empty(), "no code is called {unknown:?}");
}

#[test]
fn every_section_has_its_examples() {
    for Section { code, wrong, right } in sections() {
        let expected = !WITHOUT_EXAMPLE.contains(&code.as_str());
        assert_eq!((wrong.is_some(), right.is_some()), (expected, expected), "{code}");
    }
}

#[test]
fn right_examples_are_right() {
    let folder = folder("right");
    for Section { code, right, .. } in sections() {
        let Some(example) = right else { continue };
        let ran = try_out(&example, &own(&folder, &code));
        assert_eq!(ran.exit, Some(0), "{code}: {}{}", ran.output, ran.errors);
        let mut found = codes_in(&ran.errors);
        found.retain(|found| *found == code || !ADVICE.contains(&found.as_str()));
        assert!(found.is_empty(), "{code} says {found:?}:\n{}", ran.errors);
    }
}

/// The wrong examples with what is said of them: a page for each stage, to be read in a row.
#[test]
fn wrong_examples_are_told_their_code() {
    let folder = folder("wrong");
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    for Section { code, wrong, .. } in sections() {
        let Some(example) = wrong else { continue };
        let ran = try_out(&example, &own(&folder, &code));
        let found = codes_in(&ran.errors);
        assert_eq!(found.first(), Some(&code), "{}", ran.errors);
        // That the rules stopped is said beside the reason.
        let others = found.iter().filter(|found| **found != code).count();
        assert_eq!(others, usize::from(code == "script::stopped"), "{code}:\n{}", ran.errors);
        let stage = code.split("::").next().expect("a code has a stage").to_owned();
        let page = pages.entry(stage).or_default();
        let (said, more) = ran.errors.rsplit_once("\nfor more: ").unwrap_or((&ran.errors, ""));
        // Who asks for an explanation need not be told how to.
        let silent = others > 0 || code == "cli::unknown_code";
        assert!(more == format!("astragal explain {code}\n") || silent, "{code}: {more}");
        page.extend([
            "===== ",
            &code,
            "
",
            &example.text,
            "----- says -----
",
            said,
            "
",
        ]);
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/errors"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _guard = settings.bind_to_scope();
    for (stage, page) in pages {
        let lines: Vec<&str> = page.lines().map(str::trim_end).collect();
        insta::assert_snapshot!(stage, lines.join("\n"));
    }
}

/// A golden file shows what is said for each code: a situation in tests/diagnostics, the wrong
/// example of the page of errors, or a session of commands.
#[test]
fn every_code_has_a_golden_file() {
    let mut shown: BTreeSet<String> = BTreeSet::new();
    let folders = ["tests/diagnostics", "tests/errors", "tests/commands"];
    for path in folders.iter().flat_map(|folder| files(folder, "snap")) {
        let text = read(&path);
        let bare =
            |line: &str| line.trim_start_matches("===== ").trim_start_matches("! ").to_owned();
        shown.extend(text.lines().map(bare));
    }
    let known = codes();
    let lacking: Vec<&str> = known.difference(&shown).map(String::as_str).collect();
    assert_eq!(lacking, UNPROVOKED, "these have no golden file, or one too many is left out");
    let situations = files("tests/diagnostics", "snap").len();
    assert!(situations >= 150, "tests/diagnostics holds only {situations} situations");
}

#[test]
fn every_code_can_be_explained() {
    for code in codes() {
        let ran = astragal_in(root(), &["explain", &code], "");
        let mut lines = ran.output.lines();
        assert_eq!((ran.exit, lines.next()), (Some(0), Some(code.as_str())), "{}", ran.errors);
        let text: String = lines.clone().collect();
        assert!(text.len() > 60, "{code} is explained in {} letters", text.len());
        // A command stays on one line, so that it can be pasted.
        let lines = lines.filter(|line| !line.starts_with("    $ "));
        let wide = lines.map(|line| line.chars().count()).max();
        assert!(wide <= Some(102), "{code} does not fit a terminal");
        let (_, short) = code.split_once("::").expect("a code has a stage");
        let name = |code: &String| code.split_once("::").map(|(_, name)| name.to_owned());
        if codes().iter().filter(|code| name(code).as_deref() == Some(short)).count() == 1 {
            assert_eq!(astragal_in(root(), &["explain", short], "").output, ran.output);
        }
    }
}

/// A folder of the tests' own.
fn folder(name: &str) -> PathBuf {
    empty_folder(&format!("errors-{name}"))
}

/// A folder for one example.
fn own(folder: &Path, code: &str) -> PathBuf {
    let own = folder.join(code.replace("::", "-"));
    std::fs::create_dir_all(&own).expect("the folder of tests can be written");
    own
}

/// Does with an example what a person would do with it.
fn try_out(example: &Example, folder: &Path) -> Ran {
    let (file, words): (&str, &[&str]) = match example.kind.as_str() {
        "game" => ("example.game", &["check", "example.game", "--play", "50"]),
        "script" => ("example.script", &["run", "--quiet", "example.script"]),
        "console" => return type_in(&example.text, folder),
        kind => panic!("no test knows examples of the kind `{kind}`"),
    };
    std::fs::write(folder.join(file), &example.text).expect("the folder can be written");
    astragal_in(folder, words, "")
}

/// Types commands; `printf` writes a file for those behind it. Gives what the last one did.
fn type_in(text: &str, folder: &Path) -> Ran {
    let mut place = root();
    let mut last = None;
    for line in text.lines() {
        let command = line.strip_prefix("$ ").expect("a line of a console is a command");
        let typed = words(command);
        match typed.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["printf", bytes, ">", file] => {
                std::fs::write(folder.join(file), unescaped(bytes)).expect("it can be written");
                place = folder;
            }
            ["astragal", "new", words @ ..] => {
                place = folder;
                last = Some(astragal_in(folder, &[&["new"], words].concat(), ""));
            }
            ["astragal", "train", words @ ..] => {
                place = folder;
                last = Some(astragal_in(folder, &[&["train"], words].concat(), ""));
            }
            ["astragal", words @ ..] => last = Some(astragal_in(place, words, "")),
            _ => panic!("no test knows the command `{command}`"),
        }
    }
    last.expect("a console runs the program")
}

/// What `printf` makes of a text: `\n`, and bytes as three octal digits.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.bytes());
        if let Some(after) = after.strip_prefix('n') {
            bytes.push(b'\n');
            rest = after;
        } else {
            bytes.push(u8::from_str_radix(&after[..3], 8).expect("three octal digits"));
            rest = &after[3..];
        }
    }
    bytes.extend(rest.bytes());
    bytes
}

/// The codes that stand above findings, in order.
pub(crate) fn codes_in(errors: &str) -> Vec<String> {
    let is_code = |line: &&str| {
        let parts = line.split_once("::");
        let word = |text: &str| text.chars().all(|it| it.is_ascii_lowercase() || it == '_');
        parts.is_some_and(|(stage, name)| word(stage) && word(name))
    };
    errors.lines().filter(is_code).map(str::to_owned).collect()
}
