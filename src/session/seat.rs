//! Who sits where.

use crate::bots::{Clock, Kind};
use crate::chance::{Seed, Seeded};

/// Who decides for a player.
#[derive(Clone, Debug)]
pub enum Seat {
    /// A person, asked through the console.
    Human,
    /// A program.
    Bot(Box<Sitting>),
}

/// A program at the table.
#[derive(Clone, Debug)]
pub struct Sitting {
    /// Which one.
    pub kind: Kind,
    /// The stream that it draws from.
    pub stream: Seeded,
    /// How it knows the time.
    pub clock: Clock,
}

/// A seat: the seed of the table, how many sit there, and which seat it is, counted from 0.
#[derive(Clone, Copy, Debug)]
pub struct Chair {
    /// The seed of the table.
    pub seed: Seed,
    /// How many sit there.
    pub players: usize,
    /// Which seat.
    pub number: u8,
}

impl Seat {
    /// Returns the seat that a word of the command line means.
    pub fn named(word: &str, chair: Chair, clock: Clock) -> Option<Seat> {
        if word == "human" {
            return Some(Seat::Human);
        }
        let kind = Kind::parse(word)?;
        let stream = chair.seed.seat(0, chair.players, chair.number);
        Some(Seat::Bot(Box::new(Sitting { kind, stream, clock })))
    }

    /// Returns the word of the command line that means it.
    pub fn word(&self) -> String {
        match self {
            Seat::Human => "human".to_owned(),
            Seat::Bot(sitting) => sitting.kind.word(),
        }
    }

    /// Returns the words that seats are called by, for messages.
    pub fn words() -> String {
        format!("`human`, {}", Kind::WORDS)
    }
}
