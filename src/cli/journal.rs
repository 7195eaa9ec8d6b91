//! A file that a game is written into while it is played.

use std::path::{Path, PathBuf};

use super::writing::{Form, Out};
use super::{error::CliError, files, files::Found, state};
use crate::session::{Record, seats_kept};
use crate::transcript;

/// The game that is played, as files name it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) word: String,
    pub(super) found: Found,
}

impl Named {
    /// The game as a script in this folder names it.
    fn seen_from(&self, folder: &Path) -> String {
        let Some(path) = &self.found.path else { return self.word.clone() };
        files::relative(path, folder).display().to_string().replace('\\', "/")
    }

    /// The game as any script can name it: its whole path.
    pub(super) fn anywhere(&self) -> String {
        let Some(path) = &self.found.path else { return self.word.clone() };
        let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
        whole.display().to_string().replace('\\', "/")
    }
}

/// A saved game, as a file that the program wrote.
pub(super) const FORM: Form = Form { called: "a saved game", is: is_saved };

/// How a script begins that was made of a game: its header, and who sat where.
fn is_saved(text: &str) -> bool {
    let header = ["game ", "players ", "option ", "seed "];
    let mut lines = text.lines();
    let behind = lines.find(|line| !header.iter().any(|word| line.starts_with(word)));
    text.starts_with("game ") && behind.is_some_and(|line| seats_kept(line).is_some())
}

const MOST_BYTES: usize = 16 << 20;

const _: () = assert!(MOST_BYTES <= files::MOST_BYTES, "what is longer could not be read again");

const MOST_LINES: usize = transcript::MAX_LINES;

/// A transcript that grows with every step, so that nothing is lost.
#[derive(Debug)]
pub(super) struct Journal {
    out: Out,
    /// How much of the game is in the file.
    written: Option<Written>,
    /// Whether no more fits in.
    full: bool,
    /// Whether it is the file of an unfinished game, in the folder of the program.
    unfinished: bool,
}

/// How much of a game is in a file: lines of the game, all lines, and bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    moves: usize,
    lines: usize,
    bytes: usize,
}

impl Written {
    /// With more behind it, if that still fits in.
    fn and(self, moves: usize, text: &str) -> Option<Written> {
        let lines = self.lines + text.matches('\n').count();
        let bytes = self.bytes + text.len();
        (lines <= MOST_LINES && bytes <= MOST_BYTES).then_some(Written { moves, lines, bytes })
    }
}

impl Journal {
    /// A recording, which is not written yet.
    pub(super) fn recording(out: Out) -> Journal {
        Journal { out, written: None, full: false, unfinished: false }
    }

    /// The journal of an unfinished game, where none is yet. Its file is locked while the game is
    /// played, so that no other program plays it on.
    pub(super) fn unfinished(path: PathBuf) -> Journal {
        Journal { unfinished: true, ..Journal::recording(Out::private(path)) }
    }

    /// The journal of a game that is played on; `None` where another program plays it.
    pub(super) fn resume(path: &Path) -> Result<Option<Journal>, CliError> {
        let taken = Out::take(path).map_err(|error| files::unreadable(path, &error))?;
        Ok(taken.map(|out| Journal { unfinished: true, ..Journal::recording(out) }))
    }

    pub(super) fn path(&self) -> &Path {
        self.out.path()
    }

    /// Begins the file anew with the game as it stands.
    pub(super) fn begin(&mut self, named: &Named, record: &Record) -> Result<(), CliError> {
        let folder = self.path().parent().unwrap_or(Path::new(""));
        let game = if self.unfinished {
            state::secret_folder(folder).map_err(|error| files::unwritable(self.path(), &error))?;
            named.anywhere()
        } else {
            named.seen_from(folder)
        };
        let text = record.script(game);
        let written = Written::default().and(record.lines.len(), &text);
        let Some(written) = written else { return self.fill() };
        self.out.write(&text)?;
        (self.written, self.full) = (Some(written), false);
        Ok(())
    }

    /// Adds the lines that are new; if others changed, writes the file anew. What was kept of an
    /// unfinished game is removed once it is over.
    pub(super) fn keep(
        &mut self,
        named: &Named,
        record: &Record,
        unchanged: usize,
    ) -> Result<(), CliError> {
        if self.unfinished && record.over {
            self.written = None;
            return self.out.remove();
        }
        if self.unfinished && !record.begun && self.written.is_none() {
            return Ok(());
        }
        let Some(written) = self.written.filter(|written| written.moves == unchanged) else {
            return self.begin(named, record);
        };
        let new = record.lines[unchanged..].iter();
        let new: String = new.flat_map(|line| [line.as_str(), "\n"]).collect();
        let Some(more) = written.and(record.lines.len(), &new) else { return self.fill() };
        self.written = Some(more);
        if new.is_empty() { Ok(()) } else { self.out.append(&new) }
    }

