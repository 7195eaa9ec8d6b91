//! How much work and memory a file may take, whatever is in it: counted in steps, never in seconds,
//! so that the same file has the same end everywhere.
//!
//! Code that makes or visits something charges for it. When a budget is spent, the stages that use it
//! stop, and one finding names the declaration that spent most.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, diagnostics};
use crate::source::Span;

/// How many steps a file may take.
pub const MAX_WORK: u64 = 20_000_000;

/// How many bytes may be made of a file.
pub const MAX_MEMORY: u64 = 96 << 20;

diagnostics! {
    check::too_much_work => (what; span),
        "this takes too much {what}", span: "most of it is taken here",
        help: "write it with fewer and smaller parts: less nesting, less that is \
            included again and again, smaller kinds";
}

/// What is left of the work and the memory for a file.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    work: Cell<u64>,
    memory: Cell<u64>,
    /// The declaration that spends, and what was spent before it.
    now: Cell<(Span, u64)>,
    /// What each declaration spent.
    accounts: RefCell<BTreeMap<Span, u64>>,
}

impl Budget {
    /// Charges for so many things that are made or visited.
    pub fn charge(&self, steps: usize) {
        self.work.set(self.work.get().saturating_add(steps as u64));
    }

    /// Charges for so many bytes that are kept.
    pub(crate) fn hold_memory(&self, bytes: usize) {
        self.memory.set(self.memory.get().saturating_add(bytes as u64));
    }

    /// From here on it is this declaration that spends; gives the one before.
    pub fn turn_to(&self, declaration: Span) -> Span {
        let (before, since) = self.now.replace((declaration, self.spent()));
        let spent = self.spent() - since;
        *self.accounts.borrow_mut().entry(before).or_default() += spent;
        before
    }

    pub fn is_spent(&self) -> bool {
        self.work.get() > MAX_WORK || self.memory.get() > MAX_MEMORY
    }

    pub fn work(&self) -> u64 {
        self.work.get()
    }

    pub fn memory_used(&self) -> u64 {
        self.memory.get()
    }

    /// The error, once the budget is spent.
    pub fn finding(&self) -> Option<Diagnostic> {
        self.turn_to(Span::default());
        let accounts = self.accounts.borrow();
        // Of equal ones the first of the file.
        let most = accounts.iter().rev().max_by_key(|(_, spent)| **spent);
        let span = most.map(|(span, _)| *span).unwrap_or_default();
        let what = if self.work.get() > MAX_WORK { "work" } else { "memory" };
        self.is_spent().then_some(too_much_work(what, span))
    }

    /// Work and memory as one number: all the memory that there is costs as much as all the work.
    fn spent(&self) -> u64 {
        self.work.get().saturating_add(self.memory.get() / (MAX_MEMORY / MAX_WORK))
    }
}
