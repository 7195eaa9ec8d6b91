//! Values of all positions by backward induction: exact fractions, else fixed-point numbers.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::bots::solver::{Graph, NodeKind, PlayRule, SolveRefusal};
use crate::components::Components;
use crate::progress::Progress;

/// A value: exact, or as near as fractions of fixed length come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameValue {
    Exact(Ratio),
    /// Nearly this, with [`GameValue::BITS`] fraction bits.
    Near(i128),
}

impl GameValue {
    pub const BITS: u32 = 60;

    pub(crate) fn is_zero(self) -> bool {
        matches!(self, GameValue::Exact(Ratio { over: 0, .. }) | GameValue::Near(0))
    }

    /// The value in millionths of millionths, rounded down.
    pub fn trillionths(self) -> i128 {
        const MANY: i128 = 1_000_000_000_000;
        match self {
            GameValue::Exact(ratio) => {
                let Ratio { over, under } = ratio;
                let (whole, rest) = (over.div_euclid(under), over.rem_euclid(under));
                let scaled = rest.checked_mul(MANY).map(|rest| rest / under);
                whole * MANY + scaled.unwrap_or_else(|| rest / (under / MANY))
            }
            // Half of the last bit is added, so that what settled just below a number is shown
            // as that number.
            GameValue::Near(fixed) => ((fixed >> 20) * MANY + (1 << 39)) >> 40,
        }
    }
}

impl fmt::Display for GameValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let GameValue::Exact(ratio) = self
            && ratio.under == 1
        {
            return ratio.fmt(formatter);
        }
        // Rounded: a decimal that is cut would say less than there is.
        let (places, unit) = match self {
            GameValue::Exact(_) => (6, 1_000_000),
            GameValue::Near(_) => (9, 1_000),
        };
        let decimal = decimal((self.trillionths() + unit / 2).div_euclid(unit), places);
        match self {
            GameValue::Exact(ratio) => write!(formatter, "{ratio} ({decimal})"),
            GameValue::Near(_) => write!(formatter, "{decimal}"),
        }
    }
}

/// Writes a number with so many decimal places, of which it counts the last.
pub(crate) fn decimal(number: i128, places: u32) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let one = 10_u128.pow(places);
    let (whole, rest) = (number.unsigned_abs() / one, number.unsigned_abs() % one);
    if places == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{rest:0width$}", width = places as usize)
}

/// How many positions are computed again before values that do not settle are given up.
const MOST_WORK: usize = 400_000_000;

/// How many positions of a circle are solved as linear equations.
const MOST_EQUATIONS: usize = 5_000;

/// The values of all positions: for each as many numbers as an end has.
#[derive(Debug)]
pub(super) struct PositionValues {
    stride: usize,
    /// How many of the numbers are exact: all, those that the players play for, or none.
    exact: usize,
    ratios: Vec<Ratio>,
    near: Vec<Fixed>,
}

impl PositionValues {
    /// Computes them, the components of the graph in their order. The first numbers of an end are
    /// what it is worth to each player.
    pub(super) fn from_graph(
        graph: &Graph,
        components: &Components,
        rule: PlayRule,
        (players, progress): (usize, &Progress),
    ) -> Result<PositionValues, SolveRefusal> {
        let stride = graph.ends.first().map_or(0, Vec::len);
        let exact = |numbers: usize| {
            let mut exact = Computing::new(graph, rule, (numbers, progress));
            match exact.solve_all(components, Computing::linear) {
                Ok(()) => Ok((numbers, exact.values)),
                Err(SolveRefusal::Unsettled) => Ok((0, Vec::new())),
                Err(refusal) => Err(refusal),
            }
        };
        let (found, ratios) = exact(stride)?;
        if found > 0 {
            return Ok(PositionValues { stride, exact: found, ratios, near: Vec::new() });
        }
        let mut near = Computing::new(graph, rule, (stride, progress));
        near.solve_all(components, Computing::iterate_circle)?;
        // Which of several best moves is made changes what else is counted, but not what it is worth.
        let (exact, ratios) = exact(players.min(stride))?;
        Ok(PositionValues { stride, exact, ratios, near: near.values })
    }

    pub(super) fn is_exact(&self) -> bool {
        self.exact == self.stride
    }

