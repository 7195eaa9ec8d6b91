//! Compiles loops: over sets, numbers, walks and subsets, `repeat`, `while` and `turns`.

use crate::bytecode::{MOST_IN_SUBSETS, NONE, Op};
use crate::compile::code::CodeLabel;
use crate::compile::filters::conjuncts;
use crate::compile::move_options::{filtered, is_sure, joined};
use crate::compile::set_predicates::PredicateMember;
use crate::compile::{Compiler, LoopEnds, SlotRange, Storage, error};
use crate::eval::finite;
use crate::rules::changes::{ChangedVars, changed_vars};
use crate::rules::protect::protect;
use crate::rules::walks::goes_round;
use crate::rules::{Array, Binder, Block, BoardWalk, Expr, ExprKind, LocalId, Type, Value};

/// A loop: its member, next round and end, and where the body begins if none comes first.
#[derive(Clone, Copy)]
pub(super) struct Over {
    pub(super) dst: u16,
    pub(super) next: CodeLabel,
    pub(super) exit: CodeLabel,
    none: Option<CodeLabel>,
    /// Whether the last member comes first.
    pub(super) backwards: bool,
}

impl Compiler<'_> {
    /// Loops over the members of a binder for which its condition holds, tested anew for each.
    pub(super) fn each(&mut self, binder: &Binder, body: impl FnOnce(&mut Self)) {
        let mark = self.mark();
        let width = self.width_of_member(&binder.set);
        let dst = self.take(width).at;
        self.each_into(binder, dst, None, body);
        self.release(mark);
    }

    /// The same, with the member in a given slot; if `none` is a label, none comes first, there.
    pub(super) fn each_into(
        &mut self,
        binder: &Binder,
        dst: u16,
        none: Option<CodeLabel>,
        body: impl FnOnce(&mut Self),
    ) {
        let members = binder.condition.as_ref().and_then(|_| self.members_of_span(binder, &[]));
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
        let over = Over { dst, next, exit, none, backwards };
        if is_sure(&binder.set) {
            let mut bounds = std::mem::take(&mut self.body.bounds);
            self.name(binder, &mut bounds);
            self.body.bounds = bounds;
        }
        // What can be tested for the whole set is tested before the loop.
        let mut conditions = Self::conditions(binder, &[]);
        let mut cut = None;
        if !binder.set.is_ordered() && matches!(set.ty, Type::Set(_)) && !conditions.is_empty() {
            let (members, left) = self.cut(set, binder.local, &conditions);
            (cut, conditions) = (Some(members), left);
        }
        let mut has_rounds = true;
        match (&set.ty, &set.kind) {
            (_, ExprKind::Walk(walk)) if backwards => self.each_step_back(over, walk),
            (_, ExprKind::Walk(walk)) => self.each_step(over, walk),
            (Type::Set(_), _) => self.each_member(over, set, from, cut),
            (Type::Span, ExprKind::Interval(low, high)) => self.each_number(over, low, high),
            (Type::Subsets(_), _) => self.each_subset(over, set),
            (Type::List(..), _) => self.each_element(over, set),
            (Type::Lists(..), _) => self.each_list(over, binder.local, set),
            _ => has_rounds = self.each_maybe(over, set),
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

    /// The innermost loop.
    pub(super) fn loop_around(&self) -> LoopEnds {
        *self.body.loops.last().expect("checked: `break` and `continue` stand in a loop")
    }

    pub(super) fn width_of_member(&mut self, set: &Expr) -> u16 {
        match set.ty {
            Type::Subsets(domain) => self.width(&Type::Set(domain), set.span),
            Type::Lists(..) => self.width(&set.ty, set.span),
            _ => 1,
        }
    }

    /// Pops the members of a copy of the set.
    fn each_member(&mut self, over: Over, set: &Expr, from: Option<&Expr>, cut: Option<SlotRange>) {
        let Over { dst, exit, backwards, .. } = over;
        let low = self.low(set);
        let SlotRange { at: rest, width } = self.take_for(&set.ty, set.span);
        match cut {
            Some(cut) => self.copy(rest, cut),
            None => self.compute(set, SlotRange { at: rest, width }),
        }
        let start = from.map(|from| {
            let start = self.kept_word(from);
            self.behind_low(start, low)
        });
        // Backwards the last comes first, if none is given.
        let start = start.or_else(|| backwards.then(|| self.code.constant(i64::MAX)));
        self.begin_round(over);
        self.code.emit(match start {
            Some(start) if backwards => Op::PopBack { dst, set: rest, start, width, to: exit },
            Some(start) => Op::PopFrom { dst, set: rest, start, width, to: exit },
            None => Op::Pop { dst, set: rest, width, to: exit },
        });
        self.add_low(dst, low);
    }

    /// Each round begins here; none comes before the first.
    pub(super) fn begin_round(&mut self, over: Over) {
        over.none.iter().for_each(|first| self.code.emit(Op::Jump { to: *first }));
        self.code.place(over.next);
    }

    /// Walks from a cell to the next in a direction, until the board or the ring ends.
    fn each_step(&mut self, over: Over, walk: &BoardWalk) {
        let Over { dst, next, exit, .. } = over;
        let (start, direction) = (self.steady(&walk.start), self.steady(&walk.direction));
        // The cells that it stops at, where those are not all that it comes by.
        let all = matches!(walk.set.kind, ExprKind::Element(Array::Table(_), ..));
        let within = (!all).then(|| self.kept_value(&walk.set));
        let at = self.counter(over);
        self.code.emit(Op::Move { dst: at, src: start });
        let ([base, row, count], goes_round) = self.steps(walk, direction);
        self.begin_round(over);
        self.code.emit(Op::WalkOn { at, base, row, count, to: exit });
        if goes_round {
            self.code.emit(Op::JumpEqual { a: at, b: start, to: exit });
        }
        if let Some(SlotRange { at: set, width }) = within {
            self.code.emit(Op::JumpLacks { set, member: at, width, to: next });
        }
        self.copy(dst, SlotRange { at, width: 1 });
    }

    /// What a loop goes on from: its member, unless that can be none.
    fn counter(&mut self, over: Over) -> u16 {
        if over.none.is_some() { self.take(1).at } else { over.dst }
    }

    /// From the end of a walk back to its beginning. The cells of a walk follow each other in the
    /// order of the board, round a ring or not, or all against it.
    fn each_step_back(&mut self, over: Over, walk: &BoardWalk) {
        let Over { dst, exit, .. } = over;
        let SlotRange { at: set, width } = self.take_for(&walk.set.ty, walk.set.span);
        let (start, falls) = (self.take(1), self.take(1).at);
        self.compute(&walk.start, start);
        self.compute(&walk.set, SlotRange { at: set, width });
        self.walks_down(walk, falls);
        let [up, end] = self.code.labels();
        self.begin_round(over);
        self.code.emit(Op::JumpIfNot { a: falls, to: up });
        self.code.emit(Op::PopFrom { dst, set, start: start.at, width, to: exit });
        self.code.emit(Op::Jump { to: end });
        self.code.place(up);
        self.code.emit(Op::PopBack { dst, set, start: start.at, width, to: exit });
        self.code.place(end);
    }

    /// Whether steps in the direction of a walk lead to earlier cells.
    fn walks_down(&mut self, walk: &BoardWalk, dst: u16) {
        let rules = self.rules;
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
        let direction = self.word(&walk.direction);
        let count = self.code.fit(ways.len(), "directions");
        let base = self.code.constants(&ways);
        self.code.emit(Op::Load { dst, base, index: direction, count });
    }

    /// From each cell the next one: the first slot, the position of the row of the direction, and how
    /// many there are, those of one row if the direction is known. And whether some walk goes round.
    fn steps(&mut self, walk: &BoardWalk, direction: u16) -> ([u16; 3], bool) {
        let rules = self.rules;
        let table = &rules.tables[walk.step.index()];
        let size = rules.kinds[walk.board.index()].members.len();
        let known = self.known_index(0, table.cells.len() / size, &walk.direction);
        let zero = self.code.constant(0);
        let (cells, row) = match known {
            Some(way) => (&table.cells[way * size..(way + 1) * size], zero),
            None => {
                let (dst, size) = (self.take(1).at, self.code.fit(size, "cells"));
                self.code.emit(Op::Scale { dst, a: direction, size, b: zero });
                (&*table.cells, dst)
            }
        };
        self.budget.charge(cells.len());
        let base = self.cells(cells, &table.ty, walk.set.span);
        ([base, row, self.code.fit(cells.len(), "cells")], goes_round(cells, size))
    }

    fn each_number(&mut self, over: Over, low: &Expr, high: &Expr) {
        let Over { dst, exit, backwards, .. } = over;
        let (first, last) = if backwards { (high, low) } else { (low, high) };
        let a = self.counter(over);
        let step = if backwards { -1 } else { 1 };
        // The first step leads to the first number, or past none.
        let before = match self.fold(first) {
            Some(Value::Int(first)) => first.checked_sub(step).filter(|before| *before != NONE),
            _ => None,
        };
        if let Some(before) = before {
            let src = self.code.constant(before);
            self.code.emit(Op::Move { dst: a, src });
        } else {
            self.compute(first, SlotRange { at: a, width: 1 });
        }
        let last = self.steady(last);
        if before.is_none() {
            let b = self.code.constant(step);
            self.code.emit(Op::Subtract { dst: a, a, b });
        }
        self.begin_round(over);
        let to = exit;
        self.code.emit(if backwards {
            Op::CountDown { a, last, to }
        } else {
            Op::CountUp { a, last, to }
        });
        self.copy(dst, SlotRange { at: a, width: 1 });
    }

    /// A value that may be none. Returns whether there can be a second round.
    fn each_maybe(&mut self, over: Over, maybe: &Expr) -> bool {
        let Over { dst, exit, .. } = over;
        if over.none.is_none() {
            self.compute(maybe, SlotRange { at: dst, width: 1 });
            let empty = self.none();
            self.code.emit(Op::JumpEqual { a: dst, b: empty, to: exit });
            return false;
        }
        let (value, left) = (self.take(1), self.take(1).at);
        self.compute(maybe, value);
        let (empty, zero, one) = (self.none(), self.code.constant(0), self.code.constant(1));
        self.code.emit(Op::Move { dst: left, src: one });
        self.begin_round(over);
        self.code.emit(Op::JumpEqual { a: left, b: zero, to: exit });
        self.code.emit(Op::JumpEqual { a: value.at, b: empty, to: exit });
        self.code.emit(Op::Move { dst: left, src: zero });
        self.code.emit(Op::Move { dst, src: value.at });
        true
    }

    /// Counts from the empty set to the whole one.
    fn each_subset(&mut self, over: Over, subsets: &Expr) {
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
        let (cards, set, of) = (&set.ty, at, of.at);
        self.code.emit(Op::NextSubset { set, of, width, to: exit });
        self.code.place(first);
        if told_apart {
            let cards = self.cards_in(cards);
            self.code.emit(Op::JumpAlike { set, of, width, cards, to: next });
        }
        self.copy(dst, SlotRange { at, width });
    }

    /// Reports a set that is known to have too many members.
    pub(super) fn refuse_large(&mut self, set: &Expr) {
        let Some(Value::Set(members)) = self.fold(set) else { return };
        if members.len() > MOST_IN_SUBSETS {
            let (members, most, span) = (members.len(), MOST_IN_SUBSETS, set.span);
            let setting = self.setting_text();
            self.errors.push(error::too_many_subsets(members, most, setting, span));
        }
    }

    /// `for x in S from y where P { }`: over the set as it is at the start, filter included.
    pub(super) fn for_loop(&mut self, binder: &Binder, from: Option<&Expr>, body: &Block) {
        if from.is_none() && self.sweep(binder, body) {
            return;
        }
        let changes = changed_vars(self.rules, body, binder.local);
        self.in_turn(binder, from, changes.as_ref(), |compiler| compiler.block(body));
    }

    /// A loop with effects. The members of a set are found before the first round. Numbers are tested when their turn
    /// comes: what rounds may change is not asked before.
    pub(super) fn in_turn(
        &mut self,
        binder: &Binder,
        from: Option<&Expr>,
        changes: Option<&ChangedVars>,
        body: impl FnOnce(&mut Self),
    ) {
        let mut binder = snapshot(binder, from).unwrap_or_else(|| binder.clone());
        let mut in_turn = None;
        if let (Type::Span, Some(condition)) = (&binder.set.ty, &binder.condition) {
            let members = self.members_of_span(&binder, &[]);
            let domain = members.as_ref().and_then(|members| finite(&members.set.ty));
            let about = domain.map(|domain| PredicateMember::given(binder.local, domain, &[]));
            let (mut may_trap, mut early, mut late) = (false, Vec::new(), Vec::new());
            for part in conjuncts([condition.as_ref()]) {
                // What has a form cannot trap.
                let has_form = about.is_some_and(|about| self.form(part, about).is_some());
                may_trap |= !has_form && !self.is_safe(part);
                let is_steady = !may_trap && self.is_steady(part, binder.local, changes);
                let waits = late.iter().any(|late: &&Expr| protect(&[*late, part], None));
                if is_steady && !waits { early.push(part) } else { late.push(part) }
            }
            in_turn = joined(&late);
            binder.condition = joined(&early).map(Box::new);
        }
        self.each(&binder, |compiler| {
            let next = compiler.loop_around().round;
            in_turn.iter().for_each(|condition| compiler.condition(condition, false, next));
            body(compiler);
        });
    }

    /// Whether a condition on a number is the same before the first round and when its turn comes.
    fn is_steady(&self, condition: &Expr, member: LocalId, changes: Option<&ChangedVars>) -> bool {
        !condition.any(|part| match &part.kind {
            ExprKind::Local(local) => !self.is_immutable(*local),
            ExprKind::Element(Array::Local(_), _) => true,
            ExprKind::Element(Array::Var(var), indices) => changes.is_none_or(|changes| {
                let is_own = |at: usize| indices.get(at).is_some_and(|it| it.is_local(member));
                changes.get(var).is_some_and(|at| !at.is_some_and(is_own))
            }),
            ExprKind::Element(..) | ExprKind::Ambient(_) => changes.is_none(),
            _ => false,
        })
    }

    /// `repeat n times { }`
    pub(super) fn times(&mut self, times: &Expr, body: &Block) {
        let (left, one, zero) = (self.take(1), self.code.constant(1), self.code.constant(0));
        self.compute(times, left);
        self.code.emit(Op::CheckAmount { a: left.at });
        let (again, exit) = (self.code.here(), self.code.label());
        self.code.emit(Op::JumpEqual { a: left.at, b: zero, to: exit });
        self.code.emit(Op::Subtract { dst: left.at, a: left.at, b: one });
        self.looped(body, None, again, exit);
    }

    /// `while P { }`
    pub(super) fn while_loop(&mut self, condition: &Expr, body: &Block) {
        let (again, exit) = (self.code.here(), self.code.label());
        self.condition(condition, false, exit);
        self.looped(body, None, again, exit);
    }

    /// `repeat { } until P`, or without end.
    pub(super) fn repeat(&mut self, body: &Block, until: Option<&Expr>) {
        let (again, exit) = (self.code.here(), self.code.label());
        self.looped(body, until, again, exit);
    }

    /// The body of a loop, whose locals the condition at its end sees, and back.
    fn looped(&mut self, body: &Block, until: Option<&Expr>, again: CodeLabel, exit: CodeLabel) {
        let mark = self.mark();
        let round = self.in_loop(exit, |it| body.iter().for_each(|stmt| it.stmt(stmt)));
        self.code.place(round);
        until.iter().for_each(|until| self.condition(until, true, exit));
        self.code.emit(Op::Again { to: again });
        self.code.place(exit);
        self.release(mark);
    }

    /// `turns me from FIRST where P { }`: from seat to seat of those who take part.
    pub(super) fn turns(
        &mut self,
        (local, from): (LocalId, &Expr),
        backwards: bool,
        condition: Option<&Expr>,
        body: &Block,
    ) {
        let me = self.take(1);
        self.compute(from, me);
        self.keep_local(local, Storage::Slots(me.at, 1));
        let turn = self.layout.turn;
        // The count of the turns around is kept, where there can be any.
        let is_inner = self.prepared.inner_turns.contains(&self.code.span);
        let running = self.layout.running;
        let outer = running.map(|src| {
            if !is_inner {
                return self.code.constant(0);
            }
            let dst = self.take(1).at;
            self.code.emit(Op::Move { dst, src });
            dst
        });
        if let Some(dst) = turn {
            let src = self.code.constant(0);
            self.code.emit(Op::Move { dst, src });
        }
        let (exit, found) = (self.code.label(), self.code.label());
        if let Some(condition) = condition {
            self.find_seat(me, backwards, condition, exit);
        }
        self.code.emit(Op::BeginTurns { seat: me.at });
        if condition.is_some() {
            self.code.emit(Op::Jump { to: found });
        }
        let again = self.code.here();
        if let Some(condition) = condition {
            self.find_seat(me, backwards, condition, exit);
        }
        self.code.place(found);
        if let Some(turn) = turn {
            let b = self.code.constant(1);
            self.code.emit(Op::Add { dst: turn, a: turn, b });
            running.iter().for_each(|dst| self.code.emit(Op::Move { dst: *dst, src: turn }));
        }
        self.body.counts.extend(outer);
        let round = self.in_loop(exit, |compiler| compiler.block(body));
        self.body.counts.truncate(self.body.counts.len() - usize::from(outer.is_some()));
        self.code.place(round);
        self.next_seat(me, backwards);
        self.code.emit(Op::Again { to: again });
        self.code.place(exit);
        outer.iter().for_each(|outer| self.count_on(*outer));
    }

    fn next_seat(&mut self, SlotRange { at: me, .. }: SlotRange, backwards: bool) {
        let (dst, a, count) = (me, me, self.players());
        self.code.emit(if backwards {
            Op::PreviousPlayer { dst, a, count }
        } else {
            Op::NextPlayer { dst, a, count }
        });
    }

    /// Continues from seat to seat until one takes part; gives up after a whole round.
    fn find_seat(&mut self, me: SlotRange, backwards: bool, condition: &Expr, exit: CodeLabel) {
        let mark = self.mark();
        let left = self.take(1).at;
        let all = self.code.constant(self.players().into());
        let (one, zero) = (self.code.constant(1), self.code.constant(0));
        self.code.emit(Op::Move { dst: left, src: all });
        let (look, found) = (self.code.here(), self.code.label());
        self.condition(condition, true, found);
        self.next_seat(me, backwards);
        self.code.emit(Op::Subtract { dst: left, a: left, b: one });
        self.code.emit(Op::JumpLess { a: zero, b: left, to: look });
        self.code.emit(Op::Jump { to: exit });
        self.code.place(found);
        self.release(mark);
    }

    /// The turns around count on from where they were; if there are none the last count stays.
    fn count_on(&mut self, outer: u16) {
        let (Some(turn), Some(running)) = (self.layout.turn, self.layout.running) else { return };
        self.code.emit(Op::Move { dst: running, src: outer });
        let (none, zero) = (self.code.label(), self.code.constant(0));
        self.code.emit(Op::JumpEqual { a: outer, b: zero, to: none });
        self.code.emit(Op::Move { dst: turn, src: outer });
        self.code.place(none);
    }

    /// After a `return` all turns of the rule are over.
    pub(super) fn leave_turns(&mut self) {
        if let Some(outer) = self.body.counts.first() {
            self.count_on(*outer);
        }
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
