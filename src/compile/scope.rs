//! The body that is being compiled: where its locals are, where it returns to, its loops.

use std::collections::BTreeMap;

use crate::compile::{code::CodeLabel, compiled::Storage};
use crate::eval::Env;
use crate::rules::{Local, LocalId, RuleId, Value};

/// Where the value of an expression can be read: the first slot and the number of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotRange {
    pub(super) at: u16,
    pub(super) width: u16,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) enum ReturnPath {
    /// It goes on at a label; a value is put into the slots.
    To(CodeLabel, Option<SlotRange>),
    /// It returns to its caller.
    #[default]
    Back,
}

/// Where a loop ends, and where a round of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopEnds {
    pub(super) exit: CodeLabel,
    pub(super) round: CodeLabel,
}

/// What the `turns` around have counted so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OuterTurns {
    /// The number of their turn, or a 0.
    pub(super) turn: Option<u16>,
    /// How many turns each player has had in them.
    pub(super) had: Option<SlotRange>,
}

/// The body that is being compiled.
#[derive(Clone, Debug, Default)]
pub(super) struct CompiledBody<'a> {
    pub(super) rule: Option<RuleId>,
    /// The locals that the rule, or the piece, declares.
    pub(super) declared: &'a [Local],
    pub(super) locals: BTreeMap<LocalId, Storage>,
    /// Between which ends numbers lie that are never assigned to.
    pub(super) bounds: BoundLocals,
    /// The number of what was kept where, in its order.
    pub(super) history: usize,
    pub(super) returning: ReturnPath,
    /// Where `break` and `continue` go, for each loop around.
    pub(super) loops: Vec<LoopEnds>,
    /// Where the counts of outer `turns` are kept, innermost last.
    pub(super) counts: Vec<OuterTurns>,
    /// How many rules are compiled into each other.
    pub(super) depth: usize,
}

/// Before play only locals that are constant are known.
impl Env for CompiledBody<'_> {
    fn local(&self, local: LocalId) -> Option<Value> {
        match self.locals.get(&local) {
            Some(Storage::Known(value)) => Some(value.clone()),
            _ => None,
        }
    }
}

pub(super) type NumberBounds = (i64, i64);

pub(super) type BoundLocals = BTreeMap<LocalId, NumberBounds>;

impl CompiledBody<'_> {
    /// The innermost loop.
    pub(super) fn loop_around(&self) -> LoopEnds {
        *self.loops.last().expect("checked: `break` and `continue` stand in a loop")
    }

    pub(super) fn local_slots(&self, local: LocalId) -> SlotRange {
        match self.locals.get(&local) {
            Some(Storage::Slots(at, width)) => SlotRange { at: *at, width: *width },
            // Arrays have no value of their own; known locals were folded.
            _ => unreachable!("checked: a local is read only after it is bound"),
        }
    }
}
