//! Which members of a finite type fulfil a condition, before it becomes operations on sets.

use crate::compile::plan::expr_queries::{conjuncts, not_none};
use crate::rules::{Binder, Domain, Expr, LocalId, VarId};

/// The members of a finite type that fulfil a condition.
#[derive(Clone)]
pub(in crate::compile) enum SetForm<'e> {
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
    Among(VarId, Box<SetForm<'e>>, Domain),
    /// Those in one of these sets: the first for this number or below, the last for as many more or above. Or there
    /// is one for each member of a kind.
    Numbered(Vec<Vec<i64>>, i64, &'e Expr),
    /// Those in one of these sets: that for the present values of a few names.
    Listed(TableKey, Vec<Vec<i64>>),
    /// Those of whose related members all are in a set, or at least one is.
    Related(Related<'e>),
    /// All if a condition holds that is not about the member, else none.
    When(&'e Expr),
    /// The first if such a condition holds, else the second.
    If(&'e Expr, Box<SetForm<'e>>, Box<SetForm<'e>>),
    /// All others.
    Not(Box<SetForm<'e>>),
    /// Those in both.
    And(Box<SetForm<'e>>, Box<SetForm<'e>>),
    /// Those in one or both.
    Or(Box<SetForm<'e>>, Box<SetForm<'e>>),
}

/// Members that are related to other members, known before play, and a set of those.
#[derive(Clone)]
pub(in crate::compile) struct Related<'e> {
    /// For each member in order those related to it.
    pub(in crate::compile) sets: Vec<Vec<i64>>,
    /// Whether all of them must be in the set.
    pub(in crate::compile) all: bool,
    pub(in crate::compile) of: Box<SetForm<'e>>,
    /// The finite type that the related members are of.
    pub(in crate::compile) domain: Domain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compile) enum Comparison {
    Equal,
    Below,
    /// They are below it or equal to it; it is a constant.
    AtMost,
}

impl<'e> SetForm<'e> {
    /// Those in one of these sets, of which the first is for the number `low`. The list begins with 0 if it nearly
    /// does: so nothing is to be subtracted.
    pub(in crate::compile) fn numbered(
        mut sets: Vec<Vec<i64>>,
        low: i64,
        number: &'e Expr,
    ) -> SetForm<'e> {
        let below = usize::try_from(low).ok().filter(|below| *below <= sets.len()).unwrap_or(0);
        sets.splice(0..0, vec![sets[0].clone(); below]);
        let low = if below > 0 { 0 } else { low };
        SetForm::Numbered(sets, low, number)
    }

    pub(super) fn negated(self, all: &[i64]) -> SetForm<'e> {
        match self {
            SetForm::Known(members) => SetForm::Known(without(all, &members)),
            SetForm::Not(inner) => *inner,
            SetForm::If(condition, then, otherwise) => {
                let (then, otherwise) = (then.negated(all), otherwise.negated(all));
                SetForm::If(condition, Box::new(then), Box::new(otherwise))
            }
            other => SetForm::Not(Box::new(other)),
        }
    }

    pub(in crate::compile) fn and(self, other: SetForm<'e>, all: &[i64]) -> SetForm<'e> {
        match (self, other) {
            (SetForm::Known(a), SetForm::Known(b)) => {
                SetForm::Known(a.into_iter().filter(|member| b.contains(member)).collect())
            }
            (SetForm::Known(known), form) | (form, SetForm::Known(known)) => {
                if known.is_empty() {
                    SetForm::Known(known)
                } else if without(all, &known).is_empty() {
                    form
                } else {
                    SetForm::And(Box::new(SetForm::Known(known)), Box::new(form))
                }
            }
            // What is taken away comes after what it is taken from.
            (a @ SetForm::Not(_), b) => SetForm::And(Box::new(b), Box::new(a)),
            (a, b) => SetForm::And(Box::new(a), Box::new(b)),
        }
    }

    pub(in crate::compile) fn or(self, other: SetForm<'e>, all: &[i64]) -> SetForm<'e> {
        match (self, other) {
            (SetForm::Not(a), b) | (b, SetForm::Not(a)) => a.and(b.negated(all), all).negated(all),
            (SetForm::Known(known), form) | (form, SetForm::Known(known)) => {
                SetForm::Known(known).negated(all).and(form.negated(all), all).negated(all)
            }
            (a, b) => SetForm::Or(Box::new(a), Box::new(b)),
        }
    }
}

/// The member that a condition is about.
#[derive(Clone, Copy)]
pub(in crate::compile) struct PredicateMember {
    pub(in crate::compile) local: LocalId,
    pub(in crate::compile) domain: Domain,
    /// An array whose element at the member is not none, for other conditions say so.
    pub(super) sure: Option<VarId>,
}

impl PredicateMember {
    /// A member for which these conditions hold as well.
    pub(in crate::compile) fn given(
        local: LocalId,
        domain: Domain,
        conditions: &[&Expr],
    ) -> PredicateMember {
        let parts = conjuncts(conditions.iter().copied());
        let sure = parts.iter().find_map(|part| not_none(part, local));
        PredicateMember { local, domain, sure }
    }
}

/// Names with few values: what a table is looked up by.
#[derive(Clone, Default)]
pub(in crate::compile) struct TableKey {
    /// The name, the least of its values and how many it has. Together they have few.
    pub(in crate::compile) names: Vec<(LocalId, i64, usize)>,
}

impl TableKey {
    pub(in crate::compile) fn rows(&self) -> usize {
        self.names.iter().map(|(_, _, size)| size).product()
    }
}

pub(in crate::compile) fn conditions_of<'e>(binder: &'e Binder, body: &'e [Expr]) -> Vec<&'e Expr> {
    binder.condition.iter().map(AsRef::as_ref).chain(body).collect()
}

fn without(all: &[i64], members: &[i64]) -> Vec<i64> {
    all.iter().copied().filter(|member| !members.contains(member)).collect()
}
