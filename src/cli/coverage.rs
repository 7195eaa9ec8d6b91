//! What never ran in many games, and what was cut off, drawn on the rules.

use super::results::{Placed, Results};
use super::screen::{Failure, Screen};
use crate::diagnostic::{Diagnostic, Diagnostics, Label, Severity};
use crate::source::{Sources, Span};

/// Draws where `gains` was cut off in so many games; nothing if it never was.
pub(super) fn draw_cut_off(
    cut_off: &[(Span, u64)],
    games: u64,
    setting: &str,
    sources: &Sources,
    screen: &mut Screen,
) -> Result<(), Failure> {
    if cut_off.is_empty() {
        return Ok(());
    }
    let times = often(cut_off.iter().map(|(_, times)| times).sum());
    let games = many(games, "game");
    let message = format!("`gains` was cut off at the top, {times} in {games}{setting}");
    let label = |(span, cut): &(Span, u64)| Label::new(*span, format!("cut off {}", often(*cut)));
    let found = Diagnostic::new(None, message)
        .with_severity(Severity::Warning)
        .with_labels(cut_off.iter().map(label))
        .with_help(
            &"if that is meant, write `gains … or lose the rest`; else give the coin a higher top, \
             or none: `0..`",
        );
    Ok(screen.show(sources, &Diagnostics::of(found))?)
}

/// Draws what never ran and what was cut off, for each setting.
pub(super) fn draw(results: &Results, screen: &mut Screen) -> Result<(), Failure> {
    let sources = &results.sources;
    for (number, (run, tally)) in results.runs.iter().zip(&results.played.tallies).enumerate() {
        let setting = results.varied.as_ref().map_or_else(String::new, |option| {
            format!(" with {option} = {}", results.value(number))
        });
        let cut_off: Vec<_> =
            run.cut_off(tally).map(|(place, times)| (place.span, times)).collect();
        if !cut_off.is_empty() {
            screen.line("")?;
            draw_cut_off(&cut_off, tally.playouts, &setting, sources, screen)?;
        }
        let label = |place: &Placed| Label::new(place.span, format!("{} never ran", place.what));
        let places: Vec<Label> = run.never_run(tally).map(label).collect();
        if places.is_empty() {
            continue;
        }
        let (count, playouts) = (many(places.len() as u64, "place"), tally.playouts);
        let message = format!("{count} of the rules never ran in {playouts} playouts{setting}");
        let found = Diagnostic::new(None, message)
            .with_severity(Severity::Advice)
            .with_labels(places)
            .with_help(&"play more, seat other bots, or ask whether the rules ever need this");
        screen.line("")?;
        screen.show(sources, &Diagnostics::of(found))?;
    }
    Ok(())
}

fn often(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { format!("{times} times") }
}

fn many(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
