//! Which rules call which: circles of them, and what runs in a call.

use std::collections::BTreeSet;

use crate::components::Components;
use crate::rules::visit::{visit_choices, visit_stmts};
use crate::rules::{Block, Clause, Effects, Expr, ExprKind, Rule, RuleId, Rules, Stmt, StmtKind};
use crate::source::Span;

pub(crate) fn calls_in(block: &[Stmt]) -> BTreeSet<RuleId> {
    let mut called = BTreeSet::new();
    let mut see = |expr: &Expr| {
        if let ExprKind::Call(rule, _) = expr.kind {
            called.insert(rule);
        }
    };
    block.iter().for_each(|stmt| stmt.visit_exprs(&mut see));
    called
}

/// The rules for which something holds, and those that call them, directly or through others.
pub(crate) fn rules_that(rules: &[Rule], holds: impl Fn(&Rule) -> bool) -> BTreeSet<RuleId> {
    let mut callers = vec![Vec::new(); rules.len()];
    for (at, rule) in rules.iter().enumerate() {
        calls_in(&rule.body).iter().for_each(|called| callers[called.index()].push(at));
    }
    let mut open: Vec<usize> = (0..rules.len()).filter(|at| holds(&rules[*at])).collect();
    let mut found = BTreeSet::new();
    while let Some(at) = open.pop() {
        if found.insert(RuleId::at(at)) {
            open.extend(&callers[at]);
        }
    }
    found
}

/// The places at which a rule asks somebody, itself or by calling one of the rules that do.
pub(crate) fn asked_at(rule: &Rule, asking: &BTreeSet<RuleId>) -> Vec<Span> {
    let mut places = Vec::new();
    visit_stmts(&rule.body, &mut |stmt| {
        places.extend(matches!(stmt.kind, StmtKind::Choose(_)).then_some(stmt.span));
    });
    rule.visit_exprs(&mut |expr| match &expr.kind {
        ExprKind::Pick(_) => places.push(expr.span),
        ExprKind::Call(called, _) if asking.contains(called) => places.push(expr.span),
        _ => {}
    });
    places
}

/// Whether a rule itself asks somebody.
pub(crate) fn asks(rule: &Rule) -> bool {
    !asked_at(rule, &BTreeSet::new()).is_empty()
}

/// The rules, callees first; and for each, the circle of rules calling each other that it is in.
pub(crate) fn call_graph(rules: &Rules) -> (Vec<usize>, Vec<Option<usize>>) {
    let calls = |rule: &Rule| calls_in(&rule.body).into_iter().map(|called| called.0).collect();
    let calls: Vec<Vec<u32>> = rules.rules.iter().map(calls).collect();
    let (mut order, mut circles) = (Vec::new(), vec![None; calls.len()]);
    for members in Components::of_graph(calls.len(), |rule| &calls[rule as usize]).iter() {
        let first = *members.iter().min().expect("a component has members") as usize;
        let is_circle = members.len() > 1 || calls[first].contains(&members[0]);
        for rule in members {
            order.push(*rule as usize);
            circles[*rule as usize] = is_circle.then_some(first);
        }
    }
    (order, circles)
}

/// The places of the conditions of moves that call a rule.
pub(crate) fn calling_conditions(rules: &Rules) -> BTreeSet<Span> {
    let mut calling = BTreeSet::new();
    for rule in &rules.rules {
        visit_choices(&rule.body, &mut |choose| {
            for clause in choose.options.iter().flat_map(|option| &option.clauses) {
                if let Clause::When(condition) = clause
                    && condition.any(|part| matches!(part.kind, ExprKind::Call(..)))
                {
                    calling.insert(condition.span);
                }
            }
        });
    }
    calling
}

/// The places of the `turns` that may run inside of others, also in rules called there.
pub(crate) fn inner_turns(rules: &Rules) -> BTreeSet<Span> {
    let mut inner = BTreeSet::new();
    let (mut open, mut called): (Vec<RuleId>, _) = (Vec::new(), BTreeSet::new());
    let mut inside = |block: &Block, open: &mut Vec<RuleId>| {
        visit_stmts(block, &mut |stmt| {
            if matches!(stmt.kind, StmtKind::Turns { .. }) {
                inner.insert(stmt.span);
            }
        });
        open.extend(calls_in(block));
    };
    for rule in &rules.rules {
        visit_stmts(&rule.body, &mut |stmt| {
            if let StmtKind::Turns { body, .. } = &stmt.kind {
                inside(body, &mut open);
            }
        });
    }
    while let Some(rule) = open.pop() {
        if called.insert(rule) {
            inside(&rules.rules[rule.index()].body, &mut open);
        }
    }
    inner
}

pub(crate) fn effects_of(rules: &Rules, calls: &[RuleId]) -> Effects {
    calls.iter().fold(Effects::default(), |effects, call| {
        effects.union_effects(rules.rules[call.index()].effects)
    })
}
