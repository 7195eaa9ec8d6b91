//! Statements: what a rule does, one after the other.

use crate::bytecode::{NONE, Op};
use crate::compile::emit::calls::{emit_call, return_back};
use crate::compile::emit::disclosures::{emit_show, learn_cards};
use crate::compile::emit::ends::emit_end;
use crate::compile::emit::loops::{
    emit_for, emit_repeat, emit_repeat_times, emit_turns, emit_while, in_turn, leave_turns,
};
use crate::compile::emit::piles::{call_back, end_of, move_cards};
use crate::compile::emit::places::{AssignTarget, SlotAccess, reset_to};
use crate::compile::emit::witnesses::{forget_place, forget_target, note_draw_seers};
use crate::compile::emit::{
    Emitter, chance::emit_roll, choices::emit_choose, lists::add_element, text::emit_say,
};
use crate::compile::plan::{expr_queries::single, state_layout::elements};
use crate::compile::scope::{ReturnPath, SlotRange};
use crate::compile::{compiled::Storage, passes::Pass};
use crate::rules::{
    BinaryOp, Block, CardAction, Expr, ExprKind, LocalId, ResetTarget, Stmt, StmtKind, Type,
    UnaryOp, Value, VarForm,
};
use crate::syntax::ast::{PastVerb, TransferVerb};

impl Emitter<'_, '_> {
    /// Statements in braces: what they bind is forgotten after them.
    pub(super) fn block(&mut self, block: &Block) {
        let mark = self.mark();
        block.iter().for_each(|stmt| self.stmt(stmt));
        self.release(mark);
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        if !self.may_go_on() {
            return;
        }
        let outer = std::mem::replace(&mut self.code.span, stmt.span);
        // What a name is bound to stays in use until the end of its block.
        match &stmt.kind {
            StmtKind::Let(local, value) => bind_local(self, *local, value),
            StmtKind::LetArray { local, binders, value } => {
                bind_array(self, *local, binders, value);
            }
            _ => {
                let mark = self.mark();
                self.emit_change(stmt);
                self.release(mark);
            }
        }
        self.code.span = outer;
    }

    fn emit_change(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(..) | StmtKind::LetArray { .. } => unreachable!("bound above"),
            StmtKind::Assign(place, value) => emit_assign(self, place, value),
            StmtKind::Change { place, add, value } => emit_add(self, place, *add, value),
            StmtKind::Swap(a, b) => emit_swap(self, a, b),
            StmtKind::Reset(targets) => targets.iter().for_each(|target| {
                forget_target(self, target);
                emit_reset(self, target);
            }),
            StmtKind::Show { targets, to } => emit_show(self, targets, to.as_ref()),
            StmtKind::Transfer { place, verb, amount } => emit_transfer(self, place, *verb, amount),
            StmtKind::Roll { place, binder: None } => emit_roll(self, place),
            StmtKind::Roll { place, binder: Some(binder) } => {
                in_turn(self, binder, None, None, |out| emit_roll(out, place));
            }
            StmtKind::If { condition, then, otherwise } => {
                self.branches(condition, then, otherwise, Self::block);
            }
            StmtKind::Match { subject, arms } => self.cases(subject, arms, Self::block),
            StmtKind::For { binder, from, body } => emit_for(self, binder, from.as_ref(), body),
            StmtKind::Times(times, body) => emit_repeat_times(self, times, body),
            StmtKind::Repeat(body, until) => emit_repeat(self, body, until.as_ref()),
            StmtKind::While(condition, body) => emit_while(self, condition, body),
            StmtKind::Turns { local, from, backwards, condition, body } => {
                emit_turns(self, (*local, from), *backwards, condition.as_ref(), body);
            }
            StmtKind::Break => {
                let to = self.body.loop_around().exit;
                self.code.emit(Op::Jump { to });
            }
            StmtKind::Continue => {
                let to = self.body.loop_around().round;
                self.code.emit(Op::Jump { to });
            }
            StmtKind::Return(value) => emit_return(self, value.as_ref()),
            StmtKind::Say { to, text } => emit_say(self, to.as_ref(), text),
            StmtKind::Cards(action) => card_action(self, action),
            StmtKind::Past(verb, id) => {
                let history = self.code.fit(id.index(), "histories");
                self.code.emit(match verb {
                    PastVerb::Remember => Op::Remember { history },
                    PastVerb::Forget => Op::Forget { history },
                });
            }
            StmtKind::Choose(choose) => emit_choose(self, choose, stmt.span),
            StmtKind::FinishDraw
            | StmtKind::FinishWin(_)
            | StmtKind::FinishRanking { .. }
            | StmtKind::FinishAll { .. }
            | StmtKind::FinishTogether(_)
            | StmtKind::FinishTeams { .. } => emit_end(self, &stmt.kind),
            StmtKind::Call(call) => match &call.kind {
                ExprKind::Call(rule, args) => emit_call(self, *rule, args, None, call.span),
                _ => {
                    self.operand(call);
                }
            },
        }
    }
}

