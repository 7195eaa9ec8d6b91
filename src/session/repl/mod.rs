//! What people type at the table besides moves, and what it takes to answer: commands, completion,
//! help, steps that can be taken back, draws that are given, games that are played again.

mod advice;
mod answer;
mod command;
mod complete;
mod help;
mod pins;
mod replay;
mod help_text;
mod timeline;

pub use complete::{complete, hint};

pub(super) use command::{Command, Input, read};
pub(super) use pins::{Dice, Pins};
pub(super) use replay::{Act, Again, replay};
pub(super) use timeline::{Made, Moment, Step, Timeline, head};
