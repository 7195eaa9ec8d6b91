//! Draws: dice and random members, with the words for what is drawn and what came.

use crate::bytecode::{Op, Unseen, Wait, Witness};
use crate::compile::piles::cards_of;
use crate::compile::places::{AssignTarget, SlotAccess, var_element};
use crate::compile::text::Later;
use crate::compile::{Compiler, SlotRange};
use crate::eval::finite;
use crate::rules::{Domain, Expr, ExprKind, Faces, Type, Value, VarForm};
use crate::source::Span;

/// How the number of an outcome becomes a value.
#[derive(Clone, Debug)]
pub(super) enum OutcomeValue {
    /// It is a number, counted from the lowest.
    From(u16),
    /// It is a position among the members of a set, whose first bit is this number.
    Member(SlotRange, i64),
    /// It is a position among the cards of a set; alike cards of one pile are one.
    CardOf(SlotRange, u16),
    /// It is a position among constants.
    Face(u16, u16),
    /// It is a position among the cards that could lie in a pile with so many before them.
    Card([u16; 2], u16),
}

impl Compiler<'_> {
    pub(super) fn random(&mut self, set: &Expr, written: Span, dst: SlotRange) {
        let mark = self.mark();
        if self.code.seen_by.is_none() && self.rules.quiet.contains(&set.span) {
            self.code.seen_by = Some(Witness::Nobody);
        }
        let (outcomes, outcome) = match &set.kind {
            ExprKind::Interval(low, high) if set.ty == Type::Span => self.numbers(low, high),
            _ => self.members(set),
        };
        let outcome = match (outcome, self.cards_at(&set.ty)) {
            (OutcomeValue::Member(members, _), Some(at)) => {
                OutcomeValue::CardOf(members, cards_of(at))
            }
            (outcome, _) => outcome,
        };
        let event = DrawText::Random(written);
        let ty = finite(&set.ty).map_or(Type::Number, Domain::member_type);
        self.draw(outcomes, &outcome, event, ty, dst);
        self.release(mark);
    }

    fn numbers(&mut self, low: &Expr, high: &Expr) -> (u16, OutcomeValue) {
        if let (Some(Value::Int(low)), Some(Value::Int(high))) = (self.fold(low), self.fold(high))
            && let Some(size) = high.checked_sub(low).and_then(|more| more.checked_add(1))
        {
            let (low, size) = (self.code.constant(low), self.code.constant(size.max(0)));
            return (size, OutcomeValue::From(low));
        }
        let (low, high) = (self.operand(low), self.operand(high));
        let (first, size, one) = (self.take(1).at, self.take(1).at, self.code.constant(1));
        self.copy(first, low);
        self.code.emit(Op::Subtract { dst: size, a: high.at, b: first });
        self.code.emit(Op::Add { dst: size, a: size, b: one });
        (size, OutcomeValue::From(first))
    }

    fn members(&mut self, set: &Expr) -> (u16, OutcomeValue) {
        let low = self.low(set);
        if let Some(Value::Set(members)) = self.fold(set) {
            let size = self.code.constant(count(&members));
            // A draw from nothing is a trap, whatever the first member would be.
            let first = members.first().copied().unwrap_or(0);
            let is_run = self.cards_at(&set.ty).is_none()
                && members.iter().zip(first..).all(|(member, number)| *member == number);
            if is_run {
                return (size, OutcomeValue::From(self.code.constant(first)));
            }
            let members = self.operand(set);
            return (size, OutcomeValue::Member(members, low));
        }
        let (members, size) = (self.take_for(&set.ty, set.span), self.take(1).at);
        self.compute(set, members);
        self.code.emit(Op::Count { dst: size, set: members.at, width: members.width });
        (size, OutcomeValue::Member(members, low))
    }

    pub(super) fn roll(&mut self, place: &Expr) {
        let mark = self.mark();
        let form = var_element(place).map(|(var, _)| &self.rules.vars[var.index()].form);
        let Some(VarForm::Die(faces)) = form else { unreachable!("checked: only dice are rolled") };
        self.forget(place);
        self.draw_into(place);
        let (outcomes, outcome) = self.faces(faces, place);
        // The position is computed before the draw, and kept while it waits.
        let mut target = self.target(place);
        if let AssignTarget::Plain(SlotAccess::Indexed { index, .. }) = &mut target {
            let kept = self.take(1).at;
            self.copy(kept, SlotRange { at: *index, width: 1 });
            *index = kept;
        }
        let dst = match target {
            AssignTarget::Plain(SlotAccess::Fixed(slots)) => slots,
            _ => self.take(1),
        };
        self.draw(outcomes, &outcome, DrawText::Roll(place.clone()), place.ty.clone(), dst);
        self.store(target, dst);
        self.release(mark);
    }

    fn faces(&mut self, faces: &Faces, place: &Expr) -> (u16, OutcomeValue) {
        match faces {
            Faces::Range(range) => {
                let (low, size) = self.domain(Domain::Range(*range), place.span);
                let size = i64::try_from(size).expect("a finite type has few members");
                (self.code.constant(size), OutcomeValue::From(self.code.constant(low)))
            }
            Faces::List(faces) => {
                let faces = faces.iter().flat_map(|it| self.words_of(it, &place.ty, place.span));
                let words: Vec<i64> = faces.collect();
                let base = self.code.constants(&words);
                let size = self.code.constant(count(&words));
                (size, OutcomeValue::Face(base, self.code.fit(words.len(), "faces")))
            }
        }
    }

    /// The draw itself, then the value that comes of it.
    pub(super) fn draw(
        &mut self,
        outcomes: u16,
        outcome: &OutcomeValue,
        event: DrawText,
        ty: Type,
        dst: SlotRange,
    ) {
        // Numbers that follow each other are drawn as they are; other values are looked up.
        let (drawn, low) = match outcome {
            OutcomeValue::From(low) => (dst.at, *low),
            _ => (self.take(1).at, self.code.constant(0)),
        };
        let draw = self.code.here();
        let [then, event_at, outcome_at] = self.code.labels();
        let after = self.waiting(then, Wait::Nothing);
        let wait = Wait::Draw {
            dst: drawn,
            outcomes,
            low,
            then: after,
            event: event_at,
            outcome: outcome_at,
        };
        let site = self.waiting(draw, wait);
        let unseen = self.code.seen_by.take().map(|by| (after, Unseen { site, by }));
        self.code.unseen.extend(unseen);
        self.code.emit(Op::Draw { dst: drawn, outcomes, low, site });
        self.code.place(then);
        self.outcome_value(outcome, drawn, dst.at);
        self.later(event_at, Later::Event(event));
        self.later(outcome_at, Later::Outcome(outcome.clone(), drawn, ty));
    }

    pub(super) fn outcome_value(&mut self, outcome: &OutcomeValue, drawn: u16, dst: u16) {
        match *outcome {
            OutcomeValue::From(_) => self.copy(dst, SlotRange { at: drawn, width: 1 }),
            OutcomeValue::Member(SlotRange { at: set, width }, low) => {
                self.code.emit(Op::Nth { dst, set, index: drawn, width });
                self.add_low(dst, low);
            }
            OutcomeValue::CardOf(SlotRange { at: set, width }, cards) => {
                self.code.emit(Op::Nth { dst, set, index: drawn, width });
                self.code.emit(Op::FirstAlike { card: dst, set, width, cards });
            }
            OutcomeValue::Card([pile, depth], cards) => {
                self.code.emit(Op::Candidate { dst, pile, depth, index: drawn, cards });
            }
            OutcomeValue::Face(base, count) => {
                self.load(SlotRange { at: dst, width: 1 }, base, drawn, count);
            }
        }
    }
}

fn count(of: &[i64]) -> i64 {
    i64::try_from(of.len()).expect("a list in memory has fewer than 2^63 items")
}

/// What is drawn, for putting into words.
#[derive(Clone, Debug)]
pub(super) enum DrawText {
    /// As it is written there.
    Random(Span),
    Roll(Expr),
    /// `draw deck`: the slot of the number of the pile, and from which end.
    Card(u16, u16),
}
