//! Draws: dice and random members, with the words for what is drawn and what came.

use crate::bytecode::{HiddenDraw, Op, Wait, Witness, to_word};
use crate::compile::emit::Emitter;
use crate::compile::emit::deferred_texts::{DeferredText, DrawText, OutcomeValue};
use crate::compile::emit::places::{AssignTarget, SlotAccess};
use crate::compile::emit::witnesses::{forget_place, note_draw_seers};
use crate::compile::plan::{expr_queries::var_element, state_layout::cards_of};
use crate::compile::scope::SlotRange;
use crate::eval::finite;
use crate::rules::{Domain, Expr, ExprKind, Faces, Type, Value, VarForm};
use crate::source::Span;

pub(super) fn emit_random(out: &mut Emitter, set: &Expr, written: Span, dst: SlotRange) {
    let mark = out.mark();
    if out.code.seen_by.is_none() && out.plan.rules.secret_sources.contains(&set.span) {
        out.code.seen_by = Some(Witness::Nobody);
    }
    let (outcomes, outcome) = match &set.kind {
        ExprKind::Interval(low, high) if set.ty == Type::Span => number_outcomes(out, low, high),
        _ => member_outcomes(out, set),
    };
    let outcome = match (outcome, out.plan.cards_at(&set.ty)) {
        (OutcomeValue::Member(members, _), Some(at)) => OutcomeValue::CardOf(members, cards_of(at)),
        (outcome, _) => outcome,
    };
    let event = DrawText::Random(written);
    let domain = finite(&set.ty);
    let most = match (domain, &set.kind) {
        (None, ExprKind::Interval(low, high)) => most_numbers(out, low, high),
        _ => domain.and_then(|domain| Some(out.plan.known_domain(domain)?.1)),
    };
    let ty = domain.map_or(Type::Number, Domain::member_type);
    emit_draw(out, (outcomes, most), &outcome, event, ty, dst);
    out.release(mark);
}

fn most_numbers(out: &Emitter, low: &Expr, high: &Expr) -> Option<usize> {
    let (facts, names) = (out.facts(), &out.body.bounds);
    let (low, high) = (facts.bounds(low, names)?.0, facts.bounds(high, names)?.1);
    usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok()
}

fn number_outcomes(out: &mut Emitter, low: &Expr, high: &Expr) -> (u16, OutcomeValue) {
    if let (Some(Value::Int(low)), Some(Value::Int(high))) =
        (out.facts().fold(low), out.facts().fold(high))
        && let Some(size) = high.checked_sub(low).and_then(|more| more.checked_add(1))
    {
        let (low, size) = (out.code.constant(low), out.code.constant(size.max(0)));
        return (size, OutcomeValue::From(low));
    }
    let (low, high) = (out.operand(low), out.operand(high));
    let (first, size, one) = (out.allocate(1).at, out.allocate(1).at, out.code.constant(1));
    out.emit_copy(first, low);
    out.code.emit(Op::Subtract { dst: size, a: high.at, b: first });
    out.code.emit(Op::Add { dst: size, a: size, b: one });
    (size, OutcomeValue::From(first))
}

fn member_outcomes(out: &mut Emitter, set: &Expr) -> (u16, OutcomeValue) {
    let low = out.plan.low(set);
    if let Some(Value::Set(members)) = out.facts().fold(set) {
        let size = out.code.constant(to_word(members.len()));
        // A draw from nothing is a trap, whatever the first member would be.
        let first = members.first().copied().unwrap_or(0);
        let is_run = out.plan.cards_at(&set.ty).is_none()
            && members.iter().zip(first..).all(|(member, number)| *member == number);
        if is_run {
            return (size, OutcomeValue::From(out.code.constant(first)));
        }
        let members = out.operand(set);
        return (size, OutcomeValue::Member(members, low));
    }
    let (members, size) = (out.take_for(&set.ty, set.span), out.allocate(1).at);
    out.compute(set, members);
    out.code.emit(Op::Count { dst: size, set: members.at, width: members.width });
    (size, OutcomeValue::Member(members, low))
}

