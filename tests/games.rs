//! The battery on every bundled game and on every game that was made up for it.

use crate::battery::{holds_in_a_few_games, passes};
use crate::support::{below, checked, draw, files, game_files, is_variant, name, read};

#[test]
fn bundled_games_pass_the_battery() {
    for path in game_files(&["games", "examples"]) {
        let look = if is_variant(&path) { holds_in_a_few_games } else { passes };
        look(&below(&path), &read(&path));
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
