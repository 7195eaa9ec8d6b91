//! Tables and drawn data: a row of cells over one type, a drawing over two.

use crate::check::collect::Collector;
use crate::check::collect::cells::{CellColumn, TypedCells, infer_cells};
use crate::check::error;
use crate::check::file::members::describe_cell;
use crate::check::recorder::{CompletionContext, Symbol};
use crate::check::typer::tables::{settle_table, table_dim};
use crate::check::words::quote_list;
use crate::rules::{
    Domain, Rules, TableId, Type, Value, domain_code, filler, format_count, literal,
};
use crate::source::Span;
use crate::syntax::ast::{self, CellKind, Name};

impl Collector<'_> {
    pub(crate) fn check_tables(&mut self) {
        let tables: Vec<&ast::TableDecl> =
            self.file.tree.tables.iter().map(|entry| entry.item).collect();
        let formulas = |table: &&ast::TableDecl| matches!(table.body, ast::TableBody::Formula(_));
        for (at, table) in tables.iter().enumerate().filter(|(_, table)| !formulas(table)) {
            let is_drawn = table.dims.len() > 1;
            let dims = table.dims.iter().map(|dim| table_dim(&mut self.file, &dim.ty, is_drawn));
            let Some(dims) = dims.collect::<Option<Vec<Domain>>>() else { continue };
            if let Some(found) = self.table_cells(table, &dims) {
                let TypedCells { ty, values } = spread_table(&self.file.rules, &dims, found);
                let (goods, ty, values) = self.amounts_of_cells(ty, values);
                let checked = &mut self.file.rules.tables[at];
                (checked.ty, checked.cells) = (ty, values.into());
                self.file.rules.tables[at].dims = [dims, goods].concat();
                continue;
            }
            self.file.rules.tables[at].dims = dims;
        }
        // A formula may read all other tables.
        for at in 0..tables.len() {
            settle_table(&mut self.file, TableId::at(at), Span::default());
        }
    }

    /// The cells of a table; one of bags has a further index, the good.
    fn amounts_of_cells(&self, ty: Type, cells: Vec<Value>) -> (Vec<Domain>, Type, Vec<Value>) {
        let Type::Bag(kind) = ty else { return (Vec::new(), ty, cells) };
        let (own, size) = {
            let kind = self.file.rules.kind_at(kind);
            (kind.own_members(), kind.members.len())
        };
        let mut numbers = Vec::new();
        for cell in cells {
            let mut row = vec![Value::Int(0); size];
            if let Value::List(amounts) = cell {
                for (at, amount) in own.iter().zip(amounts) {
                    row[*at] = Value::Int(amount);
                }
            }
            numbers.extend(row);
        }
        (vec![Domain::Kind(kind)], Type::Number, numbers)
    }

    fn table_cells(&mut self, table: &ast::TableDecl, dims: &[Domain]) -> Option<TypedCells> {
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
            (ast::TableBody::Formula(_), _) => return None,
        };
        self.file.refuse_with(error::table_shape(problem, help, *span))
    }

    fn row_cells(
        &mut self,
        table: &ast::TableDecl,
        dim: Domain,
        cells: &[ast::Cell],
    ) -> Option<TypedCells> {
        let size = self.file.rules.table_members(dim)?.len();
        let (name, span) = (table.name.text.as_str(), table.name.span);
        if cells.len() != size {
            let row = match (cells.first(), cells.last()) {
                (Some(first), Some(last)) if first.span.start <= last.span.start => {
                    first.span.to(last.span)
                }
                // A variant, whose text comes first, adds to a row of its base.
                (_, last) => last.map_or(span, |last| last.span),
            };
            let help =
                format!("write one cell for each of `{}`", domain_code(&self.file.rules, dim));
            let (expected, found) = (format_count(size, "cell"), cells.len());
            self.file.report_error(error::row_length(expected, found, help, row));
        }
        let cells: Vec<&ast::Cell> = cells.iter().collect();
        let (heading, written) = (None, table.ty.as_ref());
        Some(infer_cells(
            &mut self.file,
            &CellColumn { name, span, heading, written, list: &cells },
        ))
    }

    fn drawn_cells(
        &mut self,
        table: &ast::TableDecl,
        drawn: &ast::Drawn,
        rows: Domain,
        columns: Domain,
    ) -> Option<TypedCells> {
        let list = self.grid_cells(&table.name, drawn, rows, columns)?;
        let heads_type = drawn.heads.iter().find_map(|head| head.ty.as_ref());
        let written = table.ty.as_ref().or(heads_type);
        let (name, span) = (table.name.text.as_str(), table.name.span);
        let heading = drawn.heads.iter().find_map(|head| match &head.label.kind {
            CellKind::Name(label) => Some(label.as_str()),
            _ => None,
        });
        Some(infer_cells(&mut self.file, &CellColumn { name, span, heading, written, list: &list }))
    }

    /// The cells of a drawing over two types, in the order of these.
    pub(crate) fn grid_cells<'c>(
        &mut self,
        name: &ast::Name,
        drawn: &'c ast::Drawn,
        rows: Domain,
        columns: Domain,
    ) -> Option<Vec<&'c ast::Cell>> {
        let heads: Vec<&ast::Cell> = drawn.heads.iter().map(|head| &head.label).collect();
        let labels: Vec<&ast::Cell> = drawn.rows.iter().map(|row| &row.label).collect();
        let column_order = self.label_order(name, &heads, columns, "column");
        let row_order = self.label_order(name, &labels, rows, "row");
        let filled: Vec<Vec<Option<&ast::Cell>>> =
            drawn.rows.iter().map(|row| self.filled(row, &drawn.heads)).collect();
        let (row_order, column_order) = (row_order?, column_order?);
        let cells = row_order
            .iter()
            .flat_map(|row| column_order.iter().map(|column| filled[*row][*column]));
        cells.collect()
    }

    /// For each member that has cells, in order, which of the labels is its own.
    fn label_order(
        &mut self,
        name: &ast::Name,
        labels: &[&ast::Cell],
        domain: Domain,
        line: &str,
    ) -> Option<Vec<usize>> {
        let mut places: Vec<Option<usize>> = vec![None; self.file.rules.domain_size(domain)?];
        let mut fine = true;
        for (at, label) in labels.iter().enumerate() {
            let Some(position) = self.label_position(label, domain) else {
                fine = false;
                continue;
            };
            if let Some(earlier) = places[position].replace(at) {
                let member = self.file.rules.domain_member(domain, position);
                self.file.report_error(error::duplicate_row(
                    member,
                    label.span,
                    labels[earlier].span,
                ));
                fine = false;
            }
        }
        let members = self.file.rules.table_members(domain)?;
        let missing = members.iter().filter(|at| places[**at].is_none());
        let missing: Vec<String> =
            missing.map(|at| self.file.rules.domain_member(domain, *at)).collect();
        if fine && !missing.is_empty() {
            let ast::Name { text: table, span } = name;
            self.file.report_error(error::MissingRow {
                table,
                line,
                missing: quote_list(&missing),
                span: *span,
            });
        }
        members.iter().map(|at| places[*at]).collect::<Option<Vec<usize>>>().filter(|_| fine)
    }

    /// Which member of the type a label names.
    fn label_position(&mut self, label: &ast::Cell, domain: Domain) -> Option<usize> {
        let position = match (&label.kind, domain) {
            (ast::CellKind::Name(text), Domain::Kind(kind)) => {
                let position = self.file.member_of(kind, text);
                self.file.recorder.see(text, CompletionContext::Cell(Some(kind)));
                match position {
                    Some(at) => self.file.recorder.note_use(label.span, Symbol::Member(kind, at)),
                    None => {
                        self.file.no_member(kind, &Name { text: text.clone(), span: label.span });
                    }
                }
                return position;
            }
            (ast::CellKind::Number(number), Domain::Range(range)) => {
                let low = literal(&self.file.rules.ranges[range.index()].low)?;
                let position = number.checked_sub(low).and_then(|at| usize::try_from(at).ok());
                position
                    .filter(|at| self.file.rules.domain_size(domain).is_some_and(|size| *at < size))
            }
            _ => None,
        };
        if position.is_none() {
            let expected = format!("one of `{}`", domain_code(&self.file.rules, domain));
            let found = match &label.kind {
                ast::CellKind::Number(number) => number.to_string(),
                _ => describe_cell(label),
            };
            self.file.report_error(error::wrong_label(expected, found, label.span));
        }
        position
    }
}

/// Leaves room between the cells of a part for the other members of the whole, so that an index
/// is the same number for both; nobody reads these cells.
fn spread_table(rules: &Rules, dims: &[Domain], found: TypedCells) -> TypedCells {
    let is_part =
        |dim: &Domain| matches!(dim, Domain::Kind(it) if rules.kind_at(*it).within.is_some());
    if !dims.iter().any(is_part) {
        return found;
    }
    let mut places = vec![0];
    let mut room = 1;
    for dim in dims {
        let (Some(size), Some(own)) = (rules.domain_size(*dim), rules.table_members(*dim)) else {
            return found;
        };
        places = places.iter().flat_map(|at| own.iter().map(move |it| at * size + it)).collect();
        room *= size;
    }
    let mut values = vec![filler(&found.ty); room];
    for (at, value) in places.into_iter().zip(found.values) {
        values[at] = value;
    }
    TypedCells { ty: found.ty, values }
}
