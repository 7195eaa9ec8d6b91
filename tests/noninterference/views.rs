//! The views that fronts draw: two states that a seat cannot tell apart give it the same bytes.

use std::collections::BTreeSet;

use astragal::machinery::chance::Seed;
use astragal::machinery::game::{Game, LegalMoves, Player, State, Step};

use crate::support::{amount, below, first_game, game_files, is_variant, playout, read, rules};

/// How many games are played by an ordinary run.
const USUAL: usize = 150;

/// The view of a seat, as it is sent.
fn sent(game: &Game, state: &State, seat: Player) -> String {
    let (mut state, mut legal) = (state.clone(), LegalMoves::new());
    game.advance(&mut state, &mut legal).expect("the state waits");
    let mut view = game.table_since(&state, Some(seat), &BTreeSet::new(), false);
    game.add_question(&state, &legal, &mut view);
    serde_json::to_string(&view).expect("a view is plain data")
}

/// The view of those who watch.
fn open(game: &Game, state: &State) -> String {
    serde_json::to_string(&game.open_table(state, &BTreeSet::new())).expect("a view is plain data")
}

/// The games of the project that hide anything.
fn secret_games() -> Vec<(String, Game)> {
    let paths = game_files(&["games", "examples", "tests/games"]);
    let games = paths.iter().filter(|path| !is_variant(path)).map(|path| {
        let name = below(path);
        let game = first_game(&rules(&name, &read(path)));
        (name, game)
    });
    games.filter(|(_, game)| game.has_secrets()).collect()
}

#[test]
fn states_that_a_seat_cannot_tell_apart_look_the_same() {
    let games = secret_games();
    assert!(games.len() > 5, "there are games with secrets");
    let wanted = amount("ASTRAGAL_VIEWS", USUAL);
    let mut compared = 0;
    for number in 0..wanted {
        let (title, game) = &games[number % games.len()];
        let seed = u64::try_from(number).expect("there are few");
        let mut chance = Seed(seed).stream(7);
        let mut looked = 0_u32;
        let played = playout(game, seed, &mut |state, _, step| {
            looked += 1;
            // The later a decision, the rarer it is looked at.
            if !matches!(step, Step::Decide { .. }) || !looked.is_power_of_two() {
                return;
            }
            for seat in (0..).map(Player).take(game.info().players) {
                let observation = game.observe(state, seat);
                let Ok(other) = game.sample(&observation, &mut chance) else { continue };
                compared += usize::from(other != *state);
                let (a, b) = (sent(game, state, seat), sent(game, &other, seat));
                assert_eq!(a, b, "{title}, seed {seed}, {seat:?} after {looked} steps");
                let (a, b) = (open(game, state), open(game, &other));
                assert_eq!(
                    a, b,
                    "{title}, seed {seed}: {seat:?} cannot tell, after {looked} steps"
                );
            }
        });
        assert!(played.is_ok() || looked > 0, "{title} is played");
    }
    assert!(compared >= wanted, "only {compared} pairs of states differed");
}
