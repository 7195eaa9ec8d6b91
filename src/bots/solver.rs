//! Small games solved: what they are worth when everybody plays as well as can be, or at random.
//!
//! Every position is looked at once, and its value follows from those that it leads to. Values are
//! exact fractions. Where chance alone leads back to a position they solve linear equations. Where
//! somebody decides in between, or the fractions grow too long, values have a fixed number of bits and
//! are computed again and again until nothing changes any more. A player to whom several
//! moves are worth the same is taken to pick any of them.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;

use thiserror::Error;

use super::graph::{Graph, Kind};
use super::ratio::Ratio;
use super::values::Values;
use crate::chance::{Chance as _, Seed};
use crate::components::Components;
use crate::game::{Game, LegalMoves, Player, State, Step, Trap};
use crate::progress::Progress;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Each for the best of himself.
    Best,
    /// Uniformly at random.
    Uniform,
}

/// What is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Solve<'a> {
    pub rule: Rule,
    pub most: usize,
    /// How many positions were looked at, and whether to stop.
    pub progress: &'a Progress,
}

/// Why a game cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// There are more positions than may be looked at.
    #[error("more than {most} positions can follow")]
    TooMany { most: usize },
    /// Players can come back to a position without any chance, again and again.
    #[error("players can come back to a position again and again, without any chance")]
    Circle,
    /// Something is hidden, so best play is a mixture that depends on what the others believe.
    #[error("something is hidden: what is best depends on what the others believe")]
    Hidden,
    /// Chance can lead back to a position for ever, with no decision and no end.
    #[error("chance leads back to a position for ever, with no decision and no end")]
    Endless,
    /// The values do not settle.
    #[error("the values do not settle")]
    Unsettled,
    /// It was asked to stop.
    #[error("stopped after {states} positions")]
    Stopped { states: usize },
    /// A mistake in the rules.
    #[error("{0}")]
    Trap(Trap),
}

/// A value: exact, or as near as fractions of fixed length come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Exact(Ratio),
    /// Nearly this, with [`Value::BITS`] bits behind the point.
    Near(i128),
}

impl Value {
    /// How many bits stand behind the point.
    pub const BITS: u32 = 60;

    /// The value in millionths of millionths, rounded down.
    pub fn trillionths(self) -> i128 {
        const MANY: i128 = 1_000_000_000_000;
        match self {
            Value::Exact(ratio) => {
                let (over, under) = ratio.parts();
                let (whole, rest) = (over.div_euclid(under), over.rem_euclid(under));
                let rest = match rest.checked_mul(MANY) {
                    Some(rest) => rest / under,
                    None => rest / (under / MANY),
                };
                whole * MANY + rest
            }
            // Half of the last bit is added, so that what settled just below a number is shown
            // as that number.
            Value::Near(fixed) => ((fixed >> 20) * MANY + (1 << 39)) >> 40,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Value::Exact(ratio) = self
            && ratio.parts().1 == 1
        {
            return ratio.fmt(formatter);
        }
        // Rounded: a decimal that is cut would say less than there is.
        let (places, unit) = match self {
            Value::Exact(_) => (6, 1_000_000),
            Value::Near(_) => (9, 1_000),
        };
        let rounded = (self.trillionths() + unit / 2).div_euclid(unit);
        let sign = if rounded < 0 { "-" } else { "" };
        let one = 10_u128.pow(places);
        let (whole, rest) = (rounded.unsigned_abs() / one, rounded.unsigned_abs() % one);
        let decimal = format!("{sign}{whole}.{rest:0width$}", width = places as usize);
        match self {
            Value::Exact(ratio) => write!(formatter, "{ratio} ({decimal})"),
            Value::Near(_) => write!(formatter, "{decimal}"),
        }
    }
}

/// The moves of the first decision, behind the draws that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMoves {
    /// The draws: event and outcome in words.
    pub draws: Vec<(String, String)>,
    pub player: Player,
    /// Each move with its value for whoever decides, and whether none is better.
    pub moves: Vec<(String, Value, bool)>,
}

/// What a game is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// What it is worth to each player: the expected return, or score of somebody who plays alone.
    pub values: Vec<Value>,
    /// How likely each player wins alone.
    pub wins: Vec<Value>,
    /// The expected score of each player, where every game between several ends with scores.
    pub scores: Option<Vec<Value>>,
    pub states: usize,
    pub exact: bool,
    /// Whether a game could go on for longer than its limit of decisions, which is left out here.
    pub beyond_limit: bool,
    /// The first decisions; not all, if there are many.
    pub first: Vec<FirstMoves>,
}

/// How many first decisions are listed.
const MOST_FIRST: u32 = 60;

