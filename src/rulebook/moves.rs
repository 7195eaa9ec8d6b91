//! The moves: who decides, what there is to choose from, when it is allowed, what it does.

use crate::rulebook::english::{
    capitalised, does, headed, is_many, join_words, lowered, one, sentence,
};
use crate::rulebook::offers::group_arguments;
use crate::rulebook::steps::behind_colon;
use crate::rulebook::words::{StepPhraser, names_many};
use crate::rulebook::{Book, title_or_name};
use crate::rules::visit::{any_stmt, visit_choices};
use crate::rules::{
    BinaryOp, Choose, Clause, Expr, ExprKind, Group, LocalId, MoveOption, PLAYER, Pick, Rule,
    SetOp, Stmt, StmtKind, TextPart, Type, Value,
};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn decisions(rule: &Rule) -> Vec<Choose> {
    let mut found = Vec::new();
    visit_choices(&rule.body, &mut |choose| found.push(choose.clone()));
    found
}

pub(super) fn picks(rule: &Rule) -> Vec<Pick> {
    let mut found = Vec::new();
    rule.visit_exprs(&mut |expr| {
        if let ExprKind::Pick(pick) = &expr.kind {
            found.push(pick.as_ref().clone());
        }
    });
    found
}

impl Book<'_> {
    /// Whether a move can be legal in some setting that the book is for.
    pub(super) fn is_possible(&self, option: &MoveOption) -> bool {
        let never = |expr: &Expr| self.truth(expr) == Some(false);
        let mut empty = BTreeSet::new();
        !option.clauses.iter().any(|clause| match clause {
            Clause::When(condition) => never(condition),
            Clause::Let(local, value) => {
                if self.is_empty_set(value, &empty) {
                    empty.insert(*local);
                }
                false
            }
            Clause::For(binder) => {
                binder.condition.as_deref().is_some_and(never)
                    || self.is_empty_set(&binder.set, &empty)
            }
            Clause::Maybe(_) => false,
        })
    }

    /// Whether a set has no members in any setting, where some locals hold none.
    fn is_empty_set(&self, set: &Expr, empty: &BTreeSet<LocalId>) -> bool {
        let is_empty = |of: &Expr| self.is_empty_set(of, empty);
        match &set.kind {
            ExprKind::Local(local) => empty.contains(local),
            ExprKind::Filter(binder) => is_empty(&binder.set),
            ExprKind::Binary(BinaryOp::Set(SetOp::Common), a, b) => is_empty(a) || is_empty(b),
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), a, _) => is_empty(a),
            ExprKind::If(condition, then, otherwise) => match self.truth(condition) {
                Some(truth) => is_empty(if truth { then } else { otherwise }),
                None => is_empty(then) && is_empty(otherwise),
            },
            ExprKind::SetOf(items) => items.is_empty(),
            ExprKind::Value(Value::Set(members)) => members.is_empty(),
            _ => false,
        }
    }

    /// Whether a decision has no move that is ever possible.
    pub(super) fn offers_nothing(&self, choose: &Choose) -> bool {
        !choose.options.iter().any(|option| self.is_possible(option))
    }

    /// Whether a rule does nothing in any setting: what it offers is never possible.
    pub(super) fn is_idle(&self, rule: &Rule) -> bool {
        let is_idle = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Choose(choose) => {
                let others = choose.decline.iter().map(|it| &it.body).chain(&choose.otherwise);
                self.offers_nothing(choose) && others.into_iter().all(Vec::is_empty)
            }
            _ => false,
        };
        !rule.body.is_empty() && rule.body.iter().all(is_idle)
    }
}

