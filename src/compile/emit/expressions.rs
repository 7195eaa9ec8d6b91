//! Compiles values: dispatch over the forms of expressions.

use crate::bytecode::{NONE, Op};
use crate::compile::emit::chance::{emit_random, emit_roll};
use crate::compile::emit::lists::{try_emit_find, try_emit_list};
use crate::compile::emit::piles::{emit_distinct, pile_cards, pile_end, pile_number};
use crate::compile::emit::places::{load_cell, load_table_cell};
use crate::compile::emit::sets::{emit_fold, try_emit_set};
use crate::compile::emit::{
    Emitter, calls::emit_call, choices::emit_pick, conditions::emit_truth,
    form_members::try_emit_lookup, witnesses::seers_of_pile,
};
use crate::compile::{code::CodeLabel, compiled::Storage, scope::SlotRange};
use crate::rules::{
    Ambient, Arith, Arm, Array, BinaryOp, Block, Expr, ExprKind, Pattern, Type, UnaryOp, Value,
};

impl Emitter<'_, '_> {
    /// Computes a value to wherever it can be read. Until something is assigned to the variable
    /// that the slots may belong to, they hold the value.
    pub(super) fn operand(&mut self, expr: &Expr) -> SlotRange {
        if let Some(value) = self.facts().fold(expr) {
            let words = self.encode_value(&value, &expr.ty, expr.span);
            let width = self.code.fit(words.len(), "members");
            return SlotRange { at: self.code.constants(&words), width };
        }
        match &expr.kind {
            ExprKind::Local(local) => self.body.local_slots(*local),
            ExprKind::Element(Array::Var(_) | Array::Local(_), _) => {
                let target = self.target(expr);
                self.read(target, None)
            }
            ExprKind::Element(Array::Pile(var), indices) => {
                SlotRange { at: pile_number(self, *var, indices), width: 1 }
            }
            ExprKind::Ambient(Ambient::Turn) => {
                // A game whose rules never read the number of the turn does not count turns.
                let at = self.plan.layout.turn.unwrap_or_else(|| self.code.constant(0));
                SlotRange { at, width: 1 }
            }
            ExprKind::Unary(UnaryOp::ToSet, inner) if matches!(inner.ty, Type::Set(_)) => {
                self.operand(inner)
            }
            _ => self.kept_value(expr),
        }
    }

    pub(super) fn word(&mut self, expr: &Expr) -> u16 {
        self.operand(expr).at
    }

    /// A word that stays as it is: where it lies, if nothing can change it.
    pub(super) fn steady(&mut self, expr: &Expr) -> u16 {
        let is_steady = match &expr.kind {
            ExprKind::Local(local) => self.facts().is_immutable(*local),
            _ => false,
        };
        if is_steady || self.facts().fold(expr).is_some() {
            self.word(expr)
        } else {
            self.kept_word(expr)
        }
    }

    /// A value in slots of its own, which stays as it is.
    pub(super) fn kept_word(&mut self, expr: &Expr) -> u16 {
        self.kept_value(expr).at
    }

    pub(super) fn kept_value(&mut self, expr: &Expr) -> SlotRange {
        let kept = self.take_for(&expr.ty, expr.span);
        self.compute(expr, kept);
        kept
    }

    /// Computes a value into slots. They must not belong to anything that the expression reads.
    pub(super) fn compute(&mut self, expr: &Expr, dst: SlotRange) {
        if !self.may_go_on() {
            return;
        }
        if self.facts().fold(expr).is_some() {
            let known = self.operand(expr);
            return self.emit_copy(dst.at, known);
        }
        let outer = std::mem::replace(&mut self.code.span, expr.span);
        self.compute_at_run_time(expr, dst);
        self.code.span = outer;
    }

    /// Computes what only sets or lists can be, or what is found in a list; whether it is that.
    fn compute_gathered(&mut self, expr: &Expr, dst: SlotRange) -> bool {
        match expr.ty {
            Type::Set(_) => try_emit_set(self, expr, dst),
            Type::List(..) => try_emit_list(self, expr, dst),
            _ => try_emit_find(self, expr, dst.at),
        }
    }

