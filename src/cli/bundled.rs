//! The games inside the program.

use std::{fs, path::Path};

use super::args::GamesArgs;
use super::error::CliError;
use super::files;
use super::screen::{CliFailure, Exit, Screen};
use super::writing::{self, FileForm, Overwrite};
pub(super) use crate::load::bundled::{Bundled, Inside, find_bundled, games, read_bundled};
use crate::pipeline;
use crate::source::Sources;
use crate::suggest::nearest;
use crate::syntax::ast::ItemKind;

pub(super) fn unknown_game(word: &str) -> CliError {
    let games = games();
    let names = || games.iter().map(|game| game.name.as_str());
    let finished: Vec<&str> = names().filter(|name| !name.contains('/')).collect();
    let all = match finished.as_slice() {
        [] => "give the path of a `.game` file".to_owned(),
        names => format!("give the path of a `.game` file, or one of {}", names.join(", ")),
    };
    let help = match nearest(word, names()) {
        Some(near) => format!("did you mean `{near}`? Else {all}"),
        None => all,
    };
    CliError::UnknownGame { name: word.to_owned(), help }
}

pub(super) fn games_command(command: &GamesArgs, screen: &mut Screen) -> Result<Exit, CliFailure> {
    match command.write.as_slice() {
        [game, folder] => {
            export_game(game, Path::new(folder), &Overwrite::flag(command.force), screen)
        }
        _ => list_games(screen),
    }
}

/// Writes the files of a bundled game into a folder; none of them if one may not be replaced.
fn export_game(
    name: &str,
    folder: &Path,
    overwrite: &Overwrite,
    screen: &mut Screen,
) -> Result<Exit, CliFailure> {
    const NEW: FileForm = FileForm { called: "empty", is: str::is_empty };
    let game = find_bundled(name).ok_or_else(|| unknown_game(name))?;
    let files: Vec<_> =
        game.files().into_iter().map(|(file, text)| (folder.join(file), text)).collect();
    for (path, _) in &files {
        let inside = path.parent().map_or(Ok(()), fs::create_dir_all);
        inside.map_err(|error| files::unwritable(path, &error))?;
        writing::check_writable(path, NEW, overwrite)?;
    }
    for (path, text) in &files {
        writing::write_file(path, text, NEW, overwrite)?;
        screen.print_line(&path.display().to_string())?;
    }
    Ok(Exit::Fine)
}

/// Lists the bundled games: name, how many play, title and the first line of the note.
pub(super) fn list_games(screen: &mut Screen) -> Result<Exit, CliFailure> {
    let games = games();
    let width = games.iter().map(|game| game.name.chars().count()).max().unwrap_or(0);
    for game in &games {
        let checked =
            pipeline::check_once(&mut Sources::default(), &game.to_opened(&game.folder()));
        let facts = checked.rules.map_or_else(
            || "(has errors)".to_owned(),
            |ruleset| {
                let rules = &ruleset.rules;
                let players = match rules.players {
                    (fewest, most) if fewest == most => fewest.to_string(),
                    (fewest, most) => format!("{fewest}-{most}"),
                };
                let mut items = checked.ast.items.iter();
                let declared = items.find(|item| matches!(item.kind, ItemKind::Game(_)));
                let note = declared.and_then(|item| item.notes.first());
                let note = note.map_or_else(String::new, |note| format!(": {note}"));
                format!("{players:>4} players  {}{note}", rules.title)
            },
        );
        screen.print_line(&format!("{:width$}  {facts}", game.name))?;
    }
    Ok(Exit::Fine)
}
