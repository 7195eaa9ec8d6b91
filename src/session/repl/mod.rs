//! The REPL: commands, their answers, completion, help, advice.

mod advice;
mod answer;
mod command;
mod complete;
mod help;

pub use complete::{complete, hint};

pub(super) use command::{Command, Input, read};
