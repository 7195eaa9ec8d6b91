//! Which locals are still read after a place where the game can wait.
//!
//! The usual backward walk over the code of one function, until nothing changes. What a called
//! rule does cannot matter: its locals lie elsewhere, or are put aside and taken back.

use std::collections::BTreeSet;

use crate::bytecode::program::{OptionInfo, Wait};
use crate::bytecode::verify::extent;
use crate::bytecode::{Op, Role};
use crate::compile::code::{Code, Draft};
use crate::compile::functions::Function;

/// Slots that are read later on, as bits.
type Live = [u64];

/// The code of a function with what is read after each operation.
pub(super) struct Liveness<'a> {
    code: &'a Code,
    function: &'a Function,
    /// The slots of the function; the bit of each is its position here.
    slots: Vec<u16>,
    /// For each slot of the program its bit, if it is one of the function.
    bits: Vec<Option<usize>>,
    /// How many words hold the bits.
    words: usize,
    /// What is read from each operation of the function on, in so many words each.
    before: Vec<u64>,
}

impl<'a> Liveness<'a> {
    /// Looks at a function.
    pub(super) fn new(code: &'a Code, function: &'a Function) -> Liveness<'a> {
        let all = function.blocks.iter().flat_map(|(slot, width)| *slot..*slot + *width);
        let slots: Vec<u16> = all.collect();
        let mut bits = vec![None; code.slot_count().into()];
        slots.iter().enumerate().for_each(|(bit, slot)| bits[usize::from(*slot)] = Some(bit));
        let words = slots.len().div_ceil(64);
        let (from, to) = function.range;
        let before = vec![0; (to - from) * words];
        let mut liveness = Liveness { code, function, slots, bits, words, before };
        liveness.settle();
        liveness
    }

    /// The slots that are read after a site of the function.
    pub(super) fn after(&self, site: &Draft) -> BTreeSet<u16> {
        let mut live = self.at_label(site.to).to_vec();
        live.resize(self.words, 0);
        match &site.wait {
            Wait::Nothing => {}
            Wait::Decision { question, .. } => {
                if let Some(label) = question {
                    join(&mut live, self.at_label(*label));
                }
                for option in &site.options {
                    let option = &self.code.options[usize::from(*option)];
                    if let Some(label) = option.template {
                        self.join_body(&mut live, option, label);
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
        let read = |bit: usize| live[bit / 64] >> (bit % 64) & 1 == 1;
        let slots = self.slots.iter().enumerate();
        slots.filter(|(bit, _)| read(*bit)).map(|(_, slot)| *slot).collect()
    }

    fn settle(&mut self) {
        let (from, to) = self.function.range;
        let mut live = vec![0; self.words];
        let mut changed = true;
        while changed {
            changed = false;
            let mut handed_over = false;
            for at in (from..to).rev() {
                let op = self.code.ops[at];
                // Between `Push` and `Call` only words of the rule that is called are written.
                handed_over = match op {
                    Op::Call { .. } => true,
                    Op::Push { .. } => false,
                    _ => handed_over && self.hands_over(at),
                };
                live.fill(0);
                self.live_before(&mut live, (at, op), handed_over);
                let place = (at - from) * self.words;
                let known = &mut self.before[place..place + self.words];
                if *known != live[..] {
                    known.copy_from_slice(&live);
                    changed = true;
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

    fn live_before(&self, live: &mut Live, (at, op): (usize, Op), handed_over: bool) {
        self.live_after(live, at, op);
        if matches!(op, Op::Push { .. } | Op::Pull { .. }) {
            return;
        }
        let keeps = handed_over && !matches!(op, Op::Call { .. });
        for operand in op.operands() {
            let kills =
                matches!(operand.role, Role::Write | Role::WriteSet | Role::WriteMarks) && !keeps;
            if kills {
                self.set_all(live, operand.value, extent(op, operand.role), false);
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
                self.set_all(live, operand.value, extent(op, operand.role), true);
            }
        }
    }

    /// What is read after an operation, wherever it goes on.
    fn live_after(&self, live: &mut Live, at: usize, op: Op) {
        for operand in op.operands() {
            match operand.role {
                // An offer copies what the option binds.
                Role::Choice => {
                    let option = &self.code.options[usize::from(operand.value)];
                    let fixed = option.bindings.len() - option.factors.len();
                    for (slot, width) in &option.bindings[..fixed] {
                        self.set_all(live, *slot, (*width).into(), true);
                    }
                    for factor in &option.factors {
                        self.set_all(live, factor.set, factor.width.into(), true);
                    }
                }
                // A call comes back behind itself.
                Role::To if !matches!(op, Op::Call { .. }) => {
                    join(live, self.at_label(operand.value));
                }
                Role::Site if matches!(op, Op::Decide { .. }) => {
                    self.join_decision(live, operand.value);
                }
                _ => {}
            }
        }
        if op.falls_through() {
            join(live, self.at(at + 1));
        }
    }

    fn join_decision(&self, live: &mut Live, site: u16) {
        let site = &self.code.sites[usize::from(site)];
        if let Wait::Decision { player, question, otherwise } = &site.wait {
            self.set(live, *player, true);
            for label in question.iter().chain(otherwise) {
                join(live, self.at_label(*label));
            }
        }
        for option in &site.options {
            let option = &self.code.options[usize::from(*option)];
            let body = self.code.sites[usize::from(option.body)].to;
            for label in option.template.into_iter().chain([body]) {
                self.join_body(live, option, label);
            }
        }
    }

    /// Adds what a body reads that its option does not bind.
    fn join_body(&self, live: &mut Live, option: &OptionInfo, label: u16) {
        let mut read = self.at_label(label).to_vec();
        for (slot, width) in &option.bindings {
            self.set_all(&mut read, *slot, (*width).into(), false);
        }
        join(live, &read);
    }

    fn at_label(&self, label: u16) -> &[u64] {
        self.code.labels[usize::from(label)].map_or(&[], |at| self.at(at))
    }

    /// What is read from an operation on; nothing if it is one of another function.
    fn at(&self, op: usize) -> &[u64] {
        let (from, to) = self.function.range;
        if !(from..to).contains(&op) {
            return &[];
        }
        let place = (op - from) * self.words;
        &self.before[place..place + self.words]
    }

    fn set(&self, live: &mut Live, slot: u16, read: bool) {
        self.set_all(live, slot, 1, read);
    }

    fn set_all(&self, live: &mut Live, slot: u16, width: usize, read: bool) {
        let slots = self.bits.get(slot.into()..).unwrap_or_default();
        for bit in slots.iter().take(width).flatten() {
            // What nothing reads from a label on has no words.
            let Some(word) = live.get_mut(bit / 64) else { continue };
            let mask = 1 << (bit % 64);
            *word = if read { *word | mask } else { *word & !mask };
        }
    }
}

fn join(live: &mut Live, other: &[u64]) {
    live.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}
