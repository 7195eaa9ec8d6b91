//! One script: its game is found and loaded, its steps are made, its transcript is written.

use std::path::{Path, PathBuf};

use super::{collect::Script as Named, games::Games};
use crate::cli::files::{self, Found};
use crate::cli::{args::Run, error::CliError, progress, screen::Failure, writing};
use crate::diagnostic::{Diagnostics, hidden_signs_in};
use crate::game::{Game, Player};
use crate::pipeline::{GameOptions, Ruleset, SettingError};
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
    /// Whether everything was as the script expects.
    pub(super) fn passed(&self) -> bool {
        !self.found.has_errors()
    }
}

pub(super) fn play(command: &Run, named: &Named, games: &Games) -> Result<Played, Failure> {
    let start = progress::milliseconds();
    let mut files: Vec<PathBuf> = match named {
        Named::File(path) => vec![path.clone()],
        Named::Input => Vec::new(),
    };
    let mut played = match attempt(command, named, games, &mut files) {
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
    named: &Named,
    games: &Games,
    files: &mut Vec<PathBuf>,
) -> Result<Played, Failure> {
    let (text, folder) = match named {
        Named::File(path) => {
            (files::read_script(path)?, path.parent().unwrap_or(Path::new("")).to_owned())
        }
        Named::Input => (files::read_input()?, PathBuf::new()),
    };
    let mut alone = Sources::default();
    let source = alone.add(named.to_string(), text).clone();
    let script =
        transcript::parse(&source).map_err(|diagnostics| files::refuse(&alone, diagnostics))?;
    let found = game_of(&script, &folder).map_err(|found| files::refuse(&alone, found))?;
    files.extend(found.path.clone());
    let rules = games.rules(&found);
    let rules = match rules.get().expect("a game that is asked for is checked") {
        Ok(rules) => rules,
        Err((sources, found)) => return Err(files::refuse(sources, found.clone())),
    };
    let mut sources = Sources::clone(&rules.sources);
    sources.add_first(source.clone());
    let game = load(&script, games, &found, rules, &sources)?;
    let viewer = command.seen_by.as_ref().map(|name| seat(name, game.names())).transpose()?;
    let start = Running::new(game);
    let ran = match viewer {
        Some(player) => run_as(&script, &source, start, player),
        None => run_script(&script, &source, start),
    };
    let mut notes = Vec::new();
    if command.bless {
        bless(named, &source, &ran, &mut notes)?;
    }
    let Ran { transcript, diagnostics, blessed } = ran;
    let mut found = blessed.filter(|_| command.bless).unwrap_or(diagnostics);
    found.extend(hidden_signs_in(&source));
    Ok(Played { transcript, sources, found, notes, ..Played::default() })
}

/// The game that a script names, seen from a folder. An unusable game is the fault of the script, not a
/// wrong use of the command.
fn game_of(script: &Script, folder: &Path) -> Result<Found, Diagnostics> {
    let words = script.game().expect("a script that was read names its game");
    files::find(&words.text, folder).map_err(|error| Diagnostics::of(error.named_at(words.span)))
}

/// The game of a script, under the setting that it asks for.
fn load(
    script: &Script,
    games: &Games,
    found: &Found,
    rules: &Ruleset,
    sources: &Sources,
) -> Result<Game, Failure> {
    let names = script.players().unwrap_or_default();
    let players = files::players(None, &names)?;
    let setting = GameOptions { players, options: script.options() };
    let game = games.game(found, rules, setting, &|error| misfit(error, script));
    let game = game.map_err(|diagnostics| files::refuse(sources, diagnostics))?;
    let game = game.with_sources(sources.clone());
    Ok(if names.is_empty() { game } else { game.with_names(names) })
}

fn seat(name: &str, names: &[String]) -> Result<Player, CliError> {
    let seat = names.iter().position(|known| known == name);
    let player = seat.and_then(|seat| u8::try_from(seat).ok()).map(Player);
    player
        .ok_or_else(|| CliError::NoPlayer { name: name.to_owned(), names: transcript::list(names) })
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

/// Writes the transcript into the script, with the line ends that it has, if that repairs it.
fn bless(
    named: &Named,
    source: &Source,
    ran: &Ran,
    notes: &mut Vec<String>,
) -> Result<(), CliError> {
    let windows = source.text.contains("\r\n");
    let text = if windows { ran.transcript.replace('\n', "\r\n") } else { ran.transcript.clone() };
    match (named, &ran.blessed) {
        (Named::File(path), Some(_)) if text != source.text => {
            writing::edit(path, &text)?;
            notes.push(format!("{named}: written"));
        }
        _ => {}
    }
    if ran.blessed.as_ref().unwrap_or(&ran.diagnostics).has_errors() {
        let why = if ran.blessed.is_some() {
            "`--bless` writes outputs and results; what is left to repair is the rules, or these lines"
        } else {
            "not written: `--bless` needs a script that runs to its end and uses all its lines"
        };
        notes.push(format!("{named}: {why}"));
    }
    Ok(())
}
