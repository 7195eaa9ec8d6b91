//! Conditions in English: `your grain is at most 2`.

use crate::rulebook::english::{join_words, one, predicate};
use crate::rulebook::naming::LocalWord;
use crate::rulebook::said::{CLOSE, LINK, NEXT, OPEN, unmarked};
use crate::rulebook::words::{Phraser, TightPhrase};
use crate::rulebook::{Book, title_or_name};
use crate::rules::{
    Arm, Array, BinaryOp, Binder, Expr, ExprKind, PLAYER, Rule, Stmt, StmtKind, Type, UnaryOp,
    VarForm,
};
use crate::syntax::Tightness;
use crate::syntax::ast::FoldWord;

impl Book<'_> {
    /// The case for which a `match` is one thing, where it is the other for all that is left: the
    /// form of `x in {1, 2}`.
    fn listed_arm<'e>(&self, arms: &'e [Arm<Expr>]) -> Option<(&'e Arm<Expr>, bool)> {
        let [listed, rest] = arms else { return None };
        let truth = self.truth(&listed.body)?;
        let whole = rest.patterns.is_empty() && self.truth(&rest.body)? != truth;
        whole.then_some((listed, truth))
    }

    /// The conditions that `and` or `or` join, each with whether it has to hold, and whether all of
    /// them have to; what is known beforehand is left out.
    pub(super) fn split_conditions<'e>(
        &self,
        expr: &'e Expr,
        yes: bool,
    ) -> (bool, Vec<(&'e Expr, bool)>) {
        // A denied `and` is an `or` of what is denied.
        let both = matches!(expr.kind, ExprKind::Binary(BinaryOp::And, ..)) == yes;
        let mut parts = Vec::new();
        flatten(expr, yes, both, &mut parts);
        parts.retain(|(part, _)| self.truth(part).is_none());
        (both, parts)
    }

    /// Whether a book for one setting leaves out an `if`, with its note, since it never holds there.
    pub(super) fn is_never_so(&self, stmt: &Stmt) -> bool {
        let StmtKind::If { condition, otherwise, .. } = &stmt.kind else { return false };
        self.fixed && otherwise.is_empty() && self.truth(condition) == Some(false)
    }

    pub(super) fn is_die(&self, value: &Expr) -> bool {
        let ExprKind::Element(Array::Var(id), _) = value.kind else { return false };
        matches!(self.rules.vars[id.index()].form, VarForm::Die(_)) && !self.keeps_names
    }

    /// Whether a value is the player whose piece lies on a cell.
    pub(super) fn is_owner_of_cell(&self, place: &Expr) -> bool {
        let is_player = match &place.ty {
            Type::Maybe(inner) => **inner == Type::Kind(PLAYER),
            ty => *ty == Type::Kind(PLAYER),
        };
        let is_cell =
            |of: &Expr| matches!(of.ty, Type::Kind(kind) if self.lookup_kind(kind).is_board());
        is_player && matches!(&place.kind, ExprKind::Element(_, of) if of.iter().any(is_cell))
    }
}

