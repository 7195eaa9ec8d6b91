//! Emits loop heads: one for each kind of iteration (members, lists, numbers, walks, subsets).

use crate::bytecode::{MOST_IN_SUBSETS, NONE, Op};
use crate::compile::emit::{Emitter, lists::emit_append};
use crate::compile::plan::state_layout::Packing;
use crate::compile::{code::CodeLabel, compiled::Storage, error, scope::SlotRange};
use crate::rules::walks::goes_round;
use crate::rules::{Array, BoardWalk, Expr, ExprKind, LocalId, SubsetBound, Value};
use crate::source::Span;

/// A loop: its member, next round and end, and where the body begins if none comes first.
#[derive(Clone, Copy)]
pub(super) struct LoopTargets {
    pub(super) dst: u16,
    pub(super) next: CodeLabel,
    pub(super) exit: CodeLabel,
    pub(super) none: Option<CodeLabel>,
    /// Whether the last member comes first.
    pub(super) backwards: bool,
}

/// Each element of a copy of the list, in order or against it.
pub(super) fn each_element(out: &mut Emitter, over: LoopTargets, of: &Expr) {
    let LoopTargets { dst, exit, backwards, .. } = over;
    let Packing { bits, low, .. } = out.plan.packed(of);
    let list @ SlotRange { at, width } = out.take_for(&of.ty, of.span);
    out.compute(of, list);
    if backwards {
        begin_round(out, over);
        out.code.emit(Op::TakeLast { dst, list: at, width, bits, to: exit });
    } else {
        let (index, none) = (out.allocate(1).at, out.none());
        let (start, one) = (out.code.constant(-1), out.code.constant(1));
        out.code.emit(Op::Move { dst: index, src: start });
        begin_round(out, over);
        out.code.emit(Op::Add { dst: index, a: index, b: one });
        out.code.emit(Op::ElementOrNone { dst, list: at, index, width, bits });
        out.code.emit(Op::JumpEqual { a: dst, b: none, to: exit });
    }
    out.add_low(dst, low);
}

/// All lists that can grow, each before those that begin with it. The list itself is the only
/// memory of the search: what may come next is computed again where it goes on.
pub(super) fn each_list(out: &mut Emitter, over: LoopTargets, local: LocalId, all: &Expr) {
    let ExprKind::Lists(next) = &all.kind else {
        unreachable!("lists are written where a loop runs over them")
    };
    let LoopTargets { dst: list, next: round, exit, .. } = over;
    let packing @ Packing { width, bits, most, .. } = out.plan.packed(all);
    out.keep_local(local, Storage::Slots(list, width));
    let (member, length) = (out.allocate(1).at, out.allocate(1).at);
    let (none, longest) = (out.none(), out.code.constant(most.into()));
    let [grow, back] = out.code.labels();
    out.code.emit(Op::Clear { set: list, width });
    out.code.emit(Op::Move { dst: member, src: none });
    out.code.emit(Op::Jump { to: grow });
    out.code.place(back);
    out.code.emit(Op::TakeLast { dst: member, list, width, bits, to: exit });
    out.code.emit(Op::Again { to: grow });
    out.code.place(round);
    out.code.emit(Op::Move { dst: member, src: none });
    out.code.emit(Op::Length { dst: length, list, width, bits });
    out.code.emit(Op::JumpAtMost { a: longest, b: length, to: back });
    out.code.place(grow);
    let mark = out.mark();
    let SlotRange { at: set, width: members } = out.operand(next);
    out.code.emit(Op::MemberAfter { member, set, width: members, to: back });
    out.release(mark);
    emit_append(out, list, member, packing);
}

/// Pops the members of a copy of the set.
pub(super) fn each_member(
    out: &mut Emitter,
    over: LoopTargets,
    set: &Expr,
    from: Option<&Expr>,
    cut: Option<SlotRange>,
) {
    let LoopTargets { dst, exit, backwards, .. } = over;
    let low = out.plan.low(set);
    let SlotRange { at: rest, width } = out.take_for(&set.ty, set.span);
    match cut {
        Some(cut) => out.emit_copy(rest, cut),
        None => out.compute(set, SlotRange { at: rest, width }),
    }
    let start = from.map(|from| {
        let start = out.kept_word(from);
        out.behind_low(start, low)
    });
    // Backwards the last comes first, if none is given.
    let start = start.or_else(|| backwards.then(|| out.code.constant(i64::MAX)));
    begin_round(out, over);
    out.code.emit(match start {
        Some(start) if backwards => Op::PopBack { dst, set: rest, start, width, to: exit },
        Some(start) => Op::PopFrom { dst, set: rest, start, width, to: exit },
        None => Op::Pop { dst, set: rest, width, to: exit },
    });
    out.add_low(dst, low);
}

/// Each round begins here; none comes before the first.
fn begin_round(out: &mut Emitter, over: LoopTargets) {
    over.none.iter().for_each(|first| out.code.emit(Op::Jump { to: *first }));
    out.code.place(over.next);
}

