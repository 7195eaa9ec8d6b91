//! Cards and piles: the members of their kinds, moving, shuffling, looking; cards as faces, piles as sets.

use crate::check::collect::Collector;
use crate::check::collect::copies::{MOST_CARDS, copies};
use crate::check::context::{Checker, Mode};
use crate::check::error;
use crate::check::file::kinds::BYTES_OF_A_CELL;
use crate::check::typer::types::constant_with;
use crate::rules::{
    Array, CardAction, CardSource, Column, Domain, Expr, ExprKind, Init, KindId, KindShape, Member,
    PLAYER, Pile, PileEnd, Stmt, StmtKind, Type, UnaryOp, Value, VarForm, VarId, maybe,
    players_type, to_int, typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast;

const FACE: &str = "face";

impl Checker<'_, '_> {
    /// `move …`, `shuffle …`, `look at …`
    pub(crate) fn card_statement(&mut self, action: &ast::CardAction) -> Option<StmtKind> {
        self.body.effects.changes = true;
        let action = match action {
            ast::CardAction::Move { what, to, bottom } => {
                let before = self.file.diagnostics.count();
                let what = self.cards_to(what);
                if self.file.diagnostics.count() > before {
                    // Where it should go would only be blamed for the same mistake.
                    self.infer(to, None);
                    return None;
                }
                let to = self.resolve_pile(to);
                let (to, what) = (to?, what?);
                if kind_in(&to.ty) != source_kind(&what) {
                    return self.file.refuse_with(error::not_a_pile("one of other cards", to.span));
                }
                CardAction::Move { what, to, bottom: *bottom }
            }
            ast::CardAction::Shuffle(pile) => CardAction::Shuffle(self.resolve_pile(pile)?),
            ast::CardAction::Look { what, by } => {
                let what = self.cards_to(what);
                let by = Some(self.expect(by, &players_type()));
                CardAction::Learn { what: what?, by }
            }
        };
        Some(StmtKind::Cards(Box::new(action)))
    }

    /// `show CARDS to p`, `reveal CARDS`
    pub(crate) fn show_cards(&mut self, what: &ast::Expr, to: Option<&ast::Expr>) -> Option<Stmt> {
        let span = what.span;
        let what = self.cards_to(what);
        let by = to.map(|to| self.expect(to, &players_type()));
        let what = what?;
        if let CardSource::Pile(Expr { kind: ExprKind::Element(Array::Pile(var), _), .. }) = &what
            && self.file.rules.var_at(*var).sight == ast::Visibility::All
        {
            let pile = self.file.rules.var_at(*var);
            self.file.report_error(error::nothing_to_show(&pile.name, span, pile.span));
        }
        let action = CardAction::Learn { what, by };
        Some(Stmt { kind: StmtKind::Cards(Box::new(action)), span })
    }

    fn cards_to(&mut self, what: &ast::Expr) -> Option<CardSource> {
        if let ast::ExprKind::End(end) = &what.kind {
            let mut end = self.resolve_pile_end(end)?;
            self.body.effects.pauses = true;
            end.draws = true;
            return Some(CardSource::End(end));
        }
        let what = self.infer(what, None);
        let what = match self.look().as_pile(what) {
            Ok(pile) => return Some(CardSource::Pile(pile)),
            Err(what) => what,
        };
        match unwrap_maybe(&what.ty) {
            Type::Unknown => None,
            Type::Kind(kind) if self.file.rules.face_of(*kind).is_some() => {
                Some(CardSource::One(what))
            }
            Type::Set(Domain::Kind(kind)) if self.file.rules.face_of(*kind).is_some() => {
                Some(CardSource::Set(what))
            }
            other => {
                let help = self.look().way_to_cards(other);
                self.file.refuse_with(error::not_cards(
                    self.file.rules.describe_type(other),
                    help,
                    what.span,
                ))
            }
        }
    }

    fn resolve_pile(&mut self, pile: &ast::Expr) -> Option<Expr> {
        let pile = self.infer(pile, None);
        if pile.ty == Type::Unknown {
            return None;
        }
        match self.look().as_pile(pile) {
            Ok(pile) => Some(pile),
            Err(other) => self.file.refuse_with(error::not_a_pile(
                self.file.rules.describe_type(&other.ty),
                other.span,
            )),
        }
    }

    /// The cards of a pile that is a parameter.
    pub(crate) fn cards_in(target: Array, cards: KindId, span: Span) -> Expr {
        let Array::Local(local) = target else { unreachable!("only parameters are references") };
        let pile = typed(ExprKind::Local(local), Type::Pile(cards), span);
        typed(ExprKind::new_unary(UnaryOp::PileCards, pile), Type::Set(Domain::Kind(cards)), span)
    }

    /// `top of PILE`, `top n of PILE`: known, or a trap; chance decides only where it may pause.
    pub(crate) fn pile_end(&mut self, end: &ast::PileEnd, span: Span) -> Expr {
        if self.body.mode == Mode::Constant {
            return self.not_constant("the order of a pile", span);
        }
        let Some(end) = self.resolve_pile_end(end) else { return unknown_expr(span) };
        let Type::Pile(cards) = end.pile.ty else { return unknown_expr(span) };
        let ty = match end.count {
            Some(_) => Type::Set(Domain::Kind(cards)),
            None => maybe(Type::Kind(cards)),
        };
        typed(ExprKind::End(Box::new(end)), ty, span)
    }

    fn resolve_pile_end(&mut self, end: &ast::PileEnd) -> Option<PileEnd> {
        let count = end.count.as_ref().map(|count| self.expect(count, &Type::Number));
        let pile = self.resolve_pile(&end.pile)?;
        if self.file.seats.is_some()
            && let ExprKind::Element(Array::Pile(var), _) = &pile.kind
            && let VarForm::Pile(Pile { ordered: false, .. }) = self.file.rules.var_at(*var).form
        {
            return self
                .file
                .refuse_with(error::no_order(&self.file.rules.var_at(*var).name, pile.span));
        }
        Some(PileEnd { pile, count, bottom: end.bottom, draws: false })
    }

    /// The top of a pile as a whole right side: chance decides what is not known yet.
    pub(crate) fn drawing(&mut self, mut kind: StmtKind) -> StmtKind {
        let value = match &mut kind {
            StmtKind::Let(_, value) | StmtKind::Assign(_, value) => Some(value),
            StmtKind::For { binder, .. } => Some(binder.set.as_mut()),
            _ => None,
        };
        if let Some(Expr { kind: ExprKind::End(end), .. }) = value {
            end.draws = true;
            self.body.effects.pauses = true;
        }
        kind
    }
}

fn source_kind(cards: &CardSource) -> Option<KindId> {
    kind_in(match cards {
        CardSource::One(expr) | CardSource::Set(expr) | CardSource::Pile(expr) => &expr.ty,
        CardSource::End(end) => &end.pile.ty,
    })
}

fn kind_in(ty: &Type) -> Option<KindId> {
    match unwrap_maybe(ty) {
        Type::Kind(kind) | Type::Pile(kind) | Type::Set(Domain::Kind(kind)) => Some(*kind),
        _ => None,
    }
}

impl Collector<'_> {
    /// Gives every kind of cards its members, once their faces are known.
    pub(crate) fn check_cards(&mut self) {
        for (id, cards) in self.file.tree.cards.clone() {
            let Some(face) = self.faces_of(cards) else { continue };
            let counts = copies(&mut self.file, face, &cards.copies);
            let ast::Name { text: name, span } = &cards.name;
            match counts.iter().fold(0, |all: usize, count| all.saturating_add(*count)) {
                0 => self.file.report_error(error::empty_kind(name, *span)),
                1..=MOST_CARDS => self.create_cards(id, face, &counts),
                found => {
                    let name = format!("the kind `{name}`");
                    self.file.report_error(error::too_many_members(name, found, MOST_CARDS, *span));
                }
            }
        }
    }

    fn faces_of(&mut self, cards: &ast::CardsDecl) -> Option<KindId> {
        let face = self.file.kind_named(&cards.face)?;
        let kind = self.file.rules.kind_at(face);
        let is_special = face == PLAYER || kind.within.is_some() || kind.shape != KindShape::Plain;
        if is_special || self.file.is_kind_of_cards(face) {
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
        self.file.budget.keep(members.len() * faces.columns.len() * BYTES_OF_A_CELL);
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