impl Phraser<'_> {
    pub(super) fn phrase_condition(self, expr: &Expr) -> String {
        self.phrase_truth(expr, true)
    }

    pub(super) fn phrase_negated(self, expr: &Expr) -> String {
        self.phrase_truth(expr, false)
    }

    /// A condition, or its negation (`yes` is false), as a clause; a long one may be broken where it joins others.
    fn phrase_truth(self, expr: &Expr, yes: bool) -> String {
        let text = self.claim_in_place(expr, yes, Tightness::Open);
        let cases = text.strip_prefix("this is so (").and_then(|it| it.strip_suffix(')'));
        if let (Some(cases), false) = (cases, self.book.keeps_names) {
            let cases: Vec<String> = cases.split("; ").map(str::to_owned).collect();
            let cases = joined(&cases, "; ");
            return format!("this is so ({cases})");
        }
        let (both, parts) = self.book.split_conditions(expr, yes);
        if self.book.keeps_names || parts.len() < 2 || self.book.truth(expr).is_some() {
            return text;
        }
        let mut claims = self.phrase_claims(&parts);
        if claims.iter().any(String::is_empty) {
            return text;
        }
        // Nothing follows the last claim that could be a part of it.
        let last = claims.last_mut().filter(|it| it.starts_with("(there is") && it.ends_with(')'));
        if let Some(last) = last.filter(|it| !it[1..].contains('(')) {
            *last = last[1..last.len() - 1].to_owned();
        }
        let between = if both { " and " } else { " or " };
        joined(&claims, between)
    }

    /// The clauses of conditions that `and` or `or` joins.
    fn phrase_claims(self, parts: &[(&Expr, bool)]) -> Vec<String> {
        // `a and b or c` could be read in two ways.
        let place = Tightness::And.tighter();
        parts.iter().map(|(part, yes)| self.claim_in_place(part, *yes, place)).collect()
    }

    pub(super) fn claim_in_place(self, expr: &Expr, yes: bool, place: Tightness) -> String {
        let (text, tightness) = self.budgeted_claim(expr, yes);
        tightness.placed(text, place)
    }

    /// `claim`, for one step of the budget.
    pub(super) fn budgeted_claim(self, expr: &Expr, yes: bool) -> TightPhrase {
        self.book.charged(|| self.claim(expr, yes))
    }

    pub(super) fn claim(self, expr: &Expr, yes: bool) -> TightPhrase {
        let comparison = |text| (text, Tightness::Comparison);
        if let Some(truth) = self.book.truth(expr) {
            let always = if truth == yes { "always" } else { "never" };
            return comparison(format!("this is {always} so"));
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, of) => self.budgeted_claim(of, !yes),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                let (both, parts) = self.book.split_conditions(expr, yes);
                self.join_conditions(&parts, both)
            }
            ExprKind::Binary(BinaryOp::Equal, a, b) => self.phrase_equality(a, b, yes),
            ExprKind::Binary(op @ (BinaryOp::Less | BinaryOp::LessEqual), a, b) => {
                comparison(self.phrase_order(a, b, yes, *op == BinaryOp::Less))
            }
            ExprKind::Binary(BinaryOp::In, a, set) => self.phrase_membership(a, set, yes),
            ExprKind::Binary(BinaryOp::Within, a, b) => {
                let not = if yes { "" } else { "not " };
                let b = self.placed(b, Tightness::Sets);
                comparison(format!("{not}all of {} is in {b}", self.phrase_operand(a)))
            }
            ExprKind::Fold { word: word @ (FoldWord::Any | FoldWord::All), binder, body } => {
                let bags = (*word == FoldWord::All).then(|| self.compared_bags(binder, body, yes));
                let other = || (self.phrase_quantifier(*word, binder, body, yes), Tightness::Open);
                bags.flatten().map_or_else(other, comparison)
            }
            ExprKind::Match(subject, arms)
                if let Some((listed, truth)) = self.book.listed_arm(arms) =>
            {
                let thing = self.placed(subject, Tightness::Sets);
                let not = not(truth == yes);
                let text = format!("{thing} is{not} {}", self.book.patterns(listed, &subject.ty));
                (text, listing(listed.patterns.len()))
            }
            ExprKind::Match(subject, arms) => {
                let arm = |arm: &Arm<Expr>| {
                    let (claim, _) = self.budgeted_claim(&arm.body, yes);
                    format!("for {}: {claim}", self.book.patterns(arm, &subject.ty))
                };
                comparison(format!("this is so ({})", join_words(arms.iter().map(arm), "; ")))
            }
            ExprKind::If(condition, then, otherwise) => match self.book.truth(condition) {
                Some(truth) => self.budgeted_claim(if truth { then } else { otherwise }, yes),
                None => {
                    let claim = |of| self.claim_in_place(of, yes, Tightness::Open);
                    let (then, otherwise) = (claim(then), claim(otherwise));
                    let condition = self.phrase_condition(condition);
                    (format!("if {condition}, {then}, otherwise {otherwise}"), Tightness::From)
                }
            },
            ExprKind::Suppose(block, of) => {
                let claim = self.claim_in_place(of, yes, Tightness::Open);
                (format!("{}, {claim}", self.phrase_supposed(block)), Tightness::Open)
            }
            ExprKind::Local(local) if let Some(value) = self.meaning_of(*local) => {
                self.budgeted_claim(value, yes)
            }
            _ => comparison(self.claim_by_name(expr, yes)),
        }
    }

    /// The clause of a rule, an option or a variable.
    fn claim_by_name(self, expr: &Expr, yes: bool) -> String {
        let holds = if yes { "holds" } else { "does not hold" };
        match &expr.kind {
            ExprKind::Option(_) => {
                let word = if yes { "on" } else { "off" };
                format!("the option {} is {word}", self.phrase_value(expr))
            }
            ExprKind::Element(Array::Var(id), of) => self.marked(*id, of, not(yes)),
            ExprKind::Local(local) if !self.book.keeps_names => {
                let name = self.phrase_local(*local);
                let ends = if yes { "succeeds" } else { "fails" };
                match self.called.get(local.index()) {
                    Some(LocalWord::Answer(of)) if of.is_empty() => format!("that {ends}"),
                    Some(LocalWord::Answer(of)) => format!("**{of}** {ends}"),
                    // The caller names it.
                    _ if self.rule.is_some_and(|rule| local.index() < rule.params) => {
                        format!("this is{} {name}", not(yes))
                    }
                    _ => format!("{name} is {}", if yes { "yes" } else { "no" }),
                }
            }
            ExprKind::Column(..)
            | ExprKind::Element(Array::Table(_) | Array::Local(_), _)
            | ExprKind::Constant(_) => {
                format!("{} is {}", self.phrase_value(expr), if yes { "yes" } else { "no" })
            }
            ExprKind::Call(id, args) => {
                let rule = &self.book.rules.rules[id.index()];
                // What the player has is no news beside the player: `has_arrived(me, me.at)`.
                let told = match args.as_slice() {
                    [who, own] if is_of_player(own, who) && !self.book.keeps_names => &args[..1],
                    args => args,
                };
                let of: Vec<String> = told.iter().map(|arg| self.phrase_operand(arg)).collect();
                property(rule, &of, yes).unwrap_or_else(|| match of.as_slice() {
                    [_, _, ..] if !self.book.keeps_names => {
                        let name = title_or_name(&rule.title, &rule.name);
                        let of = self.phrase_arguments_but_you(rule, args);
                        format!("*{name}* {holds} for {of}")
                    }
                    _ => format!("{} {holds}", self.phrase_operand(expr)),
                })
            }
            _ => format!("{} {holds}", self.phrase_operand(expr)),
        }
    }

    fn join_conditions(self, parts: &[(&Expr, bool)], both: bool) -> TightPhrase {
        if let [(only, yes)] = parts {
            return self.budgeted_claim(only, *yes);
        }
        let mut claims = self.phrase_claims(parts);
        if !self.book.keeps_names {
            say_once(&mut claims);
        }
        let (word, tightness) =
            if both { (" and ", Tightness::And) } else { (" or ", Tightness::Or) };
        (join_words(claims, word), tightness)
    }

    /// What has to hold for a member of a set: ` for which …`, or nothing.
    pub(super) fn phrase_conditions<'e>(
        self,
        binder: &Binder,
        conditions: impl Iterator<Item = (&'e Expr, bool)>,
    ) -> String {
        let is_open = |(it, yes): &(&Expr, bool)| self.book.truth(it) != Some(*yes);
        let open = conditions.filter(is_open).collect::<Vec<_>>();
        if open.is_empty() {
            return String::new();
        }
        let all = |(it, yes): &(&'e Expr, bool)| match self.book.split_conditions(it, *yes) {
            (true, parts) => parts,
            (false, _) => vec![(*it, *yes)],
        };
        let open: Vec<_> = open.iter().flat_map(all).collect();
        let claims = match open.as_slice() {
            [_, _, ..] if !self.book.keeps_names => {
                let mut claims = self.phrase_claims(&open);
                say_once(&mut claims);
                joined(&claims, " and ")
            }
            _ => self.join_conditions(&open, true).0,
        };
        if claims.starts_with("for ") {
            return format!(" such that{LINK} {claims}");
        }
        let is_player = self.noun_of(binder.local) == "player";
        format!(" for {} {claims}", if is_player { "whom" } else { "which" })
    }

    /// Turns the conditions on one member into a relative clause: ` for whom *p* is …` into ` who is …`, ` for which
    /// the cost of *c* is …` into ` whose cost is …`.
    pub(super) fn of_one(self, binder: &Binder, marked: String) -> String {
        let asked = unmarked(&marked);
        let local = format!("{} ", self.phrase_local(binder.local));
        let of_it = asked.strip_prefix(" for whom the ").or(asked.strip_prefix(" for which the "));
        let of_it = of_it.and_then(|it| it.split_once(&format!(" of {local}")));
        if let Some((what, rest)) = of_it {
            let loose = ["(", " of ", " for ", " in ", " on "];
            // `a fruit in the bag of *p* whose cost …` could be the cost of *p*.
            let set = self.phrase_value(&binder.set);
            let is_plain = loose.iter().all(|it| !what.contains(it))
                && !set.contains('*')
                && !set.contains("that ");
            if is_plain && !rest.contains(local.trim()) && local != "you " {
                return format!(" whose {what} {rest}");
            }
        }
        let of_call = [" for whom *", " for which *"].iter().find_map(|it| asked.strip_prefix(it));
        if let Some((what, rest)) = of_call.and_then(|it| it.split_once(&format!("* of {local}")))
            && !self.book.keeps_names
            && ["is ", "are "].iter().any(|verb| rest.starts_with(verb))
            && !rest.contains(local.trim())
            && !what.contains('*')
        {
            return format!(" whose *{what}* {rest}");
        }
        for (long, short) in [(" for whom ", " who "), (" for which ", " that ")] {
            let rest = asked.strip_prefix(long).and_then(|it| it.strip_prefix(&local));
            if let Some(rest) = rest.filter(|it| !it.contains(local.trim()) && local != "you ") {
                return format!("{short}{rest}");
            }
        }
        let whom = [" for which", " for whom"].into_iter().find(|it| marked.starts_with(it));
        let Some(whom) = whom.filter(|_| !self.book.keeps_names) else { return marked };
        let rest = &marked[whom.len()..];
        match local.trim() {
            name if name.starts_with("that ") && whom == " for which" => {
                format!("{whom}{LINK}{}", pronoun(rest, name))
            }
            _ => format!("{whom}{LINK}{rest}"),
        }
    }

    /// Turns the conditions on several members into a clause: `the players who are …`.
    pub(super) fn of_many(self, binder: &Binder, asked: String) -> String {
        if self.book.keeps_names {
            return asked;
        }
        let asked = self.of_one(binder, asked);
        for word in [" who ", " that "] {
            let Some(rest) = asked.strip_prefix(word) else { continue };
            let forms =
                [("is ", "are "), ("has ", "have "), ("does ", "do "), ("belongs ", "belong ")];
            let form = forms.iter().find_map(|(one, many)| Some((many, rest.strip_prefix(one)?)));
            if let Some((verb, rest)) = form {
                return format!("{word}{verb}{rest}");
            }
        }
        asked
    }

    /// The name of a member that a fold looks for: `Knight`.
    pub(super) fn phrase_sought(self, binder: &Binder, body: &[Expr]) -> Option<String> {
        let (thing, value) = self.named_equal(binder, body)?;
        let is_whole = matches!(binder.set.kind, ExprKind::Whole(_) | ExprKind::Filter(_));
        (!is_whole && self.book.known_value(value).is_some()).then_some(thing)
    }

    /// The member that the only condition compares with.
    pub(super) fn named_equal<'e>(
        self,
        binder: &'e Binder,
        body: &'e [Expr],
    ) -> Option<(String, &'e Expr)> {
        let mut asked = binder.condition.as_deref().into_iter().chain(body);
        let (only, None) = (asked.next()?, asked.next()) else { return None };
        let ExprKind::Binary(BinaryOp::Equal, a, b) = &only.kind else { return None };
        let is_it =
            a.reads_local(binder.local) && self.phrase_value(a) == self.phrase_local(binder.local);
        (is_it && !b.reads_local(binder.local) && !self.book.keeps_names)
            .then(|| (self.phrase_value(b), b.as_ref()))
    }

    pub(super) fn phrase_quantifier(
        self,
        word: FoldWord,
        binder: &Binder,
        body: &[Expr],
        yes: bool,
    ) -> String {
        // What does not hold for every one fails for one of them.
        let (asked, is_any) = ((word == FoldWord::Any) == yes, word == FoldWord::Any);
        if !is_any && yes {
            let claims = body.iter().map(|condition| self.budgeted_claim(condition, true).0);
            let (claims, name) = (join_words(claims, " and "), self.phrase_local(binder.local));
            let claims = match name.as_str() {
                name if name.starts_with("that ") => pronoun(&claims, name),
                _ => claims,
            };
            return format!("for {}, {claims}", self.phrase_each(binder, "every"));
        }
        if let Some(thing) = self.phrase_sought(binder, body).filter(|_| is_any) {
            let thing = if asked { one(&thing) } else { format!("no {thing}") };
            return format!("there is {thing} in {}", self.placed(&binder.set, Tightness::Range));
        }
        let over = self.phrase_over(binder, if asked { "a" } else { "no" });
        let own = binder.condition.iter().map(|it| (it.as_ref(), true));
        let asked = own.chain(body.iter().map(|it| (it, is_any)));
        format!("there is {over}{}", self.of_one(binder, self.phrase_conditions(binder, asked)))
    }
}

