//! Sums of numbers that lie in a row, over the members of a set: one operation in place of a loop.

use crate::bytecode::Op;
use crate::compile::emit::{Emitter, filters::emit_filtered, places::row_of};
use crate::compile::plan::expr_queries::{is_plain_set, var_element};
use crate::compile::plan::forms::{PredicateMember, conditions_of};
use crate::compile::{passes::Pass, scope::BoundLocals};
use crate::eval::finite;
use crate::rules::protect::protect;
use crate::rules::{Binder, Domain, Expr, ExprKind, LocalId};
use crate::syntax::ast::Visibility;

/// Numbers that are larger are not added without a test.
const MOST_SUMMED: i64 = 1 << 48;

/// The sum of the elements of a row for the members of a set, if it is that.
#[must_use]
pub(super) fn try_emit_sum(out: &mut Emitter, binder: &Binder, body: &Expr, dst: u16) -> bool {
    let parts = conditions_of(binder, std::slice::from_ref(body));
    let fits = is_plain_set(&binder.set)
        && out.plan.tries(Pass::Sums)
        && !protect(&parts, Some(binder.local));
    let Some(domain) = finite(&binder.set.ty).filter(|_| fits) else { return false };
    let Some((base, count)) = row_at_members(out, body, binder.local, domain) else {
        return false;
    };
    out.plan.fires(Pass::Sums);
    let conditions = conditions_of(binder, &[]);
    let set = emit_filtered(out, &binder.set, binder.local, &conditions).at;
    out.code.emit(Op::SumOf { dst, base, count, set });
    true
}

/// The slots of the values of an expression for each member of a finite type: public numbers that are small enough to
/// add.
fn row_at_members(
    out: &mut Emitter,
    expr: &Expr,
    local: LocalId,
    domain: Domain,
) -> Option<(u16, u16)> {
    // So the sum of them is a number.
    let (low, high) = out.facts().bounds(expr, &BoundLocals::new())?;
    if low < -MOST_SUMMED || high > MOST_SUMMED {
        return None;
    }
    if let Some((var, indices)) = var_element(expr) {
        if out.plan.rules.vars[var.index()].sight != Visibility::All {
            return None;
        }
        let outer =
            out.facts().where_form(var, indices, PredicateMember::given(local, domain, &[]))?;
        return Some(row_of(out, var, outer));
    }
    let ExprKind::Column(kind, column, of) = &expr.kind else { return None };
    let rules = out.plan.rules;
    let cells = &rules.kinds[kind.index()].columns[*column].cells;
    let fits = of.is_local(local) && domain == Domain::Kind(*kind) && !out.plan.is_part(domain);
    if !fits || cells.len() >= 64 {
        return None;
    }
    let base = out.cells(cells, &expr.ty, expr.span);
    Some((base, out.code.fit(cells.len(), "cells")))
}
