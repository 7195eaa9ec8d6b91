//! Rules that others name or follow, with what they are about: `**Draw** for that player and 2`.

use crate::check::note_names::{akin, words_said};
use crate::rulebook::english::{join_list, join_words};
use crate::rulebook::title_or_name;
use crate::rulebook::words::Phraser;
use crate::rules::visit::visit_stmts;
use crate::rules::{Expr, LocalId, PLAYER, Rule, StmtKind, Type};
use crate::source::Span;
use crate::syntax::Tightness;

impl Phraser<'_> {
    /// What a rule is about: `a, b, (c if p, otherwise d)`.
    pub(super) fn phrase_arguments(self, args: &[Expr]) -> String {
        match args {
            [only] => self.phrase_value(only),
            several => {
                join_words(several.iter().map(|arg| self.placed(arg, Tightness::Open)), ", ")
            }
        }
    }

    pub(super) fn phrase_call(self, rule: &Rule, args: &[Expr]) -> String {
        let name = title_or_name(&rule.title, &rule.name);
        let name = format!("*{}*", name.strip_suffix(" of").unwrap_or(&name));
        match args {
            [] => name,
            [of] => match self.phrase_operand(of).as_str() {
                "you" => format!("your {name}"),
                of => format!("{name} of {of}"),
            },
            several if self.book.keeps_names => {
                format!("{name} ({})", self.phrase_arguments(several))
            }
            several => format!("{name} for {}", self.phrase_arguments_but_you(rule, several)),
        }
    }

    /// What a rule is about, without the player whom it speaks to. Where a value of a player is looked up, the one
    /// whom all is about needs no name.
    pub(super) fn phrase_arguments_but_you(self, rule: &Rule, args: &[Expr]) -> String {
        let you = Phraser::for_rule(self.book, rule).you;
        let is_own = |arg: &Expr| {
            let own = self.you.or((self.rule?.params > 0).then_some(LocalId(0)))?;
            Some(arg.is_local(own) && arg.ty == Type::Kind(PLAYER))
        };
        let is_known = |at: usize, arg: &Expr| {
            you == Some(LocalId::at(at)) && self.phrase_value(arg) == "you"
                || at == 0 && args.len() > 1 && rule.effects.is_pure() && is_own(arg) == Some(true)
        };
        let (mut things, mut sets, mut ways) = (Vec::new(), Vec::new(), Vec::new());
        // A bag is an amount of each good there: nobody counts them up, the rule says which bag it means.
        let bags = (0..rule.params).filter_map(|at| Some((at, rule.locals[at].bag?)));
        let bags = bags.map(|(at, of)| at..at + self.book.lookup_kind(of).own_members().len());
        let bags: Vec<_> = bags.collect();
        let is_bag = |at: usize| bags.iter().any(|it| it.contains(&at));
        let said = (!rule.notes.is_empty()).then(|| words_said("", &rule.notes));
        for (at, arg) in
            args.iter().enumerate().filter(|(at, arg)| !is_known(*at, arg) && !is_bag(*at))
        {
            let name = rule.locals[at].name.replace('_', " ");
            // A note has words of its own for a way; nobody knows the name of the file.
            let is_named = said.as_ref().is_none_or(|it| {
                let is_said = |word| it.iter().any(|other| akin(other, word));
                name.split(' ').all(is_said) || self.tells_case(rule, it, LocalId::at(at))
            });
            match self.book.truth(arg).filter(|_| arg.ty == Type::Bool) {
                Some(_) if !is_named => {}
                Some(true) => ways.push(name),
                Some(false) => ways.push(format!("not {name}")),
                // The note says which set it means.
                None if matches!(arg.ty, Type::Set(_) | Type::List(..)) => {
                    sets.extend(said.is_none().then(|| self.placed(arg, Tightness::From)));
                }
                None => things.push(self.phrase_operand(arg)),
            }
        }
        let ways = if ways.is_empty() { String::new() } else { format!(" ({})", ways.join(", ")) };
        let things = [join_list(things, "and")].into_iter().filter(|it| !it.is_empty());
        (join_words(things.chain(sets), ", for ") + &ways).trim_start().to_owned()
    }

    /// Whether the book tells the case of a parameter below the note of a rule, or among its moves.
    fn tells_case(self, rule: &Rule, said: &[String], way: LocalId) -> bool {
        let (mut cases, mut moves) = (Vec::new(), Vec::new());
        visit_stmts(&rule.body, &mut |stmt| match &stmt.kind {
            StmtKind::If { condition, .. } if condition.reads_local(way) => cases.push(stmt.span),
            StmtKind::Choose(_) => moves.push(stmt.span),
            _ => {}
        });
        let code = self.book.noted_code(rule, said);
        let told = code.unsaid_effects(&rule.body);
        let is_in =
            |inner: Span, outer: &Span| outer.start <= inner.start && inner.end <= outer.end;
        cases.iter().any(|case| {
            told.iter().any(|it| is_in(it.span, case)) || moves.iter().any(|it| is_in(*case, it))
        })
    }
}
