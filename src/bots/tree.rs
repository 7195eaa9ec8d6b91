//! The tree of a search: what was tried at each decision, and what came of it for each player.
//!
//! Everything is counted in whole numbers, so the same seed grows the same tree on every machine.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::bots::fixed_point::{BITS, ONE, ln, softmax};
use crate::bots::spread::Spread;
use crate::game::State;

pub(super) type NodeId = u32;

/// How many bytes a tree may have.
pub(crate) const MAX_TREE: usize = 1_000_000_000;

/// Until a move was tried so often, the tree does not tell apart what is seen behind it; afterwards not until it was
/// tried so often more for each of these sights, and never if there are too many.
const FOLDED: u32 = 16;
const TRIES: u32 = 8;
const MOST_SIGHTS: usize = 16;

/// How much what a guide says counts, in quarters.
const BOLDNESS: i128 = 4;

/// How often an improved policy counts the mean of the root as a result of each move: few tries say little.
const VIRTUAL_VISITS: i128 = 4;

/// How much a difference in means changes an improved policy: by a factor of e to this power for a whole width.
const SHARPNESS: i128 = 3;

/// Differences above this many widths count as much: results that are too large to be added up could be further apart.
const MOST_WIDTHS: i128 = 4;

/// What a node costs: itself, and its entry in the table of positions, which is up to twice as large as what it holds.
const BYTES_OF_A_NODE: usize = size_of::<TreeNode>() + 4 * size_of::<u128>();

/// A move or an outcome at a node.
#[derive(Clone, Debug, Default)]
struct Edge {
    key: u64,
    /// The node that it leads to, whatever is seen there; 0 where there is none, since nothing leads to the root.
    child: NodeId,
    /// How often it was tried.
    visits: u32,
    /// How often it could have been tried, where moves are not always there.
    offered: u32,
    /// The row of [`SearchTree::totals`] with what came of it; 0 before it was tried.
    row: u32,
    /// How likely it is to be good, as a guide says.
    prior: u32,
}

#[derive(Clone, Debug, Default)]
struct TreeNode {
    edges: Vec<Edge>,
    /// How often one of its moves was picked.
    picked: u32,
}

