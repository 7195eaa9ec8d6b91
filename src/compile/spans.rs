//! Numbers from one end to another as the members of a set, where operations on sets can pick them.

use crate::compile::filters::conjuncts;
use crate::compile::set_predicates::PredicateMember;
use crate::compile::{Compiler, Pass};
use crate::rules::{Array, Binder, Domain, Expr, ExprKind, RangeId, Type, Value};

/// More numbers than the bits of a word stay numbers.
const MOST_NUMBERS: i64 = 64;

impl Compiler<'_> {
    /// A binder over numbers as one over the set of a range that has just these, if something that is asked
    /// of each can be asked of the whole set. The order stays the same.
    pub(super) fn members_of_span(&self, binder: &Binder, body: &[Expr]) -> Option<Binder> {
        let ends = self.ends_of_span(binder)?;
        let parts = conjuncts(Self::conditions(binder, body));
        let is_same = |range: &usize| self.ranges.get(*range) == Some(&(ends.0, Some(ends.1)));
        let asked = parts.iter().find_map(|part| self.range_asked(part, binder));
        let range = asked.filter(is_same).or_else(|| (0..self.ranges.len()).find(is_same))?;
        let domain = Domain::Range(RangeId::at(range));
        let about = PredicateMember::given(binder.local, domain, &parts);
        let has_form =
            parts.is_empty() || parts.iter().any(|part| self.form(part, about).is_some());
        let (kind, span) = (ExprKind::Whole(domain), binder.set.span);
        let set = Box::new(Expr { kind, ty: Type::Set(domain), span });
        self.found_by(Pass::Numbers, |_| has_form.then(|| Binder { set, ..binder.clone() }))
    }

    fn ends_of_span(&self, binder: &Binder) -> Option<(i64, i64)> {
        let ExprKind::Interval(low, high) = &binder.set.kind else { return None };
        if binder.set.ty != Type::Span {
            return None;
        }
        let (Value::Int(low), Value::Int(high)) = (self.fold(low)?, self.fold(high)?) else {
            return None;
        };
        let count = high.checked_sub(low)?;
        (0..MOST_NUMBERS).contains(&count).then_some((low, high))
    }

    /// The range of the last index of an array that a condition asks for the element of a number.
    fn range_asked(&self, condition: &Expr, binder: &Binder) -> Option<usize> {
        let mut asked = None;
        condition.visit_tree(&mut |part| {
            if let ExprKind::Element(Array::Var(var), indices) = &part.kind
                && indices.last().is_some_and(|index| index.is_local(binder.local))
                && let Domain::Range(range) = self.last_domain(*var)
            {
                asked = asked.or(Some(range.index()));
            }
        });
        asked
    }
}
