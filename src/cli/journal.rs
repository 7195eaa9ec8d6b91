//! A file that a game is written into while it is played.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::CliError;
use super::files::{self, Found};
use super::state;
use crate::session::Record;

/// The game that is played, as files name it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// How the command line calls it.
    pub(super) word: String,
    /// Where it was found.
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

/// The text of a game for a file in a folder.
pub(super) fn text_for(path: &Path, named: &Named, record: &Record) -> String {
    record.script(named.seen_from(path.parent().unwrap_or(Path::new(""))))
}

/// A transcript that grows with every step, so that nothing is lost.
#[derive(Debug)]
pub(super) struct Journal {
    pub(super) path: PathBuf,
    /// The open file, and how many lines of the game it has.
    open: Option<(File, usize)>,
}

impl Journal {
    /// A file that is not written yet.
    pub(super) fn new(path: PathBuf) -> Journal {
        Journal { path, open: None }
    }

    /// Begins the file anew with the game as it stands.
    pub(super) fn begin(&mut self, named: &Named, record: &Record) -> Result<(), CliError> {
        let text = text_for(&self.path, named, record);
        let written = files::replaced(&self.path, &text)
            .map_err(|error| files::unwritable(&self.path, &error))?;
        self.open = Some((written, record.lines.len()));
        Ok(())
    }

    /// Adds the lines that are new; if others changed, writes the file anew.
    pub(super) fn keep(
        &mut self,
        named: &Named,
        record: &Record,
        unchanged: usize,
    ) -> Result<(), CliError> {
        if let Some(added) = self.append(record, unchanged) {
            return added.map_err(|error| files::unwritable(&self.path, &error));
        }
        self.begin(named, record)
    }

    /// Adds what is new, if nothing else changed.
    fn append(&mut self, record: &Record, unchanged: usize) -> Option<io::Result<()>> {
        let (file, written) = self.open.as_mut().filter(|(_, written)| *written == unchanged)?;
        let new = record.lines[unchanged..].iter().flat_map(|line| [line.as_str(), "\n"]);
        *written = record.lines.len();
        let new: String = new.collect();
        Some(if new.is_empty() { Ok(()) } else { file.write_all(new.as_bytes()) })
    }
}

/// The journal of an unfinished game, in the folder of the program. Its file is locked while the
/// game is played, so that no other program plays it on.
#[derive(Debug)]
pub(super) struct Unfinished {
    journal: Journal,
    /// The locked file of a game that is played on, until it is written anew.
    resumed: Option<File>,
}

impl Unfinished {
    /// A journal at a place where none is yet.
    pub(super) fn new(path: PathBuf) -> Unfinished {
        Unfinished { journal: Journal::new(path), resumed: None }
    }

    /// The journal of a game that is played on; `None` where another program plays it.
    pub(super) fn resume(path: PathBuf) -> Result<Option<Unfinished>, CliError> {
        let file = File::open(&path).map_err(|error| files::unreadable(&path, &error))?;
        let locked = !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        let resumed = Some(file);
        Ok(locked.then(|| Unfinished { journal: Journal::new(path), resumed }))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.journal.path
    }

    /// Keeps the game, or removes what was kept once it is over.
    pub(super) fn keep(
        &mut self,
        named: &Named,
        record: &Record,
        unchanged: usize,
    ) -> Result<(), CliError> {
        let path = self.journal.path.clone();
        if record.over {
            self.journal.open = None;
            return match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(files::unwritable(&path, &error))
                }
                _ => Ok(()),
            };
        }
        if !record.begun && self.journal.open.is_none() {
            return Ok(());
        }
        if let Some(added) = self.journal.append(record, unchanged) {
            return added.map_err(|error| files::unwritable(&path, &error));
        }
        self.replace(named, record).map_err(|error| files::unwritable(&path, &error))
    }

    /// Writes the game beside the old file and puts it in its place, so that one of the two is
    /// always whole.
    fn replace(&mut self, named: &Named, record: &Record) -> io::Result<()> {
        let path = &self.journal.path;
        let beside = path.with_extension("new");
        let mut file = state::secret_file(&beside)?;
        // Where a file system knows no locks the game is kept all the same.
        let _ = file.try_lock();
        file.write_all(record.script(named.anywhere()).as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        self.journal.open = Some((file, record.lines.len()));
        self.resumed = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{Journal, Named, Unfinished};
    use crate::cli::files::Found;
    use crate::session::Record;

    /// A folder of one test, which is removed with it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Folder {
            let name = format!("astragal-{test}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&path);
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

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
        let folder = Folder::new("journal");
        let path = folder.0.join("deep").join("a.script");
        let mut journal = Unfinished::new(path.clone());
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
        let folder = Folder::new("rights");
        fs::create_dir_all(&folder.0).unwrap();
        let path = folder.0.join("a.script");
        fs::write(path.with_extension("new"), "of a program that was killed").unwrap();
        let (names, lines) = (words(&["Ann", "Ben"]), words(&["a"]));
        let mut journal = Unfinished::new(path.clone());
        journal.keep(&named(), &record(&names, &lines, false), 0).unwrap();
        let rights = |path: &PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((rights(&path), rights(&folder.0)), (0o600, 0o700));
    }

    #[test]
    fn a_game_is_played_on_by_one_program_at_a_time() {
        let folder = Folder::new("lock");
        let path = folder.0.join("a.script");
        let (names, lines) = (words(&["Ann", "Ben"]), words(&["a"]));
        let mut first = Unfinished::new(path.clone());
        first.keep(&named(), &record(&names, &lines, false), 0).unwrap();
        assert!(Unfinished::resume(path.clone()).unwrap().is_none());
        drop(first);
        let mut second = Unfinished::resume(path.clone()).unwrap().unwrap();
        assert!(Unfinished::resume(path.clone()).unwrap().is_none());
        second.keep(&named(), &record(&names, &lines, false), 0).unwrap();
        assert!(Unfinished::resume(path.clone()).unwrap().is_none());
        drop(second);
        assert!(Unfinished::resume(path).unwrap().is_some());
    }

    #[test]
    fn a_recording_stays_at_the_end() {
        let folder = Folder::new("recording");
        fs::create_dir_all(&folder.0).unwrap();
        let path = folder.0.join("a.script");
        let mut journal = Journal::new(path.clone());
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
        assert!(Unfinished::new(nowhere.clone()).keep(&named(), &record, 0).is_err());
        assert!(Journal::new(nowhere).keep(&named(), &record, 0).is_err());
    }
}
