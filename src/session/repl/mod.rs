//! The REPL: commands, their answers, completion.

mod ahead;
mod book;
mod commands;
mod complete;
mod help;
mod log;
mod script_lines;
mod tree;
mod typed_moves;

pub use complete::{complete_line, hint, names_file};

pub(super) use ahead::TypedLines;
pub(super) use commands::{ParsedLine, read, read_bare};
