//! Playouts are as fast as they are because everything they need is there before they begin.

use astragal::machinery::chance::Seed;
use astragal::machinery::game::Game;
use astragal::machinery::simulate::Playouts;

use crate::support::{below, effort, game_files, is_variant, read, rules, some_games};

/// How many playouts of a game are counted.
const COUNTED: usize = 4;

/// How many settings of a variant are played; those of its base are all.
const OF_A_VARIANT: usize = 4;

#[test]
fn a_playout_allocates_nothing() {
    for path in game_files(&["games", "examples"]) {
        let name = below(&path);
        let settings = if is_variant(&path) { OF_A_VARIANT } else { usize::MAX };
        for (setting, game) in some_games(&rules(&name, &read(&path)), settings) {
            assert_eq!(allocations(&game), 0, "{name}, {setting}: playouts allocate");
        }
    }
}

#[test]
fn allocations_are_counted() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1])));
    assert_eq!(counted.count_total, 1);
}

/// How often memory was asked for in playouts that were played before: the list of legal moves
/// grows up to the longest that there was, so the first time may still ask for some.
fn allocations(game: &Game) -> u64 {
    let mut playouts = Playouts::new(game);
    let mut play = |number| {
        playouts.play(Seed(3), number).expect("the game has no mistake");
    };
    let counted = (COUNTED * effort()) as u64;
    (0..counted).for_each(&mut play);
    allocation_counter::measure(|| (0..counted).for_each(play)).count_total
}
