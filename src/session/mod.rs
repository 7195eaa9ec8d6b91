//! One game at one table: seats, the turn loop, scripts.

mod console;
mod count;
mod deciding;
mod draws;
mod error;
mod events;
mod expect;
mod flow;
mod luck;
mod perft;
mod pins;
mod play;
mod position;
mod record;
mod repl;
mod screen;
mod script;
mod seat;
mod typed;
mod walk;
mod weave;

#[cfg(test)]
mod fake;

pub use console::{Asking, Change, Console, Desk, Files, Loaded, MoveList, Reply, Showing};
pub use count::Count;
pub use error::RunError;
pub use flow::{Answer, Draws, Happening, settle};
pub use perft::{Counts, Perft, divide, perft};
pub use pins::{Misfit, Pin};
pub use play::{Ending, Session};
pub use position::{Live, Position};
pub use record::{Record, seats_kept, whole_lines};
pub use repl::{complete, hint};
pub use script::{Run, run, run_as};
pub use seat::{Seat, Sitting};
pub use typed::{Typed, find, find_exactly};
