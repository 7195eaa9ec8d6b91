//! Picks that follow from one number.

use astragal::machinery::chance::{Chance, Seed, Seeded};

#[derive(Clone, Debug)]
pub struct Dice(Seeded);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Seed(seed).stream(1))
    }

    /// One of `0..count`; 0 where there is none.
    pub fn below(&mut self, count: usize) -> usize {
        if count == 0 { 0 } else { self.0.random_index(count) }
    }

    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        if of.is_empty() { None } else { Some(&of[self.below(of.len())]) }
    }
}
