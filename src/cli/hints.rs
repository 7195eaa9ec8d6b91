//! Hints for beginners: each vanishes once its command was used.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::host::{disk, writing::OutputFile};
use crate::session::Hint;

/// The hints that were used, in the folder of the program where there is one.
#[derive(Debug, Default)]
pub(super) struct Hints {
    folder: Option<PathBuf>,
    used: BTreeSet<String>,
    shown: BTreeSet<Hint>,
}

impl Hints {
    pub(super) fn load_from(folder: Option<PathBuf>) -> Hints {
        let kept = folder.as_ref().and_then(|folder| disk::read_bytes(&folder.join(FILE)).ok());
        let kept = kept.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let used = kept.iter().flat_map(|text| text.lines().map(str::to_owned)).collect();
        Hints { folder, used, shown: BTreeSet::new() }
    }

    /// Whether a hint is still to be shown; each is shown once.
    pub(super) fn wants(&mut self, hint: Hint) -> bool {
        !self.used.contains(hint.word()) && self.shown.insert(hint)
    }

    /// Keeps that something was used. Where that cannot be kept, it is forgotten with the program.
    pub(super) fn mark_used(&mut self, hint: Hint) {
        let is_new = self.used.insert(hint.word().to_owned());
        let Some(folder) = self.folder.as_ref().filter(|_| is_new) else { return };
        let words: Vec<&str> = self.used.iter().map(String::as_str).collect();
        let text = words.join("\n") + "\n";
        let file = folder.join(FILE);
        let kept = disk::make_private_folder(&file).is_ok()
            && OutputFile::private(file).write_whole(&text).is_ok();
        if !kept {
            self.folder = None;
        }
    }
}

const FILE: &str = "hints.txt";
