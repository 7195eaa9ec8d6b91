//! What the words mean that conditions use: the rules that only compute something.

use crate::check::rules::{LocalId, Rule, StmtKind, Type};
use crate::rulebook::book::{Book, title};
use crate::rulebook::english::paragraph;
use crate::rulebook::flow::called;
use crate::rulebook::steps::{in_line, listed};
use crate::rulebook::words::Words;

/// The rules that compute a value and are asked for in play.
pub(super) fn meanings(book: &Book) -> String {
    called(book)
        .into_iter()
        .filter(|rule| rule.effects.is_pure())
        .map(|it| entry(book, it))
        .collect()
}

fn entry(book: &Book, rule: &Rule) -> String {
    let words = Words::of(book, rule);
    let params = (0..rule.params).map(|at| words.local(LocalId::at(at)));
    let params = params.collect::<Vec<_>>().join(", ");
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
