//! Cards that read the same: of those in one pile only one is offered.

use crate::check::rules::{Binder, Clause, Domain, Expr, ExprKind, Shape, Type};
use crate::compile::Compiler;

impl Compiler<'_> {
    /// The clauses, each with only one of the cards that read the same and lie in one pile.
    pub(super) fn told_apart(&self, mut clauses: Vec<Clause>) -> Vec<Clause> {
        for clause in &mut clauses {
            let (Clause::For(binder) | Clause::Maybe(binder)) = clause else { continue };
            let (Type::Set(Domain::Kind(kind)) | Type::Subsets(Domain::Kind(kind))) = binder.set.ty
            else {
                continue;
            };
            let kind = &self.rules.kinds[kind.index()];
            let faces = kind.columns.first().map(|column| column.cells.as_slice());
            let several = faces.is_some_and(|faces| faces.windows(2).any(|two| two[0] == two[1]));
            if matches!(kind.shape, Shape::Cards(_)) && several {
                *binder = match binder.set.ty {
                    Type::Subsets(_) => one_of_each_hand(binder),
                    _ => one_of_each(binder),
                };
            }
        }
        clauses
    }
}

/// A binder over the cards that fulfil its condition, without those that read like another.
fn one_of_each(binder: &Binder) -> Binder {
    let (mut set, from) = match &binder.set.kind {
        ExprKind::From(set, from) => (set.as_ref().clone(), Some(from.clone())),
        _ => (binder.set.as_ref().clone(), None),
    };
    if binder.condition.is_some() {
        let over = Box::new(set.clone());
        let condition = binder.condition.clone();
        set.kind = ExprKind::Filter(Binder { local: binder.local, set: over, condition });
    }
    let (ty, span) = (set.ty.clone(), set.span);
    let expr = |kind| Expr { kind, ty: ty.clone(), span };
    let mut set = expr(ExprKind::Distinct(Box::new(set)));
    if let Some(from) = from {
        set = expr(ExprKind::From(Box::new(set), from));
    }
    Binder { local: binder.local, set: Box::new(set), condition: None }
}

/// A binder over subsets, without those that read like another. Which of them its condition leaves
/// is asked afterwards, since it is about all cards of a subset.
fn one_of_each_hand(binder: &Binder) -> Binder {
    let Expr { ty, span, .. } = *binder.set.clone();
    let kind = ExprKind::Distinct(binder.set.clone());
    Binder { set: Box::new(Expr { kind, ty, span }), ..binder.clone() }
}
