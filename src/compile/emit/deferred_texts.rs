//! Texts that are compiled after the code that refers to them.

use crate::compile::code::CodeLabel;
use crate::compile::scope::{CompiledBody, SlotRange};
use crate::rules::{Expr, Type};
use crate::source::Span;

/// How the number of an outcome becomes a value.
#[derive(Clone, Debug)]
pub(super) enum OutcomeValue {
    /// It is a number, counted from the lowest.
    From(u16),
    /// It is a position among the members of a set, whose first bit is this number.
    Member(SlotRange, i64),
    /// It is a position among the cards of a set; alike cards of one pile are one.
    CardOf(SlotRange, u16),
    /// It is a position among constants.
    Face(u16, u16),
    /// It is a position among the cards that could lie in a pile with so many before them.
    Card([u16; 2], u16),
}

/// What is drawn, for putting into words.
#[derive(Clone, Debug)]
pub(super) enum DrawText {
    /// As it is written there.
    Random(Span),
    Roll(Expr),
    /// `draw deck`: the slot of the number of the pile, and from which end.
    Card(u16, u16),
}

/// A text that is compiled after the rule that needs it: nobody runs through it in play.
#[derive(Clone, Debug)]
pub(super) enum DeferredText {
    Text(Expr),
    Event(DrawText),
    /// The outcome whose number stands in a slot.
    Outcome(OutcomeValue, u16, Type),
}

/// A text that waits to be compiled, with the names in sight where it belongs.
pub(super) struct PendingText<'a> {
    pub(super) at: CodeLabel,
    pub(super) what: DeferredText,
    pub(super) body: CompiledBody<'a>,
    pub(super) span: Span,
}