/// Walks from a cell to the next in a direction, until the board or the ring ends.
pub(super) fn each_step(out: &mut Emitter, over: LoopTargets, walk: &BoardWalk) {
    let LoopTargets { dst, next, exit, .. } = over;
    let (start, direction) = (out.steady(&walk.start), out.steady(&walk.direction));
    // The cells that it stops at, where those are not all that it comes by.
    let all = matches!(walk.set.kind, ExprKind::Element(Array::Table(_), ..));
    let within = (!all).then(|| out.kept_value(&walk.set));
    let at = counter_slot(out, over);
    out.code.emit(Op::Move { dst: at, src: start });
    let ([base, row, count], goes_round) = step_table(out, walk, direction);
    begin_round(out, over);
    out.code.emit(Op::WalkOn { at, base, row, count, to: exit });
    if goes_round {
        out.code.emit(Op::JumpEqual { a: at, b: start, to: exit });
    }
    if let Some(SlotRange { at: set, width }) = within {
        out.code.emit(Op::JumpLacks { set, member: at, width, to: next });
    }
    out.emit_copy(dst, SlotRange { at, width: 1 });
}

/// The slot from which a loop continues: its member, unless that can be none.
fn counter_slot(out: &mut Emitter, over: LoopTargets) -> u16 {
    if over.none.is_some() { out.allocate(1).at } else { over.dst }
}

/// From the end of a walk back to its beginning. The cells of a walk follow each other in the
/// order of the board, round a ring or not, or all against it.
pub(super) fn each_step_back(out: &mut Emitter, over: LoopTargets, walk: &BoardWalk) {
    let LoopTargets { dst, exit, .. } = over;
    let SlotRange { at: set, width } = out.take_for(&walk.set.ty, walk.set.span);
    let (start, falls) = (out.allocate(1), out.allocate(1).at);
    out.compute(&walk.start, start);
    out.compute(&walk.set, SlotRange { at: set, width });
    emit_is_downward(out, walk, falls);
    let [up, end] = out.code.labels();
    begin_round(out, over);
    out.code.emit(Op::JumpIfNot { a: falls, to: up });
    out.code.emit(Op::PopFrom { dst, set, start: start.at, width, to: exit });
    out.code.emit(Op::Jump { to: end });
    out.code.place(up);
    out.code.emit(Op::PopBack { dst, set, start: start.at, width, to: exit });
    out.code.place(end);
}

/// Emits 1 into `dst` if the direction of a walk leads to earlier cells, else 0.
fn emit_is_downward(out: &mut Emitter, walk: &BoardWalk, dst: u16) {
    let rules = out.plan.rules;
    let table = &rules.tables[walk.step.index()];
    let size = rules.kinds[walk.board.index()].members.len();
    let falls = |cells: &[Value]| {
        let falls = |(at, to): (i64, &Value)| match to {
            Value::Int(to) => (at - to).signum(),
            _ => 0,
        };
        i64::from((0..).zip(cells).map(falls).sum::<i64>() > 0)
    };
    let ways: Vec<i64> = table.cells.chunks(size).map(falls).collect();
    let direction = out.word(&walk.direction);
    let count = out.code.fit(ways.len(), "directions");
    let base = out.code.constants(&ways);
    out.code.emit(Op::Load { dst, base, index: direction, count });
}

/// From each cell the next one: the first slot, the position of the row of the direction, and how
/// many there are, those of one row if the direction is known. And whether some walk goes round.
fn step_table(out: &mut Emitter, walk: &BoardWalk, direction: u16) -> ([u16; 3], bool) {
    let rules = out.plan.rules;
    let table = &rules.tables[walk.step.index()];
    let size = rules.kinds[walk.board.index()].members.len();
    let known = out.facts().known_index(0, table.cells.len() / size, &walk.direction);
    let zero = out.code.constant(0);
    let (cells, row) = match known {
        Some(way) => (&table.cells[way * size..(way + 1) * size], zero),
        None => {
            let (dst, size) = (out.allocate(1).at, out.code.fit(size, "cells"));
            out.code.emit(Op::Scale { dst, a: direction, size, b: zero });
            (&*table.cells, dst)
        }
    };
    out.plan.budget.charge(cells.len());
    let base = out.cells(cells, &table.ty, walk.set.span);
    ([base, row, out.code.fit(cells.len(), "cells")], goes_round(cells, size))
}

pub(super) fn each_number(out: &mut Emitter, over: LoopTargets, low: &Expr, high: &Expr) {
    let LoopTargets { dst, exit, backwards, .. } = over;
    let (first, last) = if backwards { (high, low) } else { (low, high) };
    let a = counter_slot(out, over);
    let step = if backwards { -1 } else { 1 };
    // The first step leads to the first number, or past none.
    let before = match out.facts().fold(first) {
        Some(Value::Int(first)) => first.checked_sub(step).filter(|before| *before != NONE),
        _ => None,
    };
    if let Some(before) = before {
        let src = out.code.constant(before);
        out.code.emit(Op::Move { dst: a, src });
    } else {
        out.compute(first, SlotRange { at: a, width: 1 });
    }
    let last = out.steady(last);
    if before.is_none() {
        let b = out.code.constant(step);
        out.code.emit(Op::Subtract { dst: a, a, b });
    }
    begin_round(out, over);
    let to = exit;
    out.code.emit(if backwards {
        Op::CountDown { a, last, to }
    } else {
        Op::CountUp { a, last, to }
    });
    out.emit_copy(dst, SlotRange { at: a, width: 1 });
}

