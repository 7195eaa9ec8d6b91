//! Kinds: their members, the columns of those that are drawn, and kinds that types list.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::collect::Collector;
use crate::check::collect::cells::{CellColumn, TypedCells, cell_value, infer_cells};
use crate::check::error;
use crate::check::file::looks::takes_look;
use crate::check::file::members::{SeenNames, cell_word, describe_cell, plain_member};
use crate::check::words::{quote_list, to_spaced};
use crate::rules::{Addition, Column, KindId, Member, Type, Value, format_count};
use crate::syntax::ast::{
    self, Block, BoardShape, Drawn, GameClause, ItemKind, KindBody, MoveLine, RuleBody, StmtKind,
    TableBody, TypeExpr, TypeKind,
};

/// The most columns of a kind, all its tables together.
const MOST_COLUMNS: usize = 256;

impl<'a> Collector<'a> {
    /// Checks all kinds: all members first, since cells may name those of any kind.
    pub(crate) fn check_kinds(&mut self, file: &ast::Ast) {
        self.check_extensions();
        let kinds = self.file.tree.kinds.clone();
        let seats = self.check_seats();
        for (id, kind) in &kinds {
            self.check_members(*id, kind);
        }
        self.check_cells();
        let products = self.check_products(&kinds);
        self.check_parts(&kinds);
        for item in &file.items {
            self.find_unnamed_kinds(&item.kind);
        }
        for (id, kind) in kinds.iter().filter(|(_, kind)| kind.within.is_none()) {
            self.check_columns(*id, &self.kind_bodies(kind));
            self.check_drawn_parts(*id, kind);
        }
        if let Some(seats) = seats {
            self.check_seat_columns(seats);
        }
        self.title_products(&products);
        self.check_attributes();
        self.check_links();
        self.relate_cells();
        self.check_part_columns(kinds);
        self.check_cards();
    }

