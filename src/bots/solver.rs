//! Small games solved: what they are worth when everybody plays as well as can be, or at random.
//!
//! Every position is examined once, and its value follows from those that it leads to. Values are
//! exact fractions. Where chance alone leads back to a position they solve linear equations. Where
//! somebody decides in between, or the fractions grow too long, values have a fixed number of bits and
//! are computed again and again until nothing changes any more. A player to whom several
//! moves are worth the same is taken to pick any of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use thiserror::Error;

use crate::bots::Dealer;
use crate::bots::distribution::{Distribution, EndQuestion, add_columns, read_distributions};
use crate::bots::payoff::worth;
use crate::bots::pools::Pools;
use crate::bots::values::{GameValue, PositionValues, Ratio};
use crate::chance::Seed;
use crate::components::{Components, Edges};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, LegalMoves, Player, Positions, State, Step, Trap};
use crate::progress::Progress;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayRule {
    Best,
    Uniform,
}

#[derive(Clone, Copy, Debug)]
pub struct Solve<'a> {
    pub rule: PlayRule,
    pub most: usize,
    /// How many bytes of memory it may take.
    pub memory: usize,
    /// How many positions were examined, and whether to stop.
    pub progress: &'a Progress,
    /// Of what the distribution is wanted.
    pub asked: Option<EndQuestion<'a>>,
    /// The probability, in parts of [`ONE`], below which what is left need not be followed.
    pub remainder: u128,
    /// Whether dice that the rules cannot tell apart are counted as multisets; all outcomes of
    /// draws are to be followed then.
    pub unordered: bool,
}

