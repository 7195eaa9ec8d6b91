//! The battery on every bundled game and on every game that was made up for it.

use crate::battery::{holds_in_a_few_games, passes};
use crate::support::{below, files, game_files, is_variant, name, read};

#[test]
fn bundled_games_pass_the_battery() {
    for path in game_files(&["games", "examples"]) {
        let look = if is_variant(&path) { holds_in_a_few_games } else { passes };
        look(&below(&path), &read(&path));
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
