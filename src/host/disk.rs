//! Reads files and standard input as text; errors of the operating system in words, relative paths.

use crate::host::error::HostError;
use std::io::{BufRead as _, Read};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// Files that are longer are not read to their end.
pub(crate) const MOST_BYTES: usize = 16 << 20;

/// What the command line calls standard input.
const STREAM: &str = "-";

/// The mark of the byte order.
const MARK: &[u8] = b"\xef\xbb\xbf";

pub(crate) fn read_text(path: &Path) -> Result<String, HostError> {
    let shown = path.display().to_string();
    if path.is_dir() {
        return Err(HostError::Folder { path: shown });
    }
    text_of(&shown, read_bytes(path)?)
}

pub(crate) fn is_input(path: &Path) -> bool {
    path == Path::new(STREAM)
}

pub(crate) fn display_path(path: &Path) -> String {
    if is_input(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Bytes as text; `name` is what they are called.
fn text_of(name: &str, mut bytes: Vec<u8>) -> Result<String, HostError> {
    if bytes.len() > MOST_BYTES {
        return Err(HostError::TooLarge { path: name.to_owned(), most: MOST_BYTES });
    }
    // A mark of the byte order at the beginning belongs to the file, not to its text.
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        HostError::NotText { path: name.to_owned(), at }
    })
}

/// Reads a file up to one byte beyond the limit: a device or a pipe may never end.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, HostError> {
    if path.exists() && !path.is_file() {
        let reason = "it is no file, but a device or a pipe".to_owned();
        return Err(HostError::Unreadable { path: path.display().to_string(), reason });
    }
    fs::File::open(path).and_then(up_to_most).map_err(|error| unreadable(path, &error))
}

pub(crate) fn read_input() -> Result<String, HostError> {
    let name = display_path(Path::new(STREAM));
    let bytes = up_to_most(io::stdin().lock());
    text_of(&name, bytes.map_err(|error| unreadable(Path::new(&name), &error))?)
}

/// The next line of standard input, without the spaces around it; none at the end.
pub(crate) fn read_line() -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let length = io::stdin().lock().read_until(b'\n', &mut bytes)?;
    Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
}

fn up_to_most(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes the folder of a file, one that nobody else may read: a game holds what its players hide.
pub(crate) fn make_private_folder(file: &Path) -> Result<(), HostError> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let made = fs::create_dir_all(folder);
    // Elsewhere the folders of people are closed to others anyway.
    #[cfg(unix)]
    let made = made.and_then(|()| {
        fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))
    });
    made.map_err(|error| unwritable(file, &error))
}

pub(crate) fn unreadable(path: &Path, error: &io::Error) -> HostError {
    HostError::Unreadable { path: path.display().to_string(), reason: reason(error) }
}

pub(crate) fn unwritable(path: &Path, error: &io::Error) -> HostError {
    HostError::Unwritable { path: path.display().to_string(), reason: reason(error) }
}

/// What the operating system says, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}

/// The path of a file, seen from a folder; both must exist. Falls back to the path as it is.
pub(crate) fn relative(file: &Path, folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(file_full), Ok(folder)) = (file.canonicalize(), folder.canonicalize()) else {
        return file.to_owned();
    };
    let (to, from): (Vec<Component>, Vec<Component>) =
        (file_full.components().collect(), folder.components().collect());
    let common = to.iter().zip(&from).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return file_full;
    }
    let up = from[common..].iter().map(|_| Component::ParentDir);
    up.chain(to[common..].iter().copied()).collect()
}