/// Solves a game from a state on.
/// # Errors
/// Why it cannot be solved.
pub fn solve(game: &Game, state: &State, wanted: Solve) -> Result<Solution, Refusal> {
    if game.has_secrets() && wanted.rule == Rule::Best {
        return Err(Refusal::Hidden);
    }
    begins(game, state)?;
    let graph = Graph::of(game, state, wanted)?;
    let components = graph.components(true);
    let is_circle = |component: &[u32]| graph.is_circle(component);
    if wanted.rule == Rule::Best && components.iter().any(is_circle) {
        let decisions = graph.components(false);
        if decisions.iter().any(|part| is_circle(part) && !draws(&graph, part)) {
            return Err(Refusal::Circle);
        }
    }
    let values = Values::of(&graph, &components, (wanted.rule, wanted.progress))?;
    let players = game.info().players;
    let numbers = |first: usize| (first..first + players).map(|at| values.at(at)).collect();
    let (limit, _) = game.program().limit;
    Ok(Solution {
        values: numbers(0),
        wins: numbers(players),
        scores: (graph.scored && players > 1).then(|| numbers(2 * players)),
        states: graph.len(),
        exact: matches!(values, Values::Exact(_)),
        beyond_limit: longest(&graph, &components).is_none_or(|longest| longest > limit),
        first: first_moves(game, state, &graph, &values),
    })
}

/// Looks whether the game comes to a decision or an end at all: else chance could be followed for
/// ever, through positions of which no two are the same.
fn begins(game: &Game, state: &State) -> Result<(), Refusal> {
    let (mut state, mut legal) = (state.clone(), LegalMoves::new());
    let mut chance = Seed(0).stream(0);
    while let Step::Draw { outcomes } =
        game.advance_unheard(&mut state, &mut legal).map_err(Refusal::Trap)?
    {
        game.draw(&mut state, chance.below(outcomes));
    }
    Ok(())
}

/// Whether chance alone decides at these positions.
fn draws(graph: &Graph, nodes: &[u32]) -> bool {
    nodes.iter().all(|node| graph.kinds[*node as usize] == Kind::Draw)
}

/// The most decisions on any way to an end; none if there may be any number of them.
fn longest(graph: &Graph, components: &Components) -> Option<i64> {
    let mut longest = vec![0_i64; graph.len()];
    for component in components.iter() {
        let decides = !draws(graph, component);
        if decides && graph.is_circle(component) {
            return None;
        }
        let leads = component.iter().flat_map(|node| graph.leads(*node as usize));
        let behind = leads.map(|to| longest[*to as usize]).max().unwrap_or(0);
        let ends = matches!(graph.kinds[component[0] as usize], Kind::End(_));
        let most = behind + i64::from(decides && !ends);
        component.iter().for_each(|node| longest[*node as usize] = most);
    }
    longest.first().copied()
}

/// The first decisions, each with what its moves are worth; a position that chance leads to in
/// several ways stands there once, behind the fewest draws.
fn first_moves(game: &Game, start: &State, graph: &Graph, values: &Values) -> Vec<FirstMoves> {
    let (mut first, mut seen) = (Vec::new(), BTreeSet::new());
    let mut waiting = VecDeque::from([(Vec::new(), start.clone())]);
    let mut legal = LegalMoves::new();
    let stride = graph.ends.first().map_or(0, Vec::len);
    while let Some((draws, mut state)) = waiting.pop_front() {
        if first.len() >= MOST_FIRST as usize {
            break;
        }
        state.forget_work();
        let step = game.advance_unheard(&mut state, &mut legal);
        let Some(node) = graph.find(&state).filter(|node| seen.insert(*node)) else { continue };
        match step {
            Ok(Step::Draw { outcomes }) => {
                for outcome in 0..outcomes.min(MOST_FIRST) {
                    let mut draws: Vec<(String, String)> = draws.clone();
                    draws.push((game.event(&state), game.outcome(&state, outcome)));
                    let mut next = state.clone();
                    game.draw(&mut next, outcome);
                    waiting.push_back((draws, next));
                }
            }
            Ok(Step::Decide { player }) => {
                let leads = graph.leads(node).iter();
                let leads = leads.map(|to| values.at(*to as usize * stride + player.index()));
                let leads: Vec<Value> = leads.collect();
                let best = leads.iter().map(|value| value.trillionths()).max().unwrap_or(0);
                let label = |at| game.label(&state, &legal, at);
                let moves = leads.iter().enumerate().map(|(at, value)| {
                    // What differs in the last places only is the same.
                    (label(at), *value, best - value.trillionths() < 100)
                });
                first.push(FirstMoves { draws, player, moves: moves.collect() });
            }
            _ => {}
        }
    }
    first
}