    pub(super) fn value_at(&self, index: usize) -> GameValue {
        let (node, number) = (index / self.stride, index % self.stride);
        if number < self.exact {
            return GameValue::Exact(self.ratios[node * self.exact + number]);
        }
        GameValue::Near(self.near[index].0)
    }
}

/// Values while they are computed.
struct Computing<'a, N> {
    graph: &'a Graph,
    rule: PlayRule,
    progress: &'a Progress,
    stride: usize,
    values: Vec<N>,
    new: Vec<N>,
    /// How often a position was computed again.
    work: usize,
}

impl<'a, N: Scalar> Computing<'a, N> {
    /// Computes the first numbers of each end.
    fn new(graph: &'a Graph, rule: PlayRule, (stride, progress): (usize, &'a Progress)) -> Self {
        let zero = N::from_whole(0);
        let values = vec![zero; stride * graph.kinds.len()];
        Computing { graph, rule, progress, stride, values, new: vec![zero; stride], work: 0 }
    }

    /// Computes all positions, each circle in this way. A number that becomes too long leaves
    /// everything unsettled.
    fn solve_all(
        &mut self,
        components: &Components,
        circle: impl Fn(&mut Computing<'a, N>, &[u32]) -> Result<(), SolveRefusal>,
    ) -> Result<(), SolveRefusal> {
        for component in components.iter() {
            if self.graph.edges.is_circle(component) {
                circle(self, component)?;
            } else {
                self.compute_node(component[0])?;
                self.store_values(component[0]);
            }
            self.check_stop()?;
        }
        Ok(())
    }

    fn check_stop(&self) -> Result<(), SolveRefusal> {
        if !self.progress.is_stopped() {
            return Ok(());
        }
        let (states, ends) = (self.graph.kinds.len(), self.graph.ends.len());
        Err(SolveRefusal::Stopped { states, depth: None, ends })
    }

    fn number_at(&self, node: u32, number: usize) -> N {
        self.values[node as usize * self.stride + number]
    }

    fn store_values(&mut self, node: u32) {
        self.values[node as usize * self.stride..][..self.stride].copy_from_slice(&self.new);
    }

    /// Computes a position from those that it leads to.
    fn compute_node(&mut self, node: u32) -> Result<(), SolveRefusal> {
        let leads = self.graph.edges.edges_of(node);
        let mean = match self.graph.kinds[node as usize] {
            NodeKind::End(end) => {
                let end = &self.graph.ends[end as usize];
                self.new.iter_mut().zip(end).for_each(|(new, value)| *new = N::from_whole(*value));
                return Ok(());
            }
            NodeKind::Decide(player) if self.rule == PlayRule::Best => {
                let of = |to: &u32| self.number_at(*to, player.into());
                let best = leads.iter().map(of).max().expect("a decision has a move");
                let best: Vec<u32> =
                    leads.iter().filter(|to| of(to).is_near(best)).copied().collect();
                self.mean(&best)
            }
            NodeKind::Decide(_) | NodeKind::Draw => self.mean(leads),
        };
        mean.ok_or(SolveRefusal::Unsettled)
    }

    fn mean(&mut self, leads: &[u32]) -> Option<()> {
        let parts = i128::try_from(leads.len()).ok()?;
        for number in 0..self.stride {
            let mut each = leads.iter().map(|to| self.number_at(*to, number));
            self.new[number] = each.try_fold(N::from_whole(0), N::plus)?.divide_by(parts)?;
        }
        Some(())
    }

    /// Whether nobody decides in a circle, so that it is a system of linear equations.
    fn is_chance(&self, circle: &[u32]) -> Result<bool, SolveRefusal> {
        let is_chance = self.rule == PlayRule::Uniform || self.graph.draws(circle);
        let inside: BTreeSet<u32> = circle.iter().copied().collect();
        let leads_out =
            |node: &u32| self.graph.edges.edges_of(*node).iter().any(|to| !inside.contains(to));
        if is_chance && !circle.iter().any(leads_out) {
            return Err(SolveRefusal::Endless);
        }
        Ok(is_chance)
    }
}

