//! The games inside the program: their texts, names and folders.

use crate::load::{BUNDLED, Folder, NamedText, OpenedFile, assemble};
use crate::source::Sources;
use crate::suggest::nearest;

/// Paths from the root of the project, and texts.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bundled {
    /// What the command line calls it: `name`, or `base/variant`.
    pub(crate) name: String,
    pub(crate) text: &'static str,
    path: &'static str,
}

impl Bundled {
    /// Returns the file as it is opened, with those beside it.
    pub(crate) fn to_opened<'a>(&'a self, folder: &'a Inside) -> OpenedFile<'a> {
        OpenedFile { name: &self.path[folder.0.len()..], text: self.text, folder }
    }

    /// Returns its own file first, then those that it reads: paths from its folder, and texts.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        let mut sources = Sources::default();
        assemble(&mut sources, &self.to_opened(&self.folder()));
        sources.iter().map(|source| (source.name.clone(), source.text.clone())).collect()
    }

    pub(crate) fn folder(&self) -> Inside {
        let end = self.path.rfind('/').map_or(0, |at| at + 1);
        Inside(&self.path[..end])
    }

    pub(crate) fn game_title(&self) -> &'static str {
        let head = |line: &&str| line.starts_with("game \"") || line.starts_with("variant \"");
        let line = self.text.lines().find(head);
        line.and_then(|line| line.split('"').nth(1)).unwrap_or_default()
    }
}

/// A folder inside the program: what the paths of its files begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inside(&'static str);

impl Folder for Inside {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        if let Some(path) = path.strip_prefix(BUNDLED) {
            return read_bundled(path);
        }
        let whole = format!("{}{path}", self.0);
        let found = FILES.iter().find(|(path, _)| *path == whole);
        let (_, text) = found.ok_or("it is not inside the program")?;
        Ok(NamedText { name: path.to_owned(), text: (*text).to_owned() })
    }
}

/// Returns a file of a bundled game, by the name of the game and the path from its folder, if there is one.
pub(crate) fn read_bundled(path: &str) -> Result<NamedText, String> {
    let (game, file) = path.split_once('/').unwrap_or((path, ""));
    let places = [format!("games/{path}"), format!("examples/{file}")];
    let found = FILES.iter().find(|(path, _)| places.iter().any(|place| place == path));
    let found = found.map(|(path, text)| NamedText {
        name: format!("{path} (bundled)"),
        text: (*text).to_owned(),
    });
    found.ok_or_else(|| {
        match nearest(game, bundled_games().iter().map(|game| game.name.as_str())) {
            Some(near) if near != game => format!("no bundled game; did you mean `{near}`?"),
            _ => "no bundled game has this name".to_owned(),
        }
    })
}

/// Returns all of them, in the order of their names.
pub(crate) fn bundled_games() -> Vec<Bundled> {
    let named = FILES
        .iter()
        .filter_map(|(path, text)| Some(Bundled { name: game_name(path)?, text, path }));
    let mut games: Vec<Bundled> = named.collect();
    games.sort_by(|a, b| a.name.cmp(&b.name));
    games
}

pub(crate) fn find_bundled(name: &str) -> Option<Bundled> {
    bundled_games().into_iter().find(|game| game.name == name)
}

/// The name of a game by its path: a finished game has a folder of its own name, its variants
/// stand beside it; files further down are only read by others.
fn game_name(path: &str) -> Option<String> {
    let path = path.strip_suffix(".game")?;
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["games", folder, file] if folder == file => Some((*folder).to_owned()),
        ["games", folder, file] => Some(format!("{folder}/{file}")),
        ["examples", file] => Some((*file).to_owned()),
        _ => None,
    }
}
