//! What chance holds ready at a table. It is part of every step: what is taken back and made again
//! is drawn again, so nobody rolls until the dice please.

use super::repl::{Dice, Pins};
use crate::chance::{Seed, Seeded};

/// The streams of a table, each where it goes on, and what people said of the next draws.
#[derive(Clone, Debug)]
pub(super) struct Luck {
    /// The number that all streams follow from.
    pub(super) seed: Seed,
    /// The stream of the table.
    pub(super) table: Seeded,
    /// The streams of the seats, for the programs that sit there.
    pub(super) seats: Vec<Seeded>,
    /// How the next draws end, as far as people said so.
    pub(super) pins: Pins,
}

impl Luck {
    /// All streams of a seed at their beginning. Each round has streams of its own.
    pub(super) fn new(seed: Seed, round: u64, players: usize) -> Luck {
        let seats = (0..=u8::MAX).take(players).map(|seat| seed.seat(round, players, seat));
        let table = seed.table(round, players);
        Luck { seed, table, seats: seats.collect(), pins: Pins::default() }
    }

    /// Puts all streams to the beginning of a round. What people said of the next draws stays.
    pub(super) fn rewind(&mut self, seed: Seed, round: u64, players: usize) {
        let pins = std::mem::take(&mut self.pins);
        *self = Luck { pins, ..Luck::new(seed, round, players) };
    }

    /// Whoever answers the draws of the table.
    pub(super) fn dice(&mut self) -> Dice<'_> {
        Dice { pins: &mut self.pins, chance: &mut self.table, answers: Vec::new() }
    }
}
