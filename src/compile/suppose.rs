//! What a value would be: the words of the state are put aside and taken back.

use crate::bytecode::Op;
use crate::check::rules::{Block, Expr, ExprKind, Rule};
use crate::compile::{Compiler, Slots};

impl Compiler<'_> {
    /// `suppose { statements }: value`
    pub(super) fn suppose(&mut self, block: &Block, value: &Expr, dst: Slots) {
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

/// Whether a rule supposes something. Then its parameters must be copies: what they were read from
/// may change in between.
pub(super) fn supposes(rule: &Rule) -> bool {
    let mut found = false;
    rule.visit(&mut |expr| found |= matches!(expr.kind, ExprKind::Suppose(..)));
    found
}
