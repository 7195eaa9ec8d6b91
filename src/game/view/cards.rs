//! Collects the cards in sight, with their printed text.

use std::collections::BTreeSet;

use crate::bytecode::vars::VarInfo;
use crate::game::view::model::{ActionGroup, Card, CardColumn, Means, Tag, Thing, ValueForm};
use crate::game::view::values::face_of;
use crate::game::view::{ViewContext, colour};
use crate::rules::{KindShape, PrintManner, Type, Value, value_words};

/// The cards in some piles whose faces say anything, each face once.
pub(super) fn collect_cards<'a>(
    view: ViewContext,
    things: impl Iterator<Item = &'a Thing>,
) -> Vec<Card> {
    let piles = things.flat_map(|thing| &thing.elements).map(|element| &element.value);
    let piles = piles.filter(|value| value.count.is_some());
    let tags = piles.flat_map(|value| &value.members);
    let seen: BTreeSet<(&str, &str)> =
        tags.map(|tag| (tag.kind.as_str(), tag.name.as_str())).collect();
    let mut cards: Vec<Card> = Vec::new();
    for (number, kind) in view.rules.kinds.iter().enumerate() {
        let KindShape::Cards(face) = kind.shape else { continue };
        let names = view.program.kinds[number].members.iter().enumerate();
        for (at, (name, _)) in names {
            if !seen.contains(&(kind.name.as_str(), name.as_str())) {
                continue;
            }
            let card = face_of(kind, at).and_then(|at| card(view, face.index(), at));
            let Some(card) = card.filter(says_more) else { continue };
            if !cards.iter().any(|it| it.kind == card.kind && it.name == card.name) {
                cards.push(card);
            }
        }
    }
    cards
}

/// The cards of members that some moves name, each once.
pub(super) fn cards_in_moves(view: ViewContext, groups: &[ActionGroup]) -> Vec<Card> {
    let values = groups.iter().flat_map(|group| &group.parameters).flat_map(|it| &it.values);
    let tags = values.filter(|it| it.means == Means::Member).flat_map(|it| &it.members);
    let mut cards: Vec<Card> = Vec::new();
    for tag in tags {
        if cards.iter().any(|it| it.kind == tag.kind && it.name == tag.name) {
            continue;
        }
        let kind = view.rules.kinds.iter().position(|kind| kind.name == tag.kind);
        let card = kind.and_then(|kind| {
            let members = &view.rules.kinds[kind].members;
            card(view, kind, members.iter().position(|it| it.name == tag.name)?)
        });
        cards.extend(card.filter(says_more));
    }
    cards
}

/// Every card of the game as it is printed, each face once with how many there are.
pub(in crate::game) fn printed(view: ViewContext) -> Vec<(Card, usize)> {
    let mut cards: Vec<(Card, usize)> = Vec::new();
    for kind in &view.rules.kinds {
        let KindShape::Cards(face) = kind.shape else { continue };
        let faces: Vec<usize> =
            (0..kind.members.len()).filter_map(|at| face_of(kind, at)).collect();
        for at in 0..view.rules.kinds[face.index()].members.len() {
            let copies = faces.iter().filter(|face| **face == at).count();
            let card = card(view, face.index(), at).filter(|_| copies > 0);
            cards.extend(card.map(|card| (card, copies)));
        }
    }
    cards
}

/// The cards in the piles of a player, by the titles of the piles.
pub(in crate::game) fn own_piles(view: ViewContext, seat: usize) -> Vec<(String, Vec<Tag>)> {
    let vars = view.program.vars.iter().enumerate();
    let piles = vars.filter(|(at, var)| {
        var.of_player && view.value_form(*at) == ValueForm::Pile && !view.rules.vars[*at].undrawn
    });
    let cards = |(_, var): (usize, &VarInfo)| {
        let elements = view.elements_of(var, seat).into_iter();
        (var.title.clone(), elements.flat_map(|element| element.value.members).collect())
    };
    piles.map(cards).collect()
}

/// Whether there is anything to read on a card beside its title.
fn says_more(card: &Card) -> bool {
    !card.columns.is_empty() || !card.notes.is_empty()
}

/// The face of a card with its columns.
fn card(view: ViewContext, kind: usize, at: usize) -> Option<Card> {
    let face = &view.rules.kinds[kind];
    let member = face.members.get(at)?;
    let printed = view.loaded.printed[kind].iter().map(|at| &face.columns[*at]);
    let columns = printed.filter_map(|column| {
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
        let words = value_words(view.rules, view.names, (ty, value), PrintManner::Said);
        let (title, is_text) = (column.name.replace('_', " "), *ty == Type::Text);
        (!empty).then_some(CardColumn { title, value: words, is_text })
    });
    let columns: Vec<CardColumn> = columns.collect();
    let notes = member.notes.join(" ");
    Some(Card {
        kind: face.name.clone(),
        name: member.name.clone(),
        title: member.title.clone(),
        colours: colour::colour_words(view, kind, at, &member.title),
        glyph: member.look.glyph.clone(),
        columns,
        notes,
    })
}
