//! Strongly connected components of a graph: what leads back to itself (Tarjan 1972).

use std::ops::Range;

/// The components of a graph, each after those that it leads to.
#[derive(Debug, Default)]
pub struct Components {
    nodes: Vec<u32>,
    /// Where each component ends in the nodes.
    ends: Vec<usize>,
}

impl Components {
    /// The components of so many nodes, by where each of them leads.
    ///
    /// # Panics
    /// If there are 2^32 nodes or more.
    pub fn of_graph<'a>(count: usize, leads: impl Fn(u32) -> &'a [u32]) -> Components {
        let mut walk = ComponentSearch {
            leads,
            numbers: vec![0; count],
            lows: vec![0; count],
            stack: Vec::new(),
            path: Vec::new(),
            count: 0,
            found: Components::default(),
        };
        for root in 0..u32::try_from(count).expect("nodes are counted in 32 bits") {
            if walk.numbers[root as usize] == 0 {
                walk.search_from(root);
            }
        }
        walk.found
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.nodes[start..*end])
    }
}

/// The edges of a graph, those of each node after those of the node before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edges {
    pub(crate) to: Vec<u32>,
    /// Where the edges of each node end.
    ends: Vec<usize>,
}

impl Edges {
    /// Ends the edges of a node: those that are pushed from now on belong to the next one.
    pub(crate) fn close_node(&mut self) {
        self.ends.push(self.to.len());
    }

    /// The number of nodes whose edges are complete.
    pub(crate) fn closed(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn edges_of(&self, node: u32) -> &[u32] {
        &self.to[self.edge_range(node)]
    }

    /// Where the edges of a node stand among all.
    pub(crate) fn edge_range(&self, node: u32) -> Range<usize> {
        let node = node as usize;
        node.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[node]
    }

    /// Whether the nodes of a component lead back to themselves.
    pub(crate) fn is_circle(&self, component: &[u32]) -> bool {
        match component {
            [node] => self.edges_of(*node).contains(node),
            _ => true,
        }
    }
}

/// The mark of a node whose component is known.
const DONE: u32 = u32::MAX;

struct ComponentSearch<F> {
    leads: F,
    /// When each node was met, from 1.
    numbers: Vec<u32>,
    /// The first node on the stack that each node leads back to, by its number.
    lows: Vec<u32>,
    stack: Vec<u32>,
    /// The way from the root, with the next edge of each node: a game may be very long.
    path: Vec<(u32, u32)>,
    count: u32,
    found: Components,
}

impl<'a, F: Fn(u32) -> &'a [u32]> ComponentSearch<F> {
    fn search_from(&mut self, root: u32) {
        self.enter_node(root);
        while let Some((node, next)) = self.path.last_mut() {
            let (node, at) = (*node, *next as usize);
            *next += 1;
            match (self.leads)(node).get(at).copied() {
                Some(to) if self.numbers[to as usize] == 0 => self.enter_node(to),
                Some(to) => self.lower(node, self.numbers[to as usize]),
                None => self.leave_node(node),
            }
        }
    }

    fn enter_node(&mut self, node: u32) {
        self.count += 1;
        self.numbers[node as usize] = self.count;
        self.lows[node as usize] = self.count;
        self.stack.push(node);
        self.path.push((node, 0));
    }

    /// Nodes whose component is known are no way back.
    fn lower(&mut self, node: u32, number: u32) {
        if number != DONE {
            let low = &mut self.lows[node as usize];
            *low = (*low).min(number);
        }
    }

    fn leave_node(&mut self, node: u32) {
        self.path.pop();
        let low = self.lows[node as usize];
        if let Some((before, _)) = self.path.last() {
            self.lower(*before, low);
        }
        if low == self.numbers[node as usize] {
            while let Some(member) = self.stack.pop() {
                self.numbers[member as usize] = DONE;
                self.found.nodes.push(member);
                if member == node {
                    break;
                }
            }
            self.found.ends.push(self.found.nodes.len());
        }
    }
}
