//! The random bot and the first move; the driver that answers everything at random.

use crate::bots::{Bot, View};
use crate::chance::{Chance as _, Seed, Seeded};
use crate::vm::{Driver, LentStreams, Offers};

#[derive(Clone, Copy, Debug)]
pub(super) struct First;

impl Bot for First {
    fn choose(&mut self, _view: &View, _chance: &mut Seeded) -> usize {
        0
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Random;

impl Bot for Random {
    fn choose(&mut self, view: &View, chance: &mut Seeded) -> usize {
        view.offers.pick(chance)
    }
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
    fn tracks_knowledge(&self) -> bool {
        false
    }

    fn tests_all(&self) -> bool {
        false
    }

    fn lend(&mut self) -> Option<LentStreams<'_>> {
        Some(LentStreams { streams: std::slice::from_mut(self.chance), decisions: self.left })
    }

    fn on_lent_answers(&mut self, decisions: u64, _draws: u64) {
        self.left -= decisions;
    }

    fn decide(&mut self, offers: &Offers) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        Some(offers.pick(self.chance))
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        Some(self.chance.below(outcomes))
    }
}
