//! Games as texts: found by a word, or sent as one value.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::host::disk::{read_text, reason, relative};
use crate::host::error::HostError;
use crate::load::bundled::{Bundled, Inside, bundled_games, find_bundled, read_bundled};
use crate::load::{BUNDLED, Folder, NamedText, OpenedFile};
use crate::pipeline;
use crate::rulebook::authored;
use crate::source::Sources;
use crate::suggest::nearest;

pub(crate) fn unknown_game(word: &str) -> HostError {
    let games = bundled_games();
    let names = || games.iter().map(|game| game.name.as_str());
    let finished: Vec<&str> = names().filter(|name| !name.contains('/')).collect();
    let all = match finished.as_slice() {
        [] => "give the path of a `.game` file".to_owned(),
        names => format!("give the path of a `.game` file, or one of {}", names.join(", ")),
    };
    let help = match nearest(word, names()) {
        Some(near) => format!("did you mean `{near}`? Else {all}"),
        None => all,
    };
    HostError::UnknownGame { name: word.to_owned(), help }
}

/// A text of a game, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundText {
    /// How a command or a script names the game.
    pub(crate) word: String,
    pub(crate) name: String,
    pub(crate) text: String,
    /// Its file; none if it is bundled.
    pub(crate) path: Option<PathBuf>,
    folder: GameLocation,
}

impl FoundText {
    /// The game as a script in this folder names it.
    pub(crate) fn seen_from(&self, folder: &Path) -> String {
        let Some(path) = &self.path else { return self.word.clone() };
        relative(path, folder).display().to_string().replace('\\', "/")
    }

    /// The game as any script can name it: its whole path.
    pub(crate) fn anywhere(&self) -> String {
        let Some(path) = &self.path else { return self.word.clone() };
        let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
        whole.display().to_string().replace('\\', "/")
    }

    /// A file that is called like this game, where it was found inside of the program.
    pub(crate) fn namesake(&self) -> Option<&str> {
        (self.path.is_none() && Path::new(&self.name).is_file()).then_some(self.name.as_str())
    }

    /// A file that lies beside the game inside of the program.
    pub(crate) fn read_inside(&self, path: &str) -> Option<String> {
        let GameLocation::Inside(folder) = &self.folder else { return None };
        folder.read(path).ok().map(|file| file.text)
    }

    /// The file as it is opened, with the folder that it lies in.
    pub(crate) fn as_opened(&self) -> OpenedFile<'_> {
        OpenedFile { name: &self.name, text: &self.text, folder: &self.folder }
    }
}

/// Where a game lies, and the files that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum GameLocation {
    Inside(Inside),
    Disk(PathBuf),
    /// Paths, names and texts.
    Given(Vec<(String, String, String)>),
}

impl Folder for GameLocation {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let folder = match self {
            GameLocation::Inside(folder) => return folder.read(path),
            GameLocation::Given(files) => {
                let (_, name, text) =
                    files.iter().find(|(it, ..)| it == path).ok_or("it is not given")?;
                return Ok(NamedText { name: name.clone(), text: text.clone() });
            }
            GameLocation::Disk(_) if path.starts_with(BUNDLED) => {
                return read_bundled(&path[BUNDLED.len()..]);
            }
            GameLocation::Disk(folder) => folder,
        };
        let file = folder.join(path);
        let whole = |path: &Path| path.canonicalize().map_err(|error| reason(&error));
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // A link may lead anywhere.
        if !whole(&file)?.starts_with(whole(here)?) {
            return Err("it lies outside of the folder of the file that was opened".to_owned());
        }
        let text = read_text(&file).map_err(|error| match error {
            HostError::Unreadable { reason, .. } => reason,
            other => other.to_string(),
        })?;
        Ok(NamedText { name: file.display().to_string(), text })
    }
}

pub(crate) fn disk_folder(folder: &Path) -> impl Folder {
    GameLocation::Disk(folder.to_owned())
}

/// Reads a file of rules: one that is a script by its name and by its text is none.
fn read_rules(path: &Path) -> Result<String, HostError> {
    let text = read_text(path)?;
    if path.extension() == Some(OsStr::new("script")) && first_line(&text) != Some(TextForm::Rules)
    {
        return Err(HostError::IsScript { path: path.display().to_string() });
    }
    Ok(text)
}

/// What a text is, as far as its first line says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    Rules,
    Script,
}

/// What the first line that is no comment says: `game "Pairs" {` begins rules, `game pairs` a script.
pub(crate) fn first_line(text: &str) -> Option<TextForm> {
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (word, behind) = lines.next()?.split_once(' ')?;
    match word {
        "game" | "variant" if behind.contains(['"', '{']) => Some(TextForm::Rules),
        "game" => Some(TextForm::Script),
        _ => None,
    }
}

/// Finds a game as a command names it.
pub(crate) fn find_here(word: &str) -> Result<FoundText, HostError> {
    find_game(word, Path::new(""))
}

/// Finds a game by its bundled name, or else by a path from `base`.
pub(crate) fn find_game(word: &str, base: &Path) -> Result<FoundText, HostError> {
    if let Some(game) = find_bundled(word) {
        let name = format!("{word}.game");
        let folder = GameLocation::Inside(game.folder());
        let (word, text) = (word.to_owned(), game.text.to_owned());
        return Ok(FoundText { word, name, text, path: None, folder });
    }
    let path = base.join(word);
    if !path.exists() && path.extension() != Some(OsStr::new("game")) {
        return Err(unknown_game(word));
    }
    let text = read_rules(&path)?;
    let folder = GameLocation::Disk(path.parent().unwrap_or(Path::new("")).to_owned());
    let (word, name) = (word.to_owned(), path.display().to_string());
    Ok(FoundText { word, name, text, path: Some(path), folder })
}

/// A line for each bundled variant of a bundled game; none for others.
pub(crate) fn describe_variants(found: &FoundText) -> Vec<String> {
    if found.path.is_some() {
        return Vec::new();
    }
    let of_game =
        |it: &Bundled| it.name.strip_prefix(&found.word).is_some_and(|it| it.starts_with('/'));
    let variants = bundled_games().into_iter().filter(of_game).filter_map(|it| {
        let checked =
            pipeline::check_without_compiling(&mut Sources::default(), &it.to_opened(&it.folder()));
        let rules = checked.rules?.rules;
        let note = authored(rules.notes.first().map_or("", String::as_str));
        let title = authored(&rules.title);
        Some(format!("**{title}** (`{}`). {note}", it.name).trim_end().to_owned())
    });
    variants.collect()
}

/// All files of a game, as they were when it was found. They serialise, so the same game can be
/// opened on a machine that has none of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFiles {
    pub(crate) word: String,
    pub(crate) name: String,
    pub(crate) text: String,
    /// The files that it uses: path from its folder, name in messages, text.
    pub(crate) used: Vec<(String, String, String)>,
}

impl GameFiles {
    /// The word by which it was found.
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The files as JSON, which [`GameFiles::from_json`] reads.
    ///
    /// # Panics
    /// Never: texts are JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts are JSON")
    }

    /// Reads what [`GameFiles::to_json`] wrote; none if it did not write this.
    pub fn from_json(text: &str) -> Option<GameFiles> {
        serde_json::from_str(text).ok()
    }

    pub(crate) fn to_found_text(&self) -> FoundText {
        FoundText {
            word: self.word.clone(),
            name: self.name.clone(),
            text: self.text.clone(),
            path: None,
            folder: GameLocation::Given(self.used.clone()),
        }
    }
}
