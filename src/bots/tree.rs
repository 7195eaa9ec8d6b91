//! The tree of a search: what was tried at each decision, and what came of it for each player.
//!
//! Everything is counted in whole numbers, so the same seed grows the same tree on every machine.

use std::collections::BTreeMap;

use crate::game::State;

pub(super) type NodeId = usize;

/// A move or an outcome at a node.
#[derive(Clone, Debug)]
struct Edge {
    key: u64,
    child: Option<NodeId>,
    /// How often it was tried.
    visits: u32,
    /// How often it could have been tried.
    offered: u32,
    /// What came of it for each player, summed up.
    totals: Vec<i64>,
}

impl Edge {
    fn total(&self, player: usize) -> i64 {
        self.totals.get(player).copied().unwrap_or(0)
    }
}

/// What goes up the tree from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backup {
    /// What came of the move that was made, so that each node has the mean of what came of it.
    /// Random games differ, and only a mean tells them from luck.
    Mean,
    /// The mean of the best move that is known, for the player who decides there (the minimax
    /// backup of Lanctot and others, 2014). A mean would count what was tried and not found good,
    /// and make a decision look the worse the more there is to try.
    Best,
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    backup: Backup,
    /// The edges from each decision that was reached.
    nodes: Vec<Vec<Edge>>,
    /// The nodes of positions that everybody sees whole: one that is reached in several ways is
    /// one.
    positions: BTreeMap<State, NodeId>,
    seen: Spread,
    /// The logarithms of the numbers from 0 on, as far as they were asked for.
    logarithms: Vec<u64>,
}

impl Tree {
    /// A tree with nothing but its root, the node 0.
    pub(super) fn new(backup: Backup) -> Tree {
        let (positions, seen) = (BTreeMap::new(), Spread::default());
        Tree { backup, nodes: vec![Vec::new()], positions, seen, logarithms: Vec::new() }
    }

    pub(super) fn has_seen(&mut self, worth: &[i64]) {
        worth.iter().for_each(|value| self.seen.add(*value));
    }

    /// The node of a position, and whether it is new. The first one is the root.
    pub(super) fn at(&mut self, state: &State) -> (NodeId, bool) {
        if let Some(node) = self.positions.get(state) {
            return (*node, false);
        }
        let is_root = self.positions.is_empty();
        let node = if is_root { 0 } else { self.grow() };
        self.positions.insert(state.clone(), node);
        (node, !is_root)
    }

    /// The node that an edge leads to, and whether it is new.
    pub(super) fn child(&mut self, node: NodeId, key: u64) -> (NodeId, bool) {
        let edge = self.edge(node, key);
        if let Some(child) = self.nodes[node][edge].child {
            return (child, false);
        }
        let child = self.grow();
        self.nodes[node][edge].child = Some(child);
        (child, true)
    }

    fn grow(&mut self) -> NodeId {
        self.nodes.push(Vec::new());
        self.nodes.len() - 1
    }

    /// Which of the moves that are legal now the player tries next: one that was never tried,
    /// picked by `pick`, else the one with the highest upper bound (UCT; Kocsis and Szepesvári,
    /// 2006). A move that is not always there is measured by how often it was (Cowling, Powley and
    /// Whitehouse, 2012).
    pub(super) fn select(
        &mut self,
        node: NodeId,
        player: usize,
        keys: &[u64],
        pick: impl FnOnce(usize) -> usize,
    ) -> usize {
        let edges: Vec<usize> = keys.iter().map(|key| self.edge(node, *key)).collect();
        for edge in &edges {
            let offered = &mut self.nodes[node][*edge].offered;
            *offered += 1;
            while u64::from(*offered) >= self.logarithms.len() as u64 {
                self.logarithms.push(ln(u32::try_from(self.logarithms.len()).expect("as offered")));
            }
        }
        let fresh = |at: &usize| self.nodes[node][edges[*at]].visits == 0;
        let fresh: Vec<usize> = (0..edges.len()).filter(fresh).collect();
        if !fresh.is_empty() {
            return fresh[pick(fresh.len())];
        }
        let bound = |at: &usize| self.upper_bound(&self.nodes[node][edges[*at]], player);
        // `max_by_key` takes the last of equals; the first is wanted.
        (0..edges.len()).rev().max_by_key(bound).expect("a decision has a move")
    }

    /// Adds what came of a move; what is left in `worth` is what goes further up.
    pub(super) fn add(&mut self, node: NodeId, key: u64, player: usize, worth: &mut [i64]) {
        let edge = self.edge(node, key);
        let edge = &mut self.nodes[node][edge];
        edge.visits += 1;
        edge.totals.resize(worth.len(), 0);
        for (total, worth) in edge.totals.iter_mut().zip(&*worth) {
            *total = total.saturating_add(*worth);
        }
        if self.backup == Backup::Best
            && let Some(best) = self.best(node, player)
        {
            for (worth, total) in worth.iter_mut().zip(&best.totals) {
                *worth = total / i64::from(best.visits);
            }
        }
    }

