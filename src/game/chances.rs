//! The draws that rules contain, in words, as far as they are known before play.

use super::Game;
use crate::bytecode::program::Wait;

/// How many outcomes of a draw are put into words.
const MOST_WORDED: i64 = 10_000;

/// A draw that the rules contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The event: `roll cube`. What it names may differ in play, as in `roll die[red]`.
    pub event: String,
    /// Its outcomes, where they are always the same.
    pub outcomes: Option<Vec<String>>,
}

impl Game {
    /// The draws that the rules contain.
    pub fn chances(&self) -> Vec<Chance> {
        let sites = (0..).zip(&self.program().sites);
        let draws = sites.filter_map(|(number, site)| match &site.wait {
            Wait::Draw { outcomes, low, .. } => {
                let mut state = self.initial_state();
                state.jump(number);
                let known = [*outcomes, *low].map(|slot| self.constant(slot));
                let outcomes = match known {
                    [Some(outcomes), Some(_)] if outcomes <= MOST_WORDED => {
                        let all = 0..u32::try_from(outcomes).unwrap_or(0);
                        Some(all.map(|index| self.outcome(&state, index)).collect())
                    }
                    _ => None,
                };
                Some(Chance { event: self.event(&state), outcomes })
            }
            _ => None,
        });
        draws.collect()
    }

    /// The word of a slot that never changes.
    fn constant(&self, slot: u16) -> Option<i64> {
        let program = self.program();
        program.constants.get(usize::from(slot).checked_sub(program.slots)?).copied()
    }

    /// Whether words can be a value: numbers, and names of players and members.
    pub fn is_value(&self, words: &str) -> bool {
        let is_name = |word: &str| {
            let kinds = self.program().kinds.iter().flat_map(|kind| &kind.members);
            word.parse::<i64>().is_ok()
                || ["yes", "no", "none"].contains(&word)
                || self.names().iter().any(|name| name == word)
                || kinds.into_iter().any(|(name, title)| name == word || title == word)
        };
        is_name(words) || words.split([' ', ',']).filter(|it| !it.is_empty()).all(is_name)
    }
}
