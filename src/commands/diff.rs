//! `astragal diff`: what a variant changes, in the words of the rulebook and in play.

use std::collections::BTreeMap;

use similar::{ChangeTag, TextDiff};

use crate::budget::Budget;
use crate::commands::{args::Diff, simulate::random_playouts};
use crate::diagnostic::Diagnostics;
use crate::host::exit::{Exit, Failure};
use crate::host::files::{self, TableSetup};
use crate::host::report::rows::{align_columns, to_row};
use crate::host::report::{answers, results::Results};
use crate::host::{report::compare_with_baseline, screen::Screen};
use crate::rulebook::{Edition, Rulebook, rulebook};
use crate::simulate::Millionths;

pub(super) fn diff(command: &Diff, screen: &mut Screen) -> Result<Exit, Failure> {
    let (old, old_values) = write_game_book(&command.old, screen)?;
    let (new, new_values) = write_game_book(&command.new, screen)?;
    screen.print_line(&format!("{} → {}", old.title, new.title))?;
    let [before, after] = [&old, &new].map(|book| book.opening.replace(". ", ".\n"));
    let mut is_same = print_part_diff("About the game", &before, &after, screen)?;
    let gone = old.parts.iter().filter(|part| new.part(part.word).is_none());
    for own in new.parts.iter().chain(gone) {
        let text = |book: &Rulebook| book.part(own.word).map(|part| part.text.clone());
        let [before, after] = [text(&old), text(&new)].map(Option::unwrap_or_default);
        is_same &= print_part_diff(own.heading, &before, &after, screen)?;
    }
    let lines = |values: &BTreeMap<String, String>, others: &BTreeMap<String, String>| -> String {
        let in_both = values.iter().filter(|(name, _)| others.contains_key(*name));
        in_both.map(|(name, value)| [name, " = ", value, "\n"].concat()).collect()
    };
    let [before, after] = [lines(&old_values, &new_values), lines(&new_values, &old_values)];
    is_same &= print_part_diff("Values", &before, &after, screen)?;
    if is_same {
        screen.print_line("\nBoth rulebooks say the same.")?;
    }
    command.play.map_or(Ok(Exit::Fine), |playouts| in_play(command, playouts, screen))
}

/// Plays both by random bots: whether each is fair, what differs clearly, and which moves are taken how often.
fn in_play(command: &Diff, playouts: u64, screen: &mut Screen) -> Result<Exit, Failure> {
    let old = random_playouts(&command.old, playouts, screen)?;
    let mut new = random_playouts(&command.new, playouts, screen)?;
    screen.print_line(&format!("\nIn play, {playouts} random games of each"))?;
    for results in [&old, &new] {
        let said = answers(results, 0, &results.played.tallies[0]);
        screen.print_line(&format!("  {}: {}", results.head.title, said[0]))?;
    }
    let moves = changed_moves(&old, &new);
    if old.head.names.len() == new.head.names.len() {
        new.baseline = Some((old.head.title.clone(), Box::new(old)));
        let said = compare_with_baseline(&new);
        said.iter().try_for_each(|sentence| screen.print_line(&format!("  {sentence}")))?;
    }
    if moves.len() > 1 {
        screen.print_text(&format!("\n{}", align_columns(&moves)))?;
    }
    Ok(Exit::Fine)
}

/// How often a game takes each move that only one of two has, or whose number changes by a tenth and more.
fn changed_moves(old: &Results, new: &Results) -> Vec<Vec<String>> {
    let taken = |results: &Results| -> BTreeMap<String, Millionths> {
        let tally = &results.played.tallies[0];
        let games = i128::from(tally.sampled.max(1));
        let a_game = |taken: u64| Millionths::ratio(i128::from(taken), games);
        tally.moves.iter().map(|(name, used)| (name.clone(), a_game(used.taken))).collect()
    };
    let [old, new] = [taken(old), taken(new)];
    let mut rows = vec![to_row(&["taken in a game", "before", "now"])];
    let shown =
        |number: Option<&Millionths>| number.map_or_else(|| "-".to_owned(), |it| it.places(2));
    for name in old.keys().chain(new.keys().filter(|name| !old.contains_key(*name))) {
        let (before, now) = (old.get(name), new.get(name));
        let is_alike = match (before, now) {
            (Some(a), Some(b)) => (a.0 - b.0).abs() * 10 < a.0.max(b.0),
            _ => false,
        };
        if !is_alike {
            rows.push(to_row(&[name, &shown(before), &shown(now)]));
        }
    }
    rows
}

/// The rulebook for every number of players and every option, and the constants as the file gives them.
fn write_game_book(
    game: &str,
    screen: &mut Screen,
) -> Result<(Rulebook, BTreeMap<String, String>), Failure> {
    let table = TableSetup::default();
    let (_, game) = files::open_game(game, &table, screen)?;
    let (rules, sources) = (game.rules(), game.sources());
    let edition = Edition { rules, sources, settings: &[], variants: &[] };
    let value = |span| {
        let text = sources.find(span).map_or("", |source| source.slice(span));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let constants = rules.constants.iter();
    let values = constants.map(|it| (it.name.clone(), value(it.value.span))).collect();
    let book = rulebook(&edition, &Budget::default())
        .map_err(|finding| files::refuse_findings(sources, Diagnostics::of(finding)))?;
    Ok((book, values))
}

/// Writes the lines of a part that only one of two books has, under the heading inside the part that they stand below;
/// whether there are none.
fn print_part_diff(
    heading: &str,
    old: &str,
    new: &str,
    screen: &mut Screen,
) -> Result<bool, Failure> {
    let (before, after) = (sections(old), sections(new));
    let is_new = |name: &&str| !before.iter().any(|(known, _)| known == name);
    let names = before.iter().map(|(name, _)| *name);
    let names = names.chain(after.iter().map(|(name, _)| *name).filter(is_new));
    let mut is_same = true;
    for name in names {
        let [before, after] = [&before, &after].map(|all| {
            let found = all.iter().filter(|(known, _)| *known == name);
            found.flat_map(|(_, lines)| lines.iter().copied()).collect::<Vec<_>>()
        });
        let diff = TextDiff::from_slices(&before, &after);
        let mut is_headed = name.is_empty();
        for change in diff.iter_all_changes() {
            let sign = match change.tag() {
                ChangeTag::Equal => continue,
                ChangeTag::Delete => "-",
                ChangeTag::Insert => "+",
            };
            if std::mem::replace(&mut is_same, false) {
                screen.print_line(&format!("\n{heading}"))?;
            }
            if !std::mem::replace(&mut is_headed, true) {
                screen.print_line(&format!("  {name}"))?;
            }
            screen.print_line(&format!("{sign} {}", change.value()))?;
        }
    }
    Ok(is_same)
}

/// The lines that are not empty, below each heading `### …`; those before the first heading stand under "".
fn sections(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut sections = vec![("", Vec::new())];
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        match line.strip_prefix("### ") {
            Some(heading) => sections.push((heading, Vec::new())),
            None => sections.last_mut().expect("there is a first section").1.push(line),
        }
    }
    sections
}
