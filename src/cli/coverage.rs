//! What never ran in many games, and what was cut off, drawn on the rules.

use miette::{Diagnostic, LabeledSpan};
use thiserror::Error;

use super::results::{Placed, Results};
use super::screen::{Failure, Screen};
use crate::diagnostic::Diagnostics;
use crate::source::{Sources, Span};

/// Places of the rules that no playout passed.
#[derive(Debug, Error, Diagnostic)]
#[error("{count} of the rules never ran in {playouts} playouts{setting}", count = many(places.len() as u64, "place"))]
#[diagnostic(
    severity(Advice),
    help("play more, seat other bots, or ask whether the rules ever need this")
)]
struct NeverRan {
    playouts: u64,
    setting: String,
    #[label(collection)]
    places: Vec<LabeledSpan>,
}

/// Places of the rules where players got less than they gained.
#[derive(Debug, Error, Diagnostic)]
#[error("`gains` was cut off at the top, {times} in {games}{setting}", times = often(*times), games = many(*games, "game"))]
#[diagnostic(
    severity(Warning),
    help(
        "if that is meant, write `gains … or lose the rest`; else give the coin a higher top, or \
         none: `0..`"
    )
)]
struct CutOff {
    times: u64,
    games: u64,
    setting: String,
    #[label(collection)]
    places: Vec<LabeledSpan>,
}

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
    let label = |(span, cut): &(Span, u64)| {
        LabeledSpan::new_with_span(Some(format!("cut off {}", often(*cut))), *span)
    };
    let places = cut_off.iter().map(label).collect();
    let all = cut_off.iter().map(|(_, times)| times).sum();
    let cut_off = CutOff { times: all, games, setting: setting.to_owned(), places };
    Ok(screen.show(sources, &Diagnostics::of(cut_off))?)
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
        let label = |place: &Placed| {
            LabeledSpan::new_with_span(Some(format!("{} never ran", place.what)), place.span)
        };
        let places: Vec<LabeledSpan> = run.never_run(tally).map(label).collect();
        if places.is_empty() {
            continue;
        }
        let never_ran = NeverRan { playouts: tally.playouts, setting, places };
        screen.line("")?;
        screen.show(sources, &Diagnostics::of(never_ran))?;
    }
    Ok(())
}

fn often(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { format!("{times} times") }
}

fn many(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
