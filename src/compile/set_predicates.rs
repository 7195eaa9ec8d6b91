//! Conditions on the member of a binder as sets of the members that fulfil them.
//!
//! `mark[c] == none and c not in closed` is two operations on words in place of a loop.

use crate::compile::filters::conjuncts;
use crate::compile::forms::{Comparison, Related, SetForm};
use crate::compile::places::var_element;
use crate::compile::{Compiler, Pass};
use crate::eval::{finite, is_safe};
use crate::rules::{
    Array, BinaryOp, Binder, Domain, Expr, ExprKind, LocalId, PLAYER, Type, UnaryOp, Value, VarId,
};
use crate::syntax::ast::FoldWord;

/// The member that a condition is about.
#[derive(Clone, Copy)]
pub(super) struct PredicateMember {
    pub(super) local: LocalId,
    pub(super) domain: Domain,
    /// An array whose element at the member is not none, for other conditions say so.
    pub(super) sure: Option<VarId>,
}

impl PredicateMember {
    /// A member for which these conditions hold as well.
    pub(super) fn given(local: LocalId, domain: Domain, conditions: &[&Expr]) -> PredicateMember {
        let parts = conjuncts(conditions.iter().copied());
        let sure = parts.iter().find_map(|part| not_none(part, local));
        PredicateMember { local, domain, sure }
    }
}

/// The array that a condition says has a value at the member.
fn not_none(condition: &Expr, local: LocalId) -> Option<VarId> {
    let ExprKind::Unary(UnaryOp::Not, inner) = &condition.kind else { return None };
    let ExprKind::Binary(BinaryOp::Equal, a, b) = &inner.kind else { return None };
    let ((var, [index]), ExprKind::Value(Value::None)) = (var_element(a)?, &b.kind) else {
        return None;
    };
    index.is_local(local).then_some(var)
}

