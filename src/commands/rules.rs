//! `astragal rules`: the rulebook of a game.

use std::path::Path;

use crate::budget::Budget;
use crate::commands::args::{BookFormat, RulesArgs};
use crate::commands::{examples, pages};
use crate::compile::Specialisation;
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::host::exit::{Exit, Failure};
use crate::host::files::{self, TableSetup};
use crate::host::game_files::{FoundText, describe_variants};
use crate::host::{error::HostError, saves, screen::Screen};
use crate::rulebook::{Edition, authored, rulebook, settings_with};
use crate::rules::how_many;
use crate::session::{LoadedScript, Stretch, play_openly, play_sample};

/// What the players of an example are called, where their seats have no names.
const NAMES: [&str; 6] = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"];

pub(super) fn run_rules(command: &RulesArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let (players, options) = (command.players, command.options.clone());
    let table = TableSetup { players, options, ..TableSetup::default() };
    let (found, game) = files::open_game(&command.game, &table, screen)?;
    let settings = settings_of(&game, command);
    let variants = describe_variants(&found);
    let (rules, sources, variants) = (game.rules(), game.sources(), variants.as_slice());
    let edition = Edition { rules, sources, settings: &settings, variants };
    let mut book = rulebook(&edition, &Budget::default())
        .map_err(|finding| files::refuse_findings(sources, Diagnostics::of(finding)))?;
    let mut played = play_example(&game, &found, &settings, screen)?;
    if let Some(example) = &mut played.1 {
        examples::arrange_tables(rules, example);
    }
    let with = if command.players.is_some() { String::new() } else { with_whom(&game) };
    let minutes = played.0.map(|minutes| format!("about {minutes} minutes{with}"));
    book.add_play(minutes, played.1.as_ref().map(|it| examples::tell(rules, it, command.format)));
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

/// The settings that the book is for: this number of players or all, and these options or all.
fn settings_of(game: &Game, command: &RulesArgs) -> Vec<Specialisation> {
    if command.players.is_some() {
        return vec![game.setting().clone()];
    }
    if command.options.is_empty() {
        return Vec::new();
    }
    let (options, values) = (&game.rules().options, &game.setting().options);
    let is_chosen = |name: &String| command.options.iter().any(|(chosen, _)| chosen == name);
    let options = options.iter().enumerate().filter(|(_, option)| is_chosen(&option.name));
    let chosen: Vec<_> = options.map(|(at, _)| (at, values[at].clone())).collect();
    settings_with(game.rules(), &chosen, &Budget::default())
}

/// For how many players a time is, where the book is also for others.
fn with_whom(game: &Game) -> String {
    let (fewest, most) = game.rules().players;
    if fewest == most {
        return String::new();
    }
    format!(" with {}", how_many([game.names().len()]))
}

/// How long a game takes, and its example: the script that the file names, or else what bots play. A variant may have
/// a script of its base that does not run with other rules.
fn play_example(
    game: &Game,
    found: &FoundText,
    settings: &[Specialisation],
    screen: &mut Screen,
) -> Result<(Option<u64>, Option<Stretch>), Failure> {
    let (players, seats) = (game.names().len(), &game.rules().kinds[0].members);
    let titles =
        seats.iter().map(|seat| if seat.title.is_empty() { &seat.name } else { &seat.title });
    let names: Vec<String> = if seats.is_empty() {
        NAMES.iter().map(|&name| name.to_owned()).collect()
    } else {
        titles.map(|title| authored(title)).collect()
    };
    let told = names.get(..players).map(|names| game.with_names(names.to_vec()));
    let sample = play_sample(told.as_ref().unwrap_or(game));
    let Some(script) = &game.rules().example else { return Ok((sample.minutes, sample.example)) };
    let folder = found.path.as_ref().and_then(|path| path.parent());
    let loaded = match (folder, found.read_inside(script)) {
        (Some(folder), _) => saves::open_script(&folder.join(script), Some(found.clone())),
        (None, Some(text)) => saves::open_text(Path::new(script), text, Some(found.clone())),
        _ => return Ok((sample.minutes, sample.example)),
    };
    let fits = |loaded: &LoadedScript| {
        let setting = loaded.start.game().setting();
        settings.is_empty() || settings.contains(setting)
    };
    let why = match loaded {
        Ok((_, loaded)) if !fits(&loaded) => "is of other players or options",
        Ok((_, loaded)) => match play_openly(loaded) {
            Ok(example) => return Ok((sample.minutes, example)),
            Err(_) => "does not run here",
        },
        Err(Failure::Stream(error)) => return Err(error.into()),
        Err(_) => "does not run here",
    };
    screen.print_note(&format!("the example `{script}` {why}: the book shows a game of bots"))?;
    Ok((sample.minutes, sample.example))
}
