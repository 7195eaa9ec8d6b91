//! Which scripts are meant: files, folders, patterns, standard input.

use std::path::{Path, PathBuf};
use std::{collections::BTreeSet, fmt};

use crate::cli::{args::Run, error::CliError, files};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Script {
    File(PathBuf),
    Input,
}

impl fmt::Display for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Script::File(path) => path.display().fmt(formatter),
            Script::Input => formatter.write_str("standard input"),
        }
    }
}

/// The scripts that the command names, each once; those in this folder and below if it names none.
pub(super) fn scripts(command: &Run) -> Result<Vec<Script>, CliError> {
    let mut found = Vec::new();
    if command.scripts.is_empty() {
        found.extend(in_folder(Path::new("."))?);
    }
    for word in &command.scripts {
        match word.to_str() {
            Some("-") => found.push(Script::Input),
            _ if word.is_dir() => found.extend(in_folder(word)?),
            Some(pattern) if pattern.contains(['*', '?', '[']) && !word.exists() => {
                found.extend(matching(pattern)?);
            }
            _ => found.push(Script::File(word.clone())),
        }
    }
    let wanted = |script: &Script| {
        let name = script.to_string();
        command.filter.as_ref().is_none_or(|text| name.contains(text))
    };
    let mut known = BTreeSet::new();
    found.retain(|script| wanted(script) && known.insert(script.clone()));
    if found.is_empty() {
        let words = command.scripts.iter().map(|word| format!("`{}`", word.display()));
        let place = words.collect::<Vec<_>>().join(", ");
        let place = if place.is_empty() { "this folder".to_owned() } else { place };
        return Err(CliError::NoScripts { place, filter: command.filter.clone() });
    }
    Ok(found)
}

fn in_folder(folder: &Path) -> Result<Vec<Script>, CliError> {
    Ok(files::below(folder)?.into_iter().filter(|path| is_script(path)).map(Script::File).collect())
}

/// The files that a pattern names, in the order of their names.
fn matching(pattern: &str) -> Result<Vec<Script>, CliError> {
    let bad = |reason: &str| CliError::Unreadable {
        path: pattern.to_owned(),
        reason: reason.to_owned(),
        span: None,
    };
    let paths = glob::glob(pattern).map_err(|error| bad(error.msg))?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| files::unreadable(error.path(), error.error()))?;
        if path.is_dir() {
            found.extend(in_folder(&path)?);
        } else if is_script(&path) {
            found.push(Script::File(path));
        }
    }
    Ok(found)
}

fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "script")
}