impl Compiler<'_> {
    pub(super) fn form<'e>(
        &self,
        condition: &'e Expr,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        self.found_by(Pass::Predicates, |it| it.form_of(condition, about))
    }

    fn form_of<'e>(&self, condition: &'e Expr, about: PredicateMember) -> Option<SetForm<'e>> {
        if let Some(members) = self.known_members(condition, about) {
            return Some(SetForm::Known(members));
        }
        if let Some(condition) = other(condition, about.local) {
            return Some(SetForm::When(condition));
        }
        let (local, all) = (about.local, self.all_members(about.domain)?);
        if !has_short_form(condition, local)
            && let Some((key, sets)) = self.listed(condition, about)
        {
            return Some(SetForm::Listed(key, sets));
        }
        match &condition.kind {
            ExprKind::If(condition, then, otherwise) => {
                let condition = other(condition, local)?;
                let (then, otherwise) = (self.form(then, about)?, self.form(otherwise, about)?);
                Some(SetForm::If(condition, Box::new(then), Box::new(otherwise)))
            }
            ExprKind::Unary(UnaryOp::Not, inner) => Some(self.form(inner, about)?.negated(&all)),
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let sure =
                    about.sure.or_else(|| PredicateMember::given(local, about.domain, &[a]).sure);
                let (a, b) =
                    (self.form(a, about)?, self.form(b, PredicateMember { sure, ..about })?);
                Some(a.and(b, &all))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let (a, b) = (self.form(a, about)?, self.form(b, about)?);
                Some(a.or(b, &all))
            }
            ExprKind::Binary(BinaryOp::In, member, of) => self.in_set(member, of, about),
            ExprKind::Binary(BinaryOp::Equal, a, b) => {
                self.equal_form(a, b, about).or_else(|| self.equal_form(b, a, about))
            }
            ExprKind::Binary(op @ (BinaryOp::Less | BinaryOp::LessEqual), a, b) => {
                let below = *op == BinaryOp::Less;
                let comparison = if below { Comparison::Below } else { Comparison::AtMost };
                self.less_form(a, b, comparison, about)
            }
            ExprKind::Binary(BinaryOp::Within, a, b) => {
                let of = SetForm::Set(other(b, local)?);
                self.related(a, of, true, about)
            }
            ExprKind::Element(Array::Var(var), indices) if self.var(*var).sets.is_some() => {
                self.kept_form(*var, indices, None, about)
            }
            ExprKind::Fold { word: word @ (FoldWord::All | FoldWord::Any), binder, body } => {
                self.search_form(binder, body.first()?, *word == FoldWord::All, about)
            }
            _ => None,
        }
    }

    /// `any` and `all` over what is related to the member.
    fn search_form<'e>(
        &self,
        binder: &'e Binder,
        body: &'e Expr,
        all: bool,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let conditions: Vec<&Expr> = binder.condition.iter().map(AsRef::as_ref).collect();
        if let Some(form) = self.reached_form(binder, &conditions, body, about).filter(|_| !all) {
            return Some(form);
        }
        if conditions.iter().chain([&body]).any(|part| part.reads_local(about.local)) {
            return None;
        }
        let set = binder.set.in_any_order();
        let domain = member_domain(&set.ty)?;
        let inner = PredicateMember::given(binder.local, domain, &conditions);
        let members = self.all_members(domain)?;
        let mut of = self.form(body, inner)?;
        for condition in conditions {
            let condition = self.form(condition, inner)?;
            of = if all {
                condition.negated(&members).or(of, &members)
            } else {
                condition.and(of, &members)
            };
        }
        self.related(set, of, all, about)
    }

    /// `any(c in S: x in related(c))`, where the member is `x`: what is related to one of a set.
    fn reached_form<'e>(
        &self,
        binder: &'e Binder,
        conditions: &[&'e Expr],
        body: &Expr,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let ExprKind::Binary(BinaryOp::In, member, reached) = &body.kind else { return None };
        let is_about = member.is_local(about.local) && finite(&reached.ty) == Some(about.domain);
        if !is_about || conditions.iter().any(|part| part.reads_local(about.local)) {
            return None;
        }
        let set = other(binder.set.in_any_order(), about.local)?;
        let domain = member_domain(&set.ty)?;
        let inner = PredicateMember::given(binder.local, domain, conditions);
        let members = self.all_members(domain)?;
        let mut of = SetForm::Set(set);
        for condition in conditions {
            of = of.and(self.form(condition, inner)?, &members);
        }
        let reached = self.relation(reached, inner)?;
        let from = |at: i64| {
            let from = members.iter().zip(&reached).filter(|(_, reached)| reached.contains(&at));
            from.map(|(member, _)| *member).collect()
        };
        let sets = self.all_members(about.domain)?.into_iter().map(from).collect();
        self.related_to(Related { sets, all: false, of: Box::new(of), domain }, about.domain)
    }

    /// `x in S`, where the member is `x` or `x` follows from it.
    fn in_set<'e>(
        &self,
        member: &'e Expr,
        of: &'e Expr,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let set = other(of, about.local)?;
        if member.is_local(about.local) {
            return (finite(&of.ty) == Some(about.domain)).then_some(SetForm::Set(set));
        }
        let domain = finite(&of.ty)?;
        self.through(member, (SetForm::Set(set), domain), about)
            .or_else(|| self.related(member, SetForm::Set(set), false, about))
    }

    /// A condition on what follows from an element of an array: the elements that satisfy it.
    fn through<'e>(
        &self,
        asked: &Expr,
        (of, domain): (SetForm<'e>, Domain),
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let mut value = asked.clone();
        let (var, ty) = element_at(&mut value, about.local)?;
        let values = member_domain(&ty)?;
        let place = self.var(var);
        let direct = place.dims.len() == 1 && self.last_domain(var) == about.domain;
        let one_word = self.known_domain(values)?.1 <= 64;
        let words = place.sets.is_some_and(|sets| !sets.flags)
            || (place.sets.is_none() && place.width == 1 && place.count() < 64);
        if !direct || !words || !one_word || !self.tries(Pass::Images) {
            return None;
        }
        let value_about = PredicateMember { local: about.local, domain: values, sure: None };
        let sets = self.relation(&value, value_about)?;
        let related = Related { sets, all: false, of: Box::new(of), domain };
        self.fires(Pass::Images);
        Some(SetForm::Among(var, Box::new(self.related_to(related, values)?), values))
    }

    fn equal_form<'e>(
        &self,
        a: &'e Expr,
        b: &'e Expr,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let value = other(b, about.local)?;
        if a.is_local(about.local) {
            return (!matches!(b.ty, Type::Set(_))).then_some(SetForm::Only(value));
        }
        let Some((var, indices)) = var_element(a) else {
            // A column that is compared with what is known only in play.
            if a.ty == Type::Number && b.ty == Type::Number {
                let (mut sets, low) = self.numbered(a, about)?;
                sets.insert(0, Vec::new());
                sets.push(Vec::new());
                return Some(SetForm::numbered(sets, low - 1, value));
            }
            let domain = member_domain(&b.ty)?;
            if Self::element_is_sure(a, b, about)
                && let Some(form) = self.through(a, (SetForm::Only(value), domain), about)
            {
                return Some(form);
            }
            if matches!(b.ty, Type::Kind(_))
                && let Some(form) = self.valued_form(a, value, domain, about)
            {
                return Some(form);
            }
            // What is never none differs from none, as no member is.
            let single = matches!(a.ty, Type::Kind(_));
            return single.then(|| self.related(a, SetForm::Only(value), false, about)).flatten();
        };
        if let Some(sets) = self.var(var).sets {
            // None has a set, too, where elements can be none.
            let known = self.fold(b).is_some() || matches!(b.ty, Type::Kind(_)) || sets.or_none;
            let by_value = (known && !sets.flags).then_some(value)?;
            return self.kept_form(var, indices, Some(by_value), about);
        }
        let outer = self.where_form(var, indices, about)?;
        Some(SetForm::Where(var, outer, Comparison::Equal, value))
    }

    /// Whether an element and what it is compared with are not both none.
    fn element_is_sure(a: &Expr, b: &Expr, about: PredicateMember) -> bool {
        let kind = |expr: &Expr| matches!(expr.ty, Type::Kind(_));
        kind(b)
            || kind(a)
            || element_at(&mut a.clone(), about.local)
                .is_some_and(|(var, _)| about.sure == Some(var))
    }

    fn less_form<'e>(
        &self,
        a: &'e Expr,
        b: &'e Expr,
        comparison: Comparison,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        if a.ty != Type::Number || b.ty != Type::Number {
            return None;
        }
        for (number, is_left) in [(a, true), (b, false)] {
            let ExprKind::If(condition, then, otherwise) = &number.kind else { continue };
            let Some(condition) = other(condition, about.local) else { continue };
            let form = |part: &'e Expr| {
                let (a, b) = if is_left { (part, b) } else { (a, part) };
                self.less_form(a, b, comparison, about)
            };
            return Some(SetForm::If(condition, Box::new(form(then)?), Box::new(form(otherwise)?)));
        }
        let form = |(var, indices): (VarId, &'e [Expr]), comparison, value: &'e Expr| {
            let outer = self.where_form(var, indices, about)?;
            let known = comparison == Comparison::Below || self.fold(value).is_some();
            known.then_some(SetForm::Where(var, outer, comparison, other(value, about.local)?))
        };
        // `x < t[c]` is all but `t[c] <= x`.
        let turned = match comparison {
            Comparison::Below => Comparison::AtMost,
            _ => Comparison::Below,
        };
        let all = self.all_members(about.domain)?;
        let element = |of: &'e Expr| var_element(of).filter(|_| of.reads_local(about.local));
        match (element(a), element(b)) {
            (Some(element), _) => form(element, comparison, b),
            (_, Some(element)) => Some(form(element, turned, a)?.negated(&all)),
            _ if b.reads_local(about.local) => {
                Some(self.up_to_form(b, a, turned, about)?.negated(&all))
            }
            _ => self.up_to_form(a, b, comparison, about),
        }
    }

    /// The indices of an array of words before the last, which is the member.
    pub(super) fn where_form<'e>(
        &self,
        var: VarId,
        indices: &'e [Expr],
        about: PredicateMember,
    ) -> Option<&'e [Expr]> {
        let place = self.var(var);
        let (index, outer) = indices.split_last()?;
        let plain = index.is_local(about.local) && self.last_domain(var) == about.domain;
        let few = place.dims.last().is_some_and(|(_, size)| *size < 64);
        let words = place.sets.is_none() && place.width == 1;
        let known = |index: &Expr| checked(index) && other(index, about.local).is_some();
        let fits = plain && few && words && outer.iter().all(known);
        self.found_by(Pass::Rows, |_| fits.then_some(outer))
    }

    /// An element of an array kept as sets, whose last index is the member or follows from it.
    fn kept_form<'e>(
        &self,
        var: VarId,
        indices: &'e [Expr],
        value: Option<&'e Expr>,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let (last, outer) = indices.split_last()?;
        if outer.iter().any(|index| other(index, about.local).is_none() || !checked(index)) {
            return None;
        }
        let (domain, form) = (self.last_domain(var), SetForm::Kept(var, outer, value));
        if last.is_local(about.local) {
            return (domain == about.domain).then_some(form);
        }
        // An index that is missing would be a trap: then the condition has no form.
        let related = self.relation(last, about)?;
        let is_single = related.iter().all(|set| set.len() == 1);
        let sets = self.found_by(Pass::Relations, |_| is_single.then_some(related))?;
        Some(SetForm::Related(Related { sets, all: false, of: Box::new(form), domain }))
    }

    pub(super) fn last_domain(&self, var: VarId) -> Domain {
        let var = &self.rules.vars[var.index()];
        var.dims.last().copied().unwrap_or(Domain::Kind(PLAYER))
    }

    pub(super) fn related<'e>(
        &self,
        set: &Expr,
        of: SetForm<'e>,
        all: bool,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let domain = member_domain(&set.ty)?;
        let sets = self.relation(set, about)?;
        // All are outside of a set where none is in it.
        if let (true, SetForm::Not(_)) = (all, &of) {
            let meeting = Related { sets, all: false, of: Box::new(of.negated(&[])), domain };
            let meeting = self.related_to(meeting, about.domain)?;
            return Some(meeting.negated(&self.all_members(about.domain)?));
        }
        self.related_to(Related { sets, all, of: Box::new(of), domain }, about.domain)
    }

    pub(super) fn all_members(&self, domain: Domain) -> Option<Vec<i64>> {
        let (low, size) = self.known_domain(domain)?;
        Some((low..).take(size).collect())
    }

    /// The members themselves, if it is known before play which they are.
    pub(super) fn related_to<'e>(
        &self,
        related: Related<'e>,
        domain: Domain,
    ) -> Option<SetForm<'e>> {
        let of = match related.of.as_ref() {
            SetForm::Known(members) => Some(members.clone()),
            SetForm::Only(of) | SetForm::Set(of) => self.fold(of).and_then(Value::into_set),
            _ => None,
        };
        let Some(of) = of else {
            return self.found_by(Pass::Relations, |_| Some(SetForm::Related(related)));
        };
        let (low, _) = self.known_domain(domain)?;
        let holds = |set: &Vec<i64>| {
            let mut within = set.iter().map(|member| of.contains(member));
            if related.all { within.all(|it| it) } else { within.any(|it| it) }
        };
        let members = (low..).zip(&related.sets).filter(|(_, set)| holds(set));
        Some(SetForm::Known(members.map(|(member, _)| member).collect()))
    }

    /// For each member what an expression that reads nothing else comes to, as a set.
    pub(super) fn relation(&self, expr: &Expr, about: PredicateMember) -> Option<Vec<Vec<i64>>> {
        self.for_each_member(expr, about, Value::into_set)
    }

    /// The members for which a condition holds that reads nothing but the member.
    pub(super) fn known_members(
        &self,
        condition: &Expr,
        about: PredicateMember,
    ) -> Option<Vec<i64>> {
        let holds = self.for_each_member(condition, about, |value| Some(value != Value::Int(0)))?;
        let (low, _) = self.known_domain(about.domain)?;
        let members = (low..).zip(holds).filter(|(_, holds)| *holds);
        Some(members.map(|(member, _)| member).collect())
    }

    pub(super) fn for_each_member<T>(
        &self,
        expr: &Expr,
        about: PredicateMember,
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

/// Whether a condition is that the member is something, or in something: that has a form of its own.
fn has_short_form(condition: &Expr, member: LocalId) -> bool {
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => has_short_form(inner, member),
        ExprKind::Binary(BinaryOp::Equal, a, b) => a.is_local(member) || b.is_local(member),
        ExprKind::Binary(BinaryOp::In, a, _) => a.is_local(member),
        _ => false,
    }
}

/// The finite type of the members of a set, or of the value that a maybe is.
pub(super) fn member_domain(ty: &Type) -> Option<Domain> {
    match ty {
        Type::Set(domain) => Some(*domain),
        Type::Kind(kind) => Some(Domain::Kind(*kind)),
        Type::Maybe(inner) if matches!(**inner, Type::Kind(_)) => member_domain(inner),
        _ => None,
    }
}

/// Replaces an element of an array at the member by the member; gives the array and its type.
pub(super) fn element_at(expr: &mut Expr, local: LocalId) -> Option<(VarId, Type)> {
    match &mut expr.kind {
        ExprKind::Column(_, _, of) => element_at(of, local),
        ExprKind::Element(Array::Table(_), indices) => match indices.as_mut_slice() {
            [index] => element_at(index, local),
            _ => None,
        },
        ExprKind::Element(Array::Var(var), indices) => {
            let [index] = indices.as_slice() else { return None };
            let found = index.is_local(local).then(|| (*var, expr.ty.clone()))?;
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
    (!expr.reads_local(local) && is_safe(expr)).then_some(expr)
}
