//! Which form a condition has.

use crate::check::rules::{Array, BinaryOp, Binder, Domain, Expr, ExprKind, Type, UnaryOp, VarId};
use crate::compile::Compiler;
use crate::compile::filters::in_any_order;
use crate::compile::set_predicates::relations::{checked, element_at, member_domain, other};
use crate::compile::set_predicates::{About, Comparison, Form, Related, is_local, reads};
use crate::eval::finite;
use crate::syntax::ast::FoldWord;

impl Compiler<'_> {
    /// The form of a condition, if it has one.
    pub(in crate::compile) fn form<'e>(
        &self,
        condition: &'e Expr,
        about: About,
    ) -> Option<Form<'e>> {
        if let Some(members) = self.known_members(condition, about) {
            return Some(Form::Known(members));
        }
        let (local, all) = (about.local, self.all_members(about.domain)?);
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => Some(self.form(inner, about)?.negated(&all)),
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let sure = about.sure.or_else(|| About::given(local, about.domain, &[a]).sure);
                let (a, b) = (self.form(a, about)?, self.form(b, About { sure, ..about })?);
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
            ExprKind::Binary(BinaryOp::Less, a, b) => {
                self.less_form(a, b, Comparison::Below, about)
            }
            ExprKind::Binary(BinaryOp::LessEqual, a, b) => {
                self.less_form(a, b, Comparison::AtMost, about)
            }
            ExprKind::Binary(BinaryOp::Within, a, b) => {
                let of = Form::Set(other(b, local)?);
                self.related(a, of, true, about)
            }
            ExprKind::Element(Array::Var(var), indices) if self.var(*var).sets.is_some() => {
                self.element_form(*var, indices, about, |outer| Form::Kept(*var, outer, None))
            }
            ExprKind::Fold { word: FoldWord::All, binder, body } => {
                self.search_form(binder, body.first()?, true, about)
            }
            ExprKind::Fold { word: FoldWord::Any, binder, body } => {
                self.search_form(binder, body.first()?, false, about)
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
        about: About,
    ) -> Option<Form<'e>> {
        let conditions: Vec<&Expr> = binder.condition.iter().map(AsRef::as_ref).collect();
        if conditions.iter().chain([&body]).any(|part| reads(part, about.local)) {
            return None;
        }
        let set = in_any_order(&binder.set);
        let domain = member_domain(&set.ty)?;
        let inner = About::given(binder.local, domain, &conditions);
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

    /// `x in S`, where the member is `x` or `x` follows from it.
    fn in_set<'e>(&self, member: &'e Expr, of: &'e Expr, about: About) -> Option<Form<'e>> {
        let set = other(of, about.local)?;
        if is_local(member, about.local) {
            return (finite(&of.ty) == Some(about.domain)).then_some(Form::Set(set));
        }
        let domain = finite(&of.ty)?;
        self.through(member, (Form::Set(set), domain), about)
            .or_else(|| self.related(member, Form::Set(set), false, about))
    }

    /// A condition on what follows from an element of an array of words: the elements whose values
    /// it holds for.
    fn through<'e>(
        &self,
        asked: &Expr,
        (of, domain): (Form<'e>, Domain),
        about: About,
    ) -> Option<Form<'e>> {
        let mut value = asked.clone();
        let (var, ty) = element_at(&mut value, about.local)?;
        let values = member_domain(&ty)?;
        let place = self.var(var);
        let direct = place.dims.len() == 1 && self.last_domain(var) == about.domain;
        let one_word = self.known_domain(values)?.1 <= 64;
        let words = place.sets.is_some_and(|sets| !sets.flags)
            || (place.sets.is_none() && place.width == 1 && place.count() < 64);
        if !direct || !words || !one_word {
            return None;
        }
        let value_about = About { local: about.local, domain: values, sure: None };
        let sets = self.relation(&value, value_about)?;
        let related = Related { sets, all: false, of: Box::new(of), domain };
        Some(Form::Among(var, Box::new(self.related_to(related, values)?), values))
    }

    fn equal_form<'e>(&self, a: &'e Expr, b: &'e Expr, about: About) -> Option<Form<'e>> {
        let value = other(b, about.local)?;
        if is_local(a, about.local) {
            return (!matches!(b.ty, Type::Set(_))).then_some(Form::Only(value));
        }
        let ExprKind::Element(Array::Var(var), indices) = &a.kind else {
            // A column that is compared with what is known only in play.
            if a.ty == Type::Number && b.ty == Type::Number {
                let (sets, low) = self.numbered(a, about)?;
                return Some(Form::Numbered(sets, low, value));
            }
            let domain = member_domain(&b.ty)?;
            if Self::element_is_sure(a, b, about)
                && let Some(form) = self.through(a, (Form::Only(value), domain), about)
            {
                return Some(form);
            }
            let single = matches!(a.ty, Type::Kind(_)) && matches!(b.ty, Type::Kind(_));
            return single.then(|| self.related(a, Form::Only(value), false, about)).flatten();
        };
        let place = self.var(*var);
        if let Some(sets) = place.sets {
            let known = self.fold(b).is_some() || matches!(b.ty, Type::Kind(_));
            let by_value = known && !sets.flags;
            return by_value.then(|| {
                self.element_form(*var, indices, about, |o| Form::Kept(*var, o, Some(value)))
            })?;
        }
        self.where_form(*var, indices, about)?;
        Some(Form::Where(*var, Comparison::Equal, value))
    }

    /// Whether an element and what it is compared with are not both none.
    fn element_is_sure(a: &Expr, b: &Expr, about: About) -> bool {
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
        about: About,
    ) -> Option<Form<'e>> {
        let numbers = a.ty == Type::Number && b.ty == Type::Number;
        if let (true, ExprKind::Element(Array::Var(var), indices)) = (numbers, &a.kind) {
            self.where_form(*var, indices, about)?;
            let known = comparison == Comparison::Below || self.fold(b).is_some();
            return known.then_some(Form::Where(*var, comparison, other(b, about.local)?));
        }
        let (true, ExprKind::Element(Array::Var(var), indices)) = (numbers, &b.kind) else {
            return None;
        };
        self.where_form(*var, indices, about)?;
        // `x < t[c]` is all but `t[c] <= x`.
        let turned = match comparison {
            Comparison::Below => Comparison::AtMost,
            _ => Comparison::Below,
        };
        let known = turned == Comparison::Below || self.fold(a).is_some();
        let form = known.then_some(Form::Where(*var, turned, other(a, about.local)?))?;
        Some(form.negated(&self.all_members(about.domain)?))
    }

    /// Whether an array of words is indexed by the member alone.
    fn where_form(&self, var: VarId, indices: &[Expr], about: About) -> Option<()> {
        let place = self.var(var);
        let [index] = indices else { return None };
        let plain = is_local(index, about.local) && self.last_domain(var) == about.domain;
        let few = place.sets.is_none() && place.width == 1 && place.count() < 64;
        (plain && few && place.dims.len() == 1).then_some(())
    }

    /// An element of an array kept as sets, whose last index is the member or follows from it.
    fn element_form<'e>(
        &self,
        var: VarId,
        indices: &'e [Expr],
        about: About,
        form: impl FnOnce(&'e [Expr]) -> Form<'e>,
    ) -> Option<Form<'e>> {
        let (last, outer) = indices.split_last()?;
        if outer.iter().any(|index| other(index, about.local).is_none() || !checked(index)) {
            return None;
        }
        let domain = self.last_domain(var);
        if is_local(last, about.local) {
            return (domain == about.domain).then(|| form(outer));
        }
        // An index that is missing would be a trap: then the condition has no form.
        let related = self.relation(last, about)?;
        let sets = related.iter().all(|set| set.len() == 1).then_some(related)?;
        let of = Box::new(form(outer));
        Some(Form::Related(Related { sets, all: false, of, domain }))
    }
}
