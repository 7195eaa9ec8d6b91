//! astragal: a rules language for tabletop games.

pub mod source;
pub mod suggest;
pub mod diagnostic;
pub mod bytecode;
pub mod syntax;
pub mod check;
pub mod compile;
pub mod vm;
pub mod game;
