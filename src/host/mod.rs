//! Services for programs around the library: files, bundled games, saves, results, drawings, exit codes.
//!
//! Knows no command line: `commands` and `serve` are made of it, and so are the bindings for Python.

pub(crate) use crate::gate;

pub(crate) mod bots;
pub(crate) mod command_line;
pub(crate) mod disk;
pub(crate) mod drawing;
pub(crate) mod embed;
pub(crate) mod error;
pub(crate) mod exit;
pub(crate) mod files;
pub(crate) mod findings;
pub(crate) mod game_files;
pub(crate) mod journal;
pub(crate) mod opening;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod saves;
pub(crate) mod screen;
pub(crate) mod tty;
pub(crate) mod watch;
pub(crate) mod writing;
