//! Which expressions cannot trap, whatever a state holds.

use crate::rules::{Array, BinaryOp, Expr, ExprKind, Type, UnaryOp};
use crate::syntax::ast::FoldWord;

pub(crate) fn is_safe(expr: &Expr) -> bool {
    is_safe_where(expr, |_| false)
}

/// True if an expression cannot trap; `is_small` are numbers whose arithmetic is known not to overflow.
pub(crate) fn is_safe_where(expr: &Expr, is_small: impl Fn(&Expr) -> bool) -> bool {
    let mut safe = true;
    expr.visit_tree(&mut |part| {
        safe &= match &part.kind {
            ExprKind::Binary(BinaryOp::Arith(_), ..)
            | ExprKind::Fold { word: FoldWord::Sum, .. }
                if is_small(part) =>
            {
                true
            }
            ExprKind::Binary(BinaryOp::Arith(_) | BinaryOp::Nth, ..)
            | ExprKind::Unary(UnaryOp::Negate | UnaryOp::Reverse | UnaryOp::Amount, _)
            | ExprKind::Call(..)
            | ExprKind::Suppose(..)
            // They have a limit, and what counts through numbers may take too long.
            | ExprKind::Subsets(..)
            | ExprKind::Lists(_) => false,
            ExprKind::Interval(..) => part.ty != Type::Span,
            ExprKind::Fold { word, .. } => {
                matches!(word, FoldWord::Any | FoldWord::All | FoldWord::Count)
            }
            ExprKind::Element(Array::Var(_) | Array::Local(_) | Array::Table(_), indices) => {
                indices.iter().all(|index| index.ty != Type::Number)
            }
            ExprKind::Value(_)
            | ExprKind::Local(_)
            | ExprKind::Option(_)
            | ExprKind::Constant(_)
            | ExprKind::Ambient(_)
            | ExprKind::Whole(_)
            | ExprKind::Element(Array::Pile(_), _)
            | ExprKind::Column(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::SetOf(_)
            | ExprKind::From(..)
            | ExprKind::Walk(_)
            | ExprKind::Backwards(_)
            | ExprKind::ListOf(_)
            | ExprKind::Distinct(_)
            | ExprKind::Filter(_)
            | ExprKind::Image(..)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::Text(_)
            | ExprKind::End(_)
            | ExprKind::Random(_)
            | ExprKind::Roll(_)
            | ExprKind::Pick(_) => true,
        };
    });
    safe
}
