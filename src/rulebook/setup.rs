//! The setup: what everybody has and what lies on the table when the game begins.

use crate::check::rules::{LocalId, Type, Var, VarForm};
use crate::rulebook::book::{Book, title};
use crate::rulebook::english::paragraph;
use crate::rulebook::flow::prose;
use crate::rulebook::words::Words;
use crate::syntax::ast::{Owner, Visibility};

/// The first values of all variables, then what `setup` does.
pub(super) fn setup(book: &Book) -> String {
    let mut parts = Vec::new();
    for (owner, heading) in
        [(Owner::Player, "Each player has:"), (Owner::Table, "On the table there is:")]
    {
        let vars = book.rules.vars.iter().filter(|var| var.owner == owner);
        let lines: String = vars.map(|var| line(book, var)).collect();
        if !lines.is_empty() {
            parts.push(format!("{heading}\n\n{}", lines.trim_end()));
        }
    }
    if let Some(id) = book.rules.setup {
        let text = prose(book, &book.rules.rules[id.index()]);
        parts.push(format!("Then:\n\n{}", text.trim_end()));
    }
    parts.join("\n\n")
}

fn line(book: &Book, var: &Var) -> String {
    book.turn_to(var.span);
    let mut text = format!("- **{}**", title(&var.title, &var.name));
    let dims: Vec<String> = var.dims.iter().map(|dim| book.noun(*dim)).collect();
    if !dims.is_empty() {
        text.extend([format!(" for each {}", dims.join(" and each "))]);
    }
    text.extend([format!(": {}", first(book, var))]);
    match var.sight {
        Visibility::All => {}
        Visibility::Owner => text.push_str("; only this player sees it"),
        Visibility::Nobody => text.push_str("; nobody sees it"),
    }
    let note = paragraph(&var.notes);
    let stop = if note.is_empty() { String::new() } else { format!(". {note}") };
    format!("{text}{stop}\n")
}

/// What it is at the start.
fn first(book: &Book, var: &Var) -> String {
    let init = &var.init;
    if let VarForm::Pile(_) = var.form {
        let words = Words::plain(book, &init.locals).thing(&init.value);
        return if words == "nothing" { "empty".to_owned() } else { format!("{words}, shuffled") };
    }
    if let VarForm::Die(_) = var.form {
        return "not rolled yet".to_owned();
    }
    if let Some(amount) = book.amount(&init.value) {
        let empty = amount == "none" || amount == "nothing";
        return if empty { "empty".to_owned() } else { amount };
    }
    let words = Words::plain(book, &init.locals);
    let bound: Vec<String> = init.binders.iter().flatten().map(|id| called(words, *id)).collect();
    let value = if init.value.ty == Type::Bool {
        format!("yes if {}", words.holds(&init.value))
    } else {
        words.thing(&init.value)
    };
    if bound.is_empty() { value } else { format!("{value} (for {})", bound.join(", ")) }
}

fn called(words: Words, id: LocalId) -> String {
    format!("{} {}", words.noun_of(id), words.local(id))
}
