//! Values: numbers, yes and no, members.

use crate::bytecode::Op;
use crate::check::rules::{
    Ambient, Arith, Arm, Array, BinaryOp, Block, Expr, ExprKind, Type, UnaryOp,
};
use crate::compile::{Compiler, Slots};
use crate::eval::arm_for;

impl Compiler<'_> {
    /// Computes a value to wherever it can be read. Until something is assigned to the variable
    /// that the slots may belong to, they hold the value.
    pub(super) fn operand(&mut self, expr: &Expr) -> Slots {
        if let Some(value) = self.fold(expr) {
            let words = self.words_of(&value, &expr.ty, expr.span);
            let width = self.code.fit(words.len(), "members");
            return Slots { at: self.code.constants(&words), width };
        }
        match &expr.kind {
            ExprKind::Local(local) => self.local_slots(*local),
            ExprKind::Element(Array::Var(_) | Array::Local(_), _) => {
                let target = self.target(expr);
                self.read(target, None)
            }
            ExprKind::Element(Array::Pile(var), indices) => {
                Slots { at: self.pile_number(*var, indices), width: 1 }
            }
            ExprKind::Ambient(Ambient::Turn) => {
                // A game whose rules never read the number of the turn does not count turns.
                let at = self.layout.turn.unwrap_or_else(|| self.code.constant(0));
                Slots { at, width: 1 }
            }
            ExprKind::Unary(UnaryOp::ToSet, inner) if matches!(inner.ty, Type::Set(_)) => {
                self.operand(inner)
            }
            _ => {
                let dst = self.take_for(&expr.ty, expr.span);
                self.compute(expr, dst);
                dst
            }
        }
    }

    /// The slot of an expression of one word.
    pub(super) fn word(&mut self, expr: &Expr) -> u16 {
        self.operand(expr).at
    }

    /// A value in slots of its own, which stays as it is.
    pub(super) fn kept_word(&mut self, expr: &Expr) -> u16 {
        let kept = self.take(1);
        self.compute(expr, kept);
        kept.at
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
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => self.arith(*op, a, b, dst.at),
            ExprKind::Unary(UnaryOp::PileCards, pile) => self.pile_cards(pile, dst),
            ExprKind::Unary(op, of) if !matches!(op, UnaryOp::Not | UnaryOp::ToSet) => {
                self.unary(*op, of, dst.at);
            }
            ExprKind::Column(kind, column, of) => {
                let rules = self.rules;
                self.cell(&rules.kinds[kind.index()].columns[*column].cells, of, expr, dst);
            }
            ExprKind::Element(Array::Table(_), ..) => self.table(expr, dst),
            ExprKind::Call(rule, args) => self.call(*rule, args, Some(dst), expr.span),
            ExprKind::If(condition, then, otherwise) => {
                self.branches(condition, then, otherwise, |it, value| it.compute(value, dst));
            }
            ExprKind::Match(subject, arms) => {
                self.cases(subject, arms, |it, value| it.compute(value, dst));
            }
            ExprKind::Fold { word, binder, body } => self.fold_value(*word, binder, body, dst),
            ExprKind::Suppose(block, value) => self.suppose(block, value, dst),
            ExprKind::Random(set) => self.random(set, dst),
            ExprKind::End(end) => {
                // What chance decides is seen like the pile.
                let seen = self.seen_in(&end.pile);
                self.pile_end(end, dst, seen);
            }
            ExprKind::Distinct(set) => self.distinct(set, dst),
            ExprKind::Roll(place) => {
                self.roll(place);
                let shown = self.operand(place);
                self.copy(dst.at, shown);
            }
            ExprKind::Pick(pick) => self.pick(pick, dst, expr.span),
            ExprKind::Text(_) => {
                self.no_value("text with holes can be said, not kept".to_owned(), expr.span);
            }
            ExprKind::Ambient(Ambient::Moves) => {
                let moves = self.code.constant(self.moves);
                self.code.emit(Op::Move { dst: dst.at, src: moves });
            }
            _ if matches!(expr.ty, Type::Bool) && !self.is_kept(expr) => self.truth(expr, dst.at),
            ExprKind::Element(Array::Var(_) | Array::Local(_), _) => {
                let target = self.target(expr);
                let value = self.read(target, Some(dst));
                self.copy(dst.at, value);
            }
            ExprKind::Local(_)
            | ExprKind::Ambient(Ambient::Turn)
            | ExprKind::Unary(UnaryOp::ToSet, _)
            | ExprKind::Element(Array::Pile(_), ..) => {
                let value = self.operand(expr);
                self.copy(dst.at, value);
            }
            // It has no value under this setting, which was reported.
            ExprKind::Constant(_) => {}
            other => unreachable!("checked: no value is made of {other:?}"),
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
        let [fails, end] = self.code.labels();
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

    fn unary(&mut self, op: UnaryOp, of: &Expr, dst: u16) {
        let a = self.word(of);
        match op {
            UnaryOp::Negate => {
                let zero = self.code.constant(0);
                self.code.emit(Op::Subtract { dst, a: zero, b: a });
            }
            UnaryOp::Next => {
                let count = self.players();
                self.code.emit(Op::NextPlayer { dst, a, count });
            }
            UnaryOp::Previous => {
                let count = self.players();
                self.code.emit(Op::PreviousPlayer { dst, a, count });
            }
            UnaryOp::Seat => {
                let b = self.code.constant(1);
                self.code.emit(Op::Add { dst, a, b });
            }
            UnaryOp::Abs => {
                let (zero, negative) = (self.code.constant(0), self.take(1).at);
                self.code.emit(Op::Subtract { dst: negative, a: zero, b: a });
                self.code.emit(Op::Greatest { dst, a, b: negative });
            }
            UnaryOp::Not | UnaryOp::ToSet | UnaryOp::PileCards | UnaryOp::Others => {
                unreachable!("no number is made of {op:?}")
            }
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
        if let Some(holds) = self.known(condition) {
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

    /// The cases of a `match`; `body` compiles what follows one.
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
        // The checker proved the match complete: the last case needs no test.
        let Some((last, arms)) = arms.split_last() else { return };
        for arm in arms {
            let next = self.code.label();
            self.pattern_tests(subject, arm, next);
            body(self, &arm.body);
            self.code.emit(Op::Jump { to: end });
            self.code.place(next);
        }
        body(self, &last.body);
        self.code.place(end);
    }

    /// `suppose { statements }: value`: the words of the state are saved and restored.
    fn suppose(&mut self, block: &Block, value: &Expr, dst: Slots) {
        let mark = self.mark();
        // Apart from whatever is to receive it, which the statements may read.
        let result = self.take(dst.width);
        let back = self.code.label();
        self.code.emit(Op::Suppose { to: back });
        let kept = self.body.locals.clone();
        block.iter().for_each(|stmt| self.stmt(stmt));
        self.compute(value, result);
        self.code.place(back);
        self.code.emit(Op::Unsuppose { dst: result.at, width: result.width });
        self.body.locals = kept;
        self.copy(dst.at, result);
        self.release(mark);
    }
}
