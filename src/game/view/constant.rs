//! Constant tables that are shown with the variables over the same types.

use super::cell::{Cell, EMPTY};
use super::colour;
use super::redact::Of;
use super::series::Strand;
use super::tracks::number;
use crate::bytecode::vars::DimInfo;
use crate::check::rules::{Domain, Table, Type, Value};

/// The tables over one type, a strand each: what was written down about its members.
pub(super) fn strands(of: Of, over: &DimInfo) -> Vec<Strand> {
    let tables = tables(of, std::slice::from_ref(over));
    let strand = |table: &Table| {
        let cells = of.own(over).into_iter().map(|at| cell(of, table, at)).collect();
        Strand { title: table.name.replace('_', " "), cells }
    };
    tables.map(strand).collect()
}

/// The only table of numbers or members over some types, if there is just one.
pub(super) fn only<'a>(of: Of<'a>, dims: &[DimInfo]) -> Option<&'a Table> {
    let mut tables = tables(of, dims);
    tables.next().filter(|_| tables.next().is_none())
}

fn tables<'a>(of: Of<'a>, dims: &[DimInfo]) -> impl Iterator<Item = &'a Table> {
    let dims = dims.to_vec();
    let fits = move |table: &&Table| {
        table.dims.len() == dims.len()
            && table.dims.iter().zip(&dims).all(|(domain, dim)| is_over(of, *domain, dim))
            && is_short(&table.ty)
            && !table.is_computed()
    };
    of.rules.tables.iter().filter(fits)
}

/// Whether a table has a cell for each index of a dimension.
fn is_over(of: Of, domain: Domain, dim: &DimInfo) -> bool {
    match domain {
        Domain::Kind(kind) => dim.kind.map(u32::from) == Some(kind.0),
        Domain::Range(range) => {
            let range = &of.rules.ranges[range.index()];
            let high = range.high.as_ref().and_then(|high| number(of.rules, high));
            let size = i64::try_from(dim.size).unwrap_or_default();
            dim.kind.is_none()
                && number(of.rules, &range.low) == Some(dim.low)
                && high == Some(dim.low + size - 1)
        }
    }
}

fn is_short(ty: &Type) -> bool {
    match ty {
        Type::Maybe(ty) => is_short(ty),
        Type::Number | Type::Kind(_) => true,
        _ => false,
    }
}

/// A cell of a table.
pub(super) fn cell(of: Of, table: &Table, at: usize) -> Cell {
    let ty = match &table.ty {
        Type::Maybe(ty) => ty.as_ref(),
        ty => ty,
    };
    match (table.cells.get(at), ty) {
        (Some(Value::Int(word)), Type::Kind(kind)) => {
            let at = usize::try_from(*word).unwrap_or_default();
            let member = of.rules.kinds[kind.index()].members.get(at);
            let text = member.map_or_else(String::new, |member| member.title.clone());
            let inks = colour::words(of.rules, kind.index(), at, &text);
            Cell { text, inks, ground: None }
        }
        (Some(Value::Int(word)), _) => Cell::plain(&word.to_string()),
        _ => Cell::plain(EMPTY),
    }
}
