//! The same seed gives the same numbers, games and texts, today and in a year.

use std::collections::BTreeSet;
use std::thread;

use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::game::{Game, LegalMoves, State, Step};
use astragal::machinery::simulate::{PlayoutLength, Playouts};

use crate::support::{
    below, effort, first_game, game_files, games, playout, read, rules, transcript,
};

const GOLDEN_DICE: [u32; 12] = [5, 3, 3, 5, 1, 5, 5, 1, 2, 2, 5, 5];
const GOLDEN_PICKS: [u32; 8] = [471, 298, 63, 493, 812, 27, 759, 798];

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
    for path in game_files(&["games", "tests/games"]) {
        let (name, text) = (below(&path), read(&path));
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

/// How many playouts of a game are spread over threads.
const PLAYOUTS: usize = 6;

#[test]
fn any_number_of_threads_gives_the_same_playouts() {
    for path in game_files(&["games", "examples", "tests/games"]) {
        let (name, rules) = (below(&path), rules(&below(&path), &read(&path)));
        let all = games(&rules);
        let most = all.len() - 1;
        for (setting, game) in all.step_by(most.max(1)) {
            let alone = spread(&game, &name, 1);
            for threads in [2, 4] {
                let played = spread(&game, &name, threads);
                assert!(played == alone, "{name}, {setting}: {threads} threads play differently");
            }
        }
    }
}

/// What a playout was: step by step, its transcript; as fast as can be, its counts and its end.
type Whole = (String, State, PlayoutLength, State);

/// All playouts in order, played by so many threads, each of which takes the next but so many.
fn spread(game: &Game, name: &str, threads: u8) -> Vec<Whole> {
    let many = (PLAYOUTS * effort()) as u64;
    let taken_by = |thread| (u64::from(thread)..many).step_by(threads.into());
    let mut played: Vec<(u64, Whole)> = thread::scope(|scope| {
        let started: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || playouts(game, name, taken_by(thread))))
            .collect();
        started.into_iter().flat_map(|thread| thread.join().expect("no thread fails")).collect()
    });
    played.sort_by_key(|(number, _)| *number);
    played.into_iter().map(|(_, whole)| whole).collect()
}

fn playouts(game: &Game, name: &str, numbers: impl Iterator<Item = u64>) -> Vec<(u64, Whole)> {
    let mut fast = Playouts::new(game);
    let mut whole = |number| {
        let slow = playout(game, number, &mut |_, _, _| {}).expect("the game has no mistake");
        let played = fast.play(Seed(5), number).expect("the game has no mistake");
        (transcript(game, name, &slow), slow.state, played, fast.last_state().clone())
    };
    numbers.map(|number| (number, whole(number))).collect()
}

/// Playouts at full speed keep no account of who knows which cards; the games are those of a table
/// where it is kept.
#[test]
fn playouts_that_nobody_looks_at_are_the_same_games() {
    for path in game_files(&["games", "examples", "tests/games"]) {
        let name = below(&path);
        for (setting, game) in games(&rules(&name, &read(&path))).take(3) {
            let mut fast = Playouts::new(&game);
            for number in 0..4 {
                let slow = seated(&game, Seed(8), number);
                fast.play(Seed(8), number).expect("the game has no mistake");
                assert_eq!(
                    game.final_outcome(&slow),
                    game.final_outcome(fast.last_state()),
                    "{name}, {setting}"
                );
                assert_eq!(game.table(&slow), game.table(fast.last_state()), "{name}, {setting}");
            }
        }
    }
}

/// The end of a game step by step, the table and each seat with a stream of its own.
fn seated(game: &Game, seed: Seed, number: u64) -> State {
    let players = game.info().players;
    let mut table = seed.table_stream(number, players);
    let mut seats: Vec<_> =
        (0_u8..).map(|it| seed.seat(number, players, it)).take(players).collect();
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    loop {
        match game.advance(&mut state, &mut turn).expect("the game has no mistake") {
            Step::Decide { player } => {
                let index = turn.offers().pick(&mut seats[player.index()]);
                game.choose(&mut state, &turn, index);
            }
            Step::Draw { outcomes } => {
                let index = table.below(outcomes);
                game.draw(&mut state, index);
            }
            Step::End => return state,
        }
    }
}
