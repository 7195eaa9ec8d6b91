//! Sums of numbers that lie in a row, over the members of a set: one operation in place of a loop.

use crate::bytecode::Op;
use crate::compile::move_options::BoundLocals;
use crate::compile::places::var_element;
use crate::compile::set_predicates::PredicateMember;
use crate::compile::sets::is_plain;
use crate::compile::{Compiler, Pass};
use crate::eval::finite;
use crate::rules::protect::protect;
use crate::rules::{Binder, Domain, Expr, ExprKind, LocalId};
use crate::syntax::ast::Visibility;

/// Numbers that are larger are not added without a test.
const MOST_SUMMED: i64 = 1 << 48;

impl Compiler<'_> {
    /// The sum of the elements of a row for the members of a set, if it is that.
    pub(super) fn sum_of(&mut self, binder: &Binder, body: &Expr, dst: u16) -> bool {
        let parts = Self::conditions(binder, std::slice::from_ref(body));
        let fits =
            is_plain(&binder.set) && self.tries(Pass::Sums) && !protect(&parts, Some(binder.local));
        let Some(domain) = finite(&binder.set.ty).filter(|_| fits) else { return false };
        let Some((base, count)) = self.row_at_members(body, binder.local, domain) else {
            return false;
        };
        self.fires(Pass::Sums);
        let conditions = Self::conditions(binder, &[]);
        let set = self.filtered(&binder.set, binder.local, &conditions).at;
        self.code.emit(Op::SumOf { dst, base, count, set });
        true
    }

    /// Where the words lie that an expression gives for each member of a finite type, from its first on: numbers that
    /// everybody sees, and that are not too large to be added.
    fn row_at_members(
        &mut self,
        expr: &Expr,
        local: LocalId,
        domain: Domain,
    ) -> Option<(u16, u16)> {
        // So the sum of them is a number.
        let (low, high) = self.bounds(expr, &BoundLocals::new())?;
        if low < -MOST_SUMMED || high > MOST_SUMMED {
            return None;
        }
        if let Some((var, indices)) = var_element(expr) {
            if self.rules.vars[var.index()].sight != Visibility::All {
                return None;
            }
            let outer =
                self.where_form(var, indices, PredicateMember::given(local, domain, &[]))?;
            return Some(self.row_of(var, outer));
        }
        let ExprKind::Column(kind, column, of) = &expr.kind else { return None };
        let rules = self.rules;
        let cells = &rules.kinds[kind.index()].columns[*column].cells;
        let fits = of.is_local(local) && domain == Domain::Kind(*kind) && !self.is_part(domain);
        if !fits || cells.len() >= 64 {
            return None;
        }
        let base = self.cells(cells, &expr.ty, expr.span);
        Some((base, self.code.fit(cells.len(), "cells")))
    }
}
