//! Builds drawn data: members, tables and the links of maps, row by row, and their cells.

use std::collections::BTreeMap;

use crate::syntax::ast::{
    Cell, CellKind, Chain, Drawn, DrawnRow, KindBody, MemberDecl, TableBody, Text, TextPart,
};
use crate::syntax::error;
use crate::syntax::parser::{Build, Built, Node, Rule};
use crate::syntax::tokens::RESERVED;

impl Build for KindBody {
    const RULES: &'static [Rule] = &[Rule::members, Rule::factors, Rule::drawn, Rule::from_file];
    fn build(mut node: Node<'_>) -> Built<KindBody> {
        Ok(match node.rule {
            Rule::members => KindBody::Members(node.build_all()?),
            Rule::factors => KindBody::Product(node.build_all()?),
            _ => KindBody::Drawn(drawn_members(node)?),
        })
    }
}

/// Drawn data whose labels become names.
fn drawn_members(node: Node<'_>) -> Built<Drawn> {
    let drawn = Drawn::build(node)?;
    if let Some(form) = comma_form(&drawn) {
        return Err(error::missing_comma(form, drawn.heads[0].span));
    }
    for row in &drawn.rows {
        let word = match &row.label.kind {
            CellKind::Name(word) if RESERVED.contains(&word.as_str()) => word,
            CellKind::None => "none",
            CellKind::Bool(true) => "yes",
            CellKind::Bool(false) => "no",
            _ => continue,
        };
        return Err(error::reserved_word(word, "the name of a member", row.label.span));
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
    let (heads, rows) = (drawn.heads.iter(), drawn.rows.iter());
    let labels = heads.map(|head| &head.label).chain(rows.map(|row| &row.label));
    let names = labels.map(|label| match &label.kind {
        CellKind::Name(name) => Some(name.as_str()),
        _ => None,
    });
    let names: Vec<&str> = names.collect::<Option<_>>()?;
    Some(if names.len() > 4 { format!("{}, …", names[..4].join(", ")) } else { names.join(", ") })
}

impl Build for TableBody {
    const RULES: &'static [Rule] =
        &[Rule::drawn, Rule::from_file, Rule::cell_rows, Rule::expression];
    fn build(mut node: Node<'_>) -> Built<TableBody> {
        Ok(match node.rule {
            Rule::drawn | Rule::from_file => TableBody::Drawn(Build::build(node)?),
            Rule::expression => TableBody::Formula(Build::build(node)?),
            _ => TableBody::Row(node.build_all()?),
        })
    }
}

/// The links of a map that are drawn with columns; the second between two places is `ash-dor-2`.
pub(super) fn build_link_rows(mut node: Node<'_>) -> Built<(Vec<Chain>, Drawn)> {
    let heads = node.build_all()?;
    let (mut chains, mut rows) = (Vec::new(), Vec::new());
    let mut known: BTreeMap<[String; 2], usize> = BTreeMap::new();
    while let Some(mut row) = node.take_part(Rule::link_row) {
        let mut span = row.span;
        let notes = row.notes();
        let mut link = row.any();
        span.start = link.span.start;
        let places: [MemberDecl; 2] = [link.one()?, link.one()?];
        let names = places.each_ref().map(|place| place.name.text.clone());
        let name = names.join("-");
        let mut ends = names;
        ends.sort();
        let count = known.entry(ends).or_insert(0);
        *count += 1;
        let name = if *count > 1 { format!("{name}-{count}") } else { name };
        let label = Cell { kind: CellKind::Name(name), span: link.span };
        rows.push(DrawnRow { notes, label, cells: row.build_all()?, span });
        chains.push(Chain { places: places.into(), span: link.span });
    }
    Ok((chains, Drawn { file: None, heads, rows }))
}

impl Build for DrawnRow {
    const RULES: &'static [Rule] = &[Rule::row];
    fn build(mut node: Node<'_>) -> Built<DrawnRow> {
        let mut span = node.span;
        let (notes, label): (_, Cell) = (node.notes(), node.one()?);
        span.start = label.span.start;
        Ok(DrawnRow { notes, label, cells: node.build_all()?, span })
    }
}

impl Build for Cell {
    const RULES: &'static [Rule] =
        &[Rule::cell, Rule::head_label, Rule::row_label, Rule::cell_index];
    fn build(mut node: Node<'_>) -> Built<Cell> {
        let span = node.span;
        let mut node = node.any();
        let kind = match (node.rule, node.text) {
            (Rule::cell_number, _) => CellKind::Number(node.parse_number()?),
            (Rule::string, _) => CellKind::Text(plain_words(node)?),
            (Rule::cell_set, _) => CellKind::Set(node.build_all()?),
            (Rule::cell_numbers, _) => {
                let mut numbers = Vec::new();
                while let Some(number) = node.take_part(Rule::cell_number) {
                    numbers.push(number.parse_number()?);
                }
                CellKind::Numbers(numbers)
            }
            (Rule::cell_goods, _) => {
                let mut goods = Vec::new();
                while let Some(mut good) = node.take_part(Rule::cell_good) {
                    let amount = good.any().parse_number()?;
                    goods.push((amount, good.one()?));
                }
                CellKind::Goods(goods)
            }
            (Rule::cell_none, _) | (_, "none") => CellKind::None,
            (_, "yes") => CellKind::Bool(true),
            (_, "no") => CellKind::Bool(false),
            (_, name) => CellKind::Name(name.to_owned()),
        };
        Ok(Cell { kind, span })
    }
}

/// The text of a cell, which has no holes.
pub(super) fn plain_words(node: Node<'_>) -> Built<String> {
    let words = Text::build(node)?.parts.into_iter().map(|part| match part {
        TextPart::Words(words) => Ok(words),
        TextPart::Hole(hole) => Err(error::hole_in_cell(hole.span)),
    });
    words.collect()
}
