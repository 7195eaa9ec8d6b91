//! `Field.lines(4)`: the straight lines of a grid, as a kind of their own.
//!
//! A line stands for the set of its cells wherever a set of cells is wanted.

use crate::check::adjacency::int;
use crate::check::context::{Checker, typed};
use crate::check::error::{BoardError, TypeError};
use crate::check::geometry::{AXES, axis_of};
use crate::check::rules::{Column, Domain, Expr, ExprKind, KindId, Member, Shape, Type, Value};
use crate::source::Span;
use crate::syntax::ast;

/// What is asked for.
struct Wanted {
    board: KindId,
    /// How many cells.
    length: usize,
    /// Along which of [`AXES`].
    axes: Vec<&'static str>,
}

impl Checker<'_> {
    /// `Field.lines(4)`, `Field.lines(3, orthogonal)`
    pub(super) fn lines(&mut self, board: KindId, args: &[ast::Expr], span: Span) -> Expr {
        if !matches!(self.kind(board).shape, Shape::Grid { .. }) {
            args.iter().for_each(|arg| drop(self.infer(arg, None)));
            let problem = format!("`{}` has no lines", self.kind(board).name);
            let help = "lines are those of a board of rows and columns: `board Field 4 by 4`";
            return self.no_lines(problem, help.to_owned(), span);
        }
        if !(1..=2).contains(&args.len()) {
            let error = TypeError::WrongArgumentCount {
                name: "lines".to_owned(),
                expected: "1 argument or 2".to_owned(),
                found: args.len(),
                head: "Board.lines(length: number, ways: set of Direction)".to_owned(),
                span,
                declared: None,
            };
            return self.broken(error, span);
        }
        match self.wanted(board, args) {
            Ok(wanted) => self.all_lines(&wanted, span),
            Err(broken) => broken,
        }
    }

    fn no_lines(&mut self, problem: String, help: String, span: Span) -> Expr {
        self.broken(BoardError::NoLines { problem, help, span }, span)
    }

    fn wanted(&mut self, board: KindId, args: &[ast::Expr]) -> Result<Wanted, Expr> {
        let number = self.expect(&args[0], &Type::Number);
        let axes = args.get(1).map(|ways| self.axes(ways)).transpose()?;
        if number.ty == Type::Unknown {
            return Err(number);
        }
        let Some(length) = self.known_number(&number) else {
            let problem = "the length of a line must be known before play".to_owned();
            let help = "write a number, or a constant that reads no option".to_owned();
            return Err(self.no_lines(problem, help, number.span));
        };
        let length = usize::try_from(length).ok().filter(|length| *length >= 2);
        let Some(length) = length else {
            let problem = "a line has at least 2 cells".to_owned();
            let help = "for single cells write the board itself".to_owned();
            return Err(self.no_lines(problem, help, number.span));
        };
        let axes = axes.unwrap_or_else(|| AXES.to_vec());
        if axes.iter().all(|axis| self.geometry(board).lines(length, axis).next().is_none()) {
            let problem = format!("`{}` has no line of {length} cells", self.kind(board).name);
            let help = format!("it has {}", self.grid_size(board));
            return Err(self.no_lines(problem, help, number.span));
        }
        Ok(Wanted { board, length, axes })
    }

    /// The axes that a set of directions lies on.
    fn axes(&mut self, ways: &ast::Expr) -> Result<Vec<&'static str>, Expr> {
        let Some(directions) = self.directions() else { return Err(self.infer(ways, None)) };
        let ways = self.expect(ways, &Type::Set(Domain::Kind(directions)));
        if ways.ty == Type::Unknown {
            return Err(ways);
        }
        let Some(known) = self.known_set(&ways) else {
            let problem = "the directions of lines must be known before play".to_owned();
            let help = "write `orthogonal`, `diagonal`, or directions in braces".to_owned();
            return Err(self.no_lines(problem, help, ways.span));
        };
        let words: Vec<Option<&'static str>> = known
            .iter()
            .filter_map(|at| usize::try_from(*at).ok())
            .map(|at| axis_of(&self.kind(directions).members[at].name))
            .collect();
        Ok(AXES.into_iter().filter(|axis| words.contains(&Some(*axis))).collect())
    }

    fn all_lines(&mut self, wanted: &Wanted, span: Span) -> Expr {
        let axes = match wanted.axes.as_slice() {
            ["east", "south"] => ", orthogonal".to_owned(),
            ["south_east", "south_west"] => ", diagonal".to_owned(),
            all if all.len() == AXES.len() => String::new(),
            some => format!(", {{{}}}", some.join(", ")),
        };
        let name = format!("{}.lines({}{axes})", self.kind(wanted.board).name, wanted.length);
        let known = self.names.kinds.get(&name).copied();
        let kind = match known {
            Some(kind) => kind,
            None if self.seats.is_some() => {
                let problem = "the game does not know these lines".to_owned();
                let help = "ask for lines that the rules go over".to_owned();
                return self.no_lines(problem, help, span);
            }
            None => self.new_lines(&name, wanted),
        };
        let domain = Domain::Kind(kind);
        typed(ExprKind::Whole(domain), Type::Set(domain), span)
    }

    fn new_lines(&mut self, name: &str, wanted: &Wanted) -> KindId {
        let board = self.geometry(wanted.board);
        let axes = wanted.axes.iter();
        // Where there is no room it was said, and none are made.
        let axes = axes.filter(|_| !self.is_full());
        let mut lines: Vec<Vec<usize>> =
            axes.flat_map(|axis| board.lines(wanted.length, axis)).collect();
        if !self.has_room(lines.len(), self.kind(wanted.board).span) {
            lines.clear();
        }
        // In the order of the cells that come first; of those, as the axes are listed.
        lines.sort_by_key(|line| line[0]);
        let span = self.kind(wanted.board).span;
        let members = lines.iter().map(|line| self.line_member(wanted.board, line, span));
        let members: Vec<Member> = members.collect();
        let cells = lines.into_iter().map(|mut line| {
            line.sort_unstable();
            Value::Set(line.into_iter().map(int).collect())
        });
        let ty = Type::Set(Domain::Kind(wanted.board));
        let column = Column { name: "cells".to_owned(), ty, cells: cells.collect(), span };
        let kind = self.add_kind(name, Shape::Lines(wanted.board), vec![column], span);
        self.names.kinds.insert(name.to_owned(), kind);
        self.rules.kinds[kind.index()].members = members;
        kind
    }

    /// A line is called by its ends, the one further left first; of a column, the lower number.
    fn line_member(&self, board: KindId, line: &[usize], span: Span) -> Member {
        let kind = self.kind(board);
        let number = |cell: usize, column: usize| match kind.columns[column].cells[cell] {
            Value::Int(number) => number,
            _ => 0,
        };
        let mut ends = [line[0], line[line.len() - 1]];
        ends.sort_by_key(|cell| (number(*cell, 1), number(*cell, 0)));
        let [first, last] = ends.map(|cell| kind.members[cell].name.as_str());
        let name = format!("{first}-{last}");
        Member { title: name.clone(), name, notes: Vec::new(), span }
    }

    /// The board whose cells the members of a kind are sets of.
    pub(super) fn board_of_lines(&self, ty: &Type) -> Option<KindId> {
        match ty {
            Type::Kind(kind) => match self.kind(*kind).shape {
                Shape::Lines(board) => Some(board),
                _ => None,
            },
            _ => None,
        }
    }

    /// A line as the set of its cells; anything else as it is.
    pub(super) fn line_cells(&self, line: Expr) -> Expr {
        let (Some(board), Type::Kind(kind)) = (self.board_of_lines(&line.ty), &line.ty) else {
            return line;
        };
        let (kind, span) = (*kind, line.span);
        let ty = Type::Set(Domain::Kind(board));
        typed(ExprKind::Column(kind, 0, Box::new(line)), ty, span)
    }
}
