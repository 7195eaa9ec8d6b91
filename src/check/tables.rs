//! Tables and drawn data: a row of cells over one type, a drawing over two; the type and values of cells.

use std::collections::BTreeSet;

use crate::check::context::Checker;
use crate::check::error;
use crate::check::members::describe_cell;
use crate::check::recorder::{CompletionContext, Symbol};
use crate::check::resolve::WrittenType;
use crate::check::words::quote_list;
use crate::diagnostic::Help;
use crate::rules::{
    Domain, KindId, PLAYER, RangeId, Type, Value, domain_code, filler, format_count, literal,
    maybe, to_int, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast::{self, Cell, CellKind, Name, TypeExpr};

impl Checker<'_> {
    pub(crate) fn check_tables(&mut self) {
        let tables: Vec<&ast::TableDecl> =
            self.file.tree.tables.iter().map(|entry| entry.item).collect();
        for (at, table) in tables.into_iter().enumerate() {
            let dims: Option<Vec<Domain>> =
                table.dims.iter().map(|dim| self.table_dim(dim, table.dims.len())).collect();
            let Some(dims) = dims else { continue };
            if let Some(found) = self.table_cells(table, &dims) {
                let TypedCells { ty, values } = self.spread_table(&dims, found);
                let checked = &mut self.file.rules.tables[at];
                (checked.ty, checked.cells) = (ty, values.into());
            }
            self.file.rules.tables[at].dims = dims;
        }
    }

    /// A dimension whose size is known before play.
    fn table_dim(&mut self, dim: &ast::TypeExpr, dims: usize) -> Option<Domain> {
        let domain = self.resolve_domain(dim)?;
        let problem = match domain {
            Domain::Kind(PLAYER) if dims > 1 => "a table over players is written in one row",
            Domain::Range(_) if self.file.rules.domain_size(domain).is_none() => {
                "the range of a table needs literal numbers"
            }
            _ => return Some(domain),
        };
        let help = "write `table name[Player] = …` with a cell for each, or bounds like `1..6`";
        self.file.refuse_with(error::table_shape(problem, help, dim.span))
    }

    /// Leaves room between the cells of a part for the other members of the whole, so that an index
    /// is the same number for both; nobody reads these cells.
    fn spread_table(&self, dims: &[Domain], found: TypedCells) -> TypedCells {
        let is_part = |dim: &Domain| matches!(dim, Domain::Kind(it) if self.file.rules.kind_at(*it).within.is_some());
        if !dims.iter().any(is_part) {
            return found;
        }
        let mut places = vec![0];
        let mut room = 1;
        for dim in dims {
            let (Some(size), Some(own)) =
                (self.file.rules.domain_size(*dim), self.file.rules.table_members(*dim))
            else {
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
        TypedCells { ty: found.ty, values }
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
        let (heading, written) = (None, None);
        Some(self.infer_cells(&CellColumn { name, span, heading, written, list: &cells }))
    }

    fn drawn_cells(
        &mut self,
        table: &ast::TableDecl,
        drawn: &ast::Drawn,
        rows: Domain,
        columns: Domain,
    ) -> Option<TypedCells> {
        let heads: Vec<&ast::Cell> = drawn.heads.iter().map(|head| &head.label).collect();
        let labels: Vec<&ast::Cell> = drawn.rows.iter().map(|row| &row.label).collect();
        let column_order = self.label_order(table, &heads, columns, "column");
        let row_order = self.label_order(table, &labels, rows, "row");
        let filled: Vec<Vec<Option<&ast::Cell>>> =
            drawn.rows.iter().map(|row| self.filled(row, &drawn.heads)).collect();
        let (row_order, column_order) = (row_order?, column_order?);
        let cells: Option<Vec<&ast::Cell>> = row_order
            .iter()
            .flat_map(|row| column_order.iter().map(|column| filled[*row][*column]))
            .collect();
        let written = drawn.heads.iter().find_map(|head| head.ty.as_ref());
        let (name, span) = (table.name.text.as_str(), table.name.span);
        let heading = heads.iter().find_map(|head| match &head.kind {
            CellKind::Name(label) => Some(label.as_str()),
            _ => None,
        });
        Some(self.infer_cells(&CellColumn { name, span, heading, written, list: &cells? }))
    }

    /// For each member that has cells, in order, which of the labels is its own.
    fn label_order(
        &mut self,
        table: &ast::TableDecl,
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
                let name = self.file.rules.domain_member(domain, position);
                self.file.report_error(error::duplicate_row(
                    name,
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
            let ast::Name { text: table, span } = &table.name;
            self.file.report_error(error::missing_row(table, line, quote_list(&missing), *span));
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
                        self.file.no_member(kind, &Name { text: text.clone(), span: label.span })
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

    pub(crate) fn infer_cells(&mut self, cells: &CellColumn) -> TypedCells {
        let WrittenType { ty, range } = match cells.written {
            Some(written) => self.resolve(written),
            None => WrittenType::from_type(self.type_of_cells(cells).unwrap_or(Type::Unknown)),
        };
        let values = cells.list.iter().map(|cell| self.cell_value(cell, &ty, range)).collect();
        TypedCells { ty, values }
    }

    /// The one type of cells; nothing when there is none, which is reported.
    fn type_of_cells(&mut self, cells: &CellColumn) -> Option<Type> {
        let mut there = cells.list.iter().filter(|cell| cell.kind != CellKind::None);
        let Some(first) = there.next() else {
            // No cell at all: the rows are too short, which was reported.
            return if cells.list.is_empty() { None } else { self.untyped_cells(cells, "-") };
        };
        let sort = |cell: &Cell| std::mem::discriminant(&cell.kind);
        let none = cells.list.iter().find(|cell| cell.kind == CellKind::None);
        let no_maybe = none.filter(|_| matches!(first.kind, CellKind::Set(_)));
        if let Some(other) = there.find(|cell| sort(cell) != sort(first)).or(no_maybe) {
            let (one, other_name) = (describe_cell(first), describe_cell(other));
            let (name, first) = (cells.name, first.span);
            return self
                .file
                .refuse_with(error::mixed_cells(name, one, other_name, other.span, first));
        }
        let ty = match &first.kind {
            CellKind::Number(_) => Type::Number,
            CellKind::Bool(_) => Type::Bool,
            CellKind::Text(_) => Type::Text,
            CellKind::Name(_) => Type::Kind(self.kind_of_cells(cells)?),
            CellKind::Set(_) => Type::Set(Domain::Kind(self.kind_of_cells(cells)?)),
            CellKind::None => {
                unreachable!("the first cell was taken from those that hold something")
            }
        };
        Some(if none.is_some() { maybe(ty) } else { ty })
    }

    fn untyped_cells<T>(&mut self, cells: &CellColumn, value: &str) -> Option<T> {
        self.file.refuse_with(error::needs_type(
            format!("`{}`", cells.name),
            value,
            cells.heading.map_or("fill in one cell at least".to_owned(), |heading| {
                format!("write it in the heading: `{heading}: TYPE`")
            }),
            cells.span,
        ))
    }

    /// The one kind that has all the words in the cells.
    fn kind_of_cells(&mut self, cells: &CellColumn) -> Option<KindId> {
        let words: Vec<Name> = cells.list.iter().flat_map(|cell| cell_words(cell)).collect();
        let Some(first) = words.first() else { return self.untyped_cells(cells, "{}") };
        let mut kinds: BTreeSet<KindId> = self.file.names.kinds_with(first).collect();
        for word in &words {
            let both: BTreeSet<KindId> =
                self.file.names.kinds_with(word).filter(|kind| kinds.contains(kind)).collect();
            if both.is_empty() {
                return self.odd_word(cells, first, word);
            }
            kinds = both;
        }
        if kinds.len() > 1 {
            let names: Vec<&str> =
                kinds.iter().map(|kind| self.file.rules.kind_at(*kind).name.as_str()).collect();
            let kinds = quote_list(&names);
            let help = cells.heading.map_or_else(
                || format!("rename `{}` in one of the kinds", first.text),
                |heading| format!("say which in the heading: `{heading}: {}`", names[0]),
            );
            return self
                .file
                .refuse_with(error::ambiguous_cells(cells.name, kinds, help, cells.span));
        }
        kinds.first().copied()
    }

    /// Reports a word that is in no kind with the words before it.
    fn odd_word<T>(&mut self, cells: &CellColumn, first: &Name, word: &Name) -> Option<T> {
        let name_of = |word| {
            self.file
                .names
                .kinds_with(word)
                .next()
                .map(|kind| self.file.rules.describe_type(&Type::Kind(kind)))
        };
        if let (Some(one), Some(other)) = (name_of(first), name_of(word)) {
            return self
                .file
                .refuse_with(error::mixed_cells(cells.name, one, other, word.span, first.span));
        }
        let members = self.file.names.members.keys().map(String::as_str);
        let help = self.file.guesses.nearest(&word.text, members).map_or_else(
            || "declare it as a member of a kind, or write `-` for no member".into(),
            Help::did_you_mean,
        );
        self.file.refuse_with(error::unknown_cell(&word.text, help, word.span))
    }

    pub(crate) fn cell_value(&mut self, cell: &Cell, ty: &Type, range: Option<RangeId>) -> Value {
        match (&cell.kind, unwrap_maybe(ty)) {
            (_, Type::Unknown) => Value::None,
            (CellKind::None, _) if matches!(ty, Type::Maybe(_)) => Value::None,
            (CellKind::Number(number), Type::Number) => {
                self.check_in_range(*number, range, cell.span);
                Value::Int(*number)
            }
            (CellKind::Bool(holds), Type::Bool) => Value::Int(i64::from(*holds)),
            (CellKind::Text(text), Type::Text) => Value::Text(text.clone()),
            (CellKind::Name(_), Type::Kind(kind)) => {
                self.cell_members(cell, *kind).first().map_or(Value::None, |at| Value::Int(*at))
            }
            (CellKind::Set(_) | CellKind::Name(_), Type::Set(Domain::Kind(kind))) => {
                Value::Set(self.cell_members(cell, *kind).into_iter().collect())
            }
            (CellKind::Name(word), Type::Text) => {
                // Who forgets the quotes of one text forgets them all.
                if self.file.reported_names.insert("a text without quotes".to_owned()) {
                    let help = format!("put each text in quotes: `\"{word}\"`");
                    let found = describe_cell(cell);
                    self.file.report_error(error::wrong_cell("a text", found, help, cell.span));
                }
                Value::None
            }
            _ => {
                let (expected, found) = (self.file.rules.describe_type(ty), describe_cell(cell));
                self.file.report_error(error::wrong_cell(expected, found, OTHER_CELL, cell.span));
                Value::None
            }
        }
    }

    fn check_in_range(&mut self, number: i64, range: Option<RangeId>, span: Span) {
        let Some(range) = range.map(|range| &self.file.rules.ranges[range.index()]) else { return };
        let low = literal(&range.low);
        let high = range.high.as_ref().and_then(literal);
        if low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high) {
            let bound = |bound: Option<i64>| bound.map(|b| b.to_string()).unwrap_or_default();
            let expected = format!("a number in {}..{}", bound(low), bound(high));
            self.file.report_error(error::wrong_cell(
                expected,
                number.to_string(),
                OTHER_CELL,
                span,
            ));
        }
    }

    /// The positions of the words of a cell in a kind.
    fn cell_members(&mut self, cell: &Cell, kind: KindId) -> BTreeSet<i64> {
        let mut positions = BTreeSet::new();
        for word in cell_words(cell) {
            self.file.recorder.see(&word.text, CompletionContext::Cell(Some(kind)));
            match self.file.member_of(kind, &word.text) {
                Some(at) if kind != PLAYER || self.file.is_seat_taken(at, word.span) => {
                    self.file.recorder.note_use(word.span, Symbol::Member(kind, at));
                    positions.insert(to_int(at));
                }
                Some(_) => {}
                None => self.file.no_member(kind, &word),
            }
        }
        positions
    }
}

const OTHER_CELL: &str = "change the cell, or the type that is written";

/// Cells that are to be of one type.
pub(crate) struct CellColumn<'c> {
    pub(crate) name: &'c str,
    pub(crate) span: Span,
    /// A heading that can say their type.
    pub(crate) heading: Option<&'c str>,
    pub(crate) written: Option<&'c TypeExpr>,
    pub(crate) list: &'c [&'c Cell],
}

pub(crate) struct TypedCells {
    pub(crate) ty: Type,
    pub(crate) values: Vec<Value>,
}

fn cell_words(cell: &Cell) -> Vec<Name> {
    match &cell.kind {
        CellKind::Name(text) => vec![Name { text: text.clone(), span: cell.span }],
        CellKind::Set(names) => names.clone(),
        _ => Vec::new(),
    }
}
