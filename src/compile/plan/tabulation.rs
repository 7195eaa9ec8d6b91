//! Tabulation: what depends on a few names with few values alone is computed before play, and looked up.

use std::rc::Rc;

use crate::compile::plan::facts::Facts;
use crate::compile::plan::forms::{PredicateMember, TableKey};
use crate::compile::{compiled::Storage, passes::Pass};
use crate::eval::Evaluator;
use crate::rules::{Ambient, Array, Domain, Expr, ExprKind, LocalId, Type, Value};
use crate::source::Span;

/// More rows than this are not computed: a table should stay at hand.
const MOST_ROWS: usize = 1024;
/// Nor more words than this.
pub(in crate::compile) const MOST_TABLE_WORDS: usize = 2048;
/// How many conditions may be tested for one table of sets.
const MOST_TESTS: usize = 8192;
/// More steps are not taken for a table: a game should be checked at once.
const MOST_STEPS: usize = 1 << 15;
/// An expression with more parts than this is not examined: those inside of it are.
const MOST_PARTS: usize = 64;
/// What a loop or a filter costs, in operations.
const LOOP: usize = 8;

/// What an expression reads, and about how many operations compute it.
#[derive(Default)]
struct Survey {
    read: Vec<LocalId>,
    bound: Vec<LocalId>,
    operations: usize,
    parts: usize,
}

impl Survey {
    /// Examines an expression; no if it reads what is not known before play, or is too long.
    fn examine(&mut self, expr: &Expr) -> bool {
        self.parts += 1;
        let cost = match &expr.kind {
            ExprKind::Local(local) => {
                self.read.push(*local);
                Some(0)
            }
            ExprKind::Filter(binder)
            | ExprKind::Image(_, binder)
            | ExprKind::Fold { binder, .. } => {
                self.bound.push(binder.local);
                Some(LOOP)
            }
            ExprKind::Element(Array::Table(_), indices) => Some(indices.len()),
            ExprKind::SetOf(members) => Some(members.len()),
            ExprKind::Value(_)
            | ExprKind::Option(_)
            | ExprKind::Constant(_)
            | ExprKind::Whole(_)
            | ExprKind::Ambient(Ambient::Players | Ambient::LastPlayer) => Some(0),
            ExprKind::Column(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Interval(..)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::Call(..) => Some(1),
            _ => None,
        };
        let Some(cost) = cost.filter(|_| self.parts <= MOST_PARTS) else { return false };
        self.operations += cost;
        let mut fits = true;
        expr.visit_parts(&mut |part| fits = fits && self.examine(part));
        fits
    }
}

impl Facts<'_, '_> {
    /// For each row of a key the members that fulfil a condition.
    pub(super) fn listed_members(
        self,
        condition: &Expr,
        about: PredicateMember,
    ) -> Option<(TableKey, Vec<Vec<i64>>)> {
        let key = self
            .table_key(condition, Some(about.local))
            .filter(|_| self.plan.tries(Pass::Tables))?;
        let (low, size) = self.plan.known_domain(about.domain)?;
        let words = key.rows() * size.div_ceil(64);
        if words > MOST_TABLE_WORDS || key.rows() * size > MOST_TESTS {
            return None;
        }
        let name = self.name_of_table(condition, &key, Some(about));
        let members = self.for_each_row(name, &key, |evaluator| {
            let mut members = Vec::new();
            for member in (low..).take(size) {
                evaluator.bound.push((about.local, Value::Int(member)));
                let holds = evaluator.value(condition).ok()? != Value::Int(0);
                evaluator.bound.pop();
                members.extend(holds.then_some(member));
            }
            Some(Value::Set(members))
        });
        let members = members?.iter().cloned().map(Value::into_set).collect::<Option<_>>()?;
        self.plan.fires(Pass::Tables);
        Some((key, members))
    }

