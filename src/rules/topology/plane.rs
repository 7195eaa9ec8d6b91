//! Boards whose cells lie in rows: grids, `4 by 4`, with eight directions; and hex boards, `hex 5`, a hexagon,
//! and `hex 7 by 7`, a rhombus, of cells with six neighbours each.
//!
//! A hex has a pointed top, so rows are straight and each lies half a cell to the right of the row
//! above it. Columns run from the top left to the bottom right.

use crate::rules::topology::{CellLayout, Topology};

/// The directions of a grid, clockwise; `north` is up as the board is drawn.
pub(super) const DIRECTIONS: [&str; 8] =
    ["north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"];

/// How far each of them leads to the right and down.
const STEPS: [(isize, isize); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

const HEX_DIRECTIONS: [&str; 6] =
    ["north_east", "east", "south_east", "south_west", "west", "north_west"];

const HEX_STEPS: [(isize, isize); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

/// A grid, a rhombus of hexes, or the hexagon that lies in its middle: row by row from the top, each from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    Grid {
        columns: usize,
        rows: usize,
        /// Whether the numbers of rows count from the bottom.
        from_bottom: bool,
        /// Whether the opposite rims touch.
        wraps: bool,
    },
    Rhombus {
        columns: usize,
        rows: usize,
        wraps: bool,
    },
    Hexagon {
        side: usize,
    },
}

impl Plane {
    /// How many columns and rows lead once around; nothing where the board has a rim.
    pub(super) fn round(self) -> Option<(usize, usize)> {
        match self {
            Plane::Grid { columns, rows, wraps: true, .. }
            | Plane::Rhombus { columns, rows, wraps: true } => Some((columns, rows)),
            _ => None,
        }
    }

    pub(crate) fn row_count(self) -> usize {
        match self {
            Plane::Grid { rows, .. } | Plane::Rhombus { rows, .. } => rows,
            Plane::Hexagon { side } => 2 * side - 1,
        }
    }

    pub(crate) fn row_length(self, row: usize) -> usize {
        match self {
            Plane::Grid { columns, .. } | Plane::Rhombus { columns, .. } => columns,
            Plane::Hexagon { side } => 2 * side - 1 - row.abs_diff(side - 1),
        }
    }

    fn first_column(self, row: usize) -> usize {
        match self {
            Plane::Grid { .. } | Plane::Rhombus { .. } => 0,
            Plane::Hexagon { side } => (side - 1).saturating_sub(row),
        }
    }

    /// How far the first cell of a row lies to the right in a drawing, in halves of a cell.
    pub(crate) fn indent(self, row: usize) -> usize {
        match self {
            Plane::Grid { .. } => 0,
            Plane::Rhombus { .. } => row,
            Plane::Hexagon { side } => row.abs_diff(side - 1),
        }
    }

    fn row_number(self, row: usize) -> usize {
        match self {
            Plane::Grid { rows, from_bottom: true, .. } => rows - row,
            _ => row + 1,
        }
    }

    /// The column and the row of a cell, from 0.
    fn to_coordinates(self, at: usize) -> (usize, usize) {
        if let Plane::Grid { columns, .. } | Plane::Rhombus { columns, .. } = self {
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
        let along = column.checked_sub(self.first_column(row))?;
        let is_there = row < self.row_count() && along < self.row_length(row);
        is_there.then(|| match self {
            Plane::Grid { columns, .. } | Plane::Rhombus { columns, .. } => row * columns + along,
            Plane::Hexagon { .. } => {
                (0..row).map(|row| self.row_length(row)).sum::<usize>() + along
            }
        })
    }
}

impl Topology for Plane {
    fn cell_count(&self) -> usize {
        (0..self.row_count()).map(|row| self.row_length(row)).sum()
    }

    /// `a1`: the letters of its column and the number of its row.
    fn cell_name(&self, _board: &str, at: usize) -> String {
        let (column, row) = self.to_coordinates(at);
        format!("{}{}", column_letters(column), self.row_number(row))
    }

    fn shape_code(&self) -> String {
        let shape = match self {
            Plane::Grid { columns, rows, .. } => format!(" {columns} by {rows}"),
            Plane::Rhombus { columns, rows, .. } => format!(" hex {columns} by {rows}"),
            Plane::Hexagon { side } => format!(" hex {side}"),
        };
        shape + if self.round().is_some() { " wrap" } else { "" }
    }

    fn describe_shape(&self) -> String {
        let shape = match self {
            Plane::Grid { columns, rows, .. } => format!("{columns} by {rows} cells"),
            Plane::Rhombus { columns, rows, .. } => format!("{columns} by {rows} hexes"),
            Plane::Hexagon { side } => format!("{} hexes, {side} on each side", self.cell_count()),
        };
        shape + if self.round().is_some() { "; opposite sides touch" } else { "" }
    }

    fn number_columns(&self) -> Vec<(&'static str, Vec<usize>)> {
        let places = || (0..self.cell_count()).map(|at| self.to_coordinates(at));
        let rows = places().map(|(_, row)| self.row_number(row)).collect();
        vec![("row", rows), ("column", places().map(|(column, _)| column + 1).collect())]
    }

    fn number_lookup(&self, board: &str) -> Option<String> {
        let form = match self {
            Plane::Grid { .. } | Plane::Rhombus { .. } => format!("{board}[row, column]"),
            Plane::Hexagon { .. } => format!("{board}.at(row, column)"),
        };
        Some(format!("a cell by its numbers: `{form}`"))
    }

    fn directions(&self) -> &'static [&'static str] {
        match self {
            Plane::Grid { .. } => &DIRECTIONS,
            Plane::Rhombus { .. } | Plane::Hexagon { .. } => &HEX_DIRECTIONS,
        }
    }

    fn step_from(&self, from: usize, direction: &str) -> Option<usize> {
        let at = self.directions().iter().position(|known| *known == direction)?;
        let (right, down) = match self {
            Plane::Grid { .. } => STEPS[at],
            Plane::Rhombus { .. } | Plane::Hexagon { .. } => HEX_STEPS[at],
        };
        let (column, row) = self.to_coordinates(from);
        if let Some((columns, rows)) = self.round() {
            let beyond =
                |at: usize, by: isize, all: usize| (at + all).saturating_add_signed(by) % all;
            return self.cell_at(beyond(column, right, columns), beyond(row, down, rows));
        }
        self.cell_at(column.checked_add_signed(right)?, row.checked_add_signed(down)?)
    }

    fn is_endless(&self) -> bool {
        self.round().is_some()
    }

    fn cells_on_rays(&self) -> usize {
        match self {
            _ if self.is_endless() => self.directions().len() * self.cell_count(),
            Plane::Grid { columns, rows, .. } => 4 * (columns + rows),
            Plane::Rhombus { .. } | Plane::Hexagon { .. } => {
                6 * self.row_count().max(self.row_length(0))
            }
        }
    }

    fn axes(&self) -> &'static [&'static str] {
        match self {
            Plane::Grid { .. } => &["east", "south", "south_east", "south_west"],
            Plane::Rhombus { .. } | Plane::Hexagon { .. } => &["east", "south_east", "south_west"],
        }
    }

    fn cell_layout(&self) -> CellLayout {
        match self {
            Plane::Grid { columns, .. } => CellLayout::Rows { columns: *columns },
            hexes => CellLayout::Slanted(*hexes),
        }
    }
}

/// The letters of a column: `a` to `z`, then `aa`, `ab` and so on.
fn column_letters(column: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(column % 26).expect("below 26"));
    match column / 26 {
        0 => letter.to_string(),
        before => column_letters(before - 1) + &letter.to_string(),
    }
}
