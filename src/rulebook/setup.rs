//! What is in the box, and what everybody has and what lies on the table when the game begins.

use std::collections::BTreeMap;

use crate::check::rules::{Faces, Kind, LocalId, Shape, Type, Value, Var, VarForm};
use crate::rulebook::book::{Book, title};
use crate::rulebook::english::{list, paragraph};
use crate::rulebook::flow::prose;
use crate::rulebook::words::Words;
use crate::syntax::ast::{Owner, Visibility};

/// All that can be touched: boards, cards, dice and coins, counted.
pub(super) fn components(book: &Book) -> String {
    let kinds = book.rules.kinds.iter().map(|kind| of_kind(book, kind));
    kinds.chain(book.rules.vars.iter().map(|var| of_var(book, var))).collect()
}

fn of_kind(book: &Book, kind: &Kind) -> String {
    let name = title(&kind.title, &kind.name);
    let count = kind.members.len();
    let note = paragraph(&kind.notes);
    let note = if note.is_empty() { note } else { format!(" {note}") };
    let what = match kind.shape {
        Shape::Board(board) => format!("the board **{name}**: {}", board.described()),
        Shape::Cards(face) => {
            let face = book.kind(face);
            let (faces, kinds) = (title(&face.title, &face.name), face.own().len());
            format!("{count} cards, **{name}**: {kinds} different ones (see *{faces}*)")
        }
        _ => return String::new(),
    };
    format!("- {what}.{note}\n")
}

fn of_var(book: &Book, var: &Var) -> String {
    let name = title(&var.title, &var.name);
    let whose = if var.owner == Owner::Player { "for each player, " } else { "" };
    let of = for_each(book, var);
    match &var.form {
        VarForm::Coin => {
            let range = var.range.and_then(|range| book.ends(range));
            let most = match range {
                Some((_, Some(most))) if most <= 1000 => format!(", up to {most}"),
                _ => String::new(),
            };
            format!("- {whose}coins or counters: **{name}**{of}{most}\n")
        }
        VarForm::Die(faces) => {
            format!("- {whose}{} with {}\n", dice(book, var, &name), shown(book, var, faces))
        }
        _ => String::new(),
    }
}

/// What an array has an element for: ` for each colour and each place`.
fn for_each(book: &Book, var: &Var) -> String {
    let nouns: Vec<String> = var.dims.iter().map(|dim| book.noun(*dim)).collect();
    if nouns.is_empty() { String::new() } else { format!(" for each {}", nouns.join(" and each ")) }
}

fn dice(book: &Book, var: &Var, name: &str) -> String {
    let counts = var.dims.iter().map(|dim| book.count(*dim));
    let counts = counts.reduce(|all, of| all?.checked_mul(of?)).flatten();
    match counts {
        _ if var.dims.is_empty() => format!("a die, **{name}**,"),
        Some(count) => format!("{count} dice, **{name}**, one{},", for_each(book, var)),
        None => format!("a die, **{name}**,{},", for_each(book, var)),
    }
}

fn shown(book: &Book, var: &Var, faces: &Faces) -> String {
    match faces {
        Faces::Range(range) => match book.ends(*range) {
            Some((low, Some(high))) => format!("the faces {low} to {high}"),
            _ => "numbers".to_owned(),
        },
        Faces::List(faces) => {
            let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
            for face in faces {
                *counts.entry(face).or_default() += 1;
            }
            let words = counts.iter().map(|(face, count)| {
                let word = book.value(face, &var.ty);
                if *count == 1 { word } else { format!("{count} times {word}") }
            });
            format!("the faces {}", list(&words.collect::<Vec<_>>(), "and"))
        }
    }
}

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
    let (name, of, first) = (title(&var.title, &var.name), for_each(book, var), first(book, var));
    let seen = match var.sight {
        Visibility::All => "",
        Visibility::Owner => "; only this player sees it",
        Visibility::Nobody => "; nobody sees it",
    };
    let note = paragraph(&var.notes);
    let note = if note.is_empty() { note } else { format!(". {note}") };
    format!("- **{name}**{of}: {first}{seen}{note}\n")
}

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
    let called = |id: &LocalId| format!("{} {}", words.noun_of(*id), words.local(*id));
    let bound: Vec<String> = init.binders.iter().flatten().map(called).collect();
    let value = if init.value.ty == Type::Bool {
        format!("yes if {}", words.holds(&init.value))
    } else {
        words.thing(&init.value)
    };
    if bound.is_empty() { value } else { format!("{value} (for {})", bound.join(", ")) }
}
