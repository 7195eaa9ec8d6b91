//! Places to read from and to assign to: variables, elements of arrays, cells of tables.
//!
//! An array of few values that the file filters by, as `mark[Square]: maybe Player` in
//! `c in Square where mark[c] == none`, is kept as one set for each value: such is the filter.

use crate::bytecode::{KeptSets, NONE, Op};
use crate::compile::emit::Emitter;
use crate::compile::plan::expr_queries::var_element;
use crate::compile::plan::state_layout::{VarLayout, elements};
use crate::compile::{code::CodeLabel, compiled::Storage, passes::Pass, scope::SlotRange};
use crate::rules::{Array, Expr, ExprKind, RangeId, Type, Value, VarId};
use crate::source::Span;

/// Slots of the state.
#[derive(Clone, Copy, Debug)]
pub(super) enum SlotAccess {
    Fixed(SlotRange),
    /// Those of an element whose position is in a slot.
    Indexed {
        base: u16,
        index: u16,
        count: u16,
        width: u16,
    },
}

impl SlotAccess {
    /// Moves an access from an array at `from` to one of this shape at `to`.
    pub(super) fn rebased(self, from: u16, to: u16) -> SlotAccess {
        match self {
            SlotAccess::Fixed(SlotRange { at, width }) => {
                SlotAccess::Fixed(SlotRange { at: to + (at - from), width })
            }
            SlotAccess::Indexed { index, count, width, .. } => {
                SlotAccess::Indexed { base: to, index, count, width }
            }
        }
    }
}

/// Where something is read from or assigned to.
#[derive(Clone, Copy, Debug)]
pub(super) enum AssignTarget {
    Plain(SlotAccess),
    /// An element of an array of yes/no that is kept as sets: whether a member is in a set.
    Flag(SlotAccess, u16),
    /// An element of an array that is kept as sets: in which of them the member is.
    Value {
        base: u16,
        member: u16,
        sets: KeptSets,
    },
}

impl Emitter<'_, '_> {
    pub(super) fn target(&mut self, place: &Expr) -> AssignTarget {
        AssignTarget::Plain(match &place.kind {
            ExprKind::Local(local) => SlotAccess::Fixed(self.body.local_slots(*local)),
            ExprKind::Element(Array::Var(var), indices) => {
                let place = self.plan.var(*var);
                if let Some(sets) = place.sets {
                    return one_hot_target(self, place.base, sets, &place.dims, indices);
                }
                self.element(place.base, place.width, &place.dims, indices)
            }
            ExprKind::Element(Array::Local(local), indices) => {
                let Some(Storage::Array(base, dims, width)) = self.body.locals.get(local).cloned()
                else {
                    unreachable!("checked: only arrays are indexed")
                };
                self.element(base, width, &dims, indices)
            }
            _ => unreachable!("checked: only places are assigned"),
        })
    }

    /// An element of an array whose first slot, slots of one element and dimensions are given.
    pub(super) fn element(
        &mut self,
        base: u16,
        width: u16,
        dims: &[(i64, usize)],
        indices: &[Expr],
    ) -> SlotAccess {
        if let Some(at) = self.facts().fixed(dims, indices) {
            return SlotAccess::Fixed(SlotRange { at: base + at * width, width });
        }
        // What lies before a variable of the game is known; locals are placed later.
        let is_global =
            usize::from(base) < self.plan.layout.initial.len() && !self.counts_from_zero;
        let ahead = self.facts().ahead_of(dims, indices);
        let ahead = ahead.filter(|ahead| is_global && ahead.saturating_mul(width) <= base);
        let index = self.emit_position(dims, indices, (None, ahead.is_some()));
        let ahead = ahead.unwrap_or(0);
        let count = self.count(dims).saturating_add(ahead);
        SlotAccess::Indexed { base: base - ahead * width, index, count, width }
    }

    pub(super) fn count(&mut self, dims: &[(i64, usize)]) -> u16 {
        self.code.fit(elements(dims), "elements")
    }

    /// The value at a target: where it lies if that is known, else loaded into the wanted slots.
    pub(super) fn read(&mut self, target: AssignTarget, wanted: Option<SlotRange>) -> SlotRange {
        match target {
            AssignTarget::Plain(access) => self.load_from(access, wanted),
            AssignTarget::Flag(set, member) => {
                let dst = wanted.unwrap_or_else(|| self.allocate(1));
                let (yes, no) = (self.code.constant(1), self.code.constant(0));
                let end = self.code.label();
                self.code.emit(Op::Move { dst: dst.at, src: no });
                test_flag(self, set, member, false, end);
                self.code.emit(Op::Move { dst: dst.at, src: yes });
                self.code.place(end);
                dst
            }
            AssignTarget::Value { base, member, sets } => {
                let dst = wanted.unwrap_or_else(|| self.allocate(1));
                let (count, width) = (sets.values(), sets.width);
                self.code.emit(Op::LoadValue { dst: dst.at, base, member, count, width });
                dst
            }
        }
    }

