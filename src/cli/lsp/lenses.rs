//! Code lenses: play a game, run a script. The editor executes their commands.

use std::fs;
use std::path::{Path, PathBuf};

use lsp_types::{CodeLens, Command, Position, Range, Uri};

use super::addresses::path_of;
use super::open_documents::{OpenDocuments, is_script};

/// The lenses of a file that lies in a folder.
pub(super) fn lenses(desk: &OpenDocuments, uri: &Uri) -> Option<Vec<CodeLens>> {
    let path = path_of(uri)?;
    if is_script(uri) {
        return Some(vec![lens(Range::default(), "▶ run script", "astragal.run", &path)]);
    }
    let (open, document) = desk.game(uri)?;
    let Some(game) = document.game() else { return Some(Vec::new()) };
    let start = open.lines.range(&open.source, game).start;
    let range = Range { start, end: Position { line: start.line, character: start.character + 4 } };
    let mut lenses = vec![lens(range, "▶ play", "astragal.play", &path)];
    if let Some((folder, count)) = scripts(&path) {
        let noun = if count == 1 { "script" } else { "scripts" };
        lenses.push(lens(range, &format!("▶ run {count} {noun}"), "astragal.run", &folder));
    }
    Some(lenses)
}

/// The folder with the scripts of a game, which is its own or the `scripts` in it, and how many
/// there are.
fn scripts(game: &Path) -> Option<(PathBuf, usize)> {
    let beside = game.parent()?;
    let folders = [beside.join("scripts"), beside.to_owned()];
    folders.into_iter().find_map(|folder| {
        let entries = fs::read_dir(&folder).ok()?.flatten();
        let is_script = |path: &PathBuf| path.extension().is_some_and(|it| it == "script");
        let count = entries.map(|entry| entry.path()).filter(is_script).count();
        (count > 0).then_some((folder, count))
    })
}

fn lens(range: Range, title: &str, command: &str, path: &Path) -> CodeLens {
    let command = Command {
        title: title.to_owned(),
        command: command.to_owned(),
        arguments: Some(vec![path.display().to_string().into()]),
    };
    CodeLens { range, command: Some(command), data: None }
}
