//! Interval bounds of numbers and least sizes of sets: an error that no value causes leaks nothing.
//!
//! Conditions that hold where an expression is computed narrow them: `if x > 0 { … 6 / x … }`.

use std::collections::BTreeMap;

use crate::rules::visit::any_stmt;
use crate::rules::{
    Arith, Array, BinaryOp, Binder, Block, Domain, Expr, ExprKind, KindId, LocalId, PLAYER,
    RangeId, Rule, Rules, SetOp, Stmt, StmtKind, Type, UnaryOp, Value, is_same_expr,
};
use crate::syntax::ast::FoldWord;

/// The lowest and the highest number that an expression can be.
type ValueBounds = (i64, i64);

/// Limits what is assumed at one place.
const MOST_ASSUMED: usize = 64;

/// A condition that holds, or does not.
struct Assumption {
    condition: Expr,
    holds: bool,
}

/// What is known of numbers and sets at a place of a rule.
pub(super) struct KnownBounds<'a> {
    rules: &'a Rules,
    rule: &'a Rule,
    /// Locals that are members of a range, or hold a number for good.
    of_locals: BTreeMap<LocalId, ValueBounds>,
    assumed: Vec<Assumption>,
}

impl<'a> KnownBounds<'a> {
    pub(super) fn new(rules: &'a Rules, rule: &'a Rule) -> KnownBounds<'a> {
        KnownBounds { rules, rule, of_locals: BTreeMap::new(), assumed: Vec::new() }
    }

    /// Records the bounds of a local that holds a value or is a member of it.
    pub(super) fn note_bounds(&mut self, local: LocalId, value: &Expr) {
        self.of_locals.extend(self.number_bounds(value).map(|bounds| (local, bounds)));
    }

    pub(super) fn assumption_count(&self) -> usize {
        self.assumed.len()
    }

    /// Drops all but the first assumptions.
    pub(super) fn keep_assumptions(&mut self, count: usize) {
        self.assumed.truncate(count);
    }

    /// Adds a condition by its parts.
    pub(super) fn assume(&mut self, condition: &Expr, holds: bool) {
        match (&condition.kind, holds) {
            (ExprKind::Unary(UnaryOp::Not, of), _) => self.assume(of, !holds),
            (ExprKind::Binary(BinaryOp::And, a, b), true)
            | (ExprKind::Binary(BinaryOp::Or, a, b), false) => {
                self.assume(a, holds);
                self.assume(b, holds);
            }
            _ if self.assumed.len() < MOST_ASSUMED => {
                self.assumed.push(Assumption { condition: condition.clone(), holds });
            }
            _ => {}
        }
    }

    /// Assumes what holds where the part of this number of an expression is computed: the parts before it guard it.
    pub(super) fn assume_guard(&mut self, expr: &Expr, part: usize) {
        match (&expr.kind, part) {
            (ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), guard, _), 1) => {
                self.assume(guard, *op == BinaryOp::And);
            }
            (ExprKind::If(condition, ..), 1) => self.assume(condition, true),
            (ExprKind::If(condition, ..), 2) => self.assume(condition, false),
            (
                ExprKind::Filter(binder)
                | ExprKind::Fold { binder, .. }
                | ExprKind::Image(_, binder),
                2..,
            ) => {
                binder.condition.iter().for_each(|it| self.assume(it, true));
            }
            _ => {}
        }
    }

    /// Bounds of a number, narrowed by what is assumed of it.
    fn narrowed(&self, expr: &Expr, bounds: Option<ValueBounds>) -> Option<ValueBounds> {
        if self.assumed.is_empty() || is_constant(expr) {
            return bounds;
        }
        let mut narrow = bounds.unwrap_or((i64::MIN, i64::MAX));
        for Assumption { condition, holds } in &self.assumed {
            let ExprKind::Binary(op, a, b) = &condition.kind else { continue };
            let (left, right) = (is_same_expr(a, expr), is_same_expr(b, expr));
            let other = if left { b } else { a };
            if left == right || !is_constant(other) {
                continue;
            }
            let Some((low, high)) = self.number_bounds(other) else { continue };
            match (op, holds, left) {
                (BinaryOp::Equal | BinaryOp::In, true, _) => {
                    narrow = (narrow.0.max(low), narrow.1.min(high));
                }
                (BinaryOp::Equal, false, _) if low == high => {
                    narrow.0 = narrow.0.saturating_add((narrow.0 == low).into());
                    narrow.1 = narrow.1.saturating_sub((narrow.1 == low).into());
                }
                // `not a < b` is `b <= a`.
                (BinaryOp::Less | BinaryOp::LessEqual, ..) => {
                    let gap = i64::from((*op == BinaryOp::Less) == *holds);
                    if left == *holds {
                        narrow.1 = narrow.1.min(high.saturating_sub(gap));
                    } else {
                        narrow.0 = narrow.0.max(low.saturating_add(gap));
                    }
                }
                _ => {}
            }
        }
        (bounds.is_some() || narrow != (i64::MIN, i64::MAX)).then_some(narrow)
    }

    /// True if a set is assumed to have members.
    fn is_assumed_nonempty(&self, set: &Expr) -> bool {
        self.assumed.iter().any(|Assumption { condition, holds }| {
            let ExprKind::Binary(BinaryOp::Equal, a, b) = &condition.kind else { return false };
            let is_it = |a: &Expr, b: &Expr| is_empty_set(b) && is_same_expr(a, set);
            !holds && (is_it(a, b) || is_it(b, a))
        })
    }

    /// True if what a condition reads does not change in a block.
    pub(super) fn stays_true(&self, condition: &Expr, block: &Block) -> bool {
        let locals = &self.rule.locals;
        let is_fixed = |part: &Expr| match &part.kind {
            ExprKind::Local(local) => !locals[local.index()].mutable,
            ExprKind::Element(array, _) => matches!(array, Array::Table(_)),
            ExprKind::Call(..) => false,
            _ => true,
        };
        if !condition.any(|part| !is_fixed(part)) {
            return true;
        }
        !condition.any(|part| matches!(part.kind, ExprKind::Call(..)))
            && !any_stmt(block, |stmt| may_change(stmt, condition))
    }

    fn range_bounds(&self, range: RangeId) -> Option<ValueBounds> {
        let range = &self.rules.ranges[range.index()];
        let high =
            range.high.as_ref().map_or(Some(i64::MAX), |high| Some(self.number_bounds(high)?.1));
        Some((self.number_bounds(&range.low)?.0, high?))
    }

    /// The bounds of a number, or of the members of a set; none if unknown.
    pub(super) fn number_bounds(&self, expr: &Expr) -> Option<ValueBounds> {
        self.narrowed(expr, self.bounds_alone(expr))
    }

    fn bounds_alone(&self, expr: &Expr) -> Option<ValueBounds> {
        let rules = self.rules;
        match &expr.kind {
            ExprKind::Value(Value::Int(number)) => Some((*number, *number)),
            ExprKind::Local(local) => self.local_range(*local),
            ExprKind::Constant(constant) => {
                self.number_bounds(&rules.constants[constant.index()].value)
            }
            ExprKind::Option(option) => self.range_bounds(rules.options[option.index()].range?),
            ExprKind::Element(Array::Var(var), _) => {
                self.range_bounds(rules.vars[var.index()].range?)
            }
            ExprKind::Column(kind, at, _) => {
                let cells = rules.kinds[kind.index()].columns[*at].cells.iter();
                let numbers: Option<Vec<i64>> = cells.map(Value::as_number).collect();
                numbers.and_then(|all| Some((*all.iter().min()?, *all.iter().max()?)))
            }
            ExprKind::Interval(low, high) => {
                Some((self.number_bounds(low)?.0, self.number_bounds(high)?.1))
            }
            ExprKind::Whole(Domain::Range(range)) => self.range_bounds(*range),
            ExprKind::Unary(UnaryOp::Amount, of) => {
                Some((0, self.number_bounds(of).map_or(i64::MAX, |(_, high)| high)))
            }
            ExprKind::Unary(UnaryOp::Seat, _) => Some((1, i64::MAX)),
            ExprKind::Fold { word, binder, body } => self.fold_bounds(*word, binder, body),
            ExprKind::If(_, a, b) | ExprKind::Binary(BinaryOp::Set(SetOp::Union), a, b) => {
                let (a, b) = (self.number_bounds(a)?, self.number_bounds(b)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            ExprKind::Match(_, arms) => {
                let bounds: Option<Vec<_>> =
                    arms.iter().map(|arm| self.number_bounds(&arm.body)).collect();
                bounds?.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            }
            // A member of a set, or a smaller set.
            ExprKind::Random(set)
            | ExprKind::Roll(set)
            | ExprKind::Backwards(set)
            | ExprKind::From(set, _) => self.number_bounds(set),
            ExprKind::Pick(pick) => self.number_bounds(&pick.set),
            ExprKind::Filter(binder) => self.number_bounds(&binder.set),
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), from, _) => self.number_bounds(from),
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => self.arith_bounds(*op, a, b),
            _ => None,
        }
    }

    fn fold_bounds(&self, word: FoldWord, binder: &Binder, body: &[Expr]) -> Option<ValueBounds> {
        match word {
            FoldWord::Count => Some((0, i64::MAX)),
            FoldWord::Min | FoldWord::Max => {
                self.number_bounds(body.first().unwrap_or(&binder.set))
            }
            FoldWord::First
            | FoldWord::Last
            | FoldWord::Only
            | FoldWord::Highest
            | FoldWord::Lowest => self.number_bounds(&binder.set),
            FoldWord::Any | FoldWord::All | FoldWord::Sum => None,
        }
    }

    fn arith_bounds(&self, op: Arith, a: &Expr, b: &Expr) -> Option<ValueBounds> {
        let any = (i64::MIN, i64::MAX);
        let (a, b) = (self.number_bounds(a).unwrap_or(any), self.number_bounds(b).unwrap_or(any));
        Some(match op {
            Arith::Add => (a.0.saturating_add(b.0), a.1.saturating_add(b.1)),
            Arith::Subtract => (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)),
            Arith::Multiply => {
                let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                let corners = corners.map(|(a, b): ValueBounds| a.saturating_mul(b));
                (corners.into_iter().min()?, corners.into_iter().max()?)
            }
            Arith::Max => (a.0.max(b.0), a.1.max(b.1)),
            Arith::Min => (a.0.min(b.0), a.1.min(b.1)),
            Arith::Modulo if b.0 > 0 => (0, b.1 - 1),
            _ => any,
        })
    }

    fn local_range(&self, local: LocalId) -> Option<ValueBounds> {
        let declared = &self.rule.locals[local.index()];
        let range = declared.range.and_then(|it| self.range_bounds(it));
        // The amount of a good in a bag, `b[red]`, was checked when the bag got its name.
        let amount = || declared.name.contains('[').then_some((0, i64::MAX));
        range.or_else(|| self.of_locals.get(&local).copied()).or_else(amount)
    }

    /// True if an index may be out of its range.
    pub(super) fn may_miss(&self, index: &Expr, dim: Domain) -> bool {
        let Domain::Range(range) = dim else { return false };
        let both = self.number_bounds(index).zip(self.range_bounds(range));
        !both.is_some_and(|((low, high), (first, last))| first <= low && high <= last)
    }

    /// True if a set is known to have members here, whatever its parts are.
    pub(super) fn has_members(&self, set: &Expr) -> bool {
        self.fewest_members(set) > 0 || self.is_assumed_nonempty(set)
    }

    /// The least number of members of a set, whatever its parts are.
    fn fewest_members(&self, set: &Expr) -> usize {
        match &set.kind {
            ExprKind::Whole(Domain::Kind(kind)) => self.member_count(*kind),
            // `none` adds no member.
            ExprKind::SetOf(members) => usize::from(members.iter().any(|it| is_one_value(&it.ty))),
            ExprKind::Unary(UnaryOp::Others, _) => self.rules.players.0 - 1,
            ExprKind::Interval(low, high) => {
                let bounds = self.number_bounds(low).zip(self.number_bounds(high));
                usize::from(bounds.is_some_and(|((_, low), (high, _))| low <= high))
            }
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), from, out) => match &out.kind {
                ExprKind::SetOf(out) => self.fewest_members(from).saturating_sub(out.len()),
                _ => 0,
            },
            ExprKind::Binary(BinaryOp::Set(SetOp::Union), a, b) => {
                self.fewest_members(a).max(self.fewest_members(b))
            }
            ExprKind::Filter(binder) => {
                let left_out = binder.condition.as_ref().map(|it| count_left_out(binder.local, it));
                let fewest = self.fewest_members(&binder.set);
                left_out.unwrap_or(Some(0)).map_or(0, |out| fewest.saturating_sub(out))
            }
            ExprKind::Fold { word: FoldWord::Highest | FoldWord::Lowest, binder, .. }
                if binder.condition.is_none() =>
            {
                self.fewest_members(&binder.set).min(1)
            }
            _ => 0,
        }
    }

    fn member_count(&self, kind: KindId) -> usize {
        let rules = self.rules;
        if kind == PLAYER { rules.players.0 } else { rules.kinds[kind.index()].own_members().len() }
    }
}

