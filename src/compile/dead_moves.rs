//! Conditions that cannot hold, since numbers have ends: for advice, no code hangs on it.

use std::collections::BTreeMap;

use crate::check::rules::{
    Arith, Array, BinaryOp, Binder, Clause, Domain, Expr, ExprKind, LocalId, MoveOption, Type,
    UnaryOp, Value,
};
use crate::compile::Compiler;
use crate::syntax::ast::FoldWord;

/// The lowest and the highest that a number can be.
type Bounds = (i64, i64);

/// What the names of a move can be.
type Names = BTreeMap<LocalId, Bounds>;

impl Compiler<'_> {
    /// Keeps that an option cannot be legal, if that is so.
    pub(super) fn note_barred(&mut self, option: &MoveOption) {
        if self.never_legal(option) || self.is_barred(option) {
            self.barred.insert(option.span, option.name.clone());
        }
    }

    /// Whether a condition of an option cannot hold, by the ends of what it compares.
    fn is_barred(&self, option: &MoveOption) -> bool {
        let mut names = Names::new();
        option.clauses.iter().any(|clause| match clause {
            Clause::When(condition) => self.is_known(condition, false, &names),
            Clause::For(binder) => {
                self.name(binder, &mut names);
                let condition = binder.condition.as_ref();
                condition.is_some_and(|condition| self.is_known(condition, false, &names))
            }
            Clause::Let(local, value) => {
                if let Some(bounds) = self.bounds(value, &names) {
                    names.insert(*local, bounds);
                }
                false
            }
            Clause::Maybe(_) => false,
        })
    }

    fn name(&self, binder: &Binder, names: &mut Names) {
        let bounds = match &binder.set.kind {
            ExprKind::Interval(low, high) if binder.set.ty == Type::Span => {
                let (low, high) = (self.bounds(low, names), self.bounds(high, names));
                low.zip(high).map(|(low, high)| (low.0, high.1))
            }
            ExprKind::Whole(Domain::Range(range)) => self.ends(range.index()),
            _ => None,
        };
        if let Some(bounds) = bounds {
            names.insert(binder.local, bounds);
        }
    }

    fn ends(&self, range: usize) -> Option<Bounds> {
        let (low, high) = *self.ranges.get(range)?;
        Some((low, high.unwrap_or(i64::MAX)))
    }

    /// Whether a condition always is, or never is.
    fn is_known(&self, condition: &Expr, holds: bool, names: &Names) -> bool {
        if let Some(Value::Int(value)) = self.fold(condition) {
            return (value != 0) == holds;
        }
        let both = |a: &Expr, b: &Expr| self.bounds(a, names).zip(self.bounds(b, names));
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, of) => self.is_known(of, !holds, names),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                let either = matches!(condition.kind, ExprKind::Binary(BinaryOp::And, ..)) != holds;
                let (a, b) = (self.is_known(a, holds, names), self.is_known(b, holds, names));
                if either { a || b } else { a && b }
            }
            ExprKind::Binary(BinaryOp::Less, a, b) => {
                both(a, b).is_some_and(|(a, b)| if holds { a.1 < b.0 } else { a.0 >= b.1 })
            }
            ExprKind::Binary(BinaryOp::LessEqual, a, b) => {
                both(a, b).is_some_and(|(a, b)| if holds { a.1 <= b.0 } else { a.0 > b.1 })
            }
            ExprKind::Binary(BinaryOp::Equal, a, b) if !holds => {
                both(a, b).is_some_and(|(a, b)| a.1 < b.0 || b.1 < a.0)
            }
            _ => false,
        }
    }

    /// The ends of a number, as far as they are known; none if it may be `none`.
    fn bounds(&self, number: &Expr, names: &Names) -> Option<Bounds> {
        if number.ty != Type::Number {
            return None;
        }
        if let Some(Value::Int(value)) = self.fold(number) {
            return Some((value, value));
        }
        match &number.kind {
            ExprKind::Local(local) => names.get(local).copied(),
            ExprKind::Element(Array::Var(var), _) => {
                self.ends(self.rules.vars[var.index()].range?.index())
            }
            ExprKind::Column(kind, at, _) => {
                spread(&self.rules.kinds[kind.index()].columns[*at].cells)
            }
            ExprKind::Element(Array::Table(table), _) => {
                spread(&self.rules.tables[table.index()].cells)
            }
            ExprKind::Unary(UnaryOp::Seat, _) => {
                Some((1, i64::try_from(self.setting.players).ok()?))
            }
            ExprKind::Fold { word: FoldWord::Count, .. } => Some((0, i64::MAX)),
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => {
                let (a, b) = (self.bounds(a, names)?, self.bounds(b, names)?);
                match op {
                    Arith::Add => Some((a.0.checked_add(b.0)?, a.1.saturating_add(b.1))),
                    Arith::Subtract => Some((a.0.saturating_sub(b.1), a.1.checked_sub(b.0)?)),
                    Arith::Min => Some((a.0.min(b.0), a.1.min(b.1))),
                    Arith::Max => Some((a.0.max(b.0), a.1.max(b.1))),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The lowest and the highest of some cells.
fn spread(cells: &[Value]) -> Option<Bounds> {
    let numbers: Option<Vec<i64>> = cells
        .iter()
        .map(|cell| if let Value::Int(number) = cell { Some(*number) } else { None })
        .collect();
    let numbers = numbers?;
    Some((*numbers.iter().min()?, *numbers.iter().max()?))
}
