//! `astragal rules`: the rulebook of a game.

use std::path::Path;

use super::args::{Rules, Table};
use super::error::CliError;
use super::files;
use super::screen::{Exit, Failure, Screen};
use crate::rulebook::{Edition, Rulebook, rulebook};
use crate::source::Sources;

/// Prints the book, or one part of it.
pub(super) fn rules(command: &Rules, screen: &mut Screen) -> Result<Exit, Failure> {
    let found = files::find(&command.game, Path::new(""))?;
    let options = command.options.clone();
    let table = Table { players: command.players, names: Vec::new(), options };
    let (game, sources) = files::load(&found, &table, Sources::default())?;
    let is_for_all = command.players.is_none() && command.options.is_empty();
    let setting = if is_for_all { None } else { Some(game.setting()) };
    let edition = Edition { rules: game.rules(), sources: &sources, setting, variants: &[] };
    let book = rulebook(&edition);
    let text = match &command.part {
        None => book.markdown(),
        Some(word) => part(&book, word)?,
    };
    screen.text(&text)?;
    Ok(Exit::Fine)
}

fn part(book: &Rulebook, word: &str) -> Result<String, CliError> {
    if let Some(part) = book.part(word) {
        return Ok(part.markdown());
    }
    let words: Vec<&str> = book.parts.iter().map(|part| part.word).collect();
    Err(CliError::UnknownPart { word: word.to_owned(), parts: words.join(", ") })
}
