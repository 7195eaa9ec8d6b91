//! Conditions that hold where an expression is computed: `if x > 0 { … 6 / x … }` rules the error out.

use crate::check::secrecy::ranges::ValueBounds;
use crate::check::secrecy::taint::Assumption;
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::visit::any_stmt;
use crate::rules::{
    Array, BinaryOp, Block, Expr, ExprKind, Stmt, StmtKind, UnaryOp, Value, is_same_expr,
};

/// Limits what is assumed at one place.
const MOST_ASSUMED: usize = 64;

impl SecrecyWalk<'_> {
    /// Walks a part in which a condition holds or does not.
    pub(super) fn assuming<T>(
        &mut self,
        condition: &Expr,
        holds: bool,
        walk: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let known = self.assumed.len();
        assume(condition, holds, &mut self.assumed);
        let result = walk(self);
        self.assumed.truncate(known);
        result
    }

    /// Assumes what holds where the part of this number of an expression is computed: the parts before it guard it.
    pub(super) fn assume_guard(&mut self, expr: &Expr, part: usize) {
        match (&expr.kind, part) {
            (ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), guard, _), 1) => {
                assume(guard, *op == BinaryOp::And, &mut self.assumed);
            }
            (ExprKind::If(condition, ..), 1) => assume(condition, true, &mut self.assumed),
            (ExprKind::If(condition, ..), 2) => assume(condition, false, &mut self.assumed),
            (
                ExprKind::Filter(binder)
                | ExprKind::Fold { binder, .. }
                | ExprKind::Image(_, binder),
                2..,
            ) => {
                binder.condition.iter().for_each(|it| assume(it, true, &mut self.assumed));
            }
            _ => {}
        }
    }

    /// Walks a branch; assumes its condition if nothing in it changes what the condition reads.
    pub(super) fn walk_branch_where(&mut self, condition: &Expr, holds: bool, block: &Block) {
        if self.stays_true(condition, block) {
            self.assuming(condition, holds, |walk| walk.walk_block(block));
        } else {
            self.walk_block(block);
        }
    }

    /// Bounds of a number, narrowed by what is assumed of it.
    pub(super) fn narrowed(&self, expr: &Expr, bounds: Option<ValueBounds>) -> Option<ValueBounds> {
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
                (BinaryOp::Less, true, true) => narrow.1 = narrow.1.min(high.saturating_sub(1)),
                (BinaryOp::LessEqual, true, true) | (BinaryOp::Less, false, false) => {
                    narrow.1 = narrow.1.min(high);
                }
                (BinaryOp::LessEqual, false, false) => {
                    narrow.1 = narrow.1.min(high.saturating_sub(1));
                }
                (BinaryOp::Less, true, false) => narrow.0 = narrow.0.max(low.saturating_add(1)),
                (BinaryOp::LessEqual, true, false) | (BinaryOp::Less, false, true) => {
                    narrow.0 = narrow.0.max(low);
                }
                (BinaryOp::LessEqual, false, true) => {
                    narrow.0 = narrow.0.max(low.saturating_add(1));
                }
                _ => {}
            }
        }
        (bounds.is_some() || narrow != (i64::MIN, i64::MAX)).then_some(narrow)
    }

    /// True if a set is assumed to have members.
    pub(super) fn is_assumed_nonempty(&self, set: &Expr) -> bool {
        self.assumed.iter().any(|Assumption { condition, holds }| {
            let ExprKind::Binary(BinaryOp::Equal, a, b) = &condition.kind else { return false };
            let is_empty = |it: &Expr| match &it.kind {
                ExprKind::SetOf(members) => members.is_empty(),
                ExprKind::Value(Value::Set(members)) => members.is_empty(),
                _ => false,
            };
            !holds && (is_empty(b) && is_same_expr(a, set) || is_empty(a) && is_same_expr(b, set))
        })
    }

    /// True if what a condition reads does not change in a block.
    fn stays_true(&self, condition: &Expr, block: &Block) -> bool {
        let locals = &self.rule_of().locals;
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

/// Adds a condition by its parts.
fn assume(condition: &Expr, holds: bool, assumed: &mut Vec<Assumption>) {
    match (&condition.kind, holds) {
        (ExprKind::Unary(UnaryOp::Not, of), _) => assume(of, !holds, assumed),
        (ExprKind::Binary(BinaryOp::And, a, b), true)
        | (ExprKind::Binary(BinaryOp::Or, a, b), false) => {
            assume(a, holds, assumed);
            assume(b, holds, assumed);
        }
        _ if assumed.len() < MOST_ASSUMED => {
            assumed.push(Assumption { condition: condition.clone(), holds });
        }
        _ => {}
    }
}
