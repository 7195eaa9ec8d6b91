//! `Field.lines(4)`: the straight lines of a grid, a kind that stands for sets of cells.

use crate::check::context::Checker;
use crate::check::error;
use crate::check::members::plain_member;
use crate::rules::topology::{BoardTopology, Plane};
use crate::rules::{
    Column, Domain, Expr, ExprKind, KindId, KindShape, Member, Type, Value, format_count, to_int,
    typed,
};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// `Field.lines(4)`, `Field.lines(3, orthogonal)`
    pub(crate) fn check_lines(&mut self, board: KindId, args: &[ast::Expr], span: Span) -> Expr {
        if self.rules.board_axes(board).is_empty() {
            args.iter().for_each(|arg| drop(self.infer(arg, None)));
            let problem = format!("`{}` has no lines", self.rules.kind_at(board).name);
            let help = "lines are those of a grid or a hex board: `board Field 4 by 4`";
            return self.no_lines(&problem, help, span);
        }
        if !(1..=2).contains(&args.len()) {
            let (expected, found) = ("1 argument or 2", args.len());
            let head = "Board.lines(length: number, ways: set of Direction)";
            let error = error::wrong_argument_count("lines", expected, found, head, span, None);
            return self.broken(error);
        }
        self.wanted_lines(board, args, span).unwrap_or_else(|broken| broken)
    }

    fn no_lines(&mut self, problem: &str, help: &str, span: Span) -> Expr {
        self.broken(error::no_lines(problem, help, span))
    }

    /// The lines of a length that run along some axes, or what takes their place.
    fn wanted_lines(
        &mut self,
        board: KindId,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Expr, Expr> {
        let number = self.expect(&args[0], &Type::Number);
        let axes = args.get(1).map_or(Ok(self.rules.board_axes(board).to_vec()), |ways| {
            self.resolve_axes(board, ways)
        })?;
        if number.ty == Type::Unknown {
            return Err(number);
        }
        let Some(length) = self.known_number(&number) else {
            let problem = "the length of a line must be known before play";
            let help = "write a number, or a constant made of numbers: `players` and options are known \
                        only when a game begins";
            return Err(self.no_lines(problem, help, number.span));
        };
        let Some(length) = usize::try_from(length).ok().filter(|length| *length >= 2) else {
            let help = "for single cells write the board itself";
            return Err(self.no_lines("a line has at least 2 cells", help, number.span));
        };
        if axes
            .iter()
            .all(|axis| self.rules.board_of(board).lines_along(length, axis).next().is_none())
        {
            let problem =
                format!("`{}` has no line of {length} cells", self.rules.kind_at(board).name);
            let help = match self.rules.board_of(board) {
                BoardTopology::Grid(Plane::Grid { columns, rows, .. }) => {
                    let (columns, rows) =
                        (format_count(columns, "column"), format_count(rows, "row"));
                    format!("it has {columns} and {rows}")
                }
                other => format!("it has {}", other.describe_shape()),
            };
            return Err(self.no_lines(&problem, &help, number.span));
        }
        Ok(self.all_lines(board, length, &axes, span))
    }

    /// The axes that a set of directions lies on.
    fn resolve_axes(&mut self, board: KindId, ways: &ast::Expr) -> Result<Vec<&'static str>, Expr> {
        let Some(directions) = self.rules.directions_kind() else {
            return Err(self.infer(ways, None));
        };
        let ways = self.expect(ways, &Type::Set(Domain::Kind(directions)));
        if ways.ty == Type::Unknown {
            return Err(ways);
        }
        let Some(known) = self.known_set(&ways) else {
            let problem = "the directions of lines must be known before play";
            let help = "write `orthogonal`, `diagonal`, or directions in braces";
            return Err(self.no_lines(problem, help, ways.span));
        };
        let words = self.rules.direction_names(&known);
        let runs = |axis: &&'static str| {
            words.iter().any(|word| self.rules.board_of(board).axis_of(word) == Some(*axis))
        };
        Ok(self.rules.board_axes(board).iter().copied().filter(runs).collect())
    }

    fn all_lines(&mut self, board: KindId, length: usize, axes: &[&str], span: Span) -> Expr {
        let ways = match axes {
            ["east", "south"] => ", orthogonal".to_owned(),
            ["south_east", "south_west"] if self.rules.board_axes(board).contains(&"south") => {
                ", diagonal".to_owned()
            }
            all if all.len() == self.rules.board_axes(board).len() => String::new(),
            some => format!(", {{{}}}", some.join(", ")),
        };
        let name = format!("{}.lines({length}{ways})", self.rules.kind_at(board).name);
        let kind = match self.names.kinds.get(&name) {
            Some(kind) => *kind,
            None if self.seats.is_some() => {
                let help = "ask for lines that the rules use";
                return self.no_lines("the game does not know these lines", help, span);
            }
            None => self.new_lines(&name, board, length, axes),
        };
        let domain = Domain::Kind(kind);
        typed(ExprKind::Whole(domain), Type::Set(domain), span)
    }

    fn new_lines(&mut self, name: &str, board: KindId, length: usize, axes: &[&str]) -> KindId {
        let (cells, span) = (self.rules.board_of(board), self.rules.kind_at(board).span);
        // Where there is no room it was said, and none are made.
        let axes = axes.iter().filter(|_| !self.is_full());
        let mut lines: Vec<Vec<usize>> =
            axes.flat_map(|axis| cells.lines_along(length, axis)).collect();
        if !self.has_room(lines.len(), span) {
            lines.clear();
        }
        // In the order of the cells that come first; of those, as the axes are listed.
        lines.sort_by_key(|line| line[0]);
        let members = lines.iter().map(|line| self.line_member(board, line, span)).collect();
        let cells = lines.into_iter().map(|mut line| {
            line.sort_unstable();
            Value::Set(line.into_iter().map(to_int).collect())
        });
        let ty = Type::Set(Domain::Kind(board));
        let column = Column { name: "cells".to_owned(), ty, cells: cells.collect(), span };
        let kind = self.add_kind(name, KindShape::Lines(board), vec![column], span);
        self.names.kinds.insert(name.to_owned(), kind);
        self.rules.kinds[kind.index()].members = members;
        kind
    }

    /// A line is called by its ends, the one further left first; of a column, the lower number.
    fn line_member(&self, board: KindId, line: &[usize], span: Span) -> Member {
        let kind = self.rules.kind_at(board);
        let [rows, columns] = [0, 1].map(|column| &kind.columns[column].cells);
        let mut ends = [line[0], line[line.len() - 1]];
        ends.sort_by_key(|cell| (&columns[*cell], &rows[*cell]));
        let [first, last] = ends.map(|cell| kind.members[cell].name.as_str());
        let name = format!("{first}-{last}");
        plain_member(name.clone(), name, span)
    }

    pub(crate) fn line_cells(&self, line: Expr) -> Expr {
        let (Some(board), Type::Kind(kind)) = (self.rules.board_of_lines(&line.ty), &line.ty)
        else {
            return line;
        };
        let (kind, span, ty) = (*kind, line.span, Type::Set(Domain::Kind(board)));
        typed(ExprKind::new_column(kind, 0, line), ty, span)
    }
}
