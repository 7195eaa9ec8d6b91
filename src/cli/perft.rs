//! `astragal perft`: how many ways a game can go.

use std::path::Path;

use super::args::Perft;
use super::error::CliError;
use super::files;
use super::screen::{Exit, Failure, Screen};
use crate::session::{Counts, Live, Pin, first_moves, perft as count};
use crate::source::Sources;
use crate::transcript::fold;

/// Counts, and prints the number alone on the last line.
pub(super) fn perft(command: &Perft, screen: &mut Screen) -> Result<Exit, Failure> {
    let found = files::find(&command.game, Path::new(""))?;
    screen.tell_namesake(&found)?;
    let (game, sources) = files::load(&found, &command.table, Sources::default())?;
    let position = Live::new(game);
    let mut pins: Vec<Pin> =
        command.draws.iter().map(|draw| Pin { words: fold(draw), used: false }).collect();
    let refuse = |diagnostics| files::refuse(&sources, diagnostics);
    let lines = if command.divide && command.depth != Some(0) {
        divide(command, &position, &mut pins).map_err(refuse)?
    } else {
        let counts = count(&position, command.depth, &mut pins).map_err(refuse)?;
        let mut lines = by_depth(command, &counts);
        lines.push(answer(command.playouts, command.depth, &counts).to_string());
        lines
    };
    if let Some(pin) = pins.iter().find(|pin| !pin.used) {
        return Err(CliError::UnusedDraw { draw: pin.words.clone() }.into());
    }
    lines.iter().try_for_each(|line| screen.line(line))?;
    Ok(Exit::Fine)
}

/// The number that was asked for.
fn answer(playouts: bool, depth: Option<usize>, counts: &Counts) -> u64 {
    match depth {
        Some(depth) if !playouts => counts.at(depth),
        _ => counts.games(),
    }
}

/// The counts of every depth, as a table.
fn by_depth(command: &Perft, counts: &Counts) -> Vec<String> {
    if command.depth == Some(0) {
        return Vec::new();
    }
    let mut lines = vec![format!("{:>5}  {:>20}  {:>20}", "depth", "sequences", "ended")];
    for (depth, sequences) in counts.sequences.iter().enumerate() {
        let ended = match counts.ended.get(depth) {
            Some(ended) => ended.to_string(),
            None if command.depth == Some(depth) => "-".to_owned(),
            None => "0".to_owned(),
        };
        lines.push(format!("{depth:>5}  {sequences:>20}  {ended:>20}"));
    }
    lines
}

/// The number split by the first move, moves that read the same added up, and the whole.
fn divide(
    command: &Perft,
    position: &Live,
    pins: &mut [Pin],
) -> Result<Vec<String>, crate::diagnostic::Diagnostics> {
    let depth = command.depth.map(|depth| depth - 1);
    let mut numbers: Vec<(String, u64)> = Vec::new();
    for (label, position) in first_moves(position, pins)? {
        let number = answer(command.playouts, depth, &count(&position, depth, pins)?);
        match numbers.iter_mut().find(|(known, _)| *known == label) {
            Some((_, sum)) => *sum += number,
            None => numbers.push((label, number)),
        }
    }
    let whole: u64 = numbers.iter().map(|(_, number)| number).sum();
    let mut lines: Vec<String> =
        numbers.iter().map(|(label, number)| format!("{label}: {number}")).collect();
    lines.push(whole.to_string());
    Ok(lines)
}
