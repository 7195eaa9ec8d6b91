//! The moves: who decides, what there is to choose from, when it is allowed, what it does.

use crate::rulebook::english::{
    capitalised, does, headed, is_many, join_list, join_words, lowered, one, sentence,
};
use crate::rulebook::offers::group_arguments;
use crate::rulebook::said::MOST_WORDS_SAID;
use crate::rulebook::steps::behind_colon;
use crate::rulebook::words::{Phraser, names_many};
use crate::rulebook::{Book, title_or_name};
use crate::rules::visit::{any_stmt, visit_choices};
use crate::rules::{
    Array, BinaryOp, Block, Choose, Clause, Expr, ExprKind, Group, LocalId, MoveOption, PLAYER,
    Pick, Rule, SetOp, Stmt, StmtKind, TextPart, Type, Value,
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

impl Phraser<'_> {
    /// The decisions of a block in the order of the file, each behind the clauses that lead to it.
    pub(super) fn questions(self, block: &[Stmt], around: &mut Vec<String>, text: &mut String) {
        let outside = around.len();
        for stmt in block {
            let mut within = |clause: String, block: &[Stmt]| {
                around.push(clause);
                self.questions(block, around, text);
                around.pop();
            };
            match &stmt.kind {
                StmtKind::While(asked, _) if self.book.truth(asked) == Some(false) => {}
                _ if let Some(note) = self.note_of_lead(stmt) => {
                    self.noted_questions(stmt, &note, around, text);
                }
                // Without steps, nothing else says how often this is asked.
                _ if let Some((clause, body)) = self.how_often_asked(stmt) => within(clause, body),
                StmtKind::If { condition, then, otherwise } => match self.book.truth(condition) {
                    Some(truth) => {
                        self.questions(if truth { then } else { otherwise }, around, text);
                    }
                    None => {
                        within(format!("if {}", self.phrase_condition(condition)), then);
                        within(format!("if {}", self.phrase_negated(condition)), otherwise);
                    }
                },
                StmtKind::Match { subject, arms } => arms.iter().for_each(|arm| {
                    within(format!("for {}", self.book.patterns(arm, &subject.ty)), &arm.body);
                }),
                StmtKind::For { binder, body, .. } if asks(body, binder.local) => {
                    // A long clause is one that the rule's own words have to tell.
                    match self.loop_of(stmt).filter(|(it, _)| is_short(it)) {
                        Some((clause, body)) => within(clause, body),
                        None => self.questions(body, around, text),
                    }
                }
                StmtKind::Choose(choose) => {
                    text.push_str(&self.book.write_piece(|| self.question_of(stmt, around)));
                    for (label, body) in self.bodies_of(choose) {
                        self.questions(body, &mut vec![label], text);
                    }
                }
                _ => {
                    text.push_str(&self.book.write_piece(|| self.question_of(stmt, around)));
                    stmt.blocks().iter().for_each(|inner| self.questions(inner, around, text));
                }
            }
            around.extend(self.phrase_unless(stmt));
        }
        around.truncate(outside);
    }

    /// What follows each move of a decision, behind the clause that says so.
    fn bodies_of(self, choose: &Choose) -> Vec<(String, &Block)> {
        let after = |name: &str, template: Option<&Expr>| {
            format!("after {}", self.phrase_label(name, template))
        };
        let possible = choose.options.iter().filter(|it| self.book.is_possible(it));
        let moves = possible.map(|it| (after(&it.name, it.template.as_ref()), &it.body));
        let decline = choose.decline.iter();
        let decline = decline.map(|it| (after(&it.name, it.template.as_ref()), &it.body));
        let otherwise = choose.otherwise.iter();
        let otherwise = otherwise.map(|body| ("if no move is possible".to_owned(), body));
        moves.chain(decline).chain(otherwise).collect()
    }

    /// How often something is asked in a loop, where no step says so. Beside a note it is told in few words: no count
    /// of the file ends it.
    fn how_often_asked(self, stmt: &Stmt) -> Option<(String, &[Stmt])> {
        let rule = self.rule?;
        let (clause, body) = self.loop_of(stmt).filter(|(clause, _)| clause != "1 times")?;
        // Beside a note, who is asked one after the other is told otherwise.
        let goes_through = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::Turns { .. });
        if rule.notes.is_empty() {
            return (self.is_one_decision(rule) && self.book.note_at(stmt.span).is_none())
                .then_some((clause, body));
        }
        let is_plain =
            is_short(&clause) && !goes_through && !clause.starts_with("as many times as");
        let is_counted = |part: &Expr| match &part.kind {
            ExprKind::Element(Array::Var(id), _) => self.book.rules.vars[id.index()].undrawn,
            _ => part.as_local().is_some_and(|it| self.locals[it.index()].mutable),
        };
        let has = ["you have ", "there is ", "there are "].iter().any(|it| clause.contains(it));
        match &stmt.kind {
            StmtKind::While(asked, _) if !is_plain || !has && asked.any(is_counted) => {
                // The loop stops by itself where nothing is left to do.
                Some(("as long as possible".to_owned(), body))
            }
            _ => is_plain.then_some((clause, body)),
        }
    }

    /// What a statement asks, if it is a decision.
    fn question_of(self, stmt: &Stmt, around: &[String]) -> String {
        let asked = match &stmt.kind {
            StmtKind::Choose(choose) => self.choices(choose),
            StmtKind::Let(_, value) | StmtKind::Assign(_, value) => match &value.kind {
                ExprKind::Pick(pick) => self.phrase_pick(pick),
                _ => return String::new(),
            },
            _ => return String::new(),
        };
        match around {
            _ if asked.is_empty() => asked,
            [] => asked,
            around => {
                let length = |text: &str| text.split(' ').count();
                let all: usize = around.iter().map(|it| length(it) + 1).sum();
                let is_long =
                    all + length(asked.lines().next().unwrap_or_default()) > MOST_WORDS_SAID;
                let around = join_clauses(around, is_long);
                // A turn is no condition of its own.
                let is_apart = is_long && !around.ends_with(" turn");
                let last = if is_apart { ": " } else { ", " };
                capitalised(&format!("{around}{last}{}", lowered(&asked)))
            }
        }
    }

    /// What has to hold to go on behind a statement that can end the rule.
    pub(super) fn phrase_unless(self, stmt: &Stmt) -> Option<String> {
        let returns = |block: &Block| {
            block.last().is_some_and(|last| matches!(last.kind, StmtKind::Return(_)))
        };
        match &stmt.kind {
            StmtKind::If { condition, then, .. } if returns(then) => self
                .book
                .truth(condition)
                .is_none()
                .then(|| format!("if {}", self.phrase_negated(condition))),
            StmtKind::Choose(choose) => {
                let ends = choose.options.iter().filter(|option| returns(&option.body));
                let labels = ends.map(|it| self.phrase_label(&it.name, it.template.as_ref()));
                let labels = join_list(labels, "or");
                let chooses = does(&self.phrase_decider(choose), "choose");
                (!labels.is_empty()).then(|| format!("unless {chooses} {labels}"))
            }
            _ => None,
        }
    }

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
            Some(each) => self.phrase_each(each, "each").replace(" in turn", ""),
            None => self.phrase_value(&choose.chooser),
        }
    }

    /// What a decision offers, by name; a group is one.
    pub(super) fn list_options(self, choose: &Choose) -> Vec<String> {
        let possible = choose.options.iter().filter(|option| self.book.is_possible(option));
        let line = |option: &MoveOption| match self.book.group_around(option.span) {
            Some(group) => format!("**{}**", title_or_name("", &group.name)),
            None => self.phrase_label(&option.name, option.template.as_ref()),
        };
        let mut lines: Vec<String> = possible.map(line).collect();
        lines.dedup();
        lines
    }

    /// What a move is called where others are named beside it: as it is said, if that has words.
    pub(super) fn phrase_label(self, name: &str, template: Option<&Expr>) -> String {
        self.said_form(template).unwrap_or_else(|| format!("**{}**", title_or_name("", name)))
    }

    fn choices(self, choose: &Choose) -> String {
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
                plain.then(|| self.phrase_text(parts))
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
            Some((None, condition)) => format!(" (only if {})", self.phrase_condition(condition)),
            None if decline.alone => " (only if nothing else is possible)".to_owned(),
            _ => String::new(),
        };
        let name = self.phrase_label(&decline.name, decline.template.as_ref());
        let steps = match self.book.note_at(decline.span) {
            Some(note) => format!(" {}\n", sentence(&note)),
            None if decline.body.iter().all(ends_only) => return format!("- Or {name}{when}.\n"),
            None => behind_colon(&self.phrase_steps(&decline.body)),
        };
        format!("- Or {name}{when}:{steps}")
    }

    fn phrase_pick(self, pick: &Pick) -> String {
        let chooses = capitalised(&does(&self.phrase_value(&pick.chooser), "choose"));
        let name = title_or_name("", &pick.name);
        let thing = match (&pick.set.kind, &pick.set.ty) {
            _ if let Some(part) = self.phrase_picked_part(&pick.set) => part,
            (ExprKind::Whole(domain), _) => one(&self.book.noun(*domain)),
            (_, Type::Set(domain)) => match self.phrase_operand(&pick.set) {
                one_of if ARTICLES.iter().any(|word| one_of.starts_with(word)) => one_of,
                set if names_many(&set, &self.book.noun(*domain)) => {
                    format!("one of the {}", set.trim_start_matches("the "))
                }
                set => format!("{} of {set}", one(&self.book.noun(*domain))),
            },
            _ => format!("one of {}", self.phrase_operand(&pick.set)),
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
            ExprKind::Filter(binder) => self.so_many(binder),
            _ => self.so_many_of(set, None, None),
        }
    }

    /// What a group was given, where it is offered.
    fn phrase_given(self, option: &MoveOption) -> String {
        let given = group_arguments(option).filter_map(|(local, value)| {
            let (name, thing) = (self.phrase_local(local), self.phrase_value(value));
            if !self.book.keeps_names {
                let is_told = matches!(value.ty, Type::Kind(PLAYER)) || name == thing;
                return (!is_told).then(|| format!("{}: {thing}", lowered(&self.label_of(local))));
            }
            let says_more = name != thing && name != "you" && name != "*me*";
            says_more.then(|| format!("{name} is {thing}"))
        });
        let given = join_words(given, "; ");
        if given.is_empty() { given } else { format!(" ({given})") }
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

    /// The player that a group calls `me` is spoken to in it.
    pub(super) fn for_group(self, option: &MoveOption) -> Self {
        let mut given = group_arguments(option).map(|(local, _)| local);
        let me = given.find(|local| self.locals[local.index()].name == "me");
        Phraser { you: me.or(self.you), ..self }
    }
}

