//! `astragal rules`: the rulebook of a game.

use super::args::{BookFormat, RulesArgs};
use super::pages;
use crate::budget::Budget;
use crate::diagnostic::Diagnostics;
use crate::host::exit::{Exit, Failure};
use crate::host::files::{self, TableSetup};
use crate::host::{error::HostError, game_files::describe_variants, screen::Screen};
use crate::rulebook::{Edition, rulebook};

pub(super) fn run_rules(command: &RulesArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let (players, options) = (command.players, command.options.clone());
    let table = TableSetup { players, options, ..TableSetup::default() };
    let (found, game) = files::open_game(&command.game, &table, screen)?;
    let is_for_all = command.players.is_none() && command.options.is_empty();
    let setting = if is_for_all { None } else { Some(game.setting()) };
    let variants = describe_variants(&found);
    let (rules, sources, variants) = (game.rules(), game.sources(), variants.as_slice());
    let edition = Edition { rules, sources, setting, variants };
    let book = rulebook(&edition, &Budget::default())
        .map_err(|finding| files::refuse_findings(sources, Diagnostics::of(finding)))?;
    let unknown = |word: &str| {
        let words: Vec<&str> = book.parts.iter().map(|part| part.word).collect();
        HostError::UnknownPart { word: word.to_owned(), parts: words.join(", ") }
    };
    let part = match &command.part {
        None => None,
        Some(word) => Some(book.part(word).ok_or_else(|| unknown(word))?),
    };
    let text = match (command.format, part) {
        (BookFormat::Html, part) => pages::book(&game, &book, part),
        (BookFormat::Markdown, None) => book.markdown(),
        (BookFormat::Markdown, Some(part)) => part.markdown(),
    };
    screen.print_text(&text)?;
    Ok(Exit::Fine)
}
