//! Finds conditions that must be computed in their order, since one protects another.

use crate::rules::build::is_same_expr;
use crate::rules::{Array, Expr, ExprKind, LocalId, Type, Value};

/// Whether the order of these must be kept: one of them may ask whether something is there, or is of a part of its
/// kind, and another take that as given. What reads `member` is left out.
pub(crate) fn protect(expressions: &[&Expr], member: Option<LocalId>) -> bool {
    let mut read: Vec<Expr> = Vec::new();
    let mut differ = false;
    for expr in expressions {
        expr.visit_tree(&mut |part| match &part.kind {
            // It stands where a rule that is written out in place of its call takes it for something.
            ExprKind::Value(Value::None) => {
                differ |= !matches!(part.ty, Type::None | Type::Maybe(_));
            }
            ExprKind::Local(_)
            | ExprKind::Option(_)
            | ExprKind::Constant(_)
            | ExprKind::Column(..)
            | ExprKind::Element(Array::Table(_) | Array::Var(_) | Array::Local(_), _)
                if !member.is_some_and(|member| part.reads_local(member)) =>
            {
                match read.iter().find(|known| is_same_expr(known, part)) {
                    Some(known) => differ |= known.ty != part.ty,
                    None => read.push(part.clone()),
                }
            }
            _ => {}
        });
    }
    differ
}
