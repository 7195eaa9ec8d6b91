//! Places to read from and to assign to: variables, elements of arrays, cells of tables.
//!
//! An array of few values that the file filters by, as `mark[Square]: maybe Player` in
//! `c in Square where mark[c] == none`, is kept as one set for each value: such is the filter.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::bytecode::{KeptSets, NONE, Op};
use crate::compile::code::CodeLabel;
use crate::compile::layout::{VarLayout, elements};
use crate::compile::{Compiler, Pass, SlotRange, Storage};
use crate::rules::visit::visit_member_tests;
use crate::rules::{
    Array, Expr, ExprKind, LocalId, PLAYER, RangeId, Rules, Type, Value, Var, VarForm, VarId,
};
use crate::source::Span;
use crate::syntax::ast::Visibility;

/// Arrays whose first element would lie further ahead than this have their indices counted from 0.
const MOST_AHEAD: u16 = 64;
/// More values than this are kept element by element.
const MOST_VALUES: usize = 8;

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
    /// The same slots of another array of this shape.
    pub(super) fn moved(self, from: u16, to: u16) -> SlotAccess {
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

/// An element of a variable, with its indices.
pub(super) fn var_element(expr: &Expr) -> Option<(VarId, &[Expr])> {
    match &expr.kind {
        ExprKind::Element(Array::Var(var), indices) => Some((*var, indices)),
        _ => None,
    }
}

/// The variables that a file picks members by: with the member as the last index, in a condition.
pub(super) fn filtered(rules: &Rules) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for rule in &rules.rules {
        visit_member_tests(rule, &mut |member, test| {
            let indexed = |part: &Expr| {
                let (var, indices) = var_element(part)?;
                indices.last()?.is_local(member).then_some(var)
            };
            test.visit_tree(&mut |part| found.extend(indexed(part)));
        });
    }
    found
}

