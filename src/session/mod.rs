//! One game at one table: seats, the turn loop, scripts.

mod console;
mod count;
mod script_moves;
mod draws;
mod error;
mod events;
mod expect;
mod run_to_decision;
mod luck;
mod perft;
mod pins;
mod play;
mod playable;
mod record;
mod repl;
mod screen;
mod script;
mod seat;
mod match_move;
mod walk;
mod merge;

#[cfg(test)]
mod test_game;

pub use console::{Change, Console, Files, Io, Loaded, MoveList, Prompt, Reply, Showing};
pub use count::Count;
pub use error::RunError;
pub use match_move::{Typed, find, find_exactly};
pub use perft::{Counts, Perft, divide, perft};
pub use pins::{Misfit, Pin};
pub use play::{Ending, Session};
pub use playable::{Playable, Running};
pub use record::{Record, seats_kept, whole_lines};
pub use repl::{complete, hint};
pub use run_to_decision::{Answer, Draws, Event, run_to_decision};
pub use script::{Run, run, run_as};
pub use seat::{Seat, Sitting};
