//! `astragal play --format json`: the table as lines of JSON, for a program that sits at it.

use std::io;

use serde::Serialize;
use serde_json::json;

use crate::diagnostic::Diagnostics;
use crate::host::{disk, findings, screen::Screen};
use crate::session::{Console, MoveList, Prompt, Reply, Showing};
use crate::source::Sources;

/// Writes a view for each decision and reads a move for each.
pub(super) struct JsonTable<'a> {
    screen: &'a mut Screen,
    /// What was told since the last line was read.
    told: Vec<String>,
    /// Whether the last line was a move, so that what is told refuses it.
    is_move: bool,
}

impl<'a> JsonTable<'a> {
    pub(super) fn new(screen: &'a mut Screen) -> JsonTable<'a> {
        JsonTable { screen, told: Vec::new(), is_move: false }
    }

    fn write_entry(&mut self, key: &str, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value).map_err(io::Error::other)?;
        self.screen.print_json(&format!("{{\"{key}\":{text}}}\n"))
    }

    /// Writes what was told: a refused move with its reasons, or the answer to a command.
    fn tell_all(&mut self) -> io::Result<()> {
        let told = std::mem::take(&mut self.told);
        match told.split_first() {
            Some((message, help)) if self.is_move => {
                let error = json!({ "severity": "error", "message": message, "help": help });
                self.write_entry("error", &error)
            }
            _ => told.iter().try_for_each(|line| self.write_entry("note", line)),
        }
    }
}

impl Console for JsonTable<'_> {
    fn ask(&mut self, _: &Prompt) -> io::Result<Reply> {
        self.tell_all()?;
        self.screen.flush()?;
        let Some(line) = disk::read_line()? else { return Ok(Reply::End) };
        self.is_move = !line.starts_with(':');
        Ok(Reply::Line(line))
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.told.push(line.trim().to_owned());
        Ok(())
    }

    /// Ignored: the log of the view has it.
    fn news(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn note(&mut self, line: &str) -> io::Result<()> {
        self.write_entry("note", &line)
    }

    fn show(&mut self, showing: &Showing) -> io::Result<()> {
        self.tell_all()?;
        // A view follows a move that was made, so what is told from here on is no answer to it.
        self.is_move = false;
        self.write_entry("view", showing.table)
    }

    /// The moves stand in the view.
    fn list(&mut self, list: &MoveList) -> io::Result<()> {
        if !list.whole {
            return Ok(());
        }
        let moves: Vec<&str> = list.moves.iter().map(|(_, label)| label.as_str()).collect();
        self.write_entry("moves", &moves)
    }

    fn grid(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        self.write_entry("rows", &rows)
    }

    fn draw(&mut self, sources: &Sources, found: &Diagnostics, _: bool) -> io::Result<()> {
        self.tell_all()?;
        findings::diagnostic_records(sources, found)
            .iter()
            .try_for_each(|error| self.write_entry("error", error))
    }
}
