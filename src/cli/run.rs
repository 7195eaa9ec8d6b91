//! `astragal run`: scripts, what they expect, and their transcripts.

use std::path::Path;

use super::args::{Run, Table};
use super::error::CliError;
use super::files;
use super::screen::{Exit, Failure, Screen};
use super::writing;
use crate::game::Player;
use crate::pipeline::SettingError;
use crate::session::{Live, Run as Ran, run as run_script, run_as};
use crate::source::{Source, Sources};
use crate::transcript::{self, Kind, Script};

/// Runs scripts, one after the other.
pub(super) fn run(command: &Run, screen: &mut Screen) -> Result<Exit, Failure> {
    let (mut passed, mut failed) = (0, 0);
    for path in &command.scripts {
        let fine = match run_one(command, path, screen) {
            Ok(fine) => fine,
            Err(Failure::Findings { sources, diagnostics, .. }) => {
                screen.report(&sources, &diagnostics)?;
                false
            }
            Err(failure) => return Err(failure),
        };
        *(if fine { &mut passed } else { &mut failed }) += 1;
        if command.quiet {
            let word = if fine { "passed" } else { "failed" };
            screen.line(&format!("{}: {word}", path.display()))?;
        }
    }
    if command.scripts.len() > 1 {
        screen.line(&format!("{passed} passed, {failed} failed"))?;
    }
    Ok(if failed == 0 { Exit::Fine } else { Exit::No })
}

/// Runs a script and says whether everything was as it expects.
fn run_one(command: &Run, path: &Path, screen: &mut Screen) -> Result<bool, Failure> {
    let text = files::read_script(path)?;
    let mut sources = Sources::default();
    let source = sources.add(path.display().to_string(), text).clone();
    let script =
        transcript::parse(&source).map_err(|diagnostics| files::refuse(&sources, diagnostics))?;
    let (ran, sources) = play(command, (&script, &source), path, sources)?;
    if !command.quiet {
        screen.text(&ran.transcript)?;
    }
    let left = match &ran.blessed {
        Some(left) if command.bless => {
            bless(path, &source, &ran, screen)?;
            left
        }
        _ => &ran.diagnostics,
    };
    screen.report(&sources, left)?;
    if command.bless && left.has_errors() {
        let why = if ran.blessed.is_some() {
            "`--bless` writes outputs and results; what is left to repair is the rules, or these lines"
        } else {
            "not written: `--bless` needs a script that runs to its end and uses all its lines"
        };
        screen.note(&format!("{}: {why}", path.display()))?;
    }
    Ok(!left.has_errors())
}

/// Loads the game of a script and runs it.
fn play(
    command: &Run,
    (script, source): (&Script, &Source),
    path: &Path,
    sources: Sources,
) -> Result<(Ran, Sources), Failure> {
    let words = script.game().expect("a script that was read names its game");
    let table = Table {
        players: None,
        names: script.players().unwrap_or_default(),
        options: script.options(),
    };
    let found = files::find(&words.text, path.parent().unwrap_or(Path::new("")))
        .map_err(|error| at_game_line(error.named_at(words.span), &sources))?;
    let place = |error| misfit(error, script);
    let (game, sources) = files::load_for(&found, &table, sources, &place)?;
    let viewer = command.seen_by.as_ref().map(|name| seat(name, game.names())).transpose()?;
    let start = Live::new(game);
    let ran = match viewer {
        Some(player) => run_as(script, source, start, player),
        None => run_script(script, source, start),
    };
    Ok((ran, sources))
}

/// The player of a name.
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

/// An unusable game of a script: the script is to blame, not the use of the command.
fn at_game_line(error: CliError, sources: &Sources) -> Failure {
    match Failure::from(error) {
        Failure::Findings { diagnostics, .. } => files::refuse(sources, diagnostics),
        other @ Failure::Stream(_) => other,
    }
}

/// Writes the transcript into the script, with the line ends that it has.
fn bless(path: &Path, source: &Source, ran: &Ran, screen: &mut Screen) -> Result<(), Failure> {
    let windows = source.text.contains("\r\n");
    let text = if windows { ran.transcript.replace('\n', "\r\n") } else { ran.transcript.clone() };
    if text != source.text {
        writing::edit(path, &text)?;
        screen.note(&format!("{}: written", path.display()))?;
    }
    Ok(())
}
