//! The bot that takes the first legal move.

use super::{Bot, View};
use crate::chance::Seeded;

/// Takes the first legal move.
#[derive(Clone, Copy, Debug)]
pub(super) struct First;

impl Bot for First {
    fn choose(&mut self, _view: &View, _chance: &mut Seeded) -> usize {
        0
    }
}
