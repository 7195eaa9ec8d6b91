//! Values of all positions by backward induction: exact fractions, else fixed-point numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Graph, Kind};
use super::ratio::{Fixed, Number, Ratio};
use super::solver::{Refusal, Rule, Value};
use crate::components::Components;
use crate::progress::Progress;

/// How many positions are computed again before values that do not settle are given up.
const MOST_WORK: usize = 400_000_000;

/// How many positions of a circle are solved as linear equations.
const MOST_EQUATIONS: usize = 5_000;

/// The values of all positions: for each as many numbers as an end has.
#[derive(Debug)]
pub(super) enum Values {
    Exact(Vec<Ratio>),
    Near(Vec<Fixed>),
}

impl Values {
    /// Computes them, the components of the graph in their order.
    pub(super) fn of(
        graph: &Graph,
        components: &Components,
        (rule, progress): (Rule, &Progress),
    ) -> Result<Values, Refusal> {
        let mut exact = Computing::new(graph, rule, progress);
        if exact.all(components, Computing::linear)? {
            return Ok(Values::Exact(exact.values));
        }
        drop(exact);
        let mut near = Computing::new(graph, rule, progress);
        if near.all(components, Computing::settle)? {
            return Ok(Values::Near(near.values));
        }
        Err(Refusal::Unsettled)
    }

    pub(super) fn at(&self, index: usize) -> Value {
        match self {
            Values::Exact(values) => Value::Exact(values[index]),
            Values::Near(values) => Value::Near(values[index].0),
        }
    }
}

/// Values while they are computed.
struct Computing<'a, N> {
    graph: &'a Graph,
    rule: Rule,
    progress: &'a Progress,
    /// How many numbers each position has.
    stride: usize,
    values: Vec<N>,
    new: Vec<N>,
    /// How often a position was computed again.
    work: usize,
}

impl<'a, N: Number> Computing<'a, N> {
    fn new(graph: &'a Graph, rule: Rule, progress: &'a Progress) -> Computing<'a, N> {
        let stride = graph.ends.first().map_or(0, Vec::len);
        let zero = N::whole(0);
        let values = vec![zero; stride * graph.len()];
        Computing { graph, rule, progress, stride, values, new: vec![zero; stride], work: 0 }
    }

    /// Computes all positions, each circle in this way; false if a number becomes too long.
    fn all(
        &mut self,
        components: &Components,
        circle: impl Fn(&mut Computing<'a, N>, &[u32]) -> Result<Option<()>, Refusal>,
    ) -> Result<bool, Refusal> {
        for component in components.iter() {
            let done = if self.graph.is_circle(component) {
                circle(self, component)?
            } else {
                self.value(component[0] as usize).map(|()| self.keep(component[0] as usize))
            };
            if done.is_none() {
                return Ok(false);
            }
            self.look_up()?;
        }
        Ok(true)
    }

    /// Looks whether somebody wants it to stop.
    fn look_up(&self) -> Result<(), Refusal> {
        let states = self.graph.len();
        if self.progress.is_stopped() { Err(Refusal::Stopped { states }) } else { Ok(()) }
    }

    fn at(&self, node: u32, number: usize) -> N {
        self.values[node as usize * self.stride + number]
    }

    fn keep(&mut self, node: usize) {
        self.values[node * self.stride..][..self.stride].copy_from_slice(&self.new);
    }

    /// Computes a position from those that it leads to.
    fn value(&mut self, node: usize) -> Option<()> {
        let leads = self.graph.leads(node);
        match self.graph.kinds[node] {
            Kind::End(end) => {
                let end = &self.graph.ends[end as usize];
                self.new.iter_mut().zip(end).for_each(|(new, value)| *new = N::whole(*value));
                Some(())
            }
            Kind::Decide(player) if self.rule == Rule::Best => {
                let of = |to: &u32| self.at(*to, player.into());
                let best = leads.iter().map(of).max()?;
                let best: Vec<u32> =
                    leads.iter().filter(|to| of(to).is_near(best)).copied().collect();
                self.mean(&best)
            }
            Kind::Decide(_) | Kind::Draw => self.mean(leads),
        }
    }

    fn mean(&mut self, leads: &[u32]) -> Option<()> {
        let parts = i128::try_from(leads.len()).ok()?;
        for number in 0..self.stride {
            let mut each = leads.iter().map(|to| self.at(*to, number));
            self.new[number] = each.try_fold(N::whole(0), N::plus)?.part(parts)?;
        }
        Some(())
    }

    /// Whether nobody decides in a circle, so that it is a system of linear equations.
    fn is_chance(&self, circle: &[u32]) -> bool {
        let draws = |node: &u32| self.graph.kinds[*node as usize] == Kind::Draw;
        self.rule == Rule::Uniform || circle.iter().all(draws)
    }
}

