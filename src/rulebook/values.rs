//! Sums, sets and searches in English.

use crate::check::rules::{Arith, Arm, Binder, Expr, ExprKind, Pattern, SetOp, Type, Value};
use crate::rulebook::english::list;
use crate::rulebook::words::Words;
use crate::syntax::Tightness;
use crate::syntax::ast::FoldWord;

impl Words<'_> {
    /// A value that is made of others.
    pub(super) fn computed(self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Arith(op, a, b) => self.arithmetic(*op, a, b),
            ExprKind::Negate(of) => format!("−{}", self.operand(of)),
            ExprKind::SetOp(op, a, b) => self.set_op(*op, a, b),
            ExprKind::SetOf(items) if items.is_empty() => "nothing".to_owned(),
            ExprKind::SetOf(items) => self.things(items),
            ExprKind::Interval(a, b) => {
                let bound = |expr| self.placed(expr, Tightness::Sum);
                format!("{} to {}", bound(a), bound(b))
            }
            ExprKind::Subsets(set) => format!("any part of {}", self.operand(set)),
            ExprKind::Filter(binder) => self.those(binder),
            ExprKind::Image(of, binder) => {
                let value = self.placed(of, Tightness::Sets);
                format!("{value} for {}", self.each(binder, "each"))
            }
            ExprKind::Fold { word, binder, body } => self.fold(*word, binder, body),
            ExprKind::Match(subject, arms) => {
                let arm = |arm: &Arm<Expr>| {
                    let value = self.placed(&arm.body, Tightness::Or);
                    format!("{value} for {}", self.patterns(arm, &subject.ty))
                };
                let arms: Vec<String> = arms.iter().map(arm).collect();
                format!("by {}: {}", self.placed(subject, Tightness::Open), arms.join("; "))
            }
            _ if expr.ty == Type::Bool => format!("whether {}", self.holds(expr)),
            _ => self.code(expr.span),
        }
    }

    /// What a case is for.
    pub(super) fn patterns<T>(self, arm: &Arm<T>, ty: &Type) -> String {
        let pattern = |pattern: &Pattern| match pattern {
            Pattern::Value(value) => self.book.value(value, ty),
            Pattern::Range(low, high) => format!(
                "{} to {}",
                self.book.value(&Value::Int(*low), ty),
                self.book.value(&Value::Int(*high), ty)
            ),
        };
        let patterns: Vec<String> = arm.patterns.iter().map(pattern).collect();
        if patterns.is_empty() { "anything else".to_owned() } else { list(&patterns, "or") }
    }

    fn arithmetic(self, op: Arith, a: &Expr, b: &Expr) -> String {
        let zero = |expr: &Expr| self.book.known(expr) == Some(Value::Int(0));
        let chain = |place: Tightness, sign: &str| {
            format!("{} {sign} {}", self.placed(a, place), self.placed(b, place.tighter()))
        };
        let number = |expr| self.placed(expr, Tightness::Sum);
        match op {
            Arith::Add => chain(Tightness::Sum, "+"),
            Arith::Subtract => chain(Tightness::Sum, "−"),
            Arith::Multiply => chain(Tightness::Product, "×"),
            Arith::CeilDivide => format!("{}, rounded up", chain(Tightness::Product, "/")),
            Arith::FloorDivide => format!("{}, rounded down", chain(Tightness::Product, "/")),
            Arith::Modulo => {
                format!("what is left when {} is divided by {}", number(a), number(b))
            }
            Arith::Min => format!("the smaller of {} and {}", number(a), number(b)),
            Arith::Max if zero(a) => format!("{} (but not below 0)", number(b)),
            Arith::Max if zero(b) => format!("{} (but not below 0)", number(a)),
            Arith::Max => format!("the larger of {} and {}", number(a), number(b)),
        }
    }

    /// How far two numbers lie apart.
    pub(super) fn distance(self, of: &Expr) -> String {
        match &of.kind {
            ExprKind::Arith(Arith::Subtract, a, b) => {
                let number = |expr| self.placed(expr, Tightness::Sum);
                format!("the difference between {} and {}", number(a), number(b))
            }
            _ => format!("{} without its sign", self.operand(of)),
        }
    }

    fn set_op(self, op: SetOp, a: &Expr, b: &Expr) -> String {
        // `a together with b without c` could be read in two ways.
        let chained = op == SetOp::Union && matches!(a.kind, ExprKind::SetOp(SetOp::Union, ..));
        let first = if chained { Tightness::Sets } else { Tightness::Range };
        let (a, b) = (self.placed(a, first), self.placed(b, Tightness::Range));
        match op {
            SetOp::Union => format!("{a} together with {b}"),
            SetOp::Minus => format!("{a} without {b}"),
            SetOp::Common => format!("what is both in {a} and in {b}"),
        }
    }

    /// `the players *p* for whom …`
    fn those(self, binder: &Binder) -> String {
        let local = self.local(binder.local);
        let over = match &binder.set.kind {
            ExprKind::Whole(domain) => format!("the {} {local}", self.book.nouns(*domain)),
            _ => {
                let set = self.placed(&binder.set, self.before_filter(binder));
                format!("those {local} in {set}")
            }
        };
        format!("{over}{}", self.filter(binder))
    }

    fn fold(self, word: FoldWord, binder: &Binder, body: &[Expr]) -> String {
        let value = || body.first().map_or_else(String::new, |it| self.placed(it, Tightness::Sum));
        let measure = || body.first().map_or_else(String::new, |it| self.measure(it));
        match word {
            FoldWord::Any | FoldWord::All => {
                format!("whether {}", self.quantified(word, (binder, body), true))
            }
            FoldWord::Count => self.count(binder, body),
            FoldWord::Sum => format!("the sum of {} for {}", value(), self.each(binder, "each")),
            FoldWord::Min => format!("the lowest {} for {}", measure(), self.each(binder, "any")),
            FoldWord::Max => format!("the highest {} for {}", measure(), self.each(binder, "any")),
            FoldWord::First | FoldWord::Last => {
                let word = if word == FoldWord::First { "the first" } else { "the last" };
                let condition = body.first().map(|body| format!(" with: {}", self.holds(body)));
                format!("{}{}", self.each(binder, word), condition.unwrap_or_default())
            }
            FoldWord::Highest => self.best("highest", binder, body),
            FoldWord::Lowest => self.best("lowest", binder, body),
        }
    }

    /// `whoever, of the players *p* for whom …, has the highest …, then the highest …`
    fn best(self, word: &str, binder: &Binder, keys: &[Expr]) -> String {
        let all = matches!(binder.set.kind, ExprKind::Whole(_));
        let of = match (all, !self.is_filtered(binder)) {
            (true, true) => String::new(),
            (false, true) => format!(", of {},", self.placed(&binder.set, Tightness::Open)),
            (_, false) => format!(", of {},", self.those(binder)),
        };
        let over = match self.noun_of(binder.local).as_str() {
            "player" => format!("whoever{of} has"),
            noun => format!("the {noun} {}{of} with", self.local(binder.local)),
        };
        let keys = keys.iter().map(|key| format!("the {word} {}", self.measure(key)));
        let keys: Vec<String> = keys.collect();
        format!("{over} {}", keys.join(", then "))
    }

    fn count(self, binder: &Binder, body: &[Expr]) -> String {
        let plain = body.is_empty() && binder.condition.is_none();
        if plain && let ExprKind::Filter(inner) = &binder.set.kind {
            return self.count(inner, &[]);
        }
        let nouns = match &binder.set.ty {
            Type::Set(domain) => self.book.nouns(*domain),
            _ => super::english::plural(&self.noun_of(binder.local)),
        };
        if plain {
            let set = self.operand(&binder.set);
            let all = set == format!("all {nouns}");
            let of = if all { String::new() } else { format!(" in {set}") };
            return format!("the number of {nouns}{of}");
        }
        let local = self.local(binder.local);
        let over = match &binder.set.kind {
            ExprKind::Whole(_) => format!("the number of {nouns} {local}"),
            _ => {
                let set = self.placed(&binder.set, Tightness::Sets);
                format!("the number of {nouns} {local} in {set}")
            }
        };
        let conditions = binder.condition.iter().map(AsRef::as_ref).chain(body.first());
        format!("{over}{}", self.where_all(binder, conditions))
    }
}
