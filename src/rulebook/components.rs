//! What is in the box: boards, cards, dice and coins, counted.

use std::collections::BTreeMap;

use crate::check::rules::{Faces, Kind, Shape, Value, Var, VarForm};
use crate::rulebook::book::{Book, title};
use crate::rulebook::english::{list, paragraph};
use crate::syntax::ast::Owner;

/// All that can be touched.
pub(super) fn components(book: &Book) -> String {
    let mut text = String::new();
    for kind in &book.rules.kinds {
        text.push_str(&of_kind(book, kind));
    }
    for var in &book.rules.vars {
        text.push_str(&of_var(book, var));
    }
    text
}

fn of_kind(book: &Book, kind: &Kind) -> String {
    let name = title(&kind.title, &kind.name);
    let count = kind.members.len();
    let note = paragraph(&kind.notes);
    let note = if note.is_empty() { note } else { format!(" {note}") };
    match kind.shape {
        Shape::Grid { columns, rows, .. } => {
            format!("- the board **{name}**: {columns} by {rows} cells.{note}\n")
        }
        Shape::Ring => format!("- the board **{name}**: {count} cells that go round.{note}\n"),
        Shape::Map => format!("- the board **{name}**: {count} places.{note}\n"),
        Shape::Cards(face) => {
            let faces = title(&book.kind(face).title, &book.kind(face).name);
            let kinds = book.kind(face).own().len();
            format!("- {count} cards, **{name}**: {kinds} different ones (see *{faces}*).{note}\n")
        }
        _ => String::new(),
    }
}

fn of_var(book: &Book, var: &Var) -> String {
    let name = title(&var.title, &var.name);
    let whose = if var.owner == Owner::Player { "for each player, " } else { "" };
    let of = if var.dims.is_empty() { String::new() } else { format!(" for {}", each(book, var)) };
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

/// What an array has an element for.
fn each(book: &Book, var: &Var) -> String {
    let nouns: Vec<String> = var.dims.iter().map(|dim| book.noun(*dim)).collect();
    format!("each {}", nouns.join(" and each "))
}

fn dice(book: &Book, var: &Var, name: &str) -> String {
    let counts = var.dims.iter().map(|dim| book.count(*dim));
    let counts = counts.reduce(|all, of| all?.checked_mul(of?)).flatten();
    match counts {
        _ if var.dims.is_empty() => format!("a die, **{name}**,"),
        Some(count) => format!("{count} dice, **{name}**, one for {},", each(book, var)),
        None => format!("a die, **{name}**, for {},", each(book, var)),
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
