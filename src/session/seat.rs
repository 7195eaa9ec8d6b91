//! Who sits where.

use crate::chance::{Chance, Seed, Seeded};

/// Who decides for a player.
#[derive(Clone, Debug)]
pub enum Seat {
    /// A person, asked through the console.
    Human,
    /// Any legal move with equal probability, from a stream of its own.
    Random(Box<Seeded>),
}

impl Seat {
    /// Returns the seat that a word of the command line means.
    pub fn named(word: &str, seed: Seed, players: usize, seat: u8) -> Option<Seat> {
        match word {
            "human" => Some(Seat::Human),
            "random" => Some(Seat::Random(Box::new(seed.seat(0, players, seat)))),
            _ => None,
        }
    }

    /// Returns the word of the command line that means it.
    pub fn word(&self) -> &'static str {
        match self {
            Seat::Human => "human",
            Seat::Random(_) => "random",
        }
    }

    /// Returns the words that seats are called by.
    pub fn words() -> &'static [&'static str] {
        &["human", "random"]
    }
}

/// Picks one of `moves` legal moves.
pub(super) fn pick(stream: &mut Seeded, moves: usize) -> usize {
    let moves = u32::try_from(moves).expect("a decision has fewer than 2^32 moves");
    stream.below(moves) as usize
}
