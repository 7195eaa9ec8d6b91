//! Choices of texts that are made up.

use astragal::machinery::chance::{Chance, Seeded};

/// A writer of texts that draws from a stream of chance.
pub(crate) trait MakesUp {
    /// The stream, and how many names were made up.
    fn source(&mut self) -> (&mut Seeded, &mut usize);

    fn below(&mut self, count: usize) -> usize {
        let count = u32::try_from(count).expect("there are few ways");
        self.source().0.below(count) as usize
    }

    /// Whether something happens that happens once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    /// A name that no other thing has.
    fn name(&mut self, like: &str) -> String {
        let names = self.source().1;
        *names += 1;
        format!("{like}{names}")
    }
}
