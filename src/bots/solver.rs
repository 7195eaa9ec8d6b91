//! Small games solved: what they are worth when everybody plays as well as can be, or at random.
//!
//! Every position is looked at once, and its value follows from those that it leads to. Values are
//! exact fractions, unless positions come back by chance, or the fractions grow too long: then
//! they are computed again and again until nothing changes any more. A player to whom several
//! moves are worth the same is taken to pick any of them.

use std::fmt;

use thiserror::Error;

use super::graph::{Graph, Kind};
use super::ratio::Ratio;
use super::view::hides;
use crate::game::{Game, Player, State, Step, Trap, Turn};
use crate::progress::Progress;

/// How players decide.
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
    /// How players decide.
    pub rule: Rule,
    /// How many positions may be looked at.
    pub most: usize,
    /// How many positions were looked at, and whether to stop.
    pub progress: &'a Progress,
}

/// Why a game cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// There are more positions than may be looked at.
    #[error("more than {most} positions can follow")]
    TooMany {
        /// How many may be.
        most: usize,
    },
    /// Players can come back to a position without any chance, again and again.
    #[error("players can come back to a position again and again, without any chance")]
    Circle,
    /// Something is hidden, so best play is a mixture that depends on what the others believe.
    #[error("something is hidden: what is best depends on what the others believe")]
    Hidden,
    /// The values do not settle.
    #[error("the values do not settle")]
    Unsettled,
    /// It was asked to stop.
    #[error("stopped after {states} positions")]
    Stopped {
        /// How many were looked at.
        states: usize,
    },
    /// A mistake in the rules.
    #[error("{0}")]
    Trap(Trap),
}

/// A value: exact, or as near as fractions of fixed length come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// This.
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
        let billionths = (self.trillionths() + 500).div_euclid(1000);
        let sign = if billionths < 0 { "-" } else { "" };
        let (whole, rest) = (billionths.abs() / 1_000_000_000, billionths.abs() % 1_000_000_000);
        match self {
            Value::Exact(ratio) => write!(formatter, "{ratio} ({sign}{whole}.{:06})", rest / 1000),
            Value::Near(_) => write!(formatter, "{sign}{whole}.{rest:09}"),
        }
    }
}

/// The moves of the first decision, behind the draws that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMoves {
    /// The draws: event and outcome in words.
    pub draws: Vec<(String, String)>,
    /// Who decides.
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
    /// How many positions there are.
    pub states: usize,
    /// Whether the values are exact.
    pub exact: bool,
    /// Whether a game could go on for longer than its limit of decisions, which is left out here.
    pub beyond_limit: bool,
    /// The first decisions; not all, if there are many.
    pub first: Vec<FirstMoves>,
}

/// How many first decisions are listed.
const MOST_FIRST: usize = 60;

/// How many positions are computed again before values that do not settle are given up.
const MOST_WORK: usize = 400_000_000;

/// Solves a game from a state on.
///
/// # Errors
/// Why it cannot be solved.
pub fn solve(game: &Game, state: &State, wanted: Solve) -> Result<Solution, Refusal> {
    if hides(game) && wanted.rule == Rule::Best {
        return Err(Refusal::Hidden);
    }
    let graph = Graph::of(game, state, wanted)?;
    let (order, circles) = graph.order(true);
    if circles && wanted.rule == Rule::Best && graph.order(false).1 {
        return Err(Refusal::Circle);
    }
    let players = game.info().players;
    let exact = if circles { None } else { once::<Ratio>(&graph, &order, wanted.rule) };
    let is_exact = exact.is_some();
    let values: Vec<Vec<Value>> = match exact {
        Some(values) => shown(values, Value::Exact),
        None => shown(settled(&graph, &order, wanted.rule)?, |fixed| Value::Near(fixed.0)),
    };
    let (limit, _) = game.program().limit;
    Ok(Solution {
        values: values[0][..players].to_vec(),
        wins: values[0][players..].to_vec(),
        states: graph.nodes.len(),
        exact: is_exact,
        beyond_limit: circles || graph.longest(&order) > limit,
        first: first_moves(game, state, &graph, &values),
    })
}

fn shown<N: Copy>(values: Vec<Vec<N>>, show: impl Fn(N) -> Value) -> Vec<Vec<Value>> {
    values.into_iter().map(|row| row.into_iter().map(&show).collect()).collect()
}

/// A number that values are computed with.
trait Number: Copy + Ord {
    fn whole(number: i64) -> Self;
    fn plus(self, other: Self) -> Option<Self>;
    fn part(self, parts: i128) -> Option<Self>;
    /// Whether two values count as the same.
    fn is_near(self, other: Self) -> bool;
}

impl Number for Ratio {
    fn whole(number: i64) -> Ratio {
        Ratio::whole(number)
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        Ratio::plus(self, other)
    }