pub(super) fn emit_roll(out: &mut Emitter, place: &Expr) {
    let mark = out.mark();
    let form = var_element(place).map(|(var, _)| &out.plan.rules.vars[var.index()].form);
    let Some(VarForm::Die(faces)) = form else { unreachable!("checked: only dice are rolled") };
    forget_place(out, place);
    note_draw_seers(out, place);
    let (outcomes, outcome) = face_outcomes(out, faces, place);
    // The position is computed before the draw, and kept while it waits.
    let mut target = out.target(place);
    if let AssignTarget::Plain(SlotAccess::Indexed { index, .. }) = &mut target {
        let kept = out.allocate(1).at;
        out.emit_copy(kept, SlotRange { at: *index, width: 1 });
        *index = kept;
    }
    let dst = match target {
        AssignTarget::Plain(SlotAccess::Fixed(slots)) => slots,
        _ => out.allocate(1),
    };
    let (event, outcomes) = (DrawText::Roll(place.clone()), (outcomes, None));
    emit_draw(out, outcomes, &outcome, event, place.ty.clone(), dst);
    out.store(target, dst);
    out.release(mark);
}

fn face_outcomes(out: &mut Emitter, faces: &Faces, place: &Expr) -> (u16, OutcomeValue) {
    match faces {
        Faces::Range(range) => {
            let (low, size) = out.plan.domain(Domain::Range(*range), place.span);
            let size = i64::try_from(size).expect("a finite type has few members");
            (out.code.constant(size), OutcomeValue::From(out.code.constant(low)))
        }
        Faces::List(faces) => {
            let faces = faces.iter().flat_map(|it| out.encode_value(it, &place.ty, place.span));
            let words: Vec<i64> = faces.collect();
            let base = out.code.constants(&words);
            let size = out.code.constant(to_word(words.len()));
            (size, OutcomeValue::Face(base, out.code.fit(words.len(), "faces")))
        }
    }
}

/// The draw itself, then the value that comes of it. With the slot of the number of outcomes goes how many
/// there are at most, if that is known.
pub(super) fn emit_draw(
    out: &mut Emitter,
    (outcomes, most): (u16, Option<usize>),
    value: &OutcomeValue,
    drawn_text: DrawText,
    ty: Type,
    dst: SlotRange,
) {
    // Numbers that follow each other are drawn as they are; other values are looked up.
    let (drawn, low) = match value {
        OutcomeValue::From(low) => (dst.at, *low),
        _ => (out.allocate(1).at, out.code.constant(0)),
    };
    let draw = out.code.here();
    let [then, event, outcome] = out.code.labels();
    let after = out.waiting_site(then, Wait::Nothing);
    let constant = out.code.constant_at(outcomes).and_then(|count| u32::try_from(count).ok());
    let most = constant.or_else(|| u32::try_from(most?).ok());
    let distinct = matches!(value, OutcomeValue::From(_) | OutcomeValue::Member(..));
    let wait =
        Wait::Draw { dst: drawn, outcomes, most, distinct, low, then: after, event, outcome };
    let site = out.waiting_site(draw, wait);
    let unseen = out.code.seen_by.take().map(|by| (after, HiddenDraw { site, by }));
    out.code.unseen.extend(unseen);
    out.code.emit(Op::Draw { dst: drawn, outcomes, low, site });
    out.code.place(then);
    outcome_value(out, value, drawn, dst.at);
    out.note_text(event, DeferredText::Event(drawn_text));
    out.note_text(outcome, DeferredText::Outcome(value.clone(), drawn, ty));
}

pub(super) fn outcome_value(out: &mut Emitter, outcome: &OutcomeValue, drawn: u16, dst: u16) {
    match *outcome {
        OutcomeValue::From(_) => out.emit_copy(dst, SlotRange { at: drawn, width: 1 }),
        OutcomeValue::Member(SlotRange { at: set, width }, low) => {
            out.code.emit(Op::Nth { dst, set, index: drawn, width });
            out.add_low(dst, low);
        }
        OutcomeValue::CardOf(SlotRange { at: set, width }, cards) => {
            out.code.emit(Op::Nth { dst, set, index: drawn, width });
            out.code.emit(Op::FirstAlike { card: dst, set, width, cards });
        }
        OutcomeValue::Card([pile, depth], cards) => {
            out.code.emit(Op::Candidate { dst, pile, depth, index: drawn, cards });
        }
        OutcomeValue::Face(base, count) => {
            out.load(SlotRange { at: dst, width: 1 }, base, drawn, count);
        }
    }
}