/// The moves at a decision.
#[derive(Clone, Copy, Debug)]
pub(super) enum TreeMoves<'a> {
    /// So many, always the same ones: a key is a number. The tree has edges only for those that were tried.
    Numbered(usize),
    /// Those with these keys; others may be there the next time.
    Keyed(&'a [u64]),
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
pub(super) struct SearchTree {
    backup: Backup,
    /// Whether edges stand in the order of their keys: those of moves that have numbers (see [`TreeMoves`]), or that
    /// a guide knows.
    is_numbered: bool,
    nodes: Vec<TreeNode>,
    /// The nodes of positions that everybody sees whole, by their fingerprints: one that is reached in several ways
    /// is one.
    positions: BTreeMap<u128, NodeId>,
    /// The nodes behind an edge, given by its node and key, by what the player who searches sees there.
    sights: BTreeMap<(NodeId, u64), Vec<(u128, NodeId)>>,
    /// What came of edges for each player, summed up: a row for each edge that was tried. The first row is empty.
    totals: Vec<i64>,
    players: usize,
    /// How many bytes it has at most, counted so that it is the same on every machine.
    bytes: usize,
    seen: Spread,
    /// The logarithms of the numbers from 0 on, as far as they were asked for.
    logarithms: Vec<u64>,
}

impl SearchTree {
    /// A tree with nothing but its root, the node 0.
    pub(super) fn new(backup: Backup, players: usize, is_numbered: bool) -> SearchTree {
        SearchTree {
            backup,
            is_numbered,
            nodes: vec![TreeNode::default()],
            positions: BTreeMap::new(),
            sights: BTreeMap::new(),
            totals: vec![0; players],
            players,
            bytes: 0,
            seen: Spread::default(),
            logarithms: Vec::new(),
        }
    }

    pub(super) fn used_bytes(&self) -> usize {
        self.bytes
    }

    /// Widens the range of payoffs, which scales the bound of `select`.
    pub(super) fn record_payoffs(&mut self, worth: &[i64]) {
        worth.iter().for_each(|value| self.seen.add_value(*value));
    }

    /// The node of a position, and whether it is new. The first one is the root.
    pub(super) fn ensure_node(&mut self, state: &State) -> (NodeId, bool) {
        let fingerprint = state.fingerprint();
        if let Some(node) = self.positions.get(&fingerprint) {
            return (*node, false);
        }
        let is_root = self.positions.is_empty();
        let node = if is_root { 0 } else { self.grow() };
        self.positions.insert(fingerprint, node);
        (node, !is_root)
    }

    /// The node that an edge leads to, and whether it is new: one for all that the player who searches may see there,
    /// until the edge is tried so often that each sight can have a node of its own.
    pub(super) fn child(
        &mut self,
        node: NodeId,
        key: u64,
        see: impl FnOnce() -> u128,
    ) -> (NodeId, bool) {
        let edge = self.edge(node, key);
        let Edge { visits, child, .. } = *self.edge_at(node, edge);
        let own = (visits >= FOLDED).then(|| self.child_of_sight(node, key, visits, see)).flatten();
        if let Some(own) = own {
            return own;
        }
        if child != 0 {
            return (child, false);
        }
        let child = self.grow();
        self.edge_at(node, edge).child = child;
        (child, true)
    }

    /// The node of what is seen behind an edge, if it has one of its own.
    fn child_of_sight(
        &mut self,
        node: NodeId,
        key: u64,
        visits: u32,
        see: impl FnOnce() -> u128,
    ) -> Option<(NodeId, bool)> {
        let known = self.sights.entry((node, key)).or_default();
        if known.len() > MOST_SIGHTS {
            return None;
        }
        let seen = see();
        let place = known.iter().position(|(known, _)| *known == seen).unwrap_or(known.len());
        if place == known.len() {
            self.bytes += 2 * size_of::<(u128, NodeId)>();
            known.push((seen, 0));
        }
        let count = u32::try_from(known.len()).expect("they are few");
        if known.len() == 1 || known.len() > MOST_SIGHTS || visits < FOLDED + TRIES * count {
            return None;
        }
        let child = known[place].1;
        if child != 0 {
            return Some((child, false));
        }
        let child = self.grow();
        self.sights.entry((node, key)).or_default()[place].1 = child;
        Some((child, true))
    }

    fn grow(&mut self) -> NodeId {
        self.bytes += BYTES_OF_A_NODE;
        self.nodes.push(TreeNode::default());
        NodeId::try_from(self.nodes.len() - 1).expect("a tree of so many nodes is too large")
    }

    /// Which of the moves that are legal now the player tries next: one that was never tried,
    /// picked by `pick`, else the one with the highest upper bound (UCT; Kocsis and Szepesvári,
    /// 2006). A move that is not always there is measured by how often it was (Cowling, Powley and
    /// Whitehouse, 2012).
    pub(super) fn select(
        &mut self,
        node: NodeId,
        player: usize,
        moves: TreeMoves,
        pick: impl FnOnce(usize) -> usize,
    ) -> usize {
        self.nodes[node as usize].picked += 1;
        match moves {
            TreeMoves::Numbered(count) => self.select_numbered(node, player, count, pick),
            TreeMoves::Keyed(keys) => self.select_keyed(node, player, keys, pick),
        }
    }

    fn select_numbered(
        &mut self,
        node: NodeId,
        player: usize,
        count: usize,
        pick: impl FnOnce(usize) -> usize,
    ) -> usize {
        let offered = self.nodes[node as usize].picked;
        self.know_logarithm(offered);
        let edges = &self.nodes[node as usize].edges;
        if edges.len() < count {
            // The number of the one picked among those that have no edge; edges stand in the order of their numbers.
            let untried = pick(count - edges.len());
            return edges.iter().fold(untried, |at, edge| at + usize::from(edge.key <= at as u64));
        }
        let bound = |at: &usize| self.upper_bound(&edges[*at], offered, player);
        // `max_by_key` takes the last of equals; the first is wanted.
        (0..count).rev().max_by_key(bound).expect("a decision has a move")
    }

    fn select_keyed(
        &mut self,
        node: NodeId,
        player: usize,
        keys: &[u64],
        pick: impl FnOnce(usize) -> usize,
    ) -> usize {
        let edges: Vec<usize> = keys.iter().map(|key| self.edge(node, *key)).collect();
        for edge in &edges {
            let edge = self.edge_at(node, *edge);
            edge.offered += 1;
            let offered = edge.offered;
            self.know_logarithm(offered);
        }
        let all = &self.nodes[node as usize].edges;
        let fresh = |at: &usize| all[edges[*at]].visits == 0;
        let fresh: Vec<usize> = (0..edges.len()).filter(fresh).collect();
        if !fresh.is_empty() {
            return fresh[pick(fresh.len())];
        }
        let bound = |at: &usize| {
            let edge = &all[edges[*at]];
            self.upper_bound(edge, edge.offered, player)
        };
        (0..edges.len()).rev().max_by_key(bound).expect("a decision has a move")
    }

    /// True if all these moves have edges, to which a guide gives priors.
    pub(super) fn knows_priors(&mut self, node: NodeId, keys: &[u64]) -> bool {
        let edges = &self.nodes[node as usize].edges;
        let knows = |key: &u64| edges.binary_search_by_key(key, |edge| edge.key).is_ok();
        keys.iter().all(knows)
    }

    pub(super) fn set_priors(&mut self, node: NodeId, keys: &[u64], priors: &[u32]) {
        for (key, prior) in keys.iter().zip(priors) {
            let edge = self.edge(node, *key);
            self.edge_at(node, edge).prior = *prior;
        }
    }

    /// Which of the moves that are legal now the player tries next, where a guide says how likely each is
    /// to be good: the one with the highest mean and a margin that grows with that (PUCT; Rosin,
    /// "Multi-armed bandits with episode context", 2011). Of equals it is the least used one.
    pub(super) fn select_guided(&mut self, node: NodeId, player: usize, keys: &[u64]) -> usize {
        let places: Vec<usize> = keys.iter().map(|key| self.edge(node, *key)).collect();
        let edges = &self.nodes[node as usize].edges;
        let legal = || places.iter().map(|place| &edges[*place]);
        let sum = |of: &dyn Fn(&Edge) -> i128| legal().map(of).sum::<i128>();
        let visits = sum(&|edge| edge.visits.into());
        let total = sum(&|edge| self.total(edge, player).into());
        let likely = sum(&|edge| edge.prior.into()).max(1);
        let width = self.seen.spread_width();
        // What was never tried counts as the mean of what was.
        let mean = (total << BITS) / (width * visits.max(1));
        let root = (visits.max(1) << (2 * BITS)).isqrt();
        let rank = |at: &usize| {
            let edge = &edges[places[*at]];
            let tried = i128::from(edge.visits);
            let mean = match tried {
                0 => mean,
                tried => (i128::from(self.total(edge, player)) << BITS) / (width * tried),
            };
            let margin = i128::from(edge.prior) * root / likely / (1 + tried);
            (mean + margin * BOLDNESS / 4, Reverse(edge.visits))
        };
        (0..places.len()).rev().max_by_key(rank).expect("a decision has a move")
    }

    /// Computes the logarithms up to that of a number.
    fn know_logarithm(&mut self, number: u32) {
        while u64::from(number) >= self.logarithms.len() as u64 {
            self.logarithms.push(ln(u32::try_from(self.logarithms.len()).expect("as the number")));
        }
    }

    /// Adds what came of a move; what is left in `worth` is what goes further up.
    pub(super) fn add_result(&mut self, node: NodeId, key: u64, player: usize, worth: &mut [i64]) {
        let edge = self.edge(node, key);
        if self.edge_at(node, edge).row == 0 {
            let row = u32::try_from(self.totals.len() / self.players).expect("as nodes");
            self.totals.resize(self.totals.len() + self.players, 0);
            self.bytes += 2 * size_of::<i64>() * self.players;
            self.edge_at(node, edge).row = row;
        }
        let edge = self.edge_at(node, edge);
        edge.visits += 1;
        let row = edge.row as usize * self.players;
        for (total, worth) in self.totals[row..].iter_mut().zip(&*worth) {
            *total = total.saturating_add(*worth);
        }
        if self.backup == Backup::Best
            && let Some(best) = self.best_edge(node, player)
        {
            for (worth, total) in worth.iter_mut().zip(self.totals_of(best)) {
                *worth = total / i64::from(best.visits);
            }
        }
    }

    /// The summed payoffs of each player over visits of an edge.
    fn totals_of(&self, edge: &Edge) -> &[i64] {
        &self.totals[edge.row as usize * self.players..][..self.players]
    }

    fn total(&self, edge: &Edge, player: usize) -> i64 {
        self.totals_of(edge)[player]
    }

    /// The edge from a node with the best mean for a player.
    fn best_edge(&self, node: NodeId, player: usize) -> Option<&Edge> {
        let tried = self.nodes[node as usize].edges.iter().filter(|edge| edge.visits > 0);
        // Means are compared in parts of a win so small that rounding does not matter.
        tried.max_by_key(|edge| self.total(edge, player).div_euclid(i64::from(edge.visits)))
    }

    /// The edge from the root that was tried most, the better of equals, and those that are as good: with the
    /// same mean, and tried as often but for the last round.
    pub(super) fn favourites(&self, player: usize) -> Vec<u64> {
        let edges = &self.nodes[0].edges;
        let rank = |edge: &&Edge| (edge.visits, self.total(edge, player));
        let Some(most) = edges.iter().rev().max_by_key(rank) else { return Vec::new() };
        // Means are compared by cross-multiplication.
        let worth = |edge: &Edge, other: &Edge| {
            i128::from(self.total(edge, player)) * i128::from(other.visits)
        };
        let is_as_good = |edge: &&Edge| {
            let is_tried_as_often = edge.visits > 0 && edge.visits + 1 >= most.visits;
            is_tried_as_often && worth(edge, most) == worth(most, edge)
        };
        edges.iter().filter(is_as_good).map(|edge| edge.key).collect()
    }

    /// The policy of a player at the root, in shares of 2^16: the priors, weighed by how much better than the mean
    /// the search found each move. Unlike counts of visits, which follow the priors, it corrects them (Danihelka
    /// and others, "Policy improvement by planning with Gumbel", 2022).
    pub(super) fn improved_policy(&self, player: usize, keys: &[u64]) -> Vec<u32> {
        let (total, visits) = self.root_total(player);
        let root = (total << BITS) / (self.seen.spread_width() * visits);
        let option = |key: &u64| match self.place(0, *key) {
            // Without a guide all priors are 0, and alike.
            Ok(place) => {
                let edge = &self.nodes[0].edges[place];
                (edge.prior.max(1), self.advantage(edge, player, root))
            }
            Err(_) => (1, 0),
        };
        let options: Vec<(u32, i64)> = keys.iter().map(option).collect();
        softmax(&options)
    }

    /// How much better than the mean of the root an edge is, by [`SHARPNESS`], with [`BITS`] fraction bits.
    fn advantage(&self, edge: &Edge, player: usize, root: i128) -> i64 {
        let total = (i128::from(self.total(edge, player)) << BITS) / self.seen.spread_width();
        let mean = (total + VIRTUAL_VISITS * root) / (i128::from(edge.visits) + VIRTUAL_VISITS);
        let most = MOST_WIDTHS * i128::from(ONE);
        i64::try_from((mean - root).clamp(-most, most) * SHARPNESS).expect("it was clamped")
    }

    /// What came of the root for a player, summed up, and its visits, at least 1.
    fn root_total(&self, player: usize) -> (i128, i128) {
        let edges = || self.nodes[0].edges.iter();
        let visits = edges().map(|edge| i128::from(edge.visits)).sum::<i128>().max(1);
        (edges().map(|edge| i128::from(self.total(edge, player))).sum(), visits)
    }

    /// The mean of what came of the root, for each player.
    pub(super) fn expected(&self) -> Vec<i64> {
        let mean = |player| {
            let (total, visits) = self.root_total(player);
            i64::try_from(total / visits).expect("a mean is between its values")
        };
        (0..self.players).map(mean).collect()
    }

    /// The place of the edge of a move; if there is none, where a new one belongs: in the order of numbers, or last.
    fn place(&self, node: NodeId, key: u64) -> Result<usize, usize> {
        let edges = &self.nodes[node as usize].edges;
        if self.is_numbered {
            edges.binary_search_by_key(&key, |edge| edge.key)
        } else {
            edges.iter().position(|edge| edge.key == key).ok_or(edges.len())
        }
    }

    /// The place of the edge of a move, which is made if there is none.
    fn edge(&mut self, node: NodeId, key: u64) -> usize {
        self.place(node, key).unwrap_or_else(|place| {
            // A list has room for up to twice as many as it holds.
            self.bytes += 2 * size_of::<Edge>();
            self.nodes[node as usize].edges.insert(place, Edge { key, ..Edge::default() });
            place
        })
    }

    fn edge_at(&mut self, node: NodeId, edge: usize) -> &mut Edge {
        &mut self.nodes[node as usize].edges[edge]
    }

    /// The mean, and a margin for what is not known yet, both measured by how far apart games come
    /// out; with [`BITS`] fraction bits.
    fn upper_bound(&self, edge: &Edge, offered: u32, player: usize) -> i128 {
        let (total, width) = (self.total(edge, player), self.seen.spread_width());
        let whole = width * i128::from(edge.visits);
        // Mostly the numbers are small, and short ones are divided faster.
        let mean = match (total.checked_mul(1 << BITS), i64::try_from(whole)) {
            (Some(total), Ok(whole)) => i128::from(total / whole),
            _ => (i128::from(total) << BITS) / whole,
        };
        let logarithm = self.logarithms[offered as usize];
        let margin = ((logarithm << BITS) / u64::from(edge.visits)).isqrt();
        // Seven tenths of what the proof asks for: in play, less is better.
        mean + i128::from(margin * 7 / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::{Backup, SearchTree, TreeMoves};

    #[test]
    fn every_way_is_gone_once_before_any_twice() {
        let keys = [10, 20, 30];
        for (moves, keys) in
            [(TreeMoves::Keyed(&keys), &keys), (TreeMoves::Numbered(3), &[0, 1, 2])]
        {
            let is_numbered = matches!(moves, TreeMoves::Numbered(_));
            let mut tree = SearchTree::new(Backup::Mean, 2, is_numbered);
            tree.record_payoffs(&[-1, 1]);
            let mut gone = Vec::new();
            for _ in 0..3 {
                let at = tree.select(0, 0, moves, |count| count / 2);
                tree.add_result(0, keys[at], 0, &mut [0, 0]);
                gone.push(at);
            }
            assert_eq!(gone, [1, 2, 0]);
        }
    }

    #[test]
    fn what_was_never_tried_costs_nothing_where_moves_have_numbers() {
        let keys: Vec<u64> = (0..1000).collect();
        let bytes = [TreeMoves::Numbered(1000), TreeMoves::Keyed(&keys)].map(|moves| {
            let is_numbered = matches!(moves, TreeMoves::Numbered(_));
            let mut tree = SearchTree::new(Backup::Mean, 2, is_numbered);
            let at = tree.select(0, 0, moves, |_| 7);
            tree.add_result(0, keys[at], 0, &mut [0, 0]);
            tree.used_bytes()
        });
        assert!(bytes[0] < 100 && bytes[1] >= 24_000, "{bytes:?}");
    }

    #[test]
    fn the_better_way_is_gone_more_often() {
        let mut tree = SearchTree::new(Backup::Mean, 2, false);
        tree.record_payoffs(&[-1, 1]);
        for _ in 0..1000 {
            let at = tree.select(0, 1, TreeMoves::Keyed(&[7, 8]), |_| 0);
            let won = if at == 1 { 1 } else { -1 };
            tree.add_result(0, [7, 8][at], 1, &mut [-won, won]);
        }
        assert_eq!(tree.favourites(1), [8]);
        let visits = tree.nodes[0].edges.iter().map(|edge| edge.visits).collect::<Vec<_>>();
        assert!(visits[0] > 1 && visits[0] < 50, "{visits:?}");
    }

    #[test]
    fn an_improved_policy_corrects_priors_that_visits_follow() {
        let mut tree = SearchTree::new(Backup::Mean, 1, true);
        tree.record_payoffs(&[-1]);
        tree.record_payoffs(&[1]);
        let keys = [7, 8, 9];
        tree.set_priors(0, &keys, &[3 << 14, 1 << 13, 1 << 13]);
        for (key, worth) in [(7, -1); 20].into_iter().chain([(8, 1); 4]) {
            tree.add_result(0, key, 0, &mut [worth]);
        }
        let shares = tree.improved_policy(0, &keys);
        // The mean is that of the bad move almost alone; what was never tried counts as the mean.
        assert!(shares[0] < 3 << 14 && shares[1] > 2 * shares[2], "{shares:?}");
        assert!((65_530..=65_536).contains(&shares.iter().sum::<u32>()), "{shares:?}");
    }

    #[test]
    fn results_that_are_too_large_to_be_added_up_do_no_harm() {
        let mut tree = SearchTree::new(Backup::Mean, 1, true);
        tree.record_payoffs(&[i64::MAX]);
        for key in [7, 7, 7, 8] {
            tree.add_result(0, key, 0, &mut [i64::MAX]);
        }
        let shares = tree.improved_policy(0, &[7, 8, 9]);
        assert!(shares.iter().sum::<u32>() > 65_530, "{shares:?}");
        assert_eq!(tree.expected(), [i64::MAX / 2]);
    }

    #[test]
    fn the_best_that_is_known_goes_further_up_or_what_came_of_it() {
        for (backup, up) in [(Backup::Best, [-6, 6]), (Backup::Mean, [8, -8])] {
            let mut tree = SearchTree::new(backup, 2, false);
            tree.add_result(0, 7, 1, &mut [-6, 6]);
            let mut worth = [8, -8];
            tree.add_result(0, 8, 1, &mut worth);
            assert_eq!(worth, up, "{backup:?}");
        }
    }
}
