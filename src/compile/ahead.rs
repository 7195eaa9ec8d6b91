//! What an option asks again and again without another answer: the part of an inner set that the
//! names bound outside of it do not touch is computed once, before anything is gone over.

use std::collections::BTreeSet;

use crate::check::rules::{Binder, Clause, Expr, ExprKind, LocalId, Type};
use crate::compile::clauses::{bound_by, factors, is_safe};
use crate::compile::filters::conjuncts;
use crate::compile::fold::finite;
use crate::compile::forms::{About, Form, reads};
use crate::compile::{Compiler, Slots, Storage};

/// The highest number of a local; no rule has as many, so there are free ones below it.
const LAST_LOCAL: usize = (1 << 31) - 2;

impl Compiler<'_> {
    /// The clauses with what could be computed ahead taken out of them; it is computed here.
    pub(super) fn ahead(&mut self, mut clauses: Vec<Clause>) -> Vec<Clause> {
        if factors(&clauses).is_some() {
            return clauses;
        }
        let mut bound = BTreeSet::new();
        for (at, clause) in clauses.iter_mut().enumerate() {
            if let Clause::For(binder) = clause
                && !bound.is_empty()
                && let Some((first, rest)) = self.split(binder, &bound)
            {
                let local = LocalId::at(LAST_LOCAL - at);
                self.keep(local, &first);
                *binder.set = Expr { kind: ExprKind::Local(local), ..first };
                binder.condition = rest.map(Box::new);
            }
            bound.extend(bound_by(clause));
        }
        clauses
    }

    fn keep(&mut self, local: LocalId, set: &Expr) {
        let width = self.width(&set.ty, set.span);
        let slots = self.take(width);
        self.compute(set, Slots { at: slots.at, width });
        self.body.locals.insert(local, Storage::Slots(slots.at, width));
    }

    /// A binder as the set that can be computed ahead, and the condition that is left of it.
    fn split(&self, binder: &Binder, bound: &BTreeSet<LocalId>) -> Option<(Expr, Option<Expr>)> {
        let plain = matches!(
            binder.set.kind,
            ExprKind::Whole(_) | ExprKind::Var(..) | ExprKind::Local(_) | ExprKind::SetOp(..)
        );
        let free = |expr: &Expr| is_safe(expr) && !bound.iter().any(|local| reads(expr, *local));
        let domain = finite(&binder.set.ty).filter(|_| plain && free(&binder.set))?;
        let mut parts = Vec::new();
        conjuncts(binder.condition.as_ref()?, &mut parts);
        let about = About::given(binder.local, domain, &parts);
        let is_ahead = |part: &Expr| {
            let untouched = !bound.iter().any(|local| reads(part, *local));
            untouched && self.form(part, about).is_some_and(|form| !is_at_hand(&form))
        };
        let (ahead, left): (Vec<&Expr>, Vec<&Expr>) =
            parts.into_iter().partition(|part| is_ahead(part));
        let condition = Some(Box::new(joined(&ahead)?));
        let kind = ExprKind::Filter(Binder { condition, ..binder.clone() });
        Some((Expr { kind, ..binder.set.as_ref().clone() }, joined(&left)))
    }
}

/// Whether the members of a form lie somewhere as a set already.
fn is_at_hand(form: &Form) -> bool {
    match form {
        Form::Known(_) | Form::Set(_) | Form::Only(_) | Form::Kept(..) => true,
        Form::Not(inner) => is_at_hand(inner),
        _ => false,
    }
}

/// Conditions as one.
fn joined(parts: &[&Expr]) -> Option<Expr> {
    let (first, rest) = parts.split_first()?;
    Some(rest.iter().fold((*first).clone(), |joined, part| {
        let span = joined.span.to(part.span);
        let kind = ExprKind::And(Box::new(joined), Box::new((*part).clone()));
        Expr { kind, ty: Type::Bool, span }
    }))
}
