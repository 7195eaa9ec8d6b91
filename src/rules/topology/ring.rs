//! Rings: `ring 12`, cells one after the other, the last beside the first.

use crate::rules::topology::{CellLayout, Topology};
use crate::syntax::in_snake_case;

pub(super) const DIRECTIONS: [&str; 2] = ["onward", "back"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    pub cells: usize,
}

impl Topology for Ring {
    fn cell_count(&self) -> usize {
        self.cells
    }

    fn cell_name(&self, board: &str, at: usize) -> String {
        format!("{}{}", in_snake_case(board), at + 1)
    }

    fn shape_code(&self) -> String {
        format!(" ring {}", self.cells)
    }

    fn describe_shape(&self) -> String {
        format!("{} cells that go round", self.cells)
    }

    fn number_columns(&self) -> Vec<(&'static str, Vec<usize>)> {
        vec![("number", (1..=self.cells).collect())]
    }

    fn number_lookup(&self, board: &str) -> Option<String> {
        Some(format!("a cell by its number: `{board}[n]`"))
    }

    fn directions(&self) -> &'static [&'static str] {
        &DIRECTIONS
    }

    fn step_from(&self, from: usize, direction: &str) -> Option<usize> {
        match direction {
            "onward" => Some((from + 1) % self.cells),
            "back" => Some((from + self.cells - 1) % self.cells),
            _ => None,
        }
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn cell_layout(&self) -> CellLayout {
        CellLayout::Circle
    }
}
