//! The bots that take any legal move, or the first; drawing at random.

use super::{Bot, View};
use crate::chance::{Chance, Seed, Seeded};
use crate::vm::{Driver, Offers};

/// Takes the first legal move.
#[derive(Clone, Copy, Debug)]
pub(super) struct First;

impl Bot for First {
    fn choose(&mut self, _view: &View, _chance: &mut Seeded) -> usize {
        0
    }
}

/// Takes any legal move with equal probability.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random;

impl Bot for Random {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        pick(chance, view.moves)
    }
}

/// Picks one of `moves` legal moves.
/// # Panics
/// If there is none.
pub fn pick(chance: &mut Seeded, moves: usize) -> usize {
    let moves = u32::try_from(moves).expect("a decision has fewer than 2^32 moves");
    usize::try_from(chance.below(moves)).expect("a move that is listed has a number")
}

/// A stream for one decision. The seat's own stream moves on by the same length whatever the bot
/// draws, so a game that is played again from its record goes on as it would have.
pub(super) fn stream_of_decision(chance: &mut Seeded) -> Seeded {
    let mut half = || u64::from(chance.below(1 << 31));
    let seed = half() << 31 | half();
    Seed(seed).stream(0)
}

/// A driver that answers everything at random, from one stream.
pub(super) struct RandomDriver<'a> {
    pub(super) chance: &'a mut Seeded,
    /// How many decisions it makes.
    pub(super) left: u64,
}

impl Driver for RandomDriver<'_> {
    fn wants_speech(&self) -> bool {
        false
    }

    fn tracks_knowledge(&self) -> bool {
        false
    }

    fn hear(&mut self, _to: Option<u8>, _text: &str) {}

    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        Some(pick(self.chance, offers.count()))
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        Some(self.chance.below(outcomes))
    }
}
