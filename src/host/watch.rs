//! Files that are being written while the program runs.
//!
//! Texts are compared, not times: editors write files in many ways, and a file that is saved
//! without a change is no news.

use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, thread, time::Duration};

use crate::host::{disk, game_files::FoundText};
use crate::source::Sources;

const PAUSE: Duration = Duration::from_millis(250);

/// Files, as they were when they were last read.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedFiles(Vec<(PathBuf, String)>);

impl WatchedFiles {
    /// The texts of a game that are files. Those inside of the program only have names like files.
    pub(crate) fn from_game(game: &FoundText, sources: &Sources) -> WatchedFiles {
        if game.path.is_none() { WatchedFiles::default() } else { WatchedFiles::files(sources) }
    }

    fn files(sources: &Sources) -> WatchedFiles {
        let files = sources.iter().map(|source| (PathBuf::from(&source.name), source.text.clone()));
        WatchedFiles(files.filter(|(path, _)| path.is_file()).collect())
    }

    /// Adds the texts of another load; where there are none, a file that cannot be read yet.
    pub(crate) fn add_sources(&mut self, sources: &Sources, named: &Path) {
        let WatchedFiles(files) = WatchedFiles::files(sources);
        if files.is_empty() {
            self.0.push((named.to_owned(), String::new()));
        }
        self.0.extend(files);
    }

    /// Looks at these files from now on, and at no others; a change is a text other than this.
    pub(crate) fn look_at(&mut self, files: BTreeMap<PathBuf, String>) {
        self.0 = files.into_iter().collect();
    }

    /// The files that have changed since the last call. One that cannot be read is being
    /// written.
    pub(crate) fn changed(&mut self) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        for (path, text) in &mut self.0 {
            if let Ok(now) = disk::read_text(path)
                && now != *text
            {
                *text = now;
                changed.push(path.clone());
            }
        }
        changed
    }

    pub(crate) fn wait_for_changes(&mut self) -> Vec<PathBuf> {
        loop {
            thread::sleep(PAUSE);
            let changed = self.changed();
            if !changed.is_empty() {
                return changed;
            }
        }
    }

    pub(crate) fn wait_for_one(&mut self) -> String {
        self.wait_for_changes()[0].display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::WatchedFiles;
    use crate::source::Sources;

    #[test]
    fn a_change_is_seen_once() {
        let path = std::env::temp_dir().join(format!("astragal-watch-{}.game", std::process::id()));
        fs::write(&path, "one").expect("the folder of temporary files can be written");
        let mut sources = Sources::default();
        sources.add(path.display().to_string(), "one");
        sources.add("no such file", "two");
        let mut watched = WatchedFiles::files(&sources);
        assert!(watched.changed().is_empty());
        fs::write(&path, "two").expect("it can be written again");
        assert_eq!(watched.changed(), std::slice::from_ref(&path));
        assert!(watched.changed().is_empty());
        fs::remove_file(&path).expect("it is there");
        assert!(watched.changed().is_empty());
    }
}