impl<'a> Solve<'a> {
    /// Follows everything, and asks for no distribution.
    pub fn new(rule: PlayRule, most: usize, progress: &'a Progress) -> Solve<'a> {
        let memory = MAX_MEMORY;
        Solve { rule, most, memory, progress, asked: None, remainder: 0, unordered: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveRefusal {
    #[error("more than {most} positions can follow")]
    TooMany { most: usize },
    #[error("it takes more than {} of memory, for {states} positions: {}", memory_size(*memory), so_far(Some(*depth), *ends))]
    TooLarge {
        memory: usize,
        states: usize,
        /// How many decisions and draws were followed everywhere.
        depth: usize,
        ends: usize,
    },
    #[error("players can come back to a position again and again, without any chance")]
    Circle,
    #[error("something is hidden: what is best depends on what the others believe")]
    Hidden,
    #[error("chance leads back to a position for ever, with no decision and no end")]
    Endless,
    #[error("the values do not settle")]
    Unsettled,
    #[error("stopped after {states} positions: {}", so_far(*depth, *ends))]
    Stopped {
        states: usize,
        /// How many decisions and draws were followed everywhere; none if all were.
        depth: Option<usize>,
        /// In how many ways games end, as far as was seen.
        ends: usize,
    },
    #[error("{0}")]
    Trap(Trap),
    #[error("the expression has no value where a game ends")]
    Expression(Diagnostics),
}

fn so_far(depth: Option<usize>, ends: usize) -> String {
    match depth {
        None => "these are all, but their values are not known yet".to_owned(),
        Some(depth) => format!(
            "all that {depth} decisions and draws can lead to, with {ends} different ends so far"
        ),
    }
}

/// The moves of the first decision, after the draws that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMoves {
    /// The draws: event and outcome in words.
    pub(crate) draws: Vec<(String, String)>,
    pub(crate) player: Player,
    /// Each move with its value for the player who decides, and whether none is better.
    pub moves: Vec<(String, GameValue, bool)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// What it is worth to each player: the expected return, or score of somebody who plays alone.
    pub values: Vec<GameValue>,
    /// How likely each player wins alone.
    pub wins: Vec<GameValue>,
    /// The expected score of each player, where every game ends with scores and these are not the
    /// values already.
    pub scores: Option<Vec<GameValue>>,
    /// What the file measures: each with its expected value, or one for each player.
    pub measures: Vec<(String, Vec<GameValue>)>,
    /// The distribution that was asked for, or one for each player.
    pub distributions: Vec<Distribution>,
    pub states: usize,
    pub exact: bool,
    /// Beyond how many decisions and draws nothing was followed and all counts as 0, and how
    /// probable that is at most, in parts of [`ONE`].
    pub cut: Option<(usize, u128)>,
    /// Whether a game could go on for longer than its limit of decisions, which is left out here.
    pub beyond_limit: bool,
    /// The first decisions; not all, if there are many.
    pub first: Vec<FirstMoves>,
}

const MOST_FIRST: u32 = 60;

/// How many decisions with one move in a row are passed over. They need no position of their own;
/// in a circle of them there must be one.
const MOST_FORCED: u8 = 100;

/// The probability of what is certain.
pub const ONE: u128 = 1 << 100;

/// How many bytes of memory a search may take, unless another number is asked for.
pub const MAX_MEMORY: usize = 1_000_000_000;

/// How many bytes each position takes beside itself and its numbers: its node, where its edges end, and what looks for
/// circles.
const BYTES_OF_A_NODE: usize = 64;

/// How many bytes each number of a position takes, and each edge.
const BYTES_OF_A_NUMBER: usize = size_of::<Ratio>();
const BYTES_OF_AN_EDGE: usize = size_of::<u32>() + size_of::<u8>();

/// So many bytes in words.
pub(crate) fn memory_size(bytes: usize) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{}.{} GB", bytes / 1_000_000_000, bytes / 100_000_000 % 10),
    }
}

/// How often what is left is computed again for positions that lead back to each other.
const MOST_ROUNDS: usize = 16;

/// How many numbers are computed for a distribution: several for each position.
const MOST_NUMBERS: usize = 1 << 25;

/// Says which outcomes of a draw are followed.
pub(crate) type Draws<'a> = dyn FnMut(&Game, &State, u32) -> Range<u32> + 'a;

/// Solves a game from a state on.
/// # Errors
/// Why it cannot be solved.
pub fn solve(game: &Game, state: &State, wanted: Solve) -> Result<Solution, SolveRefusal> {
    solve_along(game, state, wanted, &mut |_, _, outcomes| 0..outcomes)
}

/// Solves a game where not all outcomes of draws are followed.
/// # Errors
/// Why it cannot be solved.
pub fn solve_along(
    game: &Game,
    state: &State,
    wanted: Solve,
    draws: &mut Draws,
) -> Result<Solution, SolveRefusal> {
    if game.has_secrets() && wanted.rule == PlayRule::Best {
        return Err(SolveRefusal::Hidden);
    }
    // Whether the game comes to a decision or an end at all: else chance could be followed for
    // ever, through positions of which no two are the same.
    let mut chance = Seed(0).stream(0);
    game.advance_with(
        &mut state.clone(),
        &mut LegalMoves::new(),
        &mut Dealer::unwatched(&mut chance),
    )
    .map_err(SolveRefusal::Trap)?;
    let mut graph = Graph::from_state(game, state, wanted, draws)?;
    let columns = add_columns(&mut graph);
    let most = MOST_NUMBERS / graph.ends.first().map_or(1, Vec::len);
    if !columns.is_empty() && graph.kinds.len() > most {
        return Err(SolveRefusal::TooMany { most });
    }
    let components = graph.components(true);
    let is_circle = |part: &[u32]| graph.edges.is_circle(part);
    if wanted.rule == PlayRule::Best && components.iter().any(is_circle) {
        let decisions = graph.components(false);
        if decisions.iter().any(|part| is_circle(part) && !graph.draws(part)) {
            return Err(SolveRefusal::Circle);
        }
    }
    let players = game.info().players;
    let values =
        PositionValues::from_graph(&graph, &components, wanted.rule, (players, wanted.progress))?;
    let numbers = |first: usize| (first..first + players).map(|at| values.value_at(at)).collect();
    let mut next = 2 * players;
    let measures = game.program().measures.iter().map(|measure| {
        let count = if measure.of_player { players } else { 1 };
        next += count;
        let values = (next - count..next).map(|at| values.value_at(at)).collect();
        (measure.name.clone(), values)
    });
    let measures: Vec<_> = measures.collect();
    let scores = graph.scored.then(|| numbers(next));
    next += scores.as_ref().map_or(0, Vec::len);
    let (limit, _) = game.program().limit;
    Ok(Solution {
        values: numbers(0),
        wins: numbers(players),
        scores: scores.filter(|_| players > 1 || graph.lowest),
        measures,
        distributions: read_distributions(columns, next, &values),
        states: graph.kinds.len(),
        exact: values.is_exact() && graph.cut.is_none(),
        cut: graph.cut,
        beyond_limit: longest(&graph, &components).is_none_or(|longest| longest > limit),
        first: first_moves((game, state), &graph, &values, draws),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    Decide(u8),
    Draw,
    /// The game is over, with this of [`Graph::ends`].
    End(u32),
}

/// All positions that can follow; the first is the root. There may be millions,
/// so what is kept of each is small.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) kinds: Vec<NodeKind>,
    pub(super) edges: Edges,
    /// For each edge how many decisions with one move were passed over.
    forced: Vec<u8>,
    /// How games end: what it is worth to each player, then 1 for a player who wins alone, then what
    /// the file measures, then the scores, if all ends have them.
    pub(super) ends: Vec<Vec<i64>>,
    scored: bool,
    /// Whether a low score is best at some end, so that it is not what the end is worth.
    lowest: bool,
    /// At each of them, the values of what is asked.
    pub(super) asked: Vec<Vec<String>>,
    cut: Option<(usize, u128)>,
    /// The node of each of the ends.
    ended: BTreeMap<(Vec<i64>, Vec<String>), u32>,
    pools: Pools,
    positions: Positions,
    node_of: Vec<u32>,
    /// How many numbers each position gets.
    stride: usize,
    /// How many decisions and draws were followed everywhere.
    depth: usize,
}

impl Graph {
    /// Follows every move and every outcome from a state on, as long as enough is left to follow.
    fn from_state(
        game: &Game,
        start: &State,
        wanted: Solve,
        draws: &mut Draws,
    ) -> Result<Graph, SolveRefusal> {
        let players = game.info().players;
        let counts =
            game.program().measures.iter().map(|it| if it.of_player { players } else { 1 });
        let stride = 3 * players + counts.sum::<usize>();
        let mut graph = Graph { scored: true, stride, ..Graph::default() };
        if wanted.unordered {
            graph.pools = Pools::find_pools(game, wanted.asked.and_then(EndQuestion::expression));
        }
        let (mut from, mut state) = (start.clone(), start.clone());
        let (mut listed, mut legal) = (LegalMoves::new(), LegalMoves::new());
        graph.find_node((game, wanted), &mut state, &mut legal, 0)?;
        // Nodes wait in the order of their numbers, so their edges follow each other.
        // Everything up to some depth is found when as many nodes are closed as there were then.
        let (mut position, mut found, mut due) = (0, 1, 0);
        while let Some(kind) = graph.kinds.get(graph.edges.closed()).copied() {
            if wanted.progress.is_stopped() {
                let (states, ends) = (graph.kinds.len(), graph.ends.len());
                return Err(SolveRefusal::Stopped { states, depth: Some(graph.depth), ends });
            }
            if graph.edges.closed() == found {
                (graph.depth, found) = (graph.depth + 1, graph.kinds.len());
                if found >= due {
                    if graph.cut_remainder(graph.depth, wanted.remainder) {
                        break;
                    }
                    due = found + found / 8;
                }
            }
            if !matches!(kind, NodeKind::End(_)) {
                graph.positions.load(position, &mut from);
                position += 1;
                let step =
                    game.advance_unheard(&mut from, &mut listed).map_err(SolveRefusal::Trap)?;
                let ways = match step {
                    Step::Decide { .. } => {
                        0..u32::try_from(listed.count()).expect("moves are listed")
                    }
                    Step::Draw { outcomes } => draws(game, &from, outcomes),
                    Step::End => unreachable!("only decisions and draws are positions"),
                };
                for way in ways {
                    state.clone_from(&from);
                    match step {
                        Step::Draw { .. } => game.draw(&mut state, way),
                        _ => game.choose(&mut state, &listed, way as usize),
                    }
                    let reached =
                        graph.find_node((game, wanted), &mut state, &mut legal, MOST_FORCED);
                    let (node, forced) = reached?;
                    graph.edges.to.push(node);
                    graph.forced.push(forced);
                }
            }
            graph.edges.close_node();
        }
        let numbers = graph.stride - if graph.scored { 0 } else { players };
        graph.ends.iter_mut().for_each(|end| end.resize(numbers, 0));
        Ok(graph)
    }

    /// The most that the probability to come to a position that was not followed can be, under any
    /// play, in parts of [`ONE`]. It is computed from 1 downwards, so it is never too low.
    fn left(&self) -> u128 {
        let closed = u32::try_from(self.edges.closed()).expect("nodes are counted in 32 bits");
        let open = |kind: &NodeKind| if matches!(kind, NodeKind::End(_)) { 0 } else { ONE };
        let mut left: Vec<u128> = self.kinds.iter().map(open).collect();
        for _ in 0..MOST_ROUNDS {
            let old = left[0];
            // Most positions lead to later ones.
            for node in (0..closed).rev() {
                let leads = self.edges.edges_of(node).iter().map(|to| left[*to as usize]);
                left[node as usize] = match self.kinds[node as usize] {
                    NodeKind::Draw => leads.clone().sum::<u128>().div_ceil(leads.len() as u128),
                    NodeKind::Decide(_) => leads.max().unwrap_or(ONE),
                    NodeKind::End(_) => 0,
                };
            }
            if left[0] == old {
                break;
            }
        }
        left[0]
    }

    /// Makes what was not followed ends where all numbers are 0, if it is less probable than the
    /// remainder. Says whether it is.
    fn cut_remainder(&mut self, depth: usize, remainder: u128) -> bool {
        let left = if remainder > 0 { self.left() } else { ONE };
        if left == 0 || left >= remainder {
            return false;
        }
        self.cut = Some((depth, left));
        let end = u32::try_from(self.ends.len()).expect("there are fewer ends than nodes");
        self.ends.push(Vec::new());
        self.asked.push(Vec::new());
        for node in self.edges.closed()..self.kinds.len() {
            if !matches!(self.kinds[node], NodeKind::End(_)) {
                self.kinds[node] = NodeKind::End(end);
            }
            self.edges.close_node();
        }
        true
    }

    /// Strongly connected components of positions. Without `through_draws`, edges of draws are left out, and circles of
    /// decisions remain.
    fn components(&self, through_draws: bool) -> Components {
        Components::of_graph(self.kinds.len(), |node| match self.kinds[node as usize] {
            NodeKind::Draw if !through_draws => &[],
            _ => self.edges.edges_of(node),
        })
    }

    /// Whether chance alone decides at these positions.
    pub(super) fn draws(&self, nodes: &[u32]) -> bool {
        nodes.iter().all(|node| self.kinds[*node as usize] == NodeKind::Draw)
    }

    /// The node of a state that was made, run to where it waits and past some decisions with one
    /// move, and how many these were. A new node is to be followed.
    fn find_node(
        &mut self,
        (game, wanted): (&Game, Solve),
        state: &mut State,
        legal: &mut LegalMoves,
        most_forced: u8,
    ) -> Result<(u32, u8), SolveRefusal> {
        let mut forced = 0;
        let kind = loop {
            state.forget_work();
            match game.advance_unheard(state, legal).map_err(SolveRefusal::Trap)? {
                Step::Decide { .. } if legal.count() == 1 && forced < most_forced => {
                    game.choose(state, legal, 0);
                    forced += 1;
                }
                Step::Decide { player } => break NodeKind::Decide(player.0),
                Step::Draw { .. } => break NodeKind::Draw,
                Step::End => return Ok((self.add_end(game, state, wanted)?, forced)),
            }
        };
        self.pools.sort(game, state);
        let (position, is_new) = self.positions.add(state);
        if is_new {
            let node = self.add_node(kind, wanted)?;
            self.node_of.push(node);
        }
        Ok((self.node_of[position], forced))
    }

    fn add_node(&mut self, kind: NodeKind, wanted: Solve) -> Result<u32, SolveRefusal> {
        let (node, most) = (self.kinds.len(), wanted.most);
        self.kinds.push(kind);
        wanted.progress.advance(1);
        if self.estimate_memory() > wanted.memory {
            let (memory, ends) = (wanted.memory, self.ends.len());
            return Err(SolveRefusal::TooLarge { memory, states: node, depth: self.depth, ends });
        }
        let number = u32::try_from(node).ok().filter(|_| node < most);
        number.ok_or(SolveRefusal::TooMany { most: most.min(node) })
    }

    /// How many bytes the positions and the values that follow take.
    fn estimate_memory(&self) -> usize {
        let of_node = BYTES_OF_A_NODE + BYTES_OF_A_NUMBER * self.stride;
        self.positions.memory()
            + of_node * self.kinds.len()
            + BYTES_OF_AN_EDGE * self.edges.to.len()
    }

    /// The node of an end; all that are worth the same are one.
    fn add_end(&mut self, game: &Game, state: &State, wanted: Solve) -> Result<u32, SolveRefusal> {
        let mut end = worth(game, state);
        let outcome = game.final_outcome(state);
        let (returns, scores, lowest) = outcome
            .map(|outcome| (outcome.returns, outcome.scores, outcome.lowest))
            .unwrap_or_default();
        self.lowest |= lowest;
        end.extend(returns.iter().map(|value| i64::from(*value == 1)));
        let measures = game.measure_values(state).map_err(SolveRefusal::Trap)?;
        end.extend(measures.iter().flatten());
        self.scored &= scores.is_some();
        end.extend(scores.iter().flatten());
        let asked = wanted.asked.map(|asked| asked.answers_at_end(game, state, &measures));
        let key = (end, asked.transpose()?.unwrap_or_default());
        if let Some(node) = self.ended.get(&key) {
            return Ok(*node);
        }
        let number = u32::try_from(self.ends.len()).expect("there are fewer ends than nodes");
        let node = self.add_node(NodeKind::End(number), wanted)?;
        self.ends.push(key.0.clone());
        self.asked.push(key.1.clone());
        self.ended.insert(key, node);
        Ok(node)
    }
}

/// The most decisions on any way to an end; none if there may be any number of them.
fn longest(graph: &Graph, components: &Components) -> Option<i64> {
    // -1 until a component is done: an edge that leads to -1 leads back into the same component.
    let mut longest = vec![-1_i64; graph.kinds.len()];
    for component in components.iter() {
        let decides = !graph.draws(component);
        let mut behind = 0;
        for at in component.iter().flat_map(|node| graph.edges.edge_range(*node)) {
            let (then, forced) = (longest[graph.edges.to[at] as usize], graph.forced[at]);
            if then < 0 && (decides || forced > 0) {
                return None;
            }
            behind = behind.max(then + i64::from(forced));
        }
        let ends = matches!(graph.kinds[component[0] as usize], NodeKind::End(_));
        let most = behind + i64::from(decides && !ends);
        component.iter().for_each(|node| longest[*node as usize] = most);
    }
    longest.first().copied()
}

/// The first decisions, each with what its moves are worth; a position that chance leads to in
/// several ways stands there once, after the fewest draws.
fn first_moves(
    (game, start): (&Game, &State),
    graph: &Graph,
    values: &PositionValues,
    followed: &mut Draws,
) -> Vec<FirstMoves> {
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
        graph.pools.sort(game, &mut state);
        let node = graph.positions.number_of(&state).map(|position| graph.node_of[position]);
        if node.is_none() && matches!(step, Ok(Step::Decide { .. })) && legal.count() == 1 {
            game.choose(&mut state, &legal, 0);
            waiting.push_front((draws, state));
            continue;
        }
        let Some(node) = node.filter(|node| seen.insert(*node)) else { continue };
        match step {
            _ if matches!(graph.kinds[node as usize], NodeKind::End(_)) => {}
            Ok(Step::Draw { outcomes }) => {
                for outcome in followed(game, &state, outcomes).take(MOST_FIRST as usize) {
                    let mut draws: Vec<(String, String)> = draws.clone();
                    draws.push((game.event(&state), game.outcome(&state, outcome)));
                    let mut next = state.clone();
                    game.draw(&mut next, outcome);
                    waiting.push_back((draws, next));
                }
            }
            Ok(Step::Decide { player }) => {
                let leads = graph.edges.edges_of(node).iter();
                let leads = leads.map(|to| values.value_at(*to as usize * stride + player.index()));
                let leads: Vec<GameValue> = leads.collect();
                let best = leads.iter().map(|value| value.trillionths()).max();
                let best = best.expect("a decision has a move");
                // What differs in the last places only is the same.
                let is_best = |value: &GameValue| best - value.trillionths() < 100;
                let moves = game.label_moves(&state, &legal).zip(leads);
                let moves = moves.map(|(label, value)| (label, value, is_best(&value))).collect();
                first.push(FirstMoves { draws, player, moves });
            }
            _ => {}
        }
    }
    first
}
