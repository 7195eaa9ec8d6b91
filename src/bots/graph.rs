//! The graph of all positions that can follow from a state.

use std::collections::BTreeMap;

use super::analysis::worth;
use super::solver::{Refusal, Solve};
use crate::components::Components;
use crate::game::{Game, LegalMoves, Positions, State, Step};

/// What happens at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Decide(u8),
    Draw,
    /// The game is over, with this of [`Graph::ends`].
    End(u32),
}

/// All positions; the first is the one that was asked about. There may be millions, so what is kept
/// of each is small.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) kinds: Vec<Kind>,
    /// Where the edges of each node begin; the last entry is where they end.
    starts: Vec<usize>,
    edges: Vec<u32>,
    /// How games end: what it is worth to each player, then 1 for whoever wins alone, then the
    /// scores, if all ends have them.
    pub(super) ends: Vec<Vec<i64>>,
    pub(super) scored: bool,
    /// The node of each of the ends.
    ended: BTreeMap<Vec<i64>, u32>,
    positions: Positions,
    node_of: Vec<u32>,
}

impl Graph {
    /// Follows every move and every outcome from a state on.
    pub(super) fn of(game: &Game, start: &State, wanted: Solve) -> Result<Graph, Refusal> {
        let graph = Graph { scored: true, ..Graph::default() };
        let state = start.clone();
        let (from, legal, listed) = (state.clone(), LegalMoves::new(), LegalMoves::new());
        let mut walk = Walk { game, graph, from, listed, state, legal, wanted };
        walk.reach()?;
        // Nodes wait in the order of their numbers, so their edges follow each other.
        let mut position = 0;
        for node in 0.. {
            let Some(kind) = walk.graph.kinds.get(node) else { break };
            if wanted.progress.is_stopped() {
                return Err(Refusal::Stopped { states: walk.graph.kinds.len() });
            }
            walk.graph.starts.push(walk.graph.edges.len());
            if !matches!(kind, Kind::End(_)) {
                walk.follow(position)?;
                position += 1;
            }
        }
        let mut graph = walk.graph;
        graph.starts.push(graph.edges.len());
        if !graph.scored {
            let numbers = 2 * game.info().players;
            graph.ends.iter_mut().for_each(|end| end.truncate(numbers));
        }
        Ok(graph)
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// What leads back to itself. With `through_draws` false, a draw leads nowhere: then only circles
    /// of decisions are left.
    pub(super) fn components(&self, through_draws: bool) -> Components {
        Components::of(self.len(), |node| match self.kinds[node as usize] {
            Kind::Draw if !through_draws => &[],
            _ => self.leads(node as usize),
        })
    }

    pub(super) fn is_circle(&self, component: &[u32]) -> bool {
        match component {
            [node] => self.leads(*node as usize).contains(node),
            _ => true,
        }
    }

    pub(super) fn leads(&self, node: usize) -> &[u32] {
        &self.edges[self.starts[node]..self.starts[node + 1]]
    }

    /// The node of a state that was settled.
    pub(super) fn find(&self, state: &State) -> Option<usize> {
        self.positions.find(state).map(|position| self.node_of[position] as usize)
    }
}

/// A walk over everything that can come.
struct Walk<'a> {
    game: &'a Game,
    graph: Graph,
    /// The position that is followed, and its moves.
    from: State,
    listed: LegalMoves,
    state: State,
    legal: LegalMoves,
    wanted: Solve<'a>,
}

impl Walk<'_> {
    /// The node of the state that was made; a new one waits to be followed.
    fn reach(&mut self) -> Result<u32, Refusal> {
        self.state.forget_work();
        let step = self.game.advance_unheard(&mut self.state, &mut self.legal);
        let step = step.map_err(Refusal::Trap)?;
        if step == Step::End {
            return self.end();
        }
        let (position, is_new) = self.graph.positions.add(&self.state);
        if !is_new {
            return Ok(self.graph.node_of[position]);
        }
        let kind = match step {
            Step::Decide { player } => Kind::Decide(player.0),
            _ => Kind::Draw,
        };
        let node = self.add(kind)?;
        self.graph.node_of.push(node);
        Ok(node)
    }

    fn add(&mut self, kind: Kind) -> Result<u32, Refusal> {
        let node = self.graph.kinds.len();
        let most = self.wanted.most;
        let number = u32::try_from(node).ok().filter(|_| node < most);
        self.graph.kinds.push(kind);
        self.wanted.progress.add(1);
        number.ok_or(Refusal::TooMany { most })
    }

    /// The node of an end; all that are worth the same are one.
    fn end(&mut self) -> Result<u32, Refusal> {
        let mut end = worth(self.game, &self.state);
        let outcome = self.game.result(&self.state);
        let (returns, scores) =
            outcome.map(|outcome| (outcome.returns, outcome.scores)).unwrap_or_default();
        end.extend(returns.iter().map(|value| i64::from(*value == 1)));
        self.graph.scored &= scores.is_some();
        end.extend(scores.iter().flatten());
        if let Some(node) = self.graph.ended.get(&end) {
            return Ok(*node);
        }
        let number = u32::try_from(self.graph.ends.len()).unwrap_or(u32::MAX);
        let node = self.add(Kind::End(number))?;
        self.graph.ends.push(end.clone());
        self.graph.ended.insert(end, node);
        Ok(node)
    }

    /// Follows everything that can happen at a position.
    fn follow(&mut self, position: usize) -> Result<(), Refusal> {
        self.graph.positions.load(position, &mut self.from);
        let step = self.game.advance_unheard(&mut self.from, &mut self.listed);
        let step = step.map_err(Refusal::Trap)?;
        let ways = match step {
            Step::Decide { .. } => self.listed.count(),
            Step::Draw { outcomes } => usize::try_from(outcomes).unwrap_or(usize::MAX),
            Step::End => 0,
        };
        for way in 0..ways {
            self.state.clone_from(&self.from);
            match step {
                Step::Decide { .. } => self.game.choose(&mut self.state, &self.listed, way),
                _ => self.game.draw(&mut self.state, u32::try_from(way).unwrap_or(u32::MAX)),
            }
            let node = self.reach()?;
            self.graph.edges.push(node);
        }
        Ok(())
    }
}
