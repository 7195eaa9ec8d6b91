//! What follows from a member before play: tables of it, and those that are related to it.

use crate::check::rules::{Array, Domain, Expr, ExprKind, LocalId, PLAYER, Type, Value, VarId};
use crate::compile::Compiler;
use crate::compile::clauses::is_safe;
use crate::compile::set_predicates::{About, Form, Related, is_local, reads};
use crate::syntax::ast::Owner;

impl Compiler<'_> {
    pub(super) fn last_domain(&self, var: VarId) -> Domain {
        let var = &self.rules.vars[var.index()];
        match (var.dims.last(), var.owner) {
            (Some(last), _) => *last,
            (None, Owner::Player | Owner::Table) => Domain::Kind(PLAYER),
        }
    }

    pub(super) fn related<'e>(
        &self,
        set: &Expr,
        of: Form<'e>,
        all: bool,
        about: About,
    ) -> Option<Form<'e>> {
        let domain = member_domain(&set.ty)?;
        let sets = self.relation(set, about)?;
        // All are outside of a set where none is in it.
        if let (true, Form::Not(_)) = (all, &of) {
            let of = Box::new(of.negated(&[]));
            let meeting =
                self.related_to(Related { sets, all: false, of, domain }, about.domain)?;
            return Some(meeting.negated(&self.all_members(about.domain)?));
        }
        self.related_to(Related { sets, all, of: Box::new(of), domain }, about.domain)
    }

    /// The members of a finite type.
    pub(super) fn all_members(&self, domain: Domain) -> Option<Vec<i64>> {
        let (low, size) = self.known_domain(domain)?;
        Some((low..).take(size).collect())
    }

    /// The members themselves, if it is known before play which they are.
    pub(super) fn related_to<'e>(&self, related: Related<'e>, domain: Domain) -> Option<Form<'e>> {
        let of = match related.of.as_ref() {
            Form::Known(members) => Some(Value::Set(members.clone())),
            Form::Only(of) | Form::Set(of) => self.fold(of),
            _ => None,
        };
        let of = match of {
            Some(Value::Set(members)) => members,
            Some(Value::Int(member)) => vec![member],
            Some(Value::None) => Vec::new(),
            Some(Value::Text(_)) | None => return Some(Form::Related(related)),
        };
        let (low, _) = self.known_domain(domain)?;
        let holds = |set: &Vec<i64>| {
            let mut set = set.iter();
            if related.all {
                set.all(|member| of.contains(member))
            } else {
                set.any(|member| of.contains(member))
            }
        };
        let members = (low..).zip(&related.sets).filter(|(_, set)| holds(set));
        Some(Form::Known(members.map(|(member, _)| member).collect()))
    }

    /// For each member what an expression that reads nothing else comes to, as a set.
    pub(in crate::compile) fn relation(&self, expr: &Expr, about: About) -> Option<Vec<Vec<i64>>> {
        self.for_each_member(expr, about, |value| match value {
            Value::Set(members) => Some(members),
            Value::Int(member) => Some(vec![member]),
            Value::None => Some(Vec::new()),
            Value::Text(_) => None,
        })
    }

    /// For each number from the lowest on the members for which an expression comes to it, if it
    /// reads nothing else and there are few numbers.
    pub(super) fn numbered(&self, expr: &Expr, about: About) -> Option<(Vec<Vec<i64>>, i64)> {
        let numbers = self.for_each_member(expr, about, |value| match value {
            Value::Int(number) => Some(number),
            _ => None,
        })?;
        let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
        let count = usize::try_from(high.checked_sub(low)?).ok().filter(|count| *count < 64)?;
        let mut sets = vec![Vec::new(); count + 1];
        for (member, number) in self.all_members(about.domain)?.into_iter().zip(numbers) {
            sets[usize::try_from(number - low).ok()?].push(member);
        }
        Some((sets, low))
    }

    /// The members for which a condition holds that reads nothing but the member.
    pub(super) fn known_members(&self, condition: &Expr, about: About) -> Option<Vec<i64>> {
        let holds = self.for_each_member(condition, about, |value| Some(value != Value::Int(0)))?;
        let (low, _) = self.known_domain(about.domain)?;
        let members = (low..).zip(holds).filter(|(_, holds)| *holds);
        Some(members.map(|(member, _)| member).collect())
    }

    fn for_each_member<T>(
        &self,
        expr: &Expr,
        about: About,
        value: impl Fn(Value) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut evaluator = self.evaluator(&self.tries);
        let (low, size) = evaluator.domain(about.domain)?;
        let mut values = Vec::new();
        for member in (low..).take(size) {
            evaluator.bound.push((about.local, Value::Int(member)));
            values.push(value(evaluator.value(expr).ok()?)?);
            evaluator.bound.pop();
        }
        Some(values)
    }
}

/// The finite type of the members of a set, or of the value that a maybe is.
pub(super) fn member_domain(ty: &Type) -> Option<Domain> {
    match ty {
        Type::Set(domain) => Some(*domain),
        Type::Kind(kind) => Some(Domain::Kind(*kind)),
        Type::Maybe(inner) => match inner.as_ref() {
            Type::Kind(kind) => Some(Domain::Kind(*kind)),
            _ => None,
        },
        _ => None,
    }
}

/// Puts the member itself in place of an element of an array at the member, from which columns and
/// tables lead on; gives the array and the type of its elements.
pub(super) fn element_at(expr: &mut Expr, local: LocalId) -> Option<(VarId, Type)> {
    match &mut expr.kind {
        ExprKind::Column(_, _, of) => element_at(of, local),
        ExprKind::Element(Array::Table(_), indices) => match indices.as_mut_slice() {
            [index] => element_at(index, local),
            _ => None,
        },
        ExprKind::Element(Array::Var(var), indices) => {
            let [index] = indices.as_slice() else { return None };
            let found = is_local(index, local).then(|| (*var, expr.ty.clone()))?;
            let ty = match &expr.ty {
                Type::Maybe(inner) => inner.as_ref().clone(),
                other => other.clone(),
            };
            *expr = Expr { ty, ..index.clone() };
            Some(found)
        }
        _ => None,
    }
}

/// Whether an index is inside by its type.
pub(super) fn checked(index: &Expr) -> bool {
    matches!(index.ty, Type::Kind(_))
}

/// An expression that does not depend on the member and cannot trap.
pub(super) fn other(expr: &Expr, local: LocalId) -> Option<&Expr> {
    (!reads(expr, local) && is_safe(expr)).then_some(expr)
}
