//! Reads the words of a typed move: its arguments, or its printed form.

use std::collections::BTreeSet;

use crate::compile::Storage;
use crate::rules::{
    Binder, Clause, Domain, Expr, ExprKind, Kind, KindId, KindShape, LocalId, MoveOption, PLAYER,
    SubsetBound, TextPart, Type, Value, ascending,
};
use crate::snippet::moment::KnownLocals;
use crate::snippet::why::{BrokenRule, Failed, OFFERED, Reason, Why, furthest};
use crate::snippet::{fold_space, format_usage, param_type};
use crate::suggest::nearest;

/// What a set without members is typed as.
const EMPTY: &str = "nothing";

/// How many values are put into words in search of the moves that were meant, while a person waits.
const MOST_TRIED: usize = 100_000;

/// How far from 0 numbers may be that are tried because they lie near one that was typed.
const MOST_NEAR: i64 = 100;

/// All subsets of so many members are put into words in search of the one that was meant.
const FEW_MEMBERS: usize = 8;

// Arguments.

impl Why<'_> {
    /// Binds what was typed after the name.
    pub(super) fn bind_arguments(
        &self,
        option: &MoveOption,
        typed: &[&str],
        known: &mut KnownLocals,
    ) -> Result<(), Reason> {
        let form = || format!("it is typed `{}`", format_usage(self.moment.locals, option));
        let mut left = typed;
        for param in &option.params {
            let (ty, optional) = param_type(option, *param);
            let words = match &ty {
                // Nothing else can follow: all of it was meant for the set.
                Type::Set(_) | Type::List(..) if option.params.last() == Some(param) => left.len(),
                Type::Set(domain) | Type::List(domain, _) => self.words_of_set(*domain, left),
                ty => self
                    .words_of_bag(ty, left)
                    .or_else(|| self.words_of_title(ty, left))
                    .unwrap_or_else(|| self.word_count(ty))
                    .min(left.len()),
            };
            let (words, rest) = left.split_at(words);
            left = rest;
            let value = match (words, &ty) {
                ([], _) if optional => Value::None,
                ([], _) => {
                    // Where nothing can follow, that is the reason.
                    let mut left = option.params.iter().filter(|id| !known.contains_key(id));
                    let is_list = |id: &LocalId| {
                        matches!(param_type(option, *id).0, Type::Set(_) | Type::List(..))
                    };
                    let is_tried = self.short && !left.any(is_list);
                    let tried =
                        is_tried.then(|| self.clauses(&option.clauses, &mut known.clone(), 1));
                    if let Some(Err((_, reason))) = tried {
                        return Err(reason);
                    }
                    let missing = &self.moment.locals[param.index()].name;
                    // Players do not know the names in the file.
                    let message = if self.short {
                        let words = [&[option.name.as_str()], typed].concat();
                        format!("`{}` is not complete", words.join(" "))
                    } else {
                        format!("`{}` also needs `{missing}`", option.name)
                    };
                    return Err(Reason::new(message, form()));
                }
                (words, Type::Set(domain)) => self.set_of_words(*domain, words)?,
                (words, Type::List(domain, _)) => {
                    Value::List(self.parse_members(*domain, words)?.0)
                }
                (words, ty) => self.parse_value(ty, &words.join(" "))?,
            };
            known.insert(*param, Storage::Known(value));
        }
        let Some(extra) = left.first() else { return Ok(()) };
        Err(Reason::new(format!("`{extra}` is too much for `{}`", option.name), form()))
    }

    /// How many words a value is typed as: one, but for members of products.
    fn word_count(&self, ty: &Type) -> usize {
        let Type::Kind(kind) = ty else { return 1 };
        let first = self.lookup_kind(*kind).members.first();
        first.map_or(1, |member| member.name.split(' ').count())
    }

    /// How many words a bag takes: an amount and a good for each, as long as they follow each other.
    fn words_of_bag(&self, ty: &Type, left: &[&str]) -> Option<usize> {
        let Type::Kind(kind) = ty else { return None };
        let KindShape::Bags(goods) = self.lookup_kind(*kind).shape else { return None };
        let goods = &self.lookup_kind(goods).members;
        let is_good = |word: &str| goods.iter().any(|it| it.name == word || it.title == word);
        let pairs = left.chunks(2).take_while(|pair| matches!(pair, [_, good] if is_good(good)));
        Some((2 * pairs.count()).max(1))
    }

    /// How many words a title of several words takes, if one was typed.
    fn words_of_title(&self, ty: &Type, left: &[&str]) -> Option<usize> {
        let Type::Kind(kind) = ty else { return None };
        if !self.short {
            return None;
        }
        let is_typed = |title: &str| {
            let words: Vec<&str> = title.split_whitespace().collect();
            let typed = left.get(..words.len())?;
            let same = words.iter().zip(typed).all(|(a, b)| a.to_lowercase() == b.to_lowercase());
            (same && words.len() > 1).then_some(words.len())
        };
        self.member_titles(*kind).into_iter().find_map(is_typed)
    }

    pub(super) fn parse_value(&self, ty: &Type, word: &str) -> Result<Value, Reason> {
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
        if let Some(at) = self.meant(ty, &names, word) {
            return Ok(Value::Int(at));
        }
        let kind = match ty {
            Type::Kind(kind) => self.lookup_kind(*kind).name.as_str(),
            _ => "yes or no",
        };
        if let Some((first, _)) = word.split_once(' ')
            && let parts = names.iter().filter(|name| name.split(' ').any(|part| part == first))
            && let parts = parts.map(|name| format!("`{name}`")).collect::<Vec<_>>()
            && !parts.is_empty()
        {
            let message = format!("`{first}` alone is no {kind}");
            return Err(Reason::new(message, format!("there are {}", parts.join(", "))));
        }
        let help = match nearest(word, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        Err(Reason::new(format!("`{word}` is no {kind}"), help))
    }

    /// The member that a word means: by its name, by its title, or by a beginning that no other has.
    fn meant(&self, ty: &Type, names: &[&str], word: &str) -> Option<i64> {
        if let Some((at, _)) = (0..).zip(names).find(|(_, name)| **name == word) {
            return Some(at);
        }
        if !self.short {
            return None;
        }
        let word = word.to_lowercase();
        let titles = match ty {
            Type::Kind(kind) if *kind != PLAYER => self.member_titles(*kind),
            _ => Vec::new(),
        };
        let is_title = |at: usize| titles.get(at).is_some_and(|it| it.to_lowercase() == word);
        let fits = |at: &usize| names[*at].to_lowercase() == word || is_title(*at);
        let begins = |at: &usize| names[*at].to_lowercase().starts_with(&word);
        let found = (0..names.len()).find(fits).or_else(|| {
            let mut begun = (0..names.len()).filter(begins);
            begun.next().filter(|first| begun.all(|other| names[other] == names[*first]))
        });
        found.and_then(|at| i64::try_from(at).ok())
    }

    fn lookup_kind(&self, kind: KindId) -> &Kind {
        &self.moment.game.rules().kinds[kind.index()]
    }

    fn member_titles(&self, kind: KindId) -> Vec<&str> {
        self.lookup_kind(kind).members.iter().map(|member| member.title.as_str()).collect()
    }

    fn member_names(&self, kind: KindId) -> Vec<&str> {
        self.lookup_kind(kind).members.iter().map(|member| member.name.as_str()).collect()
    }

    /// How many of the words that are left stand for a set: all that are its members, but one at
    /// least, so that the message can name it.
    fn words_of_set(&self, domain: Domain, left: &[&str]) -> usize {
        if left.first() == Some(&EMPTY) {
            return 1;
        }
        let ty = domain.member_type();
        let size = self.word_count(&ty);
        let member = |words: &&[&str]| self.parse_value(&ty, &words.join(" ")).is_ok();
        let members = left.chunks(size).take_while(member).count();
        (members.max(1) * size).min(left.len())
    }

    /// The members that words stand for, and the words of each.
    fn parse_members(
        &self,
        domain: Domain,
        words: &[&str],
    ) -> Result<(Vec<i64>, Vec<String>), Reason> {
        let (mut members, mut typed) = (Vec::new(), Vec::new());
        if words == [EMPTY] {
            return Ok((members, typed));
        }
        let ty = domain.member_type();
        for words in words.chunks(self.word_count(&ty)) {
            let word = words.join(" ");
            if let Value::Int(member) = self.parse_value(&ty, &word)? {
                members.push(member);
            }
            typed.push(word);
        }
        Ok((members, typed))
    }

    fn set_of_words(&self, domain: Domain, words: &[&str]) -> Result<Value, Reason> {
        let (mut members, words) = self.parse_members(domain, words)?;
        self.tell_cards_apart(domain, &mut members);
        let mut ordered: Vec<(i64, &str)> =
            members.iter().copied().zip(words.iter().map(String::as_str)).collect();
        ordered.sort_unstable();
        ordered.dedup();
        let sorted: Vec<&str> = ordered.into_iter().map(|(_, word)| word).collect();
        if sorted != words {
            let message = "each member of a set is typed once, in order";
            return Err(Reason::new(message, format!("type `{}`", sorted.join(" "))));
        }
        Ok(Value::Set(members))
    }

    /// Whether a list that was typed is one of those that a binder iterates: whether each element may
    /// follow those before it.
    pub(super) fn grows(
        &self,
        binder: &Binder,
        elements: &[i64],
        known: &KnownLocals,
    ) -> Result<(), Reason> {
        let (ExprKind::Lists(next), Type::Lists(_, most)) = (&binder.set.kind, &binder.set.ty)
        else {
            return Ok(());
        };
        if elements.is_empty() || elements.len() > usize::from(*most) {
            let message = format!("{} are typed, and 1 to {most} belong here", elements.len());
            let words = BrokenRule::from_values(message.clone());
            return Err(Reason::for_span(binder.set.span, message, words));
        }
        for (at, element) in elements.iter().enumerate() {
            let mut known = known.clone();
            let before = Value::List(elements[..at].to_vec());
            known.insert(binder.local, Storage::Known(before));
            self.check_member(next, Value::Int(*element), &known)?;
        }
        Ok(())
    }

    /// Whether all members that were typed are in the set that a binder takes them from.
    pub(super) fn all_in(
        &self,
        binder: &Binder,
        members: &[i64],
        known: &KnownLocals,
    ) -> Result<(), Reason> {
        self.is_of_size(binder, members.len(), known)?;
        let of = taken_from(binder);
        let Some(names) = self.card_names(&of.ty) else {
            return members.iter().try_for_each(|it| self.check_member(of, Value::Int(*it), known));
        };
        // Which of the cards that read the same were meant nobody can say: they are counted.
        let shown = self.moment.show_value(of, known);
        let shown: Vec<&str> = shown.trim_matches(['{', '}']).split(", ").collect();
        let words: Vec<&str> = members.iter().map(|card| card_name(&names, *card)).collect();
        for (at, word) in words.iter().enumerate() {
            let wanted = words[..=at].iter().filter(|it| *it == word).count();
            if wanted > shown.iter().filter(|it| *it == word).count() {
                let often = if wanted == 1 { String::new() } else { format!(" {wanted} times") };
                let (place, all) = (self.moment.span_text(of.span), shown.join(", "));
                let message = format!("`{word}` is not{often} in `{place}`, which is {{{all}}}");
                let values = format!("{word} is not{often} among {all}");
                return Err(Reason::for_span(of.span, message, BrokenRule::from_values(values)));
            }
        }
        Ok(())
    }

    /// Whether so many members are typed as `of size n` asks for.
    fn is_of_size(&self, binder: &Binder, count: usize, known: &KnownLocals) -> Result<(), Reason> {
        let ExprKind::Subsets(_, Some(SubsetBound { up_to, size })) = &binder.set.kind else {
            return Ok(());
        };
        let Value::Int(wanted) = self.moment.compute_value(size, known) else { return Ok(()) };
        let found = i64::try_from(count).expect("few are typed");
        if found == wanted || *up_to && found < wanted {
            return Ok(());
        }
        let up_to = if *up_to { "up to " } else { "" };
        let verb = if count == 1 { "is" } else { "are" };
        let message = format!("{count} {verb} typed, and {up_to}{wanted} belong here");
        let words = BrokenRule::from_values(message.clone());
        Err(Reason::for_span(binder.set.span, message, words))
    }

    /// Makes of cards that were typed with the same word different ones, as long as there are any.
    fn tell_cards_apart(&self, domain: Domain, members: &mut [i64]) {
        let Some(names) = self.card_names(&Type::Set(domain)) else { return };
        for at in 1..members.len() {
            let (before, rest) = members.split_at_mut(at);
            while before.contains(&rest[0])
                && card_name(&names, rest[0] + 1) == card_name(&names, rest[0])
            {
                rest[0] += 1;
            }
        }
    }

    /// A card, or a set of them: of those that read the same as many different ones as lie in the set
    /// that they are taken from. Which of them were typed nobody can say.
    pub(super) fn cards_meant(&self, binder: &Binder, typed: &Value, known: &KnownLocals) -> Value {
        let of = taken_from(binder);
        let Some(names) = self.card_names(&of.ty) else { return typed.clone() };
        let Value::Set(mut there) = self.moment.compute_value(of, known) else {
            return typed.clone();
        };
        let is_alike = |one: i64, other: i64| card_name(&names, one) == card_name(&names, other);
        // Of cards that look alike one may be another argument already.
        let fits = |card: &i64| {
            let mut known = known.clone();
            known.insert(binder.local, Storage::Known(Value::Int(*card)));
            binder.condition.as_ref().is_none_or(|it| self.is_yes(it, &known))
        };
        if let Value::Int(card) = typed {
            let alike: Vec<i64> = there.into_iter().filter(|it| is_alike(*it, *card)).collect();
            let fitting = alike.iter().find(|it| fits(it)).or(alike.first());
            return Value::Int(*fitting.unwrap_or(card));
        }
        let alike = |card: &i64| {
            let at = there.iter().position(|it| is_alike(*it, *card));
            at.map_or(*card, |at| there.remove(at))
        };
        match typed {
            Value::Set(cards) => Value::Set(ascending(cards.iter().map(alike).collect())),
            other => other.clone(),
        }
    }

    /// What the cards of a set are typed as; nothing for any other type.
    fn card_names(&self, set: &Type) -> Option<Vec<&str>> {
        let Type::Set(Domain::Kind(kind)) = *set else { return None };
        matches!(self.lookup_kind(kind).shape, KindShape::Cards(_)).then(|| self.member_names(kind))
    }
}

