//! Analyses that hold under every setting: inlined rules, call circles, short rules.

use std::collections::BTreeSet;

use crate::compile::passes::{Pass, Passes};
use crate::compile::plan::expr_queries::var_element;
use crate::compile::plan::inline::{InlinedRules, written_out};
use crate::rules::call_graph::{call_graph, inner_turns};
use crate::rules::visit::{visit_member_tests, visit_stmts};
use crate::rules::{Expr, ExprKind, Rules, StmtKind, VarId};
use crate::source::Span;

/// Rules with at most so many parts are compiled wherever they are called.
const MAX_SHORT: usize = 24;

/// What is known of rules whatever the setting: found once for all settings.
pub(crate) struct RuleAnalysis {
    /// The rules with calls inlined, and the decisions as the file has them.
    pub(in crate::compile) written: InlinedRules,
    /// The passes that are switched off.
    pub(in crate::compile) off: Passes,
    /// The variables that the file picks members by.
    pub(super) filtered_vars: BTreeSet<VarId>,
    /// For each rule, the group of rules that call each other in a circle.
    pub(in crate::compile) circles: Vec<Option<usize>>,
    /// For each rule how many parts it has, if it is compiled wherever it is called.
    pub(in crate::compile) short: Vec<Option<usize>>,
    /// The places of the `turns` that may run inside of others.
    pub(in crate::compile) inner_turns: BTreeSet<Span>,
}

impl RuleAnalysis {
    pub(crate) fn new(rules: &Rules) -> RuleAnalysis {
        RuleAnalysis::without(rules, Passes::default())
    }

    /// The analysis for a compilation without some passes.
    pub(in crate::compile) fn without(rules: &Rules, off: Passes) -> RuleAnalysis {
        let written = written_out(rules, !off.has(Pass::Inline));
        let (order, circles) = call_graph(&written.rules);
        RuleAnalysis {
            filtered_vars: filtered_vars(&written.rules),
            short: short_rules(&written.rules, (&order, &circles)),
            circles,
            inner_turns: inner_turns(&written.rules),
            off,
            written,
        }
    }
}

/// For each rule how many parts it has, if it is short and never waits. A `say` is no part: it is passed over where
/// nobody looks. The rules come in order, callees first.
pub(super) fn short_rules(
    rules: &Rules,
    (order, circles): (&[usize], &[Option<usize>]),
) -> Vec<Option<usize>> {
    let mut short = vec![None; rules.rules.len()];
    for at in order.iter().copied() {
        let (mut parts, mut fits) = (0, circles[at].is_none());
        visit_stmts(&rules.rules[at].body, &mut |stmt| {
            parts += usize::from(!matches!(stmt.kind, StmtKind::Say { .. }));
            fits &= !matches!(
                stmt.kind,
                StmtKind::Choose(_)
                    | StmtKind::Roll { .. }
                    | StmtKind::Cards(_)
                    | StmtKind::Turns { .. }
            );
        });
        rules.rules[at].visit_exprs(&mut |expr| match &expr.kind {
            ExprKind::Call(called, _) => match short[called.index()] {
                Some(size) => parts += size,
                None => fits = false,
            },
            ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_) | ExprKind::End(_) => {
                fits = false;
            }
            ExprKind::Value(_) | ExprKind::Local(_) | ExprKind::Text(_) => {}
            _ => parts += 1,
        });
        short[at] = Some(parts).filter(|parts| fits && *parts <= MAX_SHORT);
    }
    short
}

/// The variables that a file picks members by: with the member as the last index, in a condition.
pub(super) fn filtered_vars(rules: &Rules) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for rule in &rules.rules {
        visit_member_tests(rule, &mut |member, test| {
            let indexed = |part: &Expr| {
                let (var, indices) = var_element(part)?;
                indices.last()?.is_local(member).then_some(var)
            };
            test.visit_tree(&mut |part| found.extend(indexed(part)));
        });
    }
    found
}
