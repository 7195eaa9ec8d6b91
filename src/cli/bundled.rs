//! The games inside the program.

use std::{fs, path::Path};

use super::args::Games;
use super::error::CliError;
use super::files;
use super::screen::{Exit, Failure, Screen};
use super::writing::{self, Form, Overwrite};
use crate::load::{BUNDLED, Folder, NamedText, Opened};
use crate::pipeline;
use crate::source::Sources;
use crate::suggest::nearest;
use crate::syntax::ast::ItemKind;

/// Paths from the root of the project, and texts.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bundled {
    /// What the command line calls it: `name`, or `base/variant`.
    pub(super) name: String,
    pub(super) text: &'static str,
    path: &'static str,
}

impl Bundled {
    /// The file as it is opened, with those beside it.
    pub(super) fn opened<'a>(&'a self, folder: &'a Inside) -> Opened<'a> {
        Opened { name: &self.path[folder.0.len()..], text: self.text, folder }
    }

    /// Its own file first, then those that it reads: paths from its folder, and texts.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let mut sources = Sources::default();
        pipeline::check_once(&mut sources, &self.opened(&self.folder()));
        sources.iter().map(|source| (source.name.clone(), source.text.clone())).collect()
    }

    pub(super) fn folder(&self) -> Inside {
        let end = self.path.rfind('/').map_or(0, |at| at + 1);
        Inside(&self.path[..end])
    }
}

/// A folder inside the program: what the paths of its files begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inside(&'static str);

impl Folder for Inside {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        if let Some(path) = path.strip_prefix(BUNDLED) {
            return read(path);
        }
        let whole = format!("{}{path}", self.0);
        let found = FILES.iter().find(|(path, _)| *path == whole);
        let (_, text) = found.ok_or("it is not inside the program")?;
        Ok(NamedText { name: path.to_owned(), text: (*text).to_owned() })
    }
}

/// A file of a bundled game, by the name of the game and the path from its folder.
pub(super) fn read(path: &str) -> Result<NamedText, String> {
    let (game, file) = path.split_once('/').unwrap_or((path, ""));
    let places = [format!("games/{path}"), format!("examples/{file}")];
    let found = FILES.iter().find(|(path, _)| places.iter().any(|place| place == path));
    let found = found.map(|(path, text)| NamedText {
        name: format!("{path} (bundled)"),
        text: (*text).to_owned(),
    });
    found.ok_or_else(|| match nearest(game, games().iter().map(|game| game.name.as_str())) {
        Some(near) if near != game => format!("no bundled game; did you mean `{near}`?"),
        _ => "no bundled game has this name".to_owned(),
    })
}

pub(super) fn games() -> Vec<Bundled> {
    let named =
        FILES.iter().filter_map(|(path, text)| Some(Bundled { name: name(path)?, text, path }));
    let mut games: Vec<Bundled> = named.collect();
    games.sort_by(|a, b| a.name.cmp(&b.name));
    games
}

pub(super) fn find(name: &str) -> Option<Bundled> {
    games().into_iter().find(|game| game.name == name)
}

pub(super) fn unknown(word: &str) -> CliError {
    let games = games();
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
    CliError::UnknownGame { name: word.to_owned(), help }
}

/// The name of a game by its path: a finished game has a folder of its own name, its variants
/// stand beside it; files further down are only read by others.
fn name(path: &str) -> Option<String> {
    let path = path.strip_suffix(".game")?;
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["games", folder, file] if folder == file => Some((*folder).to_owned()),
        ["games", folder, file] => Some(format!("{folder}/{file}")),
        ["examples", file] => Some((*file).to_owned()),
        _ => None,
    }
}

pub(super) fn games_command(command: &Games, screen: &mut Screen) -> Result<Exit, Failure> {
    match command.write.as_slice() {
        [game, folder] => write(game, Path::new(folder), &Overwrite::flag(command.force), screen),
        _ => list(screen),
    }
}

/// Writes the files of a bundled game into a folder; none of them if one may not be replaced.
fn write(
    name: &str,
    folder: &Path,
    overwrite: &Overwrite,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    const NEW: Form = Form { called: "empty", is: str::is_empty };
    let game = find(name).ok_or_else(|| unknown(name))?;
    let files: Vec<_> =
        game.files().into_iter().map(|(file, text)| (folder.join(file), text)).collect();
    for (path, _) in &files {
        let inside = path.parent().map_or(Ok(()), fs::create_dir_all);
        inside.map_err(|error| files::unwritable(path, &error))?;
        writing::check(path, NEW, overwrite)?;
    }
    for (path, text) in &files {
        writing::write(path, text, NEW, overwrite)?;
        screen.line(&path.display().to_string())?;
    }
    Ok(Exit::Fine)
}

/// Lists the bundled games: name, how many play, title and the first line of the note.
pub(super) fn list(screen: &mut Screen) -> Result<Exit, Failure> {
    let games = games();
    let width = games.iter().map(|game| game.name.chars().count()).max().unwrap_or(0);
    for game in &games {
        let checked = pipeline::check_once(&mut Sources::default(), &game.opened(&game.folder()));
        let facts = checked.rules.map_or_else(
            || "(has errors)".to_owned(),
            |ruleset| {
                let rules = &ruleset.rules;
                let players = match rules.players {
                    (fewest, most) if fewest == most => fewest.to_string(),
                    (fewest, most) => format!("{fewest}-{most}"),
                };
                let mut items = checked.ast.items.iter();
                let declared = items.find(|item| matches!(item.kind, ItemKind::Game(_)));
                let note = declared.and_then(|item| item.notes.first());
                let note = note.map_or_else(String::new, |note| format!(": {note}"));
                format!("{players:>4} players  {}{note}", rules.title)
            },
        );
        screen.line(&format!("{:width$}  {facts}", game.name))?;
    }
    Ok(Exit::Fine)
}
