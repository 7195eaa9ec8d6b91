//! Counting how a game can go: sequences of decisions, each draw followed in all its outcomes.

use std::ops::Range;

use super::position::Position;
use crate::diagnostic::Diagnostics;
use crate::game::Step;
use crate::transcript::{chance, fold};

/// A draw that always ends in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The event and its outcome: `roll die: 3`.
    pub words: String,
    /// Whether such a draw was met.
    pub used: bool,
}

/// What was counted, by the number of decisions. A draw is no decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sequences of so many decisions.
    pub sequences: Vec<u64>,
    /// Games that ended after so many decisions. At the last depth of a limited count nobody
    /// looks whether the game goes on, so there is no number for it.
    pub ended: Vec<u64>,
}

impl Counts {
    /// Returns the sequences of exactly `depth` decisions; a game that ended before has none.
    pub fn at(&self, depth: usize) -> u64 {
        self.sequences.get(depth).copied().unwrap_or(0)
    }

    /// Returns the whole games.
    pub fn games(&self) -> u64 {
        self.ended.iter().sum()
    }
}

/// Counts from a position on: up to `depth` decisions, or to the end of every game.
///
/// # Errors
///
/// A mistake in the rules.
pub fn perft<P: Position + Clone>(
    position: &P,
    depth: Option<usize>,
    pins: &mut [Pin],
) -> Result<Counts, Diagnostics> {
    let mut counts = Counts { sequences: vec![1], ended: Vec::new() };
    if depth == Some(0) {
        return Ok(counts);
    }
    // The branches are kept here and not on the stack of the program: a game may be very long.
    let mut branches = vec![Branch::new(position.clone(), 0, pins, &mut counts)?];
    while let Some(branch) = branches.last_mut() {
        let Some(way) = branch.ways.next() else {
            branches.pop();
            continue;
        };
        let next = branch.go(way);
        // Nobody asks what happens after the last decision, so it is counted without being made.
        if depth != Some(next.1) {
            branches.push(Branch::new(next.0, next.1, pins, &mut counts)?);
        }
    }
    Ok(counts)
}

/// Splits a position by its first decision: each first move in words with what is behind it. A
/// move that several draws lead to stands there once for each.
///
/// # Errors
///
/// A mistake in the rules.
pub fn first_moves<P: Position + Clone>(
    position: &P,
    pins: &mut [Pin],
) -> Result<Vec<(String, P)>, Diagnostics> {
    let mut counts = Counts::default();
    let mut branches = vec![Branch::new(position.clone(), 0, pins, &mut counts)?];
    let mut moves = Vec::new();
    while let Some(branch) = branches.last_mut() {
        let Some(way) = branch.ways.next() else {
            branches.pop();
            continue;
        };
        let (next, decisions) = branch.go(way);
        if decisions == 1 {
            moves.push((branch.position.label(way), next));
        } else {
            branches.push(Branch::new(next, decisions, pins, &mut counts)?);
        }
    }
    Ok(moves)
}

/// A point where the game can go several ways.
struct Branch<P> {
    position: P,
    decisions: usize,
    is_draw: bool,
    ways: Range<usize>,
}

impl<P: Position + Clone> Branch<P> {
    /// Runs a position on to where it branches, and counts what is seen there.
    fn new(
        mut position: P,
        decisions: usize,
        pins: &mut [Pin],
        counts: &mut Counts,
    ) -> Result<Branch<P>, Diagnostics> {
        let step = position.advance()?;
        let is_draw = matches!(step, Step::Draw { .. });
        let ways = match step {
            Step::Decide { .. } => {
                add(&mut counts.sequences, decisions + 1, position.moves());
                0..position.moves()
            }
            Step::Draw { outcomes } => pinned(&position, outcomes as usize, pins),
            Step::End => {
                add(&mut counts.ended, decisions, 1);
                0..0
            }
        };
        Ok(Branch { position, decisions, is_draw, ways })
    }

    fn go(&self, way: usize) -> (P, usize) {
        let mut next = self.position.clone();
        if self.is_draw {
            next.draw(u32::try_from(way).expect("a draw counts its outcomes in 32 bits"));
            return (next, self.decisions);
        }
        next.choose(way);
        (next, self.decisions + 1)
    }
}

/// The outcomes of a draw that are followed.
fn pinned(position: &impl Position, outcomes: usize, pins: &mut [Pin]) -> Range<usize> {
    if pins.is_empty() {
        return 0..outcomes;
    }
    let event = position.event();
    for way in 0..outcomes {
        let index = u32::try_from(way).expect("a draw counts its outcomes in 32 bits");
        let line = fold(&chance(&event, &position.outcome(index)));
        let met = pins.iter_mut().find(|pin| line.trim_start_matches("* ") == fold(&pin.words));
        if let Some(pin) = met {
            pin.used = true;
            return way..way + 1;
        }
    }
    0..outcomes
}

fn add(counts: &mut Vec<u64>, place: usize, number: usize) {
    counts.resize(counts.len().max(place + 1), 0);
    counts[place] += u64::try_from(number).expect("moves are counted in 64 bits");
}

#[cfg(test)]
mod tests {
    use super::{Pin, first_moves, perft};
    use crate::session::fake::Fake;

    fn pins(words: &[&str]) -> Vec<Pin> {
        words.iter().map(|words| Pin { words: (*words).to_owned(), used: false }).collect()
    }

    fn sequences(depth: usize, words: &[&str]) -> Vec<u64> {
        perft(&Fake::new(), Some(depth), &mut pins(words)).unwrap().sequences
    }

    // Of the five moves one ends the game; `roll` has three outcomes, `roll twice` nine, and the
    // two others none: behind one decision lie 3 + 9 + 1 + 1 decisions of the next player.
    #[test]
    fn draws_are_followed_in_each_outcome() {
        assert_eq!(sequences(1, &["random Player: Ann"]), [1, 5]);
        assert_eq!(sequences(2, &["random Player: Ann"]), [1, 5, 14 * 5]);
        assert_eq!(sequences(3, &[]), [1, 2 * 5, 2 * 14 * 5, 2 * 14 * 14 * 5]);
    }

    #[test]
    fn games_that_ended_are_counted_where_they_end() {
        let counts = perft(&Fake::new(), Some(2), &mut pins(&["random Player: Ann"])).unwrap();
        assert_eq!(counts.ended, [0, 1]);
        assert_eq!((counts.at(1), counts.at(2)), (5, 14 * 5));
    }

    #[test]
    fn a_pin_is_marked_when_it_is_met() {
        let mut pins = pins(&["random Player: Ann", "roll die: 2", "roll coin: 1"]);
        let counts = perft(&Fake::new(), Some(2), &mut pins).unwrap();
        assert_eq!(counts.sequences, [1, 5, 4 * 5]);
        assert_eq!(pins.iter().map(|pin| pin.used).collect::<Vec<_>>(), [true, true, false]);
    }

    #[test]
    fn first_moves_split_the_count() {
        let moves = first_moves(&Fake::new(), &mut pins(&["random Player: Ben"])).unwrap();
        let sizes = moves.iter().map(|(label, position)| {
            let counts = perft(position, Some(1), &mut []).unwrap();
            (label.as_str(), counts.at(1))
        });
        let expected =
            [("roll", 15), ("pass", 5), ("roll twice", 45), ("whisper card #3", 5), ("stop", 0)];
        assert_eq!(sizes.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn nothing_is_one_sequence() {
        assert_eq!(sequences(0, &[]), [1]);
    }
}
