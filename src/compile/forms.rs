//! Conditions on the member of a binder as sets of the members that fulfil them.
//!
//! `mark[c] == none and c not in closed` is a set that is kept anyway, without another: two
//! operations on words in place of a loop. What cannot be said so has no form.

use crate::check::rules::{Domain, Expr, ExprKind, LocalId, PLAYER, Type, Value, VarId};
use crate::compile::clauses::is_safe;
use crate::compile::filters::in_any_order;
use crate::compile::fold::{Fold, finite};
use crate::compile::{Compiler, Storage};
use crate::syntax::ast::{FoldWord, Owner};

/// The members of a finite type that fulfil a condition.
pub(super) enum Form<'e> {
    /// These, known before play.
    Known(Vec<i64>),
    /// What is in this set.
    Set(&'e Expr),
    /// Only this member; none is nobody.
    Only(&'e Expr),
    /// The indices of an array kept as sets that have a value: the indices before the last, and the
    /// value; of yes/no there is none, and yes is meant.
    Kept(VarId, &'e [Expr], Option<&'e Expr>),
    /// The indices of an array of words for which a comparison holds.
    Where(VarId, Comparison, &'e Expr),
    /// Those whose related members are all (or, no, at least one) in a set.
    Related(Related<'e>),
    /// All others.
    Not(Box<Form<'e>>),
    /// Those in both.
    And(Box<Form<'e>>, Box<Form<'e>>),
    /// Those in one or both.
    Or(Box<Form<'e>>, Box<Form<'e>>),
}

/// Members that are related to other members, known before play, and a set of those.
pub(super) struct Related<'e> {
    /// For each member in order those related to it.
    pub(super) sets: Vec<Vec<i64>>,
    /// Whether all of them must be in the set.
    pub(super) all: bool,
    /// The set.
    pub(super) of: Box<Form<'e>>,
    /// The finite type that the related members are of.
    pub(super) domain: Domain,
}

/// How the words of an array are compared with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// They are equal to it.
    Equal,
    /// They are below it.
    Below,
    /// They are below it or equal to it; it is a constant.
    AtMost,
}

/// The member that a condition is about.
#[derive(Clone, Copy)]
pub(super) struct About {
    pub(super) local: LocalId,
    pub(super) domain: Domain,
}

impl Compiler<'_> {
    /// The form of a condition, if it has one.
    pub(super) fn form<'e>(&self, condition: &'e Expr, about: About) -> Option<Form<'e>> {
        if let Some(members) = self.known_members(condition, about) {
            return Some(Form::Known(members));
        }
        let local = about.local;
        match &condition.kind {
            ExprKind::Not(inner) => Some(Form::Not(Box::new(self.form(inner, about)?))),
            ExprKind::And(a, b) => {
                let (a, b) = (self.form(a, about)?, self.form(b, about)?);
                Some(Form::And(Box::new(a), Box::new(b)))
            }
            ExprKind::Or(a, b) => {
                let (a, b) = (self.form(a, about)?, self.form(b, about)?);
                Some(Form::Or(Box::new(a), Box::new(b)))
            }
            ExprKind::In(member, of) => self.in_set(member, of, about),
            ExprKind::Equal(a, b) => {
                self.equal_form(a, b, about).or_else(|| self.equal_form(b, a, about))
            }
            ExprKind::Less(a, b) => self.less_form(a, b, Comparison::Below, about),
            ExprKind::LessEqual(a, b) => self.less_form(a, b, Comparison::AtMost, about),
            ExprKind::Within(a, b) => {
                let of = Form::Set(other(b, local)?);
                self.related(a, of, true, about)
            }
            ExprKind::Var(var, indices) if self.var(*var).sets.is_some() => {
                self.element_form(*var, indices, about, |outer| Form::Kept(*var, outer, None))
            }
            ExprKind::Fold { word, binder, body } => {
                let all = match word {
                    FoldWord::All => true,
                    FoldWord::Any => false,
                    _ => return None,
                };
                let inner = About {
                    local: binder.local,
                    domain: member_domain(in_any_order(&binder.set))?,
                };
                let mut of = self.form(body.first()?, inner)?;
                if let Some(condition) = &binder.condition {
                    let condition = self.form(condition, inner)?;
                    of = if all {
                        Form::Or(Box::new(Form::Not(Box::new(condition))), Box::new(of))
                    } else {
                        Form::And(Box::new(condition), Box::new(of))
                    };
                }
                if body.iter().chain(binder.condition.as_deref()).any(|e| reads(e, local)) {
                    return None;
                }
                self.related(in_any_order(&binder.set), of, all, about)
            }
            _ => None,
        }
    }

    /// `x in S`, where the member is `x` or `x` follows from it.
    fn in_set<'e>(&self, member: &'e Expr, of: &'e Expr, about: About) -> Option<Form<'e>> {
        let set = other(of, about.local)?;
        if is_local(member, about.local) {
            return (finite(&of.ty) == Some(about.domain)).then_some(Form::Set(set));
        }
        finite(&of.ty)?;
        self.related(member, Form::Set(set), false, about)
    }

    fn equal_form<'e>(&self, a: &'e Expr, b: &'e Expr, about: About) -> Option<Form<'e>> {
        let value = other(b, about.local)?;
        if is_local(a, about.local) {
            return (!matches!(b.ty, Type::Set(_))).then_some(Form::Only(value));
        }
        let ExprKind::Var(var, indices) = &a.kind else {
            // A column that is compared with what is known only in play.
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

    fn less_form<'e>(
        &self,
        a: &'e Expr,
        b: &'e Expr,
        comparison: Comparison,
        about: About,
    ) -> Option<Form<'e>> {
        let numbers = a.ty == Type::Number && b.ty == Type::Number;
        if let (true, ExprKind::Var(var, indices)) = (numbers, &a.kind) {
            self.where_form(*var, indices, about)?;
            let known = comparison == Comparison::Below || self.fold(b).is_some();
            return known.then_some(Form::Where(*var, comparison, other(b, about.local)?));
        }
        let (true, ExprKind::Var(var, indices)) = (numbers, &b.kind) else { return None };
        self.where_form(*var, indices, about)?;
        // `x < t[c]` is all but `t[c] <= x`.
        let turned = match comparison {
            Comparison::Below => Comparison::AtMost,
            _ => Comparison::Below,
        };
        let known = turned == Comparison::Below || self.fold(a).is_some();
        let form = known.then_some(Form::Where(*var, turned, other(a, about.local)?))?;
        Some(Form::Not(Box::new(form)))
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

    fn last_domain(&self, var: VarId) -> Domain {
        let var = &self.rules.vars[var.index()];
        match (var.dims.last(), var.owner) {
            (Some(last), _) => *last,
            (None, Owner::Player | Owner::Table) => Domain::Kind(PLAYER),
        }
    }

    fn related<'e>(&self, set: &Expr, of: Form<'e>, all: bool, about: About) -> Option<Form<'e>> {
        let domain = member_domain(set)?;
        let sets = self.relation(set, about)?;
        Some(Form::Related(Related { sets, all, of: Box::new(of), domain }))
    }

    /// For each member what an expression that reads nothing else comes to, as a set.
    pub(super) fn relation(&self, expr: &Expr, about: About) -> Option<Vec<Vec<i64>>> {
        self.for_each_member(expr, about, |value| match value {
            Value::Set(members) => Some(members),
            Value::Int(member) => Some(vec![member]),
            Value::None => Some(Vec::new()),
            Value::Text(_) => None,
        })
    }

    /// The members for which a condition holds that reads nothing but the member.
    fn known_members(&self, condition: &Expr, about: About) -> Option<Vec<i64>> {
        let holds = self.for_each_member(condition, about, |value| Some(value != Value::Int(0)))?;
        let (low, _) = self.known_domain(about.domain)?;
        let members = (low..).zip(holds).filter(|(_, holds)| *holds);
        Some(members.map(|(member, _)| member).collect())
    }

    pub(super) fn known_domain(&self, domain: Domain) -> Option<(i64, usize)> {
        let known = |_| None;
        let (rules, setting, ranges) = (self.rules, self.setting, &self.ranges);
        Fold { rules, setting, ranges, known: &known, bound: Vec::new() }.domain(domain)
    }

    fn for_each_member<T>(
        &self,
        expr: &Expr,
        about: About,
        value: impl Fn(Value) -> Option<T>,
    ) -> Option<Vec<T>> {
        let known = |local: LocalId| match self.body.locals.get(&local) {
            Some(Storage::Known(value)) if local != about.local => Some(value.clone()),
            _ => None,
        };
        let (rules, setting, ranges) = (self.rules, self.setting, &self.ranges);
        let mut fold = Fold { rules, setting, ranges, known: &known, bound: Vec::new() };
        let (low, size) = fold.domain(about.domain)?;
        let mut values = Vec::new();
        for member in (low..).take(size) {
            fold.bound.push((about.local, Value::Int(member)));
            values.push(value(fold.value(expr).ok()?)?);
            fold.bound.pop();
        }
        Some(values)
    }
}

/// The finite type of the members of a set, or of the value that a maybe is.
fn member_domain(set: &Expr) -> Option<Domain> {
    match &set.ty {
        Type::Set(domain) => Some(*domain),
        Type::Kind(kind) => Some(Domain::Kind(*kind)),
        Type::Maybe(inner) => match inner.as_ref() {
            Type::Kind(kind) => Some(Domain::Kind(*kind)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an index is inside by its type.
fn checked(index: &Expr) -> bool {
    matches!(index.ty, Type::Kind(_))
}

/// An expression that does not depend on the member and cannot trap.
fn other(expr: &Expr, local: LocalId) -> Option<&Expr> {
    (!reads(expr, local) && is_safe(expr)).then_some(expr)
}

pub(super) fn is_local(expr: &Expr, local: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Local(read) if read == local)
}

/// Whether an expression reads a local.
pub(super) fn reads(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.visit(&mut |part| found |= is_local(part, local));
    found
}
