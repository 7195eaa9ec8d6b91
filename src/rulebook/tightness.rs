//! How tight the words of an expression hold together, so that parentheses keep its meaning.
//!
//! The levels are those of the language; which level an expression has is a matter of its words:
//! `A common B` is tight in a file and open in a book, `what is both in A and in B`.

use crate::check::rules::{Arith, Binder, Builtin, Expr, ExprKind, SetOp, Type, Value};
use crate::rulebook::words::Words;
use crate::syntax::Tightness;
use crate::syntax::ast::FoldWord;

impl Words<'_> {
    /// A value as a thing, in parentheses if its words are looser than its place.
    pub(super) fn placed(self, expr: &Expr, place: Tightness) -> String {
        self.tightness(expr).placed(self.thing(expr), place)
    }

    /// A value behind `of` and the like.
    pub(super) fn operand(self, expr: &Expr) -> String {
        self.placed(expr, Tightness::Operand)
    }

    /// What is the highest or the lowest of its kind: `water of *p*`, `(sum of … for each …)`.
    pub(super) fn measure(self, expr: &Expr) -> String {
        let thing = self.thing(expr);
        let bare = thing.strip_prefix("the ").map(str::to_owned).unwrap_or(thing);
        self.tightness(expr).placed(bare, Tightness::Sum)
    }

    fn tightness(self, expr: &Expr) -> Tightness {
        if let Some(value) = self.known(expr) {
            return self.of_value(&value, &expr.ty);
        }
        match &expr.kind {
            ExprKind::Value(value) => self.of_value(value, &expr.ty),
            ExprKind::SetOf(items) if items.len() < 2 => Tightness::Operand,
            ExprKind::If(condition, then, otherwise) => match self.book.truth(condition) {
                Some(truth) => self.tightness(if truth { then } else { otherwise }),
                None => Tightness::From,
            },
            ExprKind::SetOf(_)
            | ExprKind::Match(..)
            | ExprKind::From(..)
            | ExprKind::Random(_)
            | ExprKind::Fold { word: FoldWord::Highest | FoldWord::Lowest, .. } => Tightness::From,
            ExprKind::Arith(op, ..) => of_arithmetic(*op),
            ExprKind::Negate(_) => Tightness::Negation,
            ExprKind::SetOp(SetOp::Union | SetOp::Minus, ..) => Tightness::Sets,
            ExprKind::Interval(..) => Tightness::Range,
            ExprKind::Fold { word: FoldWord::Count, binder, body } => of_count(binder, body),
            ExprKind::SetOp(SetOp::Common, ..)
            | ExprKind::Filter(_)
            | ExprKind::Image(..)
            | ExprKind::Fold { .. }
            | ExprKind::Roll(_)
            | ExprKind::Builtin(Builtin::Abs, _)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::Equal(..)
            | ExprKind::Less(..)
            | ExprKind::LessEqual(..)
            | ExprKind::In(..)
            | ExprKind::Within(..) => Tightness::Open,
            ExprKind::ToSet(of) | ExprKind::PileCards(of) | ExprKind::Distinct(of) => {
                self.tightness(of)
            }
            _ => Tightness::Operand,
        }
    }

    fn of_value(self, value: &Value, ty: &Type) -> Tightness {
        match value {
            Value::Int(number) if *number < 0 && *ty == Type::Number => Tightness::Negation,
            Value::Set(members) if members.len() > 1 && !self.book.is_whole(members, ty) => {
                Tightness::From
            }
            _ => Tightness::Operand,
        }
    }

    /// How tight the words hold together that say that a condition holds, or that it does not.
    pub(super) fn claim_tightness(self, expr: &Expr, yes: bool) -> Tightness {
        match &expr.kind {
            _ if self.book.truth(expr).is_some() => Tightness::Comparison,
            ExprKind::Not(of) => self.claim_tightness(of, !yes),
            ExprKind::And(..) | ExprKind::Or(..) => self.of_several(expr, yes),
            ExprKind::Equal(a, b) if a.ty == Type::Bool => match self.book.truth(b) {
                Some(truth) => self.claim_tightness(a, truth == yes),
                None => Tightness::Open,
            },
            ExprKind::In(_, set) => of_listed(match &set.kind {
                ExprKind::SetOf(items) => items.len(),
                ExprKind::Value(Value::Set(members)) if members.len() < 6 => members.len(),
                _ => 1,
            }),
            ExprKind::Match(_, arms) => {
                of_listed(self.listed_arm(arms).map_or(1, |(listed, _)| listed.patterns.len()))
            }
            ExprKind::Fold { word: FoldWord::Any | FoldWord::All, .. } => Tightness::Open,
            ExprKind::If(condition, then, otherwise) => match self.book.truth(condition) {
                Some(truth) => self.claim_tightness(if truth { then } else { otherwise }, yes),
                None => Tightness::From,
            },
            _ => Tightness::Comparison,
        }
    }

    fn of_several(self, expr: &Expr, yes: bool) -> Tightness {
        let (both, parts) = self.parts(expr, yes);
        match parts.as_slice() {
            [(only, yes)] => self.claim_tightness(only, *yes),
            _ if both => Tightness::And,
            _ => Tightness::Or,
        }
    }
}

fn of_arithmetic(op: Arith) -> Tightness {
    match op {
        Arith::Add | Arith::Subtract => Tightness::Sum,
        Arith::Multiply => Tightness::Product,
        Arith::CeilDivide | Arith::FloorDivide => Tightness::From,
        Arith::Modulo | Arith::Min | Arith::Max => Tightness::Open,
    }
}

/// `the number of cards in S` ends where S does; with a condition it goes as far as it can.
fn of_count(binder: &Binder, body: &[Expr]) -> Tightness {
    let filtered = binder.condition.is_some() || matches!(binder.set.kind, ExprKind::Filter(_));
    if body.is_empty() && !filtered { Tightness::Operand } else { Tightness::Open }
}

/// `x is a or b`
fn of_listed(count: usize) -> Tightness {
    if count > 1 { Tightness::Or } else { Tightness::Comparison }
}
