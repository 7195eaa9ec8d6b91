//! Hoists loop-invariant conditions out of move generation: the part of an inner set that the names
//! bound outside of it do not touch is computed once, before the first loop.

use std::collections::BTreeSet;

use crate::check::rules::{Array, BinaryOp, Binder, Clause, Domain, Expr, ExprKind, LocalId, Type};
use crate::compile::clauses::{bound_by, factors, is_safe, member_type};
use crate::compile::filters::conjuncts;
use crate::compile::set_predicates::{About, Form, reads};
use crate::compile::{Compiler, Storage};
use crate::eval::finite;

/// A local of what is picked from; no rule has as many locals, so those below it are free too.
pub(super) const PICKED: LocalId = LocalId(u32::MAX >> 1);

impl Compiler<'_> {
    /// The clauses with what could be computed ahead taken out of them; it is computed here.
    pub(super) fn ahead(&mut self, mut clauses: Vec<Clause>) -> Vec<Clause> {
        if factors(&clauses).is_some() {
            return clauses;
        }
        let mut bound = BTreeSet::new();
        for (at, clause) in clauses.iter_mut().enumerate() {
            if let Clause::For(binder) | Clause::Maybe(binder) = clause
                && !bound.is_empty()
            {
                self.lighten(binder, LocalId::at(PICKED.index() - 1 - at), &bound);
            }
            bound.extend(bound_by(clause));
        }
        clauses
    }

    /// Computes what can be computed of a binder, and leaves the rest in it.
    fn lighten(&mut self, binder: &mut Binder, local: LocalId, bound: &BTreeSet<LocalId>) {
        if let Some((first, rest)) = self.split(binder, bound) {
            self.keep(local, &first);
            *binder.set = Expr { kind: ExprKind::Local(local), ..first };
            binder.condition = rest.map(Box::new);
        } else if is_looked_up(&binder.set) && is_free(&binder.set, bound) {
            self.keep(local, &binder.set);
            binder.set.kind = ExprKind::Local(local);
        } else if let Some((allowed, rest)) = self.allowed(binder, bound) {
            self.keep(local, &allowed);
            let within = is_in(binder.local, Expr { kind: ExprKind::Local(local), ..allowed });
            let parts: Vec<&Expr> = std::iter::once(&within).chain(&rest).collect();
            binder.condition = joined(&parts).map(Box::new);
        }
    }

    fn keep(&mut self, local: LocalId, set: &Expr) {
        let slots = self.take_for(&set.ty, set.span);
        self.compute(set, slots);
        self.keep_local(local, Storage::Slots(slots.at, slots.width));
    }

    /// A binder as the set that can be computed ahead, and the condition that is left of it.
    fn split(&self, binder: &Binder, bound: &BTreeSet<LocalId>) -> Option<(Expr, Option<Expr>)> {
        let plain = matches!(
            binder.set.kind,
            ExprKind::Whole(_)
                | ExprKind::Element(Array::Var(_), ..)
                | ExprKind::Local(_)
                | ExprKind::Binary(BinaryOp::Set(_), ..)
        );
        let domain = finite(&binder.set.ty).filter(|_| plain && is_free(&binder.set, bound))?;
        let (ahead, left) = self.parted(binder, domain, |part, form| {
            !is_at_hand(form) && !bound.iter().any(|local| reads(part, *local))
        })?;
        let first = filter(binder, binder.set.as_ref().clone(), joined(&ahead)?);
        Some((first, joined(&left)))
    }

    /// Where the set of a binder cannot be computed ahead: the members that its conditions allow,
    /// if several of them can, and the conditions that are left.
    fn allowed(&self, binder: &Binder, bound: &BTreeSet<LocalId>) -> Option<(Expr, Option<Expr>)> {
        let domain = finite(&binder.set.ty)?;
        let (ahead, left) = self.parted(binder, domain, |part, _| is_free(part, bound))?;
        let all = Expr { kind: ExprKind::Whole(domain), ..binder.set.as_ref().clone() };
        let allowed = (ahead.len() > 1).then(|| joined(&ahead)).flatten()?;
        Some((filter(binder, all, allowed), joined(&left)))
    }

    /// The conditions of a binder: those that have a form and fulfil something, and the others.
    fn parted<'e>(
        &self,
        binder: &'e Binder,
        domain: Domain,
        is_ahead: impl Fn(&Expr, &Form) -> bool,
    ) -> Option<(Vec<&'e Expr>, Vec<&'e Expr>)> {
        let mut parts = Vec::new();
        conjuncts(binder.condition.as_ref()?, &mut parts);
        let about = About::given(binder.local, domain, &parts);
        let is_ahead =
            |part: &&Expr| self.form(part, about).is_some_and(|form| is_ahead(part, &form));
        Some(parts.into_iter().partition(is_ahead))
    }
}

/// Whether an expression can be computed before these are bound, whatever they will be.
fn is_free(expr: &Expr, bound: &BTreeSet<LocalId>) -> bool {
    is_safe(expr) && !bound.iter().any(|local| reads(expr, *local))
}

/// Whether a set is no part of the state or of the program as it stands, but found by an index.
fn is_looked_up(set: &Expr) -> bool {
    let ExprKind::Element(Array::Var(_), indices) = &set.kind else { return false };
    finite(&set.ty).is_some()
        && indices.iter().any(|index| !matches!(index.kind, ExprKind::Value(_)))
}

/// The members of a set for which a condition on the local of a binder holds.
fn filter(binder: &Binder, set: Expr, condition: Expr) -> Expr {
    let (ty, span) = (set.ty.clone(), set.span);
    let (set, condition) = (Box::new(set), Some(Box::new(condition)));
    Expr { kind: ExprKind::Filter(Binder { set, condition, ..binder.clone() }), ty, span }
}

/// `local in set`
fn is_in(local: LocalId, set: Expr) -> Expr {
    let (ty, span) = (member_type(&set.ty), set.span);
    let member = Expr { kind: ExprKind::Local(local), ty, span };
    let kind = ExprKind::Binary(BinaryOp::In, Box::new(member), Box::new(set));
    Expr { kind, ty: Type::Bool, span }
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
        let kind = ExprKind::Binary(BinaryOp::And, Box::new(joined), Box::new((*part).clone()));
        Expr { kind, ty: Type::Bool, span }
    }))
}
