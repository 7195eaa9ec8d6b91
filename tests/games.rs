//! The battery on every bundled game and on every game that was made up for it.

use crate::battery::passes;
use crate::support::{files, name, read};

#[test]
fn bundled_games_pass_the_battery() {
    for folder in ["games", "examples"] {
        for path in files(folder, "game") {
            passes(&name(&path), &read(&path));
        }
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
