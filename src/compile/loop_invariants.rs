//! Loop-invariant code motion: what is the same in each round of a loop is computed once before it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::bytecode::{Op, Operand, Role, Wait};
use crate::compile::code::{Code, Label};
use crate::compile::liveness::{Liveness, Places};
use crate::compile::suppositions::changes_anything;
use crate::compile::{Compiler, Pass};

/// Longer loops are left as they are: what an operation costs is little beside them.
const LONGEST: usize = 256;

/// A loop: its operations from the head to the jump back, and the label of its head.
struct Loop {
    range: Range<usize>,
    head: Label,
}

impl Compiler<'_> {
    /// Moves operations that cannot trap in front of loops that change nothing they read.
    pub(super) fn move_invariants(&mut self) {
        let places = Places::of(&self.code, &self.functions);
        let kept = self.kept_slots(&places);
        let uses = self.uses_of_labels();
        let code = &self.code;
        let entries = by_place(code, &uses);
        let mut moved = Vec::new();
        for (number, function) in self.functions.iter().enumerate() {
            let range = function.range.0..function.range.1;
            let mut loops = Vec::new();
            for at in range.clone() {
                if let Op::Again { to: head } = code.ops[at]
                    && let Some(from) = code.labels[usize::from(head)]
                    && (range.start..at).contains(&from)
                    && at - from < LONGEST
                    && code.ops[from..at].iter().any(|op| cannot_trap(*op) || is_load(*op))
                {
                    loops.push(Loop { range: from..at, head });
                }
            }
            if !loops.is_empty() {
                let liveness = Liveness::new(code, (number, function), &places, true, self.budget);
                let is_free = |slot: u16, head| {
                    let own = places.owner(slot) == Some(number) && !kept.contains(&slot);
                    own && !liveness.is_read_from(head, slot)
                };
                for it in loops {
                    self.budget.charge(it.range.len());
                    let search = Invariants {
                        code,
                        uses: &uses,
                        entries: &entries,
                        places: &places,
                        it: &it,
                    };
                    moved.extend(search.found(&is_free));
                }
            }
        }
        if !moved.is_empty() {
            self.fires(Pass::Invariants);
        }
        moved.into_iter().for_each(|(from, head)| self.code.move_up(from, head));
    }

    /// How often each label is used, by operations and by whatever else names places in code.
    fn uses_of_labels(&self) -> BTreeMap<Label, usize> {
        let Code { ops, sites, options, proposals, measures, always, .. } = &self.code;
        let mut labels: Vec<Label> = ops.iter().copied().flat_map(targets).collect();
        labels.extend(self.functions.iter().map(|it| it.entry));
        for site in sites {
            labels.push(site.to);
            match site.wait {
                Wait::Nothing => {}
                Wait::Decision { question, otherwise, .. } => {
                    labels.extend(question.into_iter().chain(otherwise));
                }
                Wait::Draw { event, outcome, .. } => labels.extend([event, outcome]),
            }
        }
        labels.extend(options.iter().filter_map(|it| it.template));
        labels.extend(proposals.iter().map(|it| it.test));
        labels.extend(measures.iter().map(|it| it.piece.to));
        labels.extend(always.iter().map(|it| it.piece.to));
        counted(labels)
    }
}

fn counted(labels: impl IntoIterator<Item = Label>) -> BTreeMap<Label, usize> {
    let mut counts = BTreeMap::new();
    labels.into_iter().for_each(|label| *counts.entry(label).or_default() += 1);
    counts
}

/// How often each operation is the target of a label that is used.
fn by_place(code: &Code, uses: &BTreeMap<Label, usize>) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for (label, count) in uses {
        if let Some(at) = code.labels[usize::from(*label)] {
            *counts.entry(at).or_default() += count;
        }
    }
    counts
}

fn targets(op: Op) -> impl Iterator<Item = Label> {
    op.operands().filter(|it| it.role == Role::To).map(|it| it.value)
}

/// The search for what can leave one loop.
struct Invariants<'c> {
    code: &'c Code,
    uses: &'c BTreeMap<Label, usize>,
    /// The same by the operations that labels lead to.
    entries: &'c BTreeMap<usize, usize>,
    places: &'c Places,
    it: &'c Loop,
}

