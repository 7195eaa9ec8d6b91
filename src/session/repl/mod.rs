//! The REPL: commands, their answers, completion.

mod commands;
mod complete;
mod help;
mod log;
mod typed_moves;

pub use complete::{complete, hint};

pub(super) use commands::{Input, bare, read};
