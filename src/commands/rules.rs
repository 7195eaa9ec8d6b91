//! `astragal rules`: the rulebook of a game.

use std::path::Path;

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
use crate::rulebook::english::{capitalised, plural};
use crate::rulebook::{Edition, authored, rulebook};
use crate::session::{FORCED, Stretch, play_sample, play_script};

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
    let played = play_example(&game, &found)?;
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
        (BookFormat::Html, part) => pages::book_page(&game, &book, part, played.1.as_ref()),
        (BookFormat::Markdown, None) => book.markdown(),
        (BookFormat::Markdown, Some(part)) => part.markdown(),
    };
    screen.print_text(&text)?;
    Ok(Exit::Fine)
}

/// How long a game takes, and its example: the script that the file names, or else what bots play.
fn play_example(game: &Game, found: &FoundText) -> Result<(Option<u64>, Option<Stretch>), Failure> {
    let seated = !game.rules().kinds[0].members.is_empty();
    let players = game.names().len();
    let named = if seated || players > NAMES.len() {
        game.clone()
    } else {
        game.with_names(NAMES[..players].iter().map(|&name| name.to_owned()).collect())
    };
    let sample = play_sample(&named);
    let Some(script) = &game.rules().example else { return Ok((sample.minutes, sample.example)) };
    let folder = found.path.as_ref().and_then(|path| path.parent());
    let loaded = match (folder, found.read_inside(script)) {
        (Some(folder), _) => saves::open_script(&folder.join(script), Some(found.clone()))?.1,
        (None, Some(text)) => saves::open_text(Path::new(script), text, Some(found.clone()))?.1,
        _ => return Ok((sample.minutes, sample.example)),
    };
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
    let words = entry.text.strip_suffix(FORCED).unwrap_or(&entry.text).replace('_', " ");
    let words = authored(&words);
    let words = words.trim_end_matches('.');
    let end = if words.ends_with(['!', '?']) { "" } else { "." };
    match (seat, entry.what) {
        (Some(seat), What::Move | What::Forced | What::Pass) => {
            format!("- {}{end}\n", tell_move(&authored(&seat.name), words))
        }
        _ => format!("  - {}{end}\n", capitalised(words)),
    }
}

/// A move as somebody tells it who sits by: `Ann buys mill`, or, where it is called by no verb, `Ann: red`.
fn tell_move(name: &str, words: &str) -> String {
    let (verb, rest) = words.split_once(' ').map_or((words, ""), |(verb, rest)| (verb, rest));
    if !VERBS.contains(&verb) {
        return format!("**{name}**: {words}");
    }
    let does = if verb == "go" { "goes".to_owned() } else { plural(verb) };
    format!("**{name}** {does} {rest}").trim_end().to_owned()
}

/// What moves are often called that is said of a player.
const VERBS: [&str; 72] = [
    "add",
    "answer",
    "attack",
    "beat",
    "bet",
    "bid",
    "block",
    "build",
    "burn",
    "buy",
    "call",
    "capture",
    "cast",
    "castle",
    "challenge",
    "check",
    "choose",
    "claim",
    "climb",
    "collect",
    "cross",
    "decline",
    "defend",
    "deliver",
    "discard",
    "double",
    "draw",
    "drop",
    "end",
    "fight",
    "flip",
    "fold",
    "fortify",
    "give",
    "go",
    "guess",
    "hand",
    "heal",
    "hit",
    "jump",
    "keep",
    "lay",
    "leave",
    "lose",
    "march",
    "move",
    "name",
    "offer",
    "pass",
    "pay",
    "place",
    "play",
    "push",
    "put",
    "raise",
    "refuse",
    "reroll",
    "reserve",
    "rest",
    "roll",
    "sell",
    "shift",
    "show",
    "spend",
    "steal",
    "stop",
    "swap",
    "take",
    "throw",
    "trade",
    "turn",
    "win",
];

fn picture(heading: &str, view: &TableView) -> String {
    // The book has told of the cards.
    let bare = TableView {
        head: view.head.clone(),
        seats: view.seats.clone(),
        boards: view.boards.clone(),
        table: view.table.clone(),
        players: view.players.clone(),
        ..TableView::default()
    };
    let lines = render_screen(&bare, &[], false, PICTURE);
    // The first line is for somebody who plays.
    let lines: Vec<String> =
        lines.iter().skip(1).map(|line| line.letters().trim_end().to_owned()).collect();
    format!("{heading}:\n\n```text\n{}\n```\n", lines.join("\n").trim_end())
}
