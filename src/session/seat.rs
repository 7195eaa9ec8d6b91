//! Who decides for a player: a person or a bot.

use crate::bots::{Clock, Kind};

/// Who decides for a player.
#[derive(Clone, Debug)]
pub enum Seat {
    Human,
    Bot(Box<Sitting>),
}

/// A program at the table.
#[derive(Clone, Debug)]
pub struct Sitting {
    pub kind: Kind,
    /// How it knows the time.
    pub clock: Clock,
}

impl Seat {
    /// Returns the seat that a word of the command line means.
    pub fn named(word: &str, clock: Clock) -> Option<Seat> {
        if word == "human" {
            return Some(Seat::Human);
        }
        let kind = Kind::parse(word)?;
        Some(Seat::Bot(Box::new(Sitting { kind, clock })))
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
