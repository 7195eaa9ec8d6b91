//! Grids: `4 by 4`, rows and columns of cells with eight directions.

use crate::check::topology::{CellLayout, Topology};

/// Clockwise; `north` is up as the board is drawn.
pub(super) const DIRECTIONS: [&str; 8] =
    ["north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"];

/// A board of rows and columns: row by row from the top, each from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub columns: usize,
    pub rows: usize,
    /// Whether the numbers of rows count from the bottom.
    pub from_bottom: bool,
}

impl Grid {
    fn row_number(self, at: usize) -> usize {
        let row = at / self.columns;
        if self.from_bottom { self.rows - row } else { row + 1 }
    }
}

impl Topology for Grid {
    fn cell_count(&self) -> usize {
        self.columns * self.rows
    }

    /// `a1` for the first cell: the letters of its column and the number of its row.
    fn cell_name(&self, _board: &str, at: usize) -> String {
        format!("{}{}", column_letters(at % self.columns), self.row_number(at))
    }

    fn shape_code(&self) -> String {
        format!(" {} by {}", self.columns, self.rows)
    }

    fn describe_shape(&self) -> String {
        format!("{} by {} cells", self.columns, self.rows)
    }

    fn number_columns(&self) -> Vec<(&'static str, Vec<usize>)> {
        let rows = (0..self.cell_count()).map(|at| self.row_number(at)).collect();
        let columns = (0..self.cell_count()).map(|at| at % self.columns + 1).collect();
        vec![("row", rows), ("column", columns)]
    }

    fn number_lookup(&self, board: &str) -> Option<String> {
        Some(format!("a cell by its numbers: `{board}[row, column]`"))
    }

    fn directions(&self) -> &'static [&'static str] {
        &DIRECTIONS
    }

    fn step_from(&self, from: usize, direction: &str) -> Option<usize> {
        let at = DIRECTIONS.iter().position(|known| *known == direction)?;
        let (right, down) =
            [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)][at];
        let column = (from % self.columns).checked_add_signed(right)?;
        let row = (from / self.columns).checked_add_signed(down)?;
        let to = row * self.columns + column;
        (column < self.columns && to < self.cell_count()).then_some(to)
    }

    fn cells_on_rays(&self) -> usize {
        4 * (self.columns + self.rows)
    }

    fn axes(&self) -> &'static [&'static str] {
        &["east", "south", "south_east", "south_west"]
    }

    fn cell_layout(&self) -> CellLayout {
        CellLayout::Rows { columns: self.columns }
    }
}

/// The letters of a column: `a` to `z`, then `aa`, `ab` and so on.
pub(super) fn column_letters(column: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(column % 26).expect("below 26"));
    match column / 26 {
        0 => letter.to_string(),
        before => column_letters(before - 1) + &letter.to_string(),
    }
}
