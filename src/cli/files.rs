//! From words of the command line to texts and loaded games.

use std::path::{Component, Path, PathBuf};
use std::{collections::BTreeSet, ffi::OsStr, fs, io, io::Read};

use super::screen::{CliFailure, Exit, Screen};
use super::{args::TableArgs, bundled, bundled::Inside, error::CliError, saves};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::game::{Game, State};
use crate::load::{BUNDLED, Folder, NamedText, OpenedFile};
use crate::pipeline::{self, GameOptions, how_many};
use crate::session::after;
use crate::source::{Source, Sources};
use crate::transcript::{self, Script};

/// Files that are longer are not read to their end.
pub(super) const MOST_BYTES: usize = 16 << 20;

/// What the command line calls standard input.
const STREAM: &str = "-";

const MARK: &[u8] = b"\xef\xbb\xbf";

/// A text of a game, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundText {
    pub(super) name: String,
    pub(super) text: String,
    /// Its file; none if it is bundled.
    pub(super) path: Option<PathBuf>,
    folder: GameLocation,
}

impl FoundText {
    /// A game whose files lie nowhere.
    pub(super) fn from_memory(
        name: String,
        text: String,
        used: Vec<(String, String, String)>,
    ) -> FoundText {
        FoundText { name, text, path: None, folder: GameLocation::Given(used) }
    }

    /// A file that is called like this game, where it was found inside of the program.
    pub(super) fn namesake(&self) -> Option<&str> {
        (self.path.is_none() && Path::new(&self.name).is_file()).then_some(self.name.as_str())
    }

    /// The file as it is opened, with the folder that it lies in.
    pub(super) fn as_opened(&self) -> OpenedFile<'_> {
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
                return bundled::read_bundled(&path[BUNDLED.len()..]);
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
            CliError::Unreadable { reason, .. } => reason,
            other => other.to_string(),
        })?;
        Ok(NamedText { name: file.display().to_string(), text })
    }
}

pub(super) fn disk_folder(folder: &Path) -> impl Folder {
    GameLocation::Disk(folder.to_owned())
}

pub(super) fn read_text(path: &Path) -> Result<String, CliError> {
    let shown = path.display().to_string();
    if path.is_dir() {
        return Err(CliError::Folder { path: shown });
    }
    text_of(&shown, read_bytes(path)?)
}

pub(super) fn is_input(path: &Path) -> bool {
    path == Path::new(STREAM)
}

