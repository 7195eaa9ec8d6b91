//! Collects joints, the edges and corners of boards: their names and neighbours. The edges of a map are its links.

use std::collections::BTreeSet;

use crate::check::collect::Collector;
use crate::check::error;
use crate::check::file::boards::ALL_NEIGHBOURS;
use crate::check::file::members::{MOST_MEMBERS, cell_word, plain_member};
use crate::rules::topology::{
    BoardTopology, JointPart, Joints, Lattice, Plane, invert_sets, meeting_sets,
};
use crate::rules::{Cells, Domain, KindId, KindShape, Member, Type, Value, maybe_if_any, to_int};
use crate::syntax::ast;

/// The columns of what touches a cell, an edge or a corner, as the functions are called.
const EDGES: &str = "edges()";
const CORNERS: &str = "corners()";
const ENDS: &str = "ends()";
const SIDES: &str = "sides()";

impl<'a> Collector<'a> {
    /// Finds the members of all edges and corners.
    pub(crate) fn check_joints(&mut self) {
        let mut known: Vec<(KindId, JointPart)> = Vec::new();
        for (id, board, joint) in self.file.tree.joints.clone() {
            let part = part_of(joint);
            let Some(shape) = self.file.rules.kind_at(board).as_board() else { continue };
            let (name, word) = (self.file.rules.kind_at(board).name.clone(), part.word());
            if known.contains(&(board, part)) {
                let problem = format!("the {word} of `{name}` have two names");
                let help = "a board has edges once and corners once: take one of the names out";
                self.file.report_error(error::no_edges(problem, help, joint.name.span));
                continue;
            }
            known.push((board, part));
            let names = match (shape, part) {
                (BoardTopology::Grid(plane) | BoardTopology::Hex(plane), _) => {
                    self.name_joints(board, plane, part)
                }
                (BoardTopology::Map(_), JointPart::Edges) => match self.link_table(board) {
                    Some(drawn) => drawn.rows.iter().map(|row| cell_word(&row.label)).collect(),
                    None => self.name_links(board),
                },
                (BoardTopology::Map(_) | BoardTopology::Ring(_) | BoardTopology::Joints(_), _) => {
                    let shape = if matches!(shape, BoardTopology::Map(_)) { "map" } else { "ring" };
                    let problem = format!("`{name}` is a {shape}, which has no {word}");
                    let help =
                        "grids and hex boards have edges and corners, a map has edges: its links";
                    self.file.report_error(error::no_edges(problem, help, joint.word.span));
                    continue;
                }
            };
            let found = names.len();
            if found > MOST_MEMBERS {
                let (name, span) = (format!("the {word} `{}`", joint.name.text), joint.name.span);
                let error = error::TooManyMembers { name, found, most: MOST_MEMBERS, span };
                self.file.report_error(error);
                continue;
            }
            let plane = match shape {
                BoardTopology::Grid(plane) | BoardTopology::Hex(plane) => Some(plane),
                BoardTopology::Ring(_) | BoardTopology::Map(_) | BoardTopology::Joints(_) => None,
            };
            let joints = Joints { part, plane, count: found };
            self.file.rules.kinds[id.index()].shape =
                KindShape::Board(BoardTopology::Joints(joints));
            let member = |name: String| plain_member(name.clone(), name, joint.name.span);
            let members: Vec<Member> = names.into_iter().map(member).collect();
            self.file.take_members(id, members);
        }
    }

    /// An edge is called by its cells, the one further left first, of a column the lower number; at
    /// the rim by its cell and the direction. A corner is called by the first cell that it touches
    /// and the initials of the direction.
    fn name_joints(&mut self, board: KindId, plane: Plane, part: JointPart) -> Vec<String> {
        let kind = self.file.rules.kind_at(board);
        self.file.budget.charge(6 * kind.members.len());
        let numbers = self.file.rules.board_of(board).number_columns();
        let name = |at: usize| kind.members[at].name.as_str();
        let numbered =
            |at: &usize| numbers.iter().rev().map(|(_, column)| column[*at]).collect::<Vec<_>>();
        let joints = Lattice::of_plane(plane).into_joints(part).into_iter();
        let names = joints.map(|joint| match (part, joint.cells.as_slice()) {
            (JointPart::Edges, [a, b]) => {
                let (a, b) = if numbered(a) < numbered(b) { (a, b) } else { (b, a) };
                format!("{}-{}", name(*a), name(*b))
            }
            (_, cells) => format!("{}-{}", name(cells[0]), joint.side),
        });
        names.collect()
    }