impl Computing<'_, Fixed> {
    /// Computes a circle again and again, until its values do not change any more.
    fn iterate_circle(&mut self, circle: &[u32]) -> Result<(), SolveRefusal> {
        self.is_chance(circle)?;
        loop {
            let mut largest = 0;
            for node in circle {
                self.compute_node(*node)?;
                let old = &self.values[*node as usize * self.stride..][..self.stride];
                let changes = self.new.iter().zip(old).map(|(new, old)| new.0.abs_diff(old.0));
                largest = largest.max(changes.max().unwrap_or(0));
                self.store_values(*node);
            }
            if largest < 1 << (GameValue::BITS - 50) {
                return Ok(());
            }
            self.check_stop()?;
            self.work += circle.len();
            if self.work > MOST_WORK {
                return Err(SolveRefusal::Unsettled);
            }
        }
    }
}

impl Computing<'_, Ratio> {
    /// Solves a circle of chance as linear equations.
    fn linear(&mut self, circle: &[u32]) -> Result<(), SolveRefusal> {
        if !self.is_chance(circle)? || circle.len() > MOST_EQUATIONS {
            return Err(SolveRefusal::Unsettled);
        }
        let solved = Equations::for_circle(self, circle).and_then(Equations::solve);
        for (node, values) in circle.iter().zip(solved.ok_or(SolveRefusal::Unsettled)?) {
            self.new.copy_from_slice(&values);
            self.store_values(*node);
        }
        Ok(())
    }
}

/// Linear equations: each unknown is a known part, and shares of other unknowns.
struct Equations {
    rows: Vec<LinearRow>,
    /// The rows in which each unknown stands.
    users: Vec<BTreeSet<usize>>,
}

#[derive(Clone, Default)]
struct LinearRow {
    known: Vec<Ratio>,
    shares: BTreeMap<usize, Ratio>,
}

