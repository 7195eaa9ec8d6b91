//! `run --review`: shows what scripts expect otherwise, change by change, and writes what is accepted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::host::{disk, exit::Failure, findings, screen::Screen, writing};
use crate::session::{Edit, edited};

/// The changes that a script needs to expect what happens.
pub(super) struct ScriptChanges {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) edits: Vec<Edit>,
}

const KEYS: &str = "a accepts, k keeps the script as it is, s stops";

/// Asks about each change, once about those that are alike; what was accepted is written at the end.
pub(super) fn review(all: &[ScriptChanges], screen: &mut Screen) -> Result<(), Failure> {
    // In the order of their first place.
    let mut alike: Vec<(String, Vec<(usize, usize)>)> = Vec::new();
    for (script, changes) in all.iter().enumerate() {
        for (number, edit) in changes.edits.iter().enumerate() {
            let shown = difference(&changes.text, edit);
            match alike.iter_mut().find(|(known, _)| *known == shown) {
                Some((_, places)) => places.push((script, number)),
                None => alike.push((shown, vec![(script, number)])),
            }
        }
    }
    let mut accepted: BTreeMap<usize, Vec<&Edit>> = BTreeMap::new();
    'review: for (number, (shown, places)) in alike.iter().enumerate() {
        let (script, edit) = places[0];
        let (ScriptChanges { path, text, .. }, edit) = (&all[script], &all[script].edits[edit]);
        let start = edit.changes.first().map_or(0, |(range, _)| range.start);
        let at = text[..start].matches('\n').count() + 1;
        let place = format!("{}:{at}", disk::display_path(path));
        screen.print_line(&format!("\n{place} ({} of {})", number + 1, alike.len()))?;
        for line in shown.lines() {
            let style = findings::style_of_change(line).unwrap_or_default();
            screen.styled_text(style, line)?;
            screen.print_line("")?;
        }
        let keys = match places.len() {
            1 => KEYS.to_owned(),
            count => format!("{KEYS}; this change is in {count} places, and all are accepted"),
        };
        loop {
            screen.print_line(&keys)?;
            screen.flush()?;
            let Some(typed) = disk::read_line()? else { break 'review };
            match typed.as_str() {
                "a" | "accept" => {
                    for (script, number) in places {
                        accepted.entry(*script).or_default().push(&all[*script].edits[*number]);
                    }
                }
                "k" | "keep" => {}
                "s" | "stop" => break 'review,
                _ => continue,
            }
            break;
        }
    }
    for (script, edits) in accepted {
        let ScriptChanges { path, text, .. } = &all[script];
        writing::edit(path, &edited(text, edits))?;
        screen.print_line(&format!("{}: written", disk::display_path(path)))?;
    }
    Ok(())
}

/// The lines that go and those that come, marked as such.
fn difference(text: &str, edit: &Edit) -> String {
    let lines = edit.changes.iter().flat_map(|(range, new)| {
        let old = text[range.clone()].lines().map(|line| format!("-{line}\n"));
        old.chain(new.lines().map(|line| format!("+{line}\n")))
    });
    lines.collect()
}
