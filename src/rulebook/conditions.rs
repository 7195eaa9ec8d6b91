//! Conditions in English: `your grain is at most 2`.

use crate::check::rules::{Arm, Binder, Expr, ExprKind, Type, Value};
use crate::rulebook::english::list;
use crate::rulebook::words::Words;
use crate::syntax::ast::FoldWord;

impl Words<'_> {
    /// A condition as a clause.
    pub(super) fn holds(self, expr: &Expr) -> String {
        self.claim(expr, true)
    }

    /// That a condition does not hold, as a clause.
    pub(super) fn fails(self, expr: &Expr) -> String {
        self.claim(expr, false)
    }

    fn claim(self, expr: &Expr, yes: bool) -> String {
        if let Some(truth) = self.book.truth(expr) {
            return if truth == yes { "this is always so" } else { "this is never so" }.to_owned();
        }
        match &expr.kind {
            ExprKind::Not(of) => self.claim(of, !yes),
            ExprKind::And(..) => self.joined(expr, yes, true),
            ExprKind::Or(..) => self.joined(expr, yes, false),
            ExprKind::Equal(a, b) => self.equal(a, b, yes),
            ExprKind::Less(a, b) => self.ordered(a, b, (yes, true)),
            ExprKind::LessEqual(a, b) => self.ordered(a, b, (yes, false)),
            ExprKind::In(a, set) => self.inside(a, set, yes),
            ExprKind::Within(a, b) if yes => {
                format!("all of {} is in {}", self.thing(a), self.thing(b))
            }
            ExprKind::Within(a, b) => {
                format!("not all of {} is in {}", self.thing(a), self.thing(b))
            }
            ExprKind::Fold { word: word @ (FoldWord::Any | FoldWord::All), binder, body } => {
                self.quantified(*word, (binder, body), yes)
            }
            ExprKind::Match(subject, arms) => {
                let arm = |arm: &Arm<Expr>| {
                    format!(
                        "for {}: {}",
                        self.patterns(arm, &subject.ty),
                        self.claim(&arm.body, yes)
                    )
                };
                let arms: Vec<String> = arms.iter().map(arm).collect();
                format!("this is so ({})", arms.join("; "))
            }
            ExprKind::If(condition, then, otherwise) => format!(
                "if {}, {}, otherwise {}",
                self.holds(condition),
                self.claim(then, yes),
                self.claim(otherwise, yes)
            ),
            _ => self.told(expr, yes),
        }
    }

    /// What only has a name: a rule, an option, a variable.
    fn told(self, expr: &Expr, yes: bool) -> String {
        let word = if yes { "yes" } else { "no" };
        match &expr.kind {
            ExprKind::Call(..) | ExprKind::Local(_) => {
                let word = if yes { "holds" } else { "does not hold" };
                format!("{} {word}", self.thing(expr))
            }
            ExprKind::Option(_) => {
                let word = if yes { "on" } else { "off" };
                format!("the option {} is {word}", self.thing(expr))
            }
            ExprKind::Var(id, of) => self.marked(*id, of, (yes, "", " not")),
            ExprKind::Column(..)
            | ExprKind::Table(..)
            | ExprKind::LocalElement(..)
            | ExprKind::Constant(_) => format!("{} is {word}", self.thing(expr)),
            _ => {
                format!("{} {}", self.code(expr.span), if yes { "holds" } else { "does not hold" })
            }
        }
    }

    /// Conditions with `and` or `or` between them; what is known beforehand is left out.
    fn joined(self, expr: &Expr, yes: bool, and: bool) -> String {
        let mut parts = Vec::new();
        flatten(expr, and, &mut parts);
        // A denied `and` is an `or` of what is denied.
        let both = and == yes;
        let known = |part: &&Expr| self.book.truth(part).is_some();
        parts.retain(|part| !known(part));
        let several = parts.len() > 1;
        let claim = |part: &&Expr| {
            let text = self.claim(part, yes);
            let mixed = match part.kind {
                ExprKind::And(..) => !and,
                ExprKind::Or(..) => and,
                // What is said of some or every thing goes as far as it can.
                ExprKind::Fold { .. } => several,
                _ => false,
            };
            if mixed { format!("({text})") } else { text }
        };
        let claims: Vec<String> = parts.iter().map(claim).collect();
        if both { claims.join(" and ") } else { claims.join(" or ") }
    }

    fn equal(self, a: &Expr, b: &Expr, yes: bool) -> String {
        let is_none = |expr: &Expr| matches!(expr.kind, ExprKind::Value(Value::None));
        let is_empty = |expr: &Expr| match &expr.kind {
            ExprKind::SetOf(items) => items.is_empty(),
            ExprKind::Value(Value::Set(members)) => members.is_empty(),
            _ => false,
        };
        let (a, b) = if is_none(a) || is_empty(a) { (b, a) } else { (a, b) };
        if matches!(a.kind, ExprKind::Players) {
            let not = if yes { "" } else { " not" };
            let (count, are, s) = self.headcount(b);
            return format!("there {are}{not} {count} player{s}");
        }
        let thing = self.thing(a);
        let is = if thing == "you" { "are" } else { "is" };
        let not = if yes { "" } else { " not" };
        if is_empty(b) || (is_none(b) && matches!(a.kind, ExprKind::Var(..) | ExprKind::Table(..)))
        {
            return format!("{thing} {is}{not} empty");
        }
        if is_none(b) {
            let there = if yes { "there is no" } else { "there is" };
            return format!("{there} {}", thing.strip_prefix("the ").unwrap_or(&thing));
        }
        if a.ty == Type::Bool && self.book.truth(b).is_none() {
            let exactly = if yes { "exactly if" } else { "or else" };
            return format!("{} {exactly} {}", self.holds(a), self.holds(b));
        }
        if let Some(truth) = self.book.truth(b) {
            return self.claim(a, truth == yes);
        }
        format!("{thing} {is}{not} {}", self.thing(b))
    }

    /// `a < b`, or `a <= b` where it is not strict, the way round that it is written.
    fn ordered(self, a: &Expr, b: &Expr, (yes, strict): (bool, bool)) -> String {
        let turned = a.span.start > b.span.start;
        let (left, right) = if turned { (b, a) } else { (a, b) };
        let members = matches!(a.ty, Type::Kind(_));
        let less = turned != yes;
        let words = match (less, strict == yes, members) {
            (true, true, false) => "less than",
            (true, false, false) => "at most",
            (false, true, false) => "more than",
            (false, false, false) => "at least",
            (true, true, true) => "before",
            (true, false, true) => "not after",
            (false, true, true) => "after",
            (false, false, true) => "not before",
        };
        if matches!(left.kind, ExprKind::Players) {
            let (count, are, s) = self.headcount(right);
            return format!("there {are} {words} {count} player{s}");
        }
        format!("{} is {words} {}", self.thing(left), self.thing(right))
    }

    /// How many players, and what goes with the number.
    fn headcount(self, number: &Expr) -> (String, &'static str, &'static str) {
        let count = self.thing(number);
        let (are, s) = if count == "1" { ("is", "") } else { ("are", "s") };
        (count, are, s)
    }

    fn inside(self, a: &Expr, set: &Expr, yes: bool) -> String {
        let thing = self.thing(a);
        let is = if thing == "you" { "are" } else { "is" };
        let not = if yes { "" } else { " not" };
        match &set.kind {
            ExprKind::SetOf(items) if !items.is_empty() => {
                let items: Vec<String> = items.iter().map(|item| self.thing(item)).collect();
                format!("{thing} {is}{not} {}", list(&items, "or"))
            }
            ExprKind::Value(Value::Set(members)) if (1..6).contains(&members.len()) => {
                let ty = match &set.ty {
                    Type::Set(domain) => domain.member_type(),
                    _ => Type::Number,
                };
                let word = |member: &i64| self.book.value(&Value::Int(*member), &ty);
                let items: Vec<String> = members.iter().map(word).collect();
                format!("{thing} {is}{not} {}", list(&items, "or"))
            }
            ExprKind::Interval(low, high) => {
                format!("{thing} {is}{not} from {} to {}", self.thing(low), self.thing(high))
            }
            ExprKind::Whole(domain) => {
                format!("{thing} {is}{not} one of the {}", self.book.nouns(*domain))
            }
            _ => format!("{thing} {is}{not} in {}", self.thing(set)),
        }
    }

    fn quantified(self, word: FoldWord, (binder, body): (&Binder, &[Expr]), yes: bool) -> String {
        let condition = |yes: bool| body.first().map(|body| self.claim(body, yes));
        let (word, condition) = match (word, yes) {
            (FoldWord::Any, true) => ("some", condition(true)),
            (FoldWord::Any, false) => ("every", condition(false)),
            (_, true) => ("every", condition(true)),
            (_, false) => ("some", condition(false)),
        };
        let over = self.each(binder, word);
        match condition {
            Some(condition) => format!("for {over}: {condition}"),
            None => format!("there is {over}"),
        }
    }
}

fn flatten<'e>(expr: &'e Expr, and: bool, parts: &mut Vec<&'e Expr>) {
    match (&expr.kind, and) {
        (ExprKind::And(a, b), true) | (ExprKind::Or(a, b), false) => {
            flatten(a, and, parts);
            flatten(b, and, parts);
        }
        _ => parts.push(expr),
    }
}
