//! Compiles lists: literals, elements, comparisons, and the search through all that can grow.

use crate::bytecode::{NONE, Op};
use crate::compile::emit::Emitter;
use crate::compile::emit::places::{AssignTarget, SlotAccess};
use crate::compile::plan::state_layout::Packing;
use crate::compile::{code::CodeLabel, scope::SlotRange};
use crate::rules::{BinaryOp, Expr, ExprKind, Type, UnaryOp};

const _: () = assert!(NONE < 0, "the first member comes after none");

/// Computes a list into slots, if it is one of the forms that only lists have.
#[must_use]
pub(super) fn try_emit_list(out: &mut Emitter, expr: &Expr, dst: SlotRange) -> bool {
    match &expr.kind {
        ExprKind::ListOf(items) => {
            let SlotRange { at, width } = dst;
            out.code.emit(Op::Clear { set: at, width });
            let packing = out.plan.packed(expr);
            for item in items {
                let mark = out.mark();
                let member = new_element(out, item, expr);
                emit_append(out, at, member, packing);
                out.release(mark);
            }
        }
        // The shorter list has the same first words.
        ExprKind::Unary(UnaryOp::ToList, of) => {
            let short = out.operand(of);
            out.code.emit(Op::Clear { set: dst.at, width: dst.width });
            out.emit_copy(dst.at, short);
        }
        _ => return false,
    }
    true
}

pub(super) fn emit_append(
    out: &mut Emitter,
    list: u16,
    member: u16,
    Packing { width, bits, most, .. }: Packing,
) {
    out.code.emit(Op::Append { list, member, width, bits, most });
}

/// The position of a member that comes into a list; of none: none.
fn new_element(out: &mut Emitter, item: &Expr, list: &Expr) -> u16 {
    if !matches!(item.ty, Type::Maybe(_) | Type::None) || out.plan.packed(list).low == 0 {
        return out.new_member(item, list);
    }
    let (value, position, skip) = (out.kept_word(item), out.allocate(1).at, out.code.label());
    let none = out.none();
    out.code.emit(Op::Move { dst: position, src: none });
    out.code.emit(Op::JumpEqual { a: value, b: none, to: skip });
    let src = out.new_member(item, list);
    out.code.emit(Op::Move { dst: position, src });
    out.code.place(skip);
    position
}

/// `list += x`
pub(super) fn add_element(out: &mut Emitter, list: SlotAccess, place: &Expr, value: &Expr) {
    let packing = out.plan.packed(place);
    let member = new_element(out, value, place);
    let old = out.load_from(list, None);
    emit_append(out, old.at, member, packing);
    out.store(AssignTarget::Plain(list), old);
}

/// Computes a word that is found in a list, if it is one of these forms.
#[must_use]
pub(super) fn try_emit_find(out: &mut Emitter, expr: &Expr, dst: u16) -> bool {
    let (of, index) = match &expr.kind {
        ExprKind::Unary(UnaryOp::FirstElement | UnaryOp::LastElement | UnaryOp::Length, of) => {
            (of, None)
        }
        ExprKind::Binary(BinaryOp::Nth, of, index) => (of, Some(index)),
        _ => return false,
    };
    let Packing { width, bits, low, .. } = out.plan.packed(of);
    let list = out.operand(of).at;
    if let Some(index) = index {
        let index = out.word(index);
        out.code.emit(Op::Element { dst, list, index, width, bits });
        out.add_low(dst, low);
        return true;
    }
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Length, _) => {
            out.code.emit(Op::Length { dst, list, width, bits });
        }
        ExprKind::Unary(UnaryOp::FirstElement, _) => {
            let index = out.code.constant(0);
            out.code.emit(Op::ElementOrNone { dst, list, index, width, bits });
            add_low_to_some(out, dst, low);
        }
        _ => {
            out.code.emit(Op::LastElement { dst, list, width, bits });
            add_low_to_some(out, dst, low);
        }
    }
    true
}

/// A position in a slot, or none, becomes the member that it stands for.
fn add_low_to_some(out: &mut Emitter, dst: u16, low: i64) {
    if low != 0 {
        let (none, end) = (out.none(), out.code.label());
        out.code.emit(Op::JumpEqual { a: dst, b: none, to: end });
        out.add_low(dst, low);
        out.code.place(end);
    }
}

/// The number of a member in a list, or 0.
pub(super) fn find_in_list(out: &mut Emitter, member: &Expr, list: &Expr) -> u16 {
    let Packing { width, bits, .. } = out.plan.packed(list);
    let member = out.emit_membership(member, list);
    let (list, dst) = (out.operand(list).at, out.allocate(1).at);
    out.code.emit(Op::Find { dst, list, member, width, bits });
    dst
}

/// Puts the elements of a list into a set.
pub(super) fn insert_elements(out: &mut Emitter, list: &Expr, set: SlotRange) {
    let Packing { width, bits, .. } = out.plan.packed(list);
    let SlotRange { at: list, .. } = out.operand(list);
    let (index, member) = (out.allocate(1).at, out.allocate(1).at);
    let (zero, one, none) = (out.code.constant(0), out.code.constant(1), out.none());
    out.code.emit(Op::Move { dst: index, src: zero });
    let (next, end) = (out.code.here(), out.code.label());
    out.code.emit(Op::ElementOrNone { dst: member, list, index, width, bits });
    out.code.emit(Op::JumpEqual { a: member, b: none, to: end });
    out.code.emit(Op::Insert { set: set.at, member, width: set.width });
    out.code.emit(Op::Add { dst: index, a: index, b: one });
    out.code.emit(Op::Again { to: next });
    out.code.place(end);
}

/// `a < b` of two lists, or `a <= b`.
pub(super) fn list_before(out: &mut Emitter, a: &Expr, b: &Expr, equal: bool, to: CodeLabel) -> Op {
    let width = out.plan.packed(a).width;
    let (a, b) = (out.operand(a).at, out.operand(b).at);
    if equal { Op::JumpNotAfter { a, b, width, to } } else { Op::JumpBefore { a, b, width, to } }
}
