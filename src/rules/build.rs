//! Builds checked expressions, and compares them.

use crate::rules::{Domain, Expr, ExprKind, KindId, PLAYER, Type, Value, ascending};
use crate::source::Span;

pub(crate) fn typed(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

/// In place of an expression with an error: it fits everywhere.
pub(crate) fn unknown_expr(span: Span) -> Expr {
    typed(ExprKind::Value(Value::None), Type::Unknown, span)
}

pub(crate) fn member_expr(kind: KindId, position: usize, span: Span) -> Expr {
    typed(ExprKind::Value(Value::Int(to_int(position))), Type::Kind(kind), span)
}

pub(crate) fn player() -> Type {
    Type::Kind(PLAYER)
}

pub(crate) fn players_type() -> Type {
    Type::Set(Domain::Kind(PLAYER))
}

pub(crate) fn to_int(position: usize) -> i64 {
    i64::try_from(position).expect("a kind has fewer than 2^63 members")
}

pub(crate) fn cell_set(cells: impl IntoIterator<Item = usize>) -> Value {
    Value::Set(ascending(cells.into_iter().map(to_int).collect()))
}

pub(crate) fn literal(expr: &Expr) -> Option<i64> {
    match (&expr.kind, &expr.ty) {
        (ExprKind::Value(Value::Int(number)), Type::Number) => Some(*number),
        _ => None,
    }
}

/// Whether two expressions are written alike, so that they are equal in every setting.
pub(crate) fn is_same_expr(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Value(a), ExprKind::Value(b)) => a == b,
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Option(a), ExprKind::Option(b)) => a == b,
        (ExprKind::Constant(a), ExprKind::Constant(b)) => a == b,
        (ExprKind::Ambient(a), ExprKind::Ambient(b)) => a == b,
        (ExprKind::Column(kind, column, a), ExprKind::Column(of, other, b)) => {
            (kind, column) == (of, other) && is_same_expr(a, b)
        }
        (ExprKind::Element(a, of), ExprKind::Element(b, other)) => {
            a == b
                && of.len() == other.len()
                && of.iter().zip(other).all(|(a, b)| is_same_expr(a, b))
        }
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && is_same_expr(a, c) && is_same_expr(b, d)
        }
        (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) => op == other && is_same_expr(a, b),
        _ => false,
    }
}
