//! Finds the columns that people read of the members of each kind.

use std::collections::BTreeSet;

use crate::rules::{Column, Expr, ExprKind, Kind, KindShape, Rules, Type, Value};

/// Returns for each kind the positions of the columns that people need: where a text says what a member
/// does, it and all that rules read. How many cards there are of a face is no property of the face, nor is its
/// place on a board one of a cell.
pub(crate) fn printed_columns(rules: &Rules) -> Vec<Vec<usize>> {
    let read = read_columns(rules);
    let of_kind = |(number, kind): (usize, &Kind)| {
        let copies = copies_of(rules, number);
        let named = kind.columns.iter().enumerate().filter(|(_, column)| !column.is_computed());
        let named: Vec<(usize, &Column)> = named
            .filter(|(_, it)| copies.as_ref().is_none_or(|all| !is_copy_count(it, all)))
            .collect();
        let lies = |it: &Column| is_placed(rules, kind) && ["row", "column"].contains(&it.name.as_str());
        let named: Vec<(usize, &Column)> = named.into_iter().filter(|(_, it)| !lies(it)).collect();
        let has_text = named.iter().any(|(_, column)| is_text(column));
        let is_read = |column: &Column| read.contains(&(number, column.name.as_str()));
        let needed = |column: &Column| !has_text || is_text(column) || is_read(column);
        named.iter().filter(|(_, column)| needed(column)).map(|(at, _)| *at).collect()
    };
    rules.kinds.iter().enumerate().map(of_kind).collect()
}

/// How many cards there are of each member of a kind, if its members are faces.
pub(crate) fn copies_of(rules: &Rules, kind: usize) -> Option<Vec<usize>> {
    let of_it = |it: &&Kind| matches!(it.shape, KindShape::Cards(face) if face.index() == kind);
    let cards = rules.kinds.iter().find(of_it)?;
    let mut counts = vec![0; rules.kinds[kind].members.len()];
    for cell in &cards.columns.first()?.cells {
        if let Value::Int(at) = cell
            && let Some(count) = usize::try_from(*at).ok().and_then(|at| counts.get_mut(at))
        {
            *count += 1;
        }
    }
    Some(counts)
}

fn is_text(column: &Column) -> bool {
    column.name == "text" && column.ty == Type::Text
}

/// Whether a column says how many cards there are of each face.
fn is_copy_count(column: &Column, copies: &[usize]) -> bool {
    column.ty == Type::Number
        && column.cells.iter().map(Value::member).eq(copies.iter().map(|it| Some(*it)))
}

/// Whether a kind is a part of a board.
fn is_placed(rules: &Rules, kind: &Kind) -> bool {
    kind.within.as_ref().is_some_and(|part| rules.kinds[part.of.index()].is_board())
}

/// The columns that rules read, of members or of the cards with these faces.
fn read_columns(rules: &Rules) -> BTreeSet<(usize, &str)> {
    let mut read = BTreeSet::new();
    let mut see = |expr: &Expr| {
        if let ExprKind::Column(kind, at, _) = &expr.kind {
            let of = &rules.kinds[kind.index()];
            let name = of.columns[*at].name.as_str();
            read.insert((kind.index(), name));
            if let KindShape::Cards(face) = of.shape {
                read.insert((face.index(), name));
            }
        }
    };
    rules.rules.iter().for_each(|rule| rule.visit_exprs(&mut see));
    read
}
