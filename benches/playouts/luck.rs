//! Where the twins get their numbers: the streams of a seed, to prove that machine and twin play the
//! same games, or a generator of a few instructions, as somebody would write who wants to be fast.

use astragal::machinery::chance::{Chance, Seed, Seeded};

/// The dice of the table and the choices of two seats.
pub(crate) trait Luck {
    /// One of `0..outcomes`, for a die or a card.
    fn table(&mut self, outcomes: u32) -> usize;

    /// One of `0..outcomes`, for a choice of a seat.
    fn seat(&mut self, seat: usize, outcomes: u32) -> usize;
}

/// The numbers that the machine gets in the same playout.
pub(crate) struct Streams {
    table: Seeded,
    seats: [Seeded; 2],
}

impl Streams {
    pub(crate) fn new(seed: Seed, number: u64) -> Streams {
        let seats = [seed.seat(number, 2, 0), seed.seat(number, 2, 1)];
        Streams { table: seed.table_stream(number, 2), seats }
    }
}

impl Luck for Streams {
    fn table(&mut self, outcomes: u32) -> usize {
        self.table.below(outcomes) as usize
    }

    fn seat(&mut self, seat: usize, outcomes: u32) -> usize {
        self.seats[seat].below(outcomes) as usize
    }
}

/// `wyrand`: one multiplication a number. What a range leaves over is ignored: with at most some dozens
/// of outcomes no game can tell.
pub(crate) struct Fast(pub(crate) u64);

impl Fast {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a product are wanted")]
    fn below(&mut self, outcomes: u32) -> usize {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        let word = (product as u64 ^ (product >> 64) as u64) >> 32;
        ((word * u64::from(outcomes)) >> 32) as usize
    }
}

impl Luck for Fast {
    fn table(&mut self, outcomes: u32) -> usize {
        self.below(outcomes)
    }

    fn seat(&mut self, _: usize, outcomes: u32) -> usize {
        self.below(outcomes)
    }
}
