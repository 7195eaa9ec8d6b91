//! The topology of boards: cells, directions, steps, rays and straight lines; a file for each shape.

mod joints;
mod map;
mod plane;
mod ring;

use std::ops::Deref;

pub use joints::Lattice;
pub(crate) use joints::{JointPart, Joints};
pub(crate) use joints::{invert_sets, meeting_sets};
pub(crate) use map::Map;
pub use plane::Plane;
pub use ring::Ring;

/// A shape of boards. Cells are counted from 0.
pub trait Topology {
    fn cell_count(&self) -> usize;

    /// What a cell of a board of this name is called, where the file does not say it.
    fn cell_name(&self, _board: &str, _at: usize) -> String {
        String::new()
    }

    /// How the shape is written after the name of a board: ` 4 by 4`.
    fn shape_code(&self) -> String;

    /// What a board has, in words: `4 by 4 cells`.
    fn describe_shape(&self) -> String;

    fn noun(&self) -> &'static str {
        "cell"
    }

    /// The columns of numbers that cells have by themselves.
    fn number_columns(&self) -> Vec<(&'static str, Vec<usize>)> {
        Vec::new()
    }

    /// How a cell is found whose numbers are known, on a board of this name.
    fn number_lookup(&self, _board: &str) -> Option<String> {
        None
    }

    fn directions(&self) -> &'static [&'static str] {
        &[]
    }

    /// The cell beside another one in a direction.
    fn step_from(&self, _from: usize, _direction: &str) -> Option<usize> {
        None
    }

    /// Whether a step in any of its directions leads to a cell from everywhere.
    fn is_endless(&self) -> bool {
        false
    }

    /// How many cells the rays of one cell have at most, all directions together.
    fn cells_on_rays(&self) -> usize {
        self.directions().len() * self.cell_count()
    }

    /// The ways in which a straight line can run, each by one of its two directions.
    fn axes(&self) -> &'static [&'static str] {
        &[]
    }

    /// The axis on which a direction lies: it, or the opposite one, which is half a turn from it.
    fn axis_of(&self, direction: &str) -> Option<&'static str> {
        let all = self.directions();
        let at = all.iter().position(|known| *known == direction)?;
        let both = [all[at], all[(at + all.len() / 2) % all.len()]];
        self.axes().iter().find(|axis| both.contains(axis)).copied()
    }

    fn cell_layout(&self) -> CellLayout;
}

/// How the cells of a board lie in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellLayout {
    /// In rows, from the top, each from the left.
    Rows { columns: usize },
    /// In rows from the top, each moved to the right by halves of a cell.
    Slanted(Plane),
    /// One after the other, the last beside the first.
    Circle,
    /// Between the cells of another board.
    Between(JointPart, Plane),
    /// Anywhere; links join them.
    Links,
}

impl CellLayout {
    /// How many cells a drawing has beside each other; nothing where they do not lie in rows.
    pub(crate) fn column_count(self) -> Option<usize> {
        match self {
            CellLayout::Rows { columns } => Some(columns),
            CellLayout::Slanted(_)
            | CellLayout::Circle
            | CellLayout::Between(..)
            | CellLayout::Links => None,
        }
    }
}

/// A board, by its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardTopology {
    Grid(Plane),
    Ring(Ring),
    Hex(Plane),
    Map(Map),
    Joints(Joints),
}

impl Deref for BoardTopology {
    type Target = dyn Topology;

    fn deref(&self) -> &(dyn Topology + 'static) {
        match self {
            BoardTopology::Grid(plane) | BoardTopology::Hex(plane) => plane,
            BoardTopology::Ring(ring) => ring,
            BoardTopology::Map(map) => map,
            BoardTopology::Joints(joints) => joints,
        }
    }
}

/// A shape that has a word: `ring 12`, `hex 5`.
pub(crate) struct NamedShape {
    pub(crate) word: &'static str,
    /// How a board of it is declared, for messages.
    pub(crate) form: &'static str,
    /// The least number that a size may be.
    pub(crate) least: usize,
    /// The board of these sizes, if it has so many.
    pub(crate) board: fn(&[usize]) -> Option<BoardTopology>,
}

pub(crate) const SHAPES: [NamedShape; 2] = [
    NamedShape {
        word: "ring",
        form: "`ring 12`",
        least: 2,
        board: |sizes| match *sizes {
            [cells] => Some(BoardTopology::Ring(Ring { cells })),
            _ => None,
        },
    },
    NamedShape {
        word: "hex",
        form: "`hex 5` or `hex 7 by 6`",
        least: 1,
        board: |sizes| match *sizes {
            [side] => Some(BoardTopology::Hex(Plane::Hexagon { side })),
            [columns, rows] => {
                Some(BoardTopology::Hex(Plane::Rhombus { columns, rows, wraps: false }))
            }
            _ => None,
        },
    },
];

/// The directions of all shapes, in the order of the kind `Direction`.
pub(crate) fn all_directions() -> impl Iterator<Item = &'static str> {
    plane::DIRECTIONS.into_iter().chain(ring::DIRECTIONS)
}

/// The words for sets of directions, with what they hold.
pub(crate) const DIRECTION_SETS: [(&str, [&str; 4]); 2] = [
    ("orthogonal", ["north", "east", "south", "west"]),
    ("diagonal", ["north_east", "south_east", "south_west", "north_west"]),
];

impl BoardTopology {
    /// All cells in a direction, the nearest first; on a ring once around, without the first.
    pub fn ray(self, from: usize, direction: &str) -> impl Iterator<Item = usize> {
        let next = move |cell: &usize| self.step_from(*cell, direction).filter(|to| *to != from);
        std::iter::successors(next(&from), next)
    }

    /// The lines of so many cells along the axis of a direction, in the order of the cells that
    /// they begin at. One that goes all the way round is the same from wherever it begins.
    pub fn lines_along(self, length: usize, axis: &str) -> impl Iterator<Item = Vec<usize>> {
        let goes_round =
            move |line: &[usize]| self.step_from(line[length - 1], axis) == Some(line[0]);
        (0..self.cell_count())
            .map(move |from| {
                std::iter::once(from).chain(self.ray(from, axis)).take(length).collect()
            })
            .filter(move |line: &Vec<usize>| line.len() == length)
            .filter(move |line| !goes_round(line) || line.iter().min() == line.first())
    }
}
