//! Which locals are still read after a place where the game can wait.
//!
//! The usual backward walk over the code of one function, until nothing changes. What a called
//! rule does cannot matter: its locals lie elsewhere, or are put aside and taken back.

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::Budget;
use crate::bytecode::program::{OptionInfo, Wait};
use crate::bytecode::verify::extent;
use crate::bytecode::{Op, Role};
use crate::compile::code::{Code, Draft};
use crate::compile::functions::Function;

/// Slots that are read later on, as bits.
type Live = Vec<u64>;

/// The code of a function with what is read after each operation.
pub(super) struct Liveness<'a> {
    code: &'a Code,
    function: &'a Function,
    /// The slots of the function, counted from 0.
    slots: BTreeMap<u16, usize>,
    /// The same, the other way round.
    places: Vec<u16>,
    /// What is read from the operations on that something leads to, by their places.
    before: BTreeMap<usize, Live>,
}

impl<'a> Liveness<'a> {
    /// Looks at a function; `targets` are the operations that labels lead to.
    pub(super) fn new(
        code: &'a Code,
        function: &'a Function,
        targets: &[bool],
        budget: &Budget,
    ) -> Liveness<'a> {
        let all = function.blocks.iter().flat_map(|(slot, width)| *slot..*slot + *width);
        let places: Vec<u16> = all.collect();
        let slots: BTreeMap<u16, usize> =
            places.iter().enumerate().map(|(at, slot)| (*slot, at)).collect();
        let empty = vec![0; slots.len().div_ceil(64)];
        let (from, to) = function.range;
        let before = (from..to).filter(|at| targets[*at]).map(|at| (at, empty.clone())).collect();
        let mut liveness = Liveness { code, function, slots, places, before };
        budget.keep(8 * empty.len() * liveness.before.len());
        liveness.settle(budget);
        liveness
    }

    /// The slots that are read after a site of the function.
    pub(super) fn after(&self, site: &Draft) -> BTreeSet<u16> {
        let mut live = self.nothing();
        join(&mut live, self.at_label(site.to));
        match &site.wait {
            Wait::Nothing => {}
            Wait::Decision { question, .. } => {
                if let Some(label) = question {
                    join(&mut live, self.at_label(*label));
                }
                for option in &site.options {
                    let option = &self.code.options[usize::from(*option)];
                    if let Some(label) = option.template {
                        join(&mut live, &self.without_bindings(option, label));
                    }
                }
            }
            Wait::Draw { dst, outcomes, low, event, outcome, then } => {
                let unseen = self.code.unseen.get(then);
                let slot = unseen.and_then(|it| it.by.slot());
                slot.iter().for_each(|slot| self.set(&mut live, *slot, true));
                join(&mut live, self.at_label(*event));
                join(&mut live, self.at_label(*outcome));
                self.set(&mut live, *dst, false);
                self.set(&mut live, *outcomes, true);
                self.set(&mut live, *low, true);
            }
        }
        let words = live.iter().enumerate().filter(|(_, word)| **word != 0);
        let bits = words.flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit)
        });
        bits.map(|at| self.places[at]).collect()
    }

    fn settle(&mut self, budget: &Budget) {
        let (from, to) = self.function.range;
        let mut changed = true;
        while changed && !budget.is_spent() {
            changed = false;
            // Bits are looked at 64 at a time, and many words of them in a step.
            budget.charge((to - from) * (1 + self.places.len() / 1024));
            let mut handed_over = false;
            // What is read behind the operation, if it falls through.
            let mut next = self.nothing();
            for at in (from..to).rev() {
                let op = self.code.ops[at];
                // Between `Push` and `Call` only words of the rule that is called are written.
                handed_over = match op {
                    Op::Call { .. } => true,
                    Op::Push { .. } => false,
                    _ => handed_over && self.hands_over(at),
                };
                next = self.live_before(op, handed_over, next);
                if let Some(before) = self.before.get_mut(&at) {
                    changed |= next != *before;
                    before.clone_from(&next);
                }
            }
        }
    }

    /// Whether an operation hands over a parameter of a rule that calls itself.
    fn hands_over(&self, at: usize) -> bool {
        let behind_push = self.code.ops[self.function.range.0..at].iter().rev();
        let mut moves =
            behind_push.take_while(|op| matches!(op, Op::Move { .. } | Op::Copy { .. }));
        let first = moves.by_ref().count();
        let push = at.checked_sub(first + 1).map(|at| self.code.ops[at]);
        matches!(push, Some(Op::Push { .. }))
            && matches!(self.code.ops[at], Op::Move { .. } | Op::Copy { .. })
    }

    fn live_before(&self, op: Op, handed_over: bool, next: Live) -> Live {
        let mut live = self.live_after(op, next);
        if matches!(op, Op::Push { .. } | Op::Pull { .. }) {
            return live;
        }
        let keeps = handed_over && !matches!(op, Op::Call { .. });
        for operand in op.operands() {
            let kills =
                matches!(operand.role, Role::Write | Role::WriteSet | Role::WriteMarks) && !keeps;
            if kills {
                self.set_all(&mut live, operand.value, extent(op, operand.role), false);
            }
        }
        for operand in op.operands() {
            let reads = matches!(
                operand.role,
                Role::Read
                    | Role::Change
                    | Role::ReadSet
                    | Role::ReadPair
                    | Role::ChangeSet
                    | Role::ReadBlock
            );
            if reads {
                self.set_all(&mut live, operand.value, extent(op, operand.role), true);
            }
        }
        live
    }

    /// What is read after an operation, wherever it goes on.
    fn live_after(&self, op: Op, next: Live) -> Live {
        let mut live = if op.falls_through() { next } else { self.nothing() };
        for operand in op.operands() {
            match operand.role {
                // An offer copies what the option binds.
                Role::Choice => {
                    let option = &self.code.options[usize::from(operand.value)];
                    let fixed = option.bindings.len() - option.factors.len();
                    for (slot, width) in &option.bindings[..fixed] {
                        self.set_all(&mut live, *slot, (*width).into(), true);
                    }
                    for factor in &option.factors {
                        self.set_all(&mut live, factor.set, factor.width.into(), true);
                    }
                }
                // A call comes back behind itself.
                Role::To if !matches!(op, Op::Call { .. }) => {
                    join(&mut live, self.at_label(operand.value));
                }
                Role::Site if matches!(op, Op::Decide { .. }) => {
                    join(&mut live, &self.after_decision(operand.value));
                }
                _ => {}
            }
        }
        live
    }

    fn after_decision(&self, site: u16) -> Live {
        let site = &self.code.sites[usize::from(site)];
        let mut live = self.nothing();
        if let Wait::Decision { player, question, otherwise } = &site.wait {
            self.set(&mut live, *player, true);
            for label in question.iter().chain(otherwise) {
                join(&mut live, self.at_label(*label));
            }
        }
        for option in &site.options {
            let option = &self.code.options[usize::from(*option)];
            let body = self.code.sites[usize::from(option.body)].to;
            for label in option.template.into_iter().chain([body]) {
                join(&mut live, &self.without_bindings(option, label));
            }
        }
        live
    }

    /// What a body reads that its option does not bind.
    fn without_bindings(&self, option: &OptionInfo, label: u16) -> Live {
        let mut live = self.nothing();
        join(&mut live, self.at_label(label));
        for (slot, width) in &option.bindings {
            self.set_all(&mut live, *slot, (*width).into(), false);
        }
        live
    }

    fn nothing(&self) -> Live {
        vec![0; self.slots.len().div_ceil(64)]
    }

    fn at_label(&self, label: u16) -> &[u64] {
        self.code.labels[usize::from(label)].map_or(&[], |at| self.at(at))
    }

    /// What is read from an operation on; nothing if it is one of another function.
    fn at(&self, op: usize) -> &[u64] {
        self.before.get(&op).map_or(&[], Vec::as_slice)
    }

    fn set(&self, live: &mut Live, slot: u16, read: bool) {
        self.set_all(live, slot, 1, read);
    }

    fn set_all(&self, live: &mut Live, slot: u16, width: usize, read: bool) {
        for slot in (slot..).take(width) {
            if let Some(at) = self.slots.get(&slot) {
                let bit = 1 << (at % 64);
                let word = &mut live[at / 64];
                *word = if read { *word | bit } else { *word & !bit };
            }
        }
    }
}

fn join(live: &mut Live, other: &[u64]) {
    live.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}
