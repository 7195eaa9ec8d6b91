//! Conditions that compare a column of a member with what only play knows, as sets of members.

use crate::compile::forms::{Comparison, SetForm};
use crate::compile::set_predicates::PredicateMember;
use crate::compile::{Compiler, Pass};
use crate::rules::{Domain, Expr};

/// A table with more words than this is not made: constants are few, and a table should stay at hand.
const MOST_WORDS: usize = 512;

impl Compiler<'_> {
    /// `c.suit == s`, where `s` is a member of a kind: the members that have each value.
    pub(super) fn valued_form<'e>(
        &self,
        column: &Expr,
        value: &'e Expr,
        values: Domain,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let (low, size) = self.known_domain(values)?;
        let members = self.all_members(about.domain)?;
        let mut sets = self.found_by(Pass::Columns, |_| rows(size, members.len()))?;
        for (member, has) in members.into_iter().zip(self.relation(column, about)?) {
            for value in has {
                sets.get_mut(usize::try_from(value - low).ok()?)?.push(member);
            }
        }
        Some(SetForm::Numbered(sets, low, value))
    }

    /// `c.column <= x`, where it is known only in play how much that is: the members up to each number.
    pub(super) fn up_to_form<'e>(
        &self,
        number: &'e Expr,
        most: &'e Expr,
        comparison: Comparison,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        if most.reads_local(about.local) || !self.is_safe(most) {
            return None;
        }
        let (sets, low) = self.numbered(number, about)?;
        let mut all = Vec::new();
        let up_to = sets.into_iter().map(|members| {
            all.extend(members);
            all.sort_unstable();
            all.clone()
        });
        let sets = std::iter::once(Vec::new()).chain(up_to).collect();
        // None is below the lowest.
        let low = if comparison == Comparison::Below { low } else { low - 1 };
        Some(SetForm::numbered(sets, low, most))
    }

    /// The members for each number that an expression comes to, from the lowest on, if few.
    pub(super) fn numbered(
        &self,
        expr: &Expr,
        about: PredicateMember,
    ) -> Option<(Vec<Vec<i64>>, i64)> {
        let numbers = self.for_each_member(expr, about, |value| value.as_number())?;
        let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
        let count = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
        let members = self.all_members(about.domain)?;
        let mut sets = self.found_by(Pass::Columns, |_| rows(count, members.len()))?;
        for (member, number) in members.into_iter().zip(numbers) {
            sets[usize::try_from(number - low).ok()?].push(member);
        }
        Some((sets, low))
    }
}

/// So many empty sets of members, if a table has room for them.
fn rows(count: usize, members: usize) -> Option<Vec<Vec<i64>>> {
    let words = count.checked_mul(members.div_ceil(64))?;
    (words <= MOST_WORDS).then(|| vec![Vec::new(); count])
}