/// True for a statement that may change what a condition reads.
fn may_change(stmt: &Stmt, condition: &Expr) -> bool {
    let var_of = |place: &Expr| match &place.kind {
        ExprKind::Element(Array::Var(var), _) => Some(*var),
        _ => None,
    };
    let writes = |place: &Expr| match place.as_local() {
        Some(local) => condition.any(|part| part.is_local(local)),
        None => condition.any(|part| {
            var_of(part).is_some_and(|read| var_of(place).is_none_or(|written| written == read))
        }),
    };
    let mut calls = false;
    stmt.visit_exprs(&mut |part| calls |= matches!(part.kind, ExprKind::Call(..)));
    let is_plain = matches!(
        stmt.kind,
        StmtKind::Let(..)
            | StmtKind::Assign(..)
            | StmtKind::Change { .. }
            | StmtKind::Transfer { .. }
            | StmtKind::If { .. }
            | StmtKind::Match { .. }
            | StmtKind::For { .. }
            | StmtKind::Say { .. }
            | StmtKind::Return(_)
            | StmtKind::Break
            | StmtKind::Continue
    );
    calls || !is_plain || stmt.changed_places().into_iter().any(writes)
}

fn is_constant(expr: &Expr) -> bool {
    !expr.any(|part| {
        matches!(part.kind, ExprKind::Local(_) | ExprKind::Element(..) | ExprKind::Call(..))
    })
}

/// True for types of one member: neither `none` nor a set.
pub(super) fn is_one_value(ty: &Type) -> bool {
    matches!(ty, Type::Kind(_) | Type::Number | Type::Bool)
}

/// The most members that conditions `p != a` rule out; none for other conditions.
fn count_left_out(local: LocalId, condition: &Expr) -> Option<usize> {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            Some(count_left_out(local, a)? + count_left_out(local, b)?)
        }
        _ => left_out(local, condition).map(|_| 1),
    }
}

/// The `a` of a condition `p != a`.
pub(super) fn left_out(local: LocalId, condition: &Expr) -> Option<&Expr> {
    let ExprKind::Unary(UnaryOp::Not, of) = &condition.kind else { return None };
    let ExprKind::Binary(BinaryOp::Equal, a, b) = &of.kind else { return None };
    let other = if a.is_local(local) { b } else { a };
    let is_other = a.is_local(local) != b.is_local(local);
    (is_other && !other.any(|part| part.is_local(local))).then_some(other)
}

pub(super) fn is_empty_set(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::SetOf(members) => members.is_empty(),
        ExprKind::Value(Value::Set(members)) => members.is_empty(),
        _ => false,
    }
}
