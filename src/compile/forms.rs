//! Which members of a finite type fulfil a condition, before it becomes operations on sets.

use crate::check::rules::{Domain, Expr, VarId};
use crate::compile::tabulation::Key;

/// The members of a finite type that fulfil a condition.
#[derive(Clone)]
pub(super) enum Form<'e> {
    /// These, known before play.
    Known(Vec<i64>),
    /// What is in this set.
    Set(&'e Expr),
    /// Only this member; none is nobody.
    Only(&'e Expr),
    /// The last indices of an array kept as sets that have a value, or are yes.
    Kept(VarId, &'e [Expr], Option<&'e Expr>),
    /// The last indices of an array of words for which a comparison holds.
    Where(VarId, &'e [Expr], Comparison, &'e Expr),
    /// The indices of an array whose values have a form, which is about the values.
    Among(VarId, Box<Form<'e>>, Domain),
    /// Those in one of these sets: the first for this number or below, the last for as many more or above. Or there
    /// is one for each member of a kind.
    Numbered(Vec<Vec<i64>>, i64, &'e Expr),
    /// Those in one of these sets: that for the present values of a few names.
    Listed(Key, Vec<Vec<i64>>),
    /// Those whose related members are all (or, no, at least one) in a set.
    Related(Related<'e>),
    /// All if a condition holds that is not about the member, else none.
    When(&'e Expr),
    /// The first if such a condition holds, else the second.
    If(&'e Expr, Box<Form<'e>>, Box<Form<'e>>),
    /// All others.
    Not(Box<Form<'e>>),
    /// Those in both.
    And(Box<Form<'e>>, Box<Form<'e>>),
    /// Those in one or both.
    Or(Box<Form<'e>>, Box<Form<'e>>),
}

/// Members that are related to other members, known before play, and a set of those.
#[derive(Clone)]
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Below,
    /// They are below it or equal to it; it is a constant.
    AtMost,
}

impl<'e> Form<'e> {
    /// Those in one of these sets, of which the first is for the number `low`. The list begins with 0 if it nearly
    /// does: so nothing is to be subtracted.
    pub(super) fn numbered(mut sets: Vec<Vec<i64>>, low: i64, number: &'e Expr) -> Form<'e> {
        let below = usize::try_from(low).ok().filter(|below| *below <= sets.len()).unwrap_or(0);
        sets.splice(0..0, vec![sets[0].clone(); below]);
        let low = if below > 0 { 0 } else { low };
        Form::Numbered(sets, low, number)
    }

    pub(super) fn negated(self, all: &[i64]) -> Form<'e> {
        match self {
            Form::Known(members) => Form::Known(without(all, &members)),
            Form::Not(inner) => *inner,
            Form::If(condition, then, otherwise) => {
                let (then, otherwise) = (then.negated(all), otherwise.negated(all));
                Form::If(condition, Box::new(then), Box::new(otherwise))
            }
            other => Form::Not(Box::new(other)),
        }
    }

    pub(super) fn and(self, other: Form<'e>, all: &[i64]) -> Form<'e> {
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
            // What is taken away comes after what it is taken from.
            (a @ Form::Not(_), b) => Form::And(Box::new(b), Box::new(a)),
            (a, b) => Form::And(Box::new(a), Box::new(b)),
        }
    }

    pub(super) fn or(self, other: Form<'e>, all: &[i64]) -> Form<'e> {
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