    /// What a kind is made of: its own declaration, then those that extend it.
    fn kind_bodies(&self, kind: &'a ast::KindDecl) -> Vec<&'a ast::KindBody> {
        let more = self.file.tree.extensions.iter().map(|it| it.item);
        let more = more.filter(|it| it.name.text == kind.name.text).map(|it| &it.body);
        std::iter::once(&kind.body).chain(more).collect()
    }

    /// Reports what extends no kind of listed members.
    fn check_extensions(&mut self) {
        let extensions: Vec<_> = self.file.tree.extensions.iter().map(|it| &it.item.name).collect();
        for name in extensions {
            self.file.note_kind(name);
            let listed = self.file.tree.kinds.iter().any(|(_, kind)| {
                kind.name.text == name.text
                    && kind.within.is_none()
                    && !matches!(kind.body, ast::KindBody::Product(_))
            });
            if !listed && self.file.names.kinds.contains_key(&name.text) {
                self.file.report_error(error::not_extensible(&name.text, name.span));
            } else if !listed {
                self.file.unknown_kind(name);
            }
        }
    }

    fn check_members(&mut self, id: KindId, kind: &'a ast::KindDecl) {
        if kind.within.is_some() || matches!(kind.body, ast::KindBody::Product(_)) {
            return;
        }
        let mut seen = BTreeMap::new();
        let mut members = Vec::new();
        let mut starts = Vec::new();
        for body in self.kind_bodies(kind) {
            starts.push(members.len());
            members.extend(self.body_members(body, &mut seen));
        }
        if members.is_empty() {
            self.file.report_error(error::empty_kind(&kind.name.text, kind.name.span));
        }
        self.file.take_members(id, members);
        // The notes of an extension are about each of its members.
        let more =
            self.file.tree.extensions.iter().filter(|it| it.item.name.text == kind.name.text);
        let noted = more.zip(&starts[1..]).filter(|(it, _)| !it.notes.is_empty());
        let additions =
            noted.map(|(it, first)| Addition { kind: id, first: *first, notes: it.notes.to_vec() });
        self.file.rules.additions.extend(additions);
    }

    /// The members that a declaration lists or draws.
    pub(crate) fn body_members(
        &mut self,
        body: &ast::KindBody,
        seen: &mut SeenNames,
    ) -> Vec<Member> {
        match body {
            ast::KindBody::Members(written) => self.file.listed_members(written, seen),
            ast::KindBody::Drawn(drawn) => self.drawn_members(drawn, seen),
            ast::KindBody::Product(_) => Vec::new(),
        }
    }

    fn drawn_members(&mut self, drawn: &ast::Drawn, seen: &mut SeenNames) -> Vec<Member> {
        let mut members = Vec::new();
        for row in &drawn.rows {
            let Some(name) = self.resolve_label(&row.label, "the name of a member") else {
                continue;
            };
            if self.file.claim_member(seen, &name) {
                let member = plain_member(name.text.clone(), to_spaced(&name.text), name.span);
                members.push(Member { notes: row.notes.clone(), ..member });
            }
        }
        members
    }

    fn resolve_label(&mut self, label: &ast::Cell, expected: &str) -> Option<ast::Name> {
        if let ast::CellKind::Name(text) = &label.kind
            && !text.contains('-')
        {
            return Some(ast::Name { text: text.clone(), span: label.span });
        }
        let found = describe_cell(label);
        self.file.refuse_with(error::wrong_label(expected, found, label.span))
    }

    /// Checks the columns that are drawn in any of the tables of a kind.
    pub(crate) fn check_columns(&mut self, id: KindId, bodies: &[&ast::KindBody]) {
        let parts: Vec<KindTable> = bodies.iter().map(|body| self.read_kind_table(body)).collect();
        let heads = parts.iter().flat_map(|part| part.heads);
        if let Some(beyond) = heads.clone().nth(MOST_COLUMNS) {
            let name = self.file.rules.kind_at(id).name.clone();
            let (found, most, span) = (heads.count(), MOST_COLUMNS, beyond.label.span);
            return self.file.report_error(error::TooManyColumns { name, found, most, span });
        }
        let mut known = BTreeSet::new();
        for part in &parts {
            let mut seen = BTreeMap::new();
            for head in part.heads {
                let Some(name) = self.resolve_label(&head.label, "the name of a column") else {
                    continue;
                };
                if self.file.claim_member(&mut seen, &name) && known.insert(name.text.clone()) {
                    self.check_column(id, &name, &parts);
                }
                self.file.note_head(id, &name, head);
            }
        }
    }

    /// A table of a kind: its headings and the cells below them, row by row.
    fn read_kind_table<'c>(&mut self, body: &'c ast::KindBody) -> KindTable<'c> {
        match body {
            ast::KindBody::Members(members) => {
                let rows = members.iter().map(|it| (it.name.text.clone(), Vec::new())).collect();
                KindTable { rows, ..KindTable::default() }
            }
            ast::KindBody::Drawn(ast::Drawn { heads, rows, .. }) => {
                let rows = rows.iter().map(|row| (cell_word(&row.label), self.filled(row, heads)));
                let rows = rows.collect();
                let places = heads.iter().enumerate().rev();
                let places = places.map(|(at, head)| (cell_word(&head.label), at)).collect();
                KindTable { heads, places, rows }
            }
            ast::KindBody::Product(_) => KindTable::default(),
        }
    }

    fn check_column(&mut self, id: KindId, name: &ast::Name, parts: &[KindTable]) {
        self.file.budget.charge(parts.iter().map(|part| 1 + part.rows.len()).sum());
        if self.file.budget.is_spent() {
            return;
        }
        let place = |part: &KindTable| part.places.get(&name.text).copied();
        let heads = || parts.iter().filter_map(|part| place(part).map(|at| &part.heads[at]));
        let default = heads().find_map(|head| head.default.as_ref());
        let mut cells: Vec<(&str, Option<&ast::Cell>)> = Vec::new();
        let mut missing = Vec::new();
        for part in parts {
            for (label, row) in &part.rows {
                let cell = place(part).map_or(default, |at| row[at]);
                if cell.is_none() && place(part).is_none() {
                    missing.push(label);
                }
                cells.push((label, cell));
            }
        }
        if name.text == "title" {
            // For a part of a kind these are the rows of only some of its members.
            for (label, cell) in cells {
                if let (Some(at), Some(cell)) = (self.file.member_of(id, label), cell) {
                    self.take_title(id, at, cell);
                }
            }
            return;
        }
        let is_typed = heads().any(|head| head.ty.is_some());
        if takes_look(&mut self.file, id, (name, is_typed), &cells) {
            return;
        }
        let ast::Name { text: name, span } = name.clone();
        // Where cells are missing the type stays unknown, so that what reads the column is not reported, too.
        let mut column = Column { name, ty: Type::Unknown, cells: Vec::new(), span };
        if missing.is_empty() {
            let written = heads().find_map(|head| head.ty.as_ref());
            let cells: Vec<&ast::Cell> = cells.into_iter().filter_map(|(_, cell)| cell).collect();
            let (name, heading) = (column.name.as_str(), Some(column.name.as_str()));
            let list = CellColumn { name, span, heading, written, list: &cells };
            TypedCells { ty: column.ty, values: column.cells } = infer_cells(&mut self.file, &list);
        } else {
            let drawn = cells.iter().find_map(|(_, cell)| *cell);
            let default = match drawn.map(|cell| &cell.kind) {
                Some(ast::CellKind::Text(_)) => "\"\"".to_owned(),
                Some(ast::CellKind::Name(name)) => name.clone(),
                Some(ast::CellKind::Bool(_)) => "no".to_owned(),
                Some(ast::CellKind::Number(_)) => "0".to_owned(),
                _ => "-".to_owned(),
            };
            let missing = quote_list(&missing);
            self.file.report_error(error::missing_cell(&column.name, missing, default, span));
        }
        self.file.add_column(id, column);
    }

    pub(crate) fn take_title(&mut self, id: KindId, at: usize, cell: &ast::Cell) {
        if let Value::Text(title) = cell_value(&mut self.file, cell, &Type::Text, None) {
            let title = self.file.short_title(title, cell.span);
            self.file.budget.hold_memory(4 * title.len());
            self.file.rules.kinds[id.index()].members[at].title = title;
        }
    }

    /// The cells of a row, with the defaults of headings where cells are left out at the end.
    pub(crate) fn filled<'c>(
        &mut self,
        row: &'c ast::DrawnRow,
        heads: &'c [ast::DrawnHead],
    ) -> Vec<Option<&'c ast::Cell>> {
        let cell = |at: usize| row.cells.get(at).or_else(|| heads[at].default.as_ref());
        let cells: Vec<Option<&ast::Cell>> = (0..heads.len()).map(cell).collect();
        if row.cells.len() > heads.len() || cells.iter().any(Option::is_none) {
            let (expected, found) = (format_count(heads.len(), "cell"), row.cells.len());
            let help = "write one cell under each heading; `-` where there is none";
            self.file.report_error(error::row_length(expected, found, help, row.span));
        }
        cells
    }

    /// Makes every kind that is written as a list of members in the item.
    fn find_unnamed_kinds(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Game(game) => {
                for clause in &game.clauses {
                    match clause {
                        GameClause::Limit { body, .. } => self.find_in_block(body),
                        GameClause::Players { seats: Some(KindBody::Drawn(drawn)), .. } => {
                            self.find_in_heads(drawn);
                        }
                        _ => {}
                    }
                }
            }
            ItemKind::Option(option) => self.find_in_types(&option.ty),
            ItemKind::Kind(kind) | ItemKind::Extend(kind) => {
                if let KindBody::Drawn(drawn) = &kind.body {
                    self.find_in_heads(drawn);
                }
                self.find_in_types(kind.columns.iter().filter_map(|it| it.ty.as_ref()));
            }
            ItemKind::Board(board) => {
                self.find_in_types(board.attributes.iter().filter_map(|it| it.ty.as_ref()));
                if let BoardShape::Map(_, Some(KindBody::Drawn(drawn))) = &board.shape {
                    self.find_in_heads(drawn);
                }
            }
            ItemKind::Table(table) => {
                self.find_in_types(table.dims.iter().map(|dim| &dim.ty).chain(&table.ty));
                if let TableBody::Drawn(drawn) = &table.body {
                    self.find_in_heads(drawn);
                }
            }
            ItemKind::Has(has) => {
                for var in &has.vars {
                    self.find_in_types(var.dims.iter().map(|dim| &dim.ty).chain(&var.ty));
                }
            }
            ItemKind::Rule(rule) => {
                let params = rule.params.iter().map(|param| &param.ty);
                self.find_in_types(params.chain(&rule.returns));
                if let RuleBody::Block(block) = &rule.body {
                    self.find_in_block(block);
                }
            }
            ItemKind::Moves(moves) => {
                self.find_in_types(moves.params.iter().map(|param| &param.ty));
                self.find_in_options(&moves.options);
            }
            ItemKind::Flow(flow) => self.find_in_block(&flow.body),
            ItemKind::Let(_)
            | ItemKind::Cards(_)
            | ItemKind::Variant(_)
            | ItemKind::Use(_)
            | ItemKind::Replace(_)
            | ItemKind::Remove(_)
            | ItemKind::More(_)
            | ItemKind::Measure(_)
            | ItemKind::Always(_)
            | ItemKind::Strategy(_) => {}
        }
    }

    fn find_in_heads(&mut self, drawn: &Drawn) {
        self.find_in_types(drawn.heads.iter().filter_map(|head| head.ty.as_ref()));
    }

    fn find_in_types<'t>(&mut self, types: impl IntoIterator<Item = &'t TypeExpr>) {
        for ty in types {
            let mut inner = ty;
            while let TypeKind::Set(of) | TypeKind::Maybe(of) = &inner.kind {
                inner = of;
            }
            if let TypeKind::Members(members) = &inner.kind {
                self.file.unnamed_kind(members, inner.span);
            }
        }
    }

    fn find_in_options(&mut self, lines: &[MoveLine]) {
        for line in lines {
            if let MoveLine::Option(option) = line {
                self.find_in_block(&option.body);
            }
        }
    }

    fn find_in_block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Var { dims, ty, .. } => {
                    self.find_in_types(dims.iter().map(|dim| &dim.ty).chain(ty));
                }
                StmtKind::If { then, otherwise, .. } => {
                    self.find_in_block(then);
                    otherwise.iter().for_each(|block| self.find_in_block(block));
                }
                StmtKind::Match { arms, .. } => {
                    arms.iter().for_each(|arm| self.find_in_block(&arm.body));
                }
                StmtKind::For { body, .. }
                | StmtKind::Repeat { body, .. }
                | StmtKind::While { body, .. }
                | StmtKind::Turns { body, .. } => self.find_in_block(body),
                StmtKind::Choose(choose) => {
                    self.find_in_options(&choose.options);
                    choose.decline.iter().for_each(|decline| self.find_in_block(&decline.body));
                    choose.otherwise.iter().for_each(|block| self.find_in_block(block));
                }
                _ => {}
            }
        }
    }
}

/// One table of a kind that may be drawn in several.
#[derive(Default)]
struct KindTable<'c> {
    heads: &'c [ast::DrawnHead],
    /// The place of each heading; the first of equal ones.
    places: BTreeMap<String, usize>,
    rows: Vec<(String, Vec<Option<&'c ast::Cell>>)>,
}
