//! `suppose`: what it may change is put aside before it and taken back after it.

use crate::bytecode::{Op, Role};
use crate::check::rules::{Block, Expr};
use crate::compile::{Compiler, Slots};

impl Compiler<'_> {
    /// `suppose { statements }: value`
    pub(super) fn suppose(&mut self, block: &Block, value: &Expr, dst: Slots) {
        let mark = self.mark();
        let of = self.code.fit(self.code.suppositions.len(), "suppositions");
        self.code.suppositions.push(self.in_use());
        // Apart from whatever is to receive it, which the statements may read.
        let result = self.take(dst.width);
        let back = self.code.label();
        self.code.emit(Op::Suppose { to: back, of });
        let kept = self.body.locals.clone();
        block.iter().for_each(|stmt| self.stmt(stmt));
        self.compute(value, result);
        self.code.place(back);
        self.code.emit(Op::Unsuppose { of });
        self.body.locals = kept;
        self.copy(dst.at, result);
        self.release(mark);
    }
}

/// For each supposition the slots that it may change and that are read after it: those of the state, which
/// lie below `frame`, and the locals `in_use`. Nothing reads the other locals that it changes.
pub(super) fn changed_slots(
    code: &[Op],
    frame: usize,
    in_use: &[Vec<u16>],
    slots: usize,
) -> Vec<Vec<(u16, u16)>> {
    let mut ranges = vec![Vec::new(); in_use.len()];
    for (at, op) in code.iter().enumerate() {
        let Op::Suppose { of, .. } = *op else { continue };
        let mut changed = changes(code, at + 1, of, slots);
        let mut read_later = vec![false; slots];
        read_later[..frame].fill(true);
        in_use[usize::from(of)].iter().for_each(|slot| read_later[usize::from(*slot)] = true);
        changed.iter_mut().zip(read_later).for_each(|(changed, read)| *changed &= read);
        ranges[usize::from(of)] = runs(&changed);
    }
    ranges
}

/// For each slot whether code changes it from an operation on until the supposition ends.
fn changes(code: &[Op], first: usize, supposition: u16, slots: usize) -> Vec<bool> {
    let (mut changed, mut seen) = (vec![false; slots], vec![false; code.len()]);
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        let op = code[at];
        let ends = matches!(op, Op::Unsuppose { of } if of == supposition);
        if std::mem::replace(&mut seen[at], true) || ends {
            continue;
        }
        if changes_anything(op) {
            changed.fill(true);
        }
        for operand in op.operands() {
            let value = usize::from(operand.value);
            if operand.role == Role::To {
                open.push(value);
            } else if operand.role.changes() {
                changed[value..value + operand.words].fill(true);
            }
        }
        if op.falls_through() {
            open.push(at + 1);
        }
    }
    changed
}

/// Whether an operation changes more than its operands say.
fn changes_anything(op: Op) -> bool {
    matches!(
        op,
        Op::MoveCard { .. }
            | Op::MoveCards { .. }
            | Op::MovePile { .. }
            | Op::Shuffle { .. }
            | Op::Settle { .. }
            | Op::Learn { .. }
            | Op::FinishDraw {}
            | Op::FinishWin { .. }
            | Op::FinishRanking { .. }
    )
}

/// The runs of what is marked: first position and number.
fn runs(marked: &[bool]) -> Vec<(u16, u16)> {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for (at, _) in (0..).zip(marked).filter(|(_, marked)| **marked) {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == at => *count += 1,
            _ => runs.push((at, 1)),
        }
    }
    runs
}
