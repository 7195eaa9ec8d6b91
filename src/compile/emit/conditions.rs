//! Compiles conditions as jumps that are taken if they hold, or if they do not.

use crate::bytecode::Op;
use crate::compile::emit::lists::{find_in_list, list_before};
use crate::compile::emit::places::{AssignTarget, one_word_element, test_flag, try_test_value};
use crate::compile::emit::{Emitter, filters::try_search_sets, form_members::looked_up_word};
use crate::compile::plan::expr_queries::range_of_set;
use crate::compile::{code::CodeLabel, passes::Pass, scope::SlotRange};
use crate::rules::{Array, BinaryOp, Binder, Domain, Expr, ExprKind, Type, UnaryOp, Value};
use crate::syntax::ast::FoldWord;

impl Emitter<'_, '_> {
    /// Continues at `to` if the condition is `when`, else falls through.
    pub(super) fn condition(&mut self, expr: &Expr, when: bool, to: CodeLabel) {
        if !self.may_go_on() {
            return;
        }
        if let Some(holds) = self.facts().known(expr) {
            if holds == when {
                self.code.emit(Op::Jump { to });
            }
            return;
        }
        let outer = std::mem::replace(&mut self.code.span, expr.span);
        let mark = self.mark();
        match looked_up_word(self, expr) {
            Some(a) => self.code.branch(Op::JumpIf { a, to }, when),
            None => jump_on_test(self, expr, when, to),
        }
        self.release(mark);
        self.code.span = outer;
    }
}

/// Yes or no as a word: the condition decides which.
pub(super) fn emit_truth(out: &mut Emitter, expr: &Expr, dst: u16) {
    let (yes, no) = (out.code.constant(1), out.code.constant(0));
    let [fails, end] = out.code.labels();
    out.condition(expr, false, fails);
    out.code.emit(Op::Move { dst, src: yes });
    out.code.emit(Op::Jump { to: end });
    out.code.place(fails);
    out.code.emit(Op::Move { dst, src: no });
    out.code.place(end);
}

fn jump_on_test(out: &mut Emitter, expr: &Expr, when: bool, to: CodeLabel) {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => out.condition(inner, !when, to),
        ExprKind::Binary(BinaryOp::And, a, b) => jump_on_joined(out, a, b, true, when, to),
        ExprKind::Binary(BinaryOp::Or, a, b) => jump_on_joined(out, a, b, false, when, to),
        ExprKind::Binary(BinaryOp::Equal, a, b) => jump_if_equal(out, a, b, when, to),
        ExprKind::Binary(BinaryOp::Less, a, b) => jump_if_less(out, [a, b], false, when, to),
        ExprKind::Binary(BinaryOp::LessEqual, a, b) => jump_if_less(out, [a, b], true, when, to),
        ExprKind::Binary(BinaryOp::In, member, set) => jump_if_in(out, member, set, when, to),
        ExprKind::Binary(BinaryOp::Within, a, b) => {
            let (a, b) = (out.operand(a), out.operand(b));
            out.code.branch(Op::JumpWithin { a: a.at, b: b.at, width: a.width, to }, when);
        }
        ExprKind::Fold { word: word @ (FoldWord::Any | FoldWord::All), binder, body } => {
            jump_if_found(out, binder, &body[0], *word == FoldWord::Any, when, to);
        }
        ExprKind::Element(Array::Var(_), ..) if out.plan.is_kept(expr) => {
            let AssignTarget::Flag(set, member) = out.target(expr) else {
                unreachable!("checked: only yes and no are conditions")
            };
            test_flag(out, set, member, when, to);
        }
        ExprKind::If(condition, then, otherwise) => {
            out.branches(condition, then, otherwise, |it, branch| {
                it.condition(branch, when, to);
            });
        }
        _ => jump_if_word(out, expr, when, to),
    }
}

fn jump_if_word(out: &mut Emitter, expr: &Expr, when: bool, to: CodeLabel) {
    let jump = match one_word_element(out, expr) {
        Some([base, index, count]) => Op::JumpIfAt { base, index, count, to },
        None => Op::JumpIf { a: out.word(expr), to },
    };
    out.code.branch(jump, when);
}

