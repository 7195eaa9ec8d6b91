//! Text to tree. The only folder that knows pest.

pub mod ast;
