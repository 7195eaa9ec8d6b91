//! Compiles statements about cards: moving, shuffling, drawing.

use crate::bytecode::{Op, Witness};
use crate::compile::emit::deferred_texts::{DrawText, OutcomeValue};
use crate::compile::emit::witnesses::{seers_of_either_pile, seers_set};
use crate::compile::emit::{Emitter, chance::emit_draw};
use crate::compile::plan::{Plan, expr_queries::checked, state_layout::elements};
use crate::compile::{code::CodeLabel, passes::Pass, scope::SlotRange};
use crate::rules::{
    Array, BinaryOp, CardSource, Domain, Expr, ExprKind, Pile, PileEnd, ResetTarget, SetOp, Type,
    UnaryOp, VarForm, VarId,
};

pub(super) fn pile_number(out: &mut Emitter, var: VarId, indices: &[Expr]) -> u16 {
    let (first, place) = (out.plan.first_pile(var), out.plan.var(var));
    if let Some(at) = out.facts().fixed(&place.dims, indices) {
        return out.code.constant((first + at).into());
    }
    let index = out.emit_position(&place.dims, indices, (None, false));
    let dst = out.allocate(1).at;
    let mut a = index;
    if !indices.iter().all(checked) {
        let (low, count) = (out.code.constant(0), out.count(&place.dims));
        out.code.emit(Op::Index { dst, a, low, count });
        a = dst;
    }
    let b = out.code.constant(first.into());
    out.code.emit(Op::Add { dst, a, b });
    dst
}

pub(super) fn pile_cards(out: &mut Emitter, pile: &Expr, dst: SlotRange) {
    let index = out.word(pile);
    let info = out.plan.cards_info(&pile.ty);
    let (base, count) = (info.base, info.piles.len());
    let count = out.code.fit(count, "piles");
    out.load(dst, base, index, count);
}

/// `top of PILE`, `top n of PILE` as a value, with who sees what chance decides.
pub(super) fn pile_end(out: &mut Emitter, end: &PileEnd, dst: SlotRange, seen: Option<Witness>) {
    let cards = end_of(out.plan, &end.pile, end.bottom);
    let pile = out.word(&end.pile);
    let count = end.count.as_ref().map(|count| out.kept_word(count));
    if end.draws {
        let count = count.unwrap_or_else(|| out.code.constant(1));
        settle_cards(out, end, pile, count, seen);
    }
    out.code.emit(match count {
        None => Op::EndCard { dst: dst.at, pile, cards },
        Some(count) => Op::EndCards { dst: dst.at, pile, count, width: dst.width, cards },
    });
}

/// Lets chance decide the first cards of a pile, as far as they are not known.
fn settle_cards(out: &mut Emitter, end: &PileEnd, pile: u16, count: u16, seen: Option<Witness>) {
    let (zero, one) = (out.code.constant(0), out.code.constant(1));
    let depth = out.allocate(1).at;
    out.code.emit(Op::Move { dst: depth, src: zero });
    let (again, exit) = (out.code.here(), out.code.label());
    out.code.emit(Op::JumpAtMost { a: count, b: depth, to: exit });
    settle_one(out, end, pile, depth, seen);
    out.code.emit(Op::Add { dst: depth, a: depth, b: one });
    out.code.emit(Op::Again { to: again });
    out.code.place(exit);
}

/// Lets chance decide one card, if it is not known.
fn settle_one(out: &mut Emitter, end: &PileEnd, pile: u16, depth: u16, seen: Option<Witness>) {
    let mark = out.mark();
    let (cards, known) = (end_of(out.plan, &end.pile, end.bottom), out.code.label());
    let card = out.allocate(1);
    let seen = draw_card(out, end, [pile, depth], card, seen, known);
    out.code.emit(Op::Settle { pile, depth, card: card.at, seen, cards });
    out.code.place(known);
    out.release(mark);
}

/// Draws one of the cards that the one with `depth` others before it could be, or jumps where it is known.
/// Returns who sees it.
fn draw_card(
    out: &mut Emitter,
    end: &PileEnd,
    [pile, depth]: [u16; 2],
    card: SlotRange,
    seen: Option<Witness>,
    known: CodeLabel,
) -> u16 {
    let Type::Pile(kind) = end.pile.ty else { unreachable!("checked: this is a pile") };
    let cards = end_of(out.plan, &end.pile, end.bottom);
    let (outcomes, one) = (out.allocate(1).at, out.code.constant(1));
    out.code.emit(Op::Choices { dst: outcomes, pile, depth, cards });
    out.code.emit(Op::JumpAtMost { a: outcomes, b: one, to: known });
    out.code.seen_by = seen;
    let seen = seers_set(out, seen);
    let outcome = OutcomeValue::Card([pile, depth], cards);
    let most = out.plan.known_domain(Domain::Kind(kind)).map(|(_, size)| size);
    let event = DrawText::Card(pile, cards);
    emit_draw(out, (outcomes, most), &outcome, event, Type::Kind(kind), card);
    seen
}

pub(super) fn move_cards(out: &mut Emitter, what: &CardSource, pile: &Expr, bottom: bool) {
    let cards = end_of(out.plan, pile, bottom);
    match what {
        CardSource::One(card) => {
            let announced = announced_flag(out.plan, card);
            let (card, to) = (out.word(card), out.word(pile));
            out.code.emit(Op::MoveCard { card, to, announced, cards });
        }
        CardSource::Set(set) => {
            let announced = announced_flag(out.plan, set);
            let (SlotRange { at: set, width }, to) = (out.operand(set), out.word(pile));
            out.code.emit(Op::MoveCards { set, to, width, announced, cards });
        }
        CardSource::Pile(from) => {
            let (from, to) = (out.word(from), out.word(pile));
            out.code.emit(Op::MovePile { pile: from, to, cards });
        }
        CardSource::End(end) => move_end(out, end, pile, cards),
    }
}

