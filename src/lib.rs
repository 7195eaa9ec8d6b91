//! astragal: a rules language for tabletop games.

pub mod check;
pub mod diagnostic;
pub mod source;
pub mod suggest;
pub mod syntax;
