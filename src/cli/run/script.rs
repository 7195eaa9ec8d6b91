//! One script: its game is found and loaded, its steps are made, its transcript is written. Each game is
//! checked once, each setting of it compiled once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::cli::files::{self, Found, MOST_BYTES};
use crate::cli::{args::Run, error::CliError, progress, screen::Failure, writing};
use crate::diagnostic::{Diagnostics, hidden_signs_in};
use crate::game::{Game, Player};
use crate::pipeline::{self, GameOptions, Ruleset, SettingError};
use crate::session::{Run as Ran, Running, run as run_script, run_as};
use crate::source::{Source, Sources};
use crate::transcript::{self, Kind, Script};

#[derive(Default)]
pub(super) struct Played {
    /// The transcript, as far as it went.
    pub(super) transcript: String,
    pub(super) sources: Sources,
    pub(super) found: Diagnostics,
    /// What was written, or why nothing was.
    pub(super) notes: Vec<String>,
    /// How many milliseconds it took, loading included.
    pub(super) time: u64,
    /// The files that it was read from, with their texts.
    pub(super) files: Vec<(PathBuf, String)>,
}

impl Played {
    pub(super) fn passed(&self) -> bool {
        !self.found.has_errors()
    }
}

type Checked = Result<Ruleset, (Sources, Diagnostics)>;

/// The games of all scripts, by their whole paths, or the names of those inside of the program.
#[derive(Default)]
pub(super) struct Games {
    checked: Mutex<BTreeMap<PathBuf, Arc<OnceLock<Checked>>>>,
    compiled: Mutex<BTreeMap<(PathBuf, GameOptions), Game>>,
}

/// What a thread that panicked leaves is whole: entries are added, never changed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn play(command: &Run, path: &Path, games: &Games) -> Result<Played, Failure> {
    let start = progress::milliseconds();
    let mut files: Vec<PathBuf> = Vec::new();
    if !files::is_input(path) {
        files.push(path.to_owned());
    }
    let mut played = match attempt(command, path, games, &mut files) {
        Err(Failure::Findings { sources, diagnostics, .. }) => {
            Played { sources, found: diagnostics, ..Played::default() }
        }
        other => other?,
    };
    let read = played.sources.iter();
    let read = read.map(|source| (PathBuf::from(&source.name), source.text.clone()));
    played.files = read.filter(|(path, _)| path.is_file()).collect();
    // What could not be read may be there later.
    files.retain(|path| played.files.iter().all(|(known, _)| known != path));
    played.files.extend(files.into_iter().map(|path| (path, String::new())));
    played.time = progress::milliseconds() - start;
    Ok(played)
}

fn attempt(
    command: &Run,
    path: &Path,
    games: &Games,
    files: &mut Vec<PathBuf>,
) -> Result<Played, Failure> {
    let is_input = files::is_input(path);
    let text = if is_input { files::read_input()? } else { files::read_script(path)? };
    let folder = path.parent().filter(|_| !is_input).unwrap_or(Path::new(""));
    let mut alone = Sources::default();
    let source = alone.add(files::shown(path), text).clone();
    let refused = |found| files::refuse(&alone, found);
    let script = transcript::parse(&source).map_err(refused)?;
    let (_, found) = files::game_of(&script, folder).map_err(refused)?;
    files.extend(found.path.clone());
    let (game, sources) = load(&script, &source, games, &found)?;
    let ran = match &command.seen_by {
        None => run_script(&script, &source, Running::new(game)),
        Some(name) => {
            let names = transcript::list(game.names());
            let seat = (0..).zip(game.names()).find(|(_, known)| **known == transcript::fold(name));
            let unknown = || CliError::NoPlayer { name: name.clone(), names };
            let player = seat.map(|(seat, _)| Player(seat)).ok_or_else(unknown)?;
            run_as(&script, &source, Running::new(game), player)
        }
    };
    let notes = if command.bless { bless(path, &source, &ran)? } else { Vec::new() };
    let Ran { transcript, diagnostics, blessed } = ran;
    let mut found = blessed.filter(|_| command.bless).unwrap_or(diagnostics);
    found.extend(hidden_signs_in(&source));
    Ok(Played { transcript, sources, found, notes, ..Played::default() })
}

/// The game of a script under the setting that the script asks for, and all texts.
fn load(
    script: &Script,
    source: &Source,
    games: &Games,
    found: &Found,
) -> Result<(Game, Sources), Failure> {
    let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let key = found.path.as_ref().map_or_else(|| PathBuf::from(&found.name), whole);
    let checked = Arc::clone(locked(&games.checked).entry(key.clone()).or_default());
    // Other threads that need the same game wait for the first.
    let rules = checked.get_or_init(|| {
        // The script comes first.
        let mut sources = Sources::with_room(MOST_BYTES);
        let checked = pipeline::check_once(&mut sources, &found.opened());
        checked.rules.ok_or((sources, checked.diagnostics))
    });
    let rules = rules.as_ref().map_err(|(sources, found)| files::refuse(sources, found.clone()))?;
    let mut sources = Sources::clone(&rules.sources);
    sources.add_first(source.clone());
    let names = script.players().unwrap_or_default();
    let players = files::players(None, &names)?;
    let key = (key, GameOptions { players, options: script.options() });
    let known = locked(&games.compiled).get(&key).cloned();
    let game = match known {
        Some(game) => game,
        None => {
            let game = pipeline::load_for(rules, &key.1, &|error| misfit(error, script));
            let game = game.map_err(|diagnostics| files::refuse(&sources, diagnostics))?;
            locked(&games.compiled).insert(key, game.clone());
            game
        }
    };
    let game = game.with_sources(sources.clone());
    Ok((if names.is_empty() { game } else { game.with_names(names) }, sources))
}

/// Points at the line that asks for what the game does not have.
fn misfit(error: SettingError, script: &Script) -> SettingError {
    let place = script.lines.iter().find_map(|line| match (&error, &line.kind) {
        (SettingError::Players { .. }, Kind::Players(_)) => Some(line.span),
        (SettingError::UnknownOption { name, .. }, Kind::Option { name: written, .. })
            if *name == written.text =>
        {
            Some(written.span)
        }
        (SettingError::BadValue { name, .. }, Kind::Option { name: written, value })
            if *name == written.text =>
        {
            Some(value.span)
        }
        _ => None,
    });
    error.named_at(place)
}

/// Writes the transcript into the script, with the line ends that it has, if that repairs it; returns
/// what was written, or why nothing was.
fn bless(path: &Path, source: &Source, ran: &Ran) -> Result<Vec<String>, CliError> {
    let (name, mut notes) = (&source.name, Vec::new());
    let windows = source.text.contains("\r\n");
    let text = if windows { ran.transcript.replace('\n', "\r\n") } else { ran.transcript.clone() };
    if ran.blessed.is_some() && !files::is_input(path) && text != source.text {
        writing::edit(path, &text)?;
        notes.push(format!("{name}: written"));
    }
    if ran.blessed.as_ref().unwrap_or(&ran.diagnostics).has_errors() {
        let why = if ran.blessed.is_some() {
            "`--bless` writes outputs and results; what is left to repair is the rules, or these lines"
        } else {
            "not written: `--bless` needs a script that runs to its end and uses all its lines"
        };
        notes.push(format!("{name}: {why}"));
    }
    Ok(notes)
}
