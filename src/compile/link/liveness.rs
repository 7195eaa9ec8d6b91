//! Liveness analysis: which locals are still read after a place where the game can wait.
//!
//! What a called rule does cannot matter: its locals lie elsewhere, or are saved and restored.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::bytecode::{Binds, Op, OptionInfo, Role, Wait, sets};
use crate::compile::code::{CodeBuffer, Draft};
use crate::compile::frames::Function;

type Live = [u64];

pub(in crate::compile) struct Places {
    /// For each slot, the number of its function and its bit there.
    bits: Vec<Option<(usize, usize)>>,
    /// For each operation, whether a label leads to it.
    targets: Vec<bool>,
}

impl Places {
    pub(in crate::compile) fn from_code(code: &CodeBuffer, functions: &[Function]) -> Places {
        let mut bits = vec![None; code.slot_count().into()];
        for (number, function) in functions.iter().enumerate() {
            for (bit, slot) in slots(function).enumerate() {
                bits[usize::from(slot)] = Some((number, bit));
            }
        }
        let mut targets = vec![false; code.ops.len() + 1];
        code.labels.iter().flatten().for_each(|at| targets[*at] = true);
        Places { bits, targets }
    }

    /// The number of the function that a slot belongs to.
    pub(in crate::compile) fn owner(&self, slot: u16) -> Option<usize> {
        self.bits.get(usize::from(slot)).copied().flatten().map(|(function, _)| function)
    }

    /// Whether a label leads to an operation.
    pub(super) fn is_target(&self, at: usize) -> bool {
        self.targets[at]
    }
}

/// The code of a function with what is read after each operation.
pub(super) struct Liveness<'a> {
    code: &'a CodeBuffer,
    function: &'a Function,
    number: usize,
    places: &'a Places,
    slots: Vec<u16>,
    words: usize,
    /// For each operation of the function that a label leads to, where its words begin.
    rows: Vec<Option<usize>>,
    /// What is read from these operations on.
    before: Vec<u64>,
    /// Whether what people see where the game waits counts as read there.
    seen: bool,
}

impl<'a> Liveness<'a> {
    pub(in crate::compile) fn new(
        code: &'a CodeBuffer,
        (number, function): (usize, &'a Function),
        places: &'a Places,
        budget: &Budget,
    ) -> Liveness<'a> {
        let slots: Vec<u16> = slots(function).collect();
        let words = slots.len().div_ceil(64);
        let (from, to) = function.range;
        let mut size = 0;
        let mut row = |is_target: &bool| {
            size += if *is_target { words } else { 0 };
            is_target.then(|| size - words)
        };
        let rows = places.targets[from..to].iter().map(&mut row).collect();
        budget.hold_memory(8 * size);
        let before = vec![0; size];
        let mut liveness =
            Liveness { code, function, number, places, slots, words, rows, before, seen: false };
        liveness.solve(budget);
        liveness
    }

