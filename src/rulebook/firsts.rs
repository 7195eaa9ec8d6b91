//! Whether play looks at what a variable holds at first: what it sets before is bookkeeping.

use std::collections::BTreeSet;

use crate::rulebook::Book;
use crate::rules::{Array, Expr, ExprKind, RuleId, Stmt, StmtKind, VarId};

pub(super) fn is_read_first(book: &Book, var: VarId) -> bool {
    Walk { book, var, met: BTreeSet::new() }.first_of(book.rules.play) == Some(true)
}

/// Finds whether the first that is done with a variable is to read it; nothing where it is not met.
struct Walk<'b, 'a> {
    book: &'b Book<'a>,
    var: VarId,
    met: BTreeSet<RuleId>,
}

impl Walk<'_, '_> {
    fn first_of(&mut self, id: RuleId) -> Option<bool> {
        let rules = self.book.rules;
        self.met.insert(id).then(|| self.first_in(&rules.rules[id.index()].body))?
    }

    fn first_in(&mut self, block: &[Stmt]) -> Option<bool> {
        block.iter().find_map(|stmt| self.first_at(stmt))
    }

    fn first_at(&mut self, stmt: &Stmt) -> Option<bool> {
        self.book.budget.charge(1);
        let is_it = |place: &Expr| matches!(place.kind, ExprKind::Element(Array::Var(id), _) if id == self.var);
        match &stmt.kind {
            StmtKind::Assign(place, value) if is_it(place) => {
                return self.first_read(value).or(Some(false));
            }
            StmtKind::Roll { place, .. } if is_it(place) => return Some(false),
            StmtKind::Reset(targets) if targets.iter().any(|it| it.var == self.var) => {
                return Some(false);
            }
            _ => {}
        }
        let mut found = None;
        stmt.visit_parts(&mut |part| found = found.or_else(|| self.first_read(part)));
        if found.is_some() {
            return found;
        }
        let firsts: Vec<_> = stmt.blocks().iter().map(|block| self.first_in(block)).collect();
        let is_either =
            matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Match { .. } | StmtKind::Choose(_));
        let all_set = firsts.iter().all(|it| *it == Some(false));
        firsts.into_iter().flatten().find(|it| *it || all_set || !is_either)
    }

    fn first_read(&mut self, expr: &Expr) -> Option<bool> {
        let mut found = None;
        expr.visit_tree(&mut |part| {
            found = found.or_else(|| match &part.kind {
                ExprKind::Element(Array::Var(id), _) if *id == self.var => Some(true),
                ExprKind::Call(id, _) => self.first_of(*id),
                _ => None,
            });
        });
        found
    }
}
