//! `BlockTyper`: types the statements of one body, with the state that only statements need.

pub(crate) mod bags;
pub(crate) mod cards;
pub(crate) mod choices;
mod finish;
pub(crate) mod groups;
pub(crate) mod lvalues;
pub(crate) mod rules;
pub(crate) mod statements;

use crate::check::typer::Typer;
use crate::rules::{Expr, Stmt, Type};
use crate::source::Span;

/// Types the statements of one body.
pub(crate) struct BlockTyper<'t, 'c, 'a> {
    pub(crate) typer: &'t mut Typer<'c, 'a>,
    pub(crate) state: &'t mut BlockState,
}

/// Where in a body its statements stand.
pub(crate) struct BlockState {
    /// Statements that come before the one that is being checked.
    before: Vec<Stmt>,
    loops: usize,
    /// Whether the innermost loop is the last of several in one statement.
    joined: bool,
    /// The first `continue` of the innermost loop: how many names there were, and its place.
    continued: Option<(usize, Span)>,
    returning: Returning,
    /// Whether the options that are being checked are those of an order.
    in_order: bool,
    /// Whether it belongs to a rule of the file, not to a flow.
    in_rule: bool,
}

impl BlockState {
    /// The state before the first statement of a body.
    pub(crate) fn new(returning: Returning) -> BlockState {
        let (before, loops, continued) = (Vec::new(), 0, None);
        let (joined, in_order, in_rule) = (false, false, false);
        BlockState { before, loops, joined, continued, returning, in_order, in_rule }
    }
}

impl BlockTyper<'_, '_, '_> {
    /// Runs a check in a scope of its own: its names and what it knows are forgotten after it.
    pub(crate) fn scoped<T>(&mut self, check: impl FnOnce(&mut BlockTyper) -> T) -> T {
        let state = &mut *self.state;
        self.typer.scoped(|typer| check(&mut BlockTyper { typer, state }))
    }

    /// Runs a check in a scope where a condition is known to hold, or not to.
    pub(crate) fn assuming<T>(
        &mut self,
        assumed: (&Expr, bool),
        check: impl FnOnce(&mut BlockTyper) -> T,
    ) -> T {
        let state = &mut *self.state;
        self.typer.assuming(assumed, |typer| check(&mut BlockTyper { typer, state }))
    }

    /// Runs a check as part of a condition, which must not do anything.
    pub(crate) fn in_condition<T>(
        &mut self,
        what: &'static str,
        check: impl FnOnce(&mut BlockTyper) -> T,
    ) -> T {
        let state = &mut *self.state;
        self.typer.in_condition(what, |typer| check(&mut BlockTyper { typer, state }))
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Returning {
    Value(Type),
    /// Nothing; the name of the rule or flow.
    Nothing(String),
    /// An error: the body belongs to a group of moves of this name.
    Group(String),
    /// An error: the statements are only supposed.
    Supposed,
}