    /// Solves again with what people see at waiting sites counted as read.
    pub(super) fn with_seen(self, budget: &Budget) -> Liveness<'a> {
        let mut liveness = Liveness { seen: true, ..self };
        liveness.solve(budget);
        liveness
    }

    /// The slots that are read after a site of the function.
    pub(in crate::compile) fn after(&self, site: &Draft) -> BTreeSet<u16> {
        let mut live = vec![0; self.words];
        join(&mut live, self.at_label(site.to));
        match &site.wait {
            Wait::Nothing => {}
            Wait::Decision { question, .. } => {
                site.kept.iter().for_each(|(at, width)| {
                    self.mark_slots(&mut live, *at, usize::from(*width), true);
                });
                question.iter().for_each(|label| join(&mut live, self.at_label(*label)));
                for option in &site.options {
                    let option = &self.code.options[usize::from(*option)];
                    let template = option.template.into_iter();
                    template.for_each(|label| self.join_body(&mut live, option, label));
                }
            }
            Wait::Draw { dst, outcomes, most: _, distinct: _, low, event, outcome, then } => {
                let unseen = self.code.unseen.get(then).and_then(|it| it.by.slot());
                unseen.iter().for_each(|slot| self.mark_slots(&mut live, *slot, 1, true));
                [event, outcome].iter().for_each(|to| join(&mut live, self.at_label(**to)));
                self.mark_slots(&mut live, *dst, 1, false);
                [outcomes, low].iter().for_each(|slot| self.mark_slots(&mut live, **slot, 1, true));
            }
        }
        let live: Vec<i64> = live.into_iter().map(u64::cast_signed).collect();
        sets::members(&live).map(|bit| self.slots[bit]).collect()
    }

    /// Calls `see` with each operation, the last first, and with what says of a slot of the function whether it
    /// is read after that. If `see` returns no, the operation is left out from there on.
    pub(super) fn each_back(
        &self,
        mut see: impl FnMut(usize, &dyn Fn(u16) -> Option<bool>) -> bool,
    ) {
        let (from, to) = self.function.range;
        let (mut live, mut handed_over) = (vec![0; self.words], false);
        for at in (from..to).rev() {
            let is_read = |slot: u16| {
                let (function, bit) = (*self.places.bits.get(usize::from(slot))?)?;
                (function == self.number).then(|| live[bit / 64] >> (bit % 64) & 1 == 1)
            };
            if see(at, &is_read) {
                self.step(&mut live, at, &mut handed_over);
            }
        }
    }

    /// Turns what is read after an operation into what is read from it on.
    pub(in crate::compile) fn step(&self, live: &mut Live, at: usize, handed_over: &mut bool) {
        let op = self.code.ops[at];
        // Between `Push` and `Call` only words of the rule that is called are written.
        *handed_over = match op {
            Op::Call { .. } => true,
            Op::Push { .. } => false,
            _ => *handed_over && self.hands_over(at),
        };
        self.step_back(live, op, *handed_over);
    }

    fn solve(&mut self, budget: &Budget) {
        let (from, to) = self.function.range;
        let mut live = vec![0; self.words];
        let mut changed = true;
        while changed && !budget.is_spent() {
            changed = false;
            // Bits are examined 64 at a time, and many words of them in a step.
            budget.charge((to - from) * (1 + self.slots.len() / 1024));
            live.fill(0);
            let mut handed_over = false;
            for at in (from..to).rev() {
                self.step(&mut live, at, &mut handed_over);
                if let Some(row) = self.rows[at - from] {
                    let before = &mut self.before[row..row + self.words];
                    if *before != live[..] {
                        before.copy_from_slice(&live);
                        changed = true;
                    }
                }
            }
        }
    }

    /// Whether an operation hands over a parameter of a rule that calls itself.
    fn hands_over(&self, at: usize) -> bool {
        let is_move = |op: &&Op| matches!(op, Op::Move { .. } | Op::Copy { .. });
        let mut before = self.code.ops[self.function.range.0..=at].iter().rev().skip_while(is_move);
        is_move(&&self.code.ops[at]) && matches!(before.next(), Some(Op::Push { .. }))
    }

    fn step_back(&self, live: &mut Live, op: Op, handed_over: bool) {
        if !op.falls_through() {
            live.fill(0);
        }
        for operand in op.operands() {
            match operand.role {
                Role::Choice => {
                    let option = &self.code.options[usize::from(operand.value)];
                    self.copies(live, &option.binds);
                }
                Role::Proposal => {
                    let proposal = &self.code.proposals[usize::from(operand.value)];
                    self.copies(live, &proposal.binds);
                }
                // A call returns to what follows it.
                Role::To if !matches!(op, Op::Call { .. }) => {
                    join(live, self.at_label(operand.value));
                }
                Role::Site if matches!(op, Op::Decide { .. }) => {
                    self.join_decision(live, operand.value);
                }
                Role::Site if matches!(op, Op::Draw { .. }) => {
                    let site = &self.code.sites[usize::from(operand.value)];
                    if let Wait::Draw { event, outcome, .. } = site.wait {
                        join(live, self.at_label(event));
                        join(live, self.at_label(outcome));
                    }
                }
                _ => {}
            }
        }
        if self.seen {
            self.join_seen(live, op);
        }
        if matches!(op, Op::Push { .. } | Op::Pull { .. }) {
            return;
        }
        let keeps = handed_over && !matches!(op, Op::Call { .. });
        for operand in op.operands().filter(|operand| operand.role.kills() && !keeps) {
            self.mark_slots(live, operand.value, operand.words, false);
        }
        for operand in op.operands().filter(|operand| operand.role.reads()) {
            self.mark_slots(live, operand.value, operand.words, true);
        }
    }

    /// Adds what people see where an operation waits.
    fn join_seen(&self, live: &mut Live, op: Op) {
        for operand in op.operands().filter(|operand| operand.role == Role::Site) {
            let site = &self.code.sites[usize::from(operand.value)];
            let options = site.options.iter().map(|at| &self.code.options[usize::from(*at)]);
            let shown = options.flat_map(|it| &it.shown).map(|it| (it.slot, it.width));
            for (at, width) in site.kept.iter().copied().chain(shown) {
                self.mark_slots(live, at, width.into(), true);
            }
        }
    }

    /// An offer copies what it binds.
    fn copies(&self, live: &mut Live, binds: &Binds) {
        for (slot, width) in binds.parts() {
            self.mark_slots(live, slot, width.into(), true);
        }
    }

    fn join_decision(&self, live: &mut Live, site: u16) {
        let site = &self.code.sites[usize::from(site)];
        if let Wait::Decision { player, question, otherwise } = &site.wait {
            self.mark_slots(live, *player, 1, true);
            question.iter().chain(otherwise).for_each(|label| join(live, self.at_label(*label)));
        }
        for option in site.options.iter().map(|option| &self.code.options[usize::from(*option)]) {
            let body = self.code.sites[usize::from(option.body)].to;
            for label in option.template.into_iter().chain([body]) {
                self.join_body(live, option, label);
            }
        }
    }

    /// Adds what a body reads that its option does not bind.
    fn join_body(&self, live: &mut Live, option: &OptionInfo, label: u16) {
        let mut read = self.at_label(label).to_vec();
        for (slot, width) in &option.binds.slots {
            self.mark_slots(&mut read, *slot, (*width).into(), false);
        }
        join(live, &read);
    }

    /// The slots that are live at a label; none in another function.
    fn at_label(&self, label: u16) -> &[u64] {
        let at = self.code.labels[usize::from(label)];
        let here = at.and_then(|at| at.checked_sub(self.function.range.0));
        let row = here.and_then(|at| *self.rows.get(at)?);
        row.map_or(&[], |row| &self.before[row..row + self.words])
    }

    pub(in crate::compile) fn mark_slots(
        &self,
        live: &mut Live,
        slot: u16,
        width: usize,
        read: bool,
    ) {
        // Constants lie beyond all bits.
        let bits = self.places.bits.get(slot.into()..).unwrap_or_default();
        for (function, bit) in bits.iter().take(width).copied().flatten() {
            // Words of other functions are none of these, and what nothing reads has no words.
            let word = live.get_mut(bit / 64).filter(|_| function == self.number);
            let Some(word) = word else { continue };
            let mask = 1 << (bit % 64);
            *word = if read { *word | mask } else { *word & !mask };
        }
    }
}

fn slots(function: &Function) -> impl Iterator<Item = u16> {
    function.blocks.iter().flat_map(|(slot, width)| *slot..*slot + *width)
}

fn join(live: &mut Live, other: &[u64]) {
    live.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}
