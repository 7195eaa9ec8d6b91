//! What lies beside what: `neighbours`, `step` and `ray`, computed before play.

use crate::check::context::{Checker, typed, unknown};
use crate::check::error::{BoardError, TypeError};
use crate::check::geometry::{DIRECTION_SETS, Geometry};
use crate::check::rules::{
    Arith, Binder, Column, Domain, Expr, ExprKind, KindId, SetOp, Shape, Table, TableId, Type,
    Value, Walk,
};
use crate::check::scope::{NewLocal, list};
use crate::check::symbols::Symbol;
use crate::check::types::{counted, maybe, plain};
use crate::source::Span;
use crate::syntax::ast;

/// The column of the cells that lie beside a cell in any direction, or that are linked to it.
const ALL_NEIGHBOURS: &str = "neighbours()";

impl Checker<'_> {
    /// Computes the relations of all boards.
    pub(super) fn relate_cells(&mut self) {
        for (id, board) in self.tree.boards.clone() {
            if self.kind(id).members.is_empty() {
                continue;
            }
            if let ast::BoardShape::Map(chains) = &board.shape {
                let links = self.links(id, chains);
                self.add_cell_sets(id, ALL_NEIGHBOURS.to_owned(), links);
                continue;
            }
            let Some(directions) = self.directions() else { continue };
            let all: Vec<i64> = (0..).take(self.kind(directions).members.len()).collect();
            self.neighbours_in(id, &all);
            for (word, _) in DIRECTION_SETS {
                let some = self.direction_set(word);
                if let Some(some) = some {
                    self.neighbours_in(id, &some);
                }
            }
            self.add_ways(id, directions);
        }
    }

    /// The kind of the directions, when there is a board that has any.
    pub(super) fn directions(&self) -> Option<KindId> {
        let mut kinds = self.rules.kinds.iter();
        kinds.position(|kind| kind.shape == Shape::Directions).map(KindId::at)
    }

    /// The positions of what `orthogonal` or `diagonal` stands for, where there is a grid.
    pub(super) fn direction_set(&self, word: &str) -> Option<Vec<i64>> {
        let (_, words) = DIRECTION_SETS.iter().find(|(set, _)| *set == word)?;
        let directions = self.directions()?;
        let position = |word: &&str| self.member_of(directions, word);
        let mut positions: Vec<i64> = words.iter().filter_map(position).map(int).collect();
        positions.sort_unstable();
        (!positions.is_empty()).then_some(positions)
    }

    /// For each place, the places that it is linked to.
    fn links(&mut self, id: KindId, chains: &[ast::Chain]) -> Vec<Vec<usize>> {
        let mut links = vec![Vec::new(); self.kind(id).members.len()];
        for pair in chains.iter().flat_map(|chain| chain.places.windows(2)) {
            let [a, b] = pair else { unreachable!("windows of two") };
            let places = (self.member_of(id, &a.name.text), self.member_of(id, &b.name.text));
            let (Some(from), Some(to)) = places else { continue };
            self.note(a.name.span, Symbol::Member(id, from));
            self.note(b.name.span, Symbol::Member(id, to));
            if from == to {
                let (name, span) = (b.name.text.clone(), b.name.span);
                self.report(BoardError::SelfLink { name, span });
            } else {
                links[from].push(to);
                links[to].push(from);
            }
        }
        links
    }

    /// Adds a column of sets of cells, and gives its place.
    fn add_cell_sets(&mut self, id: KindId, name: String, sets: Vec<Vec<usize>>) -> usize {
        let ty = Type::Set(Domain::Kind(id));
        let cells = sets.into_iter().map(cell_set).collect();
        let span = self.kind(id).span;
        self.add_column(id, Column { name, ty, cells, span })
    }

    /// The column of the cells that lie beside a cell in some directions; a new one if there is
    /// none yet and the rules are still being made.
    fn neighbours_in(&mut self, id: KindId, directions: &[i64]) -> Option<usize> {
        let kind = self.directions()?;
        let words: Vec<String> =
            directions.iter().filter_map(|at| self.member_at(kind, *at)).collect();
        let name = if words.len() == self.kind(kind).members.len() {
            ALL_NEIGHBOURS.to_owned()
        } else {
            format!("neighbours({})", words.join(", "))
        };
        let known = self.kind(id).columns.iter().position(|column| column.name == name);
        if known.is_some() || self.seats.is_some() {
            return known;
        }
        let board = self.geometry(id);
        let beside = |at: usize| words.iter().filter_map(|word| board.step(at, word)).collect();
        let sets = (0..board.cells).map(beside).collect();
        Some(self.add_cell_sets(id, name, sets))
    }

    /// Adds the tables of steps and rays: from a direction and a cell.
    fn add_ways(&mut self, id: KindId, directions: KindId) {
        let board = self.geometry(id);
        let words: Vec<String> =
            self.kind(directions).members.iter().map(|member| member.name.clone()).collect();
        let mut steps = Vec::new();
        for direction in &words {
            let step = |at| board.step(at, direction);
            let value = |to: Option<usize>| to.map_or(Value::None, |to| Value::Int(int(to)));
            steps.extend((0..board.cells).map(step).map(value));
        }
        let rays = Table::rays(*board.shape, board.cells, words);
        let dims = vec![Domain::Kind(directions), Domain::Kind(id)];
        let (step_type, ray_type) = (maybe(Type::Kind(id)), Type::Set(Domain::Kind(id)));
        for (word, ty, cells) in [("step", step_type, steps.into()), ("ray", ray_type, rays)] {
            let name = format!("{word}({})", self.kind(id).name);
            let (title, notes, span) = (name.clone(), Vec::new(), self.kind(id).span);
            let dims = dims.clone();
            self.add_computed(Table { name, title, notes, dims, ty, cells, span });
        }
    }

    fn way_table(&self, word: &str, id: KindId) -> Option<TableId> {
        self.names.computed.get(&format!("{word}({})", self.kind(id).name)).copied()
    }

    pub(super) fn geometry(&self, id: KindId) -> Geometry<'_> {
        let kind = self.kind(id);
        Geometry { shape: &kind.shape, cells: kind.members.len() }
    }

    fn member_at(&self, kind: KindId, at: i64) -> Option<String> {
        let member = usize::try_from(at).ok().and_then(|at| self.kind(kind).members.get(at));
        member.map(|member| member.name.clone())
    }

    // ---------------------------------------------------------------------- calls

    /// Whether a call of this name is one of a relation between cells.
    pub(super) fn is_relation(&self, name: &str) -> bool {
        super::boards::BOARD_FUNCTIONS.contains(&name)
            && self.rules.kinds.iter().any(crate::check::rules::Kind::is_board)
    }

    /// `neighbours(c)`, `neighbours(c, orthogonal)`, `step(c, north)`, `ray(c, east)`
    pub(super) fn relation(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Expr {
        let fits = match name {
            "neighbours" => (1..=2).contains(&args.len()),
            _ => args.len() == 2,
        };
        if !fits {
            return self.wrong_relation(name, args.len(), span);
        }
        let cell = self.infer(&args[0], None);
        let whole = self.whole_type(&cell.ty);
        let cell = Expr { ty: whole, ..cell };
        let Some(board) = self.board_of(&cell) else { return self.not_a_cell(cell) };
        match (name, args.get(1)) {
            ("neighbours", None) => self.neighbours(board, cell, ALL_NEIGHBOURS, span),
            (_, Some(way)) if self.kind(board).shape == Shape::Map => {
                self.infer(way, None);
                let name = format!("the map `{}`", self.kind(board).name);
                let direction = "directions".to_owned();
                let help = "`neighbours(c)` are the places that are linked to it".to_owned();
                let span = way.span;
                self.broken(BoardError::NoDirection { board: name, direction, help, span }, span)
            }
            ("neighbours", Some(ways)) => self.some_neighbours(board, cell, ways, span),
            (word, Some(way)) => self.way(word, (board, cell), way, span),
            (_, None) => unreachable!("the number of arguments was checked"),
        }
    }

    fn wrong_relation(&mut self, name: &str, found: usize, span: Span) -> Expr {
        let (expected, head) = match name {
            "neighbours" => ("1 argument or 2", "neighbours(c: Cell, ways: set of Direction)"),
            "step" => ("2 arguments", "step(c: Cell, way: Direction) -> maybe Cell"),
            _ => ("2 arguments", "ray(c: Cell, way: Direction) -> set of Cell"),
        };
        let (name, expected, head) = (name.to_owned(), expected.to_owned(), head.to_owned());
        let error =
            TypeError::WrongArgumentCount { name, expected, found, head, span, declared: None };
        self.broken(error, span)
    }

    /// The board that an expression is a cell of, or perhaps one.
    fn board_of(&self, cell: &Expr) -> Option<KindId> {
        match plain(&cell.ty) {
            Type::Kind(kind) => self.kind(*kind).is_board().then_some(*kind),
            _ => None,
        }
    }

    fn not_a_cell(&mut self, cell: Expr) -> Expr {
        if cell.ty == Type::Unknown {
            return cell;
        }
        let (found, span) = (self.name_of(&cell.ty), cell.span);
        let help = match cell.ty {
            Type::Set(_) => "ask for one cell after the other: `for c in S { … }`",
            _ => "write a cell: a name like `a1`, or a variable that holds one",
        };
        self.broken(BoardError::NotACell { found, help: help.to_owned(), span }, span)
    }

    fn neighbours(&mut self, board: KindId, cell: Expr, column: &str, span: Span) -> Expr {
        let at = self.kind(board).columns.iter().position(|known| known.name == column);
        let Some(at) = at else { return unknown(span) };
        self.cells_beside(board, cell, at, span)
    }

    fn cells_beside(&mut self, board: KindId, cell: Expr, column: usize, span: Span) -> Expr {
        if cell.ty != Type::Kind(board) {
            let expected = self.name_of(&Type::Kind(board));
            return self.needs_check(&cell, expected);
        }
        let ty = Type::Set(Domain::Kind(board));
        typed(ExprKind::Column(board, column, Box::new(cell)), ty, span)
    }

    fn some_neighbours(&mut self, board: KindId, cell: Expr, ways: &ast::Expr, span: Span) -> Expr {
        let Some(directions) = self.directions() else { return unknown(span) };
        let ways = self.expect(ways, &Type::Set(Domain::Kind(directions)));
        if ways.ty == Type::Unknown {
            return unknown(span);
        }
        if let Some(known) = self.known_set(&ways) {
            if let Some(stranger) = self.stranger_among(board, &known) {
                return self.no_direction(board, &stranger, ways.span);
            }
            if let Some(column) = self.neighbours_in(board, &known) {
                return self.cells_beside(board, cell, column, span);
            }
        }
        let Some(table) = self.way_table("step", board) else { return unknown(span) };
        let of_direction = Type::Kind(directions);
        let local = self.add_local("way", NewLocal::fixed(of_direction.clone()), span);
        let way = typed(ExprKind::Local(local), of_direction, span);
        let step = typed(ExprKind::Table(table, vec![way, cell]), maybe(Type::Kind(board)), span);
        let binder = Binder { local, set: Box::new(ways), condition: None };
        let ty = Type::Set(Domain::Kind(board));
        typed(ExprKind::Image(Box::new(step), binder), ty, span)
    }

    /// `step(c, way)`, `ray(c, way)`
    fn way(
        &mut self,
        word: &str,
        (board, cell): (KindId, Expr),
        way: &ast::Expr,
        span: Span,
    ) -> Expr {
        let Some(directions) = self.directions() else { return unknown(span) };
        let way = self.infer(way, Some(&Type::Kind(directions)));
        if way.ty == Type::Number {
            let error = self.counted_way(board, way.span);
            return self.broken(error, span);
        }
        let way = self.coerce(way, &Type::Kind(directions));
        if way.ty == Type::Unknown {
            return unknown(span);
        }
        if let ExprKind::Value(Value::Int(at)) = &way.kind
            && let Some(stranger) = self.stranger_among(board, &[*at])
        {
            return self.no_direction(board, &stranger, way.span);
        }
        if word == "ray" && cell.ty != Type::Kind(board) {
            let expected = self.name_of(&Type::Kind(board));
            return self.needs_check(&cell, expected);
        }
        let Some(table) = self.way_table(word, board) else { return unknown(span) };
        if word == "ray" && !self.pay_for_rays(board) {
            return unknown(span);
        }
        let goes_on = word == "step" && self.never_ends(board, &way);
        let ty = if goes_on && cell.ty == Type::Kind(board) {
            cell.ty.clone()
        } else {
            self.rules.tables[table.index()].ty.clone()
        };
        self.narrowed(typed(ExprKind::Table(table, vec![way, cell]), ty, span))
    }

    /// Charges for all rays of a board when the file first asks for one; whether there is room.
    fn pay_for_rays(&mut self, board: KindId) -> bool {
        if self.seats.is_none() && self.has_rays.insert(board) {
            let kind = self.kind(board);
            let cells = kind.members.len();
            let along = match kind.shape {
                Shape::Grid { columns, rows, .. } => 4 * (columns + rows),
                _ => 2 * cells,
            };
            self.budget.keep(cells * along * BYTES_OF_A_CELL);
            self.budget.charge(cells * along);
        }
        !self.budget.is_spent()
    }

    /// Whether there is a next cell in a direction wherever one stands: on a ring, in its own.
    fn never_ends(&self, board: KindId, way: &Expr) -> bool {
        let Some(directions) = self.directions() else { return false };
        let all: Vec<i64> = match &way.kind {
            // Others were refused.
            ExprKind::Value(Value::Int(_)) => Vec::new(),
            _ => (0..self.kind(directions).members.len()).map(int).collect(),
        };
        self.kind(board).shape == Shape::Ring && self.stranger_among(board, &all).is_none()
    }

    /// The first of some directions that a board does not have.
    fn stranger_among(&self, board: KindId, directions: &[i64]) -> Option<String> {
        let kind = self.directions()?;
        let mut words = directions.iter().filter_map(|at| self.member_at(kind, *at));
        words.find(|word| !self.geometry(board).has(word))
    }

    fn no_direction(&mut self, board: KindId, direction: &str, span: Span) -> Expr {
        let kind = self.directions().map_or(&[][..], |kind| &self.kind(kind).members);
        let here = kind.iter().map(|member| member.name.as_str());
        let here: Vec<&str> = here.filter(|word| self.geometry(board).has(word)).collect();
        let help = format!("its directions are {}", list(&here));
        let board = format!("`{}`", self.kind(board).name);
        let direction = format!("`{direction}`");
        self.broken(BoardError::NoDirection { board, direction, help, span }, span)
    }

    // ---------------------------------------------------------------------- known values

    /// The members of a set that depends on nothing.
    pub(super) fn known_set(&self, set: &Expr) -> Option<Vec<i64>> {
        let mut members = match &set.kind {
            ExprKind::Value(Value::Set(members)) => members.clone(),
            ExprKind::Value(Value::Int(member)) => vec![*member],
            ExprKind::Constant(constant) => {
                self.known_set(&self.rules.constants[constant.index()].value)?
            }
            ExprKind::ToSet(member) => self.known_set(member)?,
            ExprKind::Whole(Domain::Kind(kind)) => {
                (0..).take(self.kind(*kind).members.len()).collect()
            }
            ExprKind::SetOf(members) => {
                let sets = members.iter().map(|member| self.known_set(member));
                sets.collect::<Option<Vec<_>>>()?.concat()
            }
            ExprKind::SetOp(op, a, b) => {
                let (mut a, b) = (self.known_set(a)?, self.known_set(b)?);
                match op {
                    SetOp::Union => a.extend(b),
                    SetOp::Minus => a.retain(|member| !b.contains(member)),
                    SetOp::Common => a.retain(|member| b.contains(member)),
                }
                a
            }
            _ => return None,
        };
        members.sort_unstable();
        members.dedup();
        Some(members)
    }

    /// A number that depends on nothing.
    pub(super) fn known_number(&self, number: &Expr) -> Option<i64> {
        match &number.kind {
            ExprKind::Value(Value::Int(number)) => Some(*number),
            ExprKind::Constant(constant) => {
                self.known_number(&self.rules.constants[constant.index()].value)
            }
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (self.known_number(a)?, self.known_number(b)?);
                match op {
                    Arith::Add => a.checked_add(b),
                    Arith::Subtract => a.checked_sub(b),
                    Arith::Multiply => a.checked_mul(b),
                    Arith::Min => Some(a.min(b)),
                    Arith::Max => Some(a.max(b)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    // ---------------------------------------------------------------------- order

    /// A ray in the order in which one walks along it; anything else as it is.
    pub(super) fn walked(&self, set: Expr) -> Expr {
        let ExprKind::Table(table, indices) = &set.kind else { return set };
        let (ray, [direction, start]) = (*table, indices.as_slice()) else { return set };
        let Type::Kind(board) = start.ty else { return set };
        if self.way_table("ray", board) != Some(ray) {
            return set;
        }
        let Some(step) = self.way_table("step", board) else { return set };
        let (direction, start) = (direction.clone(), start.clone());
        let (ty, span) = (set.ty.clone(), set.span);
        let walk = Walk { set, board, start, direction, step };
        typed(ExprKind::Walk(Box::new(walk)), ty, span)
    }

    /// What a board has, for messages: `4 columns and 3 rows`.
    pub(super) fn grid_size(&self, board: KindId) -> String {
        match self.kind(board).shape {
            Shape::Grid { columns, rows, .. } => {
                format!("{} and {}", counted(columns, "column"), counted(rows, "row"))
            }
            _ => counted(self.kind(board).members.len(), "cell"),
        }
    }
}

/// How many bytes a cell of a set takes.
const BYTES_OF_A_CELL: usize = 8;

/// Positions as the value of a set.
pub(super) fn cell_set(mut cells: Vec<usize>) -> Value {
    cells.sort_unstable();
    cells.dedup();
    Value::Set(cells.into_iter().map(int).collect())
}

pub(super) fn int(position: usize) -> i64 {
    i64::try_from(position).expect("a kind has fewer than 2^63 members")
}