    fn compute_at_run_time(&mut self, expr: &Expr, dst: SlotRange) {
        if try_emit_lookup(self, expr, dst) || self.compute_gathered(expr, dst) {
            return;
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => emit_arithmetic(self, *op, a, b, dst.at),
            ExprKind::Unary(UnaryOp::PileCards, pile) => pile_cards(self, pile, dst),
            ExprKind::Unary(op, of) if !matches!(op, UnaryOp::Not | UnaryOp::ToSet) => {
                emit_unary(self, *op, of, dst.at);
            }
            ExprKind::Column(kind, column, of) => {
                let rules = self.plan.rules;
                load_cell(self, &rules.kinds[kind.index()].columns[*column].cells, of, expr, dst);
            }
            ExprKind::Element(Array::Table(_), ..) => load_table_cell(self, expr, dst),
            ExprKind::Call(rule, args) => emit_call(self, *rule, args, Some(dst), expr.span),
            ExprKind::If(condition, then, otherwise) => {
                self.branches(condition, then, otherwise, |it, value| it.compute(value, dst));
            }
            ExprKind::Match(subject, arms) => {
                self.cases(subject, arms, |it, value| it.compute(value, dst));
            }
            ExprKind::Fold { word, binder, body } => emit_fold(self, *word, binder, body, dst),
            ExprKind::Suppose(block, value) => emit_suppose(self, block, value, dst),
            ExprKind::Random(set) => emit_random(self, set, expr.span, dst),
            ExprKind::End(end) => {
                // What chance decides is seen like the pile.
                let seen = seers_of_pile(self, &end.pile);
                pile_end(self, end, dst, seen);
            }
            ExprKind::Distinct(set) => emit_distinct(self, set, dst),
            ExprKind::Roll(place) => {
                emit_roll(self, place);
                let shown = self.operand(place);
                self.emit_copy(dst.at, shown);
            }
            ExprKind::Pick(pick) => emit_pick(self, pick, dst, expr.span),
            ExprKind::Text(_) => {
                self.plan.no_value("text with holes can be said, not kept".to_owned(), expr.span);
            }
            ExprKind::Ambient(what @ (Ambient::Past(_) | Ambient::Moves)) => {
                emit_ambient(self, *what, dst.at);
            }
            _ if matches!(expr.ty, Type::Bool) && !self.plan.is_kept(expr) => {
                emit_truth(self, expr, dst.at);
            }
            ExprKind::Element(Array::Var(_) | Array::Local(_), _) => {
                let target = self.target(expr);
                let value = self.read(target, Some(dst));
                self.emit_copy(dst.at, value);
            }
            ExprKind::Local(_)
            | ExprKind::Ambient(Ambient::Turn)
            | ExprKind::Unary(UnaryOp::ToSet, _)
            | ExprKind::Element(Array::Pile(_), ..) => {
                let value = self.operand(expr);
                self.emit_copy(dst.at, value);
            }
            // It has no value under this setting, which was reported.
            ExprKind::Constant(_) => {}
            other => unreachable!("checked: no value is made of {other:?}"),
        }
    }

    /// Compiles both branches of an `if`, or the one that is known to be taken.
    pub(super) fn branches<T>(
        &mut self,
        condition: &Expr,
        then: &T,
        otherwise: &T,
        mut branch: impl FnMut(&mut Self, &T),
    ) {
        if let Some(holds) = self.facts().known(condition) {
            return branch(self, if holds { then } else { otherwise });
        }
        let [fails, end] = self.code.labels();
        self.condition(condition, false, fails);
        branch(self, then);
        self.code.emit(Op::Jump { to: end });
        self.code.place(fails);
        branch(self, otherwise);
        self.code.place(end);
    }

    pub(super) fn cases<T>(
        &mut self,
        subject: &Expr,
        arms: &[Arm<T>],
        mut body: impl FnMut(&mut Self, &T),
    ) {
        if let Some(value) = self.facts().fold(subject) {
            if let Some(arm) = arms.iter().find(|arm| arm.takes(&value)) {
                body(self, &arm.body);
            }
            return;
        }
        let (subject, end) = (self.word(subject), self.code.label());
        // The checker proved the match complete: the last case needs no test.
        let Some((last, arms)) = arms.split_last() else { return };
        for arm in arms {
            let next = self.code.label();
            pattern_tests(self, subject, arm, next);
            body(self, &arm.body);
            self.code.emit(Op::Jump { to: end });
            self.code.place(next);
        }
        body(self, &last.body);
        self.code.place(end);
    }
}

