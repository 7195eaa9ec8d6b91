//! The file that a game is written into while it is played.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::CliError;
use super::files::{self, Found};
use crate::game::Game;
use crate::transcript::Opening;

/// A transcript that grows with every step, so that nothing is lost.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
}

impl Journal {
    /// Begins a file with the header lines of the game.
    pub(super) fn begin(
        path: &Path,
        word: &str,
        found: &Found,
        game: &Game,
    ) -> Result<Journal, CliError> {
        let wrong = |error: io::Error| files::unwritable(path, &error);
        let mut journal = Journal { file: File::create(path).map_err(wrong)? };
        let opening = Opening {
            game: game_words(path, word, found),
            names: game.names().to_vec(),
            options: game.info().options.clone(),
        };
        for line in opening.lines() {
            journal.keep(&line).map_err(wrong)?;
        }
        Ok(journal)
    }

    /// Adds a line.
    pub(super) fn keep(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.file, "{line}")
    }
}

/// The game as a script beside the journal names it.
fn game_words(journal: &Path, word: &str, found: &Found) -> String {
    let Some(path) = &found.path else { return word.to_owned() };
    let folder = journal.parent().map_or_else(PathBuf::new, Path::to_owned);
    files::relative(path, &folder).display().to_string().replace('\\', "/")
}
