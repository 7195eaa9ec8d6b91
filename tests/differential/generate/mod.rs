//! Programs that nobody would write: valid games, made at random.

mod decisions;
mod expressions;
mod rules;
mod sets;
mod statements;

use astragal::machinery::chance::{Seed, Seeded};

use crate::support::MakesUp;

/// The types that made-up expressions have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Number,
    Truth,
    Hue,
    Item,
    Player,
    Hues,
    Items,
    Players,
    /// A set of numbers from 1 to 9.
    Pool,
    MaybeHue,
    /// A list of up to four hues.
    Trail,
    Card,
    Cards,
    /// An amount of each hue.
    Bag,
    /// An array of numbers over hues, by its name.
    Array,
}

/// What may stand behind a key.
const DIRECTIONS: [&str; 3] = ["", " highest", " lowest"];

/// Writes one program.
struct Writer {
    random: Seeded,
    /// How many names were made up.
    names: usize,
    /// What can be read here, the innermost last: a name, its type, whether it is a `var`.
    scope: Vec<(String, Ty, bool)>,
    /// How many loops are around.
    loops: usize,
    /// What the rule returns that is being written, if it is one.
    returns: Option<Ty>,
    /// How many of the rules can be called from here.
    callable: usize,
    /// Whether statements may ask and draw here.
    pauses: bool,
}

/// The text of a made-up game.
pub(crate) fn program(seed: u64) -> String {
    let random = Seed(seed).stream(7);
    let (names, scope, loops, returns) = (0, Vec::new(), 0, None);
    let writer = Writer { random, names, scope, loops, returns, callable: 0, pauses: true };
    writer.game()
}

impl MakesUp for Writer {
    fn source(&mut self) -> (&mut Seeded, &mut usize) {
        (&mut self.random, &mut self.names)
    }
}

impl Writer {
    /// One of the names of a type that can be read here.
    fn known(&mut self, ty: Ty) -> Option<String> {
        let known = self.scope.iter().filter(|(_, of, _)| *of == ty);
        let known: Vec<String> = known.map(|(name, ..)| name.clone()).collect();
        let at = (!known.is_empty()).then(|| self.below(known.len()))?;
        Some(known[at].clone())
    }

    /// Writes something with one more name in sight.
    fn within<T>(&mut self, name: &str, ty: Ty, write: impl FnOnce(&mut Self) -> T) -> T {
        let kept = self.scope.len();
        self.scope.push((name.to_owned(), ty, false));
        let written = write(self);
        self.scope.truncate(kept);
        written
    }
}
