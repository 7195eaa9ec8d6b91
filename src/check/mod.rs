//! Tree to checked rules: names, types, the shape of the game.

pub mod rules;
pub mod visit;
