//! Variables that rules show to players who do not see them otherwise.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::call_graph::calls_in;
use crate::rules::ends::is_finish;
use crate::rules::visit::any_stmt;
use crate::rules::{ExprKind, RuleId, Rules, Stmt, StmtKind, VarId};

pub(super) struct ShownVars {
    /// The rules that show a variable.
    by: BTreeMap<VarId, BTreeSet<RuleId>>,
    /// The rules that run in the setup alone.
    of_setup: BTreeSet<RuleId>,
}

impl ShownVars {
    pub(super) fn of_rules(
        rules: &Rules,
        calls: &[Vec<u32>],
        asking: &BTreeSet<RuleId>,
    ) -> ShownVars {
        let mut by: BTreeMap<VarId, BTreeSet<RuleId>> = BTreeMap::new();
        for (at, rule) in rules.rules.iter().enumerate() {
            visit_shown(&rule.body, asking, &mut |var| {
                by.entry(var).or_default().insert(RuleId::at(at));
            });
        }
        ShownVars { by, of_setup: rules_of_setup(rules, calls) }
    }

    /// Whether a variable may have been shown when a rule sets it.
    pub(super) fn was_shown(&self, var: VarId, rule: RuleId) -> bool {
        let is_later = |by: &RuleId| !self.of_setup.contains(by);
        let is_first = self.of_setup.contains(&rule);
        self.by.get(&var).is_some_and(|by| !(is_first && by.iter().all(is_later)))
    }
}

/// Calls `see` with the variables that a block shows, unless the game ends then without a further question: nobody
/// notices that such a variable is set again.
fn visit_shown(block: &[Stmt], asking: &BTreeSet<RuleId>, see: &mut dyn FnMut(VarId)) {
    let goes_elsewhere = |stmt: &Stmt| {
        matches!(
            stmt.kind,
            StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Choose(_)
        )
    };
    let asks = |part: &[Stmt]| {
        let mut picks = false;
        part.iter().for_each(|stmt| {
            stmt.visit_exprs(&mut |expr| picks |= matches!(expr.kind, ExprKind::Pick(_)));
        });
        picks || calls_in(part).iter().any(|called| asking.contains(called))
    };
    let end = block.iter().rposition(is_finish).map_or(0, |end| end + 1);
    let goes_on = |stmt: &Stmt| {
        let stmt = std::slice::from_ref(stmt);
        any_stmt(stmt, goes_elsewhere) || asks(stmt)
    };
    let last = block[..end].iter().rposition(goes_on).map_or(0, |last| last + 1);
    for stmt in block[..last].iter().chain(&block[end..]) {
        if let StmtKind::Show { targets, .. } = &stmt.kind {
            targets.iter().for_each(|target| see(target.var));
        }
        stmt.blocks().into_iter().for_each(|inner| visit_shown(inner, asking, see));
    }
}

/// The rules that are called in the setup and nowhere else.
fn rules_of_setup(rules: &Rules, calls: &[Vec<u32>]) -> BTreeSet<RuleId> {
    let mut of_setup = BTreeSet::new();
    let mut waiting: Vec<RuleId> = rules.setup.into_iter().collect();
    while let Some(rule) = waiting.pop() {
        if of_setup.insert(rule) {
            waiting.extend(calls[rule.index()].iter().map(|called| RuleId(*called)));
        }
    }
    let others = (0..rules.rules.len()).map(RuleId::at).filter(|it| !of_setup.contains(it));
    let mut elsewhere: Vec<RuleId> = others.collect();
    while let Some(rule) = elsewhere.pop() {
        let called = calls[rule.index()].iter().map(|called| RuleId(*called));
        elsewhere.extend(called.filter(|called| of_setup.remove(called)));
    }
    of_setup
}
