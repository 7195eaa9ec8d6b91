//! `astragal check`: everything that is wrong with files.

use std::path::Path;

use super::args::{Check, Emit, Format, Table};
use super::files::{self, Found};
use super::random_check::{self, Fixed, Trial};
use super::screen::{Exit, Failure, Screen};
use super::{bundled, coverage, error::CliError, report, watch::Watched};
use crate::bytecode::disassemble::disassemble;
use crate::chance::Seed;
use crate::check::rules::Rules;
use crate::diagnostic::Diagnostics;
use crate::dump::dump;
use crate::game::Game;
use crate::pipeline::{self, Checked};
use crate::source::Sources;

pub(super) fn check(command: &Check, screen: &mut Screen) -> Result<Exit, Failure> {
    loop {
        let (exit, mut watched) = check_all(command, screen)?;
        if !command.watch {
            return Ok(exit);
        }
        screen.flush()?;
        let file = watched.wait_for_one();
        screen.clear()?;
        screen.note(&format!("\n{file} has changed"))?;
    }
}

fn check_all(command: &Check, screen: &mut Screen) -> Result<(Exit, Watched), Failure> {
    let (mut wrong, mut watched) = (0, Watched::default());
    let files = files(command)?;
    for word in &files {
        let mut sources = Sources::default();
        let fine = match files::find(word, Path::new("")) {
            Ok(found) => check_file(command, word, &found, &mut sources, screen)?,
            Err(error) => {
                show(command, &sources, &Diagnostics::of(error), screen)?;
                false
            }
        };
        wrong += usize::from(!fine);
        watched.add(&sources, Path::new(word));
    }
    if files.len() > 1 && command.format == Format::Human {
        let right = files.len() - wrong;
        screen.line(&format!("{right} without errors, {wrong} with errors"))?;
    }
    Ok((if wrong == 0 { Exit::Fine } else { Exit::No }, watched))
}

/// The files that the command names; a folder stands for the games in it and below.
fn files(command: &Check) -> Result<Vec<String>, CliError> {
    let here = [".".to_owned()];
    let words = if command.files.is_empty() { &here[..] } else { &command.files };
    let mut found = Vec::new();
    for word in words {
        if !Path::new(word).is_dir() || bundled::find(word).is_some() {
            found.push(word.clone());
            continue;
        }
        let before = found.len();
        // What cannot be read is reported when it is checked.
        let is_game = |path: &Path| files::read(path).map_or(true, |text| files::is_game(&text));
        let games = files::below(Path::new(word))?.into_iter().filter(|path| is_game(path));
        found.extend(games.map(|path| path.display().to_string()));
        if found.len() == before {
            return Err(CliError::NoGames { place: word.clone() });
        }
    }
    Ok(found)
}

fn check_file(
    command: &Check,
    word: &str,
    found: &Found,
    sources: &mut Sources,
    screen: &mut Screen,
) -> Result<bool, Failure> {
    screen.note_namesake(found)?;
    let all = command.all_settings;
    let check = if all { pipeline::check_all_settings } else { pipeline::check };
    let checked = check(sources, &found.opened());
    show(command, sources, &checked.diagnostics, screen)?;
    if checked.diagnostics.has_errors() || !play(command, word, found, &checked, sources, screen)? {
        return Ok(false);
    }
    if let Some(stage) = command.emit {
        screen.line(stage_text(stage, command, &checked, found, sources)?.trim_end())?;
    } else if command.format == Format::Human {
        let summary = report::summary(&checked.diagnostics);
        screen.line(&format!("{}: {summary}", found.name))?;
    }
    Ok(true)
}

/// Plays random games if the command asks for them; whether nothing went wrong.
fn play(
    command: &Check,
    word: &str,
    found: &Found,
    checked: &Checked,
    sources: &Sources,
    screen: &mut Screen,
) -> Result<bool, Failure> {
    let (Some(games), Some(rules)) = (command.play, &checked.rules) else { return Ok(true) };
    let fixed = fixed(command, found, sources)?;
    let Trial { mistakes, cut_off, games: played } =
        random_check::play(rules, games, Seed(command.seed), &fixed);
    random_check::report(word, &mistakes, sources, screen)?;
    let cut_off: Vec<_> = cut_off.into_iter().collect();
    coverage::draw_cut_off(&cut_off, played, "", sources, screen)?;
    if command.format == Format::Human && mistakes.is_empty() {
        screen.line(&format!("{word}: {games} random games, nothing went wrong"))?;
    }
    Ok(mistakes.is_empty())
}

/// What the command says of the settings of the random games.
fn fixed(command: &Check, found: &Found, sources: &Sources) -> Result<Fixed, Failure> {
    let Table { players, names, options } = &command.table;
    if players.is_none() && names.is_empty() && options.is_empty() {
        return Ok(Fixed::default());
    }
    let game = load(command, found, sources)?;
    let setting = game.setting();
    let declared = game.rules().options.iter().zip(&setting.options);
    let named = |name: &str| options.iter().any(|(option, _)| option == name);
    Ok(Fixed {
        players: (players.is_some() || !names.is_empty()).then_some(setting.players),
        options: declared
            .filter(|(option, _)| named(&option.name))
            .map(|(option, value)| (option.name.clone(), value.clone()))
            .collect(),
    })
}

/// Shows what was found: JSON is the result, a drawing is not.
fn show(
    command: &Check,
    sources: &Sources,
    found: &Diagnostics,
    screen: &mut Screen,
) -> Result<(), Failure> {
    match command.format {
        Format::Human => screen.report(sources, found)?,
        Format::Json => screen.json(&report::json(sources, found))?,
    }
    Ok(())
}

fn stage_text(
    stage: Emit,
    command: &Check,
    checked: &Checked,
    found: &Found,
    sources: &Sources,
) -> Result<String, Failure> {
    let rules = checked.rules.as_ref().expect("a file without errors has rules");
    Ok(match stage {
        Emit::Ast => dump(&checked.ast.items),
        Emit::Rules => dump(&as_declared(&rules.rules)),
        Emit::Bytecode => disassemble(load(command, found, sources)?.program()),
    })
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
fn load(command: &Check, found: &Found, sources: &Sources) -> Result<Game, Failure> {
    files::load(found, &command.table, Sources::default()).map_err(|failure| match failure {
        Failure::Findings { diagnostics, exit, .. } => {
            Failure::Findings { sources: sources.clone(), diagnostics, exit }
        }
        other @ Failure::Stream(_) => other,
    })
}
