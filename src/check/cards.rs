//! Cards: each a member of a kind, with the columns of its face; and the piles that hold them.

use std::collections::BTreeMap;

use crate::check::adjacency::int;
use crate::check::boards::BYTES_OF_A_CELL;
use crate::check::context::{Checker, typed};
use crate::check::error::{CardError, DataError};
use crate::check::rules::{
    Column, Domain, ExprKind, Init, KindId, Member, PLAYER, Pile, Shape, Type, Value, VarForm,
    VarId,
};
use crate::check::scope::list;
use crate::check::symbols::Symbol;
use crate::source::Span;
use crate::syntax::ast;

/// The most cards of one kind: a set of them is at most 16 words.
pub(super) const MOST_CARDS: usize = 1024;

const FACE: &str = "face";

impl Checker<'_> {
    /// Gives every kind of cards its members, once their faces are known.
    pub(super) fn check_cards(&mut self) {
        for (id, cards) in self.tree.cards.clone() {
            let Some(face) = self.faces_of(cards) else { continue };
            let counts = self.copies(face, &cards.copies);
            let ast::Name { text: name, span } = cards.name.clone();
            match counts.iter().fold(0, |all: usize, count| all.saturating_add(*count)) {
                0 => self.report(DataError::EmptyKind { name, span }),
                1..=MOST_CARDS => self.deal(id, face, &counts),
                found => {
                    self.too_many_members(format!("the kind `{name}`"), found, MOST_CARDS, span);
                }
            }
        }
    }

    fn faces_of(&mut self, cards: &ast::Cards) -> Option<KindId> {
        let Some(face) = self.names.kinds.get(&cards.face.text).copied() else {
            self.unknown_kind(&cards.face);
            return None;
        };
        self.note(cards.face.span, Symbol::Kind(face));
        let kind = self.kind(face);
        let is_special = face == PLAYER || kind.within.is_some() || kind.shape != Shape::Plain;
        if is_special || self.is_kind_of_cards(face) {
            let ast::Name { text: name, span } = cards.face.clone();
            self.report(CardError::NoFaces { name, span });
            return None;
        }
        (!kind.members.is_empty()).then_some(face)
    }

    fn is_kind_of_cards(&self, kind: KindId) -> bool {
        self.tree.cards.iter().any(|(id, _)| *id == kind)
            || matches!(self.kind(kind).shape, Shape::Cards(_))
    }

    fn copies(&mut self, face: KindId, copies: &ast::Copies) -> Vec<usize> {
        let mut counts = vec![1; self.kind(face).members.len()];
        match copies {
            ast::Copies::One => {}
            ast::Copies::Column(name) => counts = self.copies_in_column(face, name),
            ast::Copies::Listed(listed) => {
                let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
                for (name, count) in listed {
                    if let Some(earlier) = seen.insert(&name.text, name.span) {
                        self.duplicate(name, earlier);
                    }
                    match self.member_of(face, &name.text) {
                        Some(at) => {
                            self.note(name.span, Symbol::Member(face, at));
                            counts[at] = usize::try_from(*count).unwrap_or(MOST_CARDS + 1);
                        }
                        None => self.no_member(face, name),
                    }
                }
            }
        }
        counts
    }

    fn copies_in_column(&mut self, face: KindId, name: &ast::Name) -> Vec<usize> {
        let at = self.kind(face).columns.iter().position(|column| column.name == name.text);
        at.into_iter().for_each(|at| self.note(name.span, Symbol::Column(face, at)));
        let kind = self.kind(face);
        let counts: Option<Vec<usize>> = at.and_then(|at| {
            let column = &kind.columns[at];
            let count = |cell: &Value| match cell {
                Value::Int(count) if column.ty == Type::Number => usize::try_from(*count).ok(),
                _ => None,
            };
            column.cells.iter().map(count).collect()
        });
        if let Some(counts) = counts {
            return counts;
        }
        let numbers = kind.named_columns().filter(|column| column.ty == Type::Number);
        let names: Vec<&str> = numbers.map(|column| column.name.as_str()).collect();
        let help = if names.is_empty() {
            format!("give `{}` a column of numbers: how often there is each face", kind.name)
        } else {
            format!("its columns of numbers are {}", list(&names))
        };
        let problem =
            format!("`{}` is no column of `{}` with a number of copies", name.text, kind.name);
        let ones = vec![1; kind.members.len()];
        self.report(CardError::Copies { problem, help, span: name.span });
        ones
    }

    /// Makes the cards, in the order of their faces.
    fn deal(&mut self, id: KindId, face: KindId, counts: &[usize]) {
        let faces = self.kind(face);
        // A row that was refused has a count and no face.
        let counts = &counts[..counts.len().min(faces.members.len())];
        let each = || counts.iter().enumerate().flat_map(|(at, count)| vec![at; *count]);
        let members: Vec<Member> = each().map(|at| faces.members[at].clone()).collect();
        self.pay_for_members(&members);
        self.budget.keep(members.len() * faces.columns.len() * BYTES_OF_A_CELL);
        if self.budget.is_spent() {
            return;
        }
        let mut columns = vec![Column {
            name: FACE.to_owned(),
            ty: Type::Kind(face),
            cells: each().map(|at| Value::Int(int(at))).collect(),
            span: self.kind(id).span,
        }];
        for column in faces.named_columns().filter(|column| column.name != FACE) {
            // A row with too few cells was reported.
            let cell = |at: usize| column.cells.get(at).cloned().unwrap_or(Value::Int(0));
            let cells = each().map(cell).collect();
            columns.push(Column { cells, ..column.clone() });
        }
        let kind = &mut self.rules.kinds[id.index()];
        (kind.members, kind.columns, kind.shape) = (members, columns, Shape::Cards(face));
    }

    /// The kind that `cards` means, perhaps with `of` a kind behind it.
    pub(super) fn cards_kind(&mut self, of: Option<&ast::Name>, span: Span) -> Option<KindId> {
        let kinds = self.rules.kinds.iter().enumerate().map(|(at, _)| KindId::at(at));
        let all: Vec<KindId> = kinds.filter(|kind| self.is_kind_of_cards(*kind)).collect();
        let (problem, help) = match (of, all.as_slice()) {
            (Some(name), _) => {
                let Some(kind) = self.names.kinds.get(&name.text).copied() else {
                    self.unknown_kind(name);
                    return None;
                };
                self.note(name.span, Symbol::Kind(kind));
                if all.contains(&kind) {
                    return Some(kind);
                }
                let help = format!("declare it: `cards {} of …`", name.text);
                (format!("`{}` is no kind of cards", name.text), help)
            }
            (None, [only]) => return Some(*only),
            (None, []) => {
                let help = "declare them: `cards Card of Face`".to_owned();
                ("the file has no cards".to_owned(), help)
            }
            (None, several) => {
                let name = |kind: &KindId| format!("cards of {}", self.kind(*kind).name);
                let names: Vec<String> = several.iter().map(name).collect();
                let help = format!("say which: {}", list(&names));
                ("the file has several kinds of cards".to_owned(), help)
            }
        };
        self.report(CardError::NoCards { problem, help, span });
        None
    }

    /// `deck: cards hidden = Card`
    pub(super) fn check_pile(&mut self, id: VarId, var: &ast::Var, mut init: Init) {
        let written = var.ty.as_ref().expect("the grammar wants the type of a pile");
        let ast::TypeKind::Cards(of) = &written.kind else {
            unreachable!("the grammar wants `cards` for the type of a pile")
        };
        let Some(cards) = self.cards_kind(of.as_ref(), written.span) else { return };
        let ty = Type::Set(Domain::Kind(cards));
        (init.value, init.locals) = match &var.init {
            Some(first) => self.constant_with(first, Some(&ty), init.locals),
            None => (typed(ExprKind::SetOf(Vec::new()), ty.clone(), var.span), init.locals),
        };
        let form = VarForm::Pile(Pile { cards, ordered: false });
        self.declare_var(id, form, ty, None, init);
    }

    pub(super) fn face_of(&self, kind: KindId) -> Option<KindId> {
        match self.kind(kind).shape {
            Shape::Cards(face) => Some(face),
            _ => None,
        }
    }
}
