//! `astragal check`: everything that is wrong with files, also what only shows in random games.

use std::path::Path;

use crate::budget::Budget;
use crate::bytecode::disassemble::disassemble;
use crate::check::book_notes::notes_that_hide;
use crate::commands::args::{Check, Emit, EngineChoice, FindingFormat, TableArgs};
use crate::commands::random_games::{FixedSettings, RandomGames};
use crate::diagnostic::Diagnostics;
use crate::dump::dump;
use crate::game::Game;
use crate::host::exit::{Exit, Failure};
use crate::host::game_files::{FoundText, find_here};
use crate::host::{disk, error::HostError, files, findings, screen::Screen, watch::WatchedFiles};
use crate::load::bundled;
use crate::pipeline;
use crate::rules::{ArgumentHearers, Rules};
use crate::source::{Sources, Span};

pub(super) fn run_check(command: &Check, screen: &mut Screen) -> Result<Exit, Failure> {
    loop {
        let (exit, mut watched) = check_all(command, screen)?;
        if !command.watch {
            return Ok(exit);
        }
        screen.flush()?;
        let file = watched.wait_for_one();
        screen.clear_watched()?;
        screen.print_note(&format!("\n{file} has changed"))?;
    }
}

fn check_all(command: &Check, screen: &mut Screen) -> Result<(Exit, WatchedFiles), Failure> {
    let (mut wrong, mut worst, mut watched) = (0, Exit::Fine, WatchedFiles::default());
    let files = files(command)?;
    for word in &files {
        let mut sources = Sources::default();
        let exit = match find_here(word) {
            Ok(found) => check_file(command, word, &found, &mut sources, screen)?,
            Err(error) => {
                print_findings(command, &sources, &Diagnostics::of(error), screen)?;
                Exit::No
            }
        };
        wrong += usize::from(exit != Exit::Fine);
        if worst != Exit::Fault && exit != Exit::Fine {
            worst = exit;
        }
        watched.add_sources(&sources, Path::new(word));
    }
    if files.len() > 1 && command.format == FindingFormat::Human {
        let right = files.len() - wrong;
        screen.print_line(&format!("{right} without errors, {wrong} with errors"))?;
    }
    Ok((worst, watched))
}

/// The files that the command names; a folder stands for the games in it and below.
fn files(command: &Check) -> Result<Vec<String>, HostError> {
    let here = [".".to_owned()];
    let words = if command.files.is_empty() { &here[..] } else { &command.files };
    let mut found = Vec::new();
    for word in words {
        if !Path::new(word).is_dir() || bundled::find_bundled(word).is_some() {
            found.push(word.clone());
            continue;
        }
        let before = found.len();
        // What cannot be read is reported when it is checked.
        let is_game =
            |path: &Path| disk::read_text(path).map_or(true, |text| files::is_game(&text));
        let games =
            files::list_game_files(Path::new(word))?.into_iter().filter(|path| is_game(path));
        found.extend(games.map(|path| path.display().to_string()));
        if found.len() == before {
            return Err(HostError::NoGames { place: word.clone() });
        }
    }
    Ok(found)
}

