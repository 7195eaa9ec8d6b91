//! Options whose values are taken from independent sets: one offer stands for all combinations.

use crate::compile::passes::Pass;
use crate::compile::plan::{expr_queries::conjuncts, facts::Facts, forms::PredicateMember};
use crate::eval::finite;
use crate::rules::protect::protect;
use crate::rules::{BinaryOp, Binder, Clause, Expr, ExprKind, SubsetBound, Type, Value};
use crate::syntax::ast::FoldWord;

/// A set that a value of an option is taken from.
pub(in crate::compile) struct FactorSource<'c> {
    pub(in crate::compile) binder: &'c Binder,
    /// Whether it may be left out.
    pub(in crate::compile) or_none: bool,
    /// How many members are taken, where not one is.
    pub(in crate::compile) taken: Option<u16>,
}

impl Facts<'_, '_> {
    /// The clauses as independent sets, if they are all that.
    pub(in crate::compile) fn factors(self, clauses: &[Clause]) -> Option<Vec<FactorSource<'_>>> {
        if !self.plan.tries(Pass::Factors) {
            return None;
        }
        let mut sources: Vec<FactorSource> = Vec::new();
        for clause in clauses {
            let (Clause::For(binder) | Clause::Maybe(binder)) = clause else { return None };
            let or_none = matches!(clause, Clause::Maybe(_));
            let taken = self.subset_size(binder).filter(|_| !or_none);
            let is_set = matches!(binder.set.ty, Type::Set(_)) && !binder.set.is_ordered();
            let depends = |other: &FactorSource| {
                let mut parts = parts_of(binder);
                parts.any(|expr| expr.reads_local(other.binder.local))
                    || protect(
                        &parts_of(other.binder).chain(parts_of(binder)).collect::<Vec<_>>(),
                        Some(binder.local),
                    )
            };
            // Where the sets before it are empty, what may trap is not computed.
            let is_safe = sources.is_empty() || self.cannot_trap(binder);
            if !(is_set || taken.is_some()) || !is_safe || sources.iter().any(depends) {
                return None;
            }
            sources.push(FactorSource { binder, or_none, taken });
        }
        Some(sources)
    }

    /// True if members may be found early: no condition traps.
    pub(super) fn cannot_trap(self, binder: &Binder) -> bool {
        let about =
            finite(&binder.set.ty).map(|domain| PredicateMember::given(binder.local, domain, &[]));
        let has_form =
            |part: &Expr| about.is_some_and(|about| self.set_form(part, about).is_some());
        conjuncts(parts_of(binder)).into_iter().all(|part| self.is_safe(part) || has_form(part))
    }

    /// The number of members of `x in subsets of S where count(x) == n`, or `of size n`.
    fn subset_size(self, binder: &Binder) -> Option<u16> {
        let (ExprKind::Subsets(_, written), Type::Subsets(domain)) =
            (&binder.set.kind, &binder.set.ty)
        else {
            return None;
        };
        let is_one_word = self.plan.known_domain(*domain).is_some_and(|(_, size)| size <= 64);
        let as_size = |size: Option<Value>| match size.filter(|_| is_one_word)? {
            Value::Int(size) => u16::try_from(size).ok(),
            _ => None,
        };
        if let Some(SubsetBound { up_to, size }) = written {
            return if *up_to || binder.condition.is_some() {
                None
            } else {
                as_size(self.fold(size))
            };
        }
        let ExprKind::Binary(BinaryOp::Equal, a, b) = &binder.condition.as_ref()?.kind else {
            return None;
        };
        let is_count = |expr: &Expr| match &expr.kind {
            ExprKind::Fold { word: FoldWord::Count, binder: inner, .. } => {
                inner.condition.is_none() && inner.set.is_local(binder.local)
            }
            _ => false,
        };
        let size = if is_count(a) { self.fold(b) } else { self.fold(a).filter(|_| is_count(b)) };
        as_size(size)
    }
}

/// What picks the members: the set, and a condition.
fn parts_of(binder: &Binder) -> impl Iterator<Item = &Expr> {
    let set = match &binder.set.kind {
        ExprKind::Subsets(of, _) => of,
        _ => &binder.set,
    };
    binder.condition.iter().map(AsRef::as_ref).chain([set.as_ref()])
}
