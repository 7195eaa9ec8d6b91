//! astragal: a rules language for tabletop games.

pub mod source;
pub mod suggest;
pub mod chance;
pub mod diagnostic;
pub mod syntax;
pub mod game;
pub mod transcript;
pub mod session;
#[cfg(feature = "cli")]
pub mod cli;
