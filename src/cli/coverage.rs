//! What never ran in a simulation, drawn on the rules.

use miette::{Diagnostic, LabeledSpan};
use thiserror::Error;

use super::results::Results;
use super::screen::{Failure, Screen};
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::simulate::Points;

/// Places of the rules that no playout passed.
#[derive(Debug, Error, Diagnostic)]
#[error("{count} of the rules never ran in {playouts} playouts{setting}", count = counted(places.len()))]
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

/// Draws what never ran, for each setting.
pub(super) fn draw(games: &[Game], results: &Results, screen: &mut Screen) -> Result<(), Failure> {
    for (number, (game, tally)) in games.iter().zip(&results.played.tallies).enumerate() {
        let points = Points::of(game).points.into_iter().zip(&tally.passed);
        let places = points.filter(|(_, passed)| !**passed).map(|(point, _)| {
            let words = format!("{} never ran", point.what);
            LabeledSpan::new_with_span(Some(words), point.span)
        });
        let places: Vec<LabeledSpan> = places.collect();
        if places.is_empty() {
            continue;
        }
        let setting = results.varied.as_ref().map_or_else(String::new, |option| {
            format!(" with {option} = {}", results.value(number))
        });
        let mut found = Diagnostics::new();
        found.push(NeverRan { playouts: tally.playouts, setting, places });
        screen.line("")?;
        screen.show(game.sources(), &found)?;
    }
    Ok(())
}

fn counted(count: usize) -> String {
    if count == 1 { "1 place".to_owned() } else { format!("{count} places") }
}
