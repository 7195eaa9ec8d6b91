//! What people type at the table besides moves, and what it takes to answer: commands, completion,
//! help, advice.

mod advice;
mod answer;
mod command;
mod complete;
mod help;

pub use complete::{complete, hint};

pub(super) use command::{Command, Input, read};
