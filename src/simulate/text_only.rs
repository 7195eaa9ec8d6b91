//! Finds rules that are called in texts only. Bots hear nothing, so playouts never run them, and
//! they are left out of coverage.

use std::collections::BTreeSet;

use crate::check::rules::{Block, ExprKind, Rule, RuleId, Rules, StmtKind, Type};
use crate::source::Span;

/// What the body of a rule calls.
pub(super) struct Calls {
    /// Where, and which rule.
    pub(super) all: Vec<(Span, RuleId)>,
    /// Everything that stands in a text.
    pub(super) said: BTreeSet<Span>,
}

/// The rules that are called only in texts, or only by such rules.
pub(super) fn spoken(rules: &Rules, calls: &[Calls]) -> BTreeSet<RuleId> {
    let all: BTreeSet<RuleId> = (0..rules.rules.len()).map(RuleId::at).collect();
    let called = |rule: &RuleId| calls.iter().any(|it| it.all.iter().any(|(_, to)| to == rule));
    let mut spoken = BTreeSet::new();
    loop {
        let does = |from: usize, rule: RuleId| {
            let Calls { all, said } = &calls[from];
            !spoken.contains(&RuleId::at(from))
                && all.iter().any(|(span, to)| *to == rule && !said.contains(span))
        };
        let speaks =
            |rule: &RuleId| called(rule) && !(0..calls.len()).any(|from| does(from, *rule));
        let more: BTreeSet<RuleId> = all.iter().copied().filter(speaks).collect();
        if more.len() == spoken.len() {
            return spoken;
        }
        spoken = more;
    }
}

pub(super) fn calls(rule: &Rule) -> Calls {
    let mut calls = Calls { all: Vec::new(), said: BTreeSet::new() };
    rule.visit(&mut |part| {
        if let ExprKind::Call(to, _) = &part.kind {
            calls.all.push((part.span, *to));
        }
        if part.ty == Type::Text {
            part.visit(&mut |inner| {
                calls.said.insert(inner.span);
            });
        }
    });
    sayings(&rule.body, &mut calls.said);
    calls
}

/// What stands in a `say`: its text, and who hears it.
fn sayings(block: &Block, said: &mut BTreeSet<Span>) {
    for stmt in block {
        if matches!(stmt.kind, StmtKind::Say { .. }) {
            stmt.visit(&mut |part| {
                said.insert(part.span);
            });
        }
        stmt.blocks().into_iter().for_each(|inner| sayings(inner, said));
    }
}
