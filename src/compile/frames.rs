//! Functions and their slots: blocks that are taken, released and reused.

use std::collections::{BTreeMap, BTreeSet};

use crate::compile::code::CodeLabel;
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
