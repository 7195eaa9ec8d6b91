//! `astragal rules`: the rulebook of a game.

use super::args::{BookFormat, RulesArgs};
use super::pages;
use crate::budget::Budget;
use crate::diagnostic::Diagnostics;
use crate::game::{Game, LogEntry, TableView, What};
use crate::host::drawing::table_screen::render_screen;
use crate::host::exit::{Exit, Failure};
use crate::host::files::{self, TableSetup};
use crate::host::game_files::{FoundText, describe_variants};
use crate::host::{error::HostError, saves, screen::Screen};
use crate::rulebook::{Edition, authored, rulebook};
use crate::session::{Stretch, play_sample, play_script};

/// How wide and high a table is drawn in an example.
const PICTURE: (usize, usize) = (76, 60);

/// What the players of an example are called, where their seats have no names.
const NAMES: [&str; 6] = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"];

pub(super) fn run_rules(command: &RulesArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let (players, options) = (command.players, command.options.clone());
    let table = TableSetup { players, options, ..TableSetup::default() };
    let (found, game) = files::open_game(&command.game, &table, screen)?;
    let is_for_all = command.players.is_none() && command.options.is_empty();
    let setting = if is_for_all { None } else { Some(game.setting()) };
    let variants = describe_variants(&found);
    let (rules, sources, variants) = (game.rules(), game.sources(), variants.as_slice());
    let edition = Edition { rules, sources, setting, variants };
    let mut book = rulebook(&edition, &Budget::default())
        .map_err(|finding| files::refuse_findings(sources, Diagnostics::of(finding)))?;
    let played = play(&game, &found)?;
    book.add_play(played.0, played.1.as_ref().map(|it| tell(it, command.format)));
    if command.short {
        book = book.shortened();
    }
    let unknown = |word: &str| {
        let words: Vec<&str> = book.parts.iter().map(|part| part.word).collect();
        HostError::UnknownPart { word: word.to_owned(), parts: words.join(", ") }
    };
    let part = match &command.part {
        None => None,
        Some(word) => Some(book.part(word).ok_or_else(|| unknown(word))?),
    };
    let text = match (command.format, part) {
        (BookFormat::Html, part) => pages::book(&game, &book, part, played.1.as_ref()),
        (BookFormat::Markdown, None) => book.markdown(),
        (BookFormat::Markdown, Some(part)) => part.markdown(),
    };
    screen.print_text(&text)?;
    Ok(Exit::Fine)
}

/// How long a game takes, and its example: the script that the file names, or else what bots play.
fn play(game: &Game, found: &FoundText) -> Result<(Option<u64>, Option<Stretch>), Failure> {
    let seated = !game.rules().kinds[0].members.is_empty();
    let players = game.names().len();
    let named = if seated || players > NAMES.len() {
        game.clone()
    } else {
        game.with_names(NAMES[..players].iter().map(|&name| name.to_owned()).collect())
    };
    let sample = play_sample(&named);
    let folder = found.path.as_ref().and_then(|path| path.parent());
    let (Some(folder), Some(script)) = (folder, &game.rules().example) else {
        return Ok((sample.minutes, sample.example));
    };
    let (_, loaded) = saves::open_script(&folder.join(script), Some(found.clone()))?;
    let sources = loaded.sources.clone();
    let example = play_script(loaded).map_err(|found| files::refuse_findings(&sources, found))?;
    Ok((sample.minutes, example))
}

/// An example in sentences, with the table before and after it; a page draws the tables itself.
fn tell(stretch: &Stretch, format: BookFormat) -> String {
    let Stretch { before, log, after } = stretch;
    let mut text = String::new();
    for entry in log {
        text.push_str(&tell_entry(entry, before));
    }
    if format == BookFormat::Html {
        return text;
    }
    format!("{}\n{}\n{}", picture("Before", before), text.trim_start(), picture("After", after))
}

fn tell_entry(entry: &LogEntry, view: &TableView) -> String {
    let seat = entry.seat.and_then(|seat| view.seats.get(seat));
    let words = match entry.what {
        // `roll die[red]: 5`
        What::Draw => entry.text.trim_start_matches("roll ").replace('[', " ").replace(']', ""),
        _ => entry.text.replace('_', " "),
    };
    let words = authored(&words);
    match (seat, entry.what) {
        (Some(seat), What::Move | What::Forced | What::Pass) => {
            format!("- **{}**: {words}.\n", authored(&seat.name))
        }
        (_, What::Said) if words.ends_with(['.', '!', '?']) => format!("  - {words}\n"),
        _ => format!("  - {words}.\n"),
    }
}

fn picture(heading: &str, view: &TableView) -> String {
    let bare = TableView { log: Vec::new(), question: None, actions: Vec::new(), ..view.clone() };
    let lines = render_screen(&bare, &[], false, PICTURE);
    // The first line is for somebody who plays.
    let lines: Vec<String> =
        lines.iter().skip(1).map(|line| line.letters().trim_end().to_owned()).collect();
    format!("{heading}:\n\n```text\n{}\n```\n", lines.join("\n").trim_end())
}
