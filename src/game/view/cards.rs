//! What is printed on the cards in sight.

use std::collections::BTreeSet;

use super::model::{Card, Column, Thing};
use super::values::face_of;
use super::{View, colour};
use crate::check::rules::{Shape, Type, Value};
use crate::check::{Manner, value_words};

/// The cards in some piles whose faces say anything, each face once.
pub(super) fn cards<'a>(view: View, things: impl Iterator<Item = &'a Thing>) -> Vec<Card> {
    let piles = things.flat_map(|thing| &thing.elements).map(|element| &element.value);
    let piles = piles.filter(|value| value.count.is_some());
    let seen: BTreeSet<(&str, &str)> = piles
        .flat_map(|value| &value.members)
        .map(|tag| (tag.kind.as_str(), tag.name.as_str()))
        .collect();
    let mut cards: Vec<Card> = Vec::new();
    for (number, kind) in view.rules.kinds.iter().enumerate() {
        let Shape::Cards(face) = kind.shape else { continue };
        let names = view.program.kinds[number].members.iter().enumerate();
        for (at, (name, _)) in names {
            if !seen.contains(&(kind.name.as_str(), name.as_str())) {
                continue;
            }
            let Some(card) = face_of(kind, at).and_then(|at| card(view, face.index(), at)) else {
                continue;
            };
            if !cards.iter().any(|it| it.kind == card.kind && it.name == card.name) {
                cards.push(card);
            }
        }
    }
    cards
}

/// The face of a card with its columns, if there is anything to read on it.
fn card(view: View, kind: usize, at: usize) -> Option<Card> {
    let face = &view.rules.kinds[kind];
    let member = face.members.get(at)?;
    let columns = face.named_columns().filter_map(|column| {
        let value = column.cells.get(at)?;
        let empty = match value {
            Value::None => true,
            Value::Set(members) | Value::List(members) => members.is_empty(),
            Value::Text(text) => text.is_empty(),
            Value::Int(_) => false,
        };
        let ty = match &column.ty {
            Type::Maybe(ty) => ty,
            ty => ty,
        };
        let words = value_words(view.rules, view.names, (ty, value), Manner::Said);
        let (title, is_text) = (column.name.replace('_', " "), *ty == Type::Text);
        (!empty).then_some(Column { title, value: words, is_text })
    });
    let columns: Vec<Column> = columns.collect();
    let notes = member.notes.join(" ");
    (!columns.is_empty() || !notes.is_empty()).then(|| Card {
        kind: face.name.clone(),
        name: member.name.clone(),
        title: member.title.clone(),
        colours: colour::words(view.rules, kind, at, &member.title),
        glyph: member.look.glyph.clone(),
        columns,
        notes,
    })
}