/// Moves cards from the end of a pile, one after the other, as many as there are.
fn move_end(out: &mut Emitter, end: &PileEnd, to: &Expr, cards: u16) {
    let from = out.word(&end.pile);
    let count = end.count.as_ref().map(|count| out.kept_word(count));
    let seen = seers_of_either_pile(out, &end.pile, to);
    let to = out.word(to);
    let (zero, one) = (out.code.constant(0), out.code.constant(1));
    let [left, card] = [out.allocate(1).at, out.allocate(1).at];
    out.code.emit(Op::Move { dst: left, src: count.unwrap_or(one) });
    let (again, exit) = (out.code.here(), out.code.label());
    out.code.emit(if end.bottom || !out.plan.tries(Pass::Deals) {
        Op::JumpAtMost { a: left, b: zero, to: exit }
    } else {
        out.plan.fires(Pass::Deals);
        Op::Deal { pile: from, to, left, cards, exit }
    });
    draw_end(out, end, from, card, seen, count.map(|_| exit));
    out.code.emit(Op::MoveCard { card, to, announced: 1, cards });
    if count.is_some() {
        out.code.emit(Op::Subtract { dst: left, a: left, b: one });
        out.code.emit(Op::Again { to: again });
    }
    out.code.place(exit);
}

/// The card at the end of a pile, which is about to leave it; chance decides which one it is, if that is not
/// known. Goes on at `empty` where there is none, if that is a label.
fn draw_end(
    out: &mut Emitter,
    end: &PileEnd,
    pile: u16,
    card: u16,
    seen: Option<Witness>,
    empty: Option<CodeLabel>,
) {
    let mark = out.mark();
    let (cards, depth) = (end_of(out.plan, &end.pile, end.bottom), out.code.constant(0));
    let [known, drawn] = out.code.labels();
    let seen = draw_card(out, end, [pile, depth], SlotRange { at: card, width: 1 }, seen, known);
    out.code.emit(Op::LoseSight { pile, depth, seen, cards });
    out.code.emit(Op::Jump { to: drawn });
    out.code.place(known);
    out.code.emit(Op::EndCard { dst: card, pile, cards });
    if let Some(empty) = empty {
        let none = out.none();
        out.code.emit(Op::JumpEqual { a: card, b: none, to: empty });
    }
    out.code.place(drawn);
    out.release(mark);
}

/// The operand that names a kind of cards and an end of a pile.
pub(super) fn end_of(plan: &Plan, pile: &Expr, bottom: bool) -> u16 {
    plan.cards_in(&pile.ty) + u16::from(bottom)
}

/// Of cards that read the same only one for each pile.
pub(super) fn emit_distinct(out: &mut Emitter, set: &Expr, dst: SlotRange) {
    let together = lie_together(out.plan, set).into();
    let (cards, set) = (out.plan.cards_in(&set.ty), out.operand(set));
    let SlotRange { at: dst, width } = dst;
    out.code.emit(Op::Distinct { dst, set: set.at, width, together, cards });
}

/// Whether all of these cards surely lie in one pile.
fn lie_together(plan: &Plan, cards: &Expr) -> bool {
    match &cards.kind {
        ExprKind::Element(Array::Var(var), _) => {
            matches!(plan.rules.vars[var.index()].form, VarForm::Pile(_))
        }
        ExprKind::Unary(UnaryOp::PileCards, _) => true,
        ExprKind::Filter(binder) => lie_together(plan, &binder.set),
        ExprKind::Binary(BinaryOp::Set(SetOp::Common), a, b) => {
            lie_together(plan, a) || lie_together(plan, b)
        }
        ExprKind::Binary(BinaryOp::Set(SetOp::Minus), a, _) => lie_together(plan, a),
        _ => false,
    }
}

/// `reset PILE`: all cards that started there come back, in no known order.
pub(super) fn call_back(out: &mut Emitter, target: &ResetTarget, pile: Pile) {
    let place = out.plan.var(target.var);
    let (dims, rest) = place.dims.split_at(target.indices.len());
    let rest = out.code.fit(elements(rest), "piles");
    let cards = out.plan.cards_in(&Type::Pile(pile.cards));
    let (first, width) = (out.plan.first_pile(target.var), place.width);
    let initial = out.code.constants(&place.initial);
    let (element, set) = (out.allocate(1).at, out.allocate(width));
    let (number, b) = (out.allocate(1).at, out.code.constant(first.into()));
    let begin = out.emit_position(dims, &target.indices, (None, false));
    let count = out.count(&place.dims);
    for nth in 0..rest {
        let nth = out.code.constant(nth.into());
        out.code.emit(Op::Scale { dst: element, a: begin, size: rest, b: nth });
        out.load(set, initial, element, count);
        out.code.emit(Op::Add { dst: number, a: element, b });
        out.code.emit(Op::MoveCards { set: set.at, to: number, width, announced: 1, cards });
        out.code.emit(Op::Shuffle { pile: number, cards });
    }
}

/// 1 if everybody who knows the pile can identify the moved cards.
fn announced_flag(plan: &Plan, cards: &Expr) -> u16 {
    u16::from(!plan.rules.secret_sources.contains(&cards.span))
}