impl Equations {
    /// The equations of a circle; none if a number is too long.
    fn for_circle(computing: &Computing<Ratio>, circle: &[u32]) -> Option<Equations> {
        let unknowns: BTreeMap<u32, usize> = circle.iter().copied().zip(0..).collect();
        let mut users = vec![BTreeSet::new(); circle.len()];
        let mut rows = Vec::with_capacity(circle.len());
        for (at, node) in circle.iter().enumerate() {
            let leads = computing.graph.edges.edges_of(*node);
            let share = Ratio::new(1, i128::try_from(leads.len()).ok()?)?;
            let mut row =
                LinearRow { known: vec![Ratio::ZERO; computing.stride], ..LinearRow::default() };
            for to in leads {
                if let Some(unknown) = unknowns.get(to) {
                    row.add_share(*unknown, share)?;
                    users[*unknown].insert(at);
                } else {
                    let values =
                        (0..computing.stride).map(|number| computing.number_at(*to, number));
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
            self.solve_row(unknown)?;
            let row = self.rows[unknown].clone();
            for user in std::mem::take(&mut self.users[unknown]) {
                if user <= unknown {
                    continue;
                }
                let Some(share) = self.rows[user].shares.remove(&unknown) else { continue };
                self.rows[user].add_known(row.known.iter().copied(), share)?;
                for (other, part) in &row.shares {
                    self.rows[user].add_share(*other, part.multiply_by(share)?)?;
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
    fn solve_row(&mut self, unknown: usize) -> Option<()> {
        let row = &mut self.rows[unknown];
        let Some(own) = row.shares.remove(&unknown) else { return Some(()) };
        let rest = Ratio::from_whole(1).plus(own.multiply_by(Ratio::from_whole(-1))?)?;
        let factor = Ratio::new(rest.under, rest.over)?;
        for number in row.known.iter_mut().chain(row.shares.values_mut()) {
            *number = number.multiply_by(factor)?;
        }
        Some(())
    }
}

impl LinearRow {
    fn add_share(&mut self, unknown: usize, share: Ratio) -> Option<()> {
        let sum = self.shares.entry(unknown).or_insert(Ratio::ZERO);
        *sum = sum.plus(share)?;
        Some(())
    }

    fn add_known(&mut self, values: impl Iterator<Item = Ratio>, share: Ratio) -> Option<()> {
        for (sum, value) in self.known.iter_mut().zip(values) {
            *sum = sum.plus(value.multiply_by(share)?)?;
        }
        Some(())
    }
}

/// A fraction in lowest terms; the lower number is above 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    over: i128,
    under: i128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { over: 0, under: 1 };

    /// A fraction, if the lower number is not 0 and neither is too long.
    pub fn new(over: i128, under: i128) -> Option<Ratio> {
        let shared = gcd(over.checked_abs()?, under.checked_abs()?);
        if under == 0 {
            return None;
        }
        let sign = under.signum();
        Some(Ratio { over: over / shared * sign, under: under / shared * sign })
    }

    /// The product, if its numbers are not too long.
    pub fn multiply_by(self, other: Ratio) -> Option<Ratio> {
        // Shortened crosswise first, so that less is too long.
        let left = Ratio::new(self.over, other.under)?;
        let right = Ratio::new(other.over, self.under)?;
        let over = left.over.checked_mul(right.over)?;
        Some(Ratio { over, under: left.under.checked_mul(right.under)? })
    }
}

/// A number that values are computed with; nothing comes of numbers that are too long.
pub trait Scalar: Copy + Ord {
    fn from_whole(number: i64) -> Self;
    fn plus(self, other: Self) -> Option<Self>;
    /// One of so many equal parts.
    fn divide_by(self, parts: i128) -> Option<Self>;
    /// Whether two values count as the same.
    fn is_near(self, other: Self) -> bool;
}

impl Scalar for Ratio {
    fn from_whole(number: i64) -> Ratio {
        Ratio { over: number.into(), under: 1 }
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        if self.over == 0 || other.over == 0 {
            return Some(if self.over == 0 { other } else { self });
        }
        if self.under == other.under {
            let over = self.over.checked_add(other.over)?;
            // Whole numbers are common, and need no shortening.
            return if self.under == 1 {
                Some(Ratio { over, under: 1 })
            } else {
                Ratio::new(over, self.under)
            };
        }
        let shared = gcd(self.under, other.under);
        let left = self.over.checked_mul(other.under / shared)?;
        let right = other.over.checked_mul(self.under / shared)?;
        let under = (self.under / shared).checked_mul(other.under)?;
        Ratio::new(left.checked_add(right)?, under)
    }

    fn divide_by(self, parts: i128) -> Option<Ratio> {
        if self.over == 0 || parts == 1 {
            return Some(self);
        }
        Ratio::new(self.over, self.under.checked_mul(parts)?)
    }

    fn is_near(self, other: Ratio) -> bool {
        self == other
    }
}

/// A number with [`GameValue::BITS`] fraction bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fixed(i128);

impl Scalar for Fixed {
    fn from_whole(number: i64) -> Fixed {
        Fixed(i128::from(number) << GameValue::BITS)
    }

    fn plus(self, other: Fixed) -> Option<Fixed> {
        self.0.checked_add(other.0).map(Fixed)
    }

    fn divide_by(self, parts: i128) -> Option<Fixed> {
        // Rounded to the nearest, so that errors do not all go one way.
        self.0.checked_add(parts / 2).map(|sum| Fixed(sum.div_euclid(parts)))
    }

    fn is_near(self, other: Fixed) -> bool {
        self.0.abs_diff(other.0) < 1 << (GameValue::BITS - 36)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let whole = |ratio: &Ratio| ratio.over.div_euclid(ratio.under);
        whole(self).cmp(&whole(other)).then_with(|| {
            // Both lie between the same whole numbers: what is larger has the smaller inverse.
            let rest = |ratio: &Ratio| ratio.over.rem_euclid(ratio.under);
            let (left, right) = (rest(self), rest(other));
            match (left, right) {
                (0, _) | (_, 0) => left.cmp(&right),
                _ => {
                    let inverse = |over, under| Ratio { over: under, under: over };
                    inverse(right, other.under).cmp(&inverse(left, self.under))
                }
            }
        })
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.under {
            1 => write!(formatter, "{}", self.over),
            under => write!(formatter, "{}/{under}", self.over),
        }
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    if let (Ok(mut short), Ok(mut other)) = (u64::try_from(a), u64::try_from(b)) {
        // Most numbers are short, and short divisions are quick.
        while other != 0 {
            (short, other) = (other, short % other);
        }
        return i128::from(short).max(1);
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
