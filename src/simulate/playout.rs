//! One game by uniformly random players, start to end, as fast as the machine goes.

use crate::chance::{Chance, Seed, Seeded};
use crate::game::{Game, State, Trap};
use crate::vm::{Driver, Offers, run};

/// What a playout was like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// How many decisions were made.
    pub decisions: u64,
    /// How many draws of chance there were.
    pub draws: u64,
}

/// Plays one game with random moves. The same seed and number give the same game as a table with
/// random seats that is played step by step.
///
/// # Errors
/// A mistake in the rules that showed in play.
pub fn playout(game: &Game, seed: Seed, number: u64, state: &mut State) -> Result<Played, Trap> {
    let players = game.info().players;
    let seats = 0..u8::try_from(players).unwrap_or(u8::MAX);
    let mut random = Random {
        table: seed.table(number, players),
        seats: seats.map(|seat| seed.seat(number, players, seat)).collect(),
        played: Played::default(),
    };
    let mut offers = Offers::new();
    run(game.program(), state, &mut offers, game.names(), &mut random)?;
    Ok(random.played)
}

/// A driver that answers everything at random, each seat and the table from a stream of its own.
struct Random {
    table: Seeded,
    seats: Vec<Seeded>,
    played: Played,
}

impl Driver for Random {
    fn listens(&self) -> bool {
        false
    }

    fn hear(&mut self, _to: Option<u8>, _text: &str) {}

    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        self.played.decisions += 1;
        let moves = u32::try_from(offers.count()).expect("a decision has fewer than 2^32 moves");
        let index = self.seats[usize::from(offers.player())].below(moves);
        usize::try_from(index).ok()
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        self.played.draws += 1;
        Some(self.table.below(outcomes))
    }
}
