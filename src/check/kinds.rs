//! Kinds: their members, and the columns of those that are drawn.

use std::collections::BTreeMap;

use crate::check::cells::{Cells, cell_name};
use crate::check::context::Checker;
use crate::check::declarations::spaced;
use crate::check::error::DataError;
use crate::check::rules::{Column, KindId, Member, Type, Value};
use crate::check::types::counted;
use crate::source::Span;
use crate::syntax::ast;

/// The most members that a kind may have.
pub(super) const MOST_MEMBERS: usize = 4096;

impl Checker<'_> {
    /// Checks all kinds: all members first, since cells may name those of any kind.
    pub(super) fn check_kinds(&mut self, file: &ast::Ast) {
        let kinds: Vec<&ast::Kind> = self.tree.kinds.iter().map(|entry| entry.item).collect();
        for (at, kind) in kinds.iter().enumerate() {
            self.check_members(KindId::at(at + 1), kind);
        }
        self.check_cells();
        for item in &file.items {
            self.find_unnamed_kinds(&item.kind);
        }
        for (at, kind) in kinds.iter().enumerate() {
            if let ast::KindBody::Drawn(drawn) = &kind.body {
                self.check_columns(KindId::at(at + 1), drawn);
            }
        }
        self.check_attributes();
        self.relate_cells();
        self.check_cards();
    }

    fn check_members(&mut self, id: KindId, kind: &ast::Kind) {
        let members = match &kind.body {
            ast::KindBody::Members(members) => self.members(members),
            ast::KindBody::Drawn(drawn) => self.drawn_members(drawn),
        };
        if members.is_empty() {
            let (name, span) = (kind.name.text.clone(), kind.name.span);
            self.report(DataError::EmptyKind { name, span });
        }
        self.take_members(id, members);
    }

    /// Gives a kind its members.
    pub(super) fn take_members(&mut self, id: KindId, members: Vec<Member>) {
        let (found, kind) = (members.len(), &mut self.rules.kinds[id.index()]);
        kind.members = members;
        if found > MOST_MEMBERS {
            let (name, span) = (format!("the kind `{}`", kind.name), kind.span);
            self.report(DataError::TooManyMembers { name, found, most: MOST_MEMBERS, span });
        }
        self.names.add_members(&self.rules, id);
    }

    /// Members that are written between commas.
    pub(super) fn members(&mut self, written: &[ast::Member]) -> Vec<Member> {
        let mut seen = BTreeMap::new();
        let mut members = Vec::new();
        for member in written {
            let title = self.title(member.title.as_ref(), spaced(&member.name.text));
            if self.is_new(&mut seen, &member.name) {
                let (name, span) = (member.name.text.clone(), member.name.span);
                members.push(Member { name, title, notes: Vec::new(), span });
            }
        }
        members
    }

    /// Members that are drawn in rows.
    fn drawn_members(&mut self, drawn: &ast::Drawn) -> Vec<Member> {
        let mut seen = BTreeMap::new();
        let mut members = Vec::new();
        for row in &drawn.rows {
            let Some(name) = self.label(&row.label, "the name of a member") else { continue };
            if self.is_new(&mut seen, &name) {
                let (text, notes) = (name.text, row.notes.clone());
                members.push(Member { title: spaced(&text), name: text, notes, span: name.span });
            }
        }
        members
    }

    pub(super) fn is_new(&mut self, seen: &mut BTreeMap<String, Span>, name: &ast::Name) -> bool {
        self.check_case(name, "a member", false);
        if let Some(earlier) = seen.get(&name.text) {
            self.duplicate(name, *earlier);
            return false;
        }
        seen.insert(name.text.clone(), name.span);
        true
    }

    /// The word of a label.
    fn label(&mut self, label: &ast::Cell, expected: &str) -> Option<ast::Name> {
        if let ast::CellKind::Name(text) = &label.kind {
            return Some(ast::Name { text: text.clone(), span: label.span });
        }
        let found = cell_name(label);
        let expected = expected.to_owned();
        self.report(DataError::WrongLabel { expected, found, span: label.span });
        None
    }

    fn check_columns(&mut self, id: KindId, drawn: &ast::Drawn) {
        let rows: Vec<Vec<Option<&ast::Cell>>> =
            drawn.rows.iter().map(|row| self.filled(row, &drawn.heads)).collect();
        let mut seen = BTreeMap::new();
        for (at, head) in drawn.heads.iter().enumerate() {
            let cells: Vec<&ast::Cell> = rows.iter().filter_map(|row| row[at]).collect();
            let Some(name) = self.label(&head.label, "the name of a column") else { continue };
            if name.text == "title" {
                self.take_titles(id, &rows, at);
            } else if self.is_new(&mut seen, &name) {
                let column = self.drawn_column(name, head, &cells);
                self.rules.kinds[id.index()].columns.push(column);
            }
        }
    }

    fn take_titles(&mut self, id: KindId, rows: &[Vec<Option<&ast::Cell>>], at: usize) {
        for (row, position) in rows.iter().zip(0..self.kind(id).members.len()) {
            let Some(cell) = row[at] else { continue };
            if let Value::Text(title) = self.cell_value(cell, &Type::Text, None) {
                self.rules.kinds[id.index()].members[position].title = title;
            }
        }
    }

    fn drawn_column(&mut self, name: ast::Name, head: &ast::Head, cells: &[&ast::Cell]) -> Column {
        let (span, name) = (name.span, name.text);
        let found =
            self.cells(&Cells { name: &name, span, written: head.ty.as_ref(), list: cells });
        Column { name, ty: found.ty, cells: found.values, span }
    }

    /// The cells of a row, with the defaults of headings where cells are left out at the end.
    pub(super) fn filled<'c>(
        &mut self,
        row: &'c ast::Row,
        heads: &'c [ast::Head],
    ) -> Vec<Option<&'c ast::Cell>> {
        let cell = |at: usize| row.cells.get(at).or_else(|| heads[at].default.as_ref());
        let cells: Vec<Option<&ast::Cell>> = (0..heads.len()).map(cell).collect();
        if row.cells.len() > heads.len() || cells.iter().any(Option::is_none) {
            self.report(DataError::RowLength {
                expected: counted(heads.len(), "cell"),
                found: row.cells.len(),
                help: "write one cell under each heading; `-` where there is none".to_owned(),
                span: row.span,
            });
        }
        cells
    }
}
