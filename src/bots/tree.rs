//! The tree of a search: what was tried at each decision, and what came of it for each player.
//!
//! Everything is counted in whole numbers, so the same seed grows the same tree on every machine.

use std::collections::BTreeMap;

use super::logarithm::{BITS, ln};
use crate::game::State;

/// A position in the tree.
pub(super) type NodeId = usize;

/// A decision that was reached, or a draw.
#[derive(Clone, Debug, Default)]
struct Node {
    edges: Vec<Edge>,
}

/// A way to go on from a node.
#[derive(Clone, Debug)]
struct Edge {
    /// Which way it is: a move or an outcome.
    key: u64,
    child: Option<NodeId>,
    /// How often it was gone.
    visits: u32,
    /// How often it could have been gone.
    offered: u32,
    /// What came of it, summed up, for whoever decided.
    total: i64,
}

/// A tree that grows with every iteration.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The nodes of positions that everybody sees whole: one that is reached in several ways is
    /// one.
    positions: BTreeMap<State, NodeId>,
    seen: Spread,
}

impl Tree {
    /// A tree with nothing but its root, the node 0.
    pub(super) fn new() -> Tree {
        Tree { nodes: vec![Node::default()], positions: BTreeMap::new(), seen: Spread::default() }
    }

    /// Takes notice of what a game was worth.
    pub(super) fn has_seen(&mut self, worth: &[i64]) {
        worth.iter().for_each(|value| self.seen.add(*value));
    }

    /// The node of a position, and whether it is new. The first one is the root.
    pub(super) fn at(&mut self, state: &State) -> (NodeId, bool) {
        if let Some(node) = self.positions.get(state) {
            return (*node, false);
        }
        if self.positions.is_empty() {
            self.positions.insert(state.clone(), 0);
            return (0, false);
        }
        let node = self.nodes.len();
        self.nodes.push(Node::default());
        self.positions.insert(state.clone(), node);
        (node, true)
    }

    /// The node behind an edge, and whether it is new.
    pub(super) fn child(&mut self, node: NodeId, key: u64) -> (NodeId, bool) {
        let edge = self.edge(node, key);
        if let Some(child) = self.nodes[node].edges[edge].child {
            return (child, false);
        }
        let child = self.nodes.len();
        self.nodes.push(Node::default());
        self.nodes[node].edges[edge].child = Some(child);
        (child, true)
    }

    /// Which of the ways that are legal now is gone next: one that was never gone, picked by
    /// `pick`, else the one with the highest upper bound (UCT; Kocsis and Szepesvári, 2006). A way
    /// that is not always there is measured by how often it was (Cowling, Powley and Whitehouse,
    /// 2012).
    pub(super) fn select(
        &mut self,
        node: NodeId,
        keys: &[u64],
        pick: impl FnOnce(usize) -> usize,
    ) -> usize {
        let edges: Vec<usize> = keys.iter().map(|key| self.edge(node, *key)).collect();
        for edge in &edges {
            self.nodes[node].edges[*edge].offered += 1;
        }
        let fresh = |at: &usize| self.nodes[node].edges[edges[*at]].visits == 0;
        let fresh: Vec<usize> = (0..edges.len()).filter(fresh).collect();
        if !fresh.is_empty() {
            return fresh[pick(fresh.len())];
        }
        let mut best = (0, 0);
        for (at, edge) in edges.iter().enumerate() {
            let bound = self.upper_bound(&self.nodes[node].edges[*edge]);
            if at == 0 || bound > best.1 {
                best = (at, bound);
            }
        }
        best.0
    }

    /// Adds what came of going a way.
    pub(super) fn add(&mut self, node: NodeId, key: u64, worth: i64) {
        let edge = self.edge(node, key);
        let edge = &mut self.nodes[node].edges[edge];
        edge.visits += 1;
        edge.total = edge.total.saturating_add(worth);
    }

    /// The way from the root that was gone most, the better of equals first.
    pub(super) fn favourite(&self) -> Option<u64> {
        let better = |a: &&Edge, b: &&Edge| (a.visits, a.total).cmp(&(b.visits, b.total));
        // `max_by` takes the last of equals; the first is wanted.
        self.nodes[0].edges.iter().rev().max_by(better).map(|edge| edge.key)
    }

    fn edge(&mut self, node: NodeId, key: u64) -> usize {
        let edges = &mut self.nodes[node].edges;
        // Where keys are the numbers of moves, each mostly stands at its own place.
        let guess = usize::try_from(key).unwrap_or(usize::MAX);
        if edges.get(guess).is_some_and(|edge| edge.key == key) {
            return guess;
        }
        edges.iter().position(|edge| edge.key == key).unwrap_or_else(|| {
            edges.push(Edge { key, child: None, visits: 0, offered: 0, total: 0 });
            edges.len() - 1
        })
    }

    /// The mean, and a margin for what is not known yet, both measured by how far apart games come
    /// out; with [`BITS`] bits behind the point.
    fn upper_bound(&self, edge: &Edge) -> i128 {
        let mean = (i128::from(edge.total) << BITS) / (self.seen.width() * i128::from(edge.visits));
        let margin = ((ln(edge.offered) << BITS) / u64::from(edge.visits)).isqrt();
        // Seven tenths of what the proof asks for: in play, less is better.
        mean + i128::from(margin * 7 / 10)
    }
}

/// How far apart games come out. Measured by their whole range, games that are mostly near each
/// other would all look the same, and the search would find nothing.
#[derive(Clone, Debug, Default)]
struct Spread {
    count: i128,
    sum: i128,
    squares: i128,
    width: i128,
}

impl Spread {
    fn add(&mut self, value: i64) {
        let value = i128::from(value);
        self.count += 1;
        self.sum = self.sum.saturating_add(value);
        self.squares = self.squares.saturating_add(value.saturating_mul(value));
        let of_counts = self.count.saturating_mul(self.squares);
        let variance = of_counts.saturating_sub(self.sum.saturating_mul(self.sum)).max(0);
        self.width = 2 * variance.isqrt() / self.count;
    }

    /// Twice the standard deviation: of games that are won and lost equally often, all of the
    /// range.
    fn width(&self) -> i128 {
        self.width.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn every_way_is_gone_once_before_any_twice() {
        let mut tree = Tree::new();
        tree.has_seen(&[-1, 1]);
        let keys = [10, 20, 30];
        let mut gone = Vec::new();
        for _ in 0..3 {
            let at = tree.select(0, &keys, |count| count - 1);
            tree.add(0, keys[at], 0);
            gone.push(at);
        }
        assert_eq!(gone, [2, 1, 0]);
    }

    #[test]
    fn the_better_way_is_gone_more_often() {
        let mut tree = Tree::new();
        tree.has_seen(&[-1, 1]);
        for _ in 0..1000 {
            let at = tree.select(0, &[7, 8], |_| 0);
            tree.add(0, [7, 8][at], if at == 1 { 1 } else { -1 });
        }
        assert_eq!(tree.favourite(), Some(8));
        let visits = tree.nodes[0].edges.iter().map(|edge| edge.visits).collect::<Vec<_>>();
        assert!(visits[0] > 1 && visits[0] < 50, "{visits:?}");
    }
}