/// `it` for a name, unless the word means something else there.
fn pronoun(text: &str, name: &str) -> String {
    let is_taken = text.split(|sign: char| !sign.is_alphanumeric()).any(|word| word == "it");
    if is_taken { text.to_owned() } else { text.replace(name, "it") }
}

/// The clause of a rule named like `is_over` or `may_play` of one or two arguments: who may do what, or what one thing
/// is.
pub(super) fn property(rule: &Rule, of: &[String], yes: bool) -> Option<String> {
    let name = title_or_name(&rule.title, &rule.name);
    let (is_player, acts) = (
        rule.params > 0 && rule.locals[0].ty == Type::Kind(PLAYER),
        ["can ", "may ", "must "].iter().any(|verb| name.starts_with(verb)),
    );
    let is_plain = if acts { is_player && of.len() <= 2 } else { of.len() <= 1 };
    if !is_plain || rule.returns != Type::Bool {
        return None;
    }
    let said = predicate(&name, of.first().map_or("the game", String::as_str), yes)?;
    Some(of.iter().skip(1).fold(said, |said, of| format!("{said} {of}")))
}

/// Claims with marks where they may be broken.
pub(super) fn joined(claims: &[String], between: &str) -> String {
    format!("{OPEN}{}{CLOSE}", claims.join(&format!("{NEXT}{between}")))
}

