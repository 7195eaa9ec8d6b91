//! Turns: from seat to seat, with a count.

use std::collections::BTreeSet;

use crate::bytecode::Op;
use crate::check::rules::{Block, Expr, ExprKind, LocalId, RuleId, Rules, StmtKind};
use crate::check::visit::{visit_block, visit_stmts};
use crate::compile::code::Label;
use crate::compile::{Compiler, Slots, Storage};
use crate::source::Span;

impl Compiler<'_> {
    /// `turns me from FIRST where P { }`: seat after seat, those who take part, until nobody is
    /// left.
    pub(super) fn turns(
        &mut self,
        local: LocalId,
        from: &Expr,
        condition: Option<&Expr>,
        body: &Block,
    ) {
        let mark = self.mark();
        let me = self.take(1);
        self.compute(from, me);
        self.keep_local(local, Storage::Slots(me.at, 1));
        let outer = self.keep_count();
        if let Some(turn) = self.layout.turn {
            let src = self.code.constant(0);
            self.code.emit(Op::Move { dst: turn, src });
        }
        let (again, exit) = (self.code.here(), self.code.label());
        if let Some(condition) = condition {
            self.find_seat(me, condition, exit);
        }
        if let Some(turn) = self.layout.turn {
            let b = self.code.constant(1);
            self.code.emit(Op::Add { dst: turn, a: turn, b });
        }
        self.body.breaks.push(exit);
        self.body.counts.extend(outer);
        self.block(body);
        self.body.counts.truncate(self.body.counts.len() - usize::from(outer.is_some()));
        self.body.breaks.pop();
        self.next_seat(me);
        self.code.emit(Op::Again { to: again });
        self.code.place(exit);
        outer.iter().for_each(|outer| self.count_on(*outer));
        self.release(mark);
    }

    fn next_seat(&mut self, me: Slots) {
        let count = self.players();
        self.code.emit(Op::NextPlayer { dst: me.at, a: me.at, count });
    }

    /// Continues from seat to seat until one takes part; gives up after a whole round.
    fn find_seat(&mut self, me: Slots, condition: &Expr, exit: Label) {
        let mark = self.mark();
        let left = self.take(1).at;
        let all = self.code.constant(self.players().into());
        let (one, zero) = (self.code.constant(1), self.code.constant(0));
        self.code.emit(Op::Move { dst: left, src: all });
        let (look, found) = (self.code.here(), self.code.label());
        self.condition(condition, true, found);
        self.next_seat(me);
        self.code.emit(Op::Subtract { dst: left, a: left, b: one });
        self.code.emit(Op::JumpLess { a: zero, b: left, to: look });
        self.code.emit(Op::Jump { to: exit });
        self.code.place(found);
        self.release(mark);
    }

    /// Keeps the count of the turns around, where there can be any.
    fn keep_count(&mut self) -> Option<u16> {
        let turn = self.layout.turn?;
        if !self.prepared.inner_turns.contains(&self.code.span) {
            return None;
        }
        let outer = self.take(1).at;
        self.code.emit(Op::Move { dst: outer, src: turn });
        Some(outer)
    }

    /// The turns around count on from where they were; if there are none the last count stays.
    fn count_on(&mut self, outer: u16) {
        let Some(turn) = self.layout.turn else { return };
        let (none, zero) = (self.code.label(), self.code.constant(0));
        self.code.emit(Op::JumpEqual { a: outer, b: zero, to: none });
        self.code.emit(Op::Move { dst: turn, src: outer });
        self.code.place(none);
    }

    /// Behind a `return` all turns of the rule are over.
    pub(super) fn leave_turns(&mut self) {
        if let Some(outer) = self.body.counts.first() {
            self.count_on(*outer);
        }
    }
}

/// The places of the `turns` that may run inside of others, by themselves or in rules that are
/// called there.
pub(super) fn inner_turns(rules: &Rules) -> BTreeSet<Span> {
    let mut inner = BTreeSet::new();
    let (mut open, mut called): (Vec<RuleId>, _) = (Vec::new(), BTreeSet::new());
    let mut inside = |block: &Block, open: &mut Vec<RuleId>| {
        visit_stmts(block, &mut |stmt| {
            if matches!(stmt.kind, StmtKind::Turns { .. }) {
                inner.insert(stmt.span);
            }
        });
        visit_block(block, &mut |expr| {
            if let ExprKind::Call(rule, _) = &expr.kind {
                open.push(*rule);
            }
        });
    };
    for rule in &rules.rules {
        visit_stmts(&rule.body, &mut |stmt| {
            if let StmtKind::Turns { body, .. } = &stmt.kind {
                inside(body, &mut open);
            }
        });
    }
    while let Some(rule) = open.pop() {
        if called.insert(rule) {
            inside(&rules.rules[rule.index()].body, &mut open);
        }
    }
    inner
}
