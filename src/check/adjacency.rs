//! Adjacency of cells: `neighbours`, `step` and `ray`, tabulated before play.

use crate::check::context::Checker;
use crate::check::error;
use crate::check::recorder::Symbol;
use crate::check::words::quote_list;
use crate::rules::topology::DIRECTION_SETS;
use crate::rules::{
    Array, Binder, BoardWalk, Cells, Column, Domain, Expr, ExprKind, KindId, Local, TableId, Type,
    Value, cell_set, maybe, to_int, typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast;

/// The column of the cells beside a cell in any direction, or linked to it.
const ALL_NEIGHBOURS: &str = "neighbours()";

const BYTES_OF_A_CELL: usize = 8;

impl Checker<'_> {
    pub(crate) fn relate_cells(&mut self) {
        for (id, board) in self.tree.boards.clone() {
            if self.rules.kind_at(id).members.is_empty() {
                continue;
            }
            if let ast::BoardShape::Map(chains) = &board.shape {
                let links = self.resolve_links(id, chains);
                self.add_cell_sets(id, ALL_NEIGHBOURS.to_owned(), links);
                continue;
            }
            let Some(directions) = self.rules.directions_kind() else { continue };
            let all = (0..).take(self.rules.kind_at(directions).members.len()).collect();
            let some = DIRECTION_SETS.map(|(word, _)| self.direction_set(word));
            for set in std::iter::once(all).chain(some.into_iter().flatten()) {
                self.neighbours_in(id, &set);
            }
            self.add_ways(id, directions);
        }
    }

    /// The positions of what `orthogonal` or `diagonal` stands for, where there is a grid.
    pub(crate) fn direction_set(&self, word: &str) -> Option<Vec<i64>> {
        let (_, words) = DIRECTION_SETS.iter().find(|(set, _)| *set == word)?;
        let directions = self.rules.directions_kind()?;
        let position = |word: &&str| self.member_of(directions, word).map(to_int);
        // Only a grid has all of them.
        let mut positions: Vec<i64> = words.iter().map(position).collect::<Option<_>>()?;
        positions.sort_unstable();
        Some(positions)
    }

    /// For each place, the places that it is linked to.
    fn resolve_links(&mut self, id: KindId, chains: &[ast::Chain]) -> Vec<Vec<usize>> {
        let mut links = vec![Vec::new(); self.rules.kind_at(id).members.len()];
        for pair in chains.iter().flat_map(|chain| chain.places.windows(2)) {
            let [a, b] = [&pair[0].name, &pair[1].name];
            let places = (self.member_of(id, &a.text), self.member_of(id, &b.text));
            let (Some(from), Some(to)) = places else { continue };
            self.note_use(a.span, Symbol::Member(id, from));
            self.note_use(b.span, Symbol::Member(id, to));
            if from == to {
                self.report_error(error::self_link(&b.text, b.span));
            } else {
                links[from].push(to);
                links[to].push(from);
            }
        }
        links
    }

    fn add_cell_sets(&mut self, id: KindId, name: String, sets: Vec<Vec<usize>>) -> usize {
        let (ty, span) = (Type::Set(Domain::Kind(id)), self.rules.kind_at(id).span);
        let cells = sets.into_iter().map(cell_set).collect();
        self.add_column(id, Column { name, ty, cells, span })
    }

    /// The column of the cells beside a cell in some directions; a new one if there is none yet
    /// and the rules are still being made.
    fn neighbours_in(&mut self, id: KindId, directions: &[i64]) -> Option<usize> {
        let words = self.rules.direction_names(directions);
        let name = if words.len() == self.rules.kind_at(self.rules.directions_kind()?).members.len()
        {
            ALL_NEIGHBOURS.to_owned()
        } else {
            format!("neighbours({})", words.join(", "))
        };
        let known = self.rules.kind_at(id).columns.iter().position(|column| column.name == name);
        if known.is_some() || self.seats.is_some() {
            return known;
        }
        let board = self.rules.board_of(id);
        let beside =
            |at: usize| words.iter().filter_map(|word| board.step_from(at, word)).collect();
        let sets = (0..board.cell_count()).map(beside).collect();
        Some(self.add_cell_sets(id, name, sets))
    }

    /// Adds the tables of steps and rays: from a direction and a cell.
    fn add_ways(&mut self, id: KindId, directions: KindId) {
        let board = self.rules.board_of(id);
        let members = &self.rules.kind_at(directions).members;
        let words: Vec<String> = members.iter().map(|member| member.name.clone()).collect();
        let step = |direction: &String, at: usize| {
            board.step_from(at, direction).map_or(Value::None, |to| Value::Int(to_int(to)))
        };
        let steps =
            words.iter().flat_map(|word| (0..board.cell_count()).map(move |at| step(word, at)));
        let steps: Vec<Value> = steps.collect();
        let rays = Cells::rays(board, words);
        let (step_type, ray_type) = (maybe(Type::Kind(id)), Type::Set(Domain::Kind(id)));
        for (word, ty, cells) in [("step", step_type, steps.into()), ("ray", ray_type, rays)] {
            let name = format!("{word}({})", self.rules.kind_at(id).name);
            let dims = vec![Domain::Kind(directions), Domain::Kind(id)];
            self.add_computed(name, dims, ty, cells, self.rules.kind_at(id).span);
        }
    }

    fn way_table(&self, word: &str, id: KindId) -> Option<TableId> {
        self.names.computed.get(&format!("{word}({})", self.rules.kind_at(id).name)).copied()
    }

    // ---------------------------------------------------------------------- calls

    /// `neighbours(c)`, `neighbours(c, orthogonal)`, `step(c, north)`, `ray(c, east)`
    pub(crate) fn relation(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Expr {
        let (fewest, expected, head) = match name {
            "neighbours" => (1, "1 argument or 2", "neighbours(c: Cell, ways: set of Direction)"),
            "step" => (2, "2 arguments", "step(c: Cell, way: Direction) -> maybe Cell"),
            _ => (2, "2 arguments", "ray(c: Cell, way: Direction) -> set of Cell"),
        };
        if !(fewest..=2).contains(&args.len()) {
            let found = args.len();
            let error = error::wrong_argument_count(name, expected, found, head, span, None);
            return self.broken(error);
        }
        let cell = self.infer(&args[0], None);
        let cell = Expr { ty: self.rules.whole_type(&cell.ty), ..cell };
        let board = match unwrap_maybe(&cell.ty) {
            Type::Kind(kind) if self.rules.kind_at(*kind).is_board() => *kind,
            _ => return self.not_a_cell(cell),
        };
        match args.get(1) {
            None => {
                let mut columns = self.rules.kind_at(board).columns.iter();
                let column = columns.position(|known| known.name == ALL_NEIGHBOURS);
                column.map_or(unknown_expr(span), |at| self.cells_beside(board, cell, at, span))
            }
            Some(way) if self.rules.board_of(board).directions().is_empty() => {
                self.infer(way, None);
                let board = format!("the map `{}`", self.rules.kind_at(board).name);
                let direction = "directions";
                let help = "`neighbours(c)` are the places that are linked to it";
                let span = way.span;
                self.broken(error::no_direction(board, direction, help, span))
            }
            Some(ways) if name == "neighbours" => self.some_neighbours(board, cell, ways, span),
            Some(way) => self.way(name, board, cell, way, span),
        }
    }

    fn not_a_cell(&mut self, cell: Expr) -> Expr {
        let (found, span) = (self.rules.describe_type(&cell.ty), cell.span);
        let help = match cell.ty {
            Type::Unknown => return cell,
            Type::Set(_) => "ask for one cell after the other: `for c in S { … }`",
            _ => "write a cell: a name like `a1`, or a variable that holds one",
        };
        self.broken(error::not_a_cell(found, help, span))
    }

    fn cells_beside(&mut self, board: KindId, cell: Expr, column: usize, span: Span) -> Expr {
        if cell.ty != Type::Kind(board) {
            return self.needs_check(&cell, &Type::Kind(board));
        }
        let ty = Type::Set(Domain::Kind(board));
        typed(ExprKind::new_column(board, column, cell), ty, span)
    }

    fn some_neighbours(&mut self, board: KindId, cell: Expr, ways: &ast::Expr, span: Span) -> Expr {
        let Some(directions) = self.rules.directions_kind() else { return unknown_expr(span) };
        let ways = self.expect(ways, &Type::Set(Domain::Kind(directions)));
        if ways.ty == Type::Unknown {
            return unknown_expr(span);
        }
        if let Some(known) = self.known_set(&ways) {
            if let Some(stranger) = self.rules.missing_direction(board, &known) {
                return self.no_direction(board, &stranger, ways.span);
            }
            if let Some(column) = self.neighbours_in(board, &known) {
                return self.cells_beside(board, cell, column, span);
            }
        }
        let Some(table) = self.way_table("step", board) else { return unknown_expr(span) };
        let of_direction = Type::Kind(directions);
        let local = self.add_local(Local::fixed("way", of_direction.clone(), span));
        let way = typed(ExprKind::Local(local), of_direction, span);
        let step = typed(
            ExprKind::Element(Array::Table(table), vec![way, cell]),
            maybe(Type::Kind(board)),
            span,
        );
        let binder = Binder { local, set: Box::new(ways), condition: None };
        typed(ExprKind::Image(Box::new(step), binder), Type::Set(Domain::Kind(board)), span)
    }

    /// `step(c, way)`, `ray(c, way)`
    fn way(&mut self, word: &str, board: KindId, cell: Expr, way: &ast::Expr, span: Span) -> Expr {
        let Some(directions) = self.rules.directions_kind() else { return unknown_expr(span) };
        let way = self.infer(way, Some(&Type::Kind(directions)));
        if way.ty == Type::Number {
            let error = self.counted_way(board, way.span);
            return self.broken(error);
        }
        let way = self.coerce(way, &Type::Kind(directions));
        if way.ty == Type::Unknown {
            return unknown_expr(span);
        }
        let ways: Vec<i64> = match &way.kind {
            ExprKind::Value(Value::Int(at)) => vec![*at],
            _ => (0..self.rules.kind_at(directions).members.len()).map(to_int).collect(),
        };
        let stranger = self.rules.missing_direction(board, &ways);
        if let (Some(stranger), ExprKind::Value(Value::Int(_))) = (&stranger, &way.kind) {
            return self.no_direction(board, stranger, way.span);
        }
        let is_cell = cell.ty == Type::Kind(board);
        if word == "ray" && !is_cell {
            return self.needs_check(&cell, &Type::Kind(board));
        }
        let Some(table) = self.way_table(word, board) else { return unknown_expr(span) };
        if word == "ray" && !self.pay_for_rays(board) {
            return unknown_expr(span);
        }
        // On a ring there is a next cell in its own directions wherever one stands.
        let goes_on = self.rules.board_of(board).is_endless() && stranger.is_none();
        let ty = if word == "step" && goes_on && is_cell {
            cell.ty.clone()
        } else {
            self.rules.tables[table.index()].ty.clone()
        };
        self.narrowed(typed(ExprKind::Element(Array::Table(table), vec![way, cell]), ty, span))
    }

    /// Charges for all rays of a board when the file first asks for one; whether there is room.
    fn pay_for_rays(&mut self, board: KindId) -> bool {
        if self.seats.is_none() && self.has_rays.insert(board) {
            let board = self.rules.board_of(board);
            let (cells, along) = (board.cell_count(), board.cells_on_rays());
            self.budget.keep(cells * along * BYTES_OF_A_CELL);
            self.budget.charge(cells * along);
        }
        !self.budget.is_spent()
    }

    fn no_direction(&mut self, board: KindId, direction: &str, span: Span) -> Expr {
        let help =
            format!("its directions are {}", quote_list(self.rules.board_of(board).directions()));
        let board = format!("`{}`", self.rules.kind_at(board).name);
        self.broken(error::no_direction(board, format!("`{direction}`"), help, span))
    }

    // ---------------------------------------------------------------------- order

    /// A ray in the order in which one walks along it; anything else as it is.
    pub(crate) fn walked(&self, set: Expr) -> Expr {
        let ExprKind::Element(Array::Table(ray), indices) = &set.kind else { return set };
        let [direction, start] = indices.as_slice() else { return set };
        let Type::Kind(board) = start.ty else { return set };
        if self.way_table("ray", board) != Some(*ray) {
            return set;
        }
        let Some(step) = self.way_table("step", board) else { return set };
        let (direction, start) = (direction.clone(), start.clone());
        let (ty, span) = (set.ty.clone(), set.span);
        let walk = BoardWalk { set, board, start, direction, step };
        typed(ExprKind::Walk(Box::new(walk)), ty, span)
    }
}
