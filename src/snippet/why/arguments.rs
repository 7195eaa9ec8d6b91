//! Parses the arguments of a typed move: members, numbers and sets.

use crate::check::rules::{
    Binder, Domain, Expr, ExprKind, KindId, LocalId, MoveOption, PLAYER, Shape, Type, Value,
};
use crate::compile::Storage;
use crate::snippet::moment::Known;
use crate::snippet::why::{Reason, Why, param_type};
use crate::suggest::nearest;

/// What a set without members is typed as.
const EMPTY: &str = "nothing";

impl Why<'_> {
    /// Binds what was typed behind the name.
    pub(super) fn arguments(
        &self,
        option: &MoveOption,
        typed: &[&str],
        known: &mut Known,
    ) -> Result<(), Reason> {
        let mut left = typed;
        for param in &option.params {
            let (ty, optional) = param_type(option, *param);
            let words = match &ty {
                // Nothing else can follow: all of it was meant for the set.
                Type::Set(_) if option.params.last() == Some(param) => left.len(),
                Type::Set(domain) => self.words_of_set(*domain, left),
                ty => self.word_count(ty).min(left.len()),
            };
            let (words, rest) = left.split_at(words);
            left = rest;
            let value = match (words, &ty) {
                ([], _) if optional => Value::None,
                ([], _) => {
                    let missing = self.local_name(*param);
                    let message = format!("`{}` also needs `{missing}`", option.name);
                    return Err(Reason::new(message, self.form(option)));
                }
                (words, Type::Set(domain)) => self.set_of_words(*domain, words)?,
                (words, ty) => self.value(ty, &words.join(" "))?,
            };
            known.insert(*param, Storage::Known(value));
        }
        let Some(extra) = left.first() else { return Ok(()) };
        let message = format!("`{extra}` is too much for `{}`", option.name);
        Err(Reason::new(message, self.form(option)))
    }

    /// How the move is typed: `raid ship harbour [crew]`.
    fn form(&self, option: &MoveOption) -> String {
        let mut form = format!("it is typed `{}", option.name);
        for param in &option.params {
            let (_, optional) = param_type(option, *param);
            let (open, close) = if optional { ("[", "]") } else { ("", "") };
            form.extend([" ", open, self.local_name(*param), close]);
        }
        form.push('`');
        form
    }

    fn local_name(&self, local: LocalId) -> &str {
        self.moment.locals.get(local.index()).map_or("what", |local| &local.name)
    }

    /// How many words a value is typed as: one, but for members of products.
    fn word_count(&self, ty: &Type) -> usize {
        let first = match ty {
            Type::Kind(kind) => self.moment.game.rules().kinds[kind.index()].members.first(),
            _ => None,
        };
        first.map_or(1, |member| member.name.split(' ').count())
    }

    pub(super) fn value(&self, ty: &Type, word: &str) -> Result<Value, Reason> {
        let game = self.moment.game;
        let names: Vec<&str> = match ty {
            Type::Kind(PLAYER) => game.names().iter().map(String::as_str).collect(),
            Type::Kind(kind) => self.member_names(*kind),
            Type::Bool => vec!["no", "yes"],
            _ => {
                let no_number = |_| Reason::new(format!("`{word}` is no number"), "type a number");
                return word.parse().map(Value::Int).map_err(no_number);
            }
        };
        if let Some((at, _)) = (0..).zip(&names).find(|(_, name)| **name == word) {
            return Ok(Value::Int(at));
        }
        let kind = match ty {
            Type::Kind(kind) => game.rules().kinds[kind.index()].name.as_str(),
            _ => "yes or no",
        };
        let help = match nearest(word, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        Err(Reason::new(format!("`{word}` is no {kind}"), help))
    }

    fn member_names(&self, kind: KindId) -> Vec<&str> {
        let members = self.moment.game.rules().kinds[kind.index()].members.iter();
        members.map(|member| member.name.as_str()).collect()
    }

    // Sets.

    /// How many of the words that are left stand for a set: all that are its members, but one at
    /// least, so that something can be said of it.
    fn words_of_set(&self, domain: Domain, left: &[&str]) -> usize {
        let ty = domain.member_type();
        let size = self.word_count(&ty);
        if left.first() == Some(&EMPTY) {
            return 1;
        }
        let member = |words: &&[&str]| self.value(&ty, &words.join(" ")).is_ok();
        let members = left.chunks(size).take_while(member).count();
        (members.max(1) * size).min(left.len())
    }

    fn set_of_words(&self, domain: Domain, words: &[&str]) -> Result<Value, Reason> {
        if words == [EMPTY] {
            return Ok(Value::Set(Vec::new()));
        }
        let ty = domain.member_type();
        let words: Vec<String> =
            words.chunks(self.word_count(&ty)).map(|words| words.join(" ")).collect();
        let mut members = Vec::new();
        for word in &words {
            if let Value::Int(member) = self.value(&ty, word)? {
                members.push(member);
            }
        }
        self.tell_cards_apart(domain, &mut members);
        let mut ordered: Vec<(i64, &str)> =
            members.iter().copied().zip(words.iter().map(String::as_str)).collect();
        ordered.sort_unstable();
        ordered.dedup();
        let sorted: Vec<&str> = ordered.iter().map(|(_, word)| *word).collect();
        if sorted != words {
            let message = "each member of a set is typed once, in order";
            return Err(Reason::new(message, format!("type `{}`", sorted.join(" "))));
        }
        Ok(Value::Set(members))
    }

    /// Whether all members that were typed are in the set that a binder takes them from.
    pub(super) fn all_in(
        &self,
        binder: &Binder,
        members: &[i64],
        known: &Known,
    ) -> Result<(), Reason> {
        let of = match &binder.set.kind {
            ExprKind::Subsets(of) => of.as_ref(),
            _ => binder.set.as_ref(),
        };
        let cards = match of.ty {
            Type::Set(domain) => self.card_names(domain),
            _ => None,
        };
        let Some(names) = cards else {
            return members.iter().try_for_each(|it| self.is_in(of, Value::Int(*it), known));
        };
        // Which of the cards that read the same were meant nobody can say: they are counted.
        let shown = self.moment.show(of, known);
        let shown: Vec<&str> = shown.trim_matches(['{', '}']).split(", ").collect();
        let name = |card: &i64| names.get(usize::try_from(*card).unwrap_or(0)).copied();
        for (at, member) in members.iter().enumerate() {
            let Some(word) = name(member) else { continue };
            let wanted = members[..=at].iter().filter(|card| name(card) == Some(word)).count();
            if wanted > shown.iter().filter(|card| **card == word).count() {
                let often = if wanted == 1 { String::new() } else { format!(" {wanted} times") };
                let (place, all) = (self.moment.text(of.span), shown.join(", "));
                let message = format!("`{word}` is not{often} in `{place}`, which is {{{all}}}");
                return Err(Reason::at(of.span, message));
            }
        }
        Ok(())
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
        let Value::Set(there) = self.moment.compute(set, known) else { return typed };
        let alike = there.into_iter().find(|other| name(*other) == name(*card));
        alike.map_or(typed, Value::Int)
    }

    /// What the members of a kind of cards are typed as; nothing for any other type.
    fn card_names(&self, domain: Domain) -> Option<Vec<&str>> {
        let Domain::Kind(kind) = domain else { return None };
        let is_cards =
            matches!(self.moment.game.rules().kinds[kind.index()].shape, Shape::Cards(_));
        is_cards.then(|| self.member_names(kind))
    }
}