fn check_file(
    command: &Check,
    word: &str,
    found: &FoundText,
    sources: &mut Sources,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    screen.note_namesake(found)?;
    let all = command.all_settings;
    let check = if all { pipeline::check_all_settings } else { pipeline::check };
    let mut checked = check(sources, &found.as_opened());
    if let Some(rules) = checked.rules.as_ref().filter(|_| command.book) {
        checked.diagnostics.extend(notes_that_hide(&rules.rules, &Budget::default()));
    }
    print_findings(command, sources, &checked.diagnostics, screen)?;
    let Some(rules) = checked.rules else {
        return Ok(Exit::No);
    };
    let is_human = command.format == FindingFormat::Human;
    if command.explain_secrets && is_human {
        rules
            .rules
            .heard
            .iter()
            .try_for_each(|heard| screen.print_line(&explain_hearers(heard, sources)))?;
    }
    if let Some(games) = command.play {
        let fixed = fixed(command, found, sources)?;
        let (ruleset, seed, engine) =
            (&rules, command.seed, command.engine.unwrap_or(EngineChoice::Auto));
        let random = RandomGames { word, ruleset, games, seed, fixed, engine };
        let exit = random.check_games(is_human, screen)?;
        if exit != Exit::Fine {
            return Ok(exit);
        }
    }
    let text = match command.emit {
        Some(Emit::Ast) => dump(&checked.ast.items),
        Some(Emit::Rules) => dump(&as_declared(&rules.rules)),
        Some(Emit::Bytecode) => disassemble(load_checked(command, found, sources)?.program()),
        None if is_human => format!("{}: {}", found.name, findings::summary(&checked.diagnostics)),
        None => return Ok(Exit::Fine),
    };
    screen.print_line(text.trim_end())?;
    Ok(Exit::Fine)
}

/// Who hears an argument of a move, and why.
fn explain_hearers(heard: &ArgumentHearers, sources: &Sources) -> String {
    let line = |span: Span| {
        let source = sources.find(span).expect("the checker read it");
        format!("{}:{}", source.name, source.place(span.start).line)
    };
    let (name, place) = (&heard.name, line(heard.place));
    match heard.all {
        Some(all) => {
            format!("{}: all hear {name}: {all} announces it", line(heard.span), all = line(all))
        }
        None => {
            let source = sources.find(heard.place).expect("the checker read it");
            let code = source.slice(heard.place).lines().next().unwrap_or_default();
            format!(
                "{}: others hear `?` in {name}; only those who see `{code}` ({place}) learn it",
                line(heard.span)
            )
        }
    }
}

/// The settings that the command fixes for random games.
fn fixed(command: &Check, found: &FoundText, sources: &Sources) -> Result<FixedSettings, Failure> {
    let TableArgs { players, names, options } = &command.table;
    if players.is_none() && names.is_empty() && options.is_empty() {
        return Ok(FixedSettings::default());
    }
    let game = load_checked(command, found, sources)?;
    let setting = game.setting();
    let named = |name: &str| options.iter().any(|(option, _)| option == name);
    let declared = game.rules().options.iter().zip(&setting.options);
    Ok(FixedSettings {
        players: (players.is_some() || !names.is_empty()).then_some(setting.players),
        options: declared.map(|(it, value)| named(&it.name).then(|| value.clone())).collect(),
    })
}

/// Shows what was found: JSON is the result, a drawing is not.
fn print_findings(
    command: &Check,
    sources: &Sources,
    found: &Diagnostics,
    screen: &mut Screen,
) -> Result<(), Failure> {
    match command.format {
        FindingFormat::Human => screen.report_findings(sources, found)?,
        FindingFormat::Json => screen.print_json(&findings::findings_to_json(sources, found))?,
    }
    Ok(())
}

/// The rules without the tables that the checker computes of boards.
fn as_declared(rules: &Rules) -> Rules {
    let mut rules = rules.clone();
    for table in rules.tables.iter_mut().filter(|table| table.is_computed()) {
        table.cells = Vec::new().into();
    }
    let columns = rules.kinds.iter_mut().flat_map(|kind| &mut kind.columns);
    columns.filter(|column| column.is_computed()).for_each(|column| column.cells.clear());
    rules
}

/// Loads a game; a failure points into the texts that were checked before.
fn load_checked(command: &Check, found: &FoundText, sources: &Sources) -> Result<Game, Failure> {
    files::load_game(found, &command.table.setup(), Sources::default()).map_err(|failure| {
        match failure {
            Failure::Findings { diagnostics, .. } => files::refuse_findings(sources, diagnostics),
            other @ (Failure::Stream(_) | Failure::Said(_)) => other,
        }
    })
}