    pub(super) fn load_from(&mut self, access: SlotAccess, wanted: Option<SlotRange>) -> SlotRange {
        match access {
            SlotAccess::Fixed(slots) => slots,
            SlotAccess::Indexed { base, index, count, width } => {
                let dst = wanted.unwrap_or_else(|| self.allocate(width));
                self.load(dst, base, index, count);
                dst
            }
        }
    }

    pub(super) fn load(&mut self, dst: SlotRange, base: u16, index: u16, count: u16) {
        let SlotRange { at: dst, width } = dst;
        self.code.emit(match width {
            1 => Op::Load { dst, base, index, count },
            width => Op::LoadSet { dst, base, index, count, width },
        });
    }

    pub(super) fn store(&mut self, target: AssignTarget, value: SlotRange) {
        let src = value.at;
        match target {
            AssignTarget::Plain(SlotAccess::Fixed(slots)) => self.emit_copy(slots.at, value),
            AssignTarget::Plain(SlotAccess::Indexed { base, index, count, width }) => {
                self.code.emit(match width {
                    1 => Op::Store { base, index, src, count },
                    width => Op::StoreSet { base, index, src, count, width },
                });
            }
            AssignTarget::Flag(set, member) => {
                if let Some(known) = self.code.constant_at(src) {
                    return self.change_member(set, member, known != 0);
                }
                let [no, end] = self.code.labels();
                self.code.emit(Op::JumpIfNot { a: src, to: no });
                self.change_member(set, member, true);
                self.code.emit(Op::Jump { to: end });
                self.code.place(no);
                self.change_member(set, member, false);
                self.code.place(end);
            }
            AssignTarget::Value { base, member, sets } => {
                let (count, width) = (sets.sets, sets.width);
                self.code.emit(Op::StoreValue { base, member, src, count, width });
            }
        }
    }

    /// Puts a member into a set, or takes it out.
    pub(super) fn change_member(&mut self, set: SlotAccess, member: u16, add: bool) {
        self.code.emit(match (set, add) {
            (SlotAccess::Fixed(SlotRange { at: set, width }), true) => {
                Op::Insert { set, member, width }
            }
            (SlotAccess::Fixed(SlotRange { at: set, width }), false) => {
                Op::Remove { set, member, width }
            }
            (SlotAccess::Indexed { base, index, count, width }, true) => {
                Op::InsertAt { base, index, count, member, width }
            }
            (SlotAccess::Indexed { base, index, count, width }, false) => {
                Op::RemoveAt { base, index, count, member, width }
            }
        });
    }

    pub(super) fn emit_range_check(&mut self, a: u16, range: Option<RangeId>) {
        let Some(range) = range else { return };
        let (low, high) = self.plan.ranges[range.index()];
        let is_inside = |word| low <= word && high.is_none_or(|high| word <= high);
        if self.code.constant_at(a).is_some_and(is_inside) {
            return;
        }
        let low = self.code.constant(low);
        let high = self.code.constant(high.unwrap_or(NONE));
        self.code.emit(Op::CheckRange { a, low, high });
    }

    /// The position of an element, its indices checked unless they count as they are; continues at
    /// `missing` where one is none.
    pub(super) fn emit_position(
        &mut self,
        dims: &[(i64, usize)],
        indices: &[Expr],
        (missing, as_they_are): (Option<CodeLabel>, bool),
    ) -> u16 {
        let mut place = None;
        for ((low, size), index) in dims.iter().zip(indices) {
            let is_number = matches!(index.ty, Type::Number);
            place = Some(match place {
                Some(a) if is_number && !as_they_are => scaled_from(self, a, index, *low, *size),
                before => {
                    let b = if as_they_are {
                        self.word(index)
                    } else {
                        emit_index(self, index, *low, *size, dims.len() > 1)
                    };
                    if let (Some(to), Type::Maybe(_)) = (missing, &index.ty) {
                        let none = self.none();
                        self.code.emit(Op::JumpEqual { a: b, b: none, to });
                    }
                    before.map_or(b, |a| {
                        let (dst, size) = (self.allocate(1).at, self.code.fit(*size, "elements"));
                        self.code.emit(Op::Scale { dst, a, size, b });
                        dst
                    })
                }
            });
        }
        place.unwrap_or_else(|| self.code.constant(0))
    }

    /// Cells of the rules as constants, one after the other. They are remembered by where they lie,
    /// since large tables are read in many places.
    pub(super) fn cells(&mut self, cells: &[Value], ty: &Type, span: Span) -> u16 {
        let place = (cells.as_ptr().addr(), cells.len());
        if let Some(known) = self.code.known_cells.get(&place) {
            return *known;
        }
        let words: Vec<i64> =
            cells.iter().flat_map(|cell| self.encode_value(cell, ty, span)).collect();
        self.plan.budget.charge(words.len());
        let at = self.code.constants(&words);
        self.code.known_cells.insert(place, at);
        at
    }
}

