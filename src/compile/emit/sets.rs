//! Sets: literals, operations, filters, folds over them.

use crate::bytecode::{NONE, Op};
use crate::compile::emit::filters::{emit_filtered, try_filter_without_loop};
use crate::compile::emit::{
    Emitter, conditions::jump_if_found, lists::insert_elements, sums::try_emit_sum,
};
use crate::compile::plan::expr_queries::{is_plain_set, range_of_set};
use crate::compile::plan::forms::conditions_of;
use crate::compile::{error, scope::SlotRange};
use crate::rules::{BinaryOp, Binder, Expr, ExprKind, SetOp, Type, UnaryOp, Value};
use crate::syntax::ast::FoldWord;

impl Emitter<'_, '_> {
    /// A member as its position in a set: numbers are counted from the lowest.
    pub(super) fn emit_membership(&mut self, member: &Expr, set: &Expr) -> u16 {
        let low = self.plan.low(set);
        let a = self.word(member);
        self.behind_low(a, low)
    }

    pub(super) fn behind_low(&mut self, a: u16, low: i64) -> u16 {
        if low == 0 {
            return a;
        }
        let dst = self.allocate(1).at;
        let low = self.code.constant(low);
        self.code.emit(Op::Position { dst, a, low });
        dst
    }

    /// The position of a member that comes into a set: a number must be one of its range.
    pub(super) fn new_member(&mut self, member: &Expr, set: &Expr) -> u16 {
        let a = self.word(member);
        check_member(self, a, member, set);
        let low = self.plan.low(set);
        self.behind_low(a, low)
    }

    /// A position in a slot becomes the member that it stands for.
    pub(super) fn add_low(&mut self, dst: u16, low: i64) {
        if low != 0 {
            let b = self.code.constant(low);
            self.code.emit(Op::Add { dst, a: dst, b });
        }
    }
}

/// Computes a set into slots, if it is one of the forms that only sets have.
#[must_use]
pub(super) fn try_emit_set(out: &mut Emitter, expr: &Expr, dst: SlotRange) -> bool {
    let SlotRange { at: set, width } = dst;
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Set(op), a, b) => {
            let (a, b) = (out.operand(a).at, out.operand(b).at);
            out.code.emit(match op {
                SetOp::Union => Op::Union { dst: set, a, b, width },
                SetOp::Minus => Op::Minus { dst: set, a, b, width },
                SetOp::Common => Op::Common { dst: set, a, b, width },
            });
        }
        ExprKind::SetOf(members) => emit_set_literal(out, members, expr, dst),
        ExprKind::Unary(UnaryOp::ToSet, member) => {
            emit_set_literal(out, std::slice::from_ref(&**member), expr, dst);
        }
        ExprKind::Interval(low, high) => emit_interval(out, low, high, expr, dst),
        ExprKind::Unary(UnaryOp::Others, player) => emit_others(out, player, dst),
        ExprKind::Filter(binder) if is_plain_set(&binder.set) => {
            let conditions = conditions_of(binder, &[]);
            let filtered = emit_filtered(out, &binder.set, binder.local, &conditions);
            out.emit_copy(set, filtered);
        }
        ExprKind::Filter(binder) => {
            out.code.emit(Op::Clear { set, width });
            out.emit_loop(binder, |out| {
                let member = bound_member(out, binder, expr);
                out.code.emit(Op::Insert { set, member, width });
            });
        }
        ExprKind::Image(body, binder) => {
            out.code.emit(Op::Clear { set, width });
            out.emit_loop(binder, |out| emit_insert(out, body, expr, dst));
        }
        ExprKind::Fold { word: FoldWord::Highest, binder, body } => {
            emit_best(out, true, binder, body, expr, dst);
        }
        ExprKind::Fold { word: FoldWord::Lowest, binder, body } => {
            emit_best(out, false, binder, body, expr, dst);
        }
        _ => return false,
    }
    true
}

/// A set that is written with its members; some may be sets themselves.
fn emit_set_literal(out: &mut Emitter, members: &[Expr], expr: &Expr, dst: SlotRange) {
    let SlotRange { at: set, width } = dst;
    if let [member] = members
        && !matches!(member.ty, Type::Set(_) | Type::List(..))
    {
        let member = out.new_member(member, expr);
        return out.code.emit(Op::Single { set, member, width });
    }
    out.code.emit(Op::Clear { set, width });
    members.iter().for_each(|member| emit_insert(out, member, expr, dst));
}

/// Puts a member, a maybe or a whole set into a set.
fn emit_insert(out: &mut Emitter, member: &Expr, set: &Expr, dst: SlotRange) {
    let mark = out.mark();
    let SlotRange { at, width } = dst;
    if matches!(member.ty, Type::List(..)) {
        insert_elements(out, member, dst);
    } else if matches!(member.ty, Type::Set(_)) {
        let b = out.operand(member).at;
        out.code.emit(Op::Union { dst: at, a: at, b, width });
    } else {
        let member = out.new_member(member, set);
        out.code.emit(Op::Insert { set: at, member, width });
    }
    out.release(mark);
}