/// `the water is 3 or the water is 4` is `the water is 3 or 4`.
fn say_once(claims: &mut [String]) {
    for at in (1..claims.len()).rev() {
        let [before, claim] = &mut claims[at - 1..=at] else { continue };
        let is_plain = |text: &str| !text.contains(['(', OPEN]) && !text.contains(" and ");
        let shared = [" is ", " are "].iter().find_map(|verb| {
            let (subject, rest) = claim.split_once(verb)?;
            let same = before.split_once(verb).is_some_and(|(other, _)| other == subject);
            (same && is_plain(before) && is_plain(rest)).then(|| rest.to_owned())
        });
        if let Some(rest) = shared {
            *claim = rest;
        }
    }
}

/// Whether a value is a variable of a player: `me.at` of `me`.
fn is_of_player(value: &Expr, player: &Expr) -> bool {
    match (&value.kind, player.as_local()) {
        (ExprKind::Element(Array::Var(_), of), Some(player)) => {
            matches!(of.as_slice(), [owner] if owner.is_local(player))
        }
        _ => false,
    }
}

pub(super) fn not(yes: bool) -> &'static str {
    if yes { "" } else { " not" }
}

pub(super) fn listing(count: usize) -> Tightness {
    if count > 1 { Tightness::Or } else { Tightness::Comparison }
}

fn flatten<'e>(expr: &'e Expr, yes: bool, both: bool, parts: &mut Vec<(&'e Expr, bool)>) {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Not, of) => flatten(of, !yes, both, parts),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b)
            if matches!(expr.kind, ExprKind::Binary(BinaryOp::And, ..)) == (yes == both) =>
        {
            flatten(a, yes, both, parts);
            flatten(b, yes, both, parts);
        }
        _ => parts.push((expr, yes)),
    }
}
