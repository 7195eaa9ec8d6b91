//! Conditions on the member of a binder as sets of the members that fulfil them.
//!
//! `mark[c] == none and c not in closed` is two operations on words in place of a loop.

use crate::compile::passes::Pass;
use crate::compile::plan::expr_queries::{
    checked, member_domain, other, replace_element_by_member, var_element,
};
use crate::compile::plan::facts::Facts;
use crate::compile::plan::forms::{Comparison, PredicateMember, Related, SetForm};
use crate::eval::finite;
use crate::rules::protect::protect;
use crate::rules::{
    Array, BinaryOp, Binder, Domain, Expr, ExprKind, LocalId, Type, UnaryOp, Value, VarId,
};
use crate::syntax::ast::FoldWord;

impl Facts<'_, '_> {
    /// The parts of `A or B`: the first is not about the member and cannot trap, nor what the file tests before it.
    pub(in crate::compile) fn split_either(
        self,
        condition: &Expr,
        member: LocalId,
    ) -> Option<(&Expr, &Expr)> {
        let ExprKind::Binary(BinaryOp::Or, a, b) = &condition.kind else { return None };
        let is_once = |part: &Expr| !part.reads_local(member) && self.is_safe(part);
        let is_either = is_once(b) && self.is_safe(a) && !protect(&[a, b], Some(member));
        if is_once(a) { Some((a, b)) } else { is_either.then_some((b, a)) }
    }

    /// Whether few members have a form, mostly: what has no value, and what lacks a form, are many.
    pub(in crate::compile) fn is_small(self, form: &SetForm) -> bool {
        match form {
            SetForm::Kept(_, _, Some(value)) => self.fold(value) != Some(Value::None),
            SetForm::Not(_) => false,
            _ => true,
        }
    }