    /// The key of a table for an expression, beside a member, if a lookup pays.
    pub(in crate::compile) fn table_key(
        self,
        expr: &Expr,
        member: Option<LocalId>,
    ) -> Option<TableKey> {
        let mut survey = Survey::default();
        if !survey.examine(expr) {
            return None;
        }
        survey.read.retain(|local| Some(*local) != member && !survey.bound.contains(local));
        survey.read.sort_unstable();
        survey.read.dedup();
        let mut key = TableKey::default();
        for local in survey.read {
            match self.body.locals.get(&local) {
                Some(Storage::Known(_)) => {}
                Some(Storage::Slots(_, 1)) => {
                    let (low, size) = self.values_of(local)?;
                    key.rows().checked_mul(size).filter(|rows| *rows <= MOST_ROWS)?;
                    key.names.push((local, low, size));
                }
                _ => return None,
            }
        }
        // Each name beyond the first is one more operation, and so is a low end that is not 0. A set in
        // place of a condition pays always.
        let lows = key.names.iter().filter(|(_, low, _)| *low != 0).count();
        let pays = member.is_some() || survey.operations > key.names.len() + lows + 1;
        (pays && !key.names.is_empty()).then_some(key)
    }

    /// The least value of a name, and how many it can have at most.
    fn values_of(self, local: LocalId) -> Option<(i64, usize)> {
        match self.locals().get(local.index())?.ty {
            // A part of a kind has the numbers of the whole.
            Type::Kind(kind) if self.plan.rules.kinds[kind.index()].within.is_none() => {
                self.plan.known_domain(Domain::Kind(kind))
            }
            Type::Number => {
                let (low, high) = self.body.bounds.get(&local)?;
                let size = usize::try_from(high.checked_sub(*low)?.checked_add(1)?).ok()?;
                Some((*low, size))
            }
            _ => None,
        }
    }

    /// The identity of a table: its expression with locals by number, and what is known of them.
    pub(in crate::compile) fn name_of_table(
        self,
        expr: &Expr,
        key: &TableKey,
        member: Option<PredicateMember>,
    ) -> String {
        let mut numbers: Vec<LocalId> = key.names.iter().map(|(local, ..)| *local).collect();
        numbers.extend(member.map(|about| about.local));
        let mut known = Vec::new();
        let mut number = |local: LocalId| {
            let at = numbers.iter().position(|other| *other == local).unwrap_or_else(|| {
                if let Some(Storage::Known(value)) = self.body.locals.get(&local) {
                    known.push((numbers.len(), value));
                }
                numbers.push(local);
                numbers.len() - 1
            });
            LocalId::at(at)
        };
        let mut plain = expr.clone();
        plain.change_tree(&mut |part| {
            part.span = Span::default();
            match &mut part.kind {
                ExprKind::Local(local) => *local = number(*local),
                ExprKind::Filter(binder)
                | ExprKind::Image(_, binder)
                | ExprKind::Fold { binder, .. } => binder.local = number(binder.local),
                _ => {}
            }
        });
        let sizes = key.names.iter().map(|(_, low, size)| (*low, *size));
        let sizes: Vec<(i64, usize)> = sizes.collect();
        format!("{plain:?} {sizes:?} {known:?} {:?}", member.map(|about| about.domain))
    }

    /// The values for each row of a key, cached by `name`; none if one is unknown.
    pub(in crate::compile) fn for_each_row(
        self,
        name: String,
        key: &TableKey,
        mut value: impl FnMut(&mut Evaluator) -> Option<Value>,
    ) -> Option<Rc<[Value]>> {
        if let Some(known) = self.plan.tables.borrow().get(&name) {
            return known.clone();
        }
        let mut evaluator = self.evaluator(&self.plan.fold_steps);
        let mut rows = Vec::with_capacity(key.rows());
        let begun = self.plan.fold_steps.get();
        for row in 0..key.rows() {
            let mut rest = row;
            for (local, low, size) in key.names.iter().rev() {
                let value = low + i64::try_from(rest % size).ok()?;
                evaluator.bound.push((*local, Value::Int(value)));
                rest /= size;
            }
            let Some(value) = value(&mut evaluator) else { break };
            evaluator.bound.clear();
            rows.push(value);
            // The first row tells how long the others will take.
            let rounds = if row == 0 { key.rows() } else { 1 };
            if (begun - self.plan.fold_steps.get()).saturating_mul(rounds) > MOST_STEPS {
                break;
            }
        }
        let rows = (rows.len() == key.rows()).then(|| Rc::from(rows));
        self.plan.tables.borrow_mut().insert(name, rows.clone());
        rows
    }
}
