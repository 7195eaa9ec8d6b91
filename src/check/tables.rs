//! Tables: a row of cells over one type, or a drawing over two.

use crate::check::adjacency::int;
use crate::check::cells::{Cells, Found, cell_name};
use crate::check::context::Checker;
use crate::check::error::DataError;
use crate::check::resolve::literal;
use crate::check::rules::{Domain, PLAYER};
use crate::check::scope::list;
use crate::check::subkinds::filler;
use crate::check::symbols::{CompletionContext, Symbol};
use crate::check::types::{counted, domain_code};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    pub(super) fn check_tables(&mut self) {
        let tables: Vec<&ast::Table> = self.tree.tables.iter().map(|entry| entry.item).collect();
        for (at, table) in tables.into_iter().enumerate() {
            let dims: Option<Vec<Domain>> =
                table.dims.iter().map(|dim| self.table_dim(dim, table.dims.len())).collect();
            let Some(dims) = dims else { continue };
            if let Some(found) = self.table_cells(table, &dims) {
                let Found { ty, values } = self.spread_table(&dims, found);
                let checked = &mut self.rules.tables[at];
                (checked.ty, checked.cells) = (ty, values.into());
            }
            self.rules.tables[at].dims = dims;
        }
    }

    /// A dimension whose size is known before play.
    fn table_dim(&mut self, dim: &ast::TypeExpr, dims: usize) -> Option<Domain> {
        let domain = self.domain(dim)?;
        let problem = match domain {
            Domain::Kind(PLAYER) if dims > 1 => "a table over players is written in one row",
            Domain::Range(_) if self.size(domain).is_none() => {
                "the range of a table needs numbers as they stand"
            }
            _ => return Some(domain),
        };
        let help = "write `table name[Player] = …` with a cell for each, or bounds like `1..6`";
        self.table_shape(problem.to_owned(), help, dim.span);
        None
    }

    fn table_shape(&mut self, problem: String, help: &str, span: Span) {
        self.report(DataError::TableShape { problem, help: help.to_owned(), span });
    }

    /// How many members a finite type has, if that is known; for players, the most.
    pub(super) fn size(&self, domain: Domain) -> Option<usize> {
        match domain {
            Domain::Kind(PLAYER) => Some(self.rules.players.1),
            Domain::Kind(kind) => Some(self.kind(kind).members.len()),
            Domain::Range(range) => {
                let range = &self.rules.ranges[range.index()];
                let (low, high) = (literal(&range.low)?, literal(range.high.as_ref()?)?);
                usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok()
            }
        }
    }

    /// The positions of the members that a table has cells for: of a part of a kind only its own.
    fn table_members(&self, domain: Domain) -> Option<Vec<usize>> {
        match domain {
            Domain::Kind(PLAYER) | Domain::Range(_) => Some((0..self.size(domain)?).collect()),
            Domain::Kind(kind) => Some(self.kind(kind).own()),
        }
    }

    /// Leaves room between the cells of a part for the other members of the whole, so that an index
    /// is the same number for both; nobody reads these cells.
    fn spread_table(&self, dims: &[Domain], found: Found) -> Found {
        let is_part =
            |dim: &Domain| matches!(dim, Domain::Kind(it) if self.kind(*it).within.is_some());
        if !dims.iter().any(is_part) {
            return found;
        }
        let mut places = vec![0];
        let mut room = 1;
        for dim in dims {
            let (Some(size), Some(own)) = (self.size(*dim), self.table_members(*dim)) else {
                return found;
            };
            places =
                places.iter().flat_map(|at| own.iter().map(move |it| at * size + it)).collect();
            room *= size;
        }
        let mut values = vec![filler(&found.ty); room];
        for (at, value) in places.into_iter().zip(found.values) {
            values[at] = value;
        }
        Found { ty: found.ty, values }
    }

    fn table_cells(&mut self, table: &ast::Table, dims: &[Domain]) -> Option<Found> {
        let ast::Name { text: name, span } = &table.name;
        let (problem, help) = match (&table.body, dims) {
            (ast::TableBody::Row(cells), [dim]) => return self.row_cells(table, *dim, cells),
            (ast::TableBody::Drawn(drawn), [rows, columns]) => {
                return self.drawn_cells(table, drawn, *rows, *columns);
            }
            (ast::TableBody::Row(_), _) => (
                format!("`{name}` is over several types"),
                "draw it: headings for the second type, a row for each of the first",
            ),
            (ast::TableBody::Drawn(_), _) => (
                format!("`{name}` cannot be drawn"),
                "write a table over one type in a row: `= 5 4 3`; draw one over two types",
            ),
        };
        self.table_shape(problem, help, *span);
        None
    }

    fn row_cells(&mut self, table: &ast::Table, dim: Domain, cells: &[ast::Cell]) -> Option<Found> {
        let size = self.table_members(dim)?.len();
        let (name, span) = (table.name.text.as_str(), table.name.span);
        if cells.len() != size {
            let ends = cells.first().zip(cells.last());
            self.report(DataError::RowLength {
                expected: counted(size, "cell"),
                found: cells.len(),
                help: format!("write one cell for each of `{}`", domain_code(&self.rules, dim)),
                span: ends.map_or(span, |(first, last)| first.span.to(last.span)),
            });
        }
        let cells: Vec<&ast::Cell> = cells.iter().collect();
        Some(self.cells(&Cells { name, span, written: None, list: &cells }))
    }

    fn drawn_cells(
        &mut self,
        table: &ast::Table,
        drawn: &ast::Drawn,
        rows: Domain,
        columns: Domain,
    ) -> Option<Found> {
        let heads: Vec<&ast::Cell> = drawn.heads.iter().map(|head| &head.label).collect();
        let labels: Vec<&ast::Cell> = drawn.rows.iter().map(|row| &row.label).collect();
        let column_order = self.order(table, &heads, columns, "column");
        let row_order = self.order(table, &labels, rows, "row");
        let filled: Vec<Vec<Option<&ast::Cell>>> =
            drawn.rows.iter().map(|row| self.filled(row, &drawn.heads)).collect();
        let (row_order, column_order) = (row_order?, column_order?);
        let cells: Option<Vec<&ast::Cell>> = row_order
            .iter()
            .flat_map(|row| column_order.iter().map(|column| filled[*row][*column]))
            .collect();
        let written = drawn.heads.iter().find_map(|head| head.ty.as_ref());
        let (name, span) = (table.name.text.as_str(), table.name.span);
        Some(self.cells(&Cells { name, span, written, list: &cells? }))
    }

    /// For each member that has cells, in order, which of the labels is its own.
    fn order(
        &mut self,
        table: &ast::Table,
        labels: &[&ast::Cell],
        domain: Domain,
        line: &str,
    ) -> Option<Vec<usize>> {
        let mut places: Vec<Option<usize>> = vec![None; self.size(domain)?];
        let mut fine = true;
        for (at, label) in labels.iter().enumerate() {
            let Some(position) = self.label_position(label, domain) else {
                fine = false;
                continue;
            };
            if let Some(earlier) = places[position].replace(at) {
                let (name, earlier) = (self.domain_member(domain, position), labels[earlier].span);
                self.report(DataError::DuplicateRow { name, span: label.span, earlier });
                fine = false;
            }
        }
        let members = self.table_members(domain)?;
        let missing = members.iter().filter(|at| places[**at].is_none());
        let missing: Vec<String> = missing.map(|at| self.domain_member(domain, *at)).collect();
        if fine && !missing.is_empty() {
            let ast::Name { text: table, span } = table.name.clone();
            let (line, missing) = (line.to_owned(), list(&missing));
            self.report(DataError::MissingRow { table, line, missing, span });
        }
        members.iter().map(|at| places[*at]).collect::<Option<Vec<usize>>>().filter(|_| fine)
    }

    /// Which member of the type a label names.
    fn label_position(&mut self, label: &ast::Cell, domain: Domain) -> Option<usize> {
        let position = match (&label.kind, domain) {
            (ast::CellKind::Name(text), Domain::Kind(kind)) => {
                let position = self.member_of(kind, text);
                self.see(text, |_| CompletionContext::Cell(Some(kind)));
                match position {
                    Some(at) => self.note(label.span, Symbol::Member(kind, at)),
                    None => {
                        let (text, span) = (text.clone(), label.span);
                        self.no_member(kind, &ast::Name { text, span });
                    }
                }
                return position;
            }
            (ast::CellKind::Number(number), Domain::Range(range)) => {
                let low = literal(&self.rules.ranges[range.index()].low)?;
                let position = number.checked_sub(low).and_then(|at| usize::try_from(at).ok());
                position.filter(|at| self.size(domain).is_some_and(|size| *at < size))
            }
            _ => None,
        };
        if position.is_none() {
            let expected = format!("one of `{}`", domain_code(&self.rules, domain));
            let found = match &label.kind {
                ast::CellKind::Number(number) => number.to_string(),
                _ => cell_name(label),
            };
            self.report(DataError::WrongLabel { expected, found, span: label.span });
        }
        position
    }

    /// What a member of a finite type with a known size is called.
    fn domain_member(&self, domain: Domain, position: usize) -> String {
        match domain {
            Domain::Kind(kind) => self.kind(kind).members[position].name.clone(),
            Domain::Range(range) => {
                let low = literal(&self.rules.ranges[range.index()].low);
                (low.expect("a table is over literal ranges") + int(position)).to_string()
            }
        }
    }
}