impl StepPhraser<'_> {
    /// Whether there is nothing more to say of a rule than its decision.
    pub(super) fn is_one_decision(self, rule: &Rule) -> bool {
        let steps = self.phrase_steps(&rule.body);
        let loops = |it: &Stmt| {
            matches!(it.kind, StmtKind::While(..) | StmtKind::Repeat(..) | StmtKind::Times(..))
        };
        rule.notes.is_empty()
            && !any_stmt(&rule.body, |it| loops(it) && self.book.note_at(it.span).is_some())
            && (steps.len() == 1
                || matches!(rule.body.as_slice(), [only] if matches!(only.kind, StmtKind::Choose(_))))
            && steps.iter().all(|step| step.below.is_empty())
    }

    pub(super) fn phrase_decider(self, choose: &Choose) -> String {
        match &choose.each {
            // Nobody waits for a turn.
            Some(each) => self.words.phrase_each(each, "each").replace(" in turn", ""),
            None => self.words.phrase_value(&choose.chooser),
        }
    }

    /// What a decision offers, by name; a group is one.
    pub(super) fn list_options(self, choose: &Choose) -> Vec<String> {
        let possible = choose.options.iter().filter(|option| self.book.is_possible(option));
        let line = |option: &MoveOption| match self.book.group_around(option.span) {
            Some(group) => format!("**{}**", title_or_name("", &group.name)),
            None => self.words.phrase_label(&option.name, option.template.as_ref()),
        };
        let mut lines: Vec<String> = possible.map(line).collect();
        lines.dedup();
        lines
    }

    pub(super) fn choices(self, choose: &Choose) -> String {
        if self.book.offers_nothing(choose) {
            return String::new();
        }
        let mut text = format!("{}\n\n", self.opening(choose));
        let mut shown = BTreeSet::new();
        for option in choose.options.iter().filter(|option| self.book.is_possible(option)) {
            match self.book.group_around(option.span) {
                Some(group) if shown.insert(group.span) => {
                    let (name, given) = (title_or_name("", &group.name), self.phrase_given(option));
                    let moves = if is_many(&format!("the {name}")) { "" } else { "moves of " };
                    text.extend([format!("- any of the {moves}**{name}**{given}\n")]);
                }
                Some(_) => {}
                None => text.push_str(&self.render_option(option)),
            }
        }
        // What happens where nothing else is possible stands above the way out, which is always possible.
        text.push_str(&self.phrase_if_none(choose));
        text.push_str(&self.phrase_decline(choose));
        format!("{text}\n")
    }

    /// What happens where no move is possible: nothing, if the file has no other steps for it.
    fn phrase_if_none(self, choose: &Choose) -> String {
        let steps = choose.otherwise.as_ref().map(|it| self.otherwise(it)).unwrap_or_default();
        let clause = match (choose.options.as_slice(), self.phrase_decider(choose).as_str()) {
            ([_], "you") => "If you cannot",
            (_, "you") => "If you can do none of these",
            _ => "If none of these is possible",
        };
        if !steps.is_empty() {
            return format!("- {clause}:{}", behind_colon(&steps));
        }
        match (&choose.otherwise, &choose.decline) {
            (Some(_), None) => format!("- {clause}, nothing happens.\n"),
            _ => String::new(),
        }
    }

    pub(super) fn opening(self, choose: &Choose) -> String {
        let who = self.phrase_decider(choose);
        let how = if choose.each.is_some() {
            format!("{who} chooses at the same time, unseen by the others")
        } else if choose.order.is_some() {
            format!("all of this that applies happens; {} the order", does(&who, "pick"))
        } else {
            // What is the only move is done.
            let only = choose.options.len() == 1 && choose.decline.is_none();
            format!("{}{}", does(&who, "choose"), if only { "" } else { " one" })
        };
        let question = choose.prompt.as_ref().and_then(|prompt| self.plain_question(prompt));
        let question = question.map(|it| format!(" “{it}”"));
        format!("{}:{}", capitalised(&how), question.unwrap_or_default())
    }

    /// The question, unless it needs words of play to be understood.
    fn plain_question(self, prompt: &Expr) -> Option<String> {
        match &prompt.kind {
            ExprKind::Text(parts) => {
                let plain = parts.iter().all(|part| matches!(part, TextPart::Words(_)));
                plain.then(|| self.words.phrase_text(parts))
            }
            ExprKind::Value(value) => Some(self.book.describe_value(value, &prompt.ty)),
            _ => None,
        }
    }

    pub(super) fn phrase_decline(self, choose: &Choose) -> String {
        let Some(decline) = &choose.decline else { return String::new() };
        let when = match decline.condition.as_ref().map(|it| (self.book.truth(it), it)) {
            Some((Some(false), _)) => return String::new(),
            // The note says that it is agreed.
            Some(_) if self.book.note_at(decline.span).is_some_and(|it| it.contains("agree")) => {
                String::new()
            }
            Some((None, condition)) => {
                format!(" (only if {})", self.words.phrase_condition(condition))
            }
            None if decline.alone => " (only if nothing else is possible)".to_owned(),
            _ => String::new(),
        };
        let name = self.words.phrase_label(&decline.name, decline.template.as_ref());
        let steps = match self.book.note_at(decline.span) {
            Some(note) => format!(" {}\n", sentence(&note)),
            None if decline.body.iter().all(ends_only) => return format!("- Or {name}{when}.\n"),
            None => behind_colon(&self.phrase_steps(&decline.body)),
        };
        format!("- Or {name}{when}:{steps}")
    }

    pub(super) fn phrase_pick(self, pick: &Pick) -> String {
        let chooses = capitalised(&does(&self.words.phrase_value(&pick.chooser), "choose"));
        let name = title_or_name("", &pick.name);
        let thing = match (&pick.set.kind, &pick.set.ty) {
            _ if let Some(part) = self.phrase_picked_part(&pick.set) => part,
            (ExprKind::Whole(domain), _) => one(&self.book.noun(*domain)),
            (_, Type::Set(domain)) => match self.words.phrase_operand(&pick.set) {
                one_of if ARTICLES.iter().any(|word| one_of.starts_with(word)) => one_of,
                set if names_many(&set, &self.book.noun(*domain)) => {
                    format!("one of the {}", set.trim_start_matches("the "))
                }
                set => format!("{} of {set}", one(&self.book.noun(*domain))),
            },
            _ => format!("one of {}", self.words.phrase_operand(&pick.set)),
        };
        // `a die (die)` says no more.
        if thing == one(&name) {
            return format!("{chooses} {thing}.\n\n");
        }
        format!("{chooses} {thing} (**{name}**).\n\n")
    }

    /// Several members that are picked at once: `any 2 cards of your hand`.
    fn phrase_picked_part(self, set: &Expr) -> Option<String> {
        match &set.kind {
            ExprKind::Filter(binder) => self.words.so_many(binder),
            _ => self.words.so_many_of(set, None, None),
        }
    }

    /// What a group was given, where it is offered.
    fn phrase_given(self, option: &MoveOption) -> String {
        let given = group_arguments(option).filter_map(|(local, value)| {
            let (name, thing) = (self.words.phrase_local(local), self.words.phrase_value(value));
            if !self.book.keeps_names {
                let is_told = matches!(value.ty, Type::Kind(PLAYER)) || name == thing;
                return (!is_told)
                    .then(|| format!("{}: {thing}", lowered(&self.words.label_of(local))));
            }
            let says_more = name != thing && name != "you" && name != "*me*";
            says_more.then(|| format!("{name} is {thing}"))
        });
        let given = join_words(given, "; ");
        if given.is_empty() { given } else { format!(" ({given})") }
    }

    fn for_group(self, option: &MoveOption) -> Self {
        StepPhraser { words: self.words.for_group(option), ..self }
    }

    /// The groups of moves that a decision includes, if they were not shown yet.
    pub(super) fn groups(self, choose: &Choose, shown: &mut BTreeSet<Span>) -> Vec<String> {
        let mut new: Vec<(&Group, Vec<&MoveOption>)> = Vec::new();
        let mut numbers = BTreeMap::new();
        for option in &choose.options {
            let Some(group) = self.book.group_around(option.span) else { continue };
            if shown.insert(group.span) {
                numbers.insert(group.span, new.len());
                new.push((group, Vec::new()));
            }
            if let Some(number) = numbers.get(&group.span) {
                new[*number].1.push(option);
            }
        }
        let mut parts = Vec::new();
        for (group, inside) in new {
            let inside = inside.into_iter().filter(|option| self.book.is_possible(option));
            let text: String = inside.map(|it| self.for_group(it).render_option(it)).collect();
            parts.push(headed(&title_or_name("", &group.name), &group.notes, &text));
        }
        parts
    }
}

/// A note that begins so tells of one thing of a set.
const ARTICLES: [&str; 5] = ["a ", "an ", "any ", "another ", "one "];

/// Whether a statement does no more than leave the place where it stands.
fn ends_only(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(None))
}