/// A value that may be none. Returns whether there can be a second round.
pub(super) fn each_maybe(out: &mut Emitter, over: LoopTargets, maybe: &Expr) -> bool {
    let LoopTargets { dst, exit, .. } = over;
    if over.none.is_none() {
        out.compute(maybe, SlotRange { at: dst, width: 1 });
        let empty = out.none();
        out.code.emit(Op::JumpEqual { a: dst, b: empty, to: exit });
        return false;
    }
    let (value, left) = (out.allocate(1), out.allocate(1).at);
    out.compute(maybe, value);
    let (empty, zero, one) = (out.none(), out.code.constant(0), out.code.constant(1));
    out.code.emit(Op::Move { dst: left, src: one });
    begin_round(out, over);
    out.code.emit(Op::JumpEqual { a: left, b: zero, to: exit });
    out.code.emit(Op::JumpEqual { a: value.at, b: empty, to: exit });
    out.code.emit(Op::Move { dst: left, src: zero });
    out.code.emit(Op::Move { dst, src: value.at });
    true
}

/// Counts from the empty set to the whole one, or through the sets of some sizes.
pub(super) fn each_subset(out: &mut Emitter, over: LoopTargets, subsets: &Expr) {
    let (kind, told_apart) = match &subsets.kind {
        ExprKind::Distinct(inner) => (&inner.kind, true),
        kind => (kind, false),
    };
    let ExprKind::Subsets(set, size) = kind else {
        unreachable!("subsets are written where a loop runs over them")
    };
    let LoopTargets { dst, next, exit, .. } = over;
    let width = out.width_of_member(subsets);
    let (of, at) = (out.allocate(width), out.allocate(width).at);
    out.compute(set, of);
    let (of, first, cards) =
        (of.at, out.code.label(), told_apart.then(|| out.plan.cards_in(&set.ty)));
    if size.is_none() && cards.is_none() {
        refuse_large(out, set);
        emit_at(out, set.span, Op::CheckSubsets { set: of, width });
        out.code.emit(Op::Clear { set: at, width });
        out.code.emit(Op::Jump { to: first });
        out.code.place(next);
        out.code.emit(Op::NextSubset { set: at, of, width, to: exit });
    } else {
        let sizes = subset_sizes(out, size.as_ref(), width);
        emit_at(
            out,
            set.span,
            match cards {
                Some(cards) => Op::CheckAlike { set: of, width, sizes, cards },
                None => Op::CheckSized { set: of, width, sizes },
            },
        );
        out.code.emit(Op::FirstSized { set: at, of, width, sizes, to: exit });
        out.code.emit(Op::Jump { to: first });
        out.code.place(next);
        if let Some(cards) = cards {
            out.code.emit(Op::NextAlike { set: at, of, width, sizes, cards });
            out.code.emit(Op::JumpEmpty { set: at, width, to: exit });
        } else {
            out.code.emit(Op::NextSized { set: at, of, width, sizes, to: exit });
        }
    }
    out.code.place(first);
    out.emit_copy(dst, SlotRange { at, width });
}

/// Emits an operation that may trap at a place.
pub(super) fn emit_at(out: &mut Emitter, span: Span, op: Op) {
    let outer = std::mem::replace(&mut out.code.span, span);
    out.code.emit(op);
    out.code.span = outer;
}

/// Two slots with the fewest and the most members that subsets may have.
pub(super) fn subset_sizes(out: &mut Emitter, size: Option<&SubsetBound>, width: u16) -> u16 {
    let sizes = out.allocate(2).at;
    let (zero, all) = (out.code.constant(0), out.code.constant(i64::from(width) * 64));
    let most = SlotRange { at: sizes + 1, width: 1 };
    match size {
        Some(size) => out.compute(&size.size, most),
        None => out.code.emit(Op::Move { dst: most.at, src: all }),
    }
    let is_exact = size.is_some_and(|size| !size.up_to);
    out.code.emit(Op::Move { dst: sizes, src: if is_exact { most.at } else { zero } });
    sizes
}

/// Reports a set that is known to have too many members.
pub(super) fn refuse_large(out: &mut Emitter, set: &Expr) {
    let Some(Value::Set(members)) = out.facts().fold(set) else { return };
    if members.len() > MOST_IN_SUBSETS {
        let (members, span) = (members.len(), set.span);
        let setting = out.plan.setting_text();
        out.plan.report(error::TooManySubsets { members, setting, span });
    }
}
