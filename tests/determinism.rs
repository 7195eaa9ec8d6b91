//! The same seed gives the same numbers, games and texts, today and in a year.

use astragal::chance::{Chance, Seed};

use crate::support::{files, games, name, playout, read, rules, transcript};

#[test]
fn a_seed_means_these_numbers_for_ever() {
    let mut dice = Seed(2026).stream(0);
    let thrown: Vec<u32> = (0..12).map(|_| dice.below(6) + 1).collect();
    assert_eq!(thrown, GOLDEN_DICE);
    let mut seat = Seed(2026).seat(3, 4, 1);
    let picked: Vec<u32> = (0..8).map(|_| seat.below(1000)).collect();
    assert_eq!(picked, GOLDEN_PICKS);
}

const GOLDEN_DICE: [u32; 12] = [0; 12];
const GOLDEN_PICKS: [u32; 8] = [0; 8];

#[test]
fn the_same_seed_gives_the_same_transcript() {
    for path in files("games", "game").into_iter().chain(files("tests/games", "game")) {
        let (name, text) = (name(&path), read(&path));
        let once = |seed| {
            let game = games(&rules(&name, &text)).remove(0).1;
            let playout = playout(&game, seed, &mut |_, _, _| {}).expect("the game has no mistake");
            transcript(&game, &name, &playout)
        };
        assert_eq!(once(5), once(5), "{name} is played differently by the same seed");
        let several = (0..20).map(once).collect::<std::collections::BTreeSet<_>>();
        assert!(several.len() > 1, "{name} does not depend on the seed");
    }
}

#[test]
fn checking_twice_gives_the_same_program() {
    for path in files("games", "game").into_iter().chain(files("tests/games", "game")) {
        let (name, text) = (name(&path), read(&path));
        let programs = || -> Vec<_> {
            let games = games(&rules(&name, &text)).into_iter().take(8);
            games.map(|(_, game)| game.program().clone()).collect()
        };
        assert!(programs() == programs(), "{name} is compiled differently the second time");
    }
}
