//! The clauses of an option: in which order they are tested, what they bind, and which of them are
//! sets that do not depend on each other.

use std::collections::BTreeSet;

use crate::check::rules::{Binder, Clause, Expr, ExprKind, LocalId, Type};
use crate::compile::set_predicates::reads;

/// The clauses, each `when` as early as what it reads is bound, but behind those above it: these
/// may tell that a name in it is not none. Only conditions that cannot trap are moved: another
/// clause may be there to protect the others.
pub(super) fn scheduled(clauses: &[Clause]) -> Vec<Clause> {
    let mut scheduled: Vec<Clause> = Vec::new();
    for clause in clauses {
        let at = match clause {
            Clause::When(condition) if is_safe(condition) => {
                let reads = read_by(condition);
                let holds = |clause: &Clause| match bound_by(clause) {
                    Some(local) => reads.contains(&local),
                    None => true,
                };
                scheduled.iter().rposition(holds).map_or(0, |at| at + 1)
            }
            _ => scheduled.len(),
        };
        scheduled.insert(at, clause.clone());
    }
    scheduled
}

/// The clauses as sets that do not depend on each other, each with whether it may be left out; none
/// if they are something else.
pub(super) fn factors(clauses: &[Clause]) -> Option<Vec<(&Binder, bool)>> {
    let mut factors: Vec<(&Binder, bool)> = Vec::new();
    for clause in clauses {
        let (binder, or_none) = match clause {
            Clause::For(binder) => (binder, false),
            Clause::Maybe(binder) => (binder, true),
            Clause::Let(..) | Clause::When(_) => return None,
        };
        let is_set = matches!(binder.set.ty, Type::Set(_));
        let ordered = matches!(binder.set.kind, ExprKind::From(..) | ExprKind::Walk(_));
        let depends = |(other, _): &(&Binder, bool)| {
            let condition = binder.condition.iter();
            condition.chain([&binder.set]).any(|expr| reads(expr, other.local))
        };
        if !is_set || ordered || factors.iter().any(depends) {
            return None;
        }
        factors.push((binder, or_none));
    }
    Some(factors)
}

/// The type of what a binder takes from a set.
pub(super) fn member_type(set: &Type) -> Type {
    match set {
        Type::Set(domain) => domain.member_type(),
        Type::Subsets(domain) => Type::Set(*domain),
        Type::Maybe(inner) => inner.as_ref().clone(),
        other if *other == Type::Span => Type::Number,
        other => other.clone(),
    }
}

/// The name that a clause binds.
pub(super) fn bound_by(clause: &Clause) -> Option<LocalId> {
    match clause {
        Clause::For(binder) | Clause::Maybe(binder) => Some(binder.local),
        Clause::Let(local, _) => Some(*local),
        Clause::When(_) => None,
    }
}

fn read_by(expr: &Expr) -> BTreeSet<LocalId> {
    let mut read = BTreeSet::new();
    expr.visit(&mut |part| {
        if let ExprKind::Local(local) = &part.kind {
            read.insert(*local);
        }
    });
    read
}

/// Whether computing an expression can never trap.
pub(super) fn is_safe(expr: &Expr) -> bool {
    let mut safe = true;
    expr.visit(&mut |part| {
        let indices: &[Expr] = match &part.kind {
            ExprKind::Arith(..)
            | ExprKind::Negate(_)
            | ExprKind::Call(..)
            | ExprKind::Suppose(..)
            | ExprKind::Fold { .. } => {
                safe = false;
                &[]
            }
            ExprKind::Var(_, indices)
            | ExprKind::LocalElement(_, indices)
            | ExprKind::Table(_, indices) => indices,
            _ => &[],
        };
        safe &= indices.iter().all(|index| !matches!(index.ty, Type::Number));
    });
    safe
}
