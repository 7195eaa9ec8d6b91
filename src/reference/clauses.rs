//! The order in which the clauses of a move are computed.

use crate::rules::protect::protect;
use crate::rules::safety::is_safe;
use crate::rules::{Clause, Expr, LocalId};

/// "astragal may test a `when` that only compares values even before the clauses above it": a condition that cannot fail
/// moves up past the clauses whose names it does not read, but past no other `when`. A call can fail.
pub(super) fn as_asked(clauses: &[Clause]) -> Vec<Clause> {
    let mut asked: Vec<Clause> = Vec::new();
    for clause in clauses {
        let mut at = asked.len();
        if let Clause::When(condition) = clause
            && is_safe(condition)
        {
            while at > 0 && !comes_before(&asked[at - 1], condition) {
                at -= 1;
            }
        }
        asked.insert(at, clause.clone());
    }
    asked
}

/// Whether a condition stays behind a clause: one that binds a name of it, and one whose own condition may tell that a
/// name of it is not none.
fn comes_before(clause: &Clause, condition: &Expr) -> bool {
    let tells = match clause {
        Clause::For(binder) | Clause::Maybe(binder) => binder.condition.as_deref(),
        Clause::Let(..) | Clause::When(_) => None,
    };
    bound_by(clause).is_none_or(|name| {
        let tells = tells.is_some_and(|tells| protect(&[tells, condition], Some(name)));
        tells || condition.reads_local(name)
    })
}

/// The name that a clause binds.
pub(super) fn bound_by(clause: &Clause) -> Option<LocalId> {
    match clause {
        Clause::For(binder) | Clause::Maybe(binder) => Some(binder.local),
        Clause::Let(local, _) => Some(*local),
        Clause::When(_) => None,
    }
}
