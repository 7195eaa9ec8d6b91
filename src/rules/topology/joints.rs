//! Joints: the edges and corners between the cells of a grid, and the links of a map.

use std::collections::BTreeMap;

use crate::rules::topology::{CellLayout, Plane, Topology};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointPart {
    Edges,
    Corners,
}

impl JointPart {
    pub(crate) fn word(self) -> &'static str {
        match self {
            JointPart::Edges => "edges",
            JointPart::Corners => "corners",
        }
    }
}

/// The edges or the corners of another board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joints {
    pub(crate) part: JointPart,
    /// The cells that they lie between; nothing on a map.
    pub(crate) plane: Option<Plane>,
    pub(crate) count: usize,
}

impl Topology for Joints {
    fn cell_count(&self) -> usize {
        self.count
    }

    fn shape_code(&self) -> String {
        String::new()
    }

    fn describe_shape(&self) -> String {
        format!("{} {}", self.count, self.part.word())
    }

    fn noun(&self) -> &'static str {
        match self.part {
            JointPart::Edges => "edge",
            JointPart::Corners => "corner",
        }
    }

    fn cell_layout(&self) -> CellLayout {
        match self.plane {
            Some(plane) => CellLayout::Between(self.part, plane),
            None => CellLayout::Links,
        }
    }
}

/// Where something lies in a drawing: from the top in sixths of a row, from the left in quarters of a cell.
type JointPlace = (usize, usize);

/// An edge or a corner, and the cells that it touches in reading order.
#[derive(Debug, Default)]
pub struct Joint {
    pub(crate) place: JointPlace,
    pub cells: Vec<usize>,
    /// On which side of the first of them it lies.
    pub(crate) side: &'static str,
    /// The corners at the ends of an edge.
    pub ends: Vec<usize>,
}

/// The edges and corners of the cells of a plane, both in reading order.
pub struct Lattice {
    pub edges: Vec<Joint>,
    pub corners: Vec<Joint>,
}

/// A side of a cell: where it lies from the middle of the cell, and the corner at which it begins,
/// clockwise. The corner has the initials of its direction.
struct Side {
    edge: (&'static str, isize, isize),
    corner: (&'static str, isize, isize),
}

const fn side(edge: (&'static str, isize, isize), corner: (&'static str, isize, isize)) -> Side {
    Side { edge, corner }
}

const GRID_SIDES: [Side; 4] = [
    side(("north", -3, 0), ("nw", -3, -2)),
    side(("east", 0, 2), ("ne", -3, 2)),
    side(("south", 3, 0), ("se", 3, 2)),
    side(("west", 0, -2), ("sw", 3, -2)),
];

const HEX_SIDES: [Side; 6] = [
    side(("north_east", -3, 1), ("n", -4, 0)),
    side(("east", 0, 2), ("ne", -2, 2)),
    side(("south_east", 3, 1), ("se", 2, 2)),
    side(("south_west", 3, -1), ("s", 4, 0)),
    side(("west", 0, -2), ("sw", 2, -2)),
    side(("north_west", -3, -1), ("nw", -2, -2)),
];

impl Lattice {
    pub fn of_plane(plane: Plane) -> Lattice {
        let (sides, down): (&[Side], usize) = match plane {
            Plane::Grid { .. } => (&GRID_SIDES, 3),
            Plane::Rhombus { .. } | Plane::Hexagon { .. } => (&HEX_SIDES, 4),
        };
        let spot = |middle, side| wrap_place(plane, shift_place(middle, side));
        let (mut edges, mut corners) = (BTreeMap::new(), BTreeMap::new());
        let mut ends: BTreeMap<JointPlace, [JointPlace; 2]> = BTreeMap::new();
        let mut cell = 0;
        for row in 0..plane.row_count() {
            for along in 0..plane.row_length(row) {
                let middle = (6 * row + down, 2 * (plane.indent(row) + 2 * along) + 2);
                for (at, side) in sides.iter().enumerate() {
                    let edge = spot(middle, side.edge);
                    let from = spot(middle, side.corner);
                    note_joint(&mut edges, edge, side.edge.0, cell);
                    note_joint(&mut corners, from, side.corner.0, cell);
                    let to = spot(middle, sides[(at + 1) % sides.len()].corner);
                    ends.insert(edge, [from, to]);
                }
                cell += 1;
            }
        }
        let order: BTreeMap<JointPlace, usize> = corners.keys().copied().zip(0..).collect();
        for (place, ends) in ends {
            let mut ends = ends.map(|end| order[&end]);
            ends.sort_unstable();
            edges.entry(place).or_default().ends = ends.to_vec();
        }
        Lattice { edges: edges.into_values().collect(), corners: corners.into_values().collect() }
    }

    pub(crate) fn into_joints(self, part: JointPart) -> Vec<Joint> {
        match part {
            JointPart::Edges => self.edges,
            JointPart::Corners => self.corners,
        }
    }
}

fn shift_place(middle: JointPlace, (_, down, right): (&str, isize, isize)) -> JointPlace {
    (middle.0.saturating_add_signed(down), middle.1.saturating_add_signed(right))
}

/// A place at the lower or right rim as that at the opposite rim, where a board wraps.
fn wrap_place(plane: Plane, (mut down, mut right): JointPlace) -> JointPlace {
    let Some((columns, rows)) = plane.round() else { return (down, right) };
    let (all, high) = (4 * columns, 6 * rows);
    if down >= high {
        down -= high;
        right += all - 2 * plane.indent(rows) % all;
    }
    let first = 2 * plane.indent(down / 6);
    (down, first + (right + all - first % all) % all)
}

fn note_joint(
    joints: &mut BTreeMap<JointPlace, Joint>,
    place: JointPlace,
    side: &'static str,
    cell: usize,
) {
    let joint = joints.entry(place).or_insert_with(|| Joint { place, side, ..Joint::default() });
    joint.cells.push(cell);
}

/// For each of `count` things the sets that hold it.
pub(crate) fn invert_sets<'s>(
    sets: impl IntoIterator<Item = &'s Vec<usize>>,
    count: usize,
) -> Vec<Vec<usize>> {
    let mut holders = vec![Vec::new(); count];
    for (at, set) in sets.into_iter().enumerate() {
        set.iter().for_each(|it| holders[*it].push(at));
    }
    holders
}

/// For each set the others that share a member with it.
pub(crate) fn meeting_sets(sets: &[Vec<usize>], count: usize) -> Vec<Vec<usize>> {
    let holders = invert_sets(sets, count);
    let others = |(at, set): (usize, &Vec<usize>)| {
        let met = set.iter().flat_map(|it| &holders[*it]).copied();
        met.filter(|other| *other != at).collect()
    };
    sets.iter().enumerate().map(others).collect()
}
