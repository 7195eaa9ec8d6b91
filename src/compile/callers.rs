//! In how many places each rule is called, as far as this setting lets them be reached.

use std::collections::BTreeMap;

use crate::check::rules::{Expr, ExprKind, RuleId, Stmt, StmtKind, Value};
use crate::check::visit::visit_stmts;
use crate::compile::Compiler;
use crate::source::Span;

impl Compiler<'_> {
    /// Counts the calls that the flows reach.
    pub(super) fn count_calls(&self) -> BTreeMap<RuleId, usize> {
        let rules = self.rules;
        let limit = rules.limit.as_ref().map(|limit| limit.body);
        let mut open: Vec<RuleId> =
            rules.setup.into_iter().chain([rules.play]).chain(limit).collect();
        let mut counts = BTreeMap::new();
        while let Some(rule) = open.pop() {
            let body = &rules.rules[rule.index()];
            let dead = self.dead_parts(&body.body);
            body.visit(&mut |expr| {
                let ExprKind::Call(called, _) = &expr.kind else { return };
                if dead.iter().any(|span| contains(*span, expr)) {
                    return;
                }
                let count = counts.entry(*called).or_insert(0);
                *count += 1;
                if *count == 1 {
                    open.push(*called);
                }
            });
        }
        counts
    }

    /// The statements and options that this setting rules out.
    fn dead_parts(&self, body: &[Stmt]) -> Vec<Span> {
        let mut dead = Vec::new();
        visit_stmts(body, &mut |stmt| match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => match self.fold(condition) {
                Some(Value::Int(0)) => dead.extend(then.iter().map(|stmt| stmt.span)),
                Some(_) => dead.extend(otherwise.iter().map(|stmt| stmt.span)),
                None => {}
            },
            StmtKind::Choose(choose) => {
                let options = choose.options.iter().filter(|option| self.never_legal(option));
                let bodies = options.flat_map(|option| &option.body);
                dead.extend(bodies.map(|stmt| stmt.span));
            }
            _ => {}
        });
        dead
    }
}

fn contains(span: Span, expr: &Expr) -> bool {
    span.start <= expr.span.start && expr.span.end <= span.end
}
