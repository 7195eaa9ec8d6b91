//! Types piles, their ends, and cards as faces.

use crate::check::error;
use crate::check::typer::fit::fit;
use crate::check::typer::lookup::Lookup;
use crate::check::typer::{Mode, Typer};
use crate::rules::{
    Array, Domain, Expr, ExprKind, KindId, Pile, PileEnd, Type, UnaryOp, VarForm, maybe_if_any,
    typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast;

impl Lookup<'_> {
    /// Whether a place is in a variable that is no pile.
    pub(crate) fn names_variable(self, mut place: &ast::Expr) -> bool {
        while let ast::ExprKind::Index(base, _) = &place.kind {
            place = base;
        }
        self.var_named(place).is_some_and(|var| !matches!(var.form, VarForm::Pile(_)))
    }

    pub(crate) fn way_to_cards(self, ty: &Type) -> String {
        let is_face = |kind: &KindId| {
            (0..self.file.rules.kinds.len())
                .any(|at| self.file.rules.face_of(KindId::at(at)) == Some(*kind))
        };
        match ty {
            Type::Kind(kind) if self.file.rules.kind_at(*kind).is_board() => {
                let at = self.file.rules.array_over(*kind).unwrap_or("at");
                return format!(
                    "keep the contents of a cell in a variable: `swap {at}[a] and {at}[b]`, or \
                     `{at}[b] = {at}[a]`"
                );
            }
            Type::Kind(kind) if is_face(kind) => {
                "a face may be on many cards: say which, as in `first(c in me.hand: c == ant)` or \
                 `{c in me.hand where c == ant}`"
            }
            _ => "write a card, a set of cards, a pile, or the top of one: `top 2 of deck`",
        }
        .to_owned()
    }

    pub(crate) fn as_pile(self, expr: Expr) -> Result<Expr, Expr> {
        match expr.kind {
            ExprKind::Unary(UnaryOp::PileCards, pile) => Ok(*pile),
            ExprKind::Element(Array::Var(var), ref indices) => {
                match self.file.rules.var_at(var).form {
                    VarForm::Pile(pile) => {
                        let kind = ExprKind::Element(Array::Pile(var), indices.clone());
                        Ok(typed(kind, Type::Pile(pile.cards), expr.span))
                    }
                    _ => Err(expr),
                }
            }
            _ => Err(expr),
        }
    }

    /// A pile where one is wanted by reference, the face of a card where a face is wanted.
    pub(crate) fn as_pile_or_face(self, expr: Expr, want: &Type) -> Result<Expr, Expr> {
        match (want, unwrap_maybe(&expr.ty)) {
            (Type::Pile(cards), Type::Set(Domain::Kind(kind))) if cards == kind => {
                self.as_pile(expr)
            }
            (Type::Kind(face) | Type::Set(Domain::Kind(face)), Type::Kind(kind))
                if self.file.rules.face_of(*kind) == Some(*face)
                    && expr.ty == Type::Kind(*kind) =>
            {
                fit(self.as_face(expr), want)
            }
            (Type::Maybe(inner), Type::Kind(kind))
                if self.file.rules.face_of(*kind).map(Type::Kind).as_ref() == Some(inner) =>
            {
                Ok(self.as_face(expr))
            }
            _ => Err(expr),
        }
    }

    /// The face of a card; anything else as it is.
    pub(crate) fn as_face(self, expr: Expr) -> Expr {
        let Type::Kind(kind) = *unwrap_maybe(&expr.ty) else { return expr };
        let Some(face) = self.file.rules.face_of(kind) else { return expr };
        let (is_maybe, span) = (expr.ty != Type::Kind(kind), expr.span);
        let ty = if is_maybe { maybe_if_any(Type::Kind(face)) } else { Type::Kind(face) };
        typed(ExprKind::new_column(kind, 0, expr), ty, span)
    }

    /// Whether this is a set of cards.
    fn are_cards(self, ty: &Type) -> bool {
        matches!(ty, Type::Set(Domain::Kind(kind)) if self.file.rules.face_of(*kind).is_some())
    }

    /// Two sides of a comparison: a card beside a face is its face.
    pub(crate) fn both_faces(self, a: Expr, b: Expr) -> (Expr, Expr) {
        let kind = |expr: &Expr| match unwrap_maybe(&expr.ty) {
            Type::Kind(kind) => Some(*kind),
            _ => None,
        };
        let rules = &self.file.rules;
        let face = |expr: &Expr| kind(expr).and_then(|kind| rules.face_of(kind));
        // Also beside a member of a part of the faces.
        let is_one = |expr: &Expr, face: KindId| {
            kind(expr).is_some_and(|kind| kind == face || rules.is_part(kind, face))
        };
        match (face(&a), face(&b)) {
            (Some(face), None) if is_one(&b, face) => (self.as_face(a), b),
            (None, Some(face)) if is_one(&a, face) => (a, self.as_face(b)),
            _ => (a, b),
        }
    }
}