    fn part(self, parts: i128) -> Option<Ratio> {
        Ratio::part(self, parts)
    }

    fn is_near(self, other: Ratio) -> bool {
        self == other
    }
}

/// A number with [`Value::BITS`] bits behind the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fixed(i128);

impl Number for Fixed {
    fn whole(number: i64) -> Fixed {
        Fixed(i128::from(number) << Value::BITS)
    }

    fn plus(self, other: Fixed) -> Option<Fixed> {
        self.0.checked_add(other.0).map(Fixed)
    }

    fn part(self, parts: i128) -> Option<Fixed> {
        // Rounded to the nearest, so that errors do not all go one way.
        self.0.checked_add(parts / 2).map(|sum| Fixed(sum.div_euclid(parts)))
    }

    fn is_near(self, other: Fixed) -> bool {
        self.0.abs_diff(other.0) < 1 << (Value::BITS - 36)
    }
}

/// The value of every position, each behind those that it leads to; none if a number is too long.
fn once<N: Number>(graph: &Graph, order: &[usize], rule: Rule) -> Option<Vec<Vec<N>>> {
    let mut values = vec![Vec::new(); graph.nodes.len()];
    for node in order {
        values[*node] = value(graph, *node, &values, rule)?;
    }
    Some(values)
}

/// The values that do not change any more.
fn settled(graph: &Graph, order: &[usize], rule: Rule) -> Result<Vec<Vec<Fixed>>, Refusal> {
    let numbers = graph.ends.first().map_or(0, Vec::len);
    let mut values = vec![vec![Fixed(0); numbers]; graph.nodes.len()];
    for _ in 0..(MOST_WORK / order.len()).max(2) {
        let mut largest = 0;
        for node in order {
            let new = value(graph, *node, &values, rule).ok_or(Refusal::Unsettled)?;
            let changes = new.iter().zip(&values[*node]).map(|(new, old)| new.0.abs_diff(old.0));
            largest = largest.max(changes.max().unwrap_or(0));
            values[*node] = new;
        }
        if largest < 1 << (Value::BITS - 50) {
            return Ok(values);
        }
    }
    Err(Refusal::Unsettled)
}

/// The value of a position from those that it leads to.
fn value<N: Number>(graph: &Graph, node: usize, values: &[Vec<N>], rule: Rule) -> Option<Vec<N>> {
    let leads = graph.leads(node);
    match graph.nodes[node].kind {
        Kind::End(end) => Some(graph.ends[end].iter().map(|value| N::whole(*value)).collect()),
        Kind::Decide(player) if rule == Rule::Best => {
            let best = leads.iter().map(|to| values[*to][player]).max()?;
            let best = leads.iter().filter(|to| values[**to][player].is_near(best));
            mean(best.copied().collect::<Vec<_>>().as_slice(), values)
        }
        Kind::Decide(_) | Kind::Draw => mean(leads, values),
    }
}

fn mean<N: Number>(leads: &[usize], values: &[Vec<N>]) -> Option<Vec<N>> {
    let parts = i128::try_from(leads.len()).ok()?;
    let numbers = values[*leads.first()?].len();
    let mean = |number: usize| {
        let mut each = leads.iter().map(|to| values[*to][number]);
        each.try_fold(N::whole(0), N::plus)?.part(parts)
    };
    (0..numbers).map(mean).collect()
}

/// The first decisions, each with what its moves are worth.
fn first_moves(
    game: &Game,
    start: &State,
    graph: &Graph,
    values: &[Vec<Value>],
) -> Vec<FirstMoves> {
    let mut first = Vec::new();
    let mut waiting = vec![(Vec::new(), start.clone())];
    let mut turn = Turn::new();
    while let Some((draws, mut state)) = waiting.pop() {
        state.forget_decisions();
        match game.advance(&mut state, &mut turn) {
            Ok(Step::Draw { outcomes }) if first.len() + waiting.len() < MOST_FIRST => {
                // What is put aside last is looked at first.
                for outcome in (0..outcomes).rev() {
                    let mut draws: Vec<(String, String)> = draws.clone();
                    draws.push((game.event(&state), game.outcome(&state, outcome)));
                    let mut next = state.clone();
                    game.draw(&mut next, outcome);
                    waiting.push((draws, next));
                }
            }
            Ok(Step::Decide { player }) if first.len() < MOST_FIRST => {
                let Some(node) = graph.find(&state) else { continue };
                let leads = graph.leads(node).iter().map(|to| values[*to][player.index()]);
                let leads: Vec<Value> = leads.collect();
                let best = leads.iter().map(|value| value.trillionths()).max().unwrap_or(0);
                let label = |at| game.label(&state, &turn, at);
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
