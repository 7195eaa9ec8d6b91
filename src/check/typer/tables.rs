//! Tables whose cells a formula gives: it is computed once for each member, before play.

use std::cell::Cell;

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::typer::bags::Bag;
use crate::check::typer::types::{
    WrittenType, constant_with, index_locals, resolve, resolve_domain,
};
use crate::eval::{Evaluated, MAX_STEPS, NoValue};
use crate::rules::{
    Domain, Init, PLAYER, TableId, Type, Value, filler, flat_index, literal, to_int, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast;

/// The most cells that a formula may give a table.
const MOST_CELLS: usize = 1 << 15;

/// Computes a table with a formula now, unless that was done.
pub(crate) fn settle_table(file: &mut FileContext, id: TableId, read: Span) {
    if let Some(table) = file.tree.tables.get(id.index()).map(|entry| entry.item)
        && let ast::TableBody::Formula(formula) = &table.body
        && file.begin_declaration(&table.name, read)
    {
        file.searching.push(&table.name);
        let before = file.budget.turn_to(table.name.span);
        compute_table(file, id, table, formula);
        file.budget.turn_to(before);
        file.end_search();
    }
}

/// A dimension whose size is known before play.
pub(crate) fn table_dim(
    file: &mut FileContext,
    dim: &ast::TypeExpr,
    is_drawn: bool,
) -> Option<Domain> {
    let domain = resolve_domain(file, dim)?;
    let problem = match domain {
        Domain::Kind(PLAYER) if is_drawn => "a table over players is written in one row",
        Domain::Range(_) if file.rules.domain_size(domain).is_none() => {
            "the range of a table needs literal numbers"
        }
        _ => return Some(domain),
    };
    let help = "write `table name[Player] = …` with a cell for each, or bounds like `1..6`";
    file.refuse_with(error::table_shape(problem, help, dim.span))
}

fn compute_table(file: &mut FileContext, id: TableId, table: &ast::TableDecl, formula: &ast::Expr) {
    let dims: Option<Vec<Domain>> =
        table.dims.iter().map(|dim| table_dim(file, &dim.ty, false)).collect();
    let (binders, locals) = index_locals(file, &table.dims, dims.as_deref());
    let written = table.ty.as_ref().map(|ty| resolve(file, ty));
    file.rules.tables[id.index()].dims = dims.clone().unwrap_or_default();
    let before = file.diagnostics.count();
    let want = written.as_ref().map(|written| &written.ty);
    let (value, locals) = constant_with(file, formula, want, locals);
    let WrittenType { ty, range } =
        written.unwrap_or_else(|| WrittenType::from_type(value.ty.clone()));
    let ty = match unwrap_maybe(&ty) {
        Type::Text => ty,
        _ => file.check_storable(&table.name, ty, false, value.span),
    };
    let (mut binders, mut dims, mut ty) = (binders, dims, ty);
    let value = match (&ty, Bag::from_expr(value)) {
        (Type::Bag(kind), Ok(bag)) => {
            dims.iter_mut().for_each(|dims| dims.push(Domain::Kind(*kind)));
            binders.push(Some(bag.good));
            ty = Type::Number;
            bag.amount
        }
        (_, Ok(bag)) => bag.into_expr(formula.span),
        (Type::Bag(_), Err(value)) => {
            ty = Type::Unknown;
            value
        }
        (_, Err(value)) => value,
    };
    let checked = &mut file.rules.tables[id.index()];
    checked.dims = dims.clone().unwrap_or_default();
    checked.ty = ty.clone();
    checked.formula = Some(Init { binders, locals, value });
    let Some(dims) = dims.filter(|_| ty != Type::Unknown) else { return };
    if file.diagnostics.count() > before || file.budget.is_spent() {
        return;
    }
    if let Type::Set(domain) = ty
        && file.rules.domain_size(domain).is_none()
    {
        let help = "give the range two literal ends: `set of 1..9`";
        let problem = "the cells hold numbers of a range that is not known before play";
        return file.report_error(error::table_shape(problem, help, table.name.span));
    }
    let range = range.map(|range| &file.rules.ranges[range.index()]);
    let bounds = range.map(|it| (literal(&it.low), it.high.as_ref().and_then(literal)));
    if let Some(cells) = compute_cells(file, id, &dims, bounds.unwrap_or_default()) {
        file.budget.hold_memory(cells.iter().map(|cell| 32 + 8 * cell.item_count()).sum());
        file.rules.tables[id.index()].cells = cells.into();
    }
}

/// The cells, one after the other; of a part of a kind only those of its own members are computed.
fn compute_cells(
    file: &mut FileContext,
    id: TableId,
    dims: &[Domain],
    (low, high): (Option<i64>, Option<i64>),
) -> Option<Vec<Value>> {
    let table = &file.rules.tables[id.index()];
    let Init { binders, value: formula, .. } = table.formula.as_ref()?;
    let sizes: Vec<(i64, usize)> = dims
        .iter()
        .map(|dim| Some((first_index(file, *dim), file.rules.domain_size(*dim)?)))
        .collect::<Option<_>>()?;
    let count = sizes.iter().fold(1_usize, |all, (_, size)| all.saturating_mul(*size));
    if count > MOST_CELLS {
        let (name, span) = (table.name.clone(), table.span);
        return file.refuse_with(error::TableTooLarge {
            name,
            found: count,
            most: MOST_CELLS,
            span,
        });
    }
    let (left, setting) = (Cell::new(MAX_STEPS), file.only_setting());
    let ranges = file.known_ranges(setting.as_ref(), &left);
    let mut evaluator = file.evaluator(setting.as_ref(), &ranges, &left);
    let mut cell = |indices: &[i64]| -> Evaluated {
        let bound = binders.iter().zip(indices);
        let bound = bound.filter_map(|(local, at)| Some(((*local)?, Value::Int(*at))));
        evaluator.bound = bound.collect();
        let value = evaluator.value(formula)?;
        let fault = match value {
            _ if left.get() == 0 => format!("the table takes more than {MAX_STEPS} steps"),
            Value::Int(number)
                if low.is_some_and(|low| number < low) || high.is_some_and(|it| number > it) =>
            {
                format!("{number} is out of range")
            }
            value => return Ok(value),
        };
        Err(NoValue::Fault(formula.span, fault))
    };
    let (mut cells, mut failed) = (vec![filler(&table.ty); count], None);
    for indices in index_tuples(file, dims)? {
        match cell(&indices) {
            Ok(value) => {
                if let Some(at) = flat_index(sizes.iter().copied(), &indices) {
                    cells[at] = value;
                }
            }
            Err(problem) => {
                failed = Some((problem, indices));
                break;
            }
        }
    }
    file.budget.charge(MAX_STEPS - left.get() + count);
    let Some((problem, indices)) = failed else { return Some(cells) };
    let places = indices.iter().zip(dims).zip(&sizes).map(|((index, dim), (first, _))| {
        file.rules.domain_member(*dim, usize::try_from(index - first).unwrap_or(0))
    });
    let cell = format!("{}[{}]", table.name, places.collect::<Vec<_>>().join(", "));
    let found = match problem {
        NoValue::Fault(span, reason) => error::cell_fault(cell, reason, span),
        NoValue::Unknown => error::cell_unknown(&table.name, formula.span),
    };
    file.refuse_with(found)
}

fn first_index(file: &FileContext, dim: Domain) -> i64 {
    match dim {
        Domain::Kind(_) => 0,
        Domain::Range(range) => literal(&file.rules.ranges[range.index()].low).unwrap_or(0),
    }
}

/// The indices of all cells, the last dimension running fastest.
fn index_tuples(file: &FileContext, dims: &[Domain]) -> Option<Vec<Vec<i64>>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for dim in dims {
        let (low, own) = (first_index(file, *dim), file.rules.table_members(*dim)?);
        let longer = |left: &Vec<i64>| {
            let ends = own.iter().map(|at| low + to_int(*at));
            ends.map(|end| [left.as_slice(), &[end]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}
