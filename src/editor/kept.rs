//! The files that a file names, kept so that it can be read again with another text.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::load::{Folder, NamedText, Opened};

/// Texts of a folder, as they were when they were read.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    texts: BTreeMap<String, Result<NamedText, String>>,
}

impl Kept {
    /// Reads a file and keeps what it reads of others.
    pub(super) fn while_reading<T>(
        opened: &Opened<'_>,
        read: impl FnOnce(&Opened<'_>) -> T,
    ) -> (T, Kept) {
        let watched = Watched { folder: opened.folder, kept: RefCell::default() };
        let done = read(&Opened { folder: &watched, ..*opened });
        (done, watched.kept.into_inner())
    }
}

impl Kept {
    /// Whether no file was named.
    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

impl Folder for Kept {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let unread = || Err("it was not there when this file was read".to_owned());
        self.texts.get(path).cloned().unwrap_or_else(unread)
    }
}

/// A folder, and what was read of it.
struct Watched<'f> {
    folder: &'f dyn Folder,
    kept: RefCell<Kept>,
}

impl Folder for Watched<'_> {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let found = self.folder.read(path);
        self.kept.borrow_mut().texts.insert(path.to_owned(), found.clone());
        found
    }
}