impl Compiler<'_> {
    pub(super) fn var(&self, var: VarId) -> Rc<VarLayout> {
        Rc::clone(&self.layout.vars[var.index()])
    }

    pub(super) fn none(&mut self) -> u16 {
        self.code.constant(NONE)
    }

    pub(super) fn local_slots(&self, local: LocalId) -> SlotRange {
        match self.body.locals.get(&local) {
            Some(Storage::Slots(at, width)) => SlotRange { at: *at, width: *width },
            // Arrays have no value of their own; known locals were folded.
            _ => unreachable!("checked: a local is read only after it is bound"),
        }
    }

    pub(super) fn target(&mut self, place: &Expr) -> AssignTarget {
        AssignTarget::Plain(match &place.kind {
            ExprKind::Local(local) => SlotAccess::Fixed(self.local_slots(*local)),
            ExprKind::Element(Array::Var(var), indices) => {
                let place = self.var(*var);
                if let Some(sets) = place.sets {
                    return self.kept(place.base, sets, &place.dims, indices);
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
        if let Some(at) = self.fixed(dims, indices) {
            return SlotAccess::Fixed(SlotRange { at: base + at * width, width });
        }
        // What lies before a variable of the game is known; locals are placed later.
        let is_global = usize::from(base) < self.layout.initial.len() && !self.counts_from_zero;
        let ahead = self.ahead_of(dims, indices);
        let ahead = ahead.filter(|ahead| is_global && ahead.saturating_mul(width) <= base);
        let index = self.position(dims, indices, (None, ahead.is_some()));
        let ahead = ahead.unwrap_or(0);
        let count = self.count(dims).saturating_add(ahead);
        SlotAccess::Indexed { base: base - ahead * width, index, count, width }
    }

    /// How many elements lie before the first if indices count as they are, not from 0. None if some may
    /// lie outside: then each is checked.
    fn ahead_of(&self, dims: &[(i64, usize)], indices: &[Expr]) -> Option<u16> {
        let mut ahead = 0_usize;
        for ((low, size), index) in dims.iter().zip(indices) {
            let is_number = index.ty == Type::Number;
            let low = usize::try_from(*low).ok().filter(|low| is_number || *low == 0)?;
            ahead = ahead.checked_mul(*size)?.checked_add(low)?;
            let ends = (i64::try_from(low).ok()?, i64::try_from(low + size).ok()? - 1);
            if is_number && !self.is_between(index, ends) {
                return None;
            }
        }
        u16::try_from(ahead).ok().filter(|ahead| *ahead <= MOST_AHEAD)
    }

    pub(super) fn count(&mut self, dims: &[(i64, usize)]) -> u16 {
        self.code.fit(elements(dims), "elements")
    }

    /// First slot, slot of the position and number of elements of an element of one word.
    pub(super) fn one_word_element(&mut self, expr: &Expr) -> Option<[u16; 3]> {
        let is_element =
            matches!(expr.kind, ExprKind::Element(Array::Var(_) | Array::Local(_), ..));
        let is_word = is_element && !self.is_kept(expr) && self.width(&expr.ty, expr.span) == 1;
        if !is_word || !self.tries(Pass::Fused) {
            return None;
        }
        match self.target(expr) {
            AssignTarget::Plain(SlotAccess::Indexed { base, index, count, .. }) => {
                self.fires(Pass::Fused);
                Some([base, index, count])
            }
            _ => None,
        }
    }

    /// The value at a target: where it lies if that is known, else loaded into the wanted slots.
    pub(super) fn read(&mut self, target: AssignTarget, wanted: Option<SlotRange>) -> SlotRange {
        match target {
            AssignTarget::Plain(access) => self.load_from(access, wanted),
            AssignTarget::Flag(set, member) => {
                let dst = wanted.unwrap_or_else(|| self.take(1));
                let (yes, no) = (self.code.constant(1), self.code.constant(0));
                let end = self.code.label();
                self.code.emit(Op::Move { dst: dst.at, src: no });
                self.test_flag(set, member, false, end);
                self.code.emit(Op::Move { dst: dst.at, src: yes });
                self.code.place(end);
                dst
            }
            AssignTarget::Value { base, member, sets } => {
                let dst = wanted.unwrap_or_else(|| self.take(1));
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
                let dst = wanted.unwrap_or_else(|| self.take(width));
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
            AssignTarget::Plain(SlotAccess::Fixed(slots)) => self.copy(slots.at, value),
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

    pub(super) fn range_of(&self, place: &Expr) -> Option<RangeId> {
        match &place.kind {
            ExprKind::Element(Array::Var(var), _) => self.rules.vars[var.index()].range,
            ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _) => {
                self.local_info(*local).range
            }
            _ => None,
        }
    }

    pub(super) fn check_range(&mut self, a: u16, range: Option<RangeId>) {
        let Some(range) = range else { return };
        let (low, high) = self.ranges[range.index()];
        let is_inside = |word| low <= word && high.is_none_or(|high| word <= high);
        if self.code.constant_at(a).is_some_and(is_inside) {
            return;
        }
        let low = self.code.constant(low);
        let high = self.code.constant(high.unwrap_or(NONE));
        self.code.emit(Op::CheckRange { a, low, high });
    }

    /// The position of an element whose indices are all known and inside.
    pub(super) fn fixed(&self, dims: &[(i64, usize)], indices: &[Expr]) -> Option<u16> {
        let mut place = 0;
        for ((low, size), index) in dims.iter().zip(indices) {
            place = place * size + self.known_index(*low, *size, index)?;
        }
        u16::try_from(place).ok()
    }

    /// An index counted from 0, if it is known and inside.
    pub(super) fn known_index(&self, low: i64, size: usize, index: &Expr) -> Option<usize> {
        let Value::Int(number) = self.fold(index)? else { return None };
        usize::try_from(number.checked_sub(low)?).ok().filter(|position| *position < size)
    }

    /// The position of an element, its indices checked unless they count as they are; continues at
    /// `missing` where one is none.
    pub(super) fn position(
        &mut self,
        dims: &[(i64, usize)],
        indices: &[Expr],
        (missing, as_they_are): (Option<CodeLabel>, bool),
    ) -> u16 {
        let mut place = None;
        for ((low, size), index) in dims.iter().zip(indices) {
            let is_number = matches!(index.ty, Type::Number);
            place = Some(match place {
                Some(a) if is_number && !as_they_are => self.scaled_from(a, index, *low, *size),
                before => {
                    let b = if as_they_are {
                        self.word(index)
                    } else {
                        self.index(index, *low, *size, dims.len() > 1)
                    };
                    if let (Some(to), Type::Maybe(_)) = (missing, &index.ty) {
                        let none = self.none();
                        self.code.emit(Op::JumpEqual { a: b, b: none, to });
                    }
                    before.map_or(b, |a| {
                        let (dst, size) = (self.take(1).at, self.code.fit(*size, "elements"));
                        self.code.emit(Op::Scale { dst, a, size, b });
                        dst
                    })
                }
            });
        }
        place.unwrap_or_else(|| self.code.constant(0))
    }

    /// The position of an element by that of its row and a number in the row, which is checked.
    fn scaled_from(&mut self, a: u16, index: &Expr, low: i64, size: usize) -> u16 {
        let b = self.word(index);
        let outer = std::mem::replace(&mut self.code.span, index.span);
        let (dst, low) = (self.take(1).at, self.code.constant(low));
        let size = self.code.fit(size, "elements");
        self.code.emit(Op::ScaleFrom { dst, a, size, b, low });
        self.code.span = outer;
        dst
    }

    /// One index, counted from 0. A number in one of several dimensions is checked on its own, as
    /// is a number as a member of a set; the first dimension alone is checked where the element is
    /// read.
    fn index(&mut self, index: &Expr, low: i64, size: usize, checks: bool) -> u16 {
        let a = self.word(index);
        if !matches!(index.ty, Type::Number) || (low == 0 && !checks) {
            return a;
        }
        let outer = std::mem::replace(&mut self.code.span, index.span);
        let (dst, low) = (self.take(1).at, self.code.constant(low));
        let count = self.code.fit(size, "elements");
        self.code.emit(Op::Index { dst, a, low, count });
        self.code.span = outer;
        dst
    }

    pub(super) fn cell(&mut self, cells: &[Value], of: &Expr, expr: &Expr, dst: SlotRange) {
        let member = self.word(of);
        let base = self.cells(cells, &expr.ty, expr.span);
        let end = self.code.label();
        if matches!(of.ty, Type::Maybe(_)) {
            let none = self.none();
            self.code.emit(Op::Move { dst: dst.at, src: none });
            self.code.emit(Op::JumpEqual { a: member, b: none, to: end });
        }
        let count = self.code.fit(cells.len(), "cells");
        self.load(dst, base, member, count);
        self.code.place(end);
    }

    /// A cell of a table; with `none` for an index, `none`. Where the first indices are known the
    /// cells after them are a table of their own.
    pub(super) fn table(&mut self, expr: &Expr, dst: SlotRange) {
        let ExprKind::Element(Array::Table(table), indices) = &expr.kind else { return };
        let table = &self.rules.tables[table.index()];
        let dims: Vec<(i64, usize)> =
            table.dims.iter().map(|domain| self.domain(*domain, expr.span)).collect();
        let (mut cells, mut known) = (&*table.cells, 0);
        while known + 1 < dims.len() {
            let (low, size) = dims[known];
            let Some(at) = self.known_index(low, size, &indices[known]) else { break };
            let block = cells.len() / size;
            cells = &cells[at * block..(at + 1) * block];
            known += 1;
        }
        let (dims, indices) = (&dims[known..], &indices[known..]);
        let end = self.code.label();
        if indices.iter().any(|index| matches!(index.ty, Type::Maybe(_))) {
            let none = self.none();
            self.code.emit(Op::Move { dst: dst.at, src: none });
        }
        let index = self.position(dims, indices, (Some(end), false));
        let base = self.cells(cells, &expr.ty, expr.span);
        let count = self.code.fit(cells.len(), "cells");
        self.load(dst, base, index, count);
        self.code.place(end);
    }

    /// Cells of the rules as constants, one after the other. They are remembered by where they lie,
    /// since large tables are read in many places.
    pub(super) fn cells(&mut self, cells: &[Value], ty: &Type, span: Span) -> u16 {
        let place = (cells.as_ptr().addr(), cells.len());
        if let Some(known) = self.code.known_cells.get(&place) {
            return *known;
        }
        let words: Vec<i64> = cells.iter().flat_map(|cell| self.words_of(cell, ty, span)).collect();
        self.budget.charge(words.len());
        let at = self.code.constants(&words);
        self.code.known_cells.insert(place, at);
        at
    }

    /// How a variable is kept as sets, if it is.
    pub(super) fn as_sets(&self, id: VarId, var: &Var, dims: &[(i64, usize)]) -> Option<KeptSets> {
        // What not all see is kept element by element, for each may be known to others.
        let open = var.sight == Visibility::All;
        let plain = open && matches!(var.form, VarForm::Plain) && var.range.is_none();
        let filtered = self.prepared.filtered_vars.contains(&id);
        let (_, size) = dims.last().filter(|_| plain && filtered && self.tries(Pass::OneHot))?;
        let width = u16::try_from(size.div_ceil(64)).ok().filter(|width| *width > 0)?;
        let (ty, or_none) = match &var.ty {
            Type::Bool => {
                self.fires(Pass::OneHot);
                return Some(KeptSets { sets: 1, width, flags: true, or_none: false });
            }
            Type::Maybe(inner) => (inner.as_ref(), true),
            other => (other, false),
        };
        let members = match ty {
            Type::Kind(PLAYER) => self.setting.players,
            Type::Kind(kind) => self.rules.kinds[kind.index()].members.len(),
            _ => return None,
        };
        let sets = u16::try_from(members + usize::from(or_none)).ok()?;
        let few = (2..=MOST_VALUES).contains(&sets.into()) && dims.len() == 1;
        let kept = few.then_some(KeptSets { sets, width, flags: false, or_none });
        self.found_by(Pass::OneHot, |_| kept)
    }

    /// Whether an expression is an element of an array that is kept as sets.
    pub(super) fn is_kept(&self, expr: &Expr) -> bool {
        var_element(expr).is_some_and(|(var, _)| self.var(var).sets.is_some())
    }

    fn kept(
        &mut self,
        base: u16,
        sets: KeptSets,
        dims: &[(i64, usize)],
        indices: &[Expr],
    ) -> AssignTarget {
        let (Some((last, outer)), Some((index, before))) =
            (dims.split_last(), indices.split_last())
        else {
            unreachable!("only arrays are kept as sets")
        };
        // The last index is the position of a member in a set.
        let member = match self.known_index(last.0, last.1, index) {
            Some(at) => self.code.constant(i64::try_from(at).expect("a set has few members")),
            None => self.index(index, last.0, last.1, true),
        };
        if sets.flags {
            return AssignTarget::Flag(self.element(base, sets.width, outer, before), member);
        }
        AssignTarget::Value { base, member, sets }
    }

    /// Continues at `to` if a member being in a set is `when`.
    pub(super) fn test_flag(&mut self, set: SlotAccess, member: u16, when: bool, to: CodeLabel) {
        let jump = match set {
            SlotAccess::Indexed { base, index, count, width: 1 } => {
                Op::JumpHasAt { base, index, count, member, to }
            }
            set => {
                let SlotRange { at: set, width } = self.load_from(set, None);
                Op::JumpHas { set, member, width, to }
            }
        };
        self.code.branch(jump, when);
    }

    /// Tests whether an element is a value whose set is known; no if it must be looked up.
    pub(super) fn test_value(
        &mut self,
        place: &Expr,
        value: &Expr,
        when: bool,
        to: CodeLabel,
    ) -> bool {
        let sets = var_element(place).and_then(|(var, _)| self.var(var).sets);
        let set = match (sets.filter(|sets| !sets.flags), self.fold(value)) {
            (Some(sets), Some(Value::Int(number))) => sets.set_of(number),
            (Some(sets), Some(Value::None)) => sets.set_of(NONE),
            _ => None,
        };
        if !self.tries(Pass::Fused) {
            return false;
        }
        let Some(set) = set else { return self.test_known_value(place, value, when, to) };
        self.fires(Pass::Fused);
        let AssignTarget::Value { base, member, sets } = self.target(place) else { return false };
        let (set, width) = (base + set * sets.width, sets.width);
        self.code.branch(Op::JumpHas { set, member, width, to }, when);
        true
    }

    /// The same where the value lies in a local that is never none.
    fn test_known_value(&mut self, place: &Expr, value: &Expr, when: bool, to: CodeLabel) -> bool {
        let sets = var_element(place).and_then(|(var, _)| self.var(var).sets);
        let is_same =
            var_element(place).is_some_and(|(var, _)| match &self.rules.vars[var.index()].ty {
                Type::Maybe(ty) => **ty == value.ty,
                ty => *ty == value.ty,
            });
        let is_plain = matches!((&value.kind, &value.ty), (ExprKind::Local(_), Type::Kind(_)));
        if !is_plain || !is_same || sets.is_none_or(|sets| sets.flags || sets.width > 1) {
            return false;
        }
        let AssignTarget::Value { base, member, sets } = self.target(place) else { return false };
        self.fires(Pass::Fused);
        let (index, count) = (self.word(value), sets.values());
        self.code.branch(Op::JumpHasAt { base, index, count, member, to }, when);
        true
    }

    /// `reset` of variables: read from the first values, which lie in the same way.
    pub(super) fn reset_to(&mut self, place: &VarLayout, indices: &[Expr]) {
        let initial = self.code.constants(&place.initial);
        // Nothing of these lies before the first values.
        let outer = std::mem::replace(&mut self.counts_from_zero, true);
        self.reset_from(initial, place, indices);
        self.counts_from_zero = outer;
    }

    fn reset_from(&mut self, initial: u16, place: &VarLayout, indices: &[Expr]) {
        if let Some(sets) = place.sets.filter(|_| indices.len() == place.dims.len()) {
            let target = self.kept(place.base, sets, &place.dims, indices);
            let first = match target {
                AssignTarget::Flag(set, member) => {
                    AssignTarget::Flag(set.moved(place.base, initial), member)
                }
                AssignTarget::Value { member, sets, .. } => {
                    AssignTarget::Value { base: initial, member, sets }
                }
                AssignTarget::Plain(_) => unreachable!("it is kept as sets"),
            };
            let value = self.take(1);
            self.read(first, Some(value));
            return self.store(target, value);
        }
        let (dims, rest) = place.dims.split_at(indices.len());
        let words = elements(rest) * place.initial.len() / place.count().max(1);
        let width = self.code.fit(words, "words in the state");
        if width > 0 {
            let access = self.element(place.base, width, dims, indices);
            let value = self.load_from(access.moved(place.base, initial), None);
            self.store(AssignTarget::Plain(access), value);
        }
    }
}

/// The first values of elements, given one after the other, as sets.
pub(super) fn sets_of(words: &[i64], dims: &[(i64, usize)], sets: KeptSets) -> Vec<i64> {
    let size = dims.last().map_or(1, |(_, size)| *size);
    let width = usize::from(sets.width);
    let group = usize::from(sets.sets) * width;
    let mut all = vec![0_i64; words.len() / size * group];
    for (element, value) in words.iter().enumerate() {
        let (outer, member) = (element / size, element % size);
        if let Some(set) = sets.set_of(*value) {
            all[outer * group + usize::from(set) * width + member / 64] |= 1 << (member % 64);
        }
    }
    all
}
