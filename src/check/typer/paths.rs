//! Paths: what holds one value as long as it can be seen.

use crate::rules::{
    Array, ConstantId, Expr, ExprKind, KindId, LocalId, OptionId, TableId, Type, Value,
};

/// Something that holds one value as long as it can be seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Path {
    Local(LocalId),
    Option(OptionId),
    Constant(ConstantId),
    Value(i64),
    Column(KindId, usize, Box<Path>),
    Table(TableId, Vec<Path>),
    /// That something is a member of a part of its kind.
    Within(Box<Path>, KindId),
}

impl Path {
    /// The path of an expression, if it is one that reads only such locals.
    pub(crate) fn from_expr(expr: &Expr, is_fixed: &dyn Fn(LocalId) -> bool) -> Option<Path> {
        match &expr.kind {
            ExprKind::Local(local) => is_fixed(*local).then_some(Path::Local(*local)),
            ExprKind::Option(option) => Some(Path::Option(*option)),
            ExprKind::Constant(constant) => Some(Path::Constant(*constant)),
            ExprKind::Value(Value::Int(number)) => Some(Path::Value(*number)),
            ExprKind::Column(kind, column, of) => {
                Some(Path::Column(*kind, *column, Box::new(Path::from_expr(of, is_fixed)?)))
            }
            ExprKind::Element(Array::Table(table), indices) => {
                let indices = indices.iter().map(|index| Path::from_expr(index, is_fixed));
                Some(Path::Table(*table, indices.collect::<Option<Vec<_>>>()?))
            }
            _ => None,
        }
    }
}

pub(crate) fn is_none(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Value(Value::None)) && expr.ty != Type::Unknown
}

pub(crate) fn may_be_none(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Maybe(_) | Type::None | Type::Unknown)
}
