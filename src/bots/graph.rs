//! Everything that can come of a state: each position once, with where it leads.

use std::collections::BTreeMap;

use super::solver::{Refusal, Solve};
use super::worth::worth;
use crate::game::{Game, State, Step, Turn};

/// What happens at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A player decides.
    Decide(usize),
    /// Chance draws.
    Draw,
    /// The game is over, with this of [`Graph::ends`].
    End(usize),
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Where it leads, in [`Graph::edges`].
    edges: (usize, usize),
}

/// All positions; the first is the one that was asked about.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    edges: Vec<usize>,
    /// How games end: what it is worth to each player, then 1 for whoever wins alone.
    pub(super) ends: Vec<Vec<i64>>,
    /// The position of each of them.
    ended: BTreeMap<Vec<i64>, usize>,
    states: BTreeMap<State, usize>,
}

impl Graph {
    /// Follows every move and every outcome from a state on.
    pub(super) fn of(game: &Game, start: &State, wanted: Solve) -> Result<Graph, Refusal> {
        let graph = Graph::default();
        let mut walk = Walk { game, graph, waiting: Vec::new(), turn: Turn::new(), wanted };
        walk.reach(start.clone())?;
        while let Some((node, state)) = walk.waiting.pop() {
            if wanted.progress.is_stopped() {
                return Err(Refusal::Stopped { states: walk.graph.nodes.len() });
            }
            walk.follow(node, &state)?;
        }
        Ok(walk.graph)
    }

    /// Where a position leads.
    pub(super) fn leads(&self, node: usize) -> &[usize] {
        let (first, count) = self.nodes[node].edges;
        &self.edges[first..first + count]
    }

    /// The position of a state that was settled.
    pub(super) fn find(&self, state: &State) -> Option<usize> {
        self.states.get(state).copied()
    }

    /// All positions, each behind those that it leads to, and whether any leads back to itself.
    /// With `through_draws` false, only circles of decisions count.
    pub(super) fn order(&self, through_draws: bool) -> (Vec<usize>, bool) {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut colours = vec![Colour::Unseen; self.nodes.len()];
        let mut circles = false;
        for root in 0..self.nodes.len() {
            if colours[root] != Colour::Unseen {
                continue;
            }
            let mut path = vec![(root, 0)];
            colours[root] = Colour::Open;
            while let Some((node, next)) = path.last_mut() {
                let (node, at) = (*node, *next);
                *next += 1;
                let leads = self.leads(node);
                let stops = !through_draws && self.nodes[node].kind == Kind::Draw;
                match leads.get(at).filter(|_| !stops) {
                    None => {
                        colours[node] = Colour::Done;
                        order.push(node);
                        path.pop();
                    }
                    Some(to) => match colours[*to] {
                        Colour::Unseen => {
                            colours[*to] = Colour::Open;
                            path.push((*to, 0));
                        }
                        Colour::Open => circles = true,
                        Colour::Done => {}
                    },
                }
            }
        }
        (order, circles)
    }

    /// The most decisions on any way to an end, if no way is a circle.
    pub(super) fn longest(&self, order: &[usize]) -> i64 {
        let mut longest = vec![0; self.nodes.len()];
        for node in order {
            let behind = self.leads(*node).iter().map(|to| longest[*to]).max().unwrap_or(0);
            let decides = matches!(self.nodes[*node].kind, Kind::Decide(_));
            longest[*node] = behind + i64::from(decides);
        }
        longest[0]
    }
}

/// How far a walk is with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    Unseen,
    Open,
    Done,
}

/// A walk over everything that can come.
struct Walk<'a> {
    game: &'a Game,
    graph: Graph,
    waiting: Vec<(usize, State)>,
    turn: Turn,
    wanted: Solve<'a>,
}

impl Walk<'_> {
    /// The position of a state; a new one waits to be followed.
    fn reach(&mut self, mut state: State) -> Result<usize, Refusal> {
        state.forget_decisions();
        let step = self.game.advance(&mut state, &mut self.turn).map_err(Refusal::Trap)?;
        if step == Step::End {
            return self.end(&state);
        }
        if let Some(node) = self.graph.states.get(&state) {
            return Ok(*node);
        }
        let kind = match step {
            Step::Decide { player } => Kind::Decide(player.index()),
            _ => Kind::Draw,
        };
        let node = self.add(kind)?;
        self.graph.states.insert(state.clone(), node);
        self.waiting.push((node, state));
        Ok(node)
    }

    fn add(&mut self, kind: Kind) -> Result<usize, Refusal> {
        let node = self.graph.nodes.len();
        if node >= self.wanted.most {
            return Err(Refusal::TooMany { most: self.wanted.most });
        }
        self.wanted.progress.add(1);
        self.graph.nodes.push(Node { kind, edges: (0, 0) });
        Ok(node)
    }

    /// The position of an end; all that are worth the same are one.
    fn end(&mut self, state: &State) -> Result<usize, Refusal> {
        let mut end = worth(self.game, state);
        let returns = self.game.result(state).map(|outcome| outcome.returns).unwrap_or_default();
        end.extend(returns.iter().map(|value| i64::from(*value == 1)));
        if let Some(node) = self.graph.ended.get(&end) {
            return Ok(*node);
        }
        let node = self.add(Kind::End(self.graph.ends.len()))?;
        self.graph.ends.push(end.clone());
        self.graph.ended.insert(end, node);
        Ok(node)
    }

    /// Follows everything that can happen at a position.
    fn follow(&mut self, node: usize, state: &State) -> Result<(), Refusal> {
        let mut at = state.clone();
        let step = self.game.advance(&mut at, &mut self.turn).map_err(Refusal::Trap)?;
        let turn = std::mem::take(&mut self.turn);
        let mut leads = Vec::new();
        let ways = match step {
            Step::Decide { .. } => turn.count(),
            Step::Draw { outcomes } => usize::try_from(outcomes).unwrap_or(usize::MAX),
            Step::End => 0,
        };
        for way in 0..ways {
            let mut next = at.clone();
            match step {
                Step::Decide { .. } => self.game.choose(&mut next, &turn, way),
                _ => self.game.draw(&mut next, u32::try_from(way).unwrap_or(u32::MAX)),
            }
            leads.push(self.reach(next)?);
        }
        self.turn = turn;
        self.graph.nodes[node].edges = (self.graph.edges.len(), leads.len());
        self.graph.edges.extend(leads);
        Ok(())
    }
}
