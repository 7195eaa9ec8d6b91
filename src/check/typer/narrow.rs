//! Flow-sensitive narrowing: what conditions prove not to be `none`, or to be in a part of its kind.

use std::collections::BTreeSet;

use crate::check::typer::lookup::Lookup;
use crate::check::typer::scope::Path;
use crate::rules::{Arm, BinaryOp, Domain, Expr, ExprKind, KindId, Pattern, Type, UnaryOp, Value};

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

impl Lookup<'_> {
    /// The expression with the type that is known of it here.
    pub(crate) fn narrowed(self, mut expr: Expr) -> Expr {
        if let Type::Maybe(inner) = &expr.ty
            && self.scope.is_known(&expr)
        {
            expr.ty = inner.as_ref().clone();
        }
        if let (Some(path), Type::Kind(kind)) = (self.scope.path_of(&expr), &expr.ty) {
            expr.ty = Type::Kind(self.known_part(&path, *kind));
        }
        expr
    }

    /// The smallest part of a kind that something is known to be in.
    fn known_part(self, path: &Path, kind: KindId) -> KindId {
        let within = |part| Path::Within(Box::new(path.clone()), part);
        let all = within(KindId(0))..=within(KindId(u32::MAX));
        let known = self.scope.known.range(all).filter_map(|known| match known {
            Path::Within(_, part) => Some(*part),
            _ => None,
        });
        known.fold(
            kind,
            |found, part| if self.file.rules.is_part(part, found) { part } else { found },
        )
    }

    /// The paths that are not `none` if the condition `holds`, or does not.
    pub(crate) fn facts(self, condition: &Expr, holds: bool) -> BTreeSet<Path> {
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.facts(inner, !holds),
            ExprKind::Binary(BinaryOp::And, a, b) => self.both(a, b, holds, holds),
            ExprKind::Binary(BinaryOp::Or, a, b) => self.both(a, b, holds, !holds),
            ExprKind::Binary(BinaryOp::Equal, a, b) => self.scope.facts_of_equal(a, b, holds),
            ExprKind::Binary(BinaryOp::In, element, set) if holds => {
                let mut facts = self.scope.paths_present(element);
                if let (Some(path), Type::Set(Domain::Kind(kind))) =
                    (self.scope.path_of(element), &set.ty)
                    && self.file.rules.kind_at(*kind).within.is_some()
                {
                    facts.insert(Path::Within(Box::new(path), *kind));
                }
                facts
            }
            ExprKind::Match(subject, arms) if holds && picks_values(arms) => {
                self.scope.paths_present(subject)
            }
            ExprKind::Binary(BinaryOp::Less | BinaryOp::LessEqual, a, b) if holds => {
                self.scope.paths_present(a).into_iter().chain(self.scope.paths_present(b)).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// The facts of two conditions: all when both are as said, else those that both share.
    fn both(self, a: &Expr, b: &Expr, holds: bool, all: bool) -> BTreeSet<Path> {
        let (a, b) = (self.facts(a, holds), self.facts(b, holds));
        if all { a.union(&b).cloned().collect() } else { a.intersection(&b).cloned().collect() }
    }
}
