//! Journals: the file of a game that is played, written on with every step.

use std::path::Path;

use crate::host::game_files::FoundText;
use crate::host::writing::OutputFile;
use crate::host::{disk, error::HostError};
use crate::session::GameRecord;
use crate::transcript::MAX_LINES;

/// A transcript that grows with every step, so that nothing is lost.
#[derive(Debug)]
pub(crate) struct Journal {
    out: OutputFile,
    written: Option<WrittenAmount>,
    is_full: bool,
    /// Whether it is the file of an unfinished game, in the folder of the program. Its file is locked
    /// while the game is played, so that no other program plays it on.
    is_unfinished: bool,
    /// Whether it is written before the first decision.
    from_start: bool,
}

/// How much of a game is in a file: lines of the game, all lines, and bytes.
#[derive(Clone, Copy, Debug, Default)]
struct WrittenAmount {
    moves: usize,
    lines: usize,
    bytes: usize,
}

impl WrittenAmount {
    /// With more after it, if that still fits in.
    fn and(self, moves: usize, text: &str) -> Option<WrittenAmount> {
        let lines = self.lines + text.matches('\n').count();
        let bytes = self.bytes + text.len();
        (lines <= MAX_LINES && bytes <= disk::MOST_BYTES).then_some(WrittenAmount {
            moves,
            lines,
            bytes,
        })
    }
}

impl Journal {
    /// A recording, which is not written yet.
    pub(super) fn recording(out: OutputFile) -> Journal {
        Journal { out, written: None, is_full: false, is_unfinished: false, from_start: false }
    }

    /// The journal of a game that begins, which is not written yet.
    pub(super) fn unfinished(out: OutputFile, from_start: bool) -> Journal {
        Journal { is_unfinished: true, from_start, ..Journal::recording(out) }
    }

    /// The journal of a game that is played on; `None` where another program plays it.
    pub(crate) fn resume(path: &Path) -> Result<Option<Journal>, HostError> {
        let taken =
            OutputFile::take_existing(path).map_err(|error| disk::unreadable(path, &error))?;
        Ok(taken.map(|out| Journal { is_unfinished: true, ..Journal::recording(out) }))
    }

    pub(crate) fn path(&self) -> &Path {
        self.out.path()
    }

    /// Begins the file with what another journal holds.
    #[cfg(feature = "serve")]
    pub(super) fn copy_from(&mut self, other: &Journal) -> Result<(), HostError> {
        disk::make_private_folder(self.out.path())?;
        self.out.write_whole(&disk::read_text(other.path())?)
    }

    /// Begins the file anew with the game as it stands.
    pub(super) fn rewrite_file(
        &mut self,
        named: &FoundText,
        record: &GameRecord,
    ) -> Result<(), HostError> {
        let path = self.out.path();
        let game = if self.is_unfinished {
            disk::make_private_folder(path)?;
            named.anywhere()
        } else {
            named.seen_from(path.parent().unwrap_or(Path::new("")))
        };
        let text = record.script(&game);
        let written = WrittenAmount::default().and(record.lines.len(), &text);
        let Some(written) = written else { return self.mark_full() };
        self.out.write_whole(&text)?;
        (self.written, self.is_full) = (Some(written), false);
        Ok(())
    }

    /// Adds the lines that are new; if others changed, writes the file anew. What was kept of an
    /// unfinished game is removed once it is over.
    pub(super) fn save_lines(
        &mut self,
        named: &FoundText,
        record: &GameRecord,
        unchanged: usize,
    ) -> Result<(), HostError> {
        if self.is_unfinished && record.over {
            self.written = None;
            return self.out.remove_file();
        }
        let is_idle = !record.begun && self.written.is_none();
        if self.is_unfinished && is_idle && !self.from_start {
            return Ok(());
        }
        let Some(written) = self.written.filter(|written| written.moves == unchanged) else {
            return self.rewrite_file(named, record);
        };
        let new = record.lines[unchanged..].iter();
        let new: String = new.flat_map(|line| [line.as_str(), "\n"]).collect();
        let Some(more) = written.and(record.lines.len(), &new) else { return self.mark_full() };
        self.written = Some(more);
        if new.is_empty() { Ok(()) } else { self.out.append_text(&new) }
    }

    /// Writes no more; this is an error once.
    fn mark_full(&mut self) -> Result<(), HostError> {
        self.written = None;
        if std::mem::replace(&mut self.is_full, true) {
            return Ok(());
        }
        let path = self.out.path().display().to_string();
        Err(HostError::Full { path, lines: MAX_LINES, bytes: disk::MOST_BYTES })
    }
}
