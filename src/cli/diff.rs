//! `astragal diff`: what a variant changes, in the words of the rulebook.

use similar::{ChangeTag, TextDiff};

use super::args::{Diff, Table};
use super::files;
use super::screen::{Exit, Failure, Screen};
use crate::budget::Budget;
use crate::diagnostic::Diagnostics;
use crate::rulebook::{Edition, Rulebook, rulebook};

pub(super) fn diff(command: &Diff, screen: &mut Screen) -> Result<Exit, Failure> {
    let old = book(&command.old, screen)?;
    let new = book(&command.new, screen)?;
    screen.line(&format!("{} → {}", old.title, new.title))?;
    let mut is_same = part("About the game", &old.opening, &new.opening, screen)?;
    let gone = old.parts.iter().filter(|part| new.part(part.word).is_none());
    for own in new.parts.iter().chain(gone) {
        let text = |book: &Rulebook| book.part(own.word).map(|part| part.text.clone());
        let [before, after] = [text(&old), text(&new)].map(Option::unwrap_or_default);
        is_same &= part(own.heading, &before, &after, screen)?;
    }
    if is_same {
        screen.line("\nBoth rulebooks say the same.")?;
    }
    Ok(Exit::Fine)
}

/// The rulebook for every number of players and every option.
fn book(game: &str, screen: &mut Screen) -> Result<Rulebook, Failure> {
    let table = Table { players: None, names: Vec::new(), options: Vec::new() };
    let (_, game) = files::open(game, &table, screen)?;
    let (rules, sources) = (game.rules(), game.sources());
    let edition = Edition { rules, sources, setting: None, variants: &[] };
    rulebook(&edition, &Budget::default())
        .map_err(|finding| files::refuse(sources, Diagnostics::of(finding)))
}

/// Writes the lines of a part that only one of two books has, under the heading inside the part that they stand below;
/// whether there are none.
fn part(heading: &str, old: &str, new: &str, screen: &mut Screen) -> Result<bool, Failure> {
    let diff = TextDiff::from_lines(old, new);
    let (mut is_same, mut below) = (true, None);
    for change in diff.iter_all_changes().filter(|change| !change.value().trim().is_empty()) {
        let line = change.value().trim_end();
        let sign = match change.tag() {
            ChangeTag::Equal => {
                below = line.strip_prefix("### ").or(below);
                continue;
            }
            ChangeTag::Delete => "-",
            ChangeTag::Insert => "+",
        };
        if is_same {
            screen.line(&format!("\n{heading}"))?;
            is_same = false;
        }
        if let Some(below) = below.take() {
            screen.line(&format!("  {below}"))?;
        }
        screen.line(&format!("{sign} {line}"))?;
    }
    Ok(is_same)
}
