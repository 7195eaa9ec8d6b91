//! From words to texts and loaded games.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::game::Game;
use crate::host::disk::{MOST_BYTES, read_text, unreadable};
use crate::host::exit::{Exit, Failure};
use crate::host::game_files::{FoundText, TextForm, disk_folder, find_game, first_line};
use crate::host::{error::HostError, screen::Screen};
use crate::load::bundled::find_bundled;
use crate::load::{Folder as _, NamedText};
use crate::pipeline::{self, GameOptions, how_many};
use crate::source::{Source, Sources};
use crate::transcript::{self, Script};

/// Reads a script: neither the name of a game inside of the program nor a file of rules is one.
pub(crate) fn read_script(path: &Path) -> Result<String, HostError> {
    let is_game = || HostError::IsGame { path: path.display().to_string() };
    let text = match read_text(path) {
        Err(_) if !path.exists() && path.to_str().and_then(find_bundled).is_some() => {
            return Err(is_game());
        }
        read => read?,
    };
    match first_line(&text) {
        Some(TextForm::Rules) => Err(is_game()),
        None if path.extension() == Some(OsStr::new("game")) => Err(is_game()),
        _ => Ok(text),
    }
}

/// The games and scripts in a folder and in those below it, in the order of their names. Hidden
/// folders are left out, and links to folders, which may lead round in a circle.
pub(crate) fn list_game_files(folder: &Path) -> Result<Vec<PathBuf>, HostError> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(|error| unreadable(folder, &error))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !hidden {
                files.extend(list_game_files(&path)?);
            }
        } else if path.extension().is_some_and(|it| it == "game" || it == "script")
            && path.is_file()
        {
            // What lies here is called by its name alone.
            files.push(path.strip_prefix(".").map(Path::to_owned).unwrap_or(path));
        }
    }
    Ok(files)
}

/// Whether a text is a script, by its first line or else by its name.
pub(crate) fn is_script(path: &Path, text: &str) -> bool {
    match first_line(text) {
        Some(form) => form == TextForm::Script,
        None => path.extension() == Some(OsStr::new("script")),
    }
}

/// Whether a text is a game, and neither a script nor a file that only other games use.
pub(crate) fn is_game(text: &str) -> bool {
    first_line(text) == Some(TextForm::Rules)
}

/// Reads a script with the files that it includes, which lie in its folder or below, and adds them.
pub(crate) fn script(
    source: &Source,
    sources: &mut Sources,
    folder: &Path,
) -> Result<Script, Diagnostics> {
    let mut script = transcript::parse(source)?;
    let here = disk_folder(folder);
    transcript::include(&mut script, source, |path| {
        let NamedText { name, text } = here.read(path)?;
        let length = sources.iter().map(|source| source.text.len() + 1).sum::<usize>();
        if length + text.len() > MOST_BYTES {
            return Err("the files are too long together".to_owned());
        }
        Ok(sources.add(name, text).clone())
    })?;
    Ok(script)
}

/// The game that a script names, seen from a folder. An unusable game is the fault of the
/// script, not a wrong use of the command.
pub(crate) fn game_of(script: &Script, folder: &Path) -> Result<FoundText, Diagnostics> {
    let words = script.game().expect("a script that was read names its game");
    let named_here = |error| Diagnostic::from(error).with_label(words.span, "named here");
    find_game(&words.text, folder).map_err(|error| Diagnostics::of(named_here(error)))
}

/// What somebody asks for at a table: how many play, what they are called, and values of options.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableSetup {
    pub(crate) players: Option<usize>,
    pub(crate) names: Vec<String>,
    pub(crate) options: Vec<(String, String)>,
}

pub(crate) fn open_game(
    word: &str,
    table: &TableSetup,
    screen: &mut Screen,
) -> Result<(FoundText, Game), Failure> {
    let found = screen.find_game(word)?;
    screen.note_namesake(&found)?;
    let game = load_game(&found, table, Sources::default())?;
    Ok((found, game))
}

/// Checks and compiles a game for one setting, and names its players.
pub(crate) fn load_game(
    found: &FoundText,
    table: &TableSetup,
    mut sources: Sources,
) -> Result<Game, Failure> {
    let names: Vec<String> = table.names.iter().map(|name| transcript::fold_case(name)).collect();
    let players = count_players(table.players, &names)?;
    // What is wrong with other settings is for `check` to find.
    let checked = pipeline::check_without_compiling(&mut sources, &found.as_opened());
    let Some(rules) = checked.rules else {
        return Err(refuse_findings(&sources, checked.diagnostics));
    };
    let mut counts = rules.rules.player_counts();
    if !names.is_empty() && !counts.any(|count| count == names.len()) {
        let (names, players) = (names.len(), how_many(rules.rules.player_counts()));
        return Err(HostError::Names { names, players }.into());
    }
    let setting = GameOptions { players, options: table.options.clone() };
    let game =
        pipeline::load(&rules, &setting).map_err(|found| refuse_findings(&sources, found))?;
    Ok(if names.is_empty() { game } else { game.with_names(names) })
}

pub(crate) fn refuse_findings(sources: &Sources, diagnostics: Diagnostics) -> Failure {
    Failure::Findings { sources: sources.clone(), diagnostics, exit: Exit::No }
}

/// The number of players: given, or that of their names. An error for bad or equal names, or another number.
pub(crate) fn count_players(
    players: Option<usize>,
    names: &[String],
) -> Result<Option<usize>, HostError> {
    if names.is_empty() {
        return Ok(players);
    }
    let mut known = BTreeSet::new();
    for name in names {
        if !transcript::is_name(name) {
            return Err(HostError::BadName { name: name.clone() });
        } else if !known.insert(name) {
            return Err(HostError::SameName { name: name.clone() });
        }
    }
    match players {
        Some(players) if players != names.len() => {
            Err(HostError::Names { names: names.len(), players: how_many([players]) })
        }
        _ => Ok(Some(names.len())),
    }
}
