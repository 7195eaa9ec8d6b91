//! Builds kinds, tables and the variables of the state, with their drawn data.

use crate::syntax::ast::{
    Cell, CellKind, Dim, Drawn, Faces, Has, Head, Kind, KindBody, Owner, Row, Table, TableBody,
    Text, TextPart, Var, VarForm, Visibility,
};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::tree::{Build, Built, Node};
use crate::syntax::words::is_reserved;

pub(super) fn kind(node: &mut Node<'_>) -> Built<Kind> {
    Ok(Kind {
        name: node.kind_name()?,
        title: node.maybe()?,
        within: node.inside(Rule::part_of)?,
        body: match node.peek() {
            Some(Rule::members) => KindBody::Members(node.list(Rule::members)?),
            Some(Rule::factors) => KindBody::Product(node.list(Rule::factors)?),
            _ => KindBody::Drawn(drawn_members(node)?),
        },
    })
}

/// Drawn data whose labels become names.
fn drawn_members(node: &mut Node<'_>) -> Built<Drawn> {
    let drawn: Drawn = node.one()?;
    if let Some(form) = comma_form(&drawn) {
        return Err(SyntaxError::MissingComma { form, span: drawn.heads[0].span });
    }
    for row in &drawn.rows {
        let word = match &row.label.kind {
            CellKind::Name(word) if is_reserved(word) => word,
            CellKind::None => "none",
            CellKind::Bool(true) => "yes",
            CellKind::Bool(false) => "no",
            _ => continue,
        };
        let (word, expected) = (word.to_owned(), "the name of a member".to_owned());
        return Err(SyntaxError::ReservedWord { word, span: row.label.span, expected });
    }
    Ok(drawn)
}

/// Members that were to stand in a list: all in one line, or one below the other.
fn comma_form(drawn: &Drawn) -> Option<String> {
    let plain = drawn.heads.iter().all(|head| head.ty.is_none() && head.default.is_none());
    let in_line = drawn.rows.is_empty() && drawn.heads.len() > 1 && plain;
    let below = drawn.heads.len() == 1 && drawn.rows.iter().all(|row| row.cells.is_empty());
    if !in_line && !below {
        return None;
    }
    let labels = drawn.heads.iter().map(|head| &head.label);
    let names =
        labels.chain(drawn.rows.iter().map(|row| &row.label)).map(|cell| match &cell.kind {
            CellKind::Name(name) => Some(name.as_str()),
            _ => None,
        });
    let names: Vec<&str> = names.collect::<Option<_>>()?;
    Some(if names.len() > 4 { format!("{}, …", names[..4].join(", ")) } else { names.join(", ") })
}

pub(super) fn table(node: &mut Node<'_>) -> Built<Table> {
    Ok(Table {
        name: node.small_name("the table")?,
        dims: node.all()?,
        title: node.maybe()?,
        body: match node.maybe()? {
            Some(drawn) => TableBody::Drawn(drawn),
            None => TableBody::Row(node.list(Rule::cell_rows)?),
        },
    })
}

impl Build for Drawn {
    const RULES: &'static [Rule] = &[Rule::drawn];

    fn build(mut node: Node<'_>) -> Built<Drawn> {
        Ok(Drawn { heads: node.all()?, rows: node.all()? })
    }
}

impl Build for Head {
    const RULES: &'static [Rule] = &[Rule::head];

    fn build(mut node: Node<'_>) -> Built<Head> {
        let span = node.span;
        Ok(Head { label: node.one()?, ty: node.maybe()?, default: node.maybe()?, span })
    }
}

impl Build for Row {
    const RULES: &'static [Rule] = &[Rule::row];

    fn build(mut node: Node<'_>) -> Built<Row> {
        let mut span = node.span;
        let (notes, label): (_, Cell) = (node.notes(), node.one()?);
        span.start = label.span.start;
        Ok(Row { notes, label, cells: node.all()?, span })
    }
}

impl Build for Cell {
    const RULES: &'static [Rule] = &[Rule::cell, Rule::head_label];

    fn build(mut node: Node<'_>) -> Built<Cell> {
        let span = node.span;
        let mut node = node.any();
        let kind = match (node.rule, node.text) {
            (Rule::cell_number, _) => CellKind::Number(node.number()?),
            (Rule::string, _) => CellKind::Text(plain_words(node)?),
            (Rule::cell_set, _) => CellKind::Set(node.all()?),
            (Rule::cell_none, _) | (_, "none") => CellKind::None,
            (_, "yes") => CellKind::Bool(true),
            (_, "no") => CellKind::Bool(false),
            (_, name) => CellKind::Name(name.to_owned()),
        };
        Ok(Cell { kind, span })
    }
}

/// The text of a cell, which has no holes.
fn plain_words(node: Node<'_>) -> Built<String> {
    let words = Text::build(node)?.parts.into_iter().map(|part| match part {
        TextPart::Words(words) => Ok(words),
        TextPart::Hole(hole) => Err(SyntaxError::HoleInCell { span: hole.span }),
    });
    words.collect()
}

pub(super) fn has(node: &mut Node<'_>) -> Built<Has> {
    let is_player = node.any().rule == Rule::of_player;
    let owner = if is_player { Owner::Player } else { Owner::Table };
    Ok(Has { owner, vars: node.all()? })
}

impl Build for Var {
    const RULES: &'static [Rule] = &[Rule::variable];

    fn build(mut node: Node<'_>) -> Built<Var> {
        let notes = node.notes();
        let mut node = node.any();
        let (rule, span) = (node.rule, node.span);
        let (name, title, mut dims) = (node.one()?, node.maybe()?, node.list(Rule::dims)?);
        let (mut ty, mut init, mut sight) = (None, None, Visibility::All);
        let form = match rule {
            Rule::die | Rule::dice => {
                // The types behind `for` of dice.
                let types = node.all()?.into_iter();
                dims.extend(types.map(|ty| Dim { binder: None, ty }));
                VarForm::Die(node.one()?)
            }
            Rule::pile => {
                ty = node.maybe()?;
                sight = visibility(&mut node);
                init = node.maybe()?;
                VarForm::Pile
            }
            _ => {
                ty = node.maybe()?;
                init = Some(node.one()?);
                if rule == Rule::coin { VarForm::Coin } else { VarForm::Plain }
            }
        };
        if rule != Rule::pile {
            sight = visibility(&mut node);
        }
        Ok(Var { notes, form, name, title, dims, ty, init, sight, span })
    }
}

fn visibility(node: &mut Node<'_>) -> Visibility {
    match node.part(Rule::sight).map(|mut part| part.any().rule) {
        None => Visibility::All,
        Some(Rule::seen_by_owner) => Visibility::Owner,
        Some(_) => Visibility::Nobody,
    }
}

impl Build for Faces {
    const RULES: &'static [Rule] = &[Rule::faces];

    fn build(mut node: Node<'_>) -> Built<Faces> {
        Ok(match node.maybe()? {
            Some(low) => Faces::Range(low, node.one()?),
            None => Faces::List(node.list(Rule::cell_row)?),
        })
    }
}

impl Build for Dim {
    const RULES: &'static [Rule] = &[Rule::dim];

    fn build(mut node: Node<'_>) -> Built<Dim> {
        Ok(Dim { binder: node.maybe()?, ty: node.one()? })
    }
}
