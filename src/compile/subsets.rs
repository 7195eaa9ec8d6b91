//! Going over all subsets of a set.

use crate::bytecode::Op;
use crate::bytecode::program::MOST_IN_SUBSETS;
use crate::check::rules::{Expr, ExprKind, Type, Value};
use crate::compile::loops::Over;
use crate::compile::{CompileError, Compiler, Slots};

impl Compiler<'_> {
    /// How many slots a member of what is gone over takes.
    pub(super) fn width_of_member(&mut self, set: &Expr) -> u16 {
        match set.ty {
            Type::Subsets(domain) => self.width(&Type::Set(domain), set.span),
            _ => 1,
        }
    }

    /// Counts from the empty set to the whole one.
    pub(super) fn each_subset(&mut self, over: Over, subsets: &Expr, body: impl FnOnce(&mut Self)) {
        let (set, told_apart) = match &subsets.kind {
            ExprKind::Distinct(inner) => (set_of(inner), true),
            _ => (set_of(subsets), false),
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
        self.code.emit(Op::NextSubset { set: at, of: of.at, width, to: exit });
        self.code.place(first);
        if told_apart {
            let cards = self.cards_in(&set.ty);
            self.code.emit(Op::JumpAlike { set: at, of: of.at, width, cards, to: next });
        }
        self.copy(dst, Slots { at, width });
        body(self);
        self.code.emit(Op::Again { to: next });
    }

    /// Refuses a set that is known to have too many members.
    fn refuse_large(&mut self, set: &Expr) {
        let Some(Value::Set(members)) = self.fold(set) else { return };
        if members.len() > MOST_IN_SUBSETS {
            let (members, most, setting, span) =
                (members.len(), MOST_IN_SUBSETS, self.setting_text(), set.span);
            self.errors.push(CompileError::TooManySubsets { members, most, setting, span });
        }
    }
}

/// The set whose subsets are gone over.
fn set_of(subsets: &Expr) -> &Expr {
    let ExprKind::Subsets(set) = &subsets.kind else {
        unreachable!("subsets are written where they are gone over")
    };
    set
}