    /// A link `red-dor` has no number: where two places have several, `build_link_rows` in `syntax/drawn_data.rs` names them.
    fn name_links(&self, board: KindId) -> Vec<String> {
        let name = |at: &usize| self.file.rules.kind_at(board).members[*at].name.as_str();
        let links = self.links_of(board);
        links.iter().map(|[a, b]| format!("{}-{}", name(a), name(b))).collect()
    }

    fn map_of(&self, board: KindId) -> Option<(&'a [ast::Chain], Option<&'a ast::KindBody>)> {
        let (_, decl) = self.file.tree.boards.iter().find(|(id, _)| *id == board)?;
        match &decl.shape {
            ast::BoardShape::Map(chains, drawn) => Some((chains, drawn.as_ref())),
            _ => None,
        }
    }

    /// The columns of the links of a map; none where a place is linked to itself, which is reported.
    fn link_table(&self, board: KindId) -> Option<&'a ast::Drawn> {
        let ast::KindBody::Drawn(drawn) = self.map_of(board)?.1? else { return None };
        (drawn.rows.len() == self.links_of(board).len()).then_some(drawn)
    }

    /// Checks the columns of the links of maps, which their edges have.
    pub(crate) fn check_links(&mut self) {
        for (board, decl) in self.file.tree.boards.clone() {
            let ast::BoardShape::Map(_, Some(drawn)) = &decl.shape else { continue };
            let mut joints = self.file.tree.joints.iter();
            let Some((edges, ..)) = joints.find(|it| it.1 == board) else {
                let problem = "nothing has these columns: the links of this map have no name";
                let help = format!("name them: `board {} with edges Road {{ … }}`", decl.name.text);
                self.file.report_error(error::no_edges(problem, help, decl.name.span));
                continue;
            };
            let edges = *edges;
            // There are no members where there would be too many.
            let has_members = !self.file.rules.kind_at(edges).members.is_empty();
            if has_members && self.link_table(board).is_some() {
                self.check_columns(edges, &[drawn]);
            }
        }
    }

    /// The links of a map in the order of the file, each once unless they are drawn with what each has.
    fn links_of(&self, board: KindId) -> Vec<[usize; 2]> {
        let Some((chains, drawn)) = self.map_of(board) else { return Vec::new() };
        let mut seen = BTreeSet::new();
        let place = |decl: &ast::MemberDecl| self.file.member_of(board, &decl.name.text);
        let pairs = chains.iter().flat_map(|chain| chain.places.windows(2));
        let links = pairs.filter_map(|pair| Some([place(&pair[0])?, place(&pair[1])?]));
        let mut is_new = |a: usize, b: usize| seen.insert([a.min(b), a.max(b)]);
        links.filter(|[a, b]| a != b && (is_new(*a, *b) || drawn.is_some())).collect()
    }

    /// Adds the columns of what touches what, on boards with edges or corners.
    pub(crate) fn relate_joints(&mut self) {
        let boards: BTreeSet<KindId> = self.file.tree.joints.iter().map(|it| it.1).collect();
        for board in boards {
            let of = |part: JointPart| {
                let mut joints = self.file.tree.joints.iter();
                let found = joints.find(|it| it.1 == board && part_of(it.2) == part)?;
                (!self.file.rules.kind_at(found.0).members.is_empty()).then_some(found.0)
            };
            let (edges, corners) = (of(JointPart::Edges), of(JointPart::Corners));
            match self.file.rules.kind_at(board).as_board() {
                Some(BoardTopology::Grid(plane) | BoardTopology::Hex(plane)) => {
                    self.relate_lattice(board, plane, (edges, corners));
                }
                Some(BoardTopology::Map(_)) => {
                    let links = self.links_of(board).into_iter().map(Vec::from).collect();
                    let Some(edges) = edges else { continue };
                    self.relate_edges(board, edges, ENDS, links);
                }
                Some(BoardTopology::Ring(_) | BoardTopology::Joints(_)) | None => {}
            }
        }
    }

    /// The cells that edges touch, and the edges that cells do.
    fn relate_edges(&mut self, board: KindId, edges: KindId, word: &str, cells: Vec<Vec<usize>>) {
        let count = self.file.rules.kind_at(board).members.len();
        self.file.add_cell_sets(board, EDGES, edges, invert_sets(&cells, count));
        if word == ENDS {
            self.file.add_cell_sets(edges, ALL_NEIGHBOURS, edges, meeting_sets(&cells, count));
        }
        self.file.add_cell_sets(edges, word, board, cells);
    }

    fn relate_lattice(
        &mut self,
        board: KindId,
        plane: Plane,
        (edges, corners): (Option<KindId>, Option<KindId>),
    ) {
        let lattice = Lattice::of_plane(plane);
        let (cells, points) = (self.file.rules.kind_at(board).members.len(), lattice.corners.len());
        let ends: Vec<Vec<usize>> = lattice.edges.iter().map(|it| it.ends.clone()).collect();
        if let Some(edges) = edges {
            let sides = lattice.edges.iter().map(|it| it.cells.clone()).collect();
            self.relate_edges(board, edges, SIDES, sides);
            self.file.add_cell_sets(edges, ALL_NEIGHBOURS, edges, meeting_sets(&ends, points));
            self.add_edge_table(board, edges, &lattice);
        }
        if let Some(corners) = corners {
            let sides: Vec<Vec<usize>> =
                lattice.corners.iter().map(|it| it.cells.clone()).collect();
            self.file.add_cell_sets(board, CORNERS, corners, invert_sets(&sides, cells));
            self.file.add_cell_sets(corners, SIDES, board, sides);
            let mut beside = vec![Vec::new(); points];
            for pair in &ends {
                beside[pair[0]].push(pair[1]);
                beside[pair[1]].push(pair[0]);
            }
            self.file.add_cell_sets(corners, ALL_NEIGHBOURS, corners, beside);
        }
        if let (Some(edges), Some(corners)) = (edges, corners) {
            self.file.add_cell_sets(corners, EDGES, edges, invert_sets(&ends, points));
            self.file.add_cell_sets(edges, ENDS, corners, ends);
        }
    }

    /// The table of edges: from a direction and a cell.
    fn add_edge_table(&mut self, board: KindId, edges: KindId, lattice: &Lattice) {
        let Some(directions) = self.file.rules.directions_kind() else { return };
        let members = &self.file.rules.kind_at(directions).members;
        let cells = self.file.rules.kind_at(board).members.len();
        let mut values = vec![Value::None; members.len() * cells];
        let topology = self.file.rules.board_of(board);
        let position = |word: &str| members.iter().position(|it| it.name == word);
        for (at, edge) in lattice.edges.iter().enumerate() {
            let mut note = |cell: usize, word: &str| {
                if let Some(way) = position(word) {
                    values[way * cells + cell] = Value::Int(to_int(at));
                }
            };
            note(edge.cells[0], edge.side);
            if let [first, second] = edge.cells[..] {
                let back = |word: &&&str| topology.step_from(second, word) == Some(first);
                topology.directions().iter().find(back).iter().for_each(|word| note(second, word));
            }
        }
        let name = format!("edge({})", self.file.rules.kind_at(board).name);
        let dims = vec![Domain::Kind(directions), Domain::Kind(board)];
        let (ty, span) = (maybe_if_any(Type::Kind(edges)), self.file.rules.kind_at(edges).span);
        self.file.add_computed(name, dims, ty, Cells::from(values), span);
    }
}

fn part_of(joint: &ast::JointDecl) -> JointPart {
    match joint.word.text.trim() {
        "edges" => JointPart::Edges,
        _ => JointPart::Corners,
    }
}
