//! Functions and their slots: blocks that are taken, released and reused.

use std::collections::{BTreeMap, BTreeSet};

use crate::compile::code::{CodeBuffer, CodeLabel};
use crate::compile::scope::SlotRange;
use crate::rules::RuleId;

/// All functions, and which is being compiled.
#[derive(Default)]
pub(super) struct Frames {
    pub(super) functions: Vec<Function>,
    pub(super) by_rule: BTreeMap<RuleId, usize>,
    pub(super) current: usize,
}

/// A stretch of code with locals of its own: a rule, or one of the flows.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub(super) entry: CodeLabel,
    /// The operations of it: first, and one past the last.
    pub(super) range: (usize, usize),
    /// Its slots as they were given out, first slot and width, without those of the result.
    pub(super) blocks: Vec<(u16, u16)>,
    /// The blocks that are in use, by position; the others can be used again.
    pub(super) busy: Vec<usize>,
    /// The blocks that are not in use, by their width.
    pub(super) free: BTreeMap<u16, BTreeSet<usize>>,
    pub(super) rule: Option<RuleId>,
    pub(super) params: Vec<SlotRange>,
    pub(super) result: Option<SlotRange>,
    /// Where the site to go back to is kept.
    pub(super) link: Option<u16>,
    pub(super) calls: BTreeSet<usize>,
    /// The circle of functions that call each other it is in.
    pub(super) circle: Option<usize>,
}

impl Frames {
    /// New slots for a local or a value in between, in use until they are released.
    pub(super) fn take(&mut self, width: u16, code: &mut CodeBuffer) -> SlotRange {
        let function = &mut self.functions[self.current];
        let free = function.free.get_mut(&width).and_then(BTreeSet::pop_first);
        let at = free.unwrap_or_else(|| {
            let slot = code.slots(width);
            function.blocks.push((slot, width));
            function.blocks.len() - 1
        });
        function.busy.push(at);
        SlotRange { at: function.blocks[at].0, width }
    }

    /// How many slots are in use: what is taken from here on can be released together.
    pub(super) fn mark(&self) -> usize {
        self.functions[self.current].busy.len()
    }

    /// The locals that are in use: first slot and number.
    pub(super) fn in_use(&self) -> Vec<(u16, u16)> {
        let function = &self.functions[self.current];
        function.busy.iter().map(|at| function.blocks[*at]).collect()
    }

    pub(super) fn release(&mut self, mark: usize) {
        let function = &mut self.functions[self.current];
        for at in function.busy.drain(mark..) {
            function.free.entry(function.blocks[at].1).or_default().insert(at);
        }
    }
}
