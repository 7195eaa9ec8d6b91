//! Collects boards: their cells, their drawn columns, and the kind of their directions.

use std::collections::BTreeMap;

use crate::check::collect::Collector;
use crate::check::collect::cells::{CellColumn, TypedCells, infer_cells};
use crate::check::error;
use crate::check::file::boards::ALL_NEIGHBOURS;
use crate::check::file::members::{MOST_MEMBERS, SeenNames, plain_member};
use crate::check::recorder::Symbol;
use crate::check::words::to_spaced;
use crate::rules::topology::{BoardTopology, DIRECTION_SETS, Map, Plane, SHAPES, all_directions};
use crate::rules::{
    Cells, Column, Domain, KindId, KindShape, Member, Type, Value, format_count, maybe_if_any,
    to_int,
};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::{BOARD_FUNCTIONS, JOINT_FUNCTIONS};

const DIRECTION: &str = "Direction";

/// With fewer columns or rows, a step to one side of a board that wraps leads where one to the other does.
const LEAST_ROUND: usize = 3;

impl Collector<'_> {
    pub(crate) fn check_cells(&mut self) {
        for (id, board) in self.file.tree.boards.clone() {
            let Some((board, members)) = self.build_board(board) else { continue };
            self.file.rules.kinds[id.index()].shape = KindShape::Board(board);
            self.file.take_members(id, members);
        }
        if self.file.tree.boards.is_empty() {
            return;
        }
        let joints = if self.file.tree.joints.is_empty() { &[][..] } else { &JOINT_FUNCTIONS };
        for word in BOARD_FUNCTIONS.iter().chain(joints) {
            if let Some(rule) = self.file.names.rules.get(*word) {
                self.file
                    .report_error(error::built_in(*word, self.file.rules.rules[rule.index()].span));
            }
        }
        self.check_joints();
        self.add_directions();
    }

    fn build_board(&mut self, board: &ast::BoardDecl) -> Option<(BoardTopology, Vec<Member>)> {
        let span = board.name.span;
        let shape = match &board.shape {
            ast::BoardShape::Map(chains, _) => {
                let members = self.collect_places(chains);
                return Some((BoardTopology::Map(Map { places: members.len() }), members));
            }
            ast::BoardShape::Shaped { word, sizes, wrap } => {
                let shape = self.check_shaped_board(word, sizes, wrap.is_some(), span)?;
                wrap.map_or(Some(shape), |wrap| self.wrapped(shape, wrap))?
            }
            ast::BoardShape::Grid { columns, rows, from_bottom, wraps } => {
                let (from_bottom, wraps) = (*from_bottom, *wraps);
                let least = if wraps { LEAST_ROUND } else { 1 };
                let sizes = (self.board_size(columns, least), self.board_size(rows, least));
                let (columns, rows) = (sizes.0?, sizes.1?);
                BoardTopology::Grid(Plane::Grid { columns, rows, from_bottom, wraps })
            }
        };
        if shape.cell_count() > MOST_MEMBERS {
            let (name, found) = (format!("the board `{}`", board.name.text), shape.cell_count());
            return self.file.refuse_with(error::TooManyMembers {
                name,
                found,
                most: MOST_MEMBERS,
                span,
            });
        }
        let cell = |name: String| plain_member(name.clone(), name, span);
        let cells = (0..shape.cell_count()).map(|at| cell(shape.cell_name(&board.name.text, at)));
        Some((shape, cells.collect()))
    }

    /// A board whose opposite rims touch.
    fn wrapped(&mut self, shape: BoardTopology, span: Span) -> Option<BoardTopology> {
        let (problem, help) = match shape {
            BoardTopology::Hex(Plane::Rhombus { columns, rows, .. }) => {
                return Some(BoardTopology::Hex(Plane::Rhombus { columns, rows, wraps: true }));
            }
            BoardTopology::Ring(_) => ("a ring has no rim", "it goes round without `wrap`"),
            _ => ("a hexagon does not wrap", "a rhombus of hexes does: `hex 7 by 6 wrap`"),
        };
        self.file.refuse_with(error::board_size(problem, help, span))
    }

    /// Checks the sizes of `ring 12` and the like.
    fn check_shaped_board(
        &mut self,
        word: &str,
        sizes: &[ast::Expr],
        wraps: bool,
        span: Span,
    ) -> Option<BoardTopology> {
        let shape = SHAPES.iter().find(|shape| shape.word == word);
        let shape = shape.expect("each word for a shape in the grammar is in the table");
        let least = if wraps { LEAST_ROUND } else { shape.least };
        let found: Vec<_> = sizes.iter().map(|size| self.board_size(size, least)).collect();
        let found: Vec<usize> = found.into_iter().collect::<Option<_>>()?;
        let board = (shape.board)(&found);
        if board.is_none() {
            let problem = format!("`{word}` does not take {}", format_count(found.len(), "size"));
            self.file.report_error(error::board_size(
                problem,
                format!("write {}", shape.form),
                span,
            ));
        }
        board
    }

    /// A size: a number as it stands, or a constant that needs no setting.
    fn board_size(&mut self, size: &ast::Expr, least: usize) -> Option<usize> {
        let span = size.span;
        let Some(number) = self.file.written_number(size, 0) else {
            let problem = "the size of a board must be known before play";
            let help = "write a number, or a constant that is made of numbers: `let size = 4`";
            return self.file.refuse_with(error::board_size(problem, help, span));
        };
        let fits = usize::try_from(number).ok().filter(|it| (least..=MOST_MEMBERS).contains(it));
        if fits.is_none() {
            let problem = format!("expected a size from {least} to {MOST_MEMBERS}, found {number}");
            let help = match least {
                LEAST_ROUND => "a board that wraps has at least 3 columns and 3 rows",
                _ => "a board has at least a few cells and at most 4096",
            };
            self.file.report_error(error::board_size(problem, help, span));
        }
        fits
    }

    /// The places of a map, in the order in which they are first named.
    fn collect_places(&mut self, chains: &[ast::Chain]) -> Vec<Member> {
        let mut places: Vec<Member> = Vec::new();
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        let mut titled: BTreeMap<&str, Span> = BTreeMap::new();
        for place in chains.iter().flat_map(|chain| &chain.places) {
            let (name, span) = (place.name.text.as_str(), place.name.span);
            let at = *known.entry(name).or_insert_with(|| {
                self.file.check_case(&place.name, "a place", false);
                places.push(plain_member(name.to_owned(), to_spaced(name), span));
                places.len() - 1
            });
            let Some(title) = &place.title else { continue };
            if let Some(earlier) = titled.insert(name, span) {
                self.file.duplicate(&place.name, earlier);
            }
            places[at].title = self.file.title_or(Some(title), String::new());
        }
        places
    }

    fn add_directions(&mut self) {
        let boards = || {
            self.file
                .tree
                .boards
                .iter()
                .filter_map(|(id, _)| self.file.rules.kind_at(*id).as_board())
        };
        let words = all_directions().filter(|way| boards().any(|it| it.directions().contains(way)));
        let member = |word: &str| plain_member(word.to_owned(), to_spaced(word), Span::default());
        let members: Vec<Member> = words.map(member).collect();
        if members.is_empty() {
            return;
        }
        if let Some(kind) = self.file.names.kinds.get(DIRECTION) {
            let error = error::built_in(DIRECTION, self.file.rules.kind_at(*kind).span);
            return self.file.report_error(error);
        }
        let id = self.file.add_kind(DIRECTION, KindShape::Directions, Vec::new(), Span::default());
        self.file.names.kinds.insert(DIRECTION.to_owned(), id);
        self.file.take_members(id, members);
    }

    /// Checks the columns that boards have by themselves and those that are drawn.
    pub(crate) fn check_attributes(&mut self) {
        for (id, board) in self.file.tree.boards.clone() {
            self.number_cells(id);
            let own = self.file.rules.kind_at(id).columns.iter();
            let mut seen: SeenNames = own.map(|it| (it.name.clone(), it.span)).collect();
            for attribute in &board.attributes {
                let Some(cells) = self.drawn_board_cells(id, attribute) else { continue };
                if attribute.name.text == "title" {
                    // Where there are too many members in all, a board has none.
                    let count = self.file.rules.kind_at(id).members.len();
                    for (at, cell) in cells.iter().enumerate().take(count) {
                        self.take_title(id, at, cell);
                    }
                } else if self.file.claim_member(&mut seen, &attribute.name) {
                    let ast::Name { text: name, span } = attribute.name.clone();
                    let (heading, written) = (Some(name.as_str()), attribute.ty.as_ref());
                    let list = CellColumn { name: &name, span, heading, written, list: &cells };
                    let TypedCells { ty, values } = infer_cells(&mut self.file, &list);
                    self.file.add_column(id, Column { name, ty, cells: values, span });
                }
            }
        }
    }

    /// `c.row` and `c.column` of a grid, `c.number` of a ring.
    fn number_cells(&mut self, id: KindId) {
        let Some(board) = self.file.rules.kind_at(id).as_board() else { return };
        let span = self.file.rules.kind_at(id).span;
        for (name, numbers) in board.number_columns() {
            let cells = numbers.into_iter().map(|number| Value::Int(to_int(number))).collect();
            self.file
                .add_column(id, Column { name: name.to_owned(), ty: Type::Number, cells, span });
        }
    }

    /// The cells of a drawing, one for each cell of the board.
    fn drawn_board_cells<'c>(
        &mut self,
        id: KindId,
        attribute: &'c ast::Attribute,
    ) -> Option<Vec<&'c ast::Cell>> {
        let board = self.file.rules.kind_at(id).as_board()?;
        let count = board.cell_count();
        let cells: Vec<&ast::Cell> = attribute.rows.iter().flat_map(|row| &row.cells).collect();
        let (expected, found, span) = match board {
            BoardTopology::Grid(plane) | BoardTopology::Hex(plane)
                if attribute.rows.len() != plane.row_count() =>
            {
                let found = format_count(attribute.rows.len(), "row");
                (format_count(plane.row_count(), "row"), found, attribute.name.span)
            }
            BoardTopology::Grid(plane) | BoardTopology::Hex(plane) => {
                let mut rows = attribute.rows.iter().enumerate();
                let odd = rows.find(|(at, row)| row.cells.len() != plane.row_length(*at));
                let Some((at, row)) = odd else { return Some(cells) };
                let expected = format_count(plane.row_length(at), "cell");
                let found = format_count(row.cells.len(), "cell");
                match board {
                    BoardTopology::Grid(_) => {
                        (format!("{expected} in each row"), format!("{found} in a row"), row.span)
                    }
                    _ => (format!("{expected} in row {}", at + 1), found, row.span),
                }
            }
            _ if cells.len() == count => return Some(cells),
            _ => (
                format_count(count, "cell"),
                format_count(cells.len(), "cell"),
                attribute.name.span,
            ),
        };
        self.file.refuse_with(error::BoardDrawing {
            name: &attribute.name.text,
            expected,
            found,
            span,
        })
    }

    pub(crate) fn relate_cells(&mut self) {
        for (id, board) in self.file.tree.boards.clone() {
            if self.file.rules.kind_at(id).members.is_empty() {
                continue;
            }
            if let ast::BoardShape::Map(chains, _) = &board.shape {
                let links = self.resolve_links(id, chains);
                self.file.add_cell_sets(id, ALL_NEIGHBOURS, id, links);
                continue;
            }
            let Some(directions) = self.file.rules.directions_kind() else { continue };
            let all = (0..).take(self.file.rules.kind_at(directions).members.len()).collect();
            let some = DIRECTION_SETS.map(|(word, _)| self.file.direction_set(word));
            for set in std::iter::once(all).chain(some.into_iter().flatten()) {
                self.file.neighbours_in(id, &set);
            }
            self.add_ways(id, directions);
        }
        self.relate_joints();
    }

    /// For each place, the places that it is linked to.
    fn resolve_links(&mut self, id: KindId, chains: &[ast::Chain]) -> Vec<Vec<usize>> {
        let mut links = vec![Vec::new(); self.file.rules.kind_at(id).members.len()];
        for pair in chains.iter().flat_map(|chain| chain.places.windows(2)) {
            let [a, b] = [&pair[0].name, &pair[1].name];
            let places = (self.file.member_of(id, &a.text), self.file.member_of(id, &b.text));
            let (Some(from), Some(to)) = places else { continue };
            self.file.recorder.note_use(a.span, Symbol::Member(id, from));
            self.file.recorder.note_use(b.span, Symbol::Member(id, to));
            if from == to {
                self.file.report_error(error::self_link(&b.text, b.span));
            } else {
                links[from].push(to);
                links[to].push(from);
            }
        }
        links
    }

    /// Adds the tables of steps and rays: from a direction and a cell.
    fn add_ways(&mut self, id: KindId, directions: KindId) {
        let board = self.file.rules.board_of(id);
        let members = &self.file.rules.kind_at(directions).members;
        let words: Vec<String> = members.iter().map(|member| member.name.clone()).collect();
        let step = |direction: &String, at: usize| {
            board.step_from(at, direction).map_or(Value::None, |to| Value::Int(to_int(to)))
        };
        let steps =
            words.iter().flat_map(|word| (0..board.cell_count()).map(move |at| step(word, at)));
        let steps: Vec<Value> = steps.collect();
        let rays = Cells::rays(board, words);
        let (step_type, ray_type) = (maybe_if_any(Type::Kind(id)), Type::Set(Domain::Kind(id)));
        for (word, ty, cells) in [("step", step_type, steps.into()), ("ray", ray_type, rays)] {
            let name = format!("{word}({})", self.file.rules.kind_at(id).name);
            let dims = vec![Domain::Kind(directions), Domain::Kind(id)];
            self.file.add_computed(name, dims, ty, cells, self.file.rules.kind_at(id).span);
        }
    }
}
