//! Rings: `ring 12`, cells one after the other, the last beside the first.

use crate::check::topology::{CellLayout, Topology};
use crate::syntax::in_snake_case;

pub(super) const DIRECTIONS: [&str; 2] = ["onward", "back"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    pub cells: usize,
}

impl Topology for Ring {
    fn cells(&self) -> usize {
        self.cells
    }

    fn cell_name(&self, board: &str, at: usize) -> String {
        format!("{}{}", in_snake_case(board), at + 1)
    }

    fn written(&self) -> String {
        format!(" ring {}", self.cells)
    }

    fn described(&self) -> String {
        format!("{} cells that go round", self.cells)
    }

    fn numbers(&self) -> Vec<(&'static str, Vec<usize>)> {
        vec![("number", (1..=self.cells).collect())]
    }

    fn by_number(&self, board: &str) -> Option<String> {
        Some(format!("a cell by its number: `{board}[n]`"))
    }

    fn directions(&self) -> &'static [&'static str] {
        &DIRECTIONS
    }

    fn step(&self, from: usize, direction: &str) -> Option<usize> {
        match direction {
            "onward" => Some((from + 1) % self.cells),
            "back" => Some((from + self.cells - 1) % self.cells),
            _ => None,
        }
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn layout(&self) -> CellLayout {
        CellLayout::Circle
    }
}