pub(crate) fn resolve_pile(typer: &mut Typer, pile: &ast::Expr) -> Option<Expr> {
    let pile = typer.infer(pile, None);
    if pile.ty == Type::Unknown {
        return None;
    }
    match typer.look().as_pile(pile) {
        Ok(pile) => Some(pile),
        Err(other) => {
            let found = typer.file.rules.describe_type(&other.ty);
            let help = if typer.look().are_cards(&other.ty) { SOME_CARDS } else { NAME_A_PILE };
            typer.file.refuse_with(error::not_a_pile(found, help, other.span))
        }
    }
}

pub(crate) const NAME_A_PILE: &str =
    "name a variable that is declared as `cards`, such as `deck` or `me.hand`";

const SOME_CARDS: &str = "cards of a set have no top; some of those that read the same are moved one by one: `repeat n \
                          times { move first(c in me.hand: c == red) to discard }`";

/// `top of PILE`, `top n of PILE`: known, or a trap; chance decides only where it may pause.
pub(crate) fn infer_pile_end(typer: &mut Typer, end: &ast::PileEnd, span: Span) -> Expr {
    if typer.mode == Mode::Constant {
        return typer.file.report_as_expr(error::not_constant("the order of a pile", span));
    }
    let Some(end) = resolve_pile_end(typer, end) else { return unknown_expr(span) };
    let Type::Pile(cards) = end.pile.ty else { return unknown_expr(span) };
    let ty = match end.count {
        Some(_) => Type::Set(Domain::Kind(cards)),
        None => maybe_if_any(Type::Kind(cards)),
    };
    typed(ExprKind::End(Box::new(end)), ty, span)
}

pub(crate) fn resolve_pile_end(typer: &mut Typer, end: &ast::PileEnd) -> Option<PileEnd> {
    let count = end.count.as_ref().map(|count| typer.infer_as(count, &Type::Number));
    let pile = resolve_pile(typer, &end.pile)?;
    if typer.file.seats.is_some()
        && let ExprKind::Element(Array::Pile(var), _) = &pile.kind
        && let VarForm::Pile(Pile { ordered: false, .. }) = typer.file.rules.var_at(*var).form
    {
        let error = error::no_order(&typer.file.rules.var_at(*var).name, pile.span);
        return typer.file.refuse_with(error);
    }
    Some(PileEnd { pile, count, bottom: end.bottom, draws: false })
}

/// The cards of a pile that is a parameter.
pub(crate) fn cards_in(target: Array, cards: KindId, span: Span) -> Expr {
    let Array::Local(local) = target else { unreachable!("only parameters are references") };
    let pile = typed(ExprKind::Local(local), Type::Pile(cards), span);
    typed(ExprKind::new_unary(UnaryOp::PileCards, pile), Type::Set(Domain::Kind(cards)), span)
}
