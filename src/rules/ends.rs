//! Finds statements after which nothing is reached.

use crate::rules::visit::any_stmt;
use crate::rules::{Stmt, StmtKind};

/// Whether what follows these statements is never reached.
pub(crate) fn block_ends(block: &[Stmt]) -> bool {
    block.iter().any(stmt_ends)
}

/// Whether the game can end in these statements.
pub(crate) fn can_finish(block: &[Stmt]) -> bool {
    any_stmt(block, is_finish)
}

/// Whether a `break` in these statements leaves the loop around them.
pub(crate) fn breaks(block: &[Stmt]) -> bool {
    leaves(block, &|stmt| matches!(stmt, StmtKind::Break))
}

/// Whether a statement of this sort belongs to the loop around these statements.
pub(crate) fn leaves(block: &[Stmt], sort: &dyn Fn(&StmtKind) -> bool) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::If { .. } | StmtKind::Match { .. } | StmtKind::Choose(_) => {
            stmt.blocks().into_iter().any(|inner| leaves(inner, sort))
        }
        kind => sort(kind),
    })
}

/// Whether a statement ends the game.
pub(crate) fn is_finish(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::FinishDraw
            | StmtKind::FinishWin(_)
            | StmtKind::FinishRanking { .. }
            | StmtKind::FinishAll { .. }
            | StmtKind::FinishTogether(_)
            | StmtKind::FinishTeams { .. }
    )
}

pub(crate) fn stmt_ends(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => true,
        _ if is_finish(stmt) => true,
        StmtKind::If { then, otherwise, .. } => block_ends(then) && block_ends(otherwise),
        StmtKind::Match { arms, .. } => {
            !arms.is_empty() && arms.iter().all(|arm| block_ends(&arm.body))
        }
        // Where nobody is asked no body runs.
        StmtKind::Choose(choose) if choose.each.is_some() => false,
        StmtKind::Choose(choose) => {
            // An order goes on when nothing of it is left.
            let mut bodies = choose.blocks().peekable();
            choose.order.is_none()
                && bodies.peek().is_some()
                && bodies.all(|block| block_ends(block))
        }
        StmtKind::Repeat(body, None) => !breaks(body),
        StmtKind::Repeat(body, Some(_)) => {
            let continues = leaves(body, &|stmt| matches!(stmt, StmtKind::Continue));
            block_ends(body) && !breaks(body) && !continues
        }
        _ => false,
    }
}
