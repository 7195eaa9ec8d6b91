//! Directions, neighbours and rays of boards: finds their columns and tables, adds columns of neighbours, charges for rays.

use std::collections::BTreeSet;

use crate::check::file::FileContext;
use crate::check::file::members::plain_member;
use crate::rules::topology::DIRECTION_SETS;
use crate::rules::{
    Array, BoardWalk, Column, Domain, Expr, ExprKind, KindId, KindShape, TableId, Type, Value,
    cell_set, to_int, typed,
};

/// The column of the cells beside a cell in any direction, or linked to it.
pub(crate) const ALL_NEIGHBOURS: &str = "neighbours()";

const BYTES_OF_A_RAY_CELL: usize = 8;

impl FileContext<'_> {
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

    pub(crate) fn add_cell_sets(
        &mut self,
        id: KindId,
        name: &str,
        of: KindId,
        sets: Vec<Vec<usize>>,
    ) -> usize {
        let (ty, span) = (Type::Set(Domain::Kind(of)), self.rules.kind_at(id).span);
        let name = name.to_owned();
        let cells = sets.into_iter().map(cell_set).collect();
        self.add_column(id, Column { name, ty, cells, span })
    }

    /// The column of the cells beside a cell in some directions; a new one if there is none yet
    /// and the rules are still being made.
    pub(crate) fn neighbours_in(&mut self, id: KindId, directions: &[i64]) -> Option<usize> {
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
        Some(self.add_cell_sets(id, &name, id, sets))
    }

    pub(crate) fn way_table(&self, word: &str, id: KindId) -> Option<TableId> {
        self.names.computed.get(&format!("{word}({})", self.rules.kind_at(id).name)).copied()
    }

    /// Charges for all rays of a board when the file first asks for one; whether there is room.
    pub(crate) fn pay_for_rays(&mut self, board: KindId) -> bool {
        if self.seats.is_none() && self.has_rays.insert(board) {
            let board = self.rules.board_of(board);
            let (cells, along) = (board.cell_count(), board.cells_on_rays());
            self.budget.hold_memory(cells * along * BYTES_OF_A_RAY_CELL);
            self.budget.charge(cells * along);
        }
        !self.budget.is_spent()
    }

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

    pub(crate) fn new_lines(
        &mut self,
        name: &str,
        board: KindId,
        length: usize,
        axes: &[&str],
    ) -> KindId {
        let (cells, span) = (self.rules.board_of(board), self.rules.kind_at(board).span);
        // Where there is no room it was said, and none are made.
        let axes = axes.iter().filter(|_| !self.is_full());
        let mut lines: Vec<Vec<usize>> =
            axes.flat_map(|axis| cells.lines_along(length, axis)).collect();
        if !self.reserve_members(lines.len(), span) {
            lines.clear();
        }
        // In the order of the cells that come first; of those, as the axes are listed.
        lines.sort_by_key(|line| line[0]);
        let mut names: Vec<String> = Vec::new();
        let mut known = BTreeSet::new();
        for line in &lines {
            let name = self.line_name(board, line, 1);
            // On a board that wraps, two diagonals may have the same ends.
            let name = if known.contains(&name) { self.line_name(board, line, 2) } else { name };
            known.insert(name.clone());
            names.push(name);
        }
        let members =
            names.into_iter().map(|name| plain_member(name.clone(), name, span)).collect();
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

    /// A line is called by its ends, the one further left first; of a column, the lower number. On a board
    /// that wraps, it is called as it runs, by one cell or two and the last.
    fn line_name(&self, board: KindId, line: &[usize], first: usize) -> String {
        let kind = self.rules.kind_at(board);
        let [rows, columns] = [0, 1].map(|column| &kind.columns[column].cells);
        let mut marked: Vec<usize> = line[..first].iter().chain(line.last()).copied().collect();
        if !self.rules.board_of(board).is_endless() {
            marked.sort_by_key(|cell| (&columns[*cell], &rows[*cell]));
        }
        let names: Vec<&str> =
            marked.iter().map(|cell| kind.members[*cell].name.as_str()).collect();
        names.join("-")
    }
}