/// The first slot and the length of a row of an array.
pub(super) fn row_of(out: &mut Emitter, var: VarId, outer: &[Expr]) -> (u16, u16) {
    let place = out.plan.var(var);
    let (rows, row) = place.dims.split_at(outer.len());
    let count = out.count(row);
    let row = out.element(place.base, count, rows, outer);
    (out.load_from(row, None).at, count)
}

/// First slot, slot of the position and number of elements of an element of one word.
pub(super) fn one_word_element(out: &mut Emitter, expr: &Expr) -> Option<[u16; 3]> {
    let is_element = matches!(expr.kind, ExprKind::Element(Array::Var(_) | Array::Local(_), ..));
    let is_word = is_element && !out.plan.is_kept(expr) && out.plan.width(&expr.ty, expr.span) == 1;
    if !is_word || !out.plan.tries(Pass::Fused) {
        return None;
    }
    match out.target(expr) {
        AssignTarget::Plain(SlotAccess::Indexed { base, index, count, .. }) => {
            out.plan.fires(Pass::Fused);
            Some([base, index, count])
        }
        _ => None,
    }
}

/// The position of an element by that of its row and a number in the row, which is checked.
fn scaled_from(out: &mut Emitter, a: u16, index: &Expr, low: i64, size: usize) -> u16 {
    let b = out.word(index);
    let outer = std::mem::replace(&mut out.code.span, index.span);
    let (dst, low) = (out.allocate(1).at, out.code.constant(low));
    let size = out.code.fit(size, "elements");
    out.code.emit(Op::ScaleFrom { dst, a, size, b, low });
    out.code.span = outer;
    dst
}

/// One index, counted from 0. A number in one of several dimensions is checked on its own, as
/// is a number as a member of a set; the first dimension alone is checked where the element is
/// read.
fn emit_index(out: &mut Emitter, index: &Expr, low: i64, size: usize, checks: bool) -> u16 {
    let a = out.word(index);
    if !matches!(index.ty, Type::Number) || (low == 0 && !checks) {
        return a;
    }
    let outer = std::mem::replace(&mut out.code.span, index.span);
    let (dst, low) = (out.allocate(1).at, out.code.constant(low));
    let count = out.code.fit(size, "elements");
    out.code.emit(Op::Index { dst, a, low, count });
    out.code.span = outer;
    dst
}

pub(super) fn load_cell(
    out: &mut Emitter,
    cells: &[Value],
    of: &Expr,
    expr: &Expr,
    dst: SlotRange,
) {
    let member = out.word(of);
    let base = out.cells(cells, &expr.ty, expr.span);
    let end = out.code.label();
    if matches!(of.ty, Type::Maybe(_)) {
        let none = out.none();
        out.code.emit(Op::Move { dst: dst.at, src: none });
        out.code.emit(Op::JumpEqual { a: member, b: none, to: end });
    }
    let count = out.code.fit(cells.len(), "cells");
    out.load(dst, base, member, count);
    out.code.place(end);
}

/// A cell of a table; with `none` for an index, `none`. Where the first indices are known the
/// cells after them are a table of their own.
pub(super) fn load_table_cell(out: &mut Emitter, expr: &Expr, dst: SlotRange) {
    let ExprKind::Element(Array::Table(table), indices) = &expr.kind else { return };
    let table = &out.plan.rules.tables[table.index()];
    let dims: Vec<(i64, usize)> =
        table.dims.iter().map(|domain| out.plan.domain(*domain, expr.span)).collect();
    let (mut cells, mut known) = (&*table.cells, 0);
    while known + 1 < dims.len() {
        let (low, size) = dims[known];
        let Some(at) = out.facts().known_index(low, size, &indices[known]) else { break };
        let block = cells.len() / size;
        cells = &cells[at * block..(at + 1) * block];
        known += 1;
    }
    let (dims, indices) = (&dims[known..], &indices[known..]);
    let end = out.code.label();
    if indices.iter().any(|index| matches!(index.ty, Type::Maybe(_))) {
        let none = out.none();
        out.code.emit(Op::Move { dst: dst.at, src: none });
    }
    let index = out.emit_position(dims, indices, (Some(end), false));
    let base = out.cells(cells, &expr.ty, expr.span);
    let count = out.code.fit(cells.len(), "cells");
    out.load(dst, base, index, count);
    out.code.place(end);
}

