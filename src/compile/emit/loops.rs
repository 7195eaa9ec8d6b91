//! Compiles loops: over sets, numbers, walks and subsets, `repeat`, `while` and `turns`.

use crate::bytecode::Op;
use crate::compile::emit::rounds::{
    LoopTargets, each_element, each_list, each_maybe, each_member, each_number, each_step,
    each_step_back, each_subset,
};
use crate::compile::emit::{Emitter, filters::apply_conditions, sweeps::try_emit_sweep};
use crate::compile::plan::expr_queries::{conjuncts, filtered, is_sure, joined};
use crate::compile::plan::forms::{PredicateMember, conditions_of};
use crate::compile::scope::{LoopEnds, OuterTurns, SlotRange};
use crate::compile::{code::CodeLabel, compiled::Storage};
use crate::eval::finite;
use crate::rules::changes::{ChangedVars, changed_vars};
use crate::rules::protect::protect;
use crate::rules::{Binder, Block, BoardWalk, Expr, ExprKind, LocalId, Type};

impl Emitter<'_, '_> {
    /// Loops over the members of a binder for which its condition holds, tested anew for each.
    pub(super) fn emit_loop(&mut self, binder: &Binder, body: impl FnOnce(&mut Self)) {
        let mark = self.mark();
        let width = self.width_of_member(&binder.set);
        let dst = self.allocate(width).at;
        self.emit_loop_into(binder, dst, None, body);
        self.release(mark);
    }

    /// Loops with the member in slot `dst`; a label `none` makes `none` the first member, handled there.
    pub(super) fn emit_loop_into(
        &mut self,
        binder: &Binder,
        dst: u16,
        none: Option<CodeLabel>,
        body: impl FnOnce(&mut Self),
    ) {
        let members =
            binder.condition.as_ref().and_then(|_| self.facts().members_of_span(binder, &[]));
        let binder = members.as_ref().unwrap_or(binder);
        let mark = self.mark();
        let [next, exit] = self.code.labels();
        let (set, backwards) = match &binder.set.kind {
            ExprKind::Backwards(set) => (set.as_ref(), true),
            _ => (binder.set.as_ref(), false),
        };
        let (set, from) = match &set.kind {
            ExprKind::From(set, from) => (set.as_ref(), Some(from.as_ref())),
            _ => (set, None),
        };
        let over = LoopTargets { dst, next, exit, none, backwards };
        if is_sure(&binder.set) {
            let mut bounds = std::mem::take(&mut self.body.bounds);
            self.facts().note_bounds(binder, &mut bounds);
            self.body.bounds = bounds;
        }
        // What can be tested for the whole set is tested before the loop.
        let mut conditions = conditions_of(binder, &[]);
        let mut cut = None;
        if !binder.set.is_ordered() && matches!(set.ty, Type::Set(_)) && !conditions.is_empty() {
            let (members, left) = apply_conditions(self, set, binder.local, &conditions);
            (cut, conditions) = (Some(members), left);
        }
        let mut has_rounds = true;
        match (&set.ty, &set.kind) {
            (_, ExprKind::Walk(walk)) if backwards => each_step_back(self, over, walk),
            (_, ExprKind::Walk(walk)) => each_step(self, over, walk),
            (Type::Set(_), _) => each_member(self, over, set, from, cut),
            (Type::Span, ExprKind::Interval(low, high)) => each_number(self, over, low, high),
            (Type::Subsets(_), _) => each_subset(self, over, set),
            (Type::List(..), _) => each_element(self, over, set),
            (Type::Lists(..), _) => each_list(self, over, binder.local, set),
            _ => has_rounds = each_maybe(self, over, set),
        }
        let width = self.width_of_member(set);
        self.keep_local(binder.local, Storage::Slots(dst, width));
        conditions.iter().for_each(|condition| self.condition(condition, false, next));
        none.iter().for_each(|first| self.code.place(*first));
        let round = self.in_loop(exit, body);
        self.code.place(round);
        if has_rounds {
            self.code.emit(Op::Again { to: next });
        } else {
            self.code.place(next);
        }
        self.code.place(exit);
        self.release(mark);
    }

    /// Compiles what stands in a loop; returns where a round of it ends.
    fn in_loop(&mut self, exit: CodeLabel, body: impl FnOnce(&mut Self)) -> CodeLabel {
        let round = self.code.label();
        self.body.loops.push(LoopEnds { exit, round });
        body(self);
        self.body.loops.pop();
        round
    }

    pub(super) fn width_of_member(&mut self, set: &Expr) -> u16 {
        match set.ty {
            Type::Subsets(domain) => self.plan.width(&Type::Set(domain), set.span),
            Type::Lists(..) => self.plan.width(&set.ty, set.span),
            _ => 1,
        }
    }
}

/// `for x in S from y where P { }`: over the set as it is at the start, filter included.
pub(super) fn emit_for(out: &mut Emitter, binder: &Binder, from: Option<&Expr>, body: &Block) {
    if from.is_none() && try_emit_sweep(out, binder, body) {
        return;
    }
    let changes = changed_vars(out.plan.rules, body, binder.local);
    in_turn(out, binder, from, changes.as_ref(), |out| out.block(body));
}

