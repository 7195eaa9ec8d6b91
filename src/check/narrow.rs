//! Flow-sensitive narrowing: what conditions prove not to be `none`, or to be in a part of its kind.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::check::context::Checker;
use crate::check::paths::Path;
use crate::rules::{Arm, BinaryOp, Domain, Expr, ExprKind, KindId, Pattern, Type, UnaryOp, Value};

impl Checker<'_, '_> {
    pub(crate) fn path_of(&self, expr: &Expr) -> Option<Path> {
        Path::from_expr(expr, &|local| !self.local_at(local).mutable)
    }

    /// The expression with the type that is known of it here.
    pub(crate) fn narrowed(&self, mut expr: Expr) -> Expr {
        if let Type::Maybe(inner) = &expr.ty
            && self.is_known(&expr)
        {
            expr.ty = inner.as_ref().clone();
        }
        if let (Some(path), Type::Kind(kind)) = (self.path_of(&expr), &expr.ty) {
            expr.ty = Type::Kind(self.known_part(&path, *kind));
        }
        expr
    }

    /// The smallest part of a kind that something is known to be in.
    fn known_part(&self, path: &Path, kind: KindId) -> KindId {
        let within = |part| Path::Within(Box::new(path.clone()), part);
        let all = within(KindId(0))..=within(KindId(u32::MAX));
        let known = self.body.known.range(all).filter_map(|known| match known {
            Path::Within(_, part) => Some(*part),
            _ => None,
        });
        known.fold(
            kind,
            |found, part| if self.file.rules.is_part(part, found) { part } else { found },
        )
    }

    /// Whether a member is known to be in this part of its kind; it may be known to be in several,
    /// none of which is a part of the other.
    pub(crate) fn is_known_within(&self, expr: &Expr, part: KindId) -> bool {
        let Some(path) = self.path_of(expr) else { return false };
        self.body.known.contains(&Path::Within(Box::new(path), part))
    }

    /// Whether the expression is known not to be `none` here.
    pub(crate) fn is_known(&self, expr: &Expr) -> bool {
        self.path_of(expr).is_some_and(|path| self.body.known.contains(&path))
    }

    pub(crate) fn add_facts(&mut self, facts: impl IntoIterator<Item = Path>) {
        for fact in facts {
            if !self.body.known.contains(&fact) {
                if Rc::strong_count(&self.body.known) > 1 {
                    self.file.budget.charge(self.body.known.len());
                }
                Rc::make_mut(&mut self.body.known).insert(fact);
            }
        }
    }

    pub(crate) fn assume(&mut self, condition: &Expr, holds: bool) {
        self.add_facts(self.facts(condition, holds));
    }

    /// Learns that the expression is one of these members, so that it is of each part that has
    /// them all.
    pub(crate) fn assume_among(&mut self, expr: &Expr, kind: KindId, members: &[i64]) {
        let Some(path) = self.path_of(expr) else { return };
        let facts: Vec<Path> = (0..self.file.rules.kinds.len())
            .map(KindId::at)
            .filter(|part| {
                self.file.rules.whole_kind(*part) == self.file.rules.whole_kind(kind)
                    && self.file.has_all(*part, members)
            })
            .map(|part| Path::Within(Box::new(path.clone()), part))
            .collect();
        self.add_facts(facts);
    }

    /// What cannot be `none` when the condition holds, or when it does not.
    fn facts(&self, condition: &Expr, holds: bool) -> BTreeSet<Path> {
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.facts(inner, !holds),
            ExprKind::Binary(BinaryOp::And, a, b) => self.both(a, b, holds, holds),
            ExprKind::Binary(BinaryOp::Or, a, b) => self.both(a, b, holds, !holds),
            ExprKind::Binary(BinaryOp::Equal, a, b) => self.facts_of_equal(a, b, holds),
            ExprKind::Binary(BinaryOp::In, element, set) if holds => {
                let mut facts = self.there(element);
                if let (Some(path), Type::Set(Domain::Kind(kind))) =
                    (self.path_of(element), &set.ty)
                    && self.file.rules.kind_at(*kind).within.is_some()
                {
                    facts.insert(Path::Within(Box::new(path), *kind));
                }
                facts
            }
            ExprKind::Match(subject, arms) if holds && picks_values(arms) => self.there(subject),
            ExprKind::Binary(BinaryOp::Less | BinaryOp::LessEqual, a, b) if holds => {
                self.there(a).into_iter().chain(self.there(b)).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// The facts of two conditions: all when both are as said, else those that both share.
    fn both(&self, a: &Expr, b: &Expr, holds: bool, all: bool) -> BTreeSet<Path> {
        let (a, b) = (self.facts(a, holds), self.facts(b, holds));
        if all { a.union(&b).cloned().collect() } else { a.intersection(&b).cloned().collect() }
    }

    fn facts_of_equal(&self, a: &Expr, b: &Expr, holds: bool) -> BTreeSet<Path> {
        let (none, other) = match (is_none(a), is_none(b)) {
            (false, true) => (true, a),
            (true, false) => (true, b),
            _ => (false, a),
        };
        match (none, holds) {
            (true, false) => self.there(other),
            (false, true) if !may_be_none(b) => self.there(a),
            (false, true) if !may_be_none(a) => self.there(b),
            _ => BTreeSet::new(),
        }
    }

    /// What is there when the expression is: the member before the dot of a column too.
    pub(crate) fn there(&self, expr: &Expr) -> BTreeSet<Path> {
        let mut facts = BTreeSet::new();
        let mut path = self.path_of(expr);
        while let Some(here) = path {
            path = match &here {
                Path::Column(_, _, of) => Some(of.as_ref().clone()),
                _ => None,
            };
            facts.insert(here);
        }
        facts
    }
}

/// Whether a `match` is yes for some values and no for all others, as `n in {1, 3}` is.
fn picks_values(arms: &[Arm<Expr>]) -> bool {
    let [some, others] = arms else { return false };
    let gives = |arm: &Arm<Expr>, holds| match arm.body.kind {
        ExprKind::Value(Value::Int(value)) => value == holds,
        _ => false,
    };
    let there = !some.patterns.contains(&Pattern::Value(Value::None));
    gives(some, 1) && gives(others, 0) && there && others.patterns.is_empty()
}

fn is_none(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Value(Value::None)) && expr.ty != Type::Unknown
}

fn may_be_none(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Maybe(_) | Type::None | Type::Unknown)
}