    /// Writes no more; this is an error once.
    fn fill(&mut self) -> Result<(), CliError> {
        self.written = None;
        if std::mem::replace(&mut self.full, true) {
            return Ok(());
        }
        let path = self.path().display().to_string();
        Err(CliError::Full { path, lines: MOST_LINES, bytes: MOST_BYTES })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use tempfile::tempdir;

    use super::{Journal, Named};
    use crate::cli::files::Found;
    use crate::cli::writing::Out;
    use crate::session::Record;

    fn named() -> Named {
        let found = Found::alone("pairs.game");
        Named { word: "pairs".to_owned(), found }
    }

    fn record<'a>(names: &'a [String], lines: &'a [String], over: bool) -> Record<'a> {
        let options = vec![("goal".to_owned(), "3".to_owned())];
        let seats = vec!["human".to_owned(), "random".to_owned()];
        Record { names, options, seats, seed: 7, lines, begun: !lines.is_empty(), over }
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    const HEAD: &str =
        "game pairs\nplayers Ann, Ben\noption goal = 3\nseed 7\n# seats: human, random\n";

    #[test]
    fn a_journal_is_whole_at_every_step_and_gone_at_the_end() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("deep").join("a.script");
        let mut journal = Journal::unfinished(path.clone());
        let names = words(&["Ann", "Ben"]);
        let mut keep = |lines: &[&str], unchanged, over| {
            let lines = words(lines);
            journal.keep(&named(), &record(&names, &lines, over), unchanged).unwrap();
            fs::read(&path).ok().map(|bytes| String::from_utf8(bytes).unwrap())
        };
        assert_eq!(keep(&[], 0, false), None);
        assert_eq!(keep(&["a", "b"], 0, false), Some(format!("{HEAD}a\nb\n")));
        assert_eq!(keep(&["a", "b", "c"], 2, false), Some(format!("{HEAD}a\nb\nc\n")));
        assert_eq!(keep(&["a", "d"], 1, false), Some(format!("{HEAD}a\nd\n")));
        assert_eq!(keep(&["a", "d", "= draw"], 2, true), None);
        assert_eq!(keep(&["a", "d"], 2, false), Some(format!("{HEAD}a\nd\n")));
    }

    #[cfg(unix)]
    #[test]
    fn only_whoever_plays_may_read_a_journal() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.script");
        fs::write(path.with_extension("new"), "of a program that was killed").unwrap();
        let (names, lines) = (words(&["Ann", "Ben"]), words(&["a"]));
        let mut journal = Journal::unfinished(path.clone());
        journal.keep(&named(), &record(&names, &lines, false), 0).unwrap();
        let rights = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((rights(&path), rights(folder.path())), (0o600, 0o700));
    }

    #[test]
    fn a_game_is_played_on_by_one_program_at_a_time() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.script");
        let (names, lines) = (words(&["Ann", "Ben"]), words(&["a"]));
        let mut first = Journal::unfinished(path.clone());
        first.keep(&named(), &record(&names, &lines, false), 0).unwrap();
        assert!(Journal::resume(&path).unwrap().is_none());
        drop(first);
        let mut second = Journal::resume(&path).unwrap().unwrap();
        assert!(Journal::resume(&path).unwrap().is_none());
        second.keep(&named(), &record(&names, &lines, false), 0).unwrap();
        assert!(Journal::resume(&path).unwrap().is_none());
        drop(second);
        assert!(Journal::resume(&path).unwrap().is_some());
    }

    #[test]
    fn a_recording_stays_at_the_end() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.script");
        let mut journal = Journal::recording(Out::private(path.clone()));
        let names = words(&["Ann", "Ben"]);
        for (lines, unchanged) in [(&["a", "b"][..], 0), (&["a"], 1), (&["a", "= draw"], 1)] {
            let lines = words(lines);
            journal.keep(&named(), &record(&names, &lines, false), unchanged).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), format!("{HEAD}a\n= draw\n").into_bytes());
    }

    #[test]
    fn what_cannot_be_written_is_an_error() {
        let names = words(&["Ann", "Ben"]);
        let lines = words(&["a"]);
        let nowhere = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").join("a.script");
        let record = record(&names, &lines, false);
        assert!(Journal::unfinished(nowhere.clone()).keep(&named(), &record, 0).is_err());
        assert!(Journal::recording(Out::private(nowhere)).keep(&named(), &record, 0).is_err());
    }
}
