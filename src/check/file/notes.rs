//! Keeps the notes of rulebooks, and records the meaning of names in declarations for the symbol index.

use crate::check::file::FileContext;
use crate::check::recorder::Symbol;
use crate::rules::{KindId, member_kind};
use crate::source::Span;
use crate::syntax::ast;

impl FileContext<'_> {
    pub(crate) fn note_members(&mut self, kind: KindId, written: &[ast::MemberDecl]) {
        for member in written {
            if let Some(at) = self.member_of(kind, &member.name.text) {
                self.recorder.note_use(member.name.span, Symbol::Member(kind, at));
            }
        }
    }

    /// Keeps the notes above a statement, a clause or a decline, which are only printed.
    pub(crate) fn keep_notes(&mut self, notes: &[ast::Note], about: Span) {
        if !notes.is_empty() {
            self.rules.notes_inside.insert(about.start, notes.to_vec());
        }
    }

    /// Keeps which kind a name means, if there is one of this name.
    pub(crate) fn note_kind(&mut self, name: &ast::Name) {
        if let Some(kind) = self.names.kinds.get(&name.text).copied() {
            self.recorder.note_use(name.span, Symbol::Kind(kind));
        }
    }

    /// Keeps what the words of a heading mean; of several for a column the check reads one.
    pub(crate) fn note_head(&mut self, kind: KindId, name: &ast::Name, head: &ast::DrawnHead) {
        let columns = &self.rules.kind_at(kind).columns;
        let Some(at) = columns.iter().position(|column| column.name == name.text) else { return };
        let ty = columns[at].ty.clone();
        self.recorder.note_use(name.span, Symbol::Column(kind, at));
        if let Some(written) = &head.ty {
            self.note_type(written);
        }
        if let (Some(cell), Some(of)) = (&head.default, member_kind(&ty))
            && let ast::CellKind::Name(word) = &cell.kind
            && let Some(at) = self.member_of(of, word)
        {
            self.recorder.note_use(cell.span, Symbol::Member(of, at));
        }
    }

    fn note_type(&mut self, written: &ast::TypeExpr) {
        match &written.kind {
            ast::TypeKind::Kind(name) => self.note_kind(name),
            ast::TypeKind::Set(of) | ast::TypeKind::Maybe(of) => self.note_type(of),
            _ => {}
        }
    }
}