    /// The edge from a node with the best mean for a player.
    fn best(&self, node: NodeId, player: usize) -> Option<&Edge> {
        let gone = self.nodes[node].iter().filter(|edge| edge.visits > 0);
        // Means are compared in parts of a win so small that rounding does not matter.
        gone.max_by_key(|edge| edge.total(player).div_euclid(i64::from(edge.visits)))
    }

    /// The edge from the root that was tried most, the better of equals first.
    pub(super) fn favourite(&self, player: usize) -> Option<u64> {
        let rank = |edge: &&Edge| (edge.visits, edge.total(player));
        self.nodes[0].iter().rev().max_by_key(rank).map(|edge| edge.key)
    }

    fn edge(&mut self, node: NodeId, key: u64) -> usize {
        let edges = &mut self.nodes[node];
        // Where keys are the numbers of moves, each mostly stands at its own place.
        let guess = usize::try_from(key).unwrap_or(usize::MAX);
        if edges.get(guess).is_some_and(|edge| edge.key == key) {
            return guess;
        }
        edges.iter().position(|edge| edge.key == key).unwrap_or_else(|| {
            edges.push(Edge { key, child: None, visits: 0, offered: 0, totals: Vec::new() });
            edges.len() - 1
        })
    }

    /// The mean, and a margin for what is not known yet, both measured by how far apart games come
    /// out; with [`BITS`] fraction bits.
    fn upper_bound(&self, edge: &Edge, player: usize) -> i128 {
        let (total, width) = (edge.total(player), self.seen.width());
        let whole = width * i128::from(edge.visits);
        // Mostly the numbers are small, and short ones are divided faster.
        let mean = match (total.checked_mul(1 << BITS), i64::try_from(whole)) {
            (Some(total), Ok(whole)) => i128::from(total / whole),
            _ => (i128::from(total) << BITS) / whole,
        };
        let logarithm = self.logarithms[edge.offered as usize];
        let margin = ((logarithm << BITS) / u64::from(edge.visits)).isqrt();
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

/// The number of fraction bits of a fixed-point number.
const BITS: u32 = 16;

/// The natural logarithm of 2, with 32 fraction bits.
const LN_2: u64 = 2_977_044_472;

/// The natural logarithm of a number from 1 on, with [`BITS`] fraction bits.
fn ln(number: u32) -> u64 {
    let whole = number.max(1).ilog2();
    // The rest is a number from 1 to 2 with 31 fraction bits; each squaring gives a bit.
    let mut rest = u64::from(number.max(1)) << (31 - whole);
    let mut log = u64::from(whole);
    for _ in 0..BITS {
        rest = (rest * rest) >> 31;
        log <<= 1;
        if rest >> 32 != 0 {
            rest >>= 1;
            log |= 1;
        }
    }
    (log * LN_2) >> 32
}

#[cfg(test)]
mod tests {
    use super::{BITS, Backup, Tree, ln};

    #[test]
    fn every_way_is_gone_once_before_any_twice() {
        let mut tree = Tree::new(Backup::Mean);
        tree.has_seen(&[-1, 1]);
        let keys = [10, 20, 30];
        let mut gone = Vec::new();
        for _ in 0..3 {
            let at = tree.select(0, 0, &keys, |count| count - 1);
            tree.add(0, keys[at], 0, &mut [0, 0]);
            gone.push(at);
        }
        assert_eq!(gone, [2, 1, 0]);
    }

    #[test]
    fn the_better_way_is_gone_more_often() {
        let mut tree = Tree::new(Backup::Mean);
        tree.has_seen(&[-1, 1]);
        for _ in 0..1000 {
            let at = tree.select(0, 1, &[7, 8], |_| 0);
            let won = if at == 1 { 1 } else { -1 };
            tree.add(0, [7, 8][at], 1, &mut [-won, won]);
        }
        assert_eq!(tree.favourite(1), Some(8));
        let visits = tree.nodes[0].iter().map(|edge| edge.visits).collect::<Vec<_>>();
        assert!(visits[0] > 1 && visits[0] < 50, "{visits:?}");
    }

    #[test]
    fn the_best_that_is_known_goes_further_up_or_what_came_of_it() {
        for (backup, up) in [(Backup::Best, [-6, 6]), (Backup::Mean, [8, -8])] {
            let mut tree = Tree::new(backup);
            tree.add(0, 7, 1, &mut [-6, 6]);
            let mut worth = [8, -8];
            tree.add(0, 8, 1, &mut worth);
            assert_eq!(worth, up, "{backup:?}");
        }
    }

    #[test]
    fn known_logarithms_come_out() {
        // ln 10 = 2.302585, ln 1000 = 6.907755, ln 4294967295 = 22.180710.
        for (number, millionths) in
            [(1, 0), (10, 2_302_585), (1000, 6_907_755), (u32::MAX, 22_180_710)]
        {
            let found = (ln(number) * 1_000_000) >> BITS;
            assert!(found.abs_diff(millionths) < 60, "{number}: {found}");
        }
    }

    #[test]
    fn larger_numbers_have_larger_logarithms() {
        assert!((1..3000).all(|number| ln(number) <= ln(number + 1)));
    }
}
