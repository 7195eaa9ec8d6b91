//! Playouts are as fast as they are because everything they need is there before they begin.

use astragal::chance::Seed;
use astragal::game::Game;
use astragal::simulate::Playouts;

use crate::support::{files, games, name, read, rules};

/// How many playouts of a game are counted.
const COUNTED: u64 = 40;

#[test]
fn a_playout_allocates_nothing() {
    for path in ["games", "examples"].map(|folder| files(folder, "game")).concat() {
        let name = name(&path);
        for (setting, game) in games(&rules(&name, &read(&path))) {
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
    (0..COUNTED).for_each(&mut play);
    allocation_counter::measure(|| (0..COUNTED).for_each(play)).count_total
}
