//! Sums, sets and searches in English.

use crate::check::rules::{
    Arith, Arm, Binder, Domain, Expr, ExprKind, Pattern, SetOp, Type, Value,
};
use crate::rulebook::english::list;
use crate::rulebook::words::Words;
use crate::syntax::ast::FoldWord;

impl Words<'_> {
    /// A value that is made of others.
    pub(super) fn computed(self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Arith(op, a, b) => self.arithmetic(*op, a, b),
            ExprKind::Negate(of) => format!("−{}", self.factor(of)),
            ExprKind::SetOp(op, a, b) => self.set_op(*op, a, b),
            ExprKind::SetOf(items) if items.is_empty() => "nothing".to_owned(),
            ExprKind::SetOf(items) => self.things(items),
            ExprKind::Interval(a, b) => format!("{} to {}", self.thing(a), self.thing(b)),
            ExprKind::Subsets(set) => format!("any part of {}", self.thing(set)),
            ExprKind::Filter(binder) => self.those(binder),
            ExprKind::Image(of, binder) => {
                format!("{} for {}", self.thing(of), self.each(binder, "each"))
            }
            ExprKind::Fold { word, binder, body } => self.fold(*word, binder, body),
            ExprKind::Match(subject, arms) => {
                let arm = |arm: &Arm<Expr>| {
                    format!("{} for {}", self.thing(&arm.body), self.patterns(arm, &subject.ty))
                };
                let arms: Vec<String> = arms.iter().map(arm).collect();
                format!("by {}: {}", self.thing(subject), arms.join("; "))
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
        match op {
            Arith::Add => format!("{} + {}", self.thing(a), self.thing(b)),
            Arith::Subtract => format!("{} − {}", self.thing(a), self.factor(b)),
            Arith::Multiply => format!("{} × {}", self.factor(a), self.factor(b)),
            Arith::CeilDivide => format!("{} / {}, rounded up", self.factor(a), self.factor(b)),
            Arith::FloorDivide => format!("{} / {}, rounded down", self.factor(a), self.factor(b)),
            Arith::Modulo => {
                format!("what is left when {} is divided by {}", self.thing(a), self.thing(b))
            }
            Arith::Min => format!("the smaller of {} and {}", self.thing(a), self.thing(b)),
            Arith::Max if zero(a) => format!("{} (but not below 0)", self.thing(b)),
            Arith::Max if zero(b) => format!("{} (but not below 0)", self.thing(a)),
            Arith::Max => format!("the larger of {} and {}", self.thing(a), self.thing(b)),
        }
    }

    /// A number as a part of a product.
    fn factor(self, expr: &Expr) -> String {
        let text = self.thing(expr);
        let open = matches!(expr.kind, ExprKind::Arith(..) | ExprKind::If(..));
        if open && text.contains(' ') { format!("({text})") } else { text }
    }

    /// How far two numbers lie apart.
    pub(super) fn distance(self, of: &Expr) -> String {
        match &of.kind {
            ExprKind::Arith(Arith::Subtract, a, b) => {
                format!("the difference between {} and {}", self.thing(a), self.thing(b))
            }
            _ => format!("{} without its sign", self.thing(of)),
        }
    }

    fn set_op(self, op: SetOp, a: &Expr, b: &Expr) -> String {
        let (a, b) = (self.thing(a), self.thing(b));
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
            _ => format!("those {local} in {}", self.thing(&binder.set)),
        };
        format!("{over}{}", self.filter(binder))
    }

    fn fold(self, word: FoldWord, binder: &Binder, body: &[Expr]) -> String {
        let value = body.first().map(|body| self.thing(body)).unwrap_or_default();
        match word {
            FoldWord::Any | FoldWord::All => {
                unreachable!("a condition is put into words elsewhere")
            }
            FoldWord::Count => self.count(binder, body),
            FoldWord::Sum => format!("the sum of {value} for {}", self.each(binder, "each")),
            FoldWord::Min => {
                format!("the lowest {} for {}", bare(&value), self.each(binder, "any"))
            }
            FoldWord::Max => {
                format!("the highest {} for {}", bare(&value), self.each(binder, "any"))
            }
            FoldWord::First | FoldWord::Last => {
                let word = if word == FoldWord::First { "the first" } else { "the last" };
                let condition = body.first().map(|body| format!(" with: {}", self.holds(body)));
                format!("{}{}", self.each(binder, word), condition.unwrap_or_default())
            }
            FoldWord::Highest | FoldWord::Lowest => {
                let word = if word == FoldWord::Highest { "highest" } else { "lowest" };
                let keys: Vec<String> = body.iter().map(|key| self.thing(key)).collect();
                let keys = keys.iter().map(|key| bare(key).to_owned()).collect::<Vec<_>>();
                let over = match self.noun_of(binder.local).as_str() {
                    "player" => "whoever has".to_owned(),
                    noun => format!("the {noun} {} with", self.local(binder.local)),
                };
                let of = match &binder.set.kind {
                    ExprKind::Whole(_) => String::new(),
                    _ => format!(", of {}", self.thing(&binder.set)),
                };
                format!("{over} the {word} {}{of}{}", keys.join(", then the "), self.filter(binder))
            }
        }
    }

    fn count(self, binder: &Binder, body: &[Expr]) -> String {
        if body.is_empty() && binder.condition.is_none() {
            let noun = match &binder.set.ty {
                Type::Set(domain) => self.book.nouns(*domain),
                _ => "members".to_owned(),
            };
            let set = self.thing(&binder.set);
            if set == format!("all {noun}") {
                return format!("the number of {noun}");
            }
            return match binder.set.kind {
                ExprKind::Filter(_) => format!("how many are {set}"),
                _ => format!("the number of {noun} in {set}"),
            };
        }
        let local = self.local(binder.local);
        let nouns = match &binder.set.ty {
            Type::Set(Domain::Kind(kind)) => self.book.nouns(Domain::Kind(*kind)),
            _ => super::english::plural(&self.noun_of(binder.local)),
        };
        let over = match &binder.set.kind {
            ExprKind::Whole(_) => format!("the number of {nouns} {local}"),
            _ => format!("the number of {nouns} {local} in {}", self.thing(&binder.set)),
        };
        let filter = self.filter(binder);
        let condition = body.first().map(|body| self.holds(body));
        match condition {
            Some(condition) if filter.is_empty() => {
                let who = if nouns == "players" { "whom" } else { "which" };
                format!("{over} for {who} {condition}")
            }
            Some(condition) => format!("{over}{filter} and {condition}"),
            None => format!("{over}{filter}"),
        }
    }
}

/// A thing without its article.
fn bare(thing: &str) -> &str {
    thing.strip_prefix("the ").unwrap_or(thing)
}
