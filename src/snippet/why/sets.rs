//! Arguments that are sets: what was typed for one, and whether it may be taken.

use crate::check::rules::{Binder, Domain, Expr, ExprKind, Type, Value};
use crate::snippet::why::{Failed, Known, Reason, Why, plain};

/// What a set without members is typed as.
const EMPTY: &str = "nothing";

/// All subsets of so many members are put into words in search of the one that was meant.
const FEW_MEMBERS: usize = 8;

impl Why<'_> {
    /// How many of the words that are left stand for a set: all that are its members, but one at
    /// least, so that something can be said of it.
    pub(super) fn words_of_set(&self, domain: Domain, left: &[&str]) -> usize {
        let ty = domain.member_type();
        let member = |words: &&[&str]| self.value(&ty, &words.join(" ")).is_ok();
        let size = self.word_count(&ty);
        if left.first() == Some(&EMPTY) {
            return 1;
        }
        let members = left.chunks(size).take_while(member).count();
        (members.max(1) * size).min(left.len())
    }

    /// The set that the words stand for.
    pub(super) fn set_of_words(&self, domain: Domain, words: &[&str]) -> Result<Value, Reason> {
        if words == [EMPTY] {
            return Ok(Value::Set(Vec::new()));
        }
        let ty = domain.member_type();
        let size = self.word_count(&ty);
        let mut members = Vec::new();
        for word in words.chunks(size) {
            if let Value::Int(member) = self.value(&ty, &word.join(" "))? {
                members.push(member);
            }
        }
        let mut ordered: Vec<(i64, &[&str])> =
            members.iter().copied().zip(words.chunks(size)).collect();
        ordered.sort_unstable();
        ordered.dedup();
        let sorted: Vec<String> = ordered.iter().map(|(_, word)| word.join(" ")).collect();
        if sorted.join(" ") != words.join(" ") {
            let message = "each member of a set is typed once, in order".to_owned();
            return Err(plain(&message, &format!("type `{}`", sorted.join(" "))));
        }
        Ok(Value::Set(members))
    }

    /// Whether all members that were typed can be taken from where they must come from.
    pub(super) fn all_taken_from(
        &self,
        binder: &Binder,
        members: Vec<i64>,
        known: &Known,
        held: usize,
    ) -> Result<usize, Failed> {
        let of = match &binder.set.kind {
            ExprKind::Subsets(of) => of.as_ref(),
            _ => binder.set.as_ref(),
        };
        for member in members {
            let taken = self.comes_from(of, Value::Int(member), known);
            taken.map_err(|reason| (held, reason))?;
        }
        match &binder.condition {
            Some(condition) => self.holds(condition, known, held + 1),
            None => Ok(held + 1),
        }
    }

    /// What to say when a set that is not typed fits nowhere.
    pub(super) fn no_subset(&self, binder: &Binder) -> Reason {
        let message = format!("none of the `{}` fits", self.text(binder.set.span));
        Reason { message, span: Some(binder.set.span), help: None, unknown: false }
    }

    /// All subsets, if these are so few that they can be put into words.
    pub(super) fn subsets_of(&self, of: &Expr, known: &Known) -> Vec<Value> {
        let Value::Set(members) = self.compute(of, known) else { return Vec::new() };
        if !matches!(of.ty, Type::Set(_)) || members.len() > FEW_MEMBERS {
            return Vec::new();
        }
        let part = |number: usize| {
            let digits = members.iter().enumerate().filter(|(digit, _)| number >> digit & 1 == 1);
            Value::Set(digits.map(|(_, member)| *member).collect())
        };
        (0..1 << members.len()).map(part).collect()
    }
}
