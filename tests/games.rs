//! The battery on every bundled game and on every game that was made up for it; and their pages.

use std::collections::BTreeSet;

use crate::battery::{holds_in_a_few_games, passes};
use crate::support::{below, checked, draw, files, game_files, is_variant, name, read, root};

#[test]
fn games_pass_the_battery() {
    bundled_pass("games");
}

#[test]
fn examples_pass_the_battery() {
    bundled_pass("examples");
}

/// With `ASTRAGAL_GAME=dominion` only the files whose path has this in it.
fn bundled_pass(folder: &str) {
    let only = std::env::var("ASTRAGAL_GAME").unwrap_or_default();
    for path in game_files(&[folder]).iter().filter(|path| below(path).contains(&only)) {
        let look = if is_variant(path) { holds_in_a_few_games } else { passes };
        look(&below(path), &read(path));
    }
}

/// Other games may leave something unused, to show one thing at a time.
#[test]
fn bundled_games_leave_nothing_unused() {
    for path in game_files(&["games", "examples"]) {
        let (checked, source) = checked(&below(&path), &read(&path));
        let found = draw(&source, &checked.diagnostics);
        assert!(found.is_empty(), "{}:\n{found}", path.display());
    }
}

#[test]
fn made_up_games_pass_the_battery() {
    let games = files("tests/games", "game");
    assert!(!games.is_empty(), "there are no games in tests/games");
    for path in games {
        passes(&name(&path), &read(&path));
    }
}

/// What the page of a game names in backticks is in one of its files, or is one of them; and where it
/// says that a rule has cases, the rule has.
#[test]
fn pages_of_games_name_what_there_is() {
    let pages = files("games", "md");
    assert!(!pages.is_empty(), "games have pages");
    for page in pages {
        let folder = page.parent().expect("a page lies in a folder");
        let below = folder.strip_prefix(root()).expect("games are in the project");
        let games = files(&below.to_string_lossy(), "game");
        let rules: String = games.iter().map(|path| read(path)).collect();
        let known = identifiers(&rules);
        let text = read(&page);
        for quoted in text.split('`').skip(1).step_by(2).filter(|it| !it.starts_with("--")) {
            if quoted.contains(['.', '/']) {
                assert!(folder.join(quoted).exists(), "{}: no file `{quoted}`", page.display());
                continue;
            }
            for word in identifiers(quoted) {
                assert!(known.contains(word), "{}: nothing is called `{word}`", page.display());
            }
        }
        for behind in text.split("case in `").skip(1) {
            let rule = behind.split('`').next().unwrap_or_default();
            let body = rules.split_once(&format!("\nrule {rule}(")).map_or("", |(_, body)| body);
            let body = body.split("\n}\n").next().unwrap_or_default();
            assert!(body.contains("match "), "{}: `{rule}` has no cases", page.display());
        }
    }
}

fn identifiers(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with(|it: char| it.is_ascii_alphabetic())).collect()
}