    /// The members that fulfil a condition, as a set; none if each must be tested. The pass `predicates`.
    pub(in crate::compile) fn set_form(
        self,
        condition: &Expr,
        about: PredicateMember,
    ) -> Option<SetForm<'_>> {
        self.plan.found_by(Pass::Predicates, || self.find_set_form(condition, about))
    }

    fn find_set_form(self, condition: &Expr, about: PredicateMember) -> Option<SetForm<'_>> {
        if let Some(members) = self.known_members(condition, about) {
            return Some(SetForm::Known(members));
        }
        if let Some(condition) = other(condition, about.local) {
            return Some(SetForm::When(condition));
        }
        let (local, all) = (about.local, self.plan.all_members(about.domain)?);
        if !has_short_form(condition, local)
            && let Some((key, sets)) = self.listed_members(condition, about)
        {
            return Some(SetForm::Listed(key, sets));
        }
        match &condition.kind {
            ExprKind::If(condition, then, otherwise) => {
                let condition = other(condition, local)?;
                let (then, otherwise) =
                    (self.set_form(then, about)?, self.set_form(otherwise, about)?);
                Some(SetForm::If(condition, Box::new(then), Box::new(otherwise)))
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                Some(self.set_form(inner, about)?.negated(&all))
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let sure =
                    about.sure.or_else(|| PredicateMember::given(local, about.domain, &[a]).sure);
                let (a, b) = (
                    self.set_form(a, about)?,
                    self.set_form(b, PredicateMember { sure, ..about })?,
                );
                Some(a.and(b, &all))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let (a, b) = (self.set_form(a, about)?, self.set_form(b, about)?);
                Some(a.or(b, &all))
            }
            ExprKind::Binary(BinaryOp::In, member, of) => self.membership_form(member, of, about),
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
                self.related_form(a, of, true, about)
            }
            ExprKind::Element(Array::Var(var), indices) if self.plan.var(*var).sets.is_some() => {
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
        self,
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
        let members = self.plan.all_members(domain)?;
        let mut of = self.set_form(body, inner)?;
        for condition in conditions {
            let condition = self.set_form(condition, inner)?;
            of = if all {
                condition.negated(&members).or(of, &members)
            } else {
                condition.and(of, &members)
            };
        }
        self.related_form(set, of, all, about)
    }

    /// `any(c in S: x in related(c))`, where the member is `x`: what is related to one of a set.
    fn reached_form<'e>(
        self,
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
        let members = self.plan.all_members(domain)?;
        let mut of = SetForm::Set(set);
        for condition in conditions {
            of = of.and(self.set_form(condition, inner)?, &members);
        }
        let reached = self.relation_of(reached, inner)?;
        let from = |at: i64| {
            let from = members.iter().zip(&reached).filter(|(_, reached)| reached.contains(&at));
            from.map(|(member, _)| *member).collect()
        };
        let sets = self.plan.all_members(about.domain)?.into_iter().map(from).collect();
        self.related_to(Related { sets, all: false, of: Box::new(of), domain }, about.domain)
    }

    /// The form of `x in S`, where the member is `x` or `x` follows from it.
    fn membership_form<'e>(
        self,
        member: &'e Expr,
        of: &'e Expr,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let set = other(of, about.local)?;
        if member.is_local(about.local) {
            return (finite(&of.ty) == Some(about.domain)).then_some(SetForm::Set(set));
        }
        let domain = finite(&of.ty)?;
        self.image_form(member, (SetForm::Set(set), domain), about)
            .or_else(|| self.related_form(member, SetForm::Set(set), false, about))
    }

    /// A condition on what follows from an element of an array: the elements that satisfy it.
    fn image_form<'e>(
        self,
        asked: &Expr,
        (of, domain): (SetForm<'e>, Domain),
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let mut value = asked.clone();
        let (var, ty) = replace_element_by_member(&mut value, about.local)?;
        let values = member_domain(&ty)?;
        let place = self.plan.var(var);
        let direct = place.dims.len() == 1 && self.plan.last_domain(var) == about.domain;
        let one_word = self.plan.known_domain(values)?.1 <= 64;
        let words = place.sets.is_some_and(|sets| !sets.flags)
            || (place.sets.is_none() && place.width == 1 && place.count() < 64);
        if !direct || !words || !one_word || !self.plan.tries(Pass::Images) {
            return None;
        }
        let value_about = PredicateMember { local: about.local, domain: values, sure: None };
        let sets = self.relation_of(&value, value_about)?;
        let related = Related { sets, all: false, of: Box::new(of), domain };
        self.plan.fires(Pass::Images);
        Some(SetForm::Among(var, Box::new(self.related_to(related, values)?), values))
    }

    fn equal_form<'e>(
        self,
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
                let (mut sets, low) = self.members_by_number(a, about)?;
                sets.insert(0, Vec::new());
                sets.push(Vec::new());
                return Some(SetForm::numbered(sets, low - 1, value));
            }
            let domain = member_domain(&b.ty)?;
            if element_is_sure(a, b, about)
                && let Some(form) = self.image_form(a, (SetForm::Only(value), domain), about)
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
            return single
                .then(|| self.related_form(a, SetForm::Only(value), false, about))
                .flatten();
        };
        if let Some(sets) = self.plan.var(var).sets {
            // None has a set, too, where elements can be none.
            let known = self.fold(b).is_some() || matches!(b.ty, Type::Kind(_)) || sets.or_none;
            let by_value = (known && !sets.flags).then_some(value)?;
            return self.kept_form(var, indices, Some(by_value), about);
        }
        let outer = self.where_form(var, indices, about)?;
        Some(SetForm::Where(var, outer, Comparison::Equal, value))
    }

    fn less_form<'e>(
        self,
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
        let all = self.plan.all_members(about.domain)?;
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
    pub(in crate::compile) fn where_form(
        self,
        var: VarId,
        indices: &[Expr],
        about: PredicateMember,
    ) -> Option<&[Expr]> {
        let place = self.plan.var(var);
        let (index, outer) = indices.split_last()?;
        let plain = index.is_local(about.local) && self.plan.last_domain(var) == about.domain;
        let few = place.dims.last().is_some_and(|(_, size)| *size < 64);
        let words = place.sets.is_none() && place.width == 1;
        let known = |index: &Expr| checked(index) && other(index, about.local).is_some();
        let fits = plain && few && words && outer.iter().all(known);
        self.plan.found_by(Pass::Rows, || fits.then_some(outer))
    }

    /// An element of an array kept as sets, whose last index is the member or follows from it.
    fn kept_form<'e>(
        self,
        var: VarId,
        indices: &'e [Expr],
        value: Option<&'e Expr>,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let (last, outer) = indices.split_last()?;
        if outer.iter().any(|index| other(index, about.local).is_none() || !checked(index)) {
            return None;
        }
        let (domain, form) = (self.plan.last_domain(var), SetForm::Kept(var, outer, value));
        if last.is_local(about.local) {
            return (domain == about.domain).then_some(form);
        }
        // An index that is missing would be a trap: then the condition has no form.
        let related = self.relation_of(last, about)?;
        let is_single = related.iter().all(|set| set.len() == 1);
        let sets = self.plan.found_by(Pass::Relations, || is_single.then_some(related))?;
        Some(SetForm::Related(Related { sets, all: false, of: Box::new(form), domain }))
    }

    fn related_form<'e>(
        self,
        set: &Expr,
        of: SetForm<'e>,
        all: bool,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let domain = member_domain(&set.ty)?;
        let sets = self.relation_of(set, about)?;
        // All are outside of a set where none is in it.
        if let (true, SetForm::Not(_)) = (all, &of) {
            let meeting = Related { sets, all: false, of: Box::new(of.negated(&[])), domain };
            let meeting = self.related_to(meeting, about.domain)?;
            return Some(meeting.negated(&self.plan.all_members(about.domain)?));
        }
        self.related_to(Related { sets, all, of: Box::new(of), domain }, about.domain)
    }

    /// The members themselves, if it is known before play which they are.
    fn related_to(self, related: Related<'_>, domain: Domain) -> Option<SetForm<'_>> {
        let of = match related.of.as_ref() {
            SetForm::Known(members) => Some(members.clone()),
            SetForm::Only(of) | SetForm::Set(of) => self.fold(of).and_then(Value::into_set),
            _ => None,
        };
        let Some(of) = of else {
            return self.plan.found_by(Pass::Relations, || Some(SetForm::Related(related)));
        };
        let (low, _) = self.plan.known_domain(domain)?;
        let holds = |set: &Vec<i64>| {
            let mut within = set.iter().map(|member| of.contains(member));
            if related.all { within.all(|it| it) } else { within.any(|it| it) }
        };
        let members = (low..).zip(&related.sets).filter(|(_, set)| holds(set));
        Some(SetForm::Known(members.map(|(member, _)| member).collect()))
    }

    /// For each member what an expression that reads nothing else comes to, as a set.
    pub(super) fn relation_of(self, expr: &Expr, about: PredicateMember) -> Option<Vec<Vec<i64>>> {
        self.for_each_member(expr, about, Value::into_set)
    }

    /// The members for which a condition holds that reads nothing but the member.
    fn known_members(self, condition: &Expr, about: PredicateMember) -> Option<Vec<i64>> {
        let holds = self.for_each_member(condition, about, |value| Some(value != Value::Int(0)))?;
        let (low, _) = self.plan.known_domain(about.domain)?;
        let members = (low..).zip(holds).filter(|(_, holds)| *holds);
        Some(members.map(|(member, _)| member).collect())
    }

    pub(super) fn for_each_member<T>(
        self,
        expr: &Expr,
        about: PredicateMember,
        value: impl Fn(Value) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut evaluator = self.evaluator(&self.plan.fold_steps);
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

/// Whether an element and what it is compared with are not both none.
fn element_is_sure(a: &Expr, b: &Expr, about: PredicateMember) -> bool {
    let kind = |expr: &Expr| matches!(expr.ty, Type::Kind(_));
    kind(b)
        || kind(a)
        || replace_element_by_member(&mut a.clone(), about.local)
            .is_some_and(|(var, _)| about.sure == Some(var))
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
