//! The promise about secrets, held against made-up games: where the checker accepts a file, what a
//! seat is told, shown and offered never depends on what the seat may not see. This is
//! noninterference (Goguen and Meseguer, "Security Policies and Security Models", 1982), up to the
//! first secret that the rules show on purpose.

mod pair;
mod program;
mod views;

use astragal::chance::Seed;
use astragal::game::{Game, Player};

use crate::support::{amount, checked, first_game};

/// How many pairs are played by an ordinary run.
const USUAL: usize = 400;

/// How many pairs each made-up game is played in.
const TO_A_PROGRAM: u64 = 8;

/// What the checker may have against a made-up game.
const REFUSALS: [&str; 2] = ["check::leak", "check::secret_kept"];

/// Made-up games that the checker accepts, with their numbers.
fn accepted() -> impl Iterator<Item = (u64, String, Game)> {
    (0..).filter_map(|number| {
        let text = program::program(number);
        let (checked, _) = checked("made up", &text);
        for found in checked.diagnostics.into_vec() {
            let code = found.code.map(str::to_owned).unwrap_or_default();
            let expected = !found.is_error() || REFUSALS.contains(&&*code);
            assert!(expected, "{text}\ngame {number} is refused for {code}");
        }
        checked.rules.map(|rules| (number, text, first_game(&rules)))
    })
}

#[test]
fn a_seat_sees_nothing_of_what_others_hide() {
    let pairs = amount("ASTRAGAL_SECRETS", USUAL);
    let (mut played, mut read, mut last, mut games) = (0, 0, 0, 0);
    for (number, text, game) in accepted() {
        for pair in 0..TO_A_PROGRAM {
            let seat = Player(u8::from(pair % 2 == 1));
            let chances = [2 * pair, 2 * pair + 1].map(|stream| Seed(number).stream(stream));
            let ended = pair::play(&game, seat, chances);
            let ended =
                ended.unwrap_or_else(|leak| panic!("{text}\ngame {number}, pair {pair}: {leak}"));
            played += 1;
            read += usize::from(ended.decided_after_secret);
        }
        (last, games) = (number, games + 1);
        if played >= pairs {
            break;
        }
    }
    let share = 100 * read / played;
    println!(
        "{played} pairs of {games} games, of {} made up; in {share} of 100 somebody decides after a secret was read",
        last + 1
    );
    assert!(share >= 50, "only {share} of 100 pairs reach a decision after a secret was read");
}
