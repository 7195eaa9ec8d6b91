//! One game at one table: seats, the turn loop, scripts.

mod console;
mod count;
mod draw_lines;
mod draws;
mod error;
mod viewer_filter;
mod seat_view;
mod match_move;
mod merge;
mod perft;
mod pins;
mod play;
mod repl;
mod replay;
pub(crate) mod resigning;
mod running;
mod screen;
mod script;
mod branches;
mod remote;
mod steps;
mod timeline;
mod example;
mod explore;

pub(crate) use console::Change;
pub use console::{
    Console, Files, GameRecord, Hint, Io, LoadedScript, MoveList, Prompt, Reply, Seat, Showing,
    seats_kept, whole_lines,
};
pub use count::Count;
pub(crate) use example::play_sample;
pub(crate) use merge::{Edit, edited};
pub(crate) use perft::{CountStop, Counts, divide};
pub use perft::{Perft, perft};
pub use pins::{Misfit, Pin, pinned};
pub(crate) use play::ChosenSetup;
pub(crate) use play::FORCED;
pub use play::{Session, SessionEnd};
pub(crate) use remote::Findings;
pub use repl::{complete_line, hint, names_file};
pub use running::Running;
pub use script::{ScriptRun, run};
pub(crate) use script::{after, run_as};
pub(crate) use seat_view::{Stretch, play_openly, views};
