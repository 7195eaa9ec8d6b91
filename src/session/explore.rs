//! Follows chance from some positions to the next decisions, each position once.

use std::collections::BTreeMap;

use crate::components::{Components, Edges};
use crate::game::{Game, LegalMoves, Positions, State, Step, Trap};
use crate::session::count::Count;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PositionKind {
    /// A decision among so many moves.
    Decide(u64),
    /// A draw, so many outcomes of which end the game.
    Draw(u64),
    /// A later turn than is counted.
    Done,
}

/// Positions that chance leads to, and how they lead to each other.
#[derive(Clone, Debug, Default)]
pub(super) struct PositionGraph {
    positions: Positions,
    pub(super) kinds: Vec<PositionKind>,
    /// The sequences that lead to each position.
    pub(super) counts: Vec<Count>,
    /// Where the positions lead that were followed.
    pub(super) edges: Edges,
    /// How many positions there are; what follows them was cut off.
    pub(super) length: usize,
    /// How many moves there are at all decisions.
    pub(super) moves: u64,
    /// How many decisions were made before.
    pub(super) decisions: i64,
    /// The last turn that is counted, if turns are.
    turns: Option<i64>,
}

impl PositionGraph {
    pub(super) fn new(decisions: usize, turns: Option<i64>) -> PositionGraph {
        let decisions = i64::try_from(decisions).expect("decisions are counted in 63 bits");
        PositionGraph { decisions, turns, ..PositionGraph::default() }
    }

    /// How many bytes of memory it takes.
    pub(super) fn graph_bytes(&self) -> usize {
        let of_node = size_of::<PositionKind>() + size_of::<Count>() + 2 * size_of::<usize>();
        self.positions.memory() + of_node * self.length + size_of::<u32>() * self.edges.to.len()
    }

    pub(super) fn load_position(&self, node: usize, state: &mut State) {
        self.positions.load(node, state);
        state.set_decisions(self.decisions);
    }

    /// Adds a position from which the walk sets out.
    pub(super) fn add_start(
        &mut self,
        game: &Game,
        state: &mut State,
        legal: &mut LegalMoves,
    ) -> Result<usize, Trap> {
        let step = game.advance_unheard(state, legal)?;
        Ok(self.add_position(game, state, step, legal))
    }

    /// Adds what the draw that is followed leads to.
    pub(super) fn add_successor(
        &mut self,
        game: &Game,
        state: &mut State,
        legal: &mut LegalMoves,
    ) -> Result<(), Trap> {
        let step = game.advance_unheard(state, legal)?;
        if step == Step::End {
            let PositionKind::Draw(ends) = &mut self.kinds[self.edges.closed()] else {
                unreachable!("only draws are followed")
            };
            *ends += 1;
            return Ok(());
        }
        let node = self.add_position(game, state, step, legal);
        self.edges.to.push(u32::try_from(node).expect("there are less than 2^32 positions"));
        Ok(())
    }

    fn add_position(
        &mut self,
        game: &Game,
        state: &State,
        step: Step,
        legal: &LegalMoves,
    ) -> usize {
        let (node, is_new) = self.positions.add(state);
        if is_new {
            self.length += 1;
            self.counts.push(Count::default());
            let is_later = self.turns.is_some_and(|last| game.turn_number(state) > Some(last));
            self.kinds.push(match step {
                _ if is_later => PositionKind::Done,
                Step::Decide { .. } => {
                    let moves = u64::try_from(legal.count()).expect("moves fit into memory");
                    self.moves = self.moves.saturating_add(moves);
                    PositionKind::Decide(moves)
                }
                _ => PositionKind::Draw(0),
            });
        }
        node
    }

    /// The next draw that was not followed.
    pub(super) fn next_draw(&mut self) -> Option<usize> {
        while let Some(PositionKind::Decide(_) | PositionKind::Done) =
            self.kinds.get(self.edges.closed())
        {
            self.edges.close_node();
        }
        Some(self.edges.closed()).filter(|node| *node < self.length)
    }

