//! Mutants: games as authors write them, changed in small ways, played by the engine beside the
//! meaning of the rules.
//!
//! A mutant is a number. The number picks a file and changes; a change edits the text, guided by the
//! tree and by the types of the checked rules, and stays if the checker takes the result. Some
//! changes alter the game. Others write the same game in another way: then it must also go on as
//! before, move for move. A mutant may also be a variant that says what was changed: it must go on as the
//! changed text.

pub mod changes;
mod dice;
mod draft;
mod made;
mod outline;
mod play;
mod report;
mod seeds;
mod shrink;
mod variants;

pub use draft::Seed;
pub use made::{Mutant, make, unchanged};
pub use play::{Engine, Limits, Played, Wrong};
pub use report::{Counts, file_of};
pub use seeds::seeds;
pub use variants::variant;
