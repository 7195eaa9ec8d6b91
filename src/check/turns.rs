//! Finds reads of `turn` where no turn has begun.

use std::collections::BTreeSet;

use crate::check::rules::{Ambient, Block, Expr, ExprKind, Rule, RuleId, Rules, Stmt, StmtKind};
use crate::check::visit::visit_stmts;
use crate::source::Span;

pub(super) fn any(rules: &Rules) -> bool {
    rules.rules.iter().any(|rule| counts(&rule.body))
}

/// Where `turn` is read and no turn has begun.
pub(super) fn unturned(rules: &Rules) -> Vec<Span> {
    if !rules.reads_turn {
        return Vec::new();
    }
    let turning = turning(rules);
    let begun = begun(rules, &turning);
    let reads = |expr: &Expr| matches!(expr.kind, ExprKind::Ambient(Ambient::Turn));
    let mut found = BTreeSet::new();
    for (rule, begun) in rules.rules.iter().zip(&begun) {
        let within = within(rule, &turning);
        rule.visit(&mut |expr| {
            if reads(expr) && !begun && !within.contains(&std::ptr::from_ref(expr)) {
                found.insert(expr.span);
            }
        });
    }
    if !any(rules) {
        for rule in outside(rules) {
            rule.visit(&mut |expr| found.extend(reads(expr).then_some(expr.span)));
        }
    }
    found.into_iter().collect()
}

/// What is computed at the end of the game or at every decision.
fn outside(rules: &Rules) -> impl Iterator<Item = &Rule> {
    let measures = rules.measures.iter().map(|measure| &measure.rule);
    measures.chain(rules.always.iter().map(|always| &always.rule))
}

fn counts(block: &[Stmt]) -> bool {
    let mut counts = false;
    visit_stmts(block, &mut |stmt| counts |= matches!(stmt.kind, StmtKind::Turns { .. }));
    counts
}

fn turning(rules: &Rules) -> BTreeSet<RuleId> {
    let ids = || (0..).map(RuleId::at).zip(&rules.rules);
    let mut turning: BTreeSet<RuleId> =
        ids().filter(|(_, rule)| counts(&rule.body)).map(|(id, _)| id).collect();
    loop {
        let known = turning.len();
        turning.extend(
            ids().filter(|(_, rule)| calls(rule, &turning)).map(|(id, _)| id).collect::<Vec<_>>(),
        );
        if turning.len() == known {
            return turning;
        }
    }
}

fn calls(rule: &Rule, of: &BTreeSet<RuleId>) -> bool {
    let mut calls = false;
    rule.visit(&mut |expr| {
        calls |= matches!(&expr.kind, ExprKind::Call(called, _) if of.contains(called));
    });
    calls
}

/// For each rule, whether a turn may have begun when it is called. What the flow of the game does not
/// reach, and what is computed at its end, may come at any time.
fn begun(rules: &Rules, turning: &BTreeSet<RuleId>) -> Vec<bool> {
    let any = !turning.is_empty();
    let reached = reached(rules);
    let by_setup = rules.setup.is_some_and(|setup| turning.contains(&setup));
    let ids = (0..).map(RuleId::at).take(rules.rules.len());
    let begins = |id| if id == rules.play { by_setup } else { any && !reached.contains(&id) };
    let mut begun: Vec<bool> = ids.map(begins).collect();
    for rule in outside(rules) {
        rule.visit(&mut |expr| {
            if let ExprKind::Call(rule, _) = expr.kind {
                begun[rule.index()] |= any;
            }
        });
    }
    loop {
        let known = begun.clone();
        for (rule, from) in rules.rules.iter().zip(&known) {
            let within = within(rule, turning);
            rule.visit(&mut |expr| {
                if let ExprKind::Call(rule, _) = expr.kind {
                    begun[rule.index()] |= *from || within.contains(&std::ptr::from_ref(expr));
                }
            });
        }
        if begun == known {
            return begun;
        }
    }
}

/// The rules that `setup` and `play` reach.
fn reached(rules: &Rules) -> BTreeSet<RuleId> {
    let mut open: Vec<RuleId> = rules.setup.into_iter().chain([rules.play]).collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            rules.rules[id.index()].visit(&mut |expr| {
                if let ExprKind::Call(called, _) = expr.kind {
                    open.push(called);
                }
            });
        }
    }
    reached
}

/// The expressions of a rule that are read in a turn of its own, or behind one.
fn within(rule: &Rule, turning: &BTreeSet<RuleId>) -> BTreeSet<*const Expr> {
    let mut within = BTreeSet::new();
    if counts(&rule.body) || calls(rule, turning) {
        behind(&rule.body, turning, &mut within);
    }
    within
}

fn behind(block: &Block, turning: &BTreeSet<RuleId>, within: &mut BTreeSet<*const Expr>) {
    let Some(first) = block.iter().position(|stmt| turns(stmt, turning)) else { return };
    for stmt in &block[first + 1..] {
        stmt.visit(&mut |expr| within.extend([std::ptr::from_ref(expr)]));
    }
    let stmt = &block[first];
    match &stmt.kind {
        // In a loop what comes before the turns comes after them too.
        StmtKind::Turns { .. }
        | StmtKind::For { .. }
        | StmtKind::Times(..)
        | StmtKind::While(..)
        | StmtKind::Repeat(..) => {
            stmt.visit(&mut |expr| within.extend([std::ptr::from_ref(expr)]));
        }
        _ => stmt.blocks().into_iter().for_each(|inner| behind(inner, turning, within)),
    }
}

fn turns(stmt: &Stmt, turning: &BTreeSet<RuleId>) -> bool {
    let mut turns = counts(std::slice::from_ref(stmt));
    stmt.visit(&mut |expr| {
        turns |= matches!(&expr.kind, ExprKind::Call(called, _) if turning.contains(called));
    });
    turns
}