/// Checks that a set of numbers may have a number: before play, if it is known then.
fn check_member(out: &mut Emitter, a: u16, member: &Expr, set: &Expr) {
    let Some(range) = range_of_set(set) else { return };
    let (low, high) = out.plan.ranges[range.index()];
    match out.facts().fold(member) {
        Some(Value::Int(number)) => {
            let high = high.unwrap_or(i64::MAX);
            // An empty range was reported; every number is outside of it.
            if low <= high && !(low..=high).contains(&number) {
                let range = format!("{low}..{high}");
                let (setting, span) = (out.plan.setting_text(), member.span);
                out.plan.report(error::NoMember { number, range, setting, span });
            }
        }
        _ => out.emit_range_check(a, Some(range)),
    }
}

/// All from one member to another; none if they are the wrong way round.
fn emit_interval(out: &mut Emitter, low: &Expr, high: &Expr, set: &Expr, dst: SlotRange) {
    let (a, b) = (out.word(low), out.word(high));
    if range_of_set(set).is_some() {
        let empty = out.code.label();
        out.code.emit(Op::JumpLess { a: b, b: a, to: empty });
        check_member(out, a, low, set);
        check_member(out, b, high, set);
        out.code.place(empty);
    }
    let first = out.plan.low(set);
    let (low, high) = (out.behind_low(a, first), out.behind_low(b, first));
    out.code.emit(Op::Interval { dst: dst.at, low, high, width: dst.width });
}

fn bound_member(out: &mut Emitter, binder: &Binder, set: &Expr) -> u16 {
    let (low, a) = (out.plan.low(set), out.body.local_slots(binder.local).at);
    if binder.set.ty != set.ty {
        out.emit_range_check(a, range_of_set(set));
    }
    out.behind_low(a, low)
}

fn emit_others(out: &mut Emitter, player: &Expr, dst: SlotRange) {
    let member = out.word(player);
    let src = out.all_players();
    out.code.emit(Op::Move { dst: dst.at, src });
    out.code.emit(Op::Remove { set: dst.at, member, width: dst.width });
}

/// The set of the members with the best keys: the first key counts, the next break ties.
fn emit_best(
    out: &mut Emitter,
    highest: bool,
    binder: &Binder,
    keys: &[Expr],
    expr: &Expr,
    dst: SlotRange,
) {
    let mark = out.mark();
    // A list counts as its words, one after another.
    let widths: Vec<u16> = keys.iter().map(|key| out.plan.width(&key.ty, key.span)).collect();
    let best: Vec<SlotRange> = (0..widths.iter().sum()).map(|_| out.allocate(1)).collect();
    let SlotRange { at: set, width } = dst;
    out.code.emit(Op::Clear { set, width });
    out.emit_loop(binder, |out| {
        let values = keys.iter().zip(&widths);
        let values: Vec<u16> = values
            .map(|(key, width)| (out.word(key), *width))
            .flat_map(|(at, width)| at..at + width)
            .collect();
        let [better, equal, worse, compare] = out.code.labels();
        out.code.emit(Op::JumpSome { set, width, to: compare });
        out.code.emit(Op::Jump { to: better });
        out.code.place(compare);
        for (value, best) in values.iter().zip(&best) {
            let (high, low) = if highest { (*value, best.at) } else { (best.at, *value) };
            out.code.emit(Op::JumpLess { a: low, b: high, to: better });
            out.code.emit(Op::JumpLess { a: high, b: low, to: worse });
        }
        out.code.emit(Op::Jump { to: equal });
        out.code.place(better);
        out.code.emit(Op::Clear { set, width });
        for (value, best) in values.iter().zip(&best) {
            out.code.emit(Op::Move { dst: best.at, src: *value });
        }
        out.code.place(equal);
        let member = bound_member(out, binder, expr);
        out.code.emit(Op::Insert { set, member, width });
        out.code.place(worse);
    });
    out.release(mark);
}

