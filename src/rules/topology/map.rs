//! Maps: `{ harbour - market - castle }`, places with names that are linked to each other.

use crate::rules::topology::{CellLayout, Topology};

/// Its links are the column of the neighbours of each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Map {
    pub(crate) places: usize,
}

impl Topology for Map {
    fn cell_count(&self) -> usize {
        self.places
    }

    fn shape_code(&self) -> String {
        String::new()
    }

    fn describe_shape(&self) -> String {
        format!("{} places", self.places)
    }

    fn noun(&self) -> &'static str {
        "place"
    }

    fn cell_layout(&self) -> CellLayout {
        CellLayout::Links
    }
}