fn jump_on_joined(out: &mut Emitter, a: &Expr, b: &Expr, and: bool, when: bool, to: CodeLabel) {
    if when != and {
        out.condition(a, when, to);
        return out.condition(b, when, to);
    }
    let decided = out.code.label();
    out.condition(a, !when, decided);
    out.condition(b, when, to);
    out.code.place(decided);
}

fn jump_if_equal(out: &mut Emitter, a: &Expr, b: &Expr, when: bool, to: CodeLabel) {
    if matches!(a.ty, Type::List(..)) {
        let (a, b) = (out.operand(a), out.operand(b));
        return out.code.branch(Op::JumpSame { a: a.at, b: b.at, width: a.width, to }, when);
    }
    if matches!(a.ty, Type::Set(_)) || matches!(b.ty, Type::Set(_)) {
        return jump_if_same_set(out, a, b, when, to);
    }
    let special = try_test_value(out, a, b, when, to)
        || try_test_value(out, b, a, when, to)
        || try_jump_if_cell(out, a, b, when, to)
        || try_jump_if_cell(out, b, a, when, to);
    if !special {
        let (a, b) = (out.word(a), out.word(b));
        out.code.branch(Op::JumpEqual { a, b, to }, when);
    }
}

/// A column that is compared with a constant: whether the member is one of those that have it.
#[must_use]
fn try_jump_if_cell(
    out: &mut Emitter,
    cell: &Expr,
    value: &Expr,
    when: bool,
    to: CodeLabel,
) -> bool {
    let ExprKind::Column(kind, column, of) = &cell.kind else { return false };
    let (Some(value), Type::Kind(of_kind)) = (out.facts().fold(value), &of.ty) else {
        return false;
    };
    let cells = &out.plan.rules.kinds[kind.index()].columns[*column].cells;
    let having = (0_i64..).zip(cells).filter(|(_, cell)| **cell == value);
    let having = Value::Set(having.map(|(member, _)| member).collect());
    let ty = Type::Set(Domain::Kind(*of_kind));
    if of_kind != kind || out.plan.width(&ty, cell.span) != 1 || !out.plan.tries(Pass::Fused) {
        return false;
    }
    out.plan.fires(Pass::Fused);
    let words = out.encode_value(&having, &ty, cell.span);
    let (set, member) = (out.code.constants(&words), out.word(of));
    out.code.branch(Op::JumpHas { set, member, width: 1, to }, when);
    true
}

fn jump_if_same_set(out: &mut Emitter, a: &Expr, b: &Expr, when: bool, to: CodeLabel) {
    let empty = Some(Value::Set(Vec::new()));
    let (some, other) = if out.facts().fold(a) == empty { (b, a) } else { (a, b) };
    if out.facts().fold(other) == empty {
        if let Some([base, index, count]) = one_word_element(out, some) {
            return out.code.branch(Op::JumpIfAt { base, index, count, to }, !when);
        }
        let SlotRange { at: set, width } = out.operand(some);
        return out.code.branch(Op::JumpEmpty { set, width, to }, when);
    }
    let (a, b) = (out.operand(a), out.operand(b));
    out.code.branch(Op::JumpSame { a: a.at, b: b.at, width: a.width, to }, when);
}

/// `a < b`, or `a <= b` if it may be equal. Nothing is less than none, nor none than anything.
fn jump_if_less(out: &mut Emitter, sides: [&Expr; 2], equal: bool, when: bool, to: CodeLabel) {
    if let ([a, b], Type::List(..)) = (sides, &sides[0].ty) {
        let jump = list_before(out, a, b, equal, to);
        return out.code.branch(jump, when);
    }
    let nones = sides.map(|side| matches!(side.ty, Type::Maybe(_) | Type::None));
    let words = sides.map(|side| out.word(side));
    let end = out.code.label();
    let none = out.none();
    for (word, _) in words.iter().zip(nones).filter(|(_, maybe)| *maybe) {
        let to = if when { end } else { to };
        out.code.emit(Op::JumpEqual { a: *word, b: none, to });
    }
    let [a, b] = words;
    let jump = if equal { Op::JumpAtMost { a, b, to } } else { Op::JumpLess { a, b, to } };
    out.code.branch(jump, when);
    out.code.place(end);
}

