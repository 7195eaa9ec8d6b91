//! The topology of boards: directions, steps, rays and straight lines.

use crate::check::rules::Shape;

/// The directions of a grid, clockwise; `north` is up as the board is drawn.
pub(super) const GRID_DIRECTIONS: [&str; 8] =
    ["north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"];

pub(super) const RING_DIRECTIONS: [&str; 2] = ["onward", "back"];

/// The two words for sets of directions, with what they hold.
pub(super) const DIRECTION_SETS: [(&str, [&str; 4]); 2] = [
    ("orthogonal", ["north", "east", "south", "west"]),
    ("diagonal", ["north_east", "south_east", "south_west", "north_west"]),
];

/// The ways in which a line can run, each by one of its two directions.
pub(super) const AXES: [&str; 4] = ["east", "south", "south_east", "south_west"];

/// The cells of a board, by their positions.
#[derive(Clone, Copy)]
pub(super) struct Geometry<'s> {
    pub(super) shape: &'s Shape,
    /// How many cells there are.
    pub(super) cells: usize,
}

impl Geometry<'_> {
    pub(super) fn directions(self) -> &'static [&'static str] {
        match self.shape {
            Shape::Grid { .. } => &GRID_DIRECTIONS,
            Shape::Ring => &RING_DIRECTIONS,
            _ => &[],
        }
    }

    /// The cell beside another one in a direction.
    pub(super) fn step(self, from: usize, direction: &str) -> Option<usize> {
        match self.shape {
            Shape::Grid { columns, .. } => {
                let (right, down) = grid_step(direction)?;
                let column = (from % columns).checked_add_signed(right)?;
                let row = (from / columns).checked_add_signed(down)?;
                let to = row * columns + column;
                (column < *columns && to < self.cells).then_some(to)
            }
            Shape::Ring if direction == "onward" => Some((from + 1) % self.cells),
            Shape::Ring if direction == "back" => Some((from + self.cells - 1) % self.cells),
            _ => None,
        }
    }

    /// All cells in a direction, the nearest first; on a ring once around, without the first.
    pub(super) fn ray(self, from: usize, direction: &str) -> impl Iterator<Item = usize> {
        let next = move |cell: &usize| self.step(*cell, direction).filter(|to| *to != from);
        std::iter::successors(next(&from), next)
    }

    /// The lines of so many cells along the axis of a direction, in the order of the cells that
    /// they begin at.
    pub(super) fn lines(self, length: usize, axis: &str) -> impl Iterator<Item = Vec<usize>> {
        (0..self.cells)
            .map(move |from| {
                std::iter::once(from).chain(self.ray(from, axis)).take(length).collect()
            })
            .filter(move |line: &Vec<usize>| line.len() == length)
    }
}

/// How far a direction leads to the right and down.
fn grid_step(direction: &str) -> Option<(isize, isize)> {
    let at = GRID_DIRECTIONS.iter().position(|known| *known == direction)?;
    Some([(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)][at])
}

/// The axis on which a direction lies.
pub(super) fn axis_of(direction: &str) -> Option<&'static str> {
    let at = GRID_DIRECTIONS.iter().position(|known| *known == direction)?;
    Some(["south", "south_west", "east", "south_east"][at % 4])
}

/// The letters of a column: `a` to `z`, then `aa`, `ab` and so on.
pub(super) fn column_letters(column: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(column % 26).expect("below 26"));
    match column / 26 {
        0 => letter.to_string(),
        before => column_letters(before - 1) + &letter.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Geometry, column_letters};
    use crate::check::rules::Shape;

    const GRID: Shape = Shape::Grid { columns: 3, rows: 2, from_bottom: false };

    #[test]
    fn steps_stay_on_the_board() {
        let board = Geometry { shape: &GRID, cells: 6 };
        assert_eq!(board.step(0, "south_east"), Some(4));
        assert_eq!(board.step(2, "east"), None);
        assert_eq!(board.step(3, "south"), None);
        assert_eq!(board.step(0, "west"), None);
        assert_eq!(board.step(0, "onward"), None);
    }

    #[test]
    fn a_ring_goes_around_once() {
        let board = Geometry { shape: &Shape::Ring, cells: 4 };
        let ray = |direction| board.ray(2, direction).collect::<Vec<_>>();
        assert_eq!(ray("onward"), [3, 0, 1]);
        assert_eq!(ray("back"), [1, 0, 3]);
    }

    #[test]
    fn lines_are_as_long_as_is_asked_for() {
        let board = Geometry { shape: &GRID, cells: 6 };
        let lines = |length, axis| board.lines(length, axis).collect::<Vec<_>>();
        assert_eq!(lines(3, "east"), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(lines(2, "south_west"), [[1, 3], [2, 4]]);
        assert!(lines(3, "south").is_empty());
    }

    #[test]
    fn letters_go_on_behind_z() {
        assert_eq!(column_letters(25), "z");
        assert_eq!(column_letters(26), "aa");
        assert_eq!(column_letters(27), "ab");
    }
}