/// A loop with effects. The members of a set are found before the first round. Numbers are tested when their turn
/// comes: what rounds may change is not asked before.
pub(super) fn in_turn(
    out: &mut Emitter,
    binder: &Binder,
    from: Option<&Expr>,
    changes: Option<&ChangedVars>,
    body: impl FnOnce(&mut Emitter),
) {
    let mut binder = snapshot(binder, from).unwrap_or_else(|| binder.clone());
    let mut in_turn = None;
    if let (Type::Span, Some(condition)) = (&binder.set.ty, &binder.condition) {
        let members = out.facts().members_of_span(&binder, &[]);
        let domain = members.as_ref().and_then(|members| finite(&members.set.ty));
        let about = domain.map(|domain| PredicateMember::given(binder.local, domain, &[]));
        let (mut may_trap, mut early, mut late) = (false, Vec::new(), Vec::new());
        for part in conjuncts([condition.as_ref()]) {
            // What has a form cannot trap.
            let has_form = about.is_some_and(|about| out.facts().set_form(part, about).is_some());
            may_trap |= !has_form && !out.facts().is_safe(part);
            let is_steady = !may_trap && out.facts().is_steady(part, binder.local, changes);
            let waits = late.iter().any(|late: &&Expr| protect(&[*late, part], None));
            if is_steady && !waits { early.push(part) } else { late.push(part) }
        }
        in_turn = joined(&late);
        binder.condition = joined(&early).map(Box::new);
    }
    out.emit_loop(&binder, |out| {
        let next = out.body.loop_around().round;
        in_turn.iter().for_each(|condition| out.condition(condition, false, next));
        body(out);
    });
}

/// `repeat n times { }`
pub(super) fn emit_repeat_times(out: &mut Emitter, times: &Expr, body: &Block) {
    let (left, one, zero) = (out.allocate(1), out.code.constant(1), out.code.constant(0));
    out.compute(times, left);
    out.code.emit(Op::CheckAmount { a: left.at });
    let (again, exit) = (out.code.here(), out.code.label());
    out.code.emit(Op::JumpEqual { a: left.at, b: zero, to: exit });
    out.code.emit(Op::Subtract { dst: left.at, a: left.at, b: one });
    emit_loop_body(out, body, None, again, exit);
}

/// `while P { }`
pub(super) fn emit_while(out: &mut Emitter, condition: &Expr, body: &Block) {
    let (again, exit) = (out.code.here(), out.code.label());
    out.condition(condition, false, exit);
    emit_loop_body(out, body, None, again, exit);
}

/// `repeat { } until P`, or without end.
pub(super) fn emit_repeat(out: &mut Emitter, body: &Block, until: Option<&Expr>) {
    let (again, exit) = (out.code.here(), out.code.label());
    emit_loop_body(out, body, until, again, exit);
}

/// The body of a loop, whose locals the condition at its end sees, and back.
fn emit_loop_body(
    out: &mut Emitter,
    body: &Block,
    until: Option<&Expr>,
    again: CodeLabel,
    exit: CodeLabel,
) {
    let mark = out.mark();
    let round = out.in_loop(exit, |it| body.iter().for_each(|stmt| it.stmt(stmt)));
    out.code.place(round);
    until.iter().for_each(|until| out.condition(until, true, exit));
    out.code.emit(Op::Again { to: again });
    out.code.place(exit);
    out.release(mark);
}

/// `turns me from FIRST where P { }`: from seat to seat of those who take part.
pub(super) fn emit_turns(
    out: &mut Emitter,
    (local, from): (LocalId, &Expr),
    backwards: bool,
    condition: Option<&Expr>,
    body: &Block,
) {
    let me = out.allocate(1);
    out.compute(from, me);
    out.keep_local(local, Storage::Slots(me.at, 1));
    let (turn, running) = (out.plan.layout.turn, out.plan.layout.running);
    let outer = begin_counting(out);
    let (exit, found) = (out.code.label(), out.code.label());
    if let Some(condition) = condition {
        find_seat(out, me, backwards, condition, exit);
    }
    out.code.emit(Op::BeginTurns { seat: me.at });
    if condition.is_some() {
        out.code.emit(Op::Jump { to: found });
    }
    let again = out.code.here();
    if let Some(condition) = condition {
        find_seat(out, me, backwards, condition, exit);
    }
    out.code.place(found);
    if let Some(turn) = turn {
        let b = out.code.constant(1);
        out.code.emit(Op::Add { dst: turn, a: turn, b });
        running.iter().for_each(|dst| out.code.emit(Op::Move { dst: *dst, src: turn }));
    }
    out.body.counts.push(outer);
    let round = out.in_loop(exit, |out| out.block(body));
    out.body.counts.pop();
    out.code.place(round);
    next_seat(out, me, backwards);
    out.code.emit(Op::Again { to: again });
    out.code.place(exit);
    count_on(out, outer);
}