/// `move …`, `shuffle …`, `look at …`, `show …`, `reveal …`
fn card_action(out: &mut Emitter, action: &CardAction) {
    match action {
        CardAction::Move { what, to, bottom } => move_cards(out, what, to, *bottom),
        CardAction::Shuffle(pile) => {
            let (cards, pile) = (end_of(out.plan, pile, false), out.word(pile));
            out.code.emit(Op::Shuffle { pile, cards });
        }
        CardAction::Learn { what, by } => learn_cards(out, what, by.as_ref()),
    }
}

fn bind_local(out: &mut Emitter, local: LocalId, value: &Expr) {
    let known = out.facts().local_info(local);
    if let (false, Some(value)) = (known.mutable, out.facts().fold(value)) {
        out.keep_local(local, Storage::Known(value));
        return;
    }
    let dst = out.take_for(&known.ty, value.span);
    let mark = out.mark();
    out.compute(value, dst);
    out.emit_range_check(dst.at, known.range);
    out.release(mark);
    out.keep_local(local, Storage::Slots(dst.at, dst.width));
    if !known.mutable {
        let bounds = out.facts().bounds(value, &out.body.bounds);
        out.body.bounds.extend(bounds.map(|bounds| (local, bounds)));
    }
}

fn bind_array(out: &mut Emitter, local: LocalId, binders: &[Option<LocalId>], value: &Expr) {
    let known = out.facts().local_info(local);
    let dims: Vec<(i64, usize)> =
        known.dims.iter().map(|domain| out.plan.domain(*domain, value.span)).collect();
    let width = out.plan.width(&known.ty, value.span);
    let words = elements(&dims).saturating_mul(width.into());
    let words = out.code.fit(words, "words in the state");
    let base = out.allocate(words).at;
    for element in 0..words / width {
        out.bind_indices(binders, &dims, element.into());
        let mark = out.mark();
        out.compute(value, SlotRange { at: base + element * width, width });
        out.release(mark);
    }
    out.keep_local(local, Storage::Array(base, dims, width));
}

fn emit_assign(out: &mut Emitter, place: &Expr, value: &Expr) {
    let range = out.facts().range_of(place);
    if matches!(value.kind, ExprKind::Random(_)) {
        note_draw_seers(out, place);
    }
    // Only forms that read all their parts before they write may be computed in place.
    let in_place = matches!(
        value.kind,
        ExprKind::Binary(BinaryOp::Arith(_) | BinaryOp::Set(_), ..)
            | ExprKind::Unary(
                UnaryOp::Negate | UnaryOp::Reverse | UnaryOp::Next | UnaryOp::Previous,
                _,
            )
    );
    // A value that pauses may change what the index of the place reads: it is computed first. So is a
    // value that may trap where the place may trap, too.
    let early = pauses(value) || !out.facts().is_safe(place) && !out.facts().is_safe(value);
    let early = early.then(|| out.operand(value));
    // As long as the value is waited for, the old one is known.
    forget_place(out, place);
    let target = out.target(place);
    match (target, early) {
        (AssignTarget::Plain(SlotAccess::Fixed(dst)), None) if range.is_none() && in_place => {
            out.compute(value, dst);
        }
        (target, early) => {
            let value = early.unwrap_or_else(|| out.operand(value));
            out.emit_range_check(value.at, range);
            out.store(target, value);
        }
    }
}

/// `place += value`, or `place -= value` unless `add`: of a number in its range, a set, or a list that grows.
fn emit_add(out: &mut Emitter, place: &Expr, add: bool, value: &Expr) {
    forget_place(out, place);
    let (target, range) = (out.target(place), out.facts().range_of(place));
    if let (AssignTarget::Plain(access), Type::Set(_)) = (target, &place.ty) {
        return add_members(out, access, add, value);
    }
    if let (AssignTarget::Plain(access), Type::List(..)) = (target, &place.ty) {
        return add_element(out, access, place, value);
    }
    if let AssignTarget::Plain(SlotAccess::Indexed { base, index, count, .. }) = target
        && out.plan.tries(Pass::Fused)
        && let Some(b) = added_word(out, add, value, range.is_some())
    {
        out.plan.fires(Pass::Fused);
        let (low, high) = range.map_or((NONE, None), |range| out.plan.ranges[range.index()]);
        let range = out.code.constants(&[low, high.unwrap_or(NONE)]);
        return out.code.emit(Op::AddAt { base, index, count, b, range });
    }
    let a = out.read(target, None).at;
    let b = out.word(value);
    let direct = matches!(target, AssignTarget::Plain(SlotAccess::Fixed(_))) && range.is_none();
    let dst = if direct { a } else { out.allocate(1).at };
    out.code.emit(if add { Op::Add { dst, a, b } } else { Op::Subtract { dst, a, b } });
    out.emit_range_check(dst, range);
    out.store(target, SlotRange { at: dst, width: 1 });
}