/// The set that the members of a binder come from, alone or several of them.
fn taken_from(binder: &Binder) -> &Expr {
    match &binder.set.kind {
        ExprKind::Subsets(of, _) => of,
        _ => &binder.set,
    }
}

/// The name of a card; empty after the last.
fn card_name<'a>(names: &[&'a str], card: i64) -> &'a str {
    usize::try_from(card).ok().and_then(|card| names.get(card)).copied().unwrap_or_default()
}

// Printed forms.

struct TypedSearch<'s> {
    /// The expressions in the form, and the locals that each reads.
    holes: &'s [(Expr, BTreeSet<LocalId>)],
    /// The locals that the form depends on.
    needed: BTreeSet<LocalId>,
    template: &'s Expr,
    /// What was typed, in small letters.
    typed: String,
    /// How many values may still be put into words.
    left: usize,
    found: Vec<KnownLocals>,
}

impl Why<'_> {
    /// Why none of the moves that would be printed as was typed is legal: of several the one that
    /// comes furthest. Nothing if there is no such move, and none is called as the first word.
    pub(super) fn printed(
        &self,
        option: &MoveOption,
        template: &Expr,
        typed: &[&str],
    ) -> Option<Failed> {
        let mut search = TypedSearch {
            holes: &holes(template),
            needed: locals_of_form(option, template),
            template,
            typed: small(&typed.join(" ")),
            left: MOST_TRIED,
            found: Vec::new(),
        };
        self.fill_names(&mut search, &option.clauses, &self.in_sight());
        let failed = search.found.iter_mut().map(|known| self.failing(option, known, typed));
        furthest(failed).or_else(|| {
            let mut known = self.in_sight();
            let by_name = self.is_called(option, typed[0]);
            if by_name && self.bind_arguments(option, &typed[1..], &mut known).is_ok() {
                let failed = self.failing(option, &mut known, typed);
                // A script has only the printed form of a move that is legal.
                if self.short || failed.0 < OFFERED {
                    return Some(failed);
                }
            }
            let words = typed.join(" ");
            let message = if self.short {
                format!("there is no `{words}` here")
            } else {
                format!("no `{}` is printed as `{words}`", option.name)
            };
            let form = self.moment.span_text(template.span);
            let reason = Reason::new(message, format!("its printed form is {form}"));
            by_name.then_some((0, reason))
        })
    }

    /// Gives the names that the form depends on every value, leaving conditions aside.
    fn fill_names(&self, search: &mut TypedSearch, clauses: &[Clause], known: &KnownLocals) {
        let Some((clause, rest)) = clauses.split_first() else {
            if self.tried(search, search.template, known).is_some_and(|text| text == search.typed) {
                search.found.push(known.clone());
            }
            return;
        };
        let (local, values) = match clause {
            Clause::For(binder) | Clause::Maybe(binder)
                if search.needed.contains(&binder.local) =>
            {
                let none = matches!(clause, Clause::Maybe(_)).then_some(Value::None);
                let members = self.members_of(binder, known, &search.typed);
                (binder.local, none.into_iter().chain(members).collect())
            }
            Clause::Let(local, value) if search.needed.contains(local) => {
                (*local, vec![self.moment.compute_value(value, known)])
            }
            _ => return self.fill_names(search, rest, known),
        };
        for value in values {
            let mut known = known.clone();
            known.insert(local, Storage::Known(value));
            if self.may_fit(search, local, &known) {
                self.fill_names(search, rest, &known);
            }
        }
    }

    /// All members of the kind that a binder iterates; of numbers those in its set, and those that
    /// were typed or lie near; all subsets, if these are so few that they can be put into words.
    fn members_of(&self, binder: &Binder, known: &KnownLocals, typed: &str) -> Vec<Value> {
        if let ExprKind::Lists(_) = &binder.set.kind {
            return Vec::new();
        }
        if let ExprKind::Subsets(of, _) = &binder.set.kind {
            let Value::Set(members) = self.moment.compute_value(of, known) else {
                return Vec::new();
            };
            if !matches!(of.ty, Type::Set(_)) || members.len() > FEW_MEMBERS {
                return Vec::new();
            }
            let bits = |number: usize| (0..members.len()).filter(move |bit| number >> bit & 1 == 1);
            let part = |number| Value::Set(bits(number).map(|bit| members[bit]).collect());
            return (0..1 << members.len()).map(part).collect();
        }
        let own = match binder.set.ty {
            Type::Set(Domain::Kind(PLAYER)) | Type::Kind(PLAYER) => {
                (0..self.moment.game.names().len()).collect()
            }
            Type::Set(Domain::Kind(kind)) | Type::Kind(kind) => {
                self.lookup_kind(kind).own_members()
            }
            _ => {
                let set = self.moment.compute_value(&binder.set, known);
                let mut numbers = set.as_members().to_vec();
                add_numbers(&mut numbers, typed);
                return numbers.into_iter().map(Value::Int).collect();
            }
        };
        let number = |at| i64::try_from(at).expect("a kind has few members");
        own.into_iter().map(|at| Value::Int(number(at))).collect()
    }

    /// Whether what was typed contains the words of every hole that is known since this local.
    fn may_fit(&self, search: &mut TypedSearch, local: LocalId, known: &KnownLocals) -> bool {
        search.holes.iter().all(|(hole, read)| {
            !read.contains(&local)
                || read.iter().any(|it| !known.contains_key(it))
                || self.tried(search, hole, known).is_some_and(|it| search.typed.contains(&it))
        })
    }

    /// The words of an expression; nothing when the search has gone on for too long.
    fn tried(&self, search: &mut TypedSearch, expr: &Expr, known: &KnownLocals) -> Option<String> {
        search.left = search.left.checked_sub(1)?;
        Some(small(&self.moment.show_value(expr, known)))
    }
}

