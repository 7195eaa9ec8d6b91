//! Distributions: how likely each value of a measure or of an expression is when a game is over.

use std::collections::BTreeSet;

use crate::bots::solver::{Graph, SolveRefusal};
use crate::bots::values::{GameValue, PositionValues};
use crate::game::{Game, LegalMoves, State};
use crate::rules::Rule;
use crate::snippet::WaitingGame;

/// What is asked of every end of a game.
#[derive(Clone, Copy, Debug)]
pub enum EndQuestion<'a> {
    /// The measure of this number in the file.
    Measure(usize),
    /// An expression that returns.
    Expression(&'a Rule),
}

impl<'a> EndQuestion<'a> {
    pub(super) fn expression(self) -> Option<&'a Rule> {
        match self {
            EndQuestion::Measure(_) => None,
            EndQuestion::Expression(rule) => Some(rule),
        }
    }

    /// The answers to the question at an end, in words: one, or one for each player.
    pub(super) fn answers_at_end(
        self,
        game: &Game,
        state: &State,
        measures: &[Vec<i64>],
    ) -> Result<Vec<String>, SolveRefusal> {
        match self {
            EndQuestion::Measure(number) => {
                Ok(measures[number].iter().map(i64::to_string).collect())
            }
            EndQuestion::Expression(rule) => {
                let value =
                    WaitingGame { game, state, legal: &LegalMoves::new() }.answer_question(rule);
                Ok(vec![value.map_err(SolveRefusal::Expression)?])
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// Each value with its probability: numbers ascending, other values in the order of their words.
    pub values: Vec<(String, GameValue)>,
    /// Absent if a value is not a number.
    pub mean: Option<GameValue>,
}

/// Adds numbers to each end: for each value 1 if it is the one there and else 0, then the value itself.
/// What is expected of these numbers is the distribution. Returns the values: of the game, or of
/// each player.
pub(super) fn add_columns(graph: &mut Graph) -> Vec<Vec<String>> {
    let seats = graph.asked.iter().map(Vec::len).max().unwrap_or(0);
    let columns = (0..seats).map(|seat| {
        let values: BTreeSet<&String> = graph.asked.iter().filter_map(|it| it.get(seat)).collect();
        let mut values: Vec<String> = values.into_iter().cloned().collect();
        values.sort_by_key(|value| value.parse::<i64>().ok());
        for (end, asked) in graph.ends.iter_mut().zip(&graph.asked) {
            let own = asked.get(seat);
            end.extend(values.iter().map(|value| i64::from(own == Some(value))));
            end.push(own.and_then(|value| value.parse().ok()).unwrap_or(0));
        }
        values
    });
    columns.collect()
}

/// Reads the distributions from the numbers of the root, of which the first that was added is given.
pub(super) fn read_distributions(
    columns: Vec<Vec<String>>,
    mut first: usize,
    values: &PositionValues,
) -> Vec<Distribution> {
    let read = columns.into_iter().map(|words| {
        let are_numbers = words.iter().all(|word| word.parse::<i64>().is_ok());
        let (start, mean) = (first, first + words.len());
        first = mean + 1;
        let each = words.into_iter().zip((start..).map(|at| values.value_at(at)));
        // Some ends are only reached by moves that nobody makes.
        let each = each.filter(|(_, value)| !value.is_zero());
        Distribution { values: each.collect(), mean: are_numbers.then(|| values.value_at(mean)) }
    });
    read.collect()
}
