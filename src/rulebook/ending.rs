//! How the game ends: every `finish`, with what it hangs on.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::rules::{Block, Expr, ExprKind, LocalId, PLAYER, Rule, Stmt, StmtKind, Type};
use crate::check::visit::visit_stmts;
use crate::rulebook::book::Book;
use crate::rulebook::english::{capitalised, paragraph, sentence};
use crate::rulebook::flow::{called, heading};
use crate::rulebook::words::Words;

/// All ends, then what ends a game that goes on for too long.
pub(super) fn ending(book: &Book) -> String {
    let mut text = String::new();
    for rule in called(book) {
        let words = Words::of(book, rule);
        let mut found = Vec::new();
        words.ends(&rule.body, &mut Vec::new(), &mut found);
        if found.is_empty() {
            continue;
        }
        let note = paragraph(&rule.notes);
        text.push_str(format!("- **{}**: {note}", name(book, rule)).trim_end());
        let definitions = words.definitions(&rule.body, &found);
        if note.is_empty() && found.len() == 1 && definitions.is_empty() {
            text.extend([format!(" {}\n", found[0])]);
            continue;
        }
        text.push('\n');
        let lines = found.iter().chain(&definitions);
        text.extend(lines.map(|line| format!("  - {line}\n")));
    }
    text.push_str(&limit(book));
    text
}

/// What a rule is called, without what it is about.
fn name(book: &Book, rule: &Rule) -> String {
    let heading = heading(book, rule);
    heading.split(" (").next().unwrap_or_default().to_owned()
}

fn limit(book: &Book) -> String {
    let Some(limit) = &book.rules.limit else { return String::new() };
    let rule = &book.rules.rules[limit.body.index()];
    let note = paragraph(&rule.notes);
    if !note.is_empty() {
        return format!("- {note}\n");
    }
    let words = Words::of(book, rule);
    let steps = words.steps(&rule.body);
    let what: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
    let count = words.thing(&limit.decisions);
    format!("- A game that goes on for ever ends after {count} decisions: {}\n", what.join(" "))
}

