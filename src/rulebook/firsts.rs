//! Finds variables whose first value play reads: others are bookkeeping of the setup.

use std::collections::{BTreeMap, BTreeSet};

use crate::rulebook::Book;
use crate::rules::{Array, Expr, ExprKind, RuleId, Stmt, StmtKind, VarId};

/// Of each variable that is met, whether the first that is done with it is to read it.
#[derive(Default)]
pub(super) struct FirstUses(BTreeMap<VarId, bool>);

impl FirstUses {
    /// What play does first with each variable.
    pub(super) fn of_play(book: &Book) -> FirstUses {
        Walk { book, met: BTreeSet::new() }.of_rule(book.rules.play)
    }

    pub(super) fn is_read(&self, var: VarId) -> bool {
        self.0.get(&var) == Some(&true)
    }

    fn note(&mut self, var: VarId, is_read: bool) {
        self.0.entry(var).or_insert(is_read);
    }

    /// What follows matters for those that were not met before.
    fn then(&mut self, after: FirstUses) {
        after.0.into_iter().for_each(|(var, is_read)| self.note(var, is_read));
    }
}

struct Walk<'b, 'a> {
    book: &'b Book<'a>,
    met: BTreeSet<RuleId>,
}

impl Walk<'_, '_> {
    fn of_rule(&mut self, id: RuleId) -> FirstUses {
        let rules = self.book.rules;
        if self.met.insert(id) {
            self.of_block(&rules.rules[id.index()].body)
        } else {
            FirstUses::default()
        }
    }

    fn of_block(&mut self, block: &[Stmt]) -> FirstUses {
        let mut uses = FirstUses::default();
        for stmt in block {
            let next = self.of_stmt(stmt);
            self.book.budget.charge(1 + next.0.len());
            uses.then(next);
        }
        uses
    }

    fn of_stmt(&mut self, stmt: &Stmt) -> FirstUses {
        let mut uses = FirstUses::default();
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.add_reads(value, &mut uses);
                if let ExprKind::Element(Array::Var(var), _) = place.kind {
                    uses.note(var, false);
                }
            }
            StmtKind::Roll { place, .. } => {
                if let ExprKind::Element(Array::Var(var), _) = place.kind {
                    uses.note(var, false);
                }
            }
            StmtKind::Reset(targets) => targets.iter().for_each(|it| uses.note(it.var, false)),
            _ => {}
        }
        stmt.visit_parts(&mut |part| self.add_reads(part, &mut uses));
        let blocks: Vec<FirstUses> =
            stmt.blocks().into_iter().map(|block| self.of_block(block)).collect();
        let is_either =
            matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Match { .. } | StmtKind::Choose(_));
        if !is_either {
            blocks.into_iter().for_each(|block| uses.then(block));
            return uses;
        }
        let vars: BTreeSet<VarId> =
            blocks.iter().flat_map(|block| block.0.keys().copied()).collect();
        self.book.budget.charge(blocks.len() + vars.len());
        for var in vars {
            // What only one of several blocks sets may still hold what it began with.
            let is_read = blocks.iter().any(|block| block.is_read(var));
            if is_read || blocks.iter().all(|block| block.0.contains_key(&var)) {
                uses.note(var, is_read);
            }
        }
        uses
    }

    fn add_reads(&mut self, expr: &Expr, uses: &mut FirstUses) {
        expr.visit_tree(&mut |part| match &part.kind {
            ExprKind::Element(Array::Var(var), _) => uses.note(*var, true),
            ExprKind::Call(id, _) => uses.then(self.of_rule(*id)),
            _ => {}
        });
    }
}
