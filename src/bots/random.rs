//! The bot that takes any legal move, and the streams that bots draw from.

use super::{Bot, View};
use crate::chance::{Chance, Seed, Seeded};

/// Takes any legal move with equal probability.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random;

impl Bot for Random {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        pick(chance, view.moves)
    }
}

/// Picks one of `moves` legal moves.
///
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