impl Words<'_> {
    /// Collects the ends of a block, each with the conditions around it.
    fn ends(self, block: &Block, around: &mut Vec<String>, found: &mut Vec<String>) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::FinishDraw => self.end_of_game(around, "the game is a draw", found),
                StmtKind::FinishWin(who) => self.end_of_game(around, &self.winners(who), found),
                StmtKind::FinishRanking { local, keys } => {
                    self.end_of_game(around, &self.ranking(*local, keys), found);
                }
                StmtKind::If { condition, then, otherwise } => match self.book.truth(condition) {
                    Some(true) => self.ends(then, around, found),
                    Some(false) => self.ends(otherwise, around, found),
                    None => {
                        self.within(self.holds(condition), then, (around, found));
                        self.within(self.fails(condition), otherwise, (around, found));
                    }
                },
                _ => self.ends_inside(stmt, around, found),
            }
        }
    }

    /// One end; nothing when there is no room for more.
    fn end_of_game(self, around: &[String], what: &str, found: &mut Vec<String>) {
        let text = self.book.written(|| end(around, what));
        found.extend((!text.is_empty()).then_some(text));
    }

    fn within(
        self,
        condition: String,
        block: &Block,
        (around, found): (&mut Vec<String>, &mut Vec<String>),
    ) {
        around.push(condition);
        self.ends(block, around, found);
        around.pop();
    }

    fn ends_inside(self, stmt: &Stmt, around: &mut Vec<String>, found: &mut Vec<String>) {
        match &stmt.kind {
            StmtKind::Match { subject, arms } => {
                for arm in arms {
                    let case =
                        format!("{} is {}", self.operand(subject), self.patterns(arm, &subject.ty));
                    self.within(case, &arm.body, (around, found));
                }
            }
            StmtKind::For { body, .. }
            | StmtKind::Times(_, body)
            | StmtKind::Repeat(body, _)
            | StmtKind::While(_, body)
            | StmtKind::Turns { body, .. } => self.ends(body, around, found),
            StmtKind::Choose(choose) => {
                for option in &choose.options {
                    let who = self.decider(choose);
                    let s = if who == "you" { "" } else { "s" };
                    let name = option.name.replace('_', " ");
                    let case = format!("{who} choose{s} **{name}**");
                    self.within(case, &option.body, (around, found));
                }
                if let Some(decline) = &choose.decline {
                    let name = decline.name.replace('_', " ");
                    let case = format!("**{name}** is chosen");
                    self.within(case, &decline.body, (around, found));
                }
                if let Some(otherwise) = &choose.otherwise {
                    let case = "no move is possible".to_owned();
                    self.within(case, otherwise, (around, found));
                }
            }
            _ => {}
        }
    }

    /// What the names mean that are in these lines, and those in what they mean.
    fn definitions(self, body: &Block, lines: &[String]) -> Vec<String> {
        let mut known: Vec<(String, String)> = Vec::new();
        visit_stmts(body, &mut |stmt| {
            if let StmtKind::Let(local, value) = &stmt.kind {
                let thing = if value.ty == Type::Bool {
                    format!("that {}", self.holds(value))
                } else {
                    self.thing(value)
                };
                known.push((self.local(*local), thing));
            }
        });
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, (name, _)) in known.iter().enumerate() {
            named.entry(name).or_default().push(at);
        }
        // The numbers of those that are met, each once; the first of the rule is told first.
        let mut met = BTreeSet::new();
        let mut look_up = |text: &str, met: &mut BTreeSet<usize>| {
            for name in names(text) {
                met.extend(named.remove(name).into_iter().flatten());
            }
        };
        lines.iter().for_each(|line| look_up(line, &mut met));
        let mut definitions = Vec::new();
        while let Some(at) = met.pop_first() {
            let (name, thing) = &known[at];
            let is = if name == "you" { "are" } else { "is" };
            definitions.push(format!("Here {name} {is} {thing}."));
            look_up(thing, &mut met);
        }
        definitions
    }

    /// Who wins.
    pub(super) fn winners(self, who: &Expr) -> String {
        let thing = self.thing(who);
        let alone = match &who.kind {
            ExprKind::ToSet(_) => thing != "you",
            ExprKind::SetOf(items) => items.len() == 1 && thing != "you",
            _ => who.ty == Type::Kind(PLAYER) && thing != "you",
        };
        let s = if alone || thing.starts_with("whoever") { "s" } else { "" };
        format!("{thing} win{s}")
    }

    /// Who comes first.
    pub(super) fn ranking(self, local: LocalId, keys: &[Expr]) -> String {
        let name = self.local(local);
        let key = |key: &Expr| {
            // A score that counts against a player.
            let (word, of) = match &key.kind {
                ExprKind::Negate(of) => ("lowest", of.as_ref()),
                _ => ("highest", key),
            };
            format!("the {word} {}", self.measure(of).replace(&format!(" of {name}"), ""))
        };
        let keys: Vec<String> = keys.iter().map(key).collect();
        let (first, ties) = keys.split_first().expect("a ranking has a first key");
        let mut text = format!("whoever has {first} wins");
        if !ties.is_empty() {
            text.extend([format!("; a tie goes to {}", ties.join(", then to "))]);
        }
        if keys.iter().any(|key| key.contains(&name)) {
            text.extend([format!(" (where {name} is the player)")]);
        }
        text
    }
}

/// The names of locals in a text: `*name*`, or `you`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let stars: Vec<usize> = text.match_indices('*').map(|(at, _)| at).collect();
    let pairs: Vec<&str> = stars.windows(2).map(|pair| &text[pair[0]..=pair[1]]).collect();
    text.contains("you").then_some("you").into_iter().chain(pairs)
}

/// An end behind its conditions.
fn end(around: &[String], what: &str) -> String {
    if around.is_empty() {
        return sentence(what);
    }
    format!("{}: {}", capitalised(&format!("if {}", around.join(", and "))), sentence(what))
}
