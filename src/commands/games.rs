//! `astragal games`: lists the games inside the program, or writes the files of one.

use std::{fs, path::Path};

use crate::commands::args::GamesArgs;
use crate::host::exit::{Exit, Failure};
use crate::host::writing::{self, FileForm, Overwrite};
use crate::host::{disk, game_files::unknown_game, screen::Screen};
use crate::load::bundled::{bundled_games, find_bundled};
use crate::pipeline;
use crate::rules::join_ranges;
use crate::source::Sources;
use crate::syntax::ast::ItemKind;

pub(super) fn games_command(command: &GamesArgs, screen: &mut Screen) -> Result<Exit, Failure> {
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
) -> Result<Exit, Failure> {
    const NEW: FileForm = FileForm { called: "empty", is: str::is_empty };
    let game = find_bundled(name).ok_or_else(|| unknown_game(name))?;
    let files: Vec<_> =
        game.files().into_iter().map(|(file, text)| (folder.join(file), text)).collect();
    for (path, _) in &files {
        let inside = path.parent().map_or(Ok(()), fs::create_dir_all);
        inside.map_err(|error| disk::unwritable(path, &error))?;
        writing::check_writable(path, NEW, overwrite)?;
    }
    for (path, text) in &files {
        writing::write_file(path, text, NEW, overwrite)?;
        screen.print_line(&path.display().to_string())?;
    }
    Ok(Exit::Fine)
}

/// Lists the bundled games: name, how many play, title and the first line of the note.
fn list_games(screen: &mut Screen) -> Result<Exit, Failure> {
    let games = bundled_games();
    let width = games.iter().map(|game| game.name.chars().count()).max().unwrap_or(0);
    for game in &games {
        let checked = pipeline::check_without_compiling(
            &mut Sources::default(),
            &game.to_opened(&game.folder()),
        );
        let facts = checked.rules.map_or_else(
            || "(has errors)".to_owned(),
            |ruleset| {
                let rules = &ruleset.rules;
                let players = join_ranges(rules.player_counts(), "-").join(",");
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
