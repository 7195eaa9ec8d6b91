//! The folder in which the program keeps what people may want back: games, typed lines.

use std::path::{Path, PathBuf};
use std::{env, fs, io, time::SystemTime};

use super::writing::Out;

/// How many unfinished games of each name are kept.
const MOST_KEPT: usize = 20;

/// Why nothing is kept where there is no such folder.
pub(super) const NOWHERE: &str =
    "neither `XDG_STATE_HOME` nor `HOME` names a folder to keep games in";

/// The folder: below `XDG_STATE_HOME`, else where the system keeps such things.
pub(super) fn folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_STATE_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .or_else(|| set("HOME").map(|home| home.join(".local").join("state")));
    base.map(|base| base.join("astragal"))
}

/// A new file for a game; its name says which game, when and by whom it is written.
pub(super) fn new_journal(game: &str) -> Option<PathBuf> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let file = format!("{}.{}-{}.script", stem(game), now.as_millis(), std::process::id());
    Some(journals()?.join(file))
}

/// The unfinished games that were kept under this name, or under any, the newest first.
pub(super) fn kept(game: Option<&str>) -> Vec<PathBuf> {
    let Some(Ok(entries)) = journals().map(fs::read_dir) else { return Vec::new() };
    let begins = game.map(|game| format!("{}.", stem(game)));
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?;
            let fits = name.ends_with(".script")
                && begins.as_ref().is_none_or(|begins| name.starts_with(begins.as_str()));
            let changed = fs::metadata(&path).and_then(|data| data.modified());
            fits.then_some((changed.unwrap_or(SystemTime::UNIX_EPOCH), path))
        })
        .collect();
    files.sort();
    files.into_iter().rev().map(|(_, path)| path).collect()
}

/// Removes the oldest of the games that were kept under this name, if there are too many.
pub(super) fn prune(game: &str) {
    // Somebody may sit for days at a game that is old; whoever plays it holds its journal.
    let left = kept(Some(game)).into_iter().filter_map(|path| Out::take(&path).ok().flatten());
    for mut old in left.skip(MOST_KEPT) {
        // What cannot be removed stays; it is only old.
        let _ = old.remove();
    }
}

/// Makes a folder that only whoever plays may read: a game holds what its players hide.
pub(super) fn secret_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // Elsewhere the folders of people are closed to others anyway.
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

fn journals() -> Option<PathBuf> {
    Some(folder()?.join("games"))
}

/// The name of a game as a part of a file name: of a path, the file without its ending.
fn stem(game: &str) -> String {
    let word = game.strip_suffix(".game").map_or(game, |path| {
        Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
    });
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '-' };
    word.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn games_become_parts_of_file_names() {
        assert_eq!(stem("pairs"), "pairs");
        assert_eq!(stem("pairs/long"), "pairs-long");
        assert_eq!(stem("/home/ann/my games/pairs.game"), "pairs");
    }
}
