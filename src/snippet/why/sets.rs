//! Arguments that are sets: what was typed for one, and whether it may be taken.

use crate::check::rules::{Binder, Domain, Expr, ExprKind, Shape, Type, Value};
use crate::snippet::moment::Known;
use crate::snippet::why::{Failed, Reason, Why, plain};

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
        self.tell_cards_apart(domain, &mut members);
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
        members: &[i64],
        known: &Known,
        held: usize,
    ) -> Result<usize, Failed> {
        let of = match &binder.set.kind {
            ExprKind::Subsets(of) => of.as_ref(),
            _ => binder.set.as_ref(),
        };
        let cards = self.cards_shown(of, known);
        for (at, member) in members.iter().enumerate() {
            let taken = match &cards {
                Some(shown) => self.is_among(of, shown, &members[..=at]),
                None => self.comes_from(of, Value::Int(*member), known),
            };
            taken.map_err(|reason| (held, reason))?;
        }
        match &binder.condition {
            Some(condition) => self.holds(condition, known, held + 1),
            None => Ok(held + 1),
        }
    }

    /// Makes of cards that were typed with the same word different ones, as long as there are any.
    fn tell_cards_apart(&self, domain: Domain, members: &mut [i64]) {
        let Some(names) = self.card_names(domain) else { return };
        for at in 1..members.len() {
            let (before, rest) = members.split_at_mut(at);
            let alike = |card: i64| names.get(usize::try_from(card).unwrap_or(0));
            while before.contains(&rest[0]) && alike(rest[0] + 1) == alike(rest[0]) {
                rest[0] += 1;
            }
        }
    }

    /// Of cards that read the same one that lies in a set, if there is one: which of them was typed
    /// nobody can say.
    pub(super) fn card_meant(&self, set: &Expr, typed: Value, known: &Known) -> Value {
        let (Type::Set(domain), Value::Int(card)) = (&set.ty, &typed) else { return typed };
        let Some(names) = self.card_names(*domain) else { return typed };
        let name = |card: i64| usize::try_from(card).ok().and_then(|card| names.get(card));
        let Value::Set(there) = self.compute(set, known) else { return typed };
        let alike = there.into_iter().find(|other| name(*other) == name(*card));
        alike.map_or(typed, Value::Int)
    }

    /// What the members of a kind of cards are typed as; nothing for any other type.
    fn card_names(&self, domain: Domain) -> Option<Vec<&str>> {
        let Domain::Kind(kind) = domain else { return None };
        let kind = &self.game.rules().kinds[kind.index()];
        let names = kind.members.iter().map(|member| member.name.as_str());
        matches!(kind.shape, Shape::Cards(_)).then(|| names.collect())
    }

    /// The cards of a set as they are typed: which of those that read the same were meant nobody
    /// can say.
    fn cards_shown(&self, of: &Expr, known: &Known) -> Option<Vec<String>> {
        let Type::Set(domain) = of.ty else { return None };
        self.card_names(domain)?;
        let shown = self.show(of, known);
        let words = shown.trim_matches(['{', '}']).split(", ");
        Some(words.filter(|word| !word.is_empty()).map(str::to_owned).collect())
    }

    /// Whether a set has a card like the last of these for each of them that reads like it.
    fn is_among(&self, of: &Expr, shown: &[String], members: &[i64]) -> Result<(), Reason> {
        let Type::Set(domain) = of.ty else { return Ok(()) };
        let names = self.card_names(domain).unwrap_or_default();
        let name = |card: &i64| names.get(usize::try_from(*card).unwrap_or(0)).copied();
        let Some(word) = members.last().and_then(name) else { return Ok(()) };
        let wanted = members.iter().filter(|card| name(card) == Some(word)).count();
        let found = shown.iter().filter(|card| *card == word).count();
        if wanted <= found {
            return Ok(());
        }
        let often = if wanted == 1 { String::new() } else { format!(" {wanted} times") };
        let (place, all) = (self.text(of.span), shown.join(", "));
        let message = format!("`{word}` is not{often} in `{place}`, which is {{{all}}}");
        Err(Reason { message, span: Some(of.span), help: None, unknown: false, understood: true })
    }

    /// What to say when a set that is not typed fits nowhere.
    pub(super) fn no_subset(&self, binder: &Binder) -> Reason {
        let message = format!("none of the `{}` fits", self.text(binder.set.span));
        Reason {
            message,
            span: Some(binder.set.span),
            help: None,
            unknown: false,
            understood: true,
        }
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
