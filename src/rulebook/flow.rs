//! How play goes: the rules in the order in which play comes to them.

use std::collections::BTreeSet;

use crate::check::rules::{Block, ExprKind, LocalId, Rule, RuleId};
use crate::check::visit::visit_block;
use crate::rulebook::book::{Book, title};
use crate::rulebook::english::{capitalised, paragraph};
use crate::rulebook::moves::{decisions, picks};
use crate::rulebook::steps::listed;
use crate::rulebook::words::Words;

/// The order of play, then what happens in it without a decision.
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
    let words = Words::of(book, rule);
    let params = (0..rule.params).map(|at| words.local(LocalId::at(at)));
    let params: Vec<String> = params.collect();
    if params.is_empty() || params == ["you"] {
        return name;
    }
    format!("{name} ({})", params.join(", "))
}

/// Whether a rule is `play` itself.
pub(super) fn is_flow(book: &Book, rule: &Rule) -> bool {
    rule.span == book.rules.rules[book.rules.play.index()].span
}

/// The rules that play reaches in this book, itself first, each behind the one that calls it first.
pub(super) fn called<'a>(book: &Book<'a>) -> Vec<&'a Rule> {
    let (mut order, mut known) = (Vec::new(), BTreeSet::new());
    reach(book, book.rules.play, (&mut order, &mut known));
    if let Some(setup) = book.rules.setup {
        let first = order.len();
        reach(book, setup, (&mut order, &mut known));
        order.remove(first);
    }
    order.into_iter().map(|id: RuleId| &book.rules.rules[id.index()]).collect()
}

fn reach(book: &Book, id: RuleId, (order, known): (&mut Vec<RuleId>, &mut BTreeSet<RuleId>)) {
    if !known.insert(id) {
        return;
    }
    order.push(id);
    let mut next = Vec::new();
    callees(&book.rules.rules[id.index()].body, &mut next);
    for id in next {
        reach(book, id, (order, known));
    }
}

fn callees(block: &Block, found: &mut Vec<RuleId>) {
    visit_block(block, &mut |expr| {
        if let ExprKind::Call(id, _) = &expr.kind {
            found.push(*id);
        }
    });
}