fn one_hot_target(
    out: &mut Emitter,
    base: u16,
    sets: KeptSets,
    dims: &[(i64, usize)],
    indices: &[Expr],
) -> AssignTarget {
    let (Some((last, outer)), Some((index, before))) = (dims.split_last(), indices.split_last())
    else {
        unreachable!("only arrays are kept as sets")
    };
    // The last index is the position of a member in a set.
    let member = match out.facts().known_index(last.0, last.1, index) {
        Some(at) => out.code.constant(i64::try_from(at).expect("a set has few members")),
        None => emit_index(out, index, last.0, last.1, true),
    };
    if sets.flags {
        return AssignTarget::Flag(out.element(base, sets.width, outer, before), member);
    }
    AssignTarget::Value { base, member, sets }
}

/// Continues at `to` if a member being in a set is `when`.
pub(super) fn test_flag(
    out: &mut Emitter,
    set: SlotAccess,
    member: u16,
    when: bool,
    to: CodeLabel,
) {
    let jump = match set {
        SlotAccess::Indexed { base, index, count, width: 1 } => {
            Op::JumpHasAt { base, index, count, member, to }
        }
        set => {
            let SlotRange { at: set, width } = out.load_from(set, None);
            Op::JumpHas { set, member, width, to }
        }
    };
    out.code.branch(jump, when);
}

/// Tests whether an element is a value whose set is known; no if it must be looked up.
#[must_use]
pub(super) fn try_test_value(
    out: &mut Emitter,
    place: &Expr,
    value: &Expr,
    when: bool,
    to: CodeLabel,
) -> bool {
    let sets = var_element(place).and_then(|(var, _)| out.plan.var(var).sets);
    let set = match (sets.filter(|sets| !sets.flags), out.facts().fold(value)) {
        (Some(sets), Some(Value::Int(number))) => sets.set_of(number),
        (Some(sets), Some(Value::None)) => sets.set_of(NONE),
        _ => None,
    };
    if !out.plan.tries(Pass::Fused) {
        return false;
    }
    let Some(set) = set else { return try_test_local(out, place, value, when, to) };
    out.plan.fires(Pass::Fused);
    let AssignTarget::Value { base, member, sets } = out.target(place) else { return false };
    let (set, width) = (base + set * sets.width, sets.width);
    out.code.branch(Op::JumpHas { set, member, width, to }, when);
    true
}

/// Tests whether an element equals a local that is never none; no if the forms do not fit.
#[must_use]
fn try_test_local(
    out: &mut Emitter,
    place: &Expr,
    value: &Expr,
    when: bool,
    to: CodeLabel,
) -> bool {
    let Some((var, _)) = var_element(place) else { return false };
    let sets = out.plan.var(var).sets;
    let is_same = match &out.plan.rules.vars[var.index()].ty {
        Type::Maybe(ty) => **ty == value.ty,
        ty => *ty == value.ty,
    };
    let is_plain = matches!((&value.kind, &value.ty), (ExprKind::Local(_), Type::Kind(_)));
    if !is_plain || !is_same || sets.is_none_or(|sets| sets.flags || sets.width > 1) {
        return false;
    }
    let AssignTarget::Value { base, member, sets } = out.target(place) else { return false };
    out.plan.fires(Pass::Fused);
    let (index, count) = (out.word(value), sets.values());
    out.code.branch(Op::JumpHasAt { base, index, count, member, to }, when);
    true
}

/// `reset` of variables: read from the first values, which lie in the same way.
pub(super) fn reset_to(out: &mut Emitter, place: &VarLayout, indices: &[Expr]) {
    let initial = out.code.constants(&place.initial);
    // Nothing of these lies before the first values.
    let outer = std::mem::replace(&mut out.counts_from_zero, true);
    reset_from(out, initial, place, indices);
    out.counts_from_zero = outer;
}

fn reset_from(out: &mut Emitter, initial: u16, place: &VarLayout, indices: &[Expr]) {
    if let Some(sets) = place.sets.filter(|_| indices.len() == place.dims.len()) {
        let target = one_hot_target(out, place.base, sets, &place.dims, indices);
        let first = match target {
            AssignTarget::Flag(set, member) => {
                AssignTarget::Flag(set.rebased(place.base, initial), member)
            }
            AssignTarget::Value { member, sets, .. } => {
                AssignTarget::Value { base: initial, member, sets }
            }
            AssignTarget::Plain(_) => unreachable!("it is kept as sets"),
        };
        let value = out.allocate(1);
        out.read(first, Some(value));
        return out.store(target, value);
    }
    let (dims, rest) = place.dims.split_at(indices.len());
    let words = elements(rest) * place.initial.len() / place.count().max(1);
    let width = out.code.fit(words, "words in the state");
    if width > 0 {
        let access = out.element(place.base, width, dims, indices);
        let value = out.load_from(access.rebased(place.base, initial), None);
        out.store(AssignTarget::Plain(access), value);
    }
}
