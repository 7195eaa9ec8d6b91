//! Phrases loops and turns as clauses.

use crate::rulebook::english::{capitalised, is, plural};
use crate::rulebook::values::said_in_table;
use crate::rulebook::words::StepPhraser;
use crate::rulebook::{Book, title_or_name};
use crate::rules::{Array, Binder, Expr, ExprKind, LocalId, Rule, Stmt, StmtKind, Type};

impl Book<'_> {
    /// A loop that counts in a variable, as people count: `in each of 3 rounds`.
    fn rounds<'s>(&self, stmt: &'s Stmt) -> Option<(String, &'s [Stmt])> {
        let StmtKind::For { binder, from: None, body } = &stmt.kind else { return None };
        let (first, rest) = body.split_first()?;
        let StmtKind::Assign(place, value) = &first.kind else { return None };
        let (ExprKind::Interval(..), ExprKind::Element(Array::Var(counter), of)) =
            (&binder.set.kind, &place.kind)
        else {
            return None;
        };
        let var = &self.rules.vars[counter.index()];
        let mut is_named = false;
        rest.iter()
            .for_each(|stmt| stmt.visit_exprs(&mut |part| is_named |= part.is_local(binder.local)));
        if !of.is_empty() || !value.is_local(binder.local) || is_named || self.keeps_names {
            return None;
        }
        // The note of the count is a step of its own.
        let rest = if self.note_at(first.span).is_some() { body } else { rest };
        let count = self.set_length(&binder.set)?;
        let rounds = plural(&title_or_name(&var.title, &var.name));
        Some((format!("in each of {count} {rounds}"), rest))
    }
}

impl StepPhraser<'_> {
    /// What is done for what may be none.
    fn phrase_if_there(self, binder: &Binder) -> String {
        let (thing, name) =
            (self.words.phrase_value(&binder.set), self.words.phrase_local(binder.local));
        let mut clause = match &binder.set.kind {
            ExprKind::Element(Array::Var(_), _) => {
                format!("if {} not empty (call it {name})", is(&thing))
            }
            // What is there has the same name.
            _ if name == thing => format!("if {}", self.book.phrase_existence(&thing, true)),
            _ => format!("if {} (call it {name})", self.book.phrase_existence(&thing, true)),
        };
        let condition = binder.condition.as_ref();
        clause.extend(condition.map(|it| format!(" and {}", self.words.phrase_condition(it))));
        clause
    }

    /// What is done again and again, and how often.
    pub(super) fn loop_of(self, stmt: &Stmt) -> Option<(String, &[Stmt])> {
        let words = self.words;
        if let Some(rounds) = self.book.rounds(stmt) {
            return Some(rounds);
        }
        Some(match &stmt.kind {
            StmtKind::For { binder, body, .. } if words.moved_goods(binder, body).is_some() => {
                return None;
            }
            StmtKind::For { binder, from: Some(first), body }
                if let Some(others) = words.others_from(&binder.set, first, binder) =>
            {
                (format!("for each {others}"), body)
            }
            StmtKind::For { binder, from, body } => {
                let mut clause = if matches!(binder.set.ty, Type::Maybe(_)) {
                    self.phrase_if_there(binder)
                } else {
                    format!("for {}", words.phrase_each(binder, "each"))
                };
                clause.extend(from.iter().map(|it| words.phrase_start(it, binder)));
                (clause, body)
            }
            StmtKind::Times(count, body) => {
                let times = words.phrase_operand(count);
                match times.parse::<u64>() {
                    Ok(times) => (format!("{times} times"), body),
                    Err(_) if self.book.is_agreed(count) => (format!("{times} times"), body),
                    Err(_) => (format!("as many times as {}", said_in_table(&times)), body),
                }
            }
            StmtKind::While(condition, body) => {
                (format!("as long as {}", words.phrase_condition(condition)), body)
            }
            StmtKind::Repeat(body, None) => ("again and again".to_owned(), body),
            StmtKind::Repeat(body, Some(until)) => {
                (format!("again and again, until {}", words.phrase_condition(until)), body)
            }
            StmtKind::Turns { local, from, backwards, condition, body } => {
                (self.phrase_turns(*local, from, *backwards, condition.as_ref()), body)
            }
            _ => return None,
        })
    }

    fn phrase_turns(
        self,
        local: LocalId,
        from: &Expr,
        backwards: bool,
        who: Option<&Expr>,
    ) -> String {
        let is_flow_itself = |rule: &Rule| {
            rule.body
                .iter()
                .any(|it| matches!(&it.kind, StmtKind::Turns { local: own, .. } if *own == local))
        };
        // Setting up tells who begins.
        let is_told = !self.tells_first && self.words.rule.is_some_and(is_flow_itself);
        let first = match &from.kind {
            ExprKind::Random(set) if matches!(set.kind, ExprKind::Whole(_)) => {
                "a player drawn at random begins".to_owned()
            }
            _ => format!("{} begins", self.words.phrase_value(from)),
        };
        let name = self.words.phrase_local(local);
        let (has, whose) = match name.as_str() {
            "you" => ("you have".to_owned(), "your turn".to_owned()),
            name => (format!("{name} has"), format!("the turn of {name}")),
        };
        let only = |who| {
            format!(" {} a turn only if {}.", capitalised(&has), self.words.phrase_condition(who))
        };
        let who = who.map(only).unwrap_or_default();
        let way = if backwards { ", the other way round" } else { "" };
        let first = if is_told { String::new() } else { format!("; {first}") };
        format!("players take turns round the table{way}{first}.{who} In {whose}")
    }
}