impl Invariants<'_> {
    /// The operations that can go in front of the loop, with the label of its head.
    fn found(&self, is_free: &impl Fn(u16, Label) -> bool) -> Vec<(usize, Label)> {
        let (ops, Loop { range, head }) = (&self.code.ops, self.it);
        let body = &ops[range.start..=range.end];
        let inside = counted(body.iter().copied().flat_map(targets));
        // Nothing in the loop changes what operands do not say. The first round begins at the head, and what comes
        // there for the first time comes from the operation before it: so no jump from outside leads to the label of
        // the head, nor into the middle of the loop.
        let own = by_place(self.code, &inside);
        let mut middle = self.entries.range(range.start + 1..=range.end);
        let enters_at_head = self.uses.get(head) == inside.get(head)
            && middle.all(|(at, uses)| own.get(at) == Some(uses));
        if !enters_at_head || !body.iter().all(|op| is_plain(*op)) {
            return Vec::new();
        }
        let mut written: BTreeMap<usize, usize> = BTreeMap::new();
        for operand in body.iter().flat_map(Op::operands).filter(|it| it.role.changes()) {
            for slot in usize::from(operand.value)..usize::from(operand.value) + operand.words {
                *written.entry(slot).or_default() += 1;
            }
        }
        // What a loop inside this one does has been found already.
        let mut inner = Vec::new();
        for at in range.clone() {
            if let Op::Again { to } = ops[at]
                && let Some(from) =
                    self.code.labels[usize::from(to)].filter(|to| range.contains(to))
            {
                inner.push(from..at);
            }
        }
        let mut found = Vec::new();
        // The last place that a jump within the loop leads to: what lies before it is not carried out in each round.
        let mut skipped = range.start;
        for at in range.clone() {
            let op = ops[at];
            let mut operands = op.operands().filter(|it| it.role.is_slot());
            let invariant = operands.all(|it| {
                let slots = usize::from(it.value)..usize::from(it.value) + it.words;
                let writes = |slot| written.get(&slot).copied().unwrap_or(0);
                let free = |slot| u16::try_from(slot).is_ok_and(|slot| is_free(slot, *head));
                if it.role.kills() {
                    slots.clone().all(|slot| writes(slot) == 1 && free(slot))
                } else {
                    slots.clone().all(|slot| writes(slot) == 0)
                }
            });
            if at >= skipped
                && invariant
                && (cannot_trap(op) || is_load(op) && self.is_sure(op))
                && !inner.iter().any(|it| it.contains(&at))
            {
                found.push((at, *head));
                for it in op.operands().filter(|it| it.role.changes()) {
                    (0..it.words).for_each(|word| {
                        written.remove(&(usize::from(it.value) + word));
                    });
                }
            }
            for to in targets(op).filter_map(|to| self.code.labels[usize::from(to)]) {
                if range.contains(&to) || to == range.end {
                    skipped = skipped.max(to);
                }
            }
        }
        found
    }

    /// Whether the index of a load is surely inside: shortly before the loop it was one of as few elements.
    fn is_sure(&self, load: Op) -> bool {
        let Some((index, count)) = indexed(load) else { return false };
        let head = self.it.range.start;
        let is_led_to = |at: usize| at < head && self.places.is_target(at);
        for at in (0..head).rev().take_while(|at| !is_led_to(at + 1)) {
            let op = self.code.ops[at];
            let covers = |it: Operand| {
                (it.value.into()..usize::from(it.value) + it.words).contains(&index.into())
            };
            let is_other = !op.operands().any(|it| it.role.changes() && covers(it));
            if !is_other || !is_plain(op) || !op.falls_through() {
                return false;
            }
            if indexed(op).is_some_and(|(other, size)| other == index && size <= count) {
                return true;
            }
        }
        false
    }
}

impl Code {
    /// Moves an operation in front of the operation at a label, to which only the loop jumps that begins there.
    fn move_up(&mut self, from: usize, head: Label) {
        let Some(to) = self.labels[usize::from(head)] else { return };
        self.ops[to..=from].rotate_right(1);
        self.spans[to..=from].rotate_right(1);
        // Coverage counts it to what is around the loop.
        self.spans[to] = self.spans[(to + 1).min(self.spans.len() - 1)];
        for (label, at) in (0..).zip(&mut self.labels) {
            if let Some(at) = at
                && (label == head || *at > to)
                && *at <= from
            {
                *at += 1;
            }
        }
    }
}

/// Operations that only read, and that trap where an index is outside.
fn is_load(op: Op) -> bool {
    matches!(op, Op::Load { .. } | Op::LoadSet { .. })
}

/// The index that an operation tests, and how many elements there are.
fn indexed(op: Op) -> Option<(u16, u16)> {
    match op {
        Op::Load { index, count, .. }
        | Op::LoadSet { index, count, .. }
        | Op::Store { index, count, .. }
        | Op::StoreSet { index, count, .. }
        | Op::AddAt { index, count, .. }
        | Op::InsertAt { index, count, .. }
        | Op::RemoveAt { index, count, .. }
        | Op::JumpHasAt { index, count, .. }
        | Op::JumpLacksAt { index, count, .. }
        | Op::JumpIfAt { index, count, .. }
        | Op::JumpIfNotAt { index, count, .. } => Some((index, count)),
        _ => None,
    }
}

/// Operations that only compute, and that cannot fail.
fn cannot_trap(op: Op) -> bool {
    matches!(
        op,
        Op::LoadValue { .. }
            | Op::SetOf { .. }
            | Op::Single { .. }
            | Op::Union { .. }
            | Op::Minus { .. }
            | Op::Common { .. }
            | Op::UnionOf { .. }
            | Op::UnionMoved { .. }
            | Op::Sweep { .. }
            | Op::WhereEqual { .. }
            | Op::WhereBelow { .. }
            | Op::WhereIn { .. }
            | Op::SelectWithin { .. }
            | Op::SelectMeeting { .. }
            | Op::SumOf { .. }
            | Op::Count { .. }
            | Op::First { .. }
            | Op::Last { .. }
    )
}

/// Whether an operation changes what its operands say and nothing else, and goes on at once.
fn is_plain(op: Op) -> bool {
    let leaves = matches!(
        op,
        Op::Call { .. }
            | Op::Return { .. }
            | Op::Push { .. }
            | Op::Pull { .. }
            | Op::Suppose { .. }
            | Op::Unsuppose { .. }
            | Op::Decide { .. }
            | Op::Draw { .. }
            | Op::TestNow { .. }
            | Op::Propose { .. }
            | Op::Tested {}
    );
    !leaves && !changes_anything(op)
}
