//! People at the terminal, or lines from a pipe.

use std::io::{self, BufRead, IsTerminal};

use super::journal::Journal;
use super::screen::Screen;
use super::table;
use crate::game::TableView;
use crate::session::Console;

/// The console of `play`.
#[derive(Debug)]
pub(super) struct Terminal<'a> {
    pub(super) screen: &'a mut Screen,
    pub(super) journal: Option<Journal>,
}

impl Console for Terminal<'_> {
    /// Reads a line. What comes from a pipe is shown behind the prompt, as if it had been typed.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        self.screen.text(prompt)?;
        self.screen.flush()?;
        let input = io::stdin();
        let mut bytes = Vec::new();
        if input.lock().read_until(b'\n', &mut bytes)? == 0 {
            self.screen.line("")?;
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if !input.is_terminal() {
            self.screen.line(&line)?;
        }
        Ok(Some(line))
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.screen.line(line)
    }

    fn show(&mut self, view: &TableView, names: &[String]) -> io::Result<()> {
        let lines = table::draw(view, names, self.screen.width());
        lines.iter().try_for_each(|line| self.screen.line(line))
    }

    fn keep(&mut self, line: &str) -> io::Result<()> {
        self.journal.as_mut().map_or(Ok(()), |journal| journal.keep(line))
    }
}
