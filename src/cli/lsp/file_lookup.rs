//! Where the files lie that an open file names: in the editor, if they are open too, or on the disk.

use std::{collections::BTreeMap, path::PathBuf};

use crate::cli::files;
use crate::load::{Folder, NamedText};

/// The folder of an open file.
#[derive(Clone, Debug, Default)]
pub(super) struct Shelf {
    pub(super) folder: Option<PathBuf>,
    /// The texts of all files that are open.
    pub(super) open: BTreeMap<PathBuf, String>,
}

impl Folder for Shelf {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let Some(folder) = &self.folder else {
            return Err("this file was not saved yet, so it lies in no folder".to_owned());
        };
        let file = folder.join(path);
        match self.open.get(&file) {
            Some(text) => Ok(NamedText { name: file.display().to_string(), text: text.clone() }),
            None => files::beside(folder).read(path),
        }
    }
}
