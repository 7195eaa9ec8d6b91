//! Addresses of files, as editors write them, their paths, and the files that an open file names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::Uri;

use crate::cli::files;
use crate::load::{Folder, NamedText};

pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    let path = decoded(path)?;
    // `/C:/games` is written for `C:/games`.
    let drive = path.get(2..3) == Some(":") && path.starts_with('/');
    Some(PathBuf::from(if drive { &path[1..] } else { &path }))
}

pub(super) fn address_of(path: &Path) -> Option<Uri> {
    let path = path.to_string_lossy().replace('\\', "/");
    let begin = if path.starts_with('/') { "file://" } else { "file:///" };
    let mut address = begin.to_owned();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte) {
            address.push(char::from(byte));
        } else {
            address.extend([format!("%{byte:02X}")]);
        }
    }
    address.parse().ok()
}

/// A text with its `%C3` taken for bytes.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?].map(|digit| char::from(digit).to_digit(16));
        let [Some(high), Some(low)] = digits else { return None };
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// The folder of an open file, whose files lie in the editor, if they are open too, or on the disk.
#[derive(Clone, Debug)]
pub(super) struct FileLookup {
    pub(super) folder: Option<PathBuf>,
    /// The texts of all files that are open.
    pub(super) open: BTreeMap<PathBuf, String>,
}

impl Folder for FileLookup {
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{address_of, path_of};

    #[test]
    fn paths_and_addresses_lead_to_each_other() {
        for path in ["/games/a b.game", "/spiele/für 2/ä.game", "/a%20b/c#d.game"] {
            let address = address_of(Path::new(path)).expect("every path has an address");
            assert_eq!(path_of(&address).as_deref(), Some(Path::new(path)), "{address:?}");
        }
        let drive = "file:///C%3A/games/a.game".parse().expect("it is an address");
        assert_eq!(path_of(&drive).as_deref(), Some(Path::new("C:/games/a.game")));
    }

    #[test]
    fn what_is_no_file_has_no_path() {
        for address in ["untitled:Untitled-1", "https://example.org/a.game", "file:///a%FF.game"] {
            let address = address.parse().expect("it is an address");
            assert_eq!(path_of(&address), None, "{address:?}");
        }
    }
}
