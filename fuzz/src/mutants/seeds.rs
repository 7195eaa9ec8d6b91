//! The files that mutants are made of.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::draft::{Beside, Seed};

/// Where games are, seen from the folder of the project.
const FOLDERS: [&str; 7] = [
    "examples",
    "games",
    "src/commands/new",
    "tests/bytecode",
    "tests/differential/stops",
    "tests/games",
    "tests/layout",
];

/// All games of the project and of some other folders, by their paths; without those whose paths hold
/// one of some words.
pub fn seeds(root: &Path, others: &[PathBuf], without: &[String]) -> Vec<Seed> {
    let mut paths = Vec::new();
    FOLDERS.iter().for_each(|folder| walk(&root.join(folder), &mut paths));
    paths.sort();
    let mut more = Vec::new();
    others.iter().for_each(|folder| walk(folder, &mut more));
    more.sort();
    let seed = |path: PathBuf| {
        let name =
            path.strip_prefix(root).unwrap_or(&path).display().to_string().replace('\\', "/");
        let text = std::fs::read_to_string(&path).ok()?.replace("\r\n", "\n");
        let folder = Arc::new(Beside(path.parent()?.to_owned()));
        (!without.iter().any(|word| name.contains(word))).then_some(Seed { name, folder, text })
    };
    paths.into_iter().chain(more).filter_map(seed).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|it| it == "game") {
            found.push(path);
        }
    }
}
