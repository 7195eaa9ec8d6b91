//! Loops: over the members of sets, over numbers, walks and subsets, and again and again.

use crate::bytecode::Op;
use crate::bytecode::program::MOST_IN_SUBSETS;
use crate::check::rules::{Array, Binder, Block, Expr, ExprKind, Type, Value, Walk};
use crate::compile::clauses::filtered;
use crate::compile::code::Label;
use crate::compile::{CompileError, Compiler, Slots, Storage};

/// A loop: where the member is kept, where the next is taken, where the loop ends, and, if the
/// body is run with none first, where it begins.
#[derive(Clone, Copy)]
struct Over {
    dst: u16,
    next: Label,
    exit: Label,
    none: Option<Label>,
}

impl Compiler<'_> {
    /// Loops over the members of a binder that fulfil its condition, testing the condition anew for
    /// each.
    pub(super) fn each(&mut self, binder: &Binder, body: impl FnOnce(&mut Self)) {
        let mark = self.mark();
        let exit = self.code.label();
        self.each_until(binder, exit, body);
        self.code.place(exit);
        self.release(mark);
    }

    /// The same, with the member in a slot that is given. If `none` is, none is in the slot first,
    /// and the body begins there.
    pub(super) fn each_into(
        &mut self,
        binder: &Binder,
        dst: u16,
        none: Option<Label>,
        body: impl FnOnce(&mut Self),
    ) {
        let mark = self.mark();
        let [next, exit] = self.code.labels();
        self.each_over(binder, Over { dst, next, exit, none }, body);
        self.code.place(exit);
        self.release(mark);
    }

    /// The same; the loop ends at `exit`, which the caller places behind it.
    fn each_until(&mut self, binder: &Binder, exit: Label, body: impl FnOnce(&mut Self)) {
        let width = self.width_of_member(&binder.set);
        let (next, dst) = (self.code.label(), self.take(width).at);
        self.each_over(binder, Over { dst, next, exit, none: None }, body);
    }

    /// How many slots a member of what a loop runs over takes.
    pub(super) fn width_of_member(&mut self, set: &Expr) -> u16 {
        match set.ty {
            Type::Subsets(domain) => self.width(&Type::Set(domain), set.span),
            _ => 1,
        }
    }

    fn each_over(&mut self, binder: &Binder, over: Over, body: impl FnOnce(&mut Self)) {
        let (set, from) = match &binder.set.kind {
            ExprKind::From(set, from) => (set.as_ref(), Some(from.as_ref())),
            _ => (binder.set.as_ref(), None),
        };
        // What can be tested for the whole set is tested before the loop.
        let mut conditions = Self::conditions(binder, &[]);
        let ordered = from.is_some() || matches!(set.kind, ExprKind::Walk(_));
        let mut cut = None;
        if !ordered && matches!(set.ty, Type::Set(_)) && !conditions.is_empty() {
            let (members, left) = self.cut(set, binder.local, &conditions);
            (cut, conditions) = (Some(members), left);
        }
        let member = self.width_of_member(set);
        let body = |compiler: &mut Self| {
            compiler.keep_local(binder.local, Storage::Slots(over.dst, member));
            for condition in &conditions {
                compiler.condition(condition, false, over.next);
            }
            over.none.iter().for_each(|first| compiler.code.place(*first));
            body(compiler);
            compiler.code.emit(Op::Again { to: over.next });
        };
        match &set.ty {
            _ if matches!(set.kind, ExprKind::Walk(_)) => self.each_step(over, set, body),
            Type::Set(_) => self.each_member(over, set, from, cut, body),
            Type::Span => self.each_number(over, set, body),
            Type::Subsets(_) => self.each_subset(over, set, body),
            _ => self.each_maybe(over, set, body),
        }
    }

    /// Pops the members of a copy of the set.
    fn each_member(
        &mut self,
        over: Over,
        set: &Expr,
        from: Option<&Expr>,
        cut: Option<Slots>,
        body: impl FnOnce(&mut Self),
    ) {
        let Over { dst, exit, .. } = over;
        let low = self.low(set);
        let Slots { at: rest, width } = self.take_for(&set.ty, set.span);
        match cut {
            Some(cut) => self.copy(rest, cut),
            None => self.compute(set, Slots { at: rest, width }),
        }
        let start = from.map(|from| {
            let start = self.kept_word(from);
            self.behind_low(start, low)
        });
        self.begin_round(over);
        self.code.emit(match start {
            Some(start) => Op::PopFrom { dst, set: rest, start, width, to: exit },
            None => Op::Pop { dst, set: rest, width, to: exit },
        });
        self.add_low(dst, low);
        body(self);
    }

    /// Each round begins here; none comes before the first.
    fn begin_round(&mut self, over: Over) {
        over.none.iter().for_each(|first| self.code.emit(Op::Jump { to: *first }));
        self.code.place(over.next);
    }

    /// Walks from a cell to the next in a direction, until the board or the ring ends.
    fn each_step(&mut self, over: Over, walk: &Expr, body: impl FnOnce(&mut Self)) {
        let ExprKind::Walk(walk) = &walk.kind else { unreachable!("asked only of a walk") };
        let Over { dst, next, exit, .. } = over;
        let (start, at, direction) = (self.take(1), self.take(1).at, self.take(1));
        self.compute(&walk.start, start);
        self.compute(&walk.direction, direction);
        // The cells that it stops at, where those are not all that it comes by.
        let within =
            (!matches!(walk.set.kind, ExprKind::Element(Array::Table(_), ..))).then(|| {
                let kept = self.take_for(&walk.set.ty, walk.set.span);
                self.compute(&walk.set, kept);
                kept
            });
        let empty = self.none();
        self.code.emit(Op::Move { dst: at, src: start.at });
        self.begin_round(over);
        self.one_step(walk, at, direction.at);
        self.code.emit(Op::JumpEqual { a: at, b: empty, to: exit });
        // A ring has gone round.
        self.code.emit(Op::JumpEqual { a: at, b: start.at, to: exit });
        if let Some(Slots { at: set, width }) = within {
            self.code.emit(Op::JumpLacks { set, member: at, width, to: next });
        }
        self.code.emit(Op::Move { dst, src: at });
        body(self);
    }

    /// From a cell to the next: one load if the direction is known.
    fn one_step(&mut self, walk: &Walk, at: u16, direction: u16) {
        let rules = self.rules;
        let table = &rules.tables[walk.step.index()];
        let size = rules.kinds[walk.board.index()].members.len();
        let known = self.known_index(0, table.cells.len() / size, &walk.direction);
        let (cells, index) = match known {
            Some(way) => (&table.cells[way * size..(way + 1) * size], at),
            None => {
                let (dst, size) = (self.take(1).at, self.code.fit(size, "cells"));
                self.code.emit(Op::Scale { dst, a: direction, size, b: at });
                (&*table.cells, dst)
            }
        };
        let base = self.cells(cells, &table.ty, walk.set.span);
        let count = self.code.fit(cells.len(), "cells");
        self.load(Slots { at, width: 1 }, base, index, count);
    }

    fn each_number(&mut self, over: Over, span: &Expr, body: impl FnOnce(&mut Self)) {
        let Over { dst, exit, .. } = over;
        let ExprKind::Interval(low, high) = &span.kind else {
            unreachable!("a span is written where a loop runs over it")
        };
        let (at, last, one) = (self.take(1), self.take(1), self.code.constant(1));
        self.compute(low, at);
        self.compute(high, last);
        // The first step leads to the lowest number, or past none.
        self.code.emit(Op::Subtract { dst: at.at, a: at.at, b: one });
        self.begin_round(over);
        self.code.emit(Op::Add { dst: at.at, a: at.at, b: one });
        self.code.emit(Op::JumpLess { a: last.at, b: at.at, to: exit });
        self.code.emit(Op::Move { dst, src: at.at });
        body(self);
    }

    /// Once, or never.
    fn each_maybe(&mut self, over: Over, maybe: &Expr, body: impl FnOnce(&mut Self)) {
        let Over { dst, exit, .. } = over;
        let (value, left) = (self.take(1), self.take(1).at);
        self.compute(maybe, value);
        let (empty, zero, one) = (self.none(), self.code.constant(0), self.code.constant(1));
        self.code.emit(Op::Move { dst: left, src: one });
        self.begin_round(over);
        self.code.emit(Op::JumpEqual { a: left, b: zero, to: exit });
        self.code.emit(Op::JumpEqual { a: value.at, b: empty, to: exit });
        self.code.emit(Op::Move { dst: left, src: zero });
        self.code.emit(Op::Move { dst, src: value.at });
        body(self);
    }

    /// Counts from the empty set to the whole one.
    fn each_subset(&mut self, over: Over, subsets: &Expr, body: impl FnOnce(&mut Self)) {
        let (kind, told_apart) = match &subsets.kind {
            ExprKind::Distinct(inner) => (&inner.kind, true),
            kind => (kind, false),
        };
        let ExprKind::Subsets(set) = kind else {
            unreachable!("subsets are written where a loop runs over them")
        };
        self.refuse_large(set);
        let Over { dst, next, exit, .. } = over;
        let width = self.width_of_member(subsets);
        let (of, at) = (self.take(width), self.take(width).at);
        self.compute(set, of);
        let outer = std::mem::replace(&mut self.code.span, set.span);
        self.code.emit(Op::CheckSubsets { set: of.at, width });
        self.code.span = outer;
        self.code.emit(Op::Clear { set: at, width });
        let first = self.code.label();
        self.code.emit(Op::Jump { to: first });
        self.code.place(next);
        self.code.emit(Op::NextSubset { set: at, of: of.at, width, to: exit });
        self.code.place(first);
        if told_apart {
            let cards = self.cards_in(&set.ty);
            self.code.emit(Op::JumpAlike { set: at, of: of.at, width, cards, to: next });
        }
        self.copy(dst, Slots { at, width });
        body(self);
    }

    /// Reports a set that is known to have too many members.
    fn refuse_large(&mut self, set: &Expr) {
        let Some(Value::Set(members)) = self.fold(set) else { return };
        if members.len() > MOST_IN_SUBSETS {
            let (members, most, span) = (members.len(), MOST_IN_SUBSETS, set.span);
            let setting = self.setting_text();
            self.errors.push(CompileError::TooManySubsets { members, most, setting, span });
        }
    }

    /// `for x in S from y where P { }`: over the set as it is at the start, filter included.
    pub(super) fn for_loop(&mut self, binder: &Binder, from: Option<&Expr>, body: &Block) {
        let mark = self.mark();
        let exit = self.code.label();
        self.body.breaks.push(exit);
        let fixed = snapshot(binder, from);
        self.each_until(fixed.as_ref().unwrap_or(binder), exit, |compiler| compiler.block(body));
        self.body.breaks.pop();
        self.code.place(exit);
        self.release(mark);
    }

    /// `repeat n times { }`
    pub(super) fn times(&mut self, times: &Expr, body: &Block) {
        let mark = self.mark();
        let (left, one, zero) = (self.take(1), self.code.constant(1), self.code.constant(0));
        self.compute(times, left);
        self.code.emit(Op::CheckAmount { a: left.at });
        let (again, exit) = (self.code.here(), self.code.label());
        self.code.emit(Op::JumpEqual { a: left.at, b: zero, to: exit });
        self.code.emit(Op::Subtract { dst: left.at, a: left.at, b: one });
        self.looped(body, again, exit);
        self.release(mark);
    }

    /// `while P { }`
    pub(super) fn while_loop(&mut self, condition: &Expr, body: &Block) {
        let (again, exit) = (self.code.here(), self.code.label());
        self.condition(condition, false, exit);
        self.looped(body, again, exit);
    }

    /// The body of a loop, and back.
    fn looped(&mut self, body: &Block, again: Label, exit: Label) {
        self.body.breaks.push(exit);
        self.block(body);
        self.body.breaks.pop();
        self.code.emit(Op::Again { to: again });
        self.code.place(exit);
    }

    /// `repeat { } until P`, or without end; the condition sees the locals of the body.
    pub(super) fn repeat(&mut self, body: &Block, until: Option<&Expr>) {
        let mark = self.mark();
        let (again, exit) = (self.code.here(), self.code.label());
        self.body.breaks.push(exit);
        body.iter().for_each(|stmt| self.stmt(stmt));
        self.body.breaks.pop();
        if let Some(until) = until {
            self.condition(until, true, exit);
        }
        self.code.emit(Op::Again { to: again });
        self.code.place(exit);
        self.release(mark);
    }
}

/// A binder over a set that is computed now: the members that fulfil the condition, in the
/// order that is asked for. None where the binder can stay as it is.
pub(super) fn snapshot(binder: &Binder, from: Option<&Expr>) -> Option<Binder> {
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
            ExprKind::Walk(Box::new(Walk { set: kept, ..walk.as_ref().clone() }))
        }
        (_, Some(from)) => ExprKind::From(Box::new(kept), Box::new(from.clone())),
        (_, None) => kept.kind,
    };
    let set = Box::new(Expr { kind, ty, span });
    Some(Binder { local: binder.local, set, condition: None })
}
