//! Boards by their shapes: steps, rays, lines, names of cells.

use astragal::machinery::rules::topology::{BoardTopology, Lattice, Plane, Ring, Topology};

const GRID: BoardTopology =
    BoardTopology::Grid(Plane::Grid { columns: 3, rows: 2, from_bottom: false, wraps: false });

#[test]
fn steps_stay_on_the_board() {
    assert_eq!(GRID.step_from(0, "south_east"), Some(4));
    assert_eq!(GRID.step_from(2, "east"), None);
    assert_eq!(GRID.step_from(3, "south"), None);
    assert_eq!(GRID.step_from(0, "west"), None);
    assert_eq!(GRID.step_from(0, "onward"), None);
}

#[test]
fn a_ring_goes_around_once() {
    let ray =
        |direction| BoardTopology::Ring(Ring { cells: 4 }).ray(2, direction).collect::<Vec<_>>();
    assert_eq!(ray("onward"), [3, 0, 1]);
    assert_eq!(ray("back"), [1, 0, 3]);
}

#[test]
fn lines_are_as_long_as_is_asked_for() {
    let lines = |length, axis| GRID.lines_along(length, axis).collect::<Vec<_>>();
    assert_eq!(lines(3, "east"), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(lines(2, "south_west"), [[1, 3], [2, 4]]);
    assert!(lines(3, "south").is_empty());
}

#[test]
fn letters_go_on_behind_z() {
    let wide = Plane::Grid { columns: 28, rows: 1, from_bottom: false, wraps: false };
    assert_eq!([25, 26, 27].map(|at| wide.cell_name("Field", at)), ["z1", "aa1", "ab1"]);
}

#[test]
fn every_hex_is_a_neighbour_of_its_neighbours() {
    let opposite = [("north_east", "south_west"), ("east", "west"), ("south_east", "north_west")];
    for hex in [Plane::Hexagon { side: 3 }, Plane::Rhombus { columns: 4, rows: 3, wraps: false }] {
        let board = BoardTopology::Hex(hex);
        for (there, back) in opposite.into_iter().chain(opposite.map(|(a, b)| (b, a))) {
            for at in 0..board.cell_count() {
                let beside = board.step_from(at, there);
                assert!(beside.is_none_or(|it| board.step_from(it, back) == Some(at)), "{there}");
            }
        }
    }
}

#[test]
fn a_hexagon_is_widest_in_its_middle() {
    let hex = Plane::Hexagon { side: 2 };
    let board = BoardTopology::Hex(hex);
    assert_eq!(board.cell_count(), 7);
    let names: Vec<String> = (0..7).map(|at| hex.cell_name("Field", at)).collect();
    assert_eq!(names, ["b1", "c1", "a2", "b2", "c2", "a3", "b3"]);
    let beside = board.directions().iter().map(|way| board.step_from(3, way)).collect::<Vec<_>>();
    assert_eq!(beside, [1, 4, 6, 5, 2, 0].map(Some));
    assert_eq!(board.lines_along(3, "south_east").collect::<Vec<_>>(), [[0, 3, 6]]);
}

const ROUND: [Plane; 3] = [
    Plane::Grid { columns: 4, rows: 3, from_bottom: false, wraps: true },
    Plane::Grid { columns: 3, rows: 5, from_bottom: true, wraps: true },
    Plane::Rhombus { columns: 4, rows: 3, wraps: true },
];

#[test]
fn a_board_that_wraps_has_no_rim() {
    let board = BoardTopology::Grid(ROUND[0]);
    assert_eq!(board.step_from(0, "west"), Some(3));
    assert_eq!(board.step_from(0, "north_west"), Some(11));
    assert_eq!(board.ray(1, "east").collect::<Vec<_>>(), [2, 3, 0]);
    assert_eq!(board.ray(1, "north").collect::<Vec<_>>(), [9, 5]);
    // A diagonal of a board whose sides have no divisor in common goes through all cells.
    assert_eq!(board.ray(0, "south_east").count(), 11);
    for plane in ROUND {
        let board =
            if plane.directions().len() == 8 { BoardTopology::Grid } else { BoardTopology::Hex };
        let board = board(plane);
        for (at, way) in board.directions().iter().enumerate() {
            let back =
                board.directions()[(at + board.directions().len() / 2) % board.directions().len()];
            for cell in 0..board.cell_count() {
                let beside = board.step_from(cell, way).expect("there is no rim");
                assert_eq!(board.step_from(beside, back), Some(cell), "{plane:?}, {way}");
            }
        }
    }
}

#[test]
fn a_line_all_the_way_round_counts_once() {
    let board = BoardTopology::Grid(ROUND[0]);
    let lines = |length, axis| board.lines_along(length, axis).collect::<Vec<_>>();
    assert_eq!(lines(4, "east"), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]);
    assert_eq!(lines(3, "east").len(), 12);
    assert_eq!(lines(3, "south").len(), 4);
    assert!(lines(5, "east").is_empty());
}

/// Each cell has all its edges, each edge two cells, and as many cells as corners less edges is none: a ring of rings.
#[test]
fn edges_of_a_board_that_wraps_have_two_sides() {
    for plane in ROUND {
        let Lattice { edges, corners } = Lattice::of_plane(plane);
        let (cells, around) = (plane.cell_count(), plane.directions().len());
        assert_eq!(edges.len(), cells * if around == 8 { 2 } else { 3 });
        assert_eq!(cells + corners.len(), edges.len(), "{plane:?}");
        for edge in edges {
            assert_eq!((edge.cells.len(), edge.ends.len()), (2, 2), "{plane:?}");
            assert!(edge.cells.iter().all(|cell| {
                plane
                    .directions()
                    .iter()
                    .any(|way| plane.step_from(edge.cells[0], way) == Some(*cell))
                    || *cell == edge.cells[0]
            }));
        }
        assert!(corners.iter().all(|it| it.cells.len() == if around == 8 { 4 } else { 3 }));
    }
}

/// Each corner is where edges end, and the numbers fit together as on every drawing in a plane.
#[test]
fn edges_and_corners_fit_together() {
    let planes = [
        (Plane::Grid { columns: 3, rows: 2, from_bottom: true, wraps: false }, 17, 12),
        (Plane::Hexagon { side: 3 }, 72, 54),
        (Plane::Rhombus { columns: 4, rows: 3, wraps: false }, 49, 38),
        (Plane::Grid { columns: 1, rows: 1, from_bottom: false, wraps: false }, 4, 4),
    ];
    for (plane, edges, corners) in planes {
        let lattice = Lattice::of_plane(plane);
        assert_eq!((lattice.edges.len(), lattice.corners.len()), (edges, corners), "{plane:?}");
        assert_eq!(corners + plane.cell_count(), edges + 1, "{plane:?}");
        assert!(lattice.edges.iter().all(|edge| edge.ends.len() == 2 && edge.cells.len() <= 2));
        let ended = |at: &usize| lattice.edges.iter().any(|edge| edge.ends.contains(at));
        assert!((0..corners).all(|at| ended(&at)));
    }
}
