//! `astragal rules`: the rulebook of a game.

use super::args::{BookFormat, RulesArgs, TableArgs};
use super::bundled::{self, Bundled};
use super::exit::{CliFailure, Exit};
use super::{error::CliError, files, game_files::FoundText, pages, screen::Screen};
use crate::budget::Budget;
use crate::diagnostic::Diagnostics;
use crate::pipeline;
use crate::rulebook::{Edition, authored, rulebook};
use crate::source::Sources;

pub(super) fn run_rules(command: &RulesArgs, screen: &mut Screen) -> Result<Exit, CliFailure> {
    let options = command.options.clone();
    let table = TableArgs { players: command.players, names: Vec::new(), options };
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
        CliError::UnknownPart { word: word.to_owned(), parts: words.join(", ") }
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

/// A line for each bundled variant of a bundled game; none for others.
pub(super) fn describe_variants(found: &FoundText) -> Vec<String> {
    if found.path.is_some() {
        return Vec::new();
    }
    let of_game =
        |it: &Bundled| it.name.strip_prefix(&found.word).is_some_and(|it| it.starts_with('/'));
    let variants = bundled::games().into_iter().filter(of_game).filter_map(|it| {
        let checked = pipeline::check_once(&mut Sources::default(), &it.to_opened(&it.folder()));
        let rules = checked.rules?.rules;
        let note = authored(rules.notes.first().map_or("", String::as_str));
        let title = authored(&rules.title);
        Some(format!("**{title}** (`{}`). {note}", it.name).trim_end().to_owned())
    });
    variants.collect()
}
