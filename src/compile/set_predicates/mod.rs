//! Conditions on the member of a binder as sets of the members that fulfil them.
//!
//! `mark[c] == none and c not in closed` is a set that is kept anyway, without another: two
//! operations on words in place of a loop. What cannot be said so has no form.

mod build;
mod relations;

use crate::check::rules::{
    Array, BinaryOp, Domain, Expr, ExprKind, LocalId, UnaryOp, Value, VarId,
};
use crate::compile::filters::conjuncts;

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
    /// The indices of an array whose values have a form, which is about the values.
    Among(VarId, Box<Form<'e>>, Domain),
    /// Those that have a number: the members for each number from the lowest on, and the number.
    Numbered(Vec<Vec<i64>>, i64, &'e Expr),
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

impl<'e> Form<'e> {
    /// All others of these members.
    fn negated(self, all: &[i64]) -> Form<'e> {
        match self {
            Form::Known(members) => Form::Known(without(all, &members)),
            Form::Not(inner) => *inner,
            other => Form::Not(Box::new(other)),
        }
    }

    /// Those of these members that are in both.
    fn and(self, other: Form<'e>, all: &[i64]) -> Form<'e> {
        match (self, other) {
            (Form::Known(a), Form::Known(b)) => {
                Form::Known(a.into_iter().filter(|member| b.contains(member)).collect())
            }
            (Form::Known(known), form) | (form, Form::Known(known)) => {
                if known.is_empty() {
                    Form::Known(known)
                } else if without(all, &known).is_empty() {
                    form
                } else {
                    Form::And(Box::new(Form::Known(known)), Box::new(form))
                }
            }
            // What is taken away comes behind what it is taken from.
            (a @ Form::Not(_), b) => Form::And(Box::new(b), Box::new(a)),
            (a, b) => Form::And(Box::new(a), Box::new(b)),
        }
    }

    /// Those of these members that are in one or both.
    fn or(self, other: Form<'e>, all: &[i64]) -> Form<'e> {
        match (self, other) {
            (Form::Not(a), b) | (b, Form::Not(a)) => a.and(b.negated(all), all).negated(all),
            (Form::Known(known), form) | (form, Form::Known(known)) => {
                Form::Known(known).negated(all).and(form.negated(all), all).negated(all)
            }
            (a, b) => Form::Or(Box::new(a), Box::new(b)),
        }
    }
}

fn without(all: &[i64], members: &[i64]) -> Vec<i64> {
    all.iter().copied().filter(|member| !members.contains(member)).collect()
}

/// The member that a condition is about.
#[derive(Clone, Copy)]
pub(super) struct About {
    pub(super) local: LocalId,
    pub(super) domain: Domain,
    /// An array whose element at the member is not none, for other conditions say so.
    pub(super) sure: Option<VarId>,
}

impl About {
    /// A member for which these conditions hold as well.
    pub(super) fn given(local: LocalId, domain: Domain, conditions: &[&Expr]) -> About {
        let mut parts = Vec::new();
        conditions.iter().for_each(|condition| conjuncts(condition, &mut parts));
        let sure = parts.iter().find_map(|part| not_none(part, local));
        About { local, domain, sure }
    }
}

/// The array that a condition says has a value at the member.
fn not_none(condition: &Expr, local: LocalId) -> Option<VarId> {
    let ExprKind::Unary(UnaryOp::Not, inner) = &condition.kind else { return None };
    let ExprKind::Binary(BinaryOp::Equal, a, b) = &inner.kind else { return None };
    let (ExprKind::Element(Array::Var(var), indices), ExprKind::Value(Value::None)) =
        (&a.kind, &b.kind)
    else {
        return None;
    };
    let [index] = indices.as_slice() else { return None };
    is_local(index, local).then_some(*var)
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
