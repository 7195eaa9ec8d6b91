//! Places: variables, elements of arrays and cells of tables, to read from and to assign to.

use crate::bytecode::Op;
use crate::bytecode::program::NONE;
use crate::check::rules::{Array, Expr, ExprKind, LocalId, RangeId, Type, Value, VarId};
use crate::compile::code::Label;
use crate::compile::layout::{Place, elements};
use crate::compile::value_sets::Kept;
use crate::compile::{Compiler, Slots, Storage};
use crate::source::Span;

/// Where something is read from or assigned to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// Slots that are known.
    Slots(Slots),
    /// An element whose position is in a slot.
    Element { base: u16, index: u16, count: u16, width: u16 },
    /// An element of an array that is kept as sets.
    Kept(Kept),
}

impl Compiler<'_> {
    pub(super) fn var(&self, var: VarId) -> &Place {
        &self.layout.vars[var.index()]
    }

    /// A constant `none`, for comparing.
    pub(super) fn none(&mut self) -> u16 {
        self.code.constant(NONE)
    }

    pub(super) fn local_slots(&self, local: LocalId) -> Slots {
        match self.body.locals.get(&local) {
            Some(Storage::Slots(at, width)) => Slots { at: *at, width: *width },
            // Arrays have no value of their own; known locals were folded.
            _ => unreachable!("checked: a local is read only after it is bound"),
        }
    }

    /// Finds out where a place lies; what its position depends on is computed.
    pub(super) fn target(&mut self, place: &Expr) -> Target {
        if let Some(kept) = self.kept(place) {
            return Target::Kept(kept);
        }
        match &place.kind {
            ExprKind::Local(local) => Target::Slots(self.local_slots(*local)),
            ExprKind::Element(Array::Var(var), indices) => {
                let Place { base, width, ref dims, .. } = *self.var(*var);
                let dims = dims.clone();
                self.element(base, width, &dims, indices)
            }
            ExprKind::Element(Array::Local(local), indices) => {
                let Some(Storage::Array(base, dims, width)) = self.body.locals.get(local).cloned()
                else {
                    unreachable!("checked: only arrays are indexed")
                };
                self.element(base, width, &dims, indices)
            }
            _ => unreachable!("checked: only places are assigned"),
        }
    }

    /// An element of an array whose first slot, slots of one element and dimensions are given.
    pub(super) fn element(
        &mut self,
        base: u16,
        width: u16,
        dims: &[(i64, usize)],
        indices: &[Expr],
    ) -> Target {
        if let Some(at) = self.fixed(dims, indices) {
            return Target::Slots(Slots { at: base + at * width, width });
        }
        let index = self.position(dims, indices, None);
        Target::Element { base, index, count: self.count(dims), width }
    }

    /// How many elements an array has, as an operand.
    pub(super) fn count(&mut self, dims: &[(i64, usize)]) -> u16 {
        self.code.fit(elements(dims), "elements")
    }

    /// An element of one word whose position is known only in play: the first slot of the array,
    /// the slot of the position, how many elements there are.
    pub(super) fn one_word_element(&mut self, expr: &Expr) -> Option<[u16; 3]> {
        let is_element =
            matches!(expr.kind, ExprKind::Element(Array::Var(_) | Array::Local(_), ..));
        if !is_element || self.is_kept(expr) || self.width(&expr.ty, expr.span) != 1 {
            return None;
        }
        match self.target(expr) {
            Target::Element { base, index, count, .. } => Some([base, index, count]),
            Target::Slots(_) | Target::Kept(_) => None,
        }
    }

    /// The value at a target: where it lies if that is known, else loaded into the slots that are
    /// wanted.
    pub(super) fn read(&mut self, target: Target, wanted: Option<Slots>) -> Slots {
        let dst = |compiler: &mut Self, width| wanted.unwrap_or_else(|| compiler.take(width));
        match target {
            Target::Slots(slots) => slots,
            Target::Element { base, index, count, width } => {
                let dst = dst(self, width);
                self.load(dst, base, index, count);
                dst
            }
            Target::Kept(kept) => {
                let dst = dst(self, 1);
                self.load_kept(kept, dst.at);
                dst
            }
        }
    }

    pub(super) fn load(&mut self, dst: Slots, base: u16, index: u16, count: u16) {
        let Slots { at: dst, width } = dst;
        self.code.emit(match width {
            1 => Op::Load { dst, base, index, count },
            width => Op::LoadSet { dst, base, index, count, width },
        });
    }

    pub(super) fn store(&mut self, target: Target, value: Slots) {
        let src = value.at;
        match target {
            Target::Slots(slots) => self.copy(slots.at, value),
            Target::Kept(kept) => self.store_kept(kept, src),
            Target::Element { base, index, count, width: 1 } => {
                self.code.emit(Op::Store { base, index, src, count });
            }
            Target::Element { base, index, count, width } => {
                self.code.emit(Op::StoreSet { base, index, src, count, width });
            }
        }
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

    /// A trap if the number is outside the range.
    pub(super) fn check_range(&mut self, a: u16, range: Option<RangeId>) {
        let Some(range) = range else { return };
        let (low, high) = self.ranges[range.index()];
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

    /// The position of an element, computed from its indices, each checked where it could be
    /// outside; continues at `missing` where one is none.
    pub(super) fn position(
        &mut self,
        dims: &[(i64, usize)],
        indices: &[Expr],
        missing: Option<Label>,
    ) -> u16 {
        let mut place = None;
        for ((low, size), index) in dims.iter().zip(indices) {
            let b = self.index(index, *low, *size, dims.len() > 1);
            if let (Some(to), Type::Maybe(_)) = (missing, &index.ty) {
                let none = self.none();
                self.code.emit(Op::JumpEqual { a: b, b: none, to });
            }
            place = Some(match place {
                None => b,
                Some(a) => {
                    let (dst, size) = (self.take(1).at, self.code.fit(*size, "elements"));
                    self.code.emit(Op::Scale { dst, a, size, b });
                    dst
                }
            });
        }
        place.unwrap_or_else(|| self.code.constant(0))
    }

    /// One index, counted from 0. A number in one of several dimensions is checked on its own, as
    /// is a number as a member of a set; the first dimension alone is checked where the element is
    /// read.
    pub(super) fn index(&mut self, index: &Expr, low: i64, size: usize, checks: bool) -> u16 {
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

    /// A column of a member that is not known.
    pub(super) fn cell(&mut self, cells: &[Value], of: &Expr, expr: &Expr, dst: Slots) {
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
    /// cells behind them are a table of their own.
    pub(super) fn table(&mut self, expr: &Expr, dst: Slots) {
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
        let index = self.position(dims, indices, Some(end));
        let base = self.cells(cells, &expr.ty, expr.span);
        let count = self.code.fit(cells.len(), "cells");
        self.load(dst, base, index, count);
        self.code.place(end);
    }

    /// Cells of the rules as constants, one behind the other. They are remembered by where they lie,
    /// since large tables are read in many places.
    pub(super) fn cells(&mut self, cells: &[Value], ty: &Type, span: Span) -> u16 {
        let place = (cells.as_ptr().addr(), cells.len());
        if let Some(known) = self.known_cells.get(&place) {
            return *known;
        }
        let words: Vec<i64> = cells.iter().flat_map(|cell| self.words_of(cell, ty, span)).collect();
        self.budget.charge(words.len());
        let at = self.code.constants(&words);
        self.known_cells.insert(place, at);
        at
    }
}