/// The word to add in place. Without a range the number is read before the addend is computed, so that must not matter.
fn added_word(out: &mut Emitter, add: bool, value: &Expr, has_range: bool) -> Option<u16> {
    if add {
        return (has_range || !value.any(pauses)).then(|| out.word(value));
    }
    let Value::Int(number) = out.facts().fold(value)? else { return None };
    number.checked_neg().map(|number| out.code.constant(number))
}

fn add_members(out: &mut Emitter, set: SlotAccess, add: bool, value: &Expr) {
    if let Some(member) = changed_member(out, add, value) {
        return out.change_member(set, member, add);
    }
    let old @ SlotRange { at: dst, width } = out.load_from(set, None);
    let (a, b) = (dst, out.word(value));
    out.code.emit(if add {
        Op::Union { dst, a, b, width }
    } else {
        Op::Minus { dst, a, b, width }
    });
    out.store(AssignTarget::Plain(set), old);
}

/// The one member that is added or removed, as its position.
fn changed_member(out: &mut Emitter, add: bool, value: &Expr) -> Option<u16> {
    let member = single(value).filter(|member| !matches!(member.ty, Type::Set(_)))?;
    Some(if add { out.new_member(member, value) } else { out.emit_membership(member, value) })
}

fn emit_swap(out: &mut Emitter, a: &Expr, b: &Expr) {
    [a, b].into_iter().for_each(|place| forget_place(out, place));
    let (first, second) = (out.target(a), out.target(b));
    let (x, y) = (out.read(first, None), out.read(second, None));
    let kept = out.allocate(x.width);
    out.emit_copy(kept.at, x);
    let (range, other) = (out.facts().range_of(a), out.facts().range_of(b));
    out.emit_range_check(y.at, range);
    out.emit_range_check(kept.at, other);
    out.store(first, y);
    out.store(second, kept);
}

fn emit_reset(out: &mut Emitter, target: &ResetTarget) {
    if let VarForm::Pile(pile) = out.plan.rules.vars[target.var.index()].form {
        return call_back(out, target, pile);
    }
    let place = out.plan.var(target.var);
    reset_to(out, place, &target.indices);
}

/// `gains`, `loses` and `pays`. What is gained above the range is cut off: `CutOff` records that, `Least` is for
/// `or lose the rest`.
fn emit_transfer(out: &mut Emitter, place: &Expr, verb: TransferVerb, amount: &Expr) {
    forget_place(out, place);
    let target = out.target(place);
    let SlotRange { at: have, .. } = out.read(target, None);
    let cost = out.word(amount);
    if out.facts().fold(amount).is_none_or(|amount| amount < Value::Int(0)) {
        out.code.emit(Op::CheckAmount { a: cost });
    }
    let (low, high) = match out.facts().range_of(place) {
        Some(range) => out.plan.ranges[range.index()],
        None => (0, None),
    };
    let low = out.code.constant(low);
    let dst = out.allocate(1).at;
    match verb {
        TransferVerb::Gains | TransferVerb::GainsLosingRest => {
            out.code.emit(Op::Add { dst, a: have, b: cost });
            if let Some(high) = high {
                let high = out.code.constant(high);
                out.code.emit(match verb {
                    TransferVerb::Gains => Op::CutOff { a: dst, high },
                    _ => Op::Least { dst, a: dst, b: high },
                });
            }
        }
        TransferVerb::Loses => {
            out.code.emit(Op::Subtract { dst, a: have, b: cost });
            out.code.emit(Op::Greatest { dst, a: dst, b: low });
        }
        TransferVerb::Pays => {
            out.code.emit(Op::CheckPay { have, cost, low });
            out.code.emit(Op::Subtract { dst, a: have, b: cost });
        }
    }
    out.store(target, SlotRange { at: dst, width: 1 });
}

fn emit_return(out: &mut Emitter, value: Option<&Expr>) {
    let result = match out.body.returning {
        ReturnPath::To(_, result) => result,
        ReturnPath::Back => out.frames.functions[out.frames.current].result,
    };
    if let (Some(value), Some(result)) = (value, result) {
        out.compute(value, result);
    }
    leave_turns(out);
    match out.body.returning {
        ReturnPath::To(to, _) => out.code.emit(Op::Jump { to }),
        ReturnPath::Back => return_back(out),
    }
}

/// Whether this expression itself, not its parts, pauses the game or calls a rule.
fn pauses(value: &Expr) -> bool {
    matches!(
        value.kind,
        ExprKind::Call(..)
            | ExprKind::Random(_)
            | ExprKind::Roll(_)
            | ExprKind::Pick(_)
            | ExprKind::End(_)
    )
}
