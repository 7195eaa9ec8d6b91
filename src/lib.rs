//! astragal: a rules language for tabletop games.

pub mod diagnostic;
pub mod source;
pub mod suggest;
pub mod syntax;
pub mod check;
