//! Types statements about cards: moves between piles, shuffles, looks.

use crate::check::block::BlockTyper;
use crate::check::error;
use crate::check::typer::cards::{NAME_A_PILE, resolve_pile, resolve_pile_end};
use crate::rules::{
    Array, CardAction, CardSource, Domain, Expr, ExprKind, KindId, Stmt, StmtKind, Type,
    players_type, unwrap_maybe,
};
use crate::syntax::ast;

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

impl BlockTyper<'_, '_, '_> {
    /// `move …`, `shuffle …`, `look at …`
    pub(crate) fn card_statement(&mut self, action: &ast::CardAction) -> Option<StmtKind> {
        self.typer.effects.changes = true;
        let action = match action {
            ast::CardAction::Move { what, to, bottom } => {
                let before = self.typer.file.diagnostics.count();
                let what = self.cards_to(what);
                if self.typer.file.diagnostics.count() > before {
                    // Where it should go would only be blamed for the same mistake.
                    self.typer.infer(to, None);
                    return None;
                }
                let to = resolve_pile(self.typer, to);
                let (to, what) = (to?, what?);
                if kind_in(&to.ty) != source_kind(&what) {
                    let error = error::not_a_pile("one of other cards", NAME_A_PILE, to.span);
                    return self.typer.file.refuse_with(error);
                }
                CardAction::Move { what, to, bottom: *bottom }
            }
            ast::CardAction::Shuffle(pile) => CardAction::Shuffle(resolve_pile(self.typer, pile)?),
            ast::CardAction::Look { what, by } => {
                let what = self.cards_to(what);
                let by = Some(self.typer.infer_as(by, &players_type()));
                CardAction::Learn { what: what?, by }
            }
        };
        Some(StmtKind::Cards(Box::new(action)))
    }

    /// `show CARDS to p`, `reveal CARDS`
    pub(crate) fn show_cards(&mut self, what: &ast::Expr, to: Option<&ast::Expr>) -> Option<Stmt> {
        let span = what.span;
        let what = self.cards_to(what);
        let by = to.map(|to| self.typer.infer_as(to, &players_type()));
        let what = what?;
        if let CardSource::Pile(Expr { kind: ExprKind::Element(Array::Pile(var), _), .. }) = &what
            && self.typer.file.rules.var_at(*var).sight == ast::Visibility::All
        {
            let pile = self.typer.file.rules.var_at(*var);
            self.typer.file.report_error(error::nothing_to_show(&pile.name, span, pile.span));
        }
        let action = CardAction::Learn { what, by };
        Some(Stmt { kind: StmtKind::Cards(Box::new(action)), span })
    }

    fn cards_to(&mut self, what: &ast::Expr) -> Option<CardSource> {
        if let ast::ExprKind::End(end) = &what.kind {
            let mut end = resolve_pile_end(self.typer, end)?;
            self.typer.effects.pauses = true;
            end.draws = true;
            return Some(CardSource::End(end));
        }
        let what = self.typer.infer(what, None);
        let what = match self.typer.look().as_pile(what) {
            Ok(pile) => return Some(CardSource::Pile(pile)),
            Err(what) => what,
        };
        match unwrap_maybe(&what.ty) {
            Type::Unknown => None,
            Type::Kind(kind) if self.typer.file.rules.face_of(*kind).is_some() => {
                Some(CardSource::One(what))
            }
            Type::Set(Domain::Kind(kind)) if self.typer.file.rules.face_of(*kind).is_some() => {
                Some(CardSource::Set(what))
            }
            other => {
                let help = self.typer.look().way_to_cards(other);
                self.typer.file.refuse_with(error::not_cards(
                    self.typer.file.rules.describe_type(other),
                    help,
                    what.span,
                ))
            }
        }
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
            self.typer.effects.pauses = true;
        }
        kind
    }
}
