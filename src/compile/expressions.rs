//! Compiles values, and conditions as jumps that are taken if they hold, or if they do not.

use crate::bytecode::{NONE, Op};
use crate::compile::code::CodeLabel;
use crate::compile::places::AssignTarget;
use crate::compile::{Compiler, Pass, SlotRange};
use crate::rules::{
    Ambient, Arith, Arm, Array, BinaryOp, Binder, Domain, Expr, ExprKind, Pattern, Type, UnaryOp,
    Value,
};
use crate::syntax::ast::FoldWord;

impl Compiler<'_> {
    /// Computes a value to wherever it can be read. Until something is assigned to the variable
    /// that the slots may belong to, they hold the value.
    pub(super) fn operand(&mut self, expr: &Expr) -> SlotRange {
        if let Some(value) = self.fold(expr) {
            let words = self.words_of(&value, &expr.ty, expr.span);
            let width = self.code.fit(words.len(), "members");
            return SlotRange { at: self.code.constants(&words), width };
        }
        match &expr.kind {
            ExprKind::Local(local) => self.local_slots(*local),
            ExprKind::Element(Array::Var(_) | Array::Local(_), _) => {
                let target = self.target(expr);
                self.read(target, None)
            }
            ExprKind::Element(Array::Pile(var), indices) => {
                SlotRange { at: self.pile_number(*var, indices), width: 1 }
            }
            ExprKind::Ambient(Ambient::Turn) => {
                // A game whose rules never read the number of the turn does not count turns.
                let at = self.layout.turn.unwrap_or_else(|| self.code.constant(0));
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
            ExprKind::Local(local) => self.is_immutable(*local),
            _ => false,
        };
        if is_steady || self.fold(expr).is_some() { self.word(expr) } else { self.kept_word(expr) }
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
        if self.fold(expr).is_some() {
            let known = self.operand(expr);
            return self.copy(dst.at, known);
        }
        let outer = std::mem::replace(&mut self.code.span, expr.span);
        self.compute_unknown(expr, dst);
        self.code.span = outer;
    }

    /// Computes what only sets or lists can be, or what is found in a list; whether it is that.
    fn compute_gathered(&mut self, expr: &Expr, dst: SlotRange) -> bool {
        match expr.ty {
            Type::Set(_) => self.set_into(expr, dst),
            Type::List(..) => self.list_into(expr, dst),
            _ => self.found_in_list(expr, dst.at),
        }
    }

    fn compute_unknown(&mut self, expr: &Expr, dst: SlotRange) {
        if self.looked_up(expr, dst) || self.compute_gathered(expr, dst) {
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
            ExprKind::Random(set) => self.random(set, expr.span, dst),
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
            ExprKind::Ambient(what @ (Ambient::Past(_) | Ambient::Moves)) => {
                self.ambient(*what, dst.at);
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

    /// How often a position was remembered, or how many moves are legal.
    fn ambient(&mut self, what: Ambient, dst: u16) {
        let op = if let Ambient::Past(id) = what {
            Op::Times { dst, history: self.code.fit(id.index(), "histories") }
        } else {
            Op::Move { dst, src: self.code.constant(self.moves) }
        };
        self.code.emit(op);
    }

    pub(super) fn copy(&mut self, dst: u16, src: SlotRange) {
        if dst == src.at {
            return;
        }
        self.code.emit(match src.width {
            1 => Op::Move { dst, src: src.at },
            width => Op::Copy { dst, src: src.at, width },
        });
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
        let op = match op {
            UnaryOp::Negate | UnaryOp::Reverse => {
                Op::Subtract { dst, a: self.code.constant(0), b: a }
            }
            UnaryOp::Next => Op::NextPlayer { dst, a, count: self.players() },
            UnaryOp::Previous => Op::PreviousPlayer { dst, a, count: self.players() },
            UnaryOp::Seat => Op::Add { dst, a, b: self.code.constant(1) },
            UnaryOp::Abs => {
                let (zero, negative) = (self.code.constant(0), self.take(1).at);
                self.code.emit(Op::Subtract { dst: negative, a: zero, b: a });
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
        self.code.emit(op);
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

    pub(super) fn cases<T>(
        &mut self,
        subject: &Expr,
        arms: &[Arm<T>],
        mut body: impl FnMut(&mut Self, &T),
    ) {
        if let Some(value) = self.fold(subject) {
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
            self.pattern_tests(subject, arm, next);
            body(self, &arm.body);
            self.code.emit(Op::Jump { to: end });
            self.code.place(next);
        }
        body(self, &last.body);
        self.code.place(end);
    }

    /// Continues at `to` if the condition is `when`, else falls through.
    pub(super) fn condition(&mut self, expr: &Expr, when: bool, to: CodeLabel) {
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
        match self.looked_up_word(expr) {
            Some(a) => self.code.branch(Op::JumpIf { a, to }, when),
            None => self.test(expr, when, to),
        }
        self.release(mark);
        self.code.span = outer;
    }

    fn test(&mut self, expr: &Expr, when: bool, to: CodeLabel) {
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
            ExprKind::Element(Array::Var(_), ..) if self.is_kept(expr) => {
                let AssignTarget::Flag(set, member) = self.target(expr) else {
                    unreachable!("checked: only yes and no are conditions")
                };
                self.test_flag(set, member, when, to);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.branches(condition, then, otherwise, |it, branch| {
                    it.condition(branch, when, to);
                });
            }
            _ => self.word_test(expr, when, to),
        }
    }

    fn word_test(&mut self, expr: &Expr, when: bool, to: CodeLabel) {
        let jump = match self.one_word_element(expr) {
            Some([base, index, count]) => Op::JumpIfAt { base, index, count, to },
            None => Op::JumpIf { a: self.word(expr), to },
        };
        self.code.branch(jump, when);
    }

    fn joined(&mut self, a: &Expr, b: &Expr, and: bool, when: bool, to: CodeLabel) {
        if when != and {
            self.condition(a, when, to);
            return self.condition(b, when, to);
        }
        let decided = self.code.label();
        self.condition(a, !when, decided);
        self.condition(b, when, to);
        self.code.place(decided);
    }

    fn equal(&mut self, a: &Expr, b: &Expr, when: bool, to: CodeLabel) {
        if matches!(a.ty, Type::List(..)) {
            let (a, b) = (self.operand(a), self.operand(b));
            return self.code.branch(Op::JumpSame { a: a.at, b: b.at, width: a.width, to }, when);
        }
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
    fn test_cell(&mut self, cell: &Expr, value: &Expr, when: bool, to: CodeLabel) -> bool {
        let ExprKind::Column(kind, column, of) = &cell.kind else { return false };
        let (Some(value), Type::Kind(of_kind)) = (self.fold(value), &of.ty) else { return false };
        let cells = &self.rules.kinds[kind.index()].columns[*column].cells;
        let having = (0_i64..).zip(cells).filter(|(_, cell)| **cell == value);
        let having = Value::Set(having.map(|(member, _)| member).collect());
        let ty = Type::Set(Domain::Kind(*of_kind));
        if of_kind != kind || self.width(&ty, cell.span) != 1 || !self.tries(Pass::Fused) {
            return false;
        }
        self.fires(Pass::Fused);
        let words = self.words_of(&having, &ty, cell.span);
        let (set, member) = (self.code.constants(&words), self.word(of));
        self.code.branch(Op::JumpHas { set, member, width: 1, to }, when);
        true
    }

    fn same(&mut self, a: &Expr, b: &Expr, when: bool, to: CodeLabel) {
        let empty = Some(Value::Set(Vec::new()));
        let (some, other) = if self.fold(a) == empty { (b, a) } else { (a, b) };
        if self.fold(other) == empty {
            if let Some([base, index, count]) = self.one_word_element(some) {
                return self.code.branch(Op::JumpIfAt { base, index, count, to }, !when);
            }
            let SlotRange { at: set, width } = self.operand(some);
            return self.code.branch(Op::JumpEmpty { set, width, to }, when);
        }
        let (a, b) = (self.operand(a), self.operand(b));
        self.code.branch(Op::JumpSame { a: a.at, b: b.at, width: a.width, to }, when);
    }

    /// `a < b`, or `a <= b` if it may be equal. Nothing is less than none, nor none than anything.
    fn less(&mut self, sides: [&Expr; 2], equal: bool, when: bool, to: CodeLabel) {
        if let ([a, b], Type::List(..)) = (sides, &sides[0].ty) {
            let jump = self.list_before(a, b, equal, to);
            return self.code.branch(jump, when);
        }
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

    fn contains(&mut self, member: &Expr, set: &Expr, when: bool, to: CodeLabel) {
        if let ExprKind::Interval(low, high) = &set.kind {
            return self.between(member, [low, high], when, to);
        }
        if let (ExprKind::SetOf(members), None) = (&set.kind, self.fold(set)) {
            return self.one_of(member, members, when, to);
        }
        if matches!(set.ty, Type::List(..)) {
            let a = self.find_in_list(member, set);
            return self.code.branch(Op::JumpIf { a, to }, when);
        }
        if matches!(set.ty, Type::Maybe(_) | Type::Kind(_)) {
            return self.one_of(member, std::slice::from_ref(set), when, to);
        }
        let member = self.member(member, set);
        if let Some([base, index, count]) = self.one_word_element(set) {
            return self.code.branch(Op::JumpHasAt { base, index, count, member, to }, when);
        }
        let SlotRange { at: set, width } = self.operand(set);
        self.code.branch(Op::JumpHas { set, member, width, to }, when);
    }

    /// A member as its position in a set: numbers are counted from the lowest.
    pub(super) fn member(&mut self, member: &Expr, set: &Expr) -> u16 {
        let low = self.low(set);
        let a = self.word(member);
        self.behind_low(a, low)
    }

    pub(super) fn behind_low(&mut self, a: u16, low: i64) -> u16 {
        if low == 0 {
            return a;
        }
        let dst = self.take(1).at;
        let low = self.code.constant(low);
        self.code.emit(Op::Position { dst, a, low });
        dst
    }

    fn between(&mut self, member: &Expr, bounds: [&Expr; 2], when: bool, to: CodeLabel) {
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

    fn one_of(&mut self, member: &Expr, members: &[Expr], when: bool, to: CodeLabel) {
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
        to: CodeLabel,
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
    pub(super) fn pattern_tests<T>(&mut self, subject: u16, arm: &Arm<T>, next: CodeLabel) {
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
