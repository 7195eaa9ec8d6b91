//! Collects kinds of cards and piles.

use crate::check::collect::Collector;
use crate::check::collect::copies::{MOST_CARDS, copies};
use crate::check::error;
use crate::check::file::kinds::BYTES_OF_A_CELL;
use crate::check::typer::types::constant_with;
use crate::rules::topology::BoardTopology;
use crate::rules::{
    Column, Domain, ExprKind, Init, KindId, KindShape, Member, PLAYER, Pile, Type, Value, VarForm,
    VarId, to_int, typed,
};
use crate::syntax::ast;

const FACE: &str = "face";

impl Collector<'_> {
    /// Gives every kind of cards its members, once their faces are known.
    pub(crate) fn check_cards(&mut self) {
        for (id, cards) in self.file.tree.cards.clone() {
            let Some(face) = self.faces_of(cards) else { continue };
            let mut counts = copies(&mut self.file, face, &cards.copies);
            let own = self.file.rules.kind_at(face).own_members();
            let others = counts.iter_mut().enumerate().filter(|(at, _)| !own.contains(at));
            others.for_each(|(_, count)| *count = 0);
            let ast::Name { text: name, span } = &cards.name;
            match counts.iter().fold(0, |all: usize, count| all.saturating_add(*count)) {
                0 => self.file.report_error(error::empty_kind(name, *span)),
                1..=MOST_CARDS => self.create_cards(id, face, &counts),
                found => {
                    let name = format!("the kind `{name}`");
                    self.file.report_error(error::TooManyMembers {
                        name,
                        found,
                        most: MOST_CARDS,
                        span: *span,
                    });
                }
            }
        }
    }

    fn faces_of(&mut self, cards: &ast::CardsDecl) -> Option<KindId> {
        let face = self.file.kind_named(&cards.face)?;
        let kind = self.file.rules.kind_at(face);
        let whole = self.file.rules.whole_kind(face);
        let has_names = matches!(
            self.file.rules.kind_at(whole).shape,
            KindShape::Plain | KindShape::Board(BoardTopology::Map(_))
        );
        if whole == PLAYER || !has_names || self.file.is_kind_of_cards(whole) {
            return self.file.refuse_with(error::no_faces(&cards.face.text, cards.face.span));
        }
        (!kind.members.is_empty()).then_some(face)
    }

    /// Makes the cards, in the order of their faces.
    fn create_cards(&mut self, id: KindId, face: KindId, counts: &[usize]) {
        let faces = self.file.rules.kind_at(face);
        // A row that was refused has a count and no face.
        let counts = &counts[..counts.len().min(faces.members.len())];
        let each = || counts.iter().enumerate().flat_map(|(at, count)| vec![at; *count]);
        let members: Vec<Member> = each().map(|at| faces.members[at].clone()).collect();
        self.file.pay_for_members(&members);
        self.file.budget.hold_memory(members.len() * faces.columns.len() * BYTES_OF_A_CELL);
        if self.file.budget.is_spent() {
            return;
        }
        let mut columns = vec![Column {
            name: FACE.to_owned(),
            ty: Type::Kind(face),
            cells: each().map(|at| Value::Int(to_int(at))).collect(),
            span: self.file.rules.kind_at(id).span,
        }];
        for column in faces.named_columns().filter(|column| column.name != FACE) {
            // A row with too few cells was reported.
            let cell = |at: usize| column.cells.get(at).cloned().unwrap_or(Value::Int(0));
            let cells = each().map(cell).collect();
            columns.push(Column { cells, ..column.clone() });
        }
        let kind = &mut self.file.rules.kinds[id.index()];
        (kind.members, kind.columns, kind.shape) = (members, columns, KindShape::Cards(face));
    }

    /// `deck: cards hidden = Card`
    pub(crate) fn check_pile(&mut self, id: VarId, var: &ast::VarDecl, mut init: Init) {
        let written = var.ty.as_ref().expect("the grammar wants the type of a pile");
        let ast::TypeKind::Cards(of) = &written.kind else {
            unreachable!("the grammar wants `cards` for the type of a pile")
        };
        let Some(cards) = self.file.cards_kind(of.as_ref(), written.span) else { return };
        let ty = Type::Set(Domain::Kind(cards));
        (init.value, init.locals) = match &var.init {
            Some(first) => constant_with(&mut self.file, first, Some(&ty), init.locals),
            None => (typed(ExprKind::SetOf(Vec::new()), ty.clone(), var.span), init.locals),
        };
        let form = VarForm::Pile(Pile { cards, ordered: false });
        let var = &mut self.file.rules.vars[id.index()];
        (var.form, var.ty, var.init) = (form, ty, init);
    }
}
