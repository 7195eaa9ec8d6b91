//! `astragal games`: what is inside the program.

use super::bundled::{self, Bundled};
use super::screen::{Exit, Failure, Screen};
use crate::pipeline;
use crate::source::Sources;
use crate::syntax::ast::{Ast, ItemKind};

pub(super) fn games(screen: &mut Screen) -> Result<Exit, Failure> {
    for line in lines() {
        screen.line(&line)?;
    }
    Ok(Exit::Fine)
}

pub(super) fn names() -> Vec<String> {
    bundled::games().into_iter().map(|game| game.name).collect()
}

/// One line a game: its name, how many play, its title and the first line of its note.
pub(super) fn lines() -> Vec<String> {
    let games = bundled::games();
    let width = games.iter().map(|game| game.name.chars().count()).max().unwrap_or(0);
    games.iter().map(|game| format!("{:width$}  {}", game.name, facts(game))).collect()
}

fn facts(game: &Bundled) -> String {
    let mut sources = Sources::default();
    let checked = pipeline::check_once(&mut sources, &game.opened(&game.folder()));
    let Some(rules) = checked.rules else { return "(has errors)".to_owned() };
    let players = match rules.rules.players {
        (fewest, most) if fewest == most => fewest.to_string(),
        (fewest, most) => format!("{fewest}-{most}"),
    };
    let note = first_note(&checked.ast).map_or_else(String::new, |note| format!(": {note}"));
    format!("{players:>4} players  {}{note}", rules.rules.title)
}

/// The first `##` line above the `game` declaration.
fn first_note(ast: &Ast) -> Option<&str> {
    let game = ast.items.iter().find(|item| matches!(item.kind, ItemKind::Game(_)))?;
    game.notes.first().map(String::as_str)
}
