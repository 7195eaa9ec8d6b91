//! Conditions: code that jumps if they hold and falls through if they do not, or the other way round.

use crate::bytecode::Op;
use crate::bytecode::program::NONE;
use crate::check::rules::{
    Arm, Array, BinaryOp, Binder, Domain, Expr, ExprKind, Pattern, Type, UnaryOp, Value,
};
use crate::compile::code::Label;
use crate::compile::{Compiler, Slots};
use crate::syntax::ast::FoldWord;

impl Compiler<'_> {
    /// Continues at `to` if the condition is `when`, else falls through.
    pub(super) fn condition(&mut self, expr: &Expr, when: bool, to: Label) {
        if !self.may_go_on() {
            return;
        }
        if let Some(holds) = self.known(expr) {
            if holds == when {
                self.code.emit(Op::Jump { to });
            }
            return;
        }
        let outer = std::mem::replace(&mut self.code.span, expr.span);
        let mark = self.mark();
        self.test(expr, when, to);
        self.release(mark);
        self.code.span = outer;
    }

    fn test(&mut self, expr: &Expr, when: bool, to: Label) {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner, !when, to),
            ExprKind::Binary(BinaryOp::And, a, b) => self.joined(a, b, true, when, to),
            ExprKind::Binary(BinaryOp::Or, a, b) => self.joined(a, b, false, when, to),
            ExprKind::Binary(BinaryOp::Equal, a, b) => self.equal(a, b, when, to),
            ExprKind::Binary(BinaryOp::Less, a, b) => self.less([a, b], false, when, to),
            ExprKind::Binary(BinaryOp::LessEqual, a, b) => self.less([a, b], true, when, to),
            ExprKind::Binary(BinaryOp::In, member, set) => self.contains(member, set, when, to),
            ExprKind::Binary(BinaryOp::Within, a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                self.code.branch(Op::JumpWithin { a: a.at, b: b.at, width: a.width, to }, when);
            }
            ExprKind::Fold { word: word @ (FoldWord::Any | FoldWord::All), binder, body } => {
                self.search(binder, &body[0], *word == FoldWord::Any, when, to);
            }
            ExprKind::Call(rule, args) => match self.inline_value(*rule, args) {
                Some((value, locals)) => {
                    self.inside(*rule, locals, |compiler| compiler.condition(&value, when, to));
                }
                None => self.word_test(expr, when, to),
            },
            ExprKind::Element(Array::Var(_), ..) if self.is_kept(expr) => {
                let kept = self.kept(expr).expect("asked above");
                self.test_kept(kept, when, to);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.branches(condition, then, otherwise, |it, branch| {
                    it.condition(branch, when, to);
                });
            }
            _ => self.word_test(expr, when, to),
        }
    }

    fn word_test(&mut self, expr: &Expr, when: bool, to: Label) {
        let jump = match self.one_word_element(expr) {
            Some([base, index, count]) => Op::JumpIfAt { base, index, count, to },
            None => Op::JumpIf { a: self.word(expr), to },
        };
        self.code.branch(jump, when);
    }

    /// `a and b`, or `a or b`.
    fn joined(&mut self, a: &Expr, b: &Expr, and: bool, when: bool, to: Label) {
        if when != and {
            self.condition(a, when, to);
            return self.condition(b, when, to);
        }
        let decided = self.code.label();
        self.condition(a, !when, decided);
        self.condition(b, when, to);
        self.code.place(decided);
    }

    fn equal(&mut self, a: &Expr, b: &Expr, when: bool, to: Label) {
        if matches!(a.ty, Type::Set(_)) || matches!(b.ty, Type::Set(_)) {
            return self.same(a, b, when, to);
        }
        let special = self.test_value(a, b, when, to)
            || self.test_value(b, a, when, to)
            || self.test_cell(a, b, when, to)
            || self.test_cell(b, a, when, to);
        if !special {
            let (a, b) = (self.word(a), self.word(b));
            self.code.branch(Op::JumpEqual { a, b, to }, when);
        }
    }

    /// A column that is compared with a constant: whether the member is one of those that have it.
    fn test_cell(&mut self, cell: &Expr, value: &Expr, when: bool, to: Label) -> bool {
        let ExprKind::Column(kind, column, of) = &cell.kind else { return false };
        let (Some(value), Type::Kind(of_kind)) = (self.fold(value), &of.ty) else { return false };
        let cells = &self.rules.kinds[kind.index()].columns[*column].cells;
        let having = (0_i64..).zip(cells).filter(|(_, cell)| **cell == value);
        let having = Value::Set(having.map(|(member, _)| member).collect());
        let ty = Type::Set(Domain::Kind(*of_kind));
        if of_kind != kind || self.width(&ty, cell.span) != 1 {
            return false;
        }
        let words = self.words_of(&having, &ty, cell.span);
        let (set, member) = (self.code.constants(&words), self.word(of));
        self.code.branch(Op::JumpHas { set, member, width: 1, to }, when);
        true
    }

    fn same(&mut self, a: &Expr, b: &Expr, when: bool, to: Label) {
        let empty = Some(Value::Set(Vec::new()));
        let (some, other) = if self.fold(a) == empty { (b, a) } else { (a, b) };
        if self.fold(other) == empty {
            if let Some([base, index, count]) = self.one_word_element(some) {
                return self.code.branch(Op::JumpIfAt { base, index, count, to }, !when);
            }
            let Slots { at: set, width } = self.operand(some);
            return self.code.branch(Op::JumpEmpty { set, width, to }, when);
        }
        let (a, b) = (self.operand(a), self.operand(b));
        self.code.branch(Op::JumpSame { a: a.at, b: b.at, width: a.width, to }, when);
    }

    /// `a < b`, or `a <= b` if it may be equal. Nothing is less than none, nor none than anything.
    fn less(&mut self, sides: [&Expr; 2], equal: bool, when: bool, to: Label) {
        let nones = sides.map(|side| matches!(side.ty, Type::Maybe(_) | Type::None));
        let words = sides.map(|side| self.word(side));
        let end = self.code.label();
        let none = self.none();
        for (word, _) in words.iter().zip(nones).filter(|(_, maybe)| *maybe) {
            let to = if when { end } else { to };
            self.code.emit(Op::JumpEqual { a: *word, b: none, to });
        }
        let [a, b] = words;
        let jump = if equal { Op::JumpAtMost { a, b, to } } else { Op::JumpLess { a, b, to } };
        self.code.branch(jump, when);
        self.code.place(end);
    }

    fn contains(&mut self, member: &Expr, set: &Expr, when: bool, to: Label) {
        if let ExprKind::Interval(low, high) = &set.kind {
            return self.between(member, [low, high], when, to);
        }
        if let (ExprKind::SetOf(members), None) = (&set.kind, self.fold(set)) {
            return self.one_of(member, members, when, to);
        }
        if matches!(set.ty, Type::Maybe(_) | Type::Kind(_)) {
            return self.one_of(member, std::slice::from_ref(set), when, to);
        }
        let member = self.member(member, set);
        if let Some([base, index, count]) = self.one_word_element(set) {
            return self.code.branch(Op::JumpHasAt { base, index, count, member, to }, when);
        }
        let Slots { at: set, width } = self.operand(set);
        self.code.branch(Op::JumpHas { set, member, width, to }, when);
    }

    /// A member as its position in a set: numbers are counted from the lowest.
    pub(super) fn member(&mut self, member: &Expr, set: &Expr) -> u16 {
        let low = self.low(set);
        let a = self.word(member);
        self.behind_low(a, low)
    }

    /// A number as its position behind the lowest.
    pub(super) fn behind_low(&mut self, a: u16, low: i64) -> u16 {
        if low == 0 {
            return a;
        }
        let dst = self.take(1).at;
        let low = self.code.constant(low);
        self.code.emit(Op::Position { dst, a, low });
        dst
    }

    fn between(&mut self, member: &Expr, bounds: [&Expr; 2], when: bool, to: Label) {
        let [low, high] = bounds;
        let member = self.word(member);
        let low = self.word(low);
        let high = self.word(high);
        let end = self.code.label();
        let outside = if when { end } else { to };
        // None is below every number.
        self.code.emit(Op::JumpLess { a: member, b: low, to: outside });
        self.code.branch(Op::JumpAtMost { a: member, b: high, to }, when);
        self.code.place(end);
    }

    /// Whether a member is one of those written between braces.
    fn one_of(&mut self, member: &Expr, members: &[Expr], when: bool, to: Label) {
        let end = self.code.label();
        let found = if when { to } else { end };
        let a = self.word(member);
        let none = self.none();
        if matches!(member.ty, Type::Maybe(_) | Type::None) {
            let to = if when { end } else { to };
            self.code.emit(Op::JumpEqual { a, b: none, to });
        }
        for other in members {
            if self.fold(other) == Some(Value::None) {
                continue;
            }
            let b = self.word(other);
            self.code.emit(Op::JumpEqual { a, b, to: found });
        }
        if !when {
            self.code.emit(Op::Jump { to });
        }
        self.code.place(end);
    }

    /// `any` (a member for which it holds is wanted) or `all` (one for which it does not).
    pub(super) fn search(
        &mut self,
        binder: &Binder,
        body: &Expr,
        any: bool,
        when: bool,
        to: Label,
    ) {
        if self.search_sets(binder, body, any, when, to) {
            return;
        }
        let end = self.code.label();
        // What is found decides: `any` is yes, `all` is no.
        let found = if any == when { to } else { end };
        self.each(binder, |compiler| compiler.condition(body, any, found));
        if found == end {
            self.code.emit(Op::Jump { to });
        }
        self.code.place(end);
    }

    /// Continues at `next` unless the subject falls into the case.
    pub(super) fn pattern_tests<T>(&mut self, subject: u16, arm: &Arm<T>, next: Label) {
        if arm.patterns.is_empty() {
            return;
        }
        let hit = self.code.label();
        for pattern in &arm.patterns {
            match pattern {
                Pattern::Value(value) => {
                    let number = if let Value::Int(number) = value { *number } else { NONE };
                    let b = self.code.constant(number);
                    self.code.emit(Op::JumpEqual { a: subject, b, to: hit });
                }
                Pattern::Range(low, high) => {
                    let (low, high) = (self.code.constant(*low), self.code.constant(*high));
                    let below = self.code.label();
                    self.code.emit(Op::JumpLess { a: subject, b: low, to: below });
                    self.code.emit(Op::JumpAtMost { a: subject, b: high, to: hit });
                    self.code.place(below);
                }
            }
        }
        self.code.emit(Op::Jump { to: next });
        self.code.place(hit);
    }
}