impl Computing<'_, Fixed> {
    /// Computes a circle again and again, until its values do not change any more.
    fn settle(&mut self, circle: &[u32]) -> Result<Option<()>, Refusal> {
        if self.is_chance(circle) && !leads_out(self.graph, circle) {
            return Err(Refusal::Endless);
        }
        loop {
            let mut largest = 0;
            for node in circle {
                let node = *node as usize;
                if self.value(node).is_none() {
                    return Ok(None);
                }
                let old = &self.values[node * self.stride..][..self.stride];
                let changes = self.new.iter().zip(old).map(|(new, old)| new.0.abs_diff(old.0));
                largest = largest.max(changes.max().unwrap_or(0));
                self.keep(node);
            }
            if largest < 1 << (Value::BITS - 50) {
                return Ok(Some(()));
            }
            self.look_up()?;
            self.work += circle.len();
            if self.work > MOST_WORK {
                return Ok(None);
            }
        }
    }
}

impl Computing<'_, Ratio> {
    /// Solves a circle of chance as linear equations; none if somebody decides in it.
    fn linear(&mut self, circle: &[u32]) -> Result<Option<()>, Refusal> {
        if !self.is_chance(circle) {
            return Ok(None);
        }
        if !leads_out(self.graph, circle) {
            return Err(Refusal::Endless);
        }
        if circle.len() > MOST_EQUATIONS {
            return Ok(None);
        }
        let solved = Equations::of(self, circle).and_then(Equations::solve);
        for (node, values) in circle.iter().zip(solved.iter().flatten()) {
            self.new.copy_from_slice(values);
            self.keep(*node as usize);
        }
        Ok(solved.map(|_| ()))
    }
}

/// Whether anything in a circle leads out of it.
fn leads_out(graph: &Graph, circle: &[u32]) -> bool {
    let inside: BTreeSet<u32> = circle.iter().copied().collect();
    circle.iter().any(|node| graph.leads(*node as usize).iter().any(|to| !inside.contains(to)))
}

/// Linear equations: each unknown is a known part, and shares of other unknowns.
struct Equations {
    rows: Vec<Row>,
    /// The rows in which each unknown stands.
    users: Vec<BTreeSet<usize>>,
}

#[derive(Clone, Default)]
struct Row {
    known: Vec<Ratio>,
    shares: BTreeMap<usize, Ratio>,
}

impl Equations {
    /// The equations of a circle; none if a number is too long.
    fn of(computing: &Computing<Ratio>, circle: &[u32]) -> Option<Equations> {
        let unknowns: BTreeMap<u32, usize> = circle.iter().copied().zip(0..).collect();
        let mut users = vec![BTreeSet::new(); circle.len()];
        let mut rows = Vec::with_capacity(circle.len());
        for (at, node) in circle.iter().enumerate() {
            let leads = computing.graph.leads(*node as usize);
            let share = Ratio::new(1, i128::try_from(leads.len()).ok()?)?;
            let mut row = Row { known: vec![Ratio::ZERO; computing.stride], ..Row::default() };
            for to in leads {
                if let Some(unknown) = unknowns.get(to) {
                    row.add_share(*unknown, share)?;
                    users[*unknown].insert(at);
                } else {
                    let values = (0..computing.stride).map(|number| computing.at(*to, number));
                    row.add_known(values, share)?;
                }
            }
            rows.push(row);
        }
        Some(Equations { rows, users })
    }

    /// The unknowns; none if a number becomes too long.
    ///
    /// They are eliminated in the order of the component, which ends with the position that was met
    /// first: most circles of chance lead back to it alone, so the rows stay short.
    fn solve(mut self) -> Option<Vec<Vec<Ratio>>> {
        let count = self.rows.len();
        for unknown in 0..count {
            self.close(unknown)?;
            let row = self.rows[unknown].clone();
            for user in std::mem::take(&mut self.users[unknown]) {
                if user <= unknown {
                    continue;
                }
                let Some(share) = self.rows[user].shares.remove(&unknown) else { continue };
                self.rows[user].add_known(row.known.iter().copied(), share)?;
                for (other, part) in &row.shares {
                    self.rows[user].add_share(*other, part.times(share)?)?;
                    self.users[*other].insert(user);
                }
            }
        }
        for unknown in (0..count).rev() {
            for (other, share) in std::mem::take(&mut self.rows[unknown].shares) {
                let known = self.rows[other].known.clone();
                self.rows[unknown].add_known(known.into_iter(), share)?;
            }
        }
        Some(self.rows.into_iter().map(|row| row.known).collect())
    }

    /// Solves a row for its own unknown.
    fn close(&mut self, unknown: usize) -> Option<()> {
        let row = &mut self.rows[unknown];
        let Some(own) = row.shares.remove(&unknown) else { return Some(()) };
        let rest = Ratio::whole(1).plus(own.times(Ratio::whole(-1))?)?;
        let (over, under) = rest.parts();
        let factor = Ratio::new(under, over)?;
        for number in row.known.iter_mut().chain(row.shares.values_mut()) {
            *number = number.times(factor)?;
        }
        Some(())
    }
}

impl Row {
    fn add_share(&mut self, unknown: usize, share: Ratio) -> Option<()> {
        let sum = self.shares.entry(unknown).or_insert(Ratio::ZERO);
        *sum = sum.plus(share)?;
        Some(())
    }

    fn add_known(&mut self, values: impl Iterator<Item = Ratio>, share: Ratio) -> Option<()> {
        for (sum, value) in self.known.iter_mut().zip(values) {
            *sum = sum.plus(value.times(share)?)?;
        }
        Some(())
    }
}
