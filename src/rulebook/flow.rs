//! How play goes: the rules in the order in which play reaches them, and what the names mean of those
//! that only compute something.

use std::collections::BTreeSet;

use crate::check::rules::{ExprKind, Rule, RuleId, StmtKind, Type};
use crate::check::visit::visit_block;
use crate::rulebook::book::{Book, title};
use crate::rulebook::english::{capitalised, paragraph};
use crate::rulebook::moves::{decisions, picks};
use crate::rulebook::steps::{in_line, listed};
use crate::rulebook::words::Words;

pub(super) fn play(book: &Book) -> String {
    let flow = &book.rules.rules[book.rules.play.index()];
    let mut parts = vec![prose(book, flow).trim_end().to_owned()];
    for rule in called(book).into_iter().filter(|rule| !is_flow(book, rule)) {
        if rule.effects.is_pure() || !decisions(rule).is_empty() || !picks(rule).is_empty() {
            continue;
        }
        let text = prose(book, rule);
        if !text.is_empty() {
            parts.push(format!("### {}\n\n{}", heading(book, rule), text.trim_end()));
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// The note of a rule, or else its steps.
pub(super) fn prose(book: &Book, rule: &Rule) -> String {
    let note = paragraph(&rule.notes);
    if !note.is_empty() {
        return format!("{note}\n\n");
    }
    let steps = Words::of(book, rule).steps(&rule.body);
    if steps.is_empty() { String::new() } else { format!("{}\n", listed(&steps, 0, true)) }
}

/// What a rule is called, with what it is about.
pub(super) fn heading(book: &Book, rule: &Rule) -> String {
    if is_flow(book, rule) {
        return "The course of the game".to_owned();
    }
    let name = capitalised(&title(&rule.title, &rule.name));
    match Words::of(book, rule).params(rule).as_str() {
        "" | "you" => name,
        params => format!("{name} ({params})"),
    }
}

/// Whether a rule is `play` itself.
pub(super) fn is_flow(book: &Book, rule: &Rule) -> bool {
    rule.span == book.rules.rules[book.rules.play.index()].span
}

/// The rules that play reaches in this book, itself first, each behind the one that calls it first.
pub(super) fn called<'a>(book: &Book<'a>) -> Vec<&'a Rule> {
    let (mut order, mut known) = (Vec::new(), BTreeSet::new());
    reach(book, book.rules.play, &mut order, &mut known);
    if let Some(setup) = book.rules.setup {
        let first = order.len();
        reach(book, setup, &mut order, &mut known);
        order.remove(first);
    }
    order.into_iter().map(|id: RuleId| &book.rules.rules[id.index()]).collect()
}

fn reach(book: &Book, id: RuleId, order: &mut Vec<RuleId>, known: &mut BTreeSet<RuleId>) {
    if !known.insert(id) {
        return;
    }
    order.push(id);
    let mut next = Vec::new();
    visit_block(&book.rules.rules[id.index()].body, &mut |expr| {
        if let ExprKind::Call(id, _) = &expr.kind {
            next.push(*id);
        }
    });
    for id in next {
        reach(book, id, order, known);
    }
}

/// The rules that compute a value and that play asks for.
pub(super) fn meanings(book: &Book) -> String {
    called(book).into_iter().filter(|it| it.effects.is_pure()).map(|it| entry(book, it)).collect()
}

fn entry(book: &Book, rule: &Rule) -> String {
    let words = Words::of(book, rule);
    let params = words.params(rule);
    let params = if params.is_empty() { params } else { format!(" ({params})") };
    let name = title(&rule.title, &rule.name);
    let head = format!("- *{}*{params}", name.strip_suffix(" of").unwrap_or(&name));
    let note = paragraph(&rule.notes);
    if !note.is_empty() {
        return format!("{head}: {note}\n");
    }
    if let [only] = rule.body.as_slice()
        && let StmtKind::Return(Some(value)) = &only.kind
    {
        return if value.ty == Type::Bool && book.truth(value).is_none() {
            format!("{head} holds if {}.\n", words.holds(value))
        } else {
            format!("{head}: {}.\n", words.thing(value))
        };
    }
    let steps = words.steps(&rule.body);
    match in_line(&steps) {
        Some(line) => format!("{head}: {line}\n"),
        None => format!("{head}:\n{}", listed(&steps, 2, false)),
    }
}
