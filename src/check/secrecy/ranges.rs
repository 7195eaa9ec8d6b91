//! Interval bounds of numbers: an error that no value causes leaks nothing.

use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::{
    Arith, Array, BinaryOp, Domain, Expr, ExprKind, LocalId, RangeId, SetOp, UnaryOp, Value,
};
use crate::syntax::ast::FoldWord;

/// The lowest and the highest number that an expression can be.
pub(super) type ValueBounds = (i64, i64);

impl SecrecyWalk<'_> {
    fn range_bounds(&self, range: RangeId) -> Option<ValueBounds> {
        let range = &self.known.rules.ranges[range.index()];
        let high =
            range.high.as_ref().map_or(Some(i64::MAX), |high| Some(self.number_bounds(high)?.1));
        Some((self.number_bounds(&range.low)?.0, high?))
    }

    /// The bounds of a number, or of the members of a set; none if unknown.
    pub(super) fn number_bounds(&self, expr: &Expr) -> Option<ValueBounds> {
        self.narrowed(expr, self.bounds_alone(expr))
    }

    fn bounds_alone(&self, expr: &Expr) -> Option<ValueBounds> {
        let rules = self.known.rules;
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
            ExprKind::Fold { word: FoldWord::Count, .. } => Some((0, i64::MAX)),
            ExprKind::Fold { word: FoldWord::Min | FoldWord::Max, binder, body } => {
                self.number_bounds(body.first().unwrap_or(&binder.set))
            }
            ExprKind::Fold {
                word:
                    FoldWord::First
                    | FoldWord::Last
                    | FoldWord::Only
                    | FoldWord::Highest
                    | FoldWord::Lowest,
                binder,
                ..
            } => self.number_bounds(&binder.set),
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
            ExprKind::Random(set) | ExprKind::Roll(set) => self.number_bounds(set),
            ExprKind::Pick(pick) => self.number_bounds(&pick.set),
            ExprKind::Filter(binder) => self.number_bounds(&binder.set),
            ExprKind::Backwards(set) | ExprKind::From(set, _) => self.number_bounds(set),
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), from, _) => self.number_bounds(from),
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => {
                let any = (i64::MIN, i64::MAX);
                let (a, b) =
                    (self.number_bounds(a).unwrap_or(any), self.number_bounds(b).unwrap_or(any));
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
            _ => None,
        }
    }

    fn local_range(&self, local: LocalId) -> Option<ValueBounds> {
        let declared = &self.rule_of().locals[local.index()];
        let range = declared.range.and_then(|it| self.range_bounds(it));
        // The amount of a good in a bag, `b[red]`, was checked when the bag got its name.
        let amount = || declared.name.contains('[').then_some((0, i64::MAX));
        range.or_else(|| self.bounds.get(&local).copied()).or_else(amount)
    }

    /// True if an index may be out of its range.
    pub(super) fn may_miss(&self, index: &Expr, dim: Domain) -> bool {
        let Domain::Range(range) = dim else { return false };
        let fits = |(low, high): ValueBounds, (first, last)| first <= low && high <= last;
        !self
            .number_bounds(index)
            .zip(self.range_bounds(range))
            .is_some_and(|(index, all)| fits(index, all))
    }
}
