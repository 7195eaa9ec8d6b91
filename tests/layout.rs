//! What `fmt` makes of files: other rules never, no comment less, and nothing the second time.

use std::path::Path;

use astragal::machinery::budget::Budget;
use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::dump::dump;
use astragal::machinery::source::Source;
use astragal::machinery::syntax::{parse, tidy};

use crate::support::{comments, files, read, snapshots};

/// All games that are to be read by people.
fn game_files() -> Vec<std::path::PathBuf> {
    ["games", "examples", "tests/games"].iter().flat_map(|folder| files(folder, "game")).collect()
}

fn tidied(text: &str) -> String {
    let source = Source::new("tidy", text);
    let (ast, _) = parse(&source);
    tidy(&source, &ast, &Budget::default()).expect("there is room for it")
}

fn rules_of(path: &Path, text: &str) -> String {
    let (ast, diagnostics) = parse(&Source::new(path.display().to_string(), text));
    assert!(!diagnostics.has_errors(), "{} cannot be read:\n{text}", path.display());
    dump(&ast.items)
}

#[test]
fn layout_changes_no_rules() {
    for path in game_files() {
        let text = read(&path);
        let tidied = tidied(&text);
        let (before, after) = (rules_of(&path, &text), rules_of(&path, &tidied));
        assert_eq!(before, after, "{} has other rules now", path.display());
        assert_eq!(self::tidied(&tidied), tidied, "{} changes again", path.display());
    }
}

/// The rules of a text and its comments, both without regard to lines; nothing if it cannot be read.
fn meaning(text: &str) -> Option<(String, Vec<&str>)> {
    let (ast, diagnostics) = parse(&Source::new("meaning", text));
    (!diagnostics.has_errors()).then(|| (dump(&ast.items), comments(text)))
}

/// A text with some of its line ends and spaces in other places.
fn strewn(text: &str, seed: u64) -> String {
    let mut stream = Seed(seed).stream(0);
    let (mut strewn, mut quoted) = (String::new(), false);
    // About two line ends of each file go: of many, one always divides what cannot stand together.
    let rare = u32::try_from(text.lines().count() / 2).unwrap_or(1).max(1);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        // Comments are left alone like texts.
        quoted = letter != '\n' && quoted != (letter == '"');
        if letter == '#' && !quoted {
            strewn.push(letter);
            while let Some(letter) = letters.next_if(|letter| *letter != '\n') {
                strewn.push(letter);
            }
            continue;
        }
        match letter {
            '{' | ';' if !quoted && stream.below(30) == 0 => strewn.extend([letter, '\n']),
            '}' if !quoted && stream.below(30) == 0 => strewn.extend(['\n', letter]),
            '\n' if stream.below(rare) == 0 => {
                while letters.next_if_eq(&' ').is_some() {}
                let closes = letters.peek() == Some(&'}') || strewn.ends_with('{');
                strewn.push_str(if closes { " " } else { "; " });
            }
            '\n' if letters.peek() == Some(&' ') && stream.below(20) == 0 => {
                strewn.push_str("\n   ");
            }
            ' ' if !quoted && stream.below(8) == 0 => strewn.push_str("  "),
            _ => strewn.push(letter),
        }
    }
    strewn
}

#[test]
fn other_line_ends_change_no_rules_and_lose_no_comment() {
    let mut tried = 0;
    for path in game_files() {
        let text = read(&path);
        if text.lines().count() > 130 {
            continue;
        }
        let whole = meaning(&text).expect("the games can be read");
        for seed in 0..8 {
            let strewn = strewn(&text, seed);
            // Not every line end may go.
            if meaning(&strewn).is_none_or(|strewn| strewn != whole) {
                continue;
            }
            let once = tidied(&strewn);
            let place = path.display();
            assert_eq!(meaning(&once), Some(whole.clone()), "{place}, {seed}:\n{strewn}\n{once}");
            assert_eq!(tidied(&once), once, "{place}, {seed} changes again:\n{strewn}");
            tried += 1;
        }
    }
    assert!(tried > 100, "only {tried} texts could be read");
}

#[test]
fn spaces_of_their_own_come_to_the_same() {
    for path in game_files() {
        let text = read(&path);
        let wide: Vec<String> = text.lines().map(|line| format!("{line}  \t")).collect();
        assert_eq!(tidied(&wide.join("\r\n")), text, "{}", path.display());
    }
}

#[test]
fn what_cannot_be_read_is_laid_out_all_the_same() {
    for path in files("tests/diagnostics", "game") {
        tidied(&read(&path));
    }
    for text in ["let a = “x”", "option ü\"", "option a = é \"ü", "{ ü } } {", "kind É {\n ü\n}"]
    {
        tidied(text);
    }
}

#[test]
fn a_cell_may_be_longer_than_any_line() {
    let long = "y".repeat(70_000);
    let text = format!("kind K {{\n     a\n  x  \"{long}\"\n}}\n");
    assert_eq!(tidied(&text), text);
}

#[test]
fn scripts_are_laid_out() {
    for path in ["games", "examples"].iter().flat_map(|folder| files(folder, "script")) {
        let text = read(&path);
        let tidied = astragal::machinery::transcript::tidy(&Source::new("tidy", text.clone()));
        let tidied = tidied.unwrap_or_else(|_| panic!("{} is no script", path.display()));
        assert_eq!(tidied, text, "run `astragal fmt {}`", path.display());
    }
}

#[test]
fn bundled_games_are_laid_out() {
    for path in game_files() {
        let text = read(&path);
        assert_eq!(tidied(&text), text, "run `astragal fmt {}`", path.display());
    }
}

#[test]
fn files_are_laid_out_like_this() {
    let _guard = snapshots("layout");
    insta::glob!("", "layout/*.game", |path| {
        let text = read(path);
        assert!(meaning(&text).is_some(), "{} cannot be read", path.display());
        assert_eq!(meaning(&tidied(&text)), meaning(&text), "{} has other rules", path.display());
        assert_eq!(tidied(&tidied(&text)), tidied(&text), "{} changes again", path.display());
        insta::assert_snapshot!("tidy", format!("{text}\n----- laid out -----\n{}", tidied(&text)));
    });
}