fn jump_if_in(out: &mut Emitter, member: &Expr, set: &Expr, when: bool, to: CodeLabel) {
    match &set.kind {
        ExprKind::Interval(low, high) if may_have_all(out, set, [&**low, &**high]) => {
            return jump_if_between(out, member, [low, high], when, to);
        }
        ExprKind::SetOf(members)
            if may_have_all(out, set, members) && out.facts().fold(set).is_none() =>
        {
            return jump_if_one_of(out, member, members, when, to);
        }
        _ => {}
    }
    if matches!(set.ty, Type::List(..)) {
        let a = find_in_list(out, member, set);
        return out.code.branch(Op::JumpIf { a, to }, when);
    }
    if matches!(set.ty, Type::Maybe(_) | Type::Kind(_)) {
        return jump_if_one_of(out, member, std::slice::from_ref(set), when, to);
    }
    let member = out.emit_membership(member, set);
    if let Some([base, index, count]) = one_word_element(out, set) {
        return out.code.branch(Op::JumpHasAt { base, index, count, member, to }, when);
    }
    let SlotRange { at: set, width } = out.operand(set);
    out.code.branch(Op::JumpHas { set, member, width, to }, when);
}

/// True if a set of numbers has room for these; others would trap, even unread.
fn may_have_all<'e>(
    out: &Emitter,
    set: &Expr,
    members: impl IntoIterator<Item = &'e Expr>,
) -> bool {
    range_of_set(set).is_none_or(|range| {
        let is_sure = |member: &Expr| {
            member.ty == Type::Number && out.facts().is_inside(member, Domain::Range(range))
        };
        members.into_iter().all(is_sure)
    })
}

fn jump_if_between(
    out: &mut Emitter,
    member: &Expr,
    bounds: [&Expr; 2],
    when: bool,
    to: CodeLabel,
) {
    let [low, high] = bounds;
    let member = out.word(member);
    let low = out.word(low);
    let high = out.word(high);
    let end = out.code.label();
    let outside = if when { end } else { to };
    // None is below every number.
    out.code.emit(Op::JumpLess { a: member, b: low, to: outside });
    out.code.branch(Op::JumpAtMost { a: member, b: high, to }, when);
    out.code.place(end);
}

fn jump_if_one_of(out: &mut Emitter, member: &Expr, members: &[Expr], when: bool, to: CodeLabel) {
    let end = out.code.label();
    let found = if when { to } else { end };
    let a = out.word(member);
    let none = out.none();
    if matches!(member.ty, Type::Maybe(_) | Type::None) {
        let to = if when { end } else { to };
        out.code.emit(Op::JumpEqual { a, b: none, to });
    }
    for other in members {
        if out.facts().fold(other) == Some(Value::None) {
            continue;
        }
        let b = out.word(other);
        out.code.emit(Op::JumpEqual { a, b, to: found });
    }
    if !when {
        out.code.emit(Op::Jump { to });
    }
    out.code.place(end);
}

/// `any` (a member for which it holds is wanted) or `all` (one for which it does not).
pub(super) fn jump_if_found(
    out: &mut Emitter,
    binder: &Binder,
    body: &Expr,
    any: bool,
    when: bool,
    to: CodeLabel,
) {
    if try_search_sets(out, binder, body, any, when, to) {
        return;
    }
    let end = out.code.label();
    // What is found decides: `any` is yes, `all` is no.
    let found = if any == when { to } else { end };
    out.emit_loop(binder, |out| out.condition(body, any, found));
    if found == end {
        out.code.emit(Op::Jump { to });
    }
    out.code.place(end);
}
