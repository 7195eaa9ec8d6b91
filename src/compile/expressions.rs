//! Values: numbers, yes and no, members, elements of arrays.

use crate::bytecode::Op;
use crate::bytecode::program::NONE;
use crate::check::rules::{Arith, Arm, Builtin, Expr, ExprKind, LocalId, Type, Value, VarId};
use crate::compile::{Compiler, Slots, Storage};
use crate::eval::arm_for;
use crate::source::Span;

impl Compiler<'_> {
    /// Computes a value to wherever it can be read. Until something is assigned to the variable
    /// that the slots may belong to, they hold the value.
    pub(super) fn operand(&mut self, expr: &Expr) -> Slots {
        if let Some(value) = self.fold(expr) {
            return self.known(&value, &expr.ty, expr);
        }
        let width = self.width(&expr.ty, expr.span);
        match &expr.kind {
            ExprKind::Local(local) => self.local_slots(*local),
            ExprKind::Var(..) if self.is_kept(expr) => {
                let (kept, dst) = (self.kept(expr).expect("asked above"), self.take(1));
                self.load_kept(kept, dst.at);
                dst
            }
            ExprKind::Var(var, indices) if indices.is_empty() => {
                Slots { at: self.layout.vars[var.index()].base, width }
            }
            ExprKind::Var(..) | ExprKind::LocalElement(..) => self.element(expr, None),
            ExprKind::Pile(var, indices) => Slots { at: self.pile_number(*var, indices), width: 1 },
            ExprKind::LegalMoves => Slots { at: self.layout.turn.unwrap_or(0), width: 1 },
            ExprKind::ToSet(inner) if matches!(inner.ty, Type::Set(_)) => self.operand(inner),
            _ => {
                let dst = self.take(width);
                self.compute(expr, dst);
                dst
            }
        }
    }

    /// The slots of an expression of one word.
    pub(super) fn word(&mut self, expr: &Expr) -> u16 {
        self.operand(expr).at
    }

    fn known(&mut self, value: &Value, ty: &Type, expr: &Expr) -> Slots {
        let words = self.words_of(value, ty, expr.span);
        let width = u16::try_from(words.len()).unwrap_or(1);
        Slots { at: self.code.constants(&words), width }
    }

    fn local_slots(&mut self, local: LocalId) -> Slots {
        match self.body.locals.get(&local) {
            Some(Storage::Slots(at, width)) => Slots { at: *at, width: *width },
            // Arrays have no value of their own; known locals were folded.
            _ => unreachable!("the checker lets a local be read only after it is bound"),
        }
    }

    /// Computes a value into slots. They must not belong to anything that the expression reads.
    pub(super) fn compute(&mut self, expr: &Expr, dst: Slots) {
        if !self.may_go_on() {
            return;
        }
        if self.fold(expr).is_some() {
            let known = self.operand(expr);
            return self.copy(dst.at, known);
        }
        let outer = std::mem::replace(&mut self.code.span, expr.span);
        self.compute_unknown(expr, dst);
        self.code.span = outer;
    }

    fn compute_unknown(&mut self, expr: &Expr, dst: Slots) {
        if matches!(expr.ty, Type::Set(_)) && self.set_into(expr, dst) {
            return;
        }
        match &expr.kind {
            ExprKind::Arith(op, a, b) => self.arith(*op, a, b, dst.at),
            ExprKind::Negate(a) => {
                let (zero, b) = (self.code.constant(0), self.word(a));
                self.code.emit(Op::Subtract { dst: dst.at, a: zero, b });
            }
            ExprKind::Builtin(builtin, of) => self.builtin(*builtin, of, dst.at),
            ExprKind::Column(kind, column, of) => {
                let rules = self.rules;
                self.cell(&rules.kinds[kind.index()].columns[*column].cells, of, expr, dst);
            }
            ExprKind::Table(table, _) => {
                let rules = self.rules;
                self.table(&rules.tables[table.index()].cells, expr, dst);
            }
            ExprKind::Call(rule, args) => self.call(*rule, args, Some(dst), expr.span),
            ExprKind::If(condition, then, otherwise) => {
                self.choose_value(condition, then, otherwise, dst);
            }
            ExprKind::Match(subject, arms) => self.match_value(subject, arms, dst),
            ExprKind::Fold { word, binder, body } => self.fold_value(*word, binder, body, dst),
            ExprKind::Suppose(block, value) => self.suppose(block, value, dst),
            ExprKind::Random(set) => self.random(set, dst),
            ExprKind::Pile(var, indices) => {
                let number = self.pile_number(*var, indices);
                self.copy(dst.at, Slots { at: number, width: 1 });
            }
            ExprKind::PileCards(pile) => self.pile_cards(pile, dst),
            ExprKind::End(end) => self.pile_end(end, dst),
            ExprKind::Distinct(set) => self.distinct(set, dst),
            ExprKind::Roll(place) => {
                self.roll(place);
                let shown = self.operand(place);
                self.copy(dst.at, shown);
            }
            ExprKind::Pick(pick) => self.pick(pick, dst, expr.span),
            ExprKind::Text(_) => self.no_text_value(expr.span),
            ExprKind::Moves => {
                let moves = self.code.constant(self.moves);
                self.code.emit(Op::Move { dst: dst.at, src: moves });
            }
            ExprKind::Var(..) if self.is_kept(expr) => {
                let kept = self.kept(expr).expect("asked above");
                self.load_kept(kept, dst.at);
            }
            _ if matches!(expr.ty, Type::Bool) => self.truth(expr, dst.at),
            ExprKind::Var(..) | ExprKind::LocalElement(..) => {
                let value = self.element(expr, Some(dst));
                self.copy(dst.at, value);
            }
            ExprKind::Local(_) | ExprKind::LegalMoves | ExprKind::ToSet(_) => {
                let value = self.operand(expr);
                self.copy(dst.at, value);
            }
            // It has no value under this setting, which was reported.
            ExprKind::Constant(_) => {}
            other => unreachable!("the checker lets no value be made of {other:?}"),
        }
    }

    /// Copies a value to slots, unless it is there.
    pub(super) fn copy(&mut self, dst: u16, src: Slots) {
        if dst == src.at {
            return;
        }
        if src.width == 1 {
            self.code.emit(Op::Move { dst, src: src.at });
        } else {
            self.code.emit(Op::Copy { dst, src: src.at, width: src.width });
        }
    }

    /// Yes or no as a word: the condition decides which.
    fn truth(&mut self, expr: &Expr, dst: u16) {
        let (yes, no) = (self.code.constant(1), self.code.constant(0));
        let (fails, end) = (self.code.label(), self.code.label());
        self.condition(expr, false, fails);
        self.code.emit(Op::Move { dst, src: yes });
        self.code.emit(Op::Jump { to: end });
        self.code.place(fails);
        self.code.emit(Op::Move { dst, src: no });
        self.code.place(end);
    }

    fn arith(&mut self, op: Arith, a: &Expr, b: &Expr, dst: u16) {
        let (a, b) = (self.word(a), self.word(b));
        self.code.emit(match op {
            Arith::Add => Op::Add { dst, a, b },
            Arith::Subtract => Op::Subtract { dst, a, b },
            Arith::Multiply => Op::Multiply { dst, a, b },
            Arith::CeilDivide => Op::CeilDivide { dst, a, b },
            Arith::FloorDivide => Op::FloorDivide { dst, a, b },
            Arith::Modulo => Op::Modulo { dst, a, b },
            Arith::Min => Op::Least { dst, a, b },
            Arith::Max => Op::Greatest { dst, a, b },
        });
    }

    fn builtin(&mut self, builtin: Builtin, of: &Expr, dst: u16) {
        let a = self.word(of);
        let count = u16::try_from(self.setting.players).unwrap_or(1);
        match builtin {
            Builtin::Next => self.code.emit(Op::NextPlayer { dst, a, count }),
            Builtin::Previous => self.code.emit(Op::PreviousPlayer { dst, a, count }),
            Builtin::Seat => {
                let b = self.code.constant(1);
                self.code.emit(Op::Add { dst, a, b });
            }
            Builtin::Abs => {
                let (zero, negative) = (self.code.constant(0), self.take(1).at);
                self.code.emit(Op::Subtract { dst: negative, a: zero, b: a });
                self.code.emit(Op::Greatest { dst, a, b: negative });
            }
            Builtin::Others => unreachable!("the others are a set"),
        }
    }

    fn choose_value(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, dst: Slots) {
        if let Some(holds) = self.fold(condition) {
            let branch = if holds == Value::Int(0) { otherwise } else { then };
            return self.compute(branch, dst);
        }
        let (fails, end) = (self.code.label(), self.code.label());
        self.condition(condition, false, fails);
        self.compute(then, dst);
        self.code.emit(Op::Jump { to: end });
        self.code.place(fails);
        self.compute(otherwise, dst);
        self.code.place(end);
    }

    fn match_value(&mut self, subject: &Expr, arms: &[Arm<Expr>], dst: Slots) {
        self.cases(subject, arms, |compiler, body| compiler.compute(body, dst));
    }

    /// The cases of a `match`; `body` compiles what stands behind one.
    pub(super) fn cases<T>(
        &mut self,
        subject: &Expr,
        arms: &[Arm<T>],
        mut body: impl FnMut(&mut Self, &T),
    ) {
        if let Some(value) = self.fold(subject) {
            if let Some(arm) = arm_for(arms, &value) {
                body(self, &arm.body);
            }
            return;
        }
        let (subject, end) = (self.word(subject), self.code.label());
        for (at, arm) in arms.iter().enumerate() {
            let next = self.code.label();
            // The checker proved the match complete: the last case needs no test.
            if at + 1 < arms.len() {
                self.pattern_tests(subject, arm, next);
            }
            body(self, &arm.body);
            if at + 1 < arms.len() {
                self.code.emit(Op::Jump { to: end });
            }
            self.code.place(next);
        }
        self.code.place(end);
    }

    // Elements.

    /// The value of one element of an array, where it lies if that is known, else loaded into the
    /// slots that are wanted.
    fn element(&mut self, expr: &Expr, wanted: Option<Slots>) -> Slots {
        let (base, width, dims, indices) = self.array(expr);
        let count = dims.iter().map(|(_, size)| size).product::<usize>();
        match self.fixed(&dims, &indices) {
            Some(place) => Slots { at: base + place * width, width },
            None => {
                let index = self.position(&dims, &indices);
                let dst = wanted.unwrap_or_else(|| self.take(width));
                self.load(dst, base, index, count);
                dst
            }
        }
    }

    /// An element of one word whose place is known only in play: the first slot of the array, the
    /// slot of the position, how many elements there are.
    pub(super) fn one_word_element(&mut self, expr: &Expr) -> Option<[u16; 3]> {
        let is_element = matches!(expr.kind, ExprKind::Var(..) | ExprKind::LocalElement(..));
        if !is_element || self.is_kept(expr) {
            return None;
        }
        let (base, width, dims, indices) = self.array(expr);
        if width != 1 || dims.is_empty() || self.fixed(&dims, &indices).is_some() {
            return None;
        }
        let count = dims.iter().map(|(_, size)| size).product::<usize>();
        let index = self.position(&dims, &indices);
        Some([base, index, u16::try_from(count).ok()?])
    }

    /// An array: its first slot, the width of an element, its dimensions, the indices given.
    pub(super) fn array(&mut self, expr: &Expr) -> (u16, u16, Vec<(i64, usize)>, Vec<Expr>) {
        match &expr.kind {
            ExprKind::Var(var, indices) => {
                let place = &self.layout.vars[var.index()];
                (place.base, place.width, place.dims.clone(), indices.clone())
            }
            ExprKind::LocalElement(local, indices) => match self.body.locals.get(local) {
                Some(Storage::Array(base, dims, width)) => {
                    (*base, *width, dims.clone(), indices.clone())
                }
                _ => unreachable!("the checker lets only arrays be indexed"),
            },
            ExprKind::Local(local) => {
                let slots = self.local_slots(*local);
                (slots.at, slots.width, Vec::new(), Vec::new())
            }
            _ => unreachable!("the checker lets only places be assigned"),
        }
    }

    pub(super) fn load(&mut self, dst: Slots, base: u16, index: u16, count: usize) {
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        let Slots { at: dst, width } = dst;
        self.code.emit(if width == 1 {
            Op::Load { dst, base, index, count }
        } else {
            Op::LoadSet { dst, base, index, count, width }
        });
    }

    /// The position of an element whose indices are all known and inside.
    pub(super) fn fixed(&self, dims: &[(i64, usize)], indices: &[Expr]) -> Option<u16> {
        let mut place = 0;
        for ((low, size), index) in dims.iter().zip(indices) {
            let Value::Int(number) = self.fold(index)? else { return None };
            let position = usize::try_from(number.checked_sub(*low)?).ok()?;
            if position >= *size {
                return None;
            }
            place = place * size + position;
        }
        u16::try_from(place).ok()
    }

    /// The position of an element, computed from its indices, each checked where it could be
    /// outside.
    pub(super) fn position(&mut self, dims: &[(i64, usize)], indices: &[Expr]) -> u16 {
        let mut place = None;
        for ((low, size), index) in dims.iter().zip(indices) {
            let here = self.index(index, *low, *size, dims.len() > 1);
            place = Some(self.behind(place, here, *size));
        }
        place.unwrap_or_else(|| self.code.constant(0))
    }

    /// A position with one more index behind it.
    fn behind(&mut self, place: Option<u16>, index: u16, size: usize) -> u16 {
        let Some(a) = place else { return index };
        let dst = self.take(1).at;
        let size = u16::try_from(size).unwrap_or(u16::MAX);
        self.code.emit(Op::Scale { dst, a, size, b: index });
        dst
    }

    /// One index, counted from 0. A number in one of several dimensions is checked on its own.
    fn index(&mut self, index: &Expr, low: i64, size: usize, several: bool) -> u16 {
        let a = self.word(index);
        if !matches!(index.ty, Type::Number) {
            return a;
        }
        let outer = std::mem::replace(&mut self.code.span, index.span);
        let mut place = a;
        // The first dimension alone is checked where the element is read.
        if low != 0 || several {
            place = self.take(1).at;
            let (low, count) = (self.code.constant(low), u16::try_from(size).unwrap_or(u16::MAX));
            self.code.emit(Op::Index { dst: place, a, low, count });
        }
        self.code.span = outer;
        place
    }

    /// A column of a member that is not known.
    fn cell(&mut self, cells: &[Value], of: &Expr, expr: &Expr, dst: Slots) {
        let member = self.word(of);
        let base = self.cells(cells, &expr.ty, expr.span);
        let maybe = matches!(of.ty, Type::Maybe(_));
        let end = self.code.label();
        if maybe {
            let none = self.code.constant(NONE);
            self.code.emit(Op::Move { dst: dst.at, src: none });
            self.code.emit(Op::JumpEqual { a: member, b: none, to: end });
        }
        self.load(dst, base, member, cells.len());
        self.code.place(end);
    }

    /// A cell of a table; with `none` for an index, `none`. Where the first indices are known the
    /// cells behind them are a table of their own.
    fn table(&mut self, cells: &[Value], expr: &Expr, dst: Slots) {
        let ExprKind::Table(table, indices) = &expr.kind else { return };
        let domains = self.rules.tables[table.index()].dims.clone();
        let dims: Vec<(i64, usize)> =
            domains.iter().map(|domain| self.domain(*domain, expr.span)).collect();
        let (cells, known) = self.cells_behind(cells, &dims, indices);
        let (dims, indices) = (&dims[known..], &indices[known..]);
        let end = self.code.label();
        if indices.iter().any(|index| matches!(index.ty, Type::Maybe(_))) {
            let none = self.none();
            self.code.emit(Op::Move { dst: dst.at, src: none });
        }
        let mut place = None;
        for ((low, size), index) in dims.iter().zip(indices) {
            let here = self.index(index, *low, *size, dims.len() > 1);
            if matches!(index.ty, Type::Maybe(_)) {
                let b = self.none();
                self.code.emit(Op::JumpEqual { a: here, b, to: end });
            }
            place = Some(self.behind(place, here, *size));
        }
        let index = place.unwrap_or_else(|| self.code.constant(0));
        let base = self.cells(cells, &expr.ty, expr.span);
        self.load(dst, base, index, cells.len());
        self.code.place(end);
    }

    /// The cells behind the first indices, as far as those are known, and how many that are; the
    /// last index is left.
    fn cells_behind<'c>(
        &self,
        mut cells: &'c [Value],
        dims: &[(i64, usize)],
        indices: &[Expr],
    ) -> (&'c [Value], usize) {
        let mut known = 0;
        while known + 1 < dims.len() {
            let (low, size) = dims[known];
            let Some(Value::Int(number)) = self.fold(&indices[known]) else { break };
            let at = number.checked_sub(low).and_then(|at| usize::try_from(at).ok());
            let Some(at) = at.filter(|at| *at < size) else { break };
            let block = cells.len() / size;
            cells = &cells[at * block..(at + 1) * block];
            known += 1;
        }
        (cells, known)
    }

    /// Cells of the rules as constants, one behind the other.
    pub(super) fn cells(&mut self, cells: &[Value], ty: &Type, span: Span) -> u16 {
        let place = (cells.as_ptr().addr(), cells.len());
        if let Some(known) = self.known_cells.get(&place) {
            return *known;
        }
        let mut words = Vec::new();
        for cell in cells {
            words.extend(self.words_of(cell, ty, span));
        }
        self.budget.charge(words.len());
        let at = self.code.constants(&words);
        self.known_cells.insert(place, at);
        at
    }

    /// The place of a variable without its indices.
    pub(super) fn var(&self, var: VarId) -> &crate::compile::layout::Place {
        &self.layout.vars[var.index()]
    }

    /// A constant `none`, for comparing.
    pub(super) fn none(&mut self) -> u16 {
        self.code.constant(NONE)
    }
}