pub(super) fn display_path(path: &Path) -> String {
    if is_input(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads a file of rules: one that is a script by its name and by its text is none.
pub(super) fn read_rules(path: &Path) -> Result<String, CliError> {
    let text = read_text(path)?;
    if path.extension() == Some(OsStr::new("script")) && first_line(&text) != Some(TextForm::Rules)
    {
        return Err(CliError::IsScript { path: path.display().to_string() });
    }
    Ok(text)
}

/// Reads a script: neither the name of a game inside of the program nor a file of rules is one.
pub(super) fn read_script(path: &Path) -> Result<String, CliError> {
    let is_game = || CliError::IsGame { path: path.display().to_string() };
    let text = match read_text(path) {
        Err(_) if !path.exists() && path.to_str().and_then(bundled::find_bundled).is_some() => {
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
pub(super) fn list_game_files(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
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
pub(super) fn is_script(path: &Path, text: &str) -> bool {
    match first_line(text) {
        Some(form) => form == TextForm::Script,
        None => path.extension() == Some(OsStr::new("script")),
    }
}

/// Whether a text is a game, and neither a script nor a file that only other games use.
pub(super) fn is_game(text: &str) -> bool {
    first_line(text) == Some(TextForm::Rules)
}

/// What a text is, as far as its first line says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextForm {
    Rules,
    Script,
}

/// What the first line that is no comment says: `game "Pairs" {` begins rules, `game pairs` a script.
fn first_line(text: &str) -> Option<TextForm> {
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (word, behind) = lines.next()?.split_once(' ')?;
    match word {
        "game" | "variant" if behind.contains(['"', '{']) => Some(TextForm::Rules),
        "game" => Some(TextForm::Script),
        _ => None,
    }
}

/// Bytes as text; `name` is what they are called.
fn text_of(name: &str, mut bytes: Vec<u8>) -> Result<String, CliError> {
    if bytes.len() > MOST_BYTES {
        return Err(CliError::TooLarge { path: name.to_owned(), most: MOST_BYTES });
    }
    // A mark of the byte order at the beginning belongs to the file, not to its text.
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CliError::NotText { path: name.to_owned(), at }
    })
}

/// What a file holds, up to one byte more than may be. A device or a pipe may never begin or never end.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    if path.exists() && !path.is_file() {
        let reason = "it is no file, but a device or a pipe".to_owned();
        return Err(CliError::Unreadable { path: path.display().to_string(), reason });
    }
    fs::File::open(path).and_then(up_to_most).map_err(|error| unreadable(path, &error))
}

pub(super) fn read_input() -> Result<String, CliError> {
    let name = display_path(Path::new(STREAM));
    let bytes = up_to_most(io::stdin().lock());
    text_of(&name, bytes.map_err(|error| unreadable(Path::new(&name), &error))?)
}

fn up_to_most(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> CliError {
    CliError::Unreadable { path: path.display().to_string(), reason: reason(error) }
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> CliError {
    CliError::Unwritable { path: path.display().to_string(), reason: reason(error) }
}

/// Finds a game by its bundled name, or else by a path from `base`.
pub(super) fn find_game(word: &str, base: &Path) -> Result<FoundText, CliError> {
    if let Some(game) = bundled::find_bundled(word) {
        let name = format!("{word}.game");
        let folder = GameLocation::Inside(game.folder());
        return Ok(FoundText { name, text: game.text.to_owned(), path: None, folder });
    }
    let path = base.join(word);
    if !path.exists() && path.extension() != Some(OsStr::new("game")) {
        return Err(bundled::unknown_game(word));
    }
    let text = read_rules(&path)?;
    let folder = GameLocation::Disk(path.parent().unwrap_or(Path::new("")).to_owned());
    Ok(FoundText { name: path.display().to_string(), text, path: Some(path), folder })
}

/// Reads a script with the files that it includes, which lie in its folder or below, and adds them.
pub(super) fn script(
    source: &Source,
    sources: &mut Sources,
    folder: &Path,
) -> Result<Script, Diagnostics> {
    let mut script = transcript::parse(source)?;
    let here = GameLocation::Disk(folder.to_owned());
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

/// The game that a script names, seen from a folder, with its word. An unusable game is the fault of the
/// script, not a wrong use of the command.
pub(super) fn game_of(script: &Script, folder: &Path) -> Result<(String, FoundText), Diagnostics> {
    let words = script.game().expect("a script that was read names its game");
    let named_here = |error| Diagnostic::from(error).with_label(words.span, "named here");
    let found =
        find_game(&words.text, folder).map_err(|error| Diagnostics::of(named_here(error)))?;
    Ok((words.text.clone(), found))
}

pub(super) fn open_game(
    word: &str,
    table: &TableArgs,
    screen: &mut Screen,
) -> Result<(FoundText, Game), CliFailure> {
    let found = screen.find_game(word)?;
    screen.note_namesake(&found)?;
    let game = load_game(&found, table, Sources::default())?;
    Ok((found, game))
}

/// A game and the state to begin with: that after the script of `--load`, if one is given.
pub(super) fn load_position(
    word: Option<&str>,
    load: Option<&Path>,
    table: &TableArgs,
    screen: &mut Screen,
) -> Result<(Game, State), CliFailure> {
    if let Some(path) = load {
        let given = word.map(saves::find_named).transpose()?;
        let (_, loaded) = saves::open_script(path, given)?;
        return after(&loaded).map_err(|found| refuse_findings(&loaded.sources, found));
    }
    let word = word.expect("the command line asks for a game or a script");
    let (_, game) = open_game(word, table, screen)?;
    let start = game.initial_state();
    Ok((game, start))
}

/// Checks and compiles a game for one setting, and names its players.
pub(super) fn load_game(
    found: &FoundText,
    table: &TableArgs,
    mut sources: Sources,
) -> Result<Game, CliFailure> {
    let names: Vec<String> = table.names.iter().map(|name| transcript::fold(name)).collect();
    let players = count_players(table.players, &names)?;
    // What is wrong with other settings is for `check` to find.
    let checked = pipeline::check_once(&mut sources, &found.as_opened());
    let Some(rules) = checked.rules.filter(|_| !checked.diagnostics.has_errors()) else {
        return Err(refuse_findings(&sources, checked.diagnostics));
    };
    let (fewest, most) = rules.rules.players;
    if !names.is_empty() && !(fewest..=most).contains(&names.len()) {
        let (names, players) = (names.len(), how_many(fewest, most));
        return Err(CliError::Names { names, players }.into());
    }
    let setting = GameOptions { players, options: table.options.clone() };
    let game =
        pipeline::load(&rules, &setting).map_err(|found| refuse_findings(&sources, found))?;
    Ok(if names.is_empty() { game } else { game.with_names(names) })
}

pub(super) fn refuse_findings(sources: &Sources, diagnostics: Diagnostics) -> CliFailure {
    CliFailure::Findings { sources: sources.clone(), diagnostics, exit: Exit::No }
}

/// How many play, after a look at their names.
pub(super) fn count_players(
    players: Option<usize>,
    names: &[String],
) -> Result<Option<usize>, CliError> {
    if names.is_empty() {
        return Ok(players);
    }
    let mut known = BTreeSet::new();
    for name in names {
        if !transcript::is_name(name) {
            return Err(CliError::BadName { name: name.clone() });
        } else if !known.insert(name) {
            return Err(CliError::SameName { name: name.clone() });
        }
    }
    match players {
        Some(players) if players != names.len() => {
            Err(CliError::Names { names: names.len(), players: how_many(players, players) })
        }
        _ => Ok(Some(names.len())),
    }
}

/// The path of a file, seen from a folder; both must exist. Falls back to the path as it is.
pub(super) fn relative(file: &Path, folder: &Path) -> PathBuf {
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

/// What the operating system says, without its number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}