/// Emits the number of remembered positions, or of legal moves.
fn emit_ambient(out: &mut Emitter, what: Ambient, dst: u16) {
    let op = if let Ambient::Past(id) = what {
        Op::Times { dst, history: out.code.fit(id.index(), "histories") }
    } else {
        Op::Move { dst, src: out.code.constant(out.moves) }
    };
    out.code.emit(op);
}

fn emit_arithmetic(out: &mut Emitter, op: Arith, a: &Expr, b: &Expr, dst: u16) {
    let (a, b) = (out.word(a), out.word(b));
    out.code.emit(match op {
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

fn emit_unary(out: &mut Emitter, op: UnaryOp, of: &Expr, dst: u16) {
    let a = out.word(of);
    let op = match op {
        UnaryOp::Negate | UnaryOp::Reverse => Op::Subtract { dst, a: out.code.constant(0), b: a },
        UnaryOp::Next => Op::NextPlayer { dst, a, count: out.plan.players() },
        UnaryOp::Previous => Op::PreviousPlayer { dst, a, count: out.plan.players() },
        UnaryOp::Amount => {
            out.code.emit(Op::Move { dst, src: a });
            Op::CheckAmount { a: dst }
        }
        UnaryOp::Seat => Op::Add { dst, a, b: out.code.constant(1) },
        UnaryOp::Abs => {
            let (zero, negative) = (out.code.constant(0), out.allocate(1).at);
            out.code.emit(Op::Subtract { dst: negative, a: zero, b: a });
            Op::Greatest { dst, a, b: negative }
        }
        UnaryOp::Not
        | UnaryOp::ToSet
        | UnaryOp::ToList
        | UnaryOp::FirstElement
        | UnaryOp::LastElement
        | UnaryOp::Length
        | UnaryOp::PileCards
        | UnaryOp::Others => {
            unreachable!("no number is made of {op:?}")
        }
    };
    out.code.emit(op);
}

/// Continues at `next` unless the subject falls into the case.
fn pattern_tests<T>(out: &mut Emitter, subject: u16, arm: &Arm<T>, next: CodeLabel) {
    if arm.patterns.is_empty() {
        return;
    }
    let hit = out.code.label();
    for pattern in &arm.patterns {
        match pattern {
            Pattern::Value(value) => {
                let number = if let Value::Int(number) = value { *number } else { NONE };
                let b = out.code.constant(number);
                out.code.emit(Op::JumpEqual { a: subject, b, to: hit });
            }
            Pattern::Range(low, high) => {
                let (low, high) = (out.code.constant(*low), out.code.constant(*high));
                let below = out.code.label();
                out.code.emit(Op::JumpLess { a: subject, b: low, to: below });
                out.code.emit(Op::JumpAtMost { a: subject, b: high, to: hit });
                out.code.place(below);
            }
        }
    }
    out.code.emit(Op::Jump { to: next });
    out.code.place(hit);
}

/// `suppose { statements }: value`
fn emit_suppose(out: &mut Emitter, block: &Block, value: &Expr, dst: SlotRange) {
    let mark = out.mark();
    let of = out.code.fit(out.code.suppositions.len(), "suppositions");
    let taken = out.in_use();
    // Apart from whatever is to receive it, which the statements may read.
    let result = out.allocate(dst.width);
    // A text that is compiled later may read locals that its code has not taken. Where the result lies there is
    // none any more.
    let locals = out.body.locals.values().filter_map(Storage::slots);
    let is_apart =
        |(at, width): &(u16, u16)| at + width <= result.at || result.at + result.width <= *at;
    let in_use = taken.into_iter().chain(locals.filter(is_apart)).collect();
    out.code.suppositions.push(in_use);
    let back = out.code.label();
    out.code.emit(Op::Suppose { to: back, of });
    let kept = out.body.locals.clone();
    block.iter().for_each(|stmt| out.stmt(stmt));
    out.compute(value, result);
    out.code.place(back);
    out.code.emit(Op::Unsuppose { dst: result.at, width: result.width, of });
    out.body.locals = kept;
    out.emit_copy(dst.at, result);
    out.release(mark);
}