    /// Lets the sequences flow through the draws to the decisions, each position after those that
    /// lead to it. What leads back to where it came from is not followed; says whether there is any.
    pub(super) fn flow(&mut self) -> bool {
        let components = Components::of_graph(self.length, |node| self.edges.edges_of(node));
        if components.iter().any(|component| self.edges.is_circle(component)) {
            self.merge_alike(&components);
        }
        let (order, repeats) = self.sort_positions();
        let mut places = vec![0; self.length];
        order.iter().zip(0_u32..).for_each(|(node, place)| places[*node as usize] = place);
        for node in order.into_iter().rev() {
            let count = std::mem::take(&mut self.counts[node as usize]);
            for to in self.edges.edges_of(node) {
                // A way back to where chance came from is not followed.
                if places[*to as usize] < places[node as usize] {
                    self.counts[*to as usize].add_count(&count);
                }
            }
            self.counts[node as usize] = count;
        }
        repeats
    }

    /// Makes draws one that everything follows from alike: before dice are rolled again, what they
    /// showed makes no difference. Else each number that they showed would be a circle of its own.
    fn merge_alike(&mut self, components: &Components) {
        let count = u32::try_from(self.length).expect("positions are counted in 32 bits");
        let mut like: Vec<u32> = (0..count).collect();
        let mut known: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        for component in components.iter() {
            if self.edges.is_circle(component) {
                self.refine(component, &mut like);
            }
            for node in component {
                if matches!(self.kinds[*node as usize], PositionKind::Draw(_)) {
                    let own = like[*node as usize];
                    like[*node as usize] = *known.entry(self.future(*node, &like)).or_insert(own);
                }
            }
        }
        for to in &mut self.edges.to {
            // What was cut off is like nothing else.
            *to = like.get(*to as usize).copied().unwrap_or(*to);
        }
        for (node, to) in like.into_iter().map(|to| to as usize).enumerate() {
            if to != node {
                let count = std::mem::take(&mut self.counts[node]);
                self.counts[to].add_count(&count);
            }
        }
    }

    /// What follows from a draw: how many outcomes end the game, and where the others lead.
    fn future(&self, node: u32, like: &[u32]) -> Vec<u32> {
        let PositionKind::Draw(ends) = self.kinds[node as usize] else { return vec![node] };
        let ends = u32::try_from(ends).expect("a draw has fewer than 2^32 outcomes");
        let leads = self.edges.edges_of(node).iter().map(|to| like[*to as usize]);
        std::iter::once(ends).chain(leads).collect()
    }

    /// Finds which draws of a circle are alike: all, until what follows from them differs.
    fn refine(&self, circle: &[u32], like: &mut [u32]) {
        circle.iter().for_each(|node| like[*node as usize] = circle[0]);
        let mut parts = 1;
        loop {
            let mut firsts: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
            let alike: Vec<u32> = circle
                .iter()
                .map(|node| *firsts.entry(self.future(*node, like)).or_insert(*node))
                .collect();
            circle.iter().zip(alike).for_each(|(node, first)| like[*node as usize] = first);
            if firsts.len() == parts {
                return;
            }
            parts = firsts.len();
        }
    }

    /// The positions that sequences lead to, each after those that it leads to, and whether any
    /// leads back to one that it came from.
    fn sort_positions(&self) -> (Vec<u32>, bool) {
        let (mut order, mut repeats) = (Vec::with_capacity(self.length), false);
        let mut colours = vec![VisitColour::Unseen; self.length];
        let mut path: Vec<(u32, usize)> = Vec::new();
        for root in 0..u32::try_from(self.length).expect("positions are counted in 32 bits") {
            let is_entry = !self.counts[root as usize].is_zero();
            if is_entry && colours[root as usize] == VisitColour::Unseen {
                colours[root as usize] = VisitColour::Open;
                path.push((root, 0));
            }
            while let Some((node, next)) = path.last_mut() {
                let node = *node;
                let to = self.edges.edges_of(node).get(*next).copied();
                *next += 1;
                match to.map(|to| (to, colours[to as usize])) {
                    None => {
                        colours[node as usize] = VisitColour::Done;
                        order.push(node);
                        path.pop();
                    }
                    Some((to, VisitColour::Unseen)) => {
                        colours[to as usize] = VisitColour::Open;
                        path.push((to, 0));
                    }
                    Some((_, VisitColour::Open)) => repeats = true,
                    Some((_, VisitColour::Done)) => {}
                }
            }
        }
        (order, repeats)
    }
}

/// How far the order is with a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitColour {
    Unseen,
    Open,
    Done,
}
