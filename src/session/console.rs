//! The line between a session and the people at it; the terminal lives in the command line.

use std::io;

use crate::game::TableView;

/// Whoever asks people and tells them things. An error means that nobody listens any more.
pub trait Console {
    /// Asks for a line; `None` when no more will come.
    ///
    /// # Errors
    ///
    /// The line cannot be read.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>>;
    /// Tells a line.
    ///
    /// # Errors
    ///
    /// The line cannot be told.
    fn tell(&mut self, line: &str) -> io::Result<()>;
    /// Shows what lies on the table.
    ///
    /// # Errors
    ///
    /// The table cannot be shown.
    fn show(&mut self, table: &TableView, names: &[String]) -> io::Result<()>;
    /// Keeps a line of the transcript as soon as it is known.
    ///
    /// # Errors
    ///
    /// The line cannot be kept.
    fn keep(&mut self, line: &str) -> io::Result<()>;
}
