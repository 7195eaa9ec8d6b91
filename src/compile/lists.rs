//! Compiles lists: literals, elements, comparisons, and the search through all that can grow.

use crate::bytecode::{NONE, Op, lists};
use crate::compile::code::CodeLabel;
use crate::compile::loops::Over;
use crate::compile::places::{AssignTarget, SlotAccess};
use crate::compile::{Compiler, SlotRange, Storage};
use crate::rules::{BinaryOp, Domain, Expr, ExprKind, LocalId, Type, UnaryOp};
use crate::source::Span;

/// How the elements of a list lie in its words.
#[derive(Clone, Copy)]
pub(super) struct Packing {
    pub(super) width: u16,
    pub(super) bits: u16,
    most: u16,
    /// The member that position 0 stands for.
    low: i64,
}

impl Compiler<'_> {
    /// How a list is packed, if the type is one.
    pub(super) fn packing(&mut self, ty: &Type, span: Span) -> Option<Packing> {
        let (Type::List(domain, most) | Type::Lists(domain, most)) = ty else { return None };
        let (low, size) = self.domain(*domain, span);
        let bits = lists::bits(size);
        Some(Packing { width: lists::width((*most).into(), bits), bits, most: *most, low })
    }

    fn packed(&mut self, list: &Expr) -> Packing {
        self.packing(&list.ty, list.span).expect("checked: this is a list")
    }

    /// The words of a list that is known before play.
    pub(super) fn list_words(
        &mut self,
        (domain, most): (Domain, u16),
        elements: &[i64],
        span: Span,
    ) -> Vec<i64> {
        let (low, size) = self.domain(domain, span);
        lists::words(most.into(), size, elements.iter().map(|element| element - low))
    }

    /// Computes a list into slots, if it is one of the forms that only lists have.
    pub(super) fn list_into(&mut self, expr: &Expr, dst: SlotRange) -> bool {
        match &expr.kind {
            ExprKind::ListOf(items) => {
                let SlotRange { at, width } = dst;
                self.code.emit(Op::Clear { set: at, width });
                let packing = self.packed(expr);
                for item in items {
                    let mark = self.mark();
                    let member = self.new_element(item, expr);
                    self.append(at, member, packing);
                    self.release(mark);
                }
            }
            // The shorter list has the same first words.
            ExprKind::Unary(UnaryOp::ToList, of) => {
                let short = self.operand(of);
                self.code.emit(Op::Clear { set: dst.at, width: dst.width });
                self.copy(dst.at, short);
            }
            _ => return false,
        }
        true
    }

    fn append(&mut self, list: u16, member: u16, Packing { width, bits, most, .. }: Packing) {
        self.code.emit(Op::Append { list, member, width, bits, most });
    }

    /// The position of a member that comes into a list; of none: none.
    fn new_element(&mut self, item: &Expr, list: &Expr) -> u16 {
        if !matches!(item.ty, Type::Maybe(_) | Type::None) || self.packed(list).low == 0 {
            return self.new_member(item, list);
        }
        let (value, position, skip) = (self.kept_word(item), self.take(1).at, self.code.label());
        let none = self.none();
        self.code.emit(Op::Move { dst: position, src: none });
        self.code.emit(Op::JumpEqual { a: value, b: none, to: skip });
        let src = self.new_member(item, list);
        self.code.emit(Op::Move { dst: position, src });
        self.code.place(skip);
        position
    }

    /// `list += x`
    pub(super) fn add_element(&mut self, list: SlotAccess, place: &Expr, value: &Expr) {
        let packing = self.packed(place);
        let member = self.new_element(value, place);
        let old = self.load_from(list, None);
        self.append(old.at, member, packing);
        self.store(AssignTarget::Plain(list), old);
    }

    /// Computes a word that is found in a list, if it is one of these forms.
    pub(super) fn found_in_list(&mut self, expr: &Expr, dst: u16) -> bool {
        let (of, index) = match &expr.kind {
            ExprKind::Unary(UnaryOp::FirstElement | UnaryOp::LastElement | UnaryOp::Length, of) => {
                (of, None)
            }
            ExprKind::Binary(BinaryOp::Nth, of, index) => (of, Some(index)),
            _ => return false,
        };
        let Packing { width, bits, low, .. } = self.packed(of);
        let list = self.operand(of).at;
        if let Some(index) = index {
            let index = self.word(index);
            self.code.emit(Op::Element { dst, list, index, width, bits });
            self.add_low(dst, low);
            return true;
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Length, _) => {
                self.code.emit(Op::Length { dst, list, width, bits });
            }
            ExprKind::Unary(UnaryOp::FirstElement, _) => {
                let index = self.code.constant(0);
                self.code.emit(Op::ElementOrNone { dst, list, index, width, bits });
                self.add_low_to_some(dst, low);
            }
            _ => {
                self.code.emit(Op::LastElement { dst, list, width, bits });
                self.add_low_to_some(dst, low);
            }
        }
        true
    }

    /// A position in a slot, or none, becomes the member that it stands for.
    fn add_low_to_some(&mut self, dst: u16, low: i64) {
        if low != 0 {
            let (none, end) = (self.none(), self.code.label());
            self.code.emit(Op::JumpEqual { a: dst, b: none, to: end });
            self.add_low(dst, low);
            self.code.place(end);
        }
    }

    /// The number of a member in a list, or 0.
    pub(super) fn find_in_list(&mut self, member: &Expr, list: &Expr) -> u16 {
        let Packing { width, bits, .. } = self.packed(list);
        let member = self.member(member, list);
        let (list, dst) = (self.operand(list).at, self.take(1).at);
        self.code.emit(Op::Find { dst, list, member, width, bits });
        dst
    }

    /// Puts the elements of a list into a set.
    pub(super) fn insert_elements(&mut self, list: &Expr, set: SlotRange) {
        let Packing { width, bits, .. } = self.packed(list);
        let SlotRange { at: list, .. } = self.operand(list);
        let (index, member) = (self.take(1).at, self.take(1).at);
        let (zero, one, none) = (self.code.constant(0), self.code.constant(1), self.none());
        self.code.emit(Op::Move { dst: index, src: zero });
        let (next, end) = (self.code.here(), self.code.label());
        self.code.emit(Op::ElementOrNone { dst: member, list, index, width, bits });
        self.code.emit(Op::JumpEqual { a: member, b: none, to: end });
        self.code.emit(Op::Insert { set: set.at, member, width: set.width });
        self.code.emit(Op::Add { dst: index, a: index, b: one });
        self.code.emit(Op::Again { to: next });
        self.code.place(end);
    }

    /// Each element of a copy of the list, in order or against it.
    pub(super) fn each_element(&mut self, over: Over, of: &Expr) {
        let Over { dst, exit, backwards, .. } = over;
        let Packing { bits, low, .. } = self.packed(of);
        let list @ SlotRange { at, width } = self.take_for(&of.ty, of.span);
        self.compute(of, list);
        if backwards {
            self.begin_round(over);
            self.code.emit(Op::TakeLast { dst, list: at, width, bits, to: exit });
        } else {
            let (index, none) = (self.take(1).at, self.none());
            let (start, one) = (self.code.constant(-1), self.code.constant(1));
            self.code.emit(Op::Move { dst: index, src: start });
            self.begin_round(over);
            self.code.emit(Op::Add { dst: index, a: index, b: one });
            self.code.emit(Op::ElementOrNone { dst, list: at, index, width, bits });
            self.code.emit(Op::JumpEqual { a: dst, b: none, to: exit });
        }
        self.add_low(dst, low);
    }

    /// All lists that can grow, each before those that begin with it. The list itself is the only
    /// memory of the search: what may come next is computed again where it goes on.
    pub(super) fn each_list(&mut self, over: Over, local: LocalId, all: &Expr) {
        let ExprKind::Lists(next) = &all.kind else {
            unreachable!("lists are written where a loop runs over them")
        };
        let Over { dst: list, next: round, exit, .. } = over;
        let packing @ Packing { width, bits, most, .. } = self.packed(all);
        self.keep_local(local, Storage::Slots(list, width));
        let (member, length) = (self.take(1).at, self.take(1).at);
        let (none, longest) = (self.none(), self.code.constant(most.into()));
        let [grow, back] = self.code.labels();
        self.code.emit(Op::Clear { set: list, width });
        self.code.emit(Op::Move { dst: member, src: none });
        self.code.emit(Op::Jump { to: grow });
        self.code.place(back);
        self.code.emit(Op::TakeLast { dst: member, list, width, bits, to: exit });
        self.code.emit(Op::Again { to: grow });
        self.code.place(round);
        self.code.emit(Op::Move { dst: member, src: none });
        self.code.emit(Op::Length { dst: length, list, width, bits });
        self.code.emit(Op::JumpAtMost { a: longest, b: length, to: back });
        self.code.place(grow);
        let mark = self.mark();
        let SlotRange { at: set, width: members } = self.operand(next);
        self.code.emit(Op::MemberAfter { member, set, width: members, to: back });
        self.release(mark);
        self.append(list, member, packing);
    }

    /// `a < b` of two lists, or `a <= b`.
    pub(super) fn list_before(&mut self, a: &Expr, b: &Expr, equal: bool, to: CodeLabel) -> Op {
        let width = self.packed(a).width;
        let (a, b) = (self.operand(a).at, self.operand(b).at);
        if equal {
            Op::JumpNotAfter { a, b, width, to }
        } else {
            Op::JumpBefore { a, b, width, to }
        }
    }
}

const _: () = assert!(NONE < 0, "the first member comes after none");
