//! Conditions in English: `your grain is at most 2`.

use crate::check::rules::{Arm, Binder, Expr, ExprKind, Type, Value};
use crate::rulebook::english::list;
use crate::rulebook::words::Words;
use crate::syntax::Tightness;
use crate::syntax::ast::FoldWord;

impl Words<'_> {
    /// A condition as a clause.
    pub(super) fn holds(self, expr: &Expr) -> String {
        self.placed_claim(expr, true, Tightness::Open)
    }

    /// That a condition does not hold, as a clause.
    pub(super) fn fails(self, expr: &Expr) -> String {
        self.placed_claim(expr, false, Tightness::Open)
    }

    fn placed_claim(self, expr: &Expr, yes: bool, place: Tightness) -> String {
        self.claim_tightness(expr, yes).placed(self.claim(expr, yes), place)
    }

    fn claim(self, expr: &Expr, yes: bool) -> String {
        self.book.written(|| self.claim_text(expr, yes))
    }

    fn claim_text(self, expr: &Expr, yes: bool) -> String {
        if let Some(truth) = self.book.truth(expr) {
            return if truth == yes { "this is always so" } else { "this is never so" }.to_owned();
        }
        match &expr.kind {
            ExprKind::Not(of) => self.claim(of, !yes),
            ExprKind::And(..) | ExprKind::Or(..) => {
                let (both, parts) = self.parts(expr, yes);
                self.joined(&parts, both)
            }
            ExprKind::Equal(a, b) => self.equal(a, b, yes),
            ExprKind::Less(a, b) => self.ordered(a, b, (yes, true)),
            ExprKind::LessEqual(a, b) => self.ordered(a, b, (yes, false)),
            ExprKind::In(a, set) => self.inside(a, set, yes),
            ExprKind::Within(a, b) => {
                let not = if yes { "" } else { "not " };
                let b = self.placed(b, Tightness::Sets);
                format!("{not}all of {} is in {b}", self.operand(a))
            }
            ExprKind::Fold { word: word @ (FoldWord::Any | FoldWord::All), binder, body } => {
                self.quantified(*word, (binder, body), yes)
            }
            ExprKind::Match(subject, arms) if let Some((listed, truth)) = self.listed_arm(arms) => {
                let not = if truth == yes { "" } else { " not" };
                let patterns = self.patterns(listed, &subject.ty);
                format!("{} is{not} {patterns}", self.placed(subject, Tightness::Sets))
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
            ExprKind::If(condition, then, otherwise)
                if let Some(truth) = self.book.truth(condition) =>
            {
                self.claim(if truth { then } else { otherwise }, yes)
            }
            ExprKind::If(condition, then, otherwise) => format!(
                "if {}, {}, otherwise {}",
                self.holds(condition),
                self.placed_claim(then, yes, Tightness::Open),
                self.claim(otherwise, yes)
            ),
            _ => self.told(expr, yes),
        }
    }

    /// The case for which a `match` is one thing, where it is the other for all that is left: so
    /// `x in {1, 2}` is asked.
    pub(super) fn listed_arm(self, arms: &[Arm<Expr>]) -> Option<(&Arm<Expr>, bool)> {
        let [listed, rest] = arms else { return None };
        let truth = self.book.truth(&listed.body)?;
        let whole = rest.patterns.is_empty() && self.book.truth(&rest.body)? != truth;
        whole.then_some((listed, truth))
    }

    /// What only has a name: a rule, an option, a variable.
    fn told(self, expr: &Expr, yes: bool) -> String {
        let word = if yes { "yes" } else { "no" };
        match &expr.kind {
            ExprKind::Call(..) | ExprKind::Local(_) => {
                let word = if yes { "holds" } else { "does not hold" };
                format!("{} {word}", self.operand(expr))
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

    /// The conditions that `and` or `or` join, each with whether it has to hold, and whether all of
    /// them have to; what is known beforehand is left out.
    pub(super) fn parts(self, expr: &Expr, yes: bool) -> (bool, Vec<(&Expr, bool)>) {
        // A denied `and` is an `or` of what is denied.
        let both = matches!(expr.kind, ExprKind::And(..)) == yes;
        let mut parts = Vec::new();
        flatten(expr, (yes, both), &mut parts);
        parts.retain(|(part, _)| self.book.truth(part).is_none());
        (both, parts)
    }

    /// Conditions with `and` or `or` between them.
    fn joined(self, parts: &[(&Expr, bool)], both: bool) -> String {
        // `a and b or c` could be read in two ways.
        let place = if parts.len() > 1 { Tightness::And.tighter() } else { Tightness::From };
        let claims = parts.iter().map(|(part, yes)| self.placed_claim(part, *yes, place));
        claims.collect::<Vec<_>>().join(if both { " and " } else { " or " })
    }

    /// What has to hold for a member of a set: ` for which …`, or nothing.
    pub(super) fn where_all<'e>(
        self,
        binder: &Binder,
        conditions: impl Iterator<Item = &'e Expr>,
    ) -> String {
        let open = conditions.filter(|it| self.book.truth(it) != Some(true)).collect::<Vec<_>>();
        let claims = match open.as_slice() {
            [] => return String::new(),
            [only] => self.holds(only),
            several => {
                let parts = several.iter().map(|part| (*part, true));
                self.joined(&parts.collect::<Vec<_>>(), true)
            }
        };
        let who = if self.noun_of(binder.local) == "player" { "whom" } else { "which" };
        format!(" for {who} {claims}")
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
        let thing = self.placed(a, Tightness::Sets);
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
        if let Some(truth) = self.book.truth(b) {
            return self.claim(a, truth == yes);
        }
        if a.ty == Type::Bool {
            let side = |of| self.placed_claim(of, true, Tightness::Comparison);
            let exactly = if yes { "exactly if" } else { "or else" };
            return format!("{} {exactly} {}", side(a), side(b));
        }
        format!("{thing} {is}{not} {}", self.placed(b, Tightness::Sets))
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
        let side = |of| self.placed(of, Tightness::Sum);
        format!("{} is {words} {}", side(left), side(right))
    }

    /// How many players, and what goes with the number.
    fn headcount(self, number: &Expr) -> (String, &'static str, &'static str) {
        let count = self.placed(number, Tightness::Sum);
        let (are, s) = if count == "1" { ("is", "") } else { ("are", "s") };
        (count, are, s)
    }

    fn inside(self, a: &Expr, set: &Expr, yes: bool) -> String {
        let thing = self.placed(a, Tightness::Sets);
        let is = if thing == "you" { "are" } else { "is" };
        let not = if yes { "" } else { " not" };
        match &set.kind {
            ExprKind::SetOf(items) if !items.is_empty() => {
                format!("{thing} {is}{not} {}", self.listed(items, Tightness::Sum, "or"))
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
                let bound = |of| self.placed(of, Tightness::Sum);
                format!("{thing} {is}{not} from {} to {}", bound(low), bound(high))
            }
            ExprKind::Whole(domain) => {
                format!("{thing} {is}{not} one of the {}", self.book.nouns(*domain))
            }
            _ => format!("{thing} {is}{not} in {}", self.placed(set, Tightness::Sets)),
        }
    }

    pub(super) fn quantified(
        self,
        word: FoldWord,
        (binder, body): (&Binder, &[Expr]),
        yes: bool,
    ) -> String {
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

fn flatten<'e>(expr: &'e Expr, (yes, both): (bool, bool), parts: &mut Vec<(&'e Expr, bool)>) {
    match &expr.kind {
        ExprKind::Not(of) => flatten(of, (!yes, both), parts),
        ExprKind::And(a, b) if yes == both => {
            flatten(a, (yes, both), parts);
            flatten(b, (yes, both), parts);
        }
        ExprKind::Or(a, b) if yes != both => {
            flatten(a, (yes, both), parts);
            flatten(b, (yes, both), parts);
        }
        _ => parts.push((expr, yes)),
    }
}
