//! Copy forwarding: what an operation computes goes where the copy after it would put it.

use std::collections::BTreeSet;

use crate::bytecode::{Op, Operand, Role, Wait};
use crate::compile::link::Linker;
use crate::compile::link::liveness::{Liveness, Places};
use crate::compile::{code::CodeBuffer, passes::Pass, scope::SlotRange};

impl Linker<'_, '_> {
    /// Takes out copies of what nothing reads any more but the copy. Returns for each site the slots that are
    /// read after it.
    pub(super) fn forward_copies(&mut self) -> Vec<BTreeSet<u16>> {
        let places = Places::from_code(&self.code, &self.functions);
        let kept = self.kept_slots(&places);
        let mut ops = self.code.ops.clone();
        let mut removed = vec![false; ops.len()];
        let mut live = vec![BTreeSet::new(); self.code.sites.len()];
        for (number, function) in self.functions.iter().enumerate() {
            let liveness = Liveness::new(&self.code, (number, function), &places, self.plan.budget);
            let sites = self.code.sites.iter().zip(&mut live);
            let of_function = sites.filter(|(site, _)| site.function == number);
            of_function.for_each(|(site, live)| *live = liveness.after(site));
            let liveness = liveness.with_seen(self.plan.budget);
            liveness.each_back(|at, is_read| {
                let Some((to, from)) = copied(ops[at]) else { return true };
                let is_free = |slot: u16| !kept.contains(&slot) && is_read(slot) == Some(false);
                let mut words = from.at..from.at + from.width;
                let follows = at > function.range.0 && !places.is_target(at);
                if !follows || !words.all(is_free) || !self.plan.tries(Pass::Forward) {
                    return true;
                }
                // Functions that never run at the same time share words: what one of them returned may lie where an
                // argument of another goes.
                let is_argument = places.owner(to).is_some_and(|owner| owner != number);
                let may_be_at = |slot| is_argument && self.is_result(slot);
                let Some(forwarded) = forwarded(ops[at - 1], from, to, may_be_at) else {
                    return true;
                };
                ops[at - 1] = forwarded;
                self.plan.fires(Pass::Forward);
                removed[at] = true;
                false
            });
        }
        self.code.ops = ops;
        let places = self.code.take_out(&removed);
        for function in &mut self.functions {
            function.range = (places[function.range.0], places[function.range.1]);
        }
        live
    }

    /// Whether a slot belongs to the value that a function returns.
    fn is_result(&self, slot: u16) -> bool {
        let mut results = self.functions.iter().filter_map(|function| function.result);
        results.any(|it| (it.at..it.at + it.width).contains(&slot))
    }

    /// The slots that something beside code reads or writes at any time, or the code of another function.
    fn kept_slots(&self, places: &Places) -> BTreeSet<u16> {
        let CodeBuffer { sites, options, proposals, picks, unseen, measures, always, .. } =
            &self.code;
        let mut kept: Vec<(u16, u16)> = Vec::new();
        let slots = |slots: &SlotRange| (slots.at, slots.width);
        for function in &self.functions {
            kept.extend(function.params.iter().chain(&function.result).map(slots));
            kept.extend(function.link.map(|link| (link, 1)));
        }
        for site in sites {
            match site.wait {
                Wait::Nothing => {}
                Wait::Decision { player, .. } => kept.push((player, 1)),
                Wait::Draw { dst, outcomes, low, .. } => {
                    kept.extend([dst, outcomes, low].map(|slot| (slot, 1)));
                }
            }
        }
        for binds in options.iter().map(|it| &it.binds).chain(proposals.iter().map(|it| &it.binds))
        {
            kept.extend(binds.slots.iter().copied().chain(binds.parts()));
        }
        for it in picks {
            kept.extend([it.deciders, it.rest].map(|slot| (slot, it.width)));
            let players = u16::try_from(self.plan.setting.players).expect("players are few");
            kept.push((it.base, it.columns * players));
        }
        kept.extend(unseen.values().filter_map(|it| it.by.slot()).map(|slot| (slot, 1)));
        let pieces = measures.iter().map(|it| it.piece).chain(always.iter().map(|it| it.piece));
        kept.extend(pieces.flat_map(|it| [(it.player, 1), (it.result, 1)]));
        kept.extend(self.piece.params.iter().copied().chain(self.piece.result));
        let mut kept = kept.iter().flat_map(|(at, width)| *at..*at + *width).collect();
        self.add_slots_of_others(places, &mut kept);
        kept
    }

    /// Adds the slots of functions that the code of others reads or writes.
    fn add_slots_of_others(&self, places: &Places, all: &mut BTreeSet<u16>) {
        let mut owners = vec![None; self.code.ops.len()];
        for (number, function) in self.functions.iter().enumerate() {
            owners[function.range.0..function.range.1].fill(Some(number));
        }
        for (op, owner) in self.code.ops.iter().zip(owners) {
            for operand in op.operands().filter(|operand| operand.role.is_slot()) {
                let words = u16::try_from(operand.words).expect("an operand covers few slots");
                let slots = operand.value..operand.value.saturating_add(words);
                let of_other = |slot: &u16| places.owner(*slot).is_some_and(|it| Some(it) != owner);
                all.extend(slots.filter(of_other));
            }
        }
    }
}

/// The source slot and the target of a copy.
fn copied(op: Op) -> Option<(u16, SlotRange)> {
    match op {
        Op::Move { dst, src } => Some((dst, SlotRange { at: src, width: 1 })),
        Op::Copy { dst, src, width } => Some((dst, SlotRange { at: src, width })),
        _ => None,
    }
}

/// An operation that writes to `to` what it wrote to `from`, if nothing else changes. Some of what it reads may be
/// linked to the same words as `to`.
fn forwarded(mut op: Op, from: SlotRange, to: u16, may_be_at: impl Fn(u16) -> bool) -> Option<Op> {
    let operands: Vec<Operand> = op.operands().collect();
    let is_result = |operand: &Operand| {
        operand.role.kills() && operand.value == from.at && operand.words == usize::from(from.width)
    };
    let written = operands.iter().position(is_result)?;
    // Word by word, or with one word, it may write over what it reads.
    let (by_words, of_one) = (op.is_by_words(), from.width == 1 && op.is_of_one());
    let to_end = usize::from(to) + usize::from(from.width);
    let harmless = |(at, operand): (usize, &Operand)| match operand.role {
        Role::Number | Role::Count | Role::Width => true,
        _ if at == written => true,
        Role::Read
        | Role::ReadSet
        | Role::ReadBlock
        | Role::ReadPair
        | Role::ReadMoves
        | Role::ReadMarks => {
            let (start, end) =
                (usize::from(operand.value), usize::from(operand.value) + operand.words);
            let apart = (end <= to.into() || to_end <= start) && !may_be_at(operand.value);
            apart || of_one || by_words && start == usize::from(to)
        }
        _ => false,
    };
    operands.iter().enumerate().all(harmless).then(|| {
        op.map(|role, value| if role.kills() { to } else { value });
        op
    })
}
