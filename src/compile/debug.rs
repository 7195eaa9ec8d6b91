//! What people may see and ask where a game waits: the locals in sight and the decision itself.

use crate::check::rules::{Choose, RuleId, Value};

/// Where a local is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In this many slots from the first on, numbered as the compiler gave them out.
    Slots(u16, u16),
    /// Nowhere: it is this constant.
    Known(Value),
    /// In an array: first slot, the low end and size of each dimension, slots of one element.
    Array(u16, Vec<(i64, usize)>, u16),
}

/// What is known of a site beyond the program.
#[derive(Clone, Debug, Default)]
pub struct SiteDebug {
    /// The rule whose names can be seen.
    pub rule: Option<RuleId>,
    /// The number of the body that waits, and how many of its locals were kept before.
    pub(super) history: (usize, usize),
    /// The decision without its bodies, when one is waited for.
    pub choose: Option<Choose>,
}
