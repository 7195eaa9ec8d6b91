//! One number of players and one value for each option: what a program is specialised for.

use crate::check::rules::Value;

/// A setting of a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Specialisation {
    /// How many play.
    pub players: usize,
    /// The value of each option, in the order of the file.
    pub options: Vec<Value>,
}
