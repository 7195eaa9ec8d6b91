//! Finds the slots that `suppose` may change: they are put aside before it and restored after it.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::bytecode::{Op, Role};

/// A walk over what may be carried out.
struct SuppositionWalk<'a> {
    pub(in crate::compile) code: &'a [Op],
    pub(in crate::compile) slots: usize,
    /// Which walk came by each operation last: the supposition that it was for.
    pub(in crate::compile) seen: Vec<usize>,
    pub(in crate::compile) open: Vec<usize>,
}

impl SuppositionWalk<'_> {
    /// The slots that code changes from an operation on until the supposition ends.
    fn changes(&mut self, first: usize, supposition: u16, budget: &Budget) -> BTreeSet<u16> {
        let mut changed = BTreeSet::new();
        self.open.push(first);
        while let Some(at) = self.open.pop() {
            let (op, walk) = (self.code[at], usize::from(supposition));
            let ends = matches!(op, Op::Unsuppose { of, .. } if of == supposition);
            if std::mem::replace(&mut self.seen[at], walk) == walk || ends {
                continue;
            }
            budget.charge(1);
            if changes_anything(op) {
                changed.extend((0..).take(self.slots));
            }
            for operand in op.operands() {
                if operand.role == Role::To {
                    self.open.push(operand.value.into());
                } else if operand.role.changes() {
                    changed.extend((operand.value..).take(operand.words));
                }
            }
            if op.falls_through() {
                self.open.push(at + 1);
            }
        }
        changed
    }
}

/// For each supposition the slots that it may change and that are read after it: those of the state, which
/// lie below `frame`, and the locals `in_use`. Nothing reads the other locals that it changes.
pub(in crate::compile) fn changed_slots(
    code: &[Op],
    (frame, slots): (usize, usize),
    in_use: &[BTreeSet<u16>],
    budget: &Budget,
) -> Vec<Vec<(u16, u16)>> {
    let mut ranges = vec![Vec::new(); in_use.len()];
    let mut walk =
        SuppositionWalk { code, slots, seen: vec![usize::MAX; code.len()], open: Vec::new() };
    for (at, op) in code.iter().enumerate() {
        let Op::Suppose { of, .. } = *op else { continue };
        if budget.is_spent() {
            break;
        }
        let mut changed = walk.changes(at + 1, of, budget);
        let in_use = &in_use[usize::from(of)];
        changed.retain(|slot| usize::from(*slot) < frame || in_use.contains(slot));
        ranges[usize::from(of)] = runs(&changed);
    }
    ranges
}

/// Whether an operation changes more than its operands say.
fn changes_anything(op: Op) -> bool {
    matches!(
        op,
        Op::MoveCard { .. }
            | Op::MoveCards { .. }
            | Op::MovePile { .. }
            | Op::Deal { .. }
            | Op::Shuffle { .. }
            | Op::Settle { .. }
            | Op::LoseSight { .. }
            | Op::Learn { .. }
            | Op::FinishDraw {}
            | Op::FinishWin { .. }
            | Op::FinishRanking { .. }
            | Op::FinishTeams { .. }
    )
}

/// The runs of numbers that follow each other: the first and how many.
fn runs(numbers: &BTreeSet<u16>) -> Vec<(u16, u16)> {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for at in numbers {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == *at => *count += 1,
            _ => runs.push((*at, 1)),
        }
    }
    runs
}