/// Clauses that lead to a question, one behind the other.
fn join_clauses(clauses: &[String], is_long: bool) -> String {
    let mut text = String::new();
    for (at, clause) in clauses.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| clauses[at].as_str());
        let is_if = clause.starts_with("if ");
        let follows = ["again and again", "as long as possible"].contains(&before)
            || clause.starts_with("for each")
            || is_if && !before.starts_with("if ");
        let between = match before {
            "" => "",
            _ if follows => ", ",
            _ if is_long && !is_if => ": ",
            _ => ", and ",
        };
        text.extend([between, clause]);
    }
    text
}

fn is_short(clause: &str) -> bool {
    clause.split(' ').count() < MOST_WORDS_SAID - WORDS_OF_A_QUESTION
}

/// A note that begins so tells of one thing of a set.
const ARTICLES: [&str; 5] = ["a ", "an ", "any ", "another ", "one "];

/// `that player chooses one`
const WORDS_OF_A_QUESTION: usize = 4;

/// Whether a block asks the player that a loop has come to.
fn asks(body: &Block, local: LocalId) -> bool {
    any_stmt(body, |stmt| matches!(&stmt.kind, StmtKind::Choose(it) if it.chooser.is_local(local)))
}

/// Whether a statement does no more than leave the place where it stands.
fn ends_only(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(None))
}