/// Counts from 0, and keeps what the turns around have counted, where there can be any.
fn begin_counting(out: &mut Emitter) -> OuterTurns {
    let is_inner = out.plan.prepared.inner_turns.contains(&out.code.span);
    let turn = out.plan.layout.running.map(|src| {
        if !is_inner {
            return out.code.constant(0);
        }
        let dst = out.allocate(1).at;
        out.code.emit(Op::Move { dst, src });
        dst
    });
    if let Some(dst) = out.plan.layout.turn {
        let src = out.code.constant(0);
        out.code.emit(Op::Move { dst, src });
    }
    let had = turns_had(out);
    let kept = had.filter(|_| is_inner).map(|had| {
        let kept = out.allocate(had.width);
        out.emit_copy(kept.at, had);
        kept
    });
    if let Some(had) = had {
        let zeros = out.code.constants(&vec![0; had.width.into()]);
        out.emit_copy(had.at, SlotRange { at: zeros, width: had.width });
    }
    OuterTurns { turn, had: kept }
}

/// The slots that count the turns of each player.
fn turns_had(out: &Emitter) -> Option<SlotRange> {
    let place = out.plan.var(out.plan.rules.turns_had?);
    Some(SlotRange { at: place.base, width: out.plan.players() })
}

fn next_seat(out: &mut Emitter, SlotRange { at: me, .. }: SlotRange, backwards: bool) {
    let (dst, a, count) = (me, me, out.plan.players());
    out.code.emit(if backwards {
        Op::PreviousPlayer { dst, a, count }
    } else {
        Op::NextPlayer { dst, a, count }
    });
}

/// Continues from seat to seat until one takes part; gives up after a whole round.
fn find_seat(out: &mut Emitter, me: SlotRange, backwards: bool, condition: &Expr, exit: CodeLabel) {
    let mark = out.mark();
    let left = out.allocate(1).at;
    let all = out.code.constant(out.plan.players().into());
    let (one, zero) = (out.code.constant(1), out.code.constant(0));
    out.code.emit(Op::Move { dst: left, src: all });
    let (look, found) = (out.code.here(), out.code.label());
    out.condition(condition, true, found);
    next_seat(out, me, backwards);
    out.code.emit(Op::Subtract { dst: left, a: left, b: one });
    out.code.emit(Op::JumpLess { a: zero, b: left, to: look });
    out.code.emit(Op::Jump { to: exit });
    out.code.place(found);
    out.release(mark);
}

/// The turns around count on from where they were; if there are none the last count stays.
fn count_on(out: &mut Emitter, outer: OuterTurns) {
    if let (Some(had), Some(kept)) = (turns_had(out), outer.had) {
        out.emit_copy(had.at, kept);
    }
    let layout = &out.plan.layout;
    let (Some(turn), Some(running), Some(outer)) = (layout.turn, layout.running, outer.turn) else {
        return;
    };
    out.code.emit(Op::Move { dst: running, src: outer });
    let (none, zero) = (out.code.label(), out.code.constant(0));
    out.code.emit(Op::JumpEqual { a: outer, b: zero, to: none });
    out.code.emit(Op::Move { dst: turn, src: outer });
    out.code.place(none);
}

/// After a `return` all turns of the rule are over.
pub(super) fn leave_turns(out: &mut Emitter) {
    if let Some(outer) = out.body.counts.first() {
        count_on(out, *outer);
    }
}

/// A binder over its members as they are now, in their order; none where it can stay as it is.
fn snapshot(binder: &Binder, from: Option<&Expr>) -> Option<Binder> {
    if let ExprKind::Backwards(set) = &binder.set.kind {
        let mut kept = snapshot(&Binder { set: set.clone(), ..binder.clone() }, from)?;
        let (ty, span) = (kept.set.ty.clone(), binder.set.span);
        kept.set = Box::new(Expr { kind: ExprKind::Backwards(kept.set), ty, span });
        return Some(kept);
    }
    let (set, inner) = match &binder.set.kind {
        ExprKind::From(set, inner) => (set.as_ref(), Some(inner.as_ref())),
        ExprKind::Walk(walk) => (&walk.set, None),
        _ => (binder.set.as_ref(), None),
    };
    let from = from.or(inner);
    if !matches!(set.ty, Type::Set(_)) || (from.is_none() && binder.condition.is_none()) {
        return None;
    }
    let kept = filtered(set.clone(), binder);
    let (ty, span) = (kept.ty.clone(), kept.span);
    let kind = match (&binder.set.kind, from) {
        (ExprKind::Walk(walk), None) => {
            ExprKind::Walk(Box::new(BoardWalk { set: kept, ..walk.as_ref().clone() }))
        }
        (_, Some(from)) => ExprKind::From(Box::new(kept), Box::new(from.clone())),
        (_, None) => kept.kind,
    };
    let set = Box::new(Expr { kind, ty, span });
    Some(Binder { local: binder.local, set, condition: None })
}