pub(super) fn emit_fold(
    out: &mut Emitter,
    word: FoldWord,
    binder: &Binder,
    body: &[Expr],
    dst: SlotRange,
) {
    let members = match word {
        FoldWord::Count | FoldWord::First | FoldWord::Last | FoldWord::Only => {
            out.facts().members_of_span(binder, body)
        }
        _ => None,
    };
    let binder = members.as_ref().unwrap_or(binder);
    let dst = dst.at;
    let total = match word {
        FoldWord::Any => return emit_any_all(out, true, binder, &body[0], dst),
        FoldWord::All => return emit_any_all(out, false, binder, &body[0], dst),
        FoldWord::First => return emit_first(out, binder, body, false, dst),
        FoldWord::Last => return emit_first(out, binder, body, true, dst),
        FoldWord::Only => return emit_only(out, binder, body, dst),
        FoldWord::Count if is_plain_set(&binder.set) => {
            let conditions = conditions_of(binder, body);
            let SlotRange { at: set, width } =
                emit_filtered(out, &binder.set, binder.local, &conditions);
            return out.code.emit(Op::Count { dst, set, width });
        }
        FoldWord::Count => emit_accumulator(out, binder, 0, |out, total| {
            let (b, skip) = (out.code.constant(1), out.code.label());
            body.iter().for_each(|condition| out.condition(condition, false, skip));
            out.code.emit(Op::Add { dst: total, a: total, b });
            out.code.place(skip);
        }),
        FoldWord::Sum if try_emit_sum(out, binder, &body[0], dst) => return,
        FoldWord::Sum => emit_accumulator(out, binder, 0, |out, total| {
            let b = out.word(&body[0]);
            out.code.emit(Op::Add { dst: total, a: total, b });
        }),
        FoldWord::Min | FoldWord::Max => {
            let best = emit_accumulator(out, binder, NONE, |out, best| {
                let (value, none) = (out.word(&body[0]), out.none());
                let [take, keep] = out.code.labels();
                out.code.emit(Op::JumpEqual { a: best, b: none, to: take });
                let (a, b) = if word == FoldWord::Min { (best, value) } else { (value, best) };
                out.code.emit(Op::JumpAtMost { a, b, to: keep });
                out.code.place(take);
                out.code.emit(Op::Move { dst: best, src: value });
                out.code.place(keep);
            });
            out.code.emit(Op::CheckSome { a: best });
            best
        }
        FoldWord::Highest | FoldWord::Lowest => unreachable!("these give a set"),
    };
    out.code.emit(Op::Move { dst, src: total });
}

/// A word that begins at a constant and that each member may change.
fn emit_accumulator(
    out: &mut Emitter,
    binder: &Binder,
    first: i64,
    change: impl FnOnce(&mut Emitter, u16),
) -> u16 {
    let (src, total) = (out.code.constant(first), out.allocate(1).at);
    out.code.emit(Op::Move { dst: total, src });
    out.emit_loop(binder, |out| change(out, total));
    total
}

fn emit_any_all(out: &mut Emitter, any: bool, binder: &Binder, body: &Expr, dst: u16) {
    let [found, missed] = [any, !any].map(|word| out.code.constant(word.into()));
    let end = out.code.label();
    // What decides is put there first: a label that is passed over costs nothing.
    let decided = out.allocate(1).at;
    out.code.emit(Op::Move { dst: decided, src: found });
    jump_if_found(out, binder, body, any, any, end);
    out.code.emit(Op::Move { dst: decided, src: missed });
    out.code.place(end);
    out.code.emit(Op::Move { dst, src: decided });
}

fn emit_only(out: &mut Emitter, binder: &Binder, body: &[Expr], dst: u16) {
    if is_plain_set(&binder.set) {
        let conditions = conditions_of(binder, body);
        let SlotRange { at: set, width } =
            emit_filtered(out, &binder.set, binder.local, &conditions);
        let a = out.allocate(1).at;
        out.code.emit(Op::Count { dst: a, set, width });
        out.code.emit(Op::CheckOne { a });
        out.code.emit(Op::First { dst, set, width });
        let low = out.plan.low(&binder.set);
        return out.add_low(dst, low);
    }
    let (src, found) = (out.none(), out.allocate(1).at);
    out.code.emit(Op::Move { dst: found, src });
    let a = emit_accumulator(out, binder, 0, |out, total| {
        let (b, skip) = (out.code.constant(1), out.code.label());
        body.iter().for_each(|condition| out.condition(condition, false, skip));
        out.code.emit(Op::Add { dst: total, a: total, b });
        let src = out.body.local_slots(binder.local).at;
        out.code.emit(Op::Move { dst: found, src });
        out.code.place(skip);
    });
    out.code.emit(Op::CheckOne { a });
    out.code.emit(Op::Move { dst, src: found });
}

fn emit_first(out: &mut Emitter, binder: &Binder, body: &[Expr], last: bool, dst: u16) {
    let conditions = conditions_of(binder, body);
    if is_plain_set(&binder.set)
        && let Some(cut) = try_filter_without_loop(out, &binder.set, binder.local, &conditions)
    {
        let (SlotRange { at: set, width }, end) = (cut, out.code.label());
        out.code.emit(if last {
            Op::Last { dst, set, width }
        } else {
            Op::First { dst, set, width }
        });
        let low = out.plan.low(&binder.set);
        if low != 0 {
            let none = out.none();
            out.code.emit(Op::JumpEqual { a: dst, b: none, to: end });
            out.add_low(dst, low);
        }
        return out.code.place(end);
    }
    let end = out.code.label();
    let found = emit_accumulator(out, binder, NONE, |out, found| {
        let skip = out.code.label();
        body.iter().for_each(|condition| out.condition(condition, false, skip));
        let src = out.body.local_slots(binder.local).at;
        out.code.emit(Op::Move { dst: found, src });
        if !last {
            out.code.emit(Op::Jump { to: end });
        }
        out.code.place(skip);
    });
    out.code.place(end);
    out.code.emit(Op::Move { dst, src: found });
}