/// Adds the numbers in a text, then all between 0 and them, since a form may print a sum.
fn add_numbers(numbers: &mut Vec<i64>, text: &str) {
    let written = text.split(|it: char| !it.is_ascii_digit()).filter_map(|it| it.parse().ok());
    let written: Vec<i64> = written.flat_map(|number: i64| [number, -number]).collect();
    let near = written.iter().filter(|number| number.abs() <= MOST_NEAR);
    let near = near.flat_map(|number| (*number).min(0)..=(*number).max(0));
    for number in written.iter().copied().chain(near) {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
}

fn small(text: &str) -> String {
    fold_space(text).to_lowercase()
}

/// The holes of a printed form, each as a text of its own: in a text values are printed by their
/// titles.
fn holes(template: &Expr) -> Vec<(Expr, BTreeSet<LocalId>)> {
    let ExprKind::Text(parts) = &template.kind else { return Vec::new() };
    let holes = parts.iter().filter(|part| matches!(part, TextPart::Hole(_)));
    let text = |hole: &TextPart| {
        let text = Expr { kind: ExprKind::Text(vec![hole.clone()]), ..template.clone() };
        let read = text.locals();
        (text, read)
    };
    holes.map(text).collect()
}

/// The locals that a form depends on: those that it prints, and what their `let`s and the sets of their `for` and
/// `maybe` read.
fn locals_of_form(option: &MoveOption, template: &Expr) -> BTreeSet<LocalId> {
    let mut needed = template.locals();
    for clause in option.clauses.iter().rev() {
        match clause {
            Clause::Let(local, value) if needed.contains(local) => {
                needed.append(&mut value.locals());
            }
            Clause::For(binder) | Clause::Maybe(binder) if needed.contains(&binder.local) => {
                needed.append(&mut binder.set.locals());
            }
            _ => {}
        }
    }
    needed
}
