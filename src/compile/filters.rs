//! Conditions of binders as operations on whole sets, wherever they can be.
//!
//! `c in S where c in A and c not in B and c.cost < 3` is one set, met and cut with others: three
//! operations in place of a loop. What cannot be said so stays as a test for each member.

use crate::bytecode::Op;
use crate::check::rules::{Binder, Expr, ExprKind, LocalId, Type, Value};
use crate::compile::choices::is_safe;
use crate::compile::fold::{Fold, finite};
use crate::compile::{Compiler, Slots, Storage};

/// A condition on the member of a binder as something done to the whole set.
enum Lowered<'e> {
    /// Only what is in this set, or (no) only what is not.
    Meet(&'e Expr, bool),
    /// Only this member, or (no) all but this.
    Only(&'e Expr, bool),
    /// Only these members, known before play.
    Known(Value),
}

impl Compiler<'_> {
    /// The members of a binder, cut as far as operations on sets can, and the conditions that are
    /// left. The slots may belong to a variable: they are only to be read.
    pub(super) fn cut<'e>(
        &mut self,
        set: &'e Expr,
        local: LocalId,
        conditions: &[&'e Expr],
    ) -> (Slots, Vec<&'e Expr>) {
        let base = self.operand(set);
        let mut parts = Vec::new();
        conditions.iter().for_each(|condition| conjuncts(condition, &mut parts));
        let (mut cut, mut left) = (base, Vec::new());
        for part in parts {
            match self.lowered(part, local, set) {
                Some(lowered) => cut = self.apply(cut, base, &lowered, set),
                None => left.push(part),
            }
        }
        (cut, left)
    }

    /// The members that fulfil all conditions. The slots are only to be read.
    pub(super) fn filtered(&mut self, set: &Expr, local: LocalId, conditions: &[&Expr]) -> Slots {
        let (cut, left) = self.cut(set, local, conditions);
        if left.is_empty() {
            return cut;
        }
        let kept = self.take(cut.width);
        let mark = self.mark();
        let (rest, member) = (self.take(cut.width), self.take(1).at);
        self.copy(rest.at, cut);
        self.code.emit(Op::Clear { set: kept.at, width: kept.width });
        let (next, exit) = (self.code.here(), self.code.label());
        let (set_at, width) = (rest.at, rest.width);
        self.code.emit(Op::Pop { dst: member, set: set_at, width, to: exit });
        let low = finite(&set.ty).map_or(0, |domain| self.domain(domain, set.span).0);
        let number = self.ahead_of_low(member, low);
        self.body.locals.insert(local, Storage::Slots(number, 1));
        left.iter().for_each(|condition| self.condition(condition, false, next));
        self.code.emit(Op::Insert { set: kept.at, member, width });
        self.code.emit(Op::Again { to: next });
        self.code.place(exit);
        self.release(mark);
        kept
    }

    /// A position in a set as the number that it stands for.
    fn ahead_of_low(&mut self, member: u16, low: i64) -> u16 {
        if low == 0 {
            return member;
        }
        let (dst, b) = (self.take(1).at, self.code.constant(low));
        self.code.emit(Op::Add { dst, a: member, b });
        dst
    }

    /// What a condition does to the whole set, if it can be said so.
    fn lowered<'e>(&self, condition: &'e Expr, local: LocalId, set: &Expr) -> Option<Lowered<'e>> {
        let (test, holds) = match &condition.kind {
            ExprKind::Not(inner) => (inner.as_ref(), false),
            _ => (condition, true),
        };
        let other = |expr: &'e Expr| (!reads(expr, local) && is_safe(expr)).then_some(expr);
        match &test.kind {
            ExprKind::In(member, of) if is_local(member, local) && of.ty == set.ty => {
                return other(of).map(|of| Lowered::Meet(of, holds));
            }
            ExprKind::Equal(a, b) if !matches!(a.ty, Type::Set(_)) => {
                let only = if is_local(a, local) { b } else { a };
                if is_local(a, local) || is_local(b, local) {
                    return other(only).map(|only| Lowered::Only(only, holds));
                }
            }
            _ => {}
        }
        self.known_members(condition, local, set).map(Lowered::Known)
    }

    /// The members for which a condition holds that reads nothing but the member.
    fn known_members(&self, condition: &Expr, local: LocalId, set: &Expr) -> Option<Value> {
        let domain = finite(&set.ty)?;
        let known = |local: LocalId| match self.body.locals.get(&local) {
            Some(Storage::Known(value)) => Some(value.clone()),
            _ => None,
        };
        let (rules, setting, ranges) = (self.rules, self.setting, &self.ranges);
        let mut fold = Fold { rules, setting, ranges, known: &known, bound: Vec::new() };
        let (low, size) = fold.domain(domain)?;
        let mut members = Vec::new();
        for member in (low..).take(size) {
            fold.bound.push((local, Value::Int(member)));
            let holds = fold.value(condition).ok()?;
            fold.bound.pop();
            members.extend((holds != Value::Int(0)).then_some(member));
        }
        Some(Value::Set(members))
    }

    /// Cuts a set; the first cut goes into slots of its own.
    fn apply(&mut self, cut: Slots, base: Slots, lowered: &Lowered, set: &Expr) -> Slots {
        let Slots { at: a, width } = cut;
        let dst = if cut == base { self.take(width) } else { cut };
        let mark = self.mark();
        match lowered {
            Lowered::Meet(of, holds) => {
                let b = self.operand(of).at;
                self.code.emit(if *holds {
                    Op::Common { dst: dst.at, a, b, width }
                } else {
                    Op::Minus { dst: dst.at, a, b, width }
                });
            }
            Lowered::Only(only, true) => {
                let (member, one) = (self.member(only, set), self.take(width).at);
                self.code.emit(Op::Clear { set: one, width });
                self.code.emit(Op::Insert { set: one, member, width });
                self.code.emit(Op::Common { dst: dst.at, a, b: one, width });
            }
            Lowered::Only(only, false) => {
                let member = self.member(only, set);
                self.copy(dst.at, cut);
                self.code.emit(Op::Remove { set: dst.at, member, width });
            }
            Lowered::Known(members) => {
                let words = self.words_of(members, &set.ty, set.span);
                let b = self.code.constants(&words);
                self.code.emit(Op::Common { dst: dst.at, a, b, width });
            }
        }
        self.release(mark);
        dst
    }

    /// The conditions of a binder and those of whatever goes over it, as one list.
    pub(super) fn conditions<'e>(binder: &'e Binder, body: &'e [Expr]) -> Vec<&'e Expr> {
        binder.condition.iter().map(AsRef::as_ref).chain(body).collect()
    }
}

/// The parts of a condition that are joined by `and`.
fn conjuncts<'e>(condition: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::And(a, b) => {
            conjuncts(a, parts);
            conjuncts(b, parts);
        }
        _ => parts.push(condition),
    }
}

fn is_local(expr: &Expr, local: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Local(read) if read == local)
}

/// Whether an expression reads a local.
pub(super) fn reads(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.visit(&mut |part| found |= is_local(part, local));
    found
}
