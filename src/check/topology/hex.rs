//! Hex boards: `hex 5`, a hexagon, and `hex 7 by 7`, a rhombus, of cells with six neighbours each.
//!
//! A cell has a pointed top, so rows are straight and each lies half a cell to the right of the row
//! above it. Columns run from the top left to the bottom right.

use crate::check::topology::grid::column_letters;
use crate::check::topology::{CellLayout, Topology};

/// Clockwise.
const DIRECTIONS: [&str; 6] =
    ["north_east", "east", "south_east", "south_west", "west", "north_west"];

/// A rhombus of columns and rows, or the hexagon that lies in its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hex {
    Hexagon { side: usize },
    Rhombus { columns: usize, rows: usize },
}

impl Hex {
    pub(crate) fn row_count(self) -> usize {
        match self {
            Hex::Hexagon { side } => 2 * side - 1,
            Hex::Rhombus { rows, .. } => rows,
        }
    }

    fn first_column(self, row: usize) -> usize {
        match self {
            Hex::Hexagon { side } => (side - 1).saturating_sub(row),
            Hex::Rhombus { .. } => 0,
        }
    }

    pub(crate) fn row_length(self, row: usize) -> usize {
        match self {
            Hex::Hexagon { side } => 2 * side - 1 - row.abs_diff(side - 1),
            Hex::Rhombus { columns, .. } => columns,
        }
    }

    /// How far the first cell of a row lies to the right in a drawing, in halves of a cell.
    pub(crate) fn indent(self, row: usize) -> usize {
        match self {
            Hex::Hexagon { side } => row.abs_diff(side - 1),
            Hex::Rhombus { .. } => row,
        }
    }

    /// The column and the row of a cell, from 0.
    fn to_coordinates(self, at: usize) -> (usize, usize) {
        if let Hex::Rhombus { columns, .. } = self {
            return (at % columns, at / columns);
        }
        let (mut row, mut left) = (0, at);
        while left >= self.row_length(row) {
            left -= self.row_length(row);
            row += 1;
        }
        (self.first_column(row) + left, row)
    }

    fn cell_at(self, column: usize, row: usize) -> Option<usize> {
        let along =
            column.checked_sub(self.first_column(row)).filter(|it| *it < self.row_length(row))?;
        Some(match self {
            Hex::Hexagon { .. } => (0..row).map(|row| self.row_length(row)).sum::<usize>() + along,
            Hex::Rhombus { columns, .. } => row * columns + along,
        })
    }
}

impl Topology for Hex {
    fn cell_count(&self) -> usize {
        (0..self.row_count()).map(|row| self.row_length(row)).sum()
    }

    /// `a1`: the letters of its column and the number of its row.
    fn cell_name(&self, _board: &str, at: usize) -> String {
        let (column, row) = self.to_coordinates(at);
        format!("{}{}", column_letters(column), row + 1)
    }

    fn shape_code(&self) -> String {
        match self {
            Hex::Hexagon { side } => format!(" hex {side}"),
            Hex::Rhombus { columns, rows } => format!(" hex {columns} by {rows}"),
        }
    }

    fn describe_shape(&self) -> String {
        match self {
            Hex::Hexagon { side } => format!("{} hexes, {side} on each side", self.cell_count()),
            Hex::Rhombus { columns, rows } => format!("{columns} by {rows} hexes"),
        }
    }

    fn number_columns(&self) -> Vec<(&'static str, Vec<usize>)> {
        let places = || (0..self.cell_count()).map(|at| self.to_coordinates(at));
        let rows = places().map(|(_, row)| row + 1).collect();
        vec![("row", rows), ("column", places().map(|(column, _)| column + 1).collect())]
    }

    fn number_lookup(&self, board: &str) -> Option<String> {
        let form = match self {
            Hex::Hexagon { .. } => format!("{board}.at(row, column)"),
            Hex::Rhombus { .. } => format!("{board}[row, column]"),
        };
        Some(format!("a cell by its numbers: `{form}`"))
    }

    fn directions(&self) -> &'static [&'static str] {
        &DIRECTIONS
    }

    fn step_from(&self, from: usize, direction: &str) -> Option<usize> {
        let at = DIRECTIONS.iter().position(|known| *known == direction)?;
        let (right, down) = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)][at];
        let (column, row) = self.to_coordinates(from);
        let row = row.checked_add_signed(down).filter(|row| *row < self.row_count())?;
        self.cell_at(column.checked_add_signed(right)?, row)
    }

    fn cells_on_rays(&self) -> usize {
        6 * self.row_count().max(self.row_length(0))
    }

    fn axes(&self) -> &'static [&'static str] {
        &["east", "south_east", "south_west"]
    }

    fn cell_layout(&self) -> CellLayout {
        CellLayout::Slanted(*self)
    }
}
