//! Numbers the moves of a game: a move has the same number wherever it is legal.
//!
//! Learners want few numbers that keep their meaning, and rules name no list of all moves. So random
//! games with a fixed seed collect their words, and each gets a number. Words that never came up
//! take, where they are legal, the next number that no other legal move has: the same in every process.

use std::collections::{BTreeMap, BTreeSet};

use astragal::machinery::chance::{Chance, Seed};
use astragal::{Game, Step};

use crate::node::Node;

/// How many random games are played at most, in each of two halves.
const GAMES: u64 = 200;

/// How many moves are put into words at most, in each half.
const WORDED: usize = 300_000;

/// How many moves get a number of their own.
const MOST: usize = 1 << 16;

pub struct Vocabulary {
    ids: BTreeMap<String, u32>,
    labels: Vec<String>,
    /// How many numbers there are.
    pub size: usize,
    /// How many outcomes a draw has at most.
    pub outcomes: u32,
}

impl Vocabulary {
    pub fn learn(game: &Game) -> Vocabulary {
        let mut seen = Seen::default();
        seen.play(game, 0);
        let known = seen.labels.len();
        seen.play(game, GAMES);
        // Where the second half of the games brings no news, nothing more is expected.
        let more = if seen.labels.len() == known { 0 } else { seen.labels.len() / 4 + 1 };
        let labels: Vec<String> = seen.labels.into_iter().collect();
        let size = (labels.len() + more).max(seen.moves).max(1);
        let ids = labels.iter().cloned().zip(0..).collect();
        Vocabulary { ids, labels, size, outcomes: seen.outcomes }
    }

    /// The words of a number, if it has some of its own.
    pub fn label(&self, id: u32) -> Option<&str> {
        self.labels.get(id as usize).map(String::as_str)
    }

    /// The numbers of the legal moves of a position; none if there are not enough numbers.
    pub fn ids(&self, labels: &[String]) -> Option<Vec<u32>> {
        if labels.len() > self.size {
            return None;
        }
        let mut ids: Vec<Option<u32>> =
            labels.iter().map(|label| self.ids.get(label).copied()).collect();
        let mut taken: BTreeSet<u32> = ids.iter().flatten().copied().collect();
        let mut unknown: Vec<usize> = (0..labels.len()).filter(|at| ids[*at].is_none()).collect();
        unknown.sort_by_key(|at| &labels[*at]);
        let size = u32::try_from(self.size).ok()?;
        let first = u32::try_from(self.labels.len()).ok()?;
        for at in unknown {
            let free =
                (0..size).map(|more| (first + more) % size).find(|id| !taken.contains(id))?;
            taken.insert(free);
            ids[at] = Some(free);
        }
        ids.into_iter().collect()
    }
}

#[derive(Default)]
struct Seen {
    labels: BTreeSet<String>,
    moves: usize,
    outcomes: u32,
}

impl Seen {
    /// Plays random games whose numbers begin with `first`.
    fn play(&mut self, game: &Game, first: u64) {
        let mut left = WORDED;
        for number in first..first + GAMES {
            if left == 0 || self.labels.len() >= MOST {
                return;
            }
            self.playout(game, number, &mut left);
        }
    }

    fn playout(&mut self, game: &Game, number: u64, left: &mut usize) {
        let mut chance = Seed(0).stream(number);
        // Rules that fail in play teach what they did before.
        let Ok(mut node) = Node::start(game) else { return };
        while *left > 0 {
            match node.step {
                Step::End => return,
                Step::Draw { outcomes } => self.outcomes = self.outcomes.max(outcomes),
                Step::Decide { .. } => {
                    self.moves = self.moves.max(node.legal.count());
                    *left = left.saturating_sub(node.legal.count());
                    let labels = game.label_moves(&node.state, &node.legal);
                    self.labels.extend(labels.take(MOST.saturating_sub(self.labels.len())));
                }
            }
            let answers = u32::try_from(node.answers()).unwrap_or(u32::MAX);
            if node.answer(game, chance.below(answers)).is_err() {
                return;
            }
        }
    }
}
