//! `astragal train`: lets a bot learn a game by playing it.

use std::path::Path;

use crate::bots::{Analysis, Trainer};
use crate::commands::args::Train;
use crate::commands::engine;
use crate::host::bots::{BOT, path_beside, read_bot, threads};
use crate::host::command_line::command_line;
use crate::host::exit::{Exit, Failure};
use crate::host::report::rows::many;
use crate::host::writing::{OutputFile, Overwrite};
use crate::host::{error::HostError, files, progress, screen::Screen};
use crate::progress::Progress;

/// From how many games is learned if nobody says how many.
const GAMES: u64 = 1024;

/// How often what was learned is written, in milliseconds.
const BETWEEN: u64 = 10_000;

pub(super) fn train(command: &Train, screen: &mut Screen) -> Result<Exit, Failure> {
    let (found, game) = files::open_game(&command.game, &command.table.setup(), screen)?;
    screen.warn_of_signs(game.sources())?;
    let path = command.out.clone().unwrap_or_else(|| path_beside(&found));
    let mut out = OutputFile::open_named(&path, BOT, &Overwrite::flag(command.force))?;
    let analysis = Analysis::new(game.clone());
    let mut trainer = open_trainer(command, &path, &analysis)?;
    let begun = trainer.learned().games();
    let wanted = match (command.number, command.time) {
        (number, None) => {
            number.unwrap_or(GAMES).div_ceil(Trainer::BATCH).saturating_mul(Trainer::BATCH)
        }
        (_, Some(_)) => u64::MAX,
    };
    progress::begin_work();
    let work = || learn(command, &analysis, &mut trainer, wanted, &mut out);
    let (done, how) = engine::over(command.engine, std::slice::from_ref(&game), false, work);
    done?;
    let games = trainer.learned().games();
    screen.print_line(&format!(
        "{}: learned {} from {}",
        path.display(),
        game.info().title,
        many(games, "game")
    ))?;
    how.map_or(Ok(()), |how| screen.print_note(&how))?;
    screen.flush()?;
    if progress::WORK.is_stopped() {
        let typed = command_line(std::env::args().skip(1));
        screen.print_note(&format!("broken off after {}", many(games - begun, "game")))?;
        screen.print_note(&format!("to go on: {typed}"))?;
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Fine)
}

/// The trainer of an existing file, or a new one.
fn open_trainer(command: &Train, path: &Path, analysis: &Analysis) -> Result<Trainer, HostError> {
    let is_there = path.metadata().is_ok_and(|file| file.len() > 0);
    if command.force || !is_there {
        return Ok(Trainer::new(analysis, command.seed));
    }
    let (_, learned) = read_bot(path, analysis)?;
    if learned.seed() != command.seed {
        let path = path.display().to_string();
        return Err(HostError::OtherBot { path, seed: learned.seed() });
    }
    Ok(Trainer::from_learned(analysis, learned))
}

/// Learns batch after batch, and writes now and then, so that little is lost whatever happens.
fn learn(
    command: &Train,
    analysis: &Analysis,
    trainer: &mut Trainer,
    wanted: u64,
    out: &mut OutputFile,
) -> Result<(), HostError> {
    let begun = progress::milliseconds();
    let threads = command.threads.unwrap_or_else(threads);
    let (mut written, begun_with) = (begun, trainer.learned().games());
    while trainer.learned().games() < wanted && !progress::WORK.is_stopped() {
        let passed = progress::milliseconds() - begun;
        if command.time.is_some_and(|time| passed >= time) {
            break;
        }
        let (batch, before) = (Progress::new(), trainer.learned().games());
        let line = || {
            let done = before + batch.done();
            match command.time {
                Some(time) => format!("{done} games, {} s left", (time - passed) / 1000),
                None => format!("{done} of {wanted} games"),
            }
        };
        // What is broken off teaches nothing, so the first batch is played whole.
        let pause = command.time.map(|time| time - passed).filter(|_| before > begun_with);
        progress::watch_work(&batch, pause, line, || trainer.learn_batch(wanted, threads, &batch));
        if progress::milliseconds() - written > BETWEEN {
            out.write_whole(&trainer.learned().to_text(analysis))?;
            written = progress::milliseconds();
        }
    }
    out.write_whole(&trainer.learned().to_text(analysis))
}
