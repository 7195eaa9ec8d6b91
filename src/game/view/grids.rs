//! Draws variables over two types, or over the combinations of two kinds, in rows and columns.

use std::iter;

use crate::bytecode::program::ValueShape::Bool;
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::game::view::grouping::{table_cell, tables};
use crate::game::view::{ViewCell, ViewContext, colour, grid_row};

/// Rows of cells, and what explains them.
pub(super) type GridLines = (Vec<Vec<ViewCell>>, String);

/// Draws a variable, where its elements lie in rows and columns.
pub(super) fn alone(view: ViewContext, var: &VarInfo, seat: usize) -> Option<GridLines> {
    let cell = |element: usize| view.build_cell(var, (seat, element));
    match var.dims.as_slice() {
        [dim] => over_parts(view, dim, &cell),
        [down, across] => {
            // What is not done yet shows what the file asks for there.
            let mut tables = tables(view, &var.dims);
            let only = tables.next().filter(|_| tables.next().is_none());
            let asked = only.filter(|_| var.format.shape == Bool);
            let asking = |element: usize| match (cell(element), asked) {
                (cell, Some(table)) if cell.is_empty() => table_cell(view, table, element),
                (cell, _) => cell,
            };
            let legend = asked.map(|table| format!("numbers of {}: {}", var.title, table.title));
            let columns = view.own_positions(across);
            let owner = var.of_player.then_some(seat);
            let heading = |column: &usize| view.index_heading((var, 1), *column, owner);
            let headings = columns.iter().map(heading);
            let mut grid = vec![grid_row("", headings)];
            for at in view.own_positions(down) {
                let cells = columns.iter().map(|column| asking(at * across.size + column));
                grid.push(
                    iter::once(view.index_heading((var, 0), at, owner)).chain(cells).collect(),
                );
            }
            Some((grid, legend.unwrap_or_default()))
        }
        _ => None,
    }
}

/// Members that are combinations of two kinds: the first goes down, the second across.
fn over_parts(
    view: ViewContext,
    dim: &DimInfo,
    cell: &dyn Fn(usize) -> ViewCell,
) -> Option<GridLines> {
    let parts = colour::product_parts(view.rules, view.dim_kind(dim)?);
    let [(down, _), (across, _)] = parts.as_slice() else { return None };
    let (down, across) = (&view.rules.kinds[*down].members, &view.rules.kinds[*across].members);
    if down.len() * across.len() != dim.size {
        return None;
    }
    let mut grid =
        vec![grid_row("", across.iter().map(|member| ViewCell::from_text(&member.title)))];
    for (member, first) in down.iter().zip((0..).step_by(across.len())) {
        grid.push(grid_row(&member.title, (first..first + across.len()).map(cell)));
    }
    Some((grid, String::new()))
}
