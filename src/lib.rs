//! astragal: a rules language for tabletop games, and the machine that plays them.

pub mod source;
pub mod suggest;
pub mod chance;
pub mod components;
pub mod progress;
pub mod dump;
pub mod budget;
pub mod diagnostic;
pub mod bytecode;
pub mod syntax;
pub mod load;
pub mod check;
pub mod eval;
pub mod compile;
pub mod vm;
pub mod game;
pub mod bots;
pub mod pipeline;
pub mod snippet;
pub mod rulebook;
pub mod editor;
pub mod transcript;
pub mod session;
pub mod simulate;
#[cfg(feature = "cli")]
pub mod cli;
