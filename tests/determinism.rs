//! The same seed gives the same numbers, games and texts, today and in a year.

use std::collections::BTreeSet;

use astragal::chance::{Chance, Seed};
use astragal::game::Game;

use crate::support::{files, first_game, name, playout, read, rules, transcript};

const GOLDEN_DICE: [u32; 12] = [5, 5, 3, 6, 6, 5, 3, 2, 6, 1, 2, 2];
const GOLDEN_PICKS: [u32; 8] = [329, 73, 792, 660, 43, 425, 572, 99];

#[test]
fn a_seed_means_these_numbers_for_ever() {
    let mut dice = Seed(2026).stream(0);
    let thrown: Vec<u32> = (0..12).map(|_| dice.below(6) + 1).collect();
    assert_eq!(thrown, GOLDEN_DICE);
    let mut seat = Seed(2026).seat(3, 4, 1);
    let picked: Vec<u32> = (0..8).map(|_| seat.below(1000)).collect();
    assert_eq!(picked, GOLDEN_PICKS);
}

#[test]
fn the_same_seed_gives_the_same_transcript() {
    for path in files("games", "game").into_iter().chain(files("tests/games", "game")) {
        let (name, text) = (name(&path), read(&path));
        let once = |game: &Game, seed| {
            let playout = playout(game, seed, &mut |_, _, _| {}).expect("the game has no mistake");
            transcript(game, &name, &playout)
        };
        let (game, other) = (first_game(&rules(&name, &text)), first_game(&rules(&name, &text)));
        assert!(game.program() == other.program(), "{name} is compiled differently a second time");
        let transcripts: Vec<String> = (0..10).map(|seed| once(&game, seed)).collect();
        let again: Vec<String> = (0..10).map(|seed| once(&other, seed)).collect();
        assert_eq!(transcripts, again, "{name} is played differently by the same seeds");
        let different: BTreeSet<&String> = transcripts.iter().collect();
        assert!(different.len() > 1, "{name} does not depend on the seed");
    }
}
