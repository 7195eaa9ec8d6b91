//! Finds the variables that the rounds of a loop change.

use std::collections::BTreeMap;

use crate::rules::visit::{visit_block, visit_stmts};
use crate::rules::{Array, Block, ExprKind, LocalId, Rules, StmtKind, VarId};

/// Variables that are changed, with the index that is the own member of a round where rounds change only its elements.
pub(crate) type ChangedVars = BTreeMap<VarId, Option<usize>>;

/// The variables that the rounds of a loop change; nothing if they may change anything else but locals.
pub(crate) fn changed_vars(rules: &Rules, body: &Block, member: LocalId) -> Option<ChangedVars> {
    let (mut changes, mut is_known) = (ChangedVars::new(), true);
    visit_stmts(body, &mut |stmt| match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Change { place, .. } => match &place.kind {
            ExprKind::Element(Array::Var(var), indices) => {
                let own = indices.iter().position(|index| index.is_local(member));
                let known = changes.entry(*var).or_insert(own);
                *known = known.filter(|known| Some(*known) == own);
            }
            _ => is_known &= place.as_local().is_some(),
        },
        StmtKind::Let(..)
        | StmtKind::If { .. }
        | StmtKind::Match { .. }
        | StmtKind::For { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_) => {}
        _ => is_known = false,
    });
    visit_block(body, &mut |part| match &part.kind {
        ExprKind::Call(rule, _) => is_known &= rules.rules[rule.index()].effects.is_pure(),
        ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_) | ExprKind::End(_) => {
            is_known = false;
        }
        _ => {}
    });
    is_known.then_some(changes)
}
