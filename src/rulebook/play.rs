//! Your turn: the rules in the order in which play reaches them, their moves, and each table where it is first
//! used.

use std::collections::BTreeSet;

use crate::rulebook::drawn::{Drawing, Subject, draw_components};
use crate::rulebook::flow::{called, is_flow, is_told_above, meanings, prose, rule_heading};
use crate::rulebook::moves::{decisions, picks};
use crate::rulebook::words::Phraser;
use crate::rulebook::{Book, title_or_name};
use crate::rules::{Array, Expr, ExprKind, Rule, RuleId, Type};

pub(super) fn render_play(book: &Book) -> String {
    let (mut parts, mut groups) = (Vec::new(), BTreeSet::new());
    let mut drawings =
        Drawings { all: draw_components(book), terms: Vec::new(), seen: BTreeSet::new() };
    for rule in called(book) {
        if rule.effects.is_pure() {
            continue;
        }
        let (asks, text) = told(book, rule);
        if text.is_empty() {
            continue;
        }
        let heading = if is_flow(book, rule) {
            String::new()
        } else {
            format!("### {}\n\n", rule_heading(book, rule))
        };
        parts.push(heading + &text);
        if asks {
            let words = Phraser::for_rule(book, rule);
            for choose in &decisions(rule) {
                parts.extend(words.groups(choose, &mut groups));
            }
        }
        // What the flow itself looks at is explained with what it follows.
        if !is_flow(book, rule) {
            drawings.take_used(book, rule, &mut parts);
        }
    }
    let Drawings { all, mut terms, .. } = drawings;
    let words = meanings(book, parts.iter().map(String::as_str));
    let told = [parts.concat(), words.clone()].concat();
    for (subject, text) in all.into_iter().filter(|it| is_asked_for(book, it, &told)) {
        if text.starts_with("###") { parts.push(text) } else { terms.push((subject, text)) }
    }
    let terms: String = terms.into_iter().map(|(_, text)| text + "\n").collect();
    let words = [words, terms].concat();
    parts.extend(
        (!words.is_empty()).then(|| format!("### What words mean\n\n{}", words.trim_end())),
    );
    parts.join("\n\n")
}

/// Whether people need what no rule of the book has used: it has a note, or the book names it.
fn is_asked_for(book: &Book, (subject, text): &Drawing, told: &str) -> bool {
    let names = |name: &str| told.contains(&format!("*{}*", title_or_name("", name)));
    match subject {
        Subject::Table(id) => {
            let table = &book.rules.tables[id.index()];
            !table.notes.is_empty() || names(&table.name) || names(&table.title)
        }
        Subject::Constant(id) => {
            let constant = &book.rules.constants[id.index()];
            !constant.notes.is_empty() || names(&constant.name)
        }
        Subject::Kind(_) => {
            text.starts_with("###")
                || told
                    .contains(text.split(':').next().unwrap_or_default().trim_start_matches("- "))
        }
    }
}

/// Whether a rule asks something, and what the book says of it.
fn told(book: &Book, rule: &Rule) -> (bool, String) {
    if decisions(rule).is_empty() && picks(rule).is_empty() {
        let text = if is_told_above(book, rule) { String::new() } else { prose(book, rule) };
        return (false, text.trim_end().to_owned());
    }
    let words = Phraser::for_rule(book, rule);
    let mut text = if words.is_one_decision(rule) { String::new() } else { prose(book, rule) };
    words.questions(&rule.body, &mut Vec::new(), &mut text);
    if !rule.notes.is_empty() {
        // The steps that say what the names mean are not in the book.
        let defined = words.definitions(&rule.body, std::slice::from_ref(&text));
        text.extend(defined.iter().map(|line| format!("{line}\n\n")));
    }
    (true, text.trim_end().to_owned())
}

/// Tables and kinds that the book has not drawn yet.
struct Drawings {
    all: Vec<Drawing>,
    /// What is told with the other words.
    terms: Vec<Drawing>,
    /// The rules that have been looked through.
    seen: BTreeSet<RuleId>,
}

impl Drawings {
    /// Puts what a rule uses behind it, and what the values are computed from that it uses.
    fn take_used(&mut self, book: &Book, rule: &Rule, parts: &mut Vec<String>) {
        let mut used = BTreeSet::new();
        self.look_through(book, rule, &mut used);
        let (now, later) =
            std::mem::take(&mut self.all).into_iter().partition(|it| used.contains(&it.0));
        self.all = later;
        let now: Vec<Drawing> = now;
        for (subject, text) in now {
            if text.starts_with("###") {
                parts.push(text);
            } else {
                self.terms.push((subject, text));
            }
        }
    }

    fn look_through(&mut self, book: &Book, rule: &Rule, used: &mut BTreeSet<Subject>) {
        let mut next = Vec::new();
        rule.visit_exprs(&mut |part| {
            used.extend(subject_of(part));
            if let ExprKind::Call(id, _) = &part.kind
                && book.rules.rules[id.index()].effects.is_pure()
                && self.seen.insert(*id)
            {
                next.push(*id);
            }
        });
        next.into_iter()
            .for_each(|id| self.look_through(book, &book.rules.rules[id.index()], used));
    }
}

fn subject_of(part: &Expr) -> Option<Subject> {
    match (&part.kind, &part.ty) {
        (ExprKind::Element(Array::Table(id), _), _) => Some(Subject::Table(*id)),
        (ExprKind::Column(kind, ..), _) | (_, Type::Kind(kind)) => Some(Subject::Kind(*kind)),
        _ => None,
    }
}
