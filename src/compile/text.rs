//! Texts: what is said, questions, other printed forms of moves, events in words.

use std::collections::BTreeSet;

use crate::bytecode::{Format, Manner, NONE, Op};
use crate::compile::chance::{DrawText, OutcomeValue};
use crate::compile::code::CodeLabel;
use crate::compile::places::var_element;
use crate::compile::{CompiledBody, Compiler, SlotRange};
use crate::rules::{Expr, ExprKind, LocalId, TextPart, Type, Value};
use crate::source::Span;

/// A text that is compiled after the rule that needs it: nobody runs through it in play.
#[derive(Clone, Debug)]
pub(super) enum Later {
    Text(Expr),
    Event(DrawText),
    /// The outcome whose number stands in a slot.
    Outcome(OutcomeValue, u16, Type),
}

/// A text that waits to be compiled, with the names in sight where it belongs.
pub(super) struct Waiting {
    at: CodeLabel,
    what: Later,
    body: CompiledBody,
    span: Span,
}

impl Compiler<'_> {
    /// `say "…"`, `say to p "…"`
    pub(super) fn say(&mut self, to: Option<&Expr>, text: &Expr) {
        let skip = self.code.label();
        self.code.emit(Op::Quiet { to: skip });
        let to_whom = match to {
            Some(to) => self.word(to),
            None => self.code.constant(NONE),
        };
        self.print(text);
        self.code.emit(Op::Tell { to_whom });
        self.code.place(skip);
    }

    pub(super) fn print(&mut self, expr: &Expr) {
        if let Some(Value::Text(words)) = self.fold(expr) {
            return self.words(&words);
        }
        match &expr.kind {
            ExprKind::Text(parts) => parts.iter().for_each(|part| match part {
                TextPart::Words(words) => self.words(words),
                TextPart::Hole(hole) => self.print(hole),
            }),
            ExprKind::If(condition, then, otherwise) => {
                self.branches(condition, then, otherwise, |compiler, text| compiler.print(text));
            }
            ExprKind::Match(subject, arms) => self.cases(subject, arms, Self::print),
            ExprKind::Interval(low, high) if expr.ty == Type::Span => {
                self.print(low);
                self.words("..");
                self.print(high);
            }
            ExprKind::Call(rule, args) if expr.ty == Type::Text => {
                match self.inline_value(*rule, args) {
                    Some((value, locals)) => {
                        self.inside(*rule, locals, |compiler| compiler.print(&value));
                    }
                    None => self.print_value(expr, Manner::Said),
                }
            }
            _ => self.print_value(expr, Manner::Said),
        }
    }

    /// Puts a value into words as it would be typed.
    pub(super) fn print_typed(&mut self, expr: &Expr) {
        match expr.ty {
            Type::Text | Type::Span => self.print(expr),
            _ => self.print_value(expr, Manner::Typed),
        }
    }

    pub(super) fn words(&mut self, words: &str) {
        if !words.is_empty() {
            let text = self.code.text(words);
            self.code.emit(Op::Words { text });
        }
    }

    fn print_value(&mut self, expr: &Expr, manner: Manner) {
        let mark = self.mark();
        let slots = match expr.ty {
            Type::EmptySet => SlotRange { at: self.code.constant(0), width: 1 },
            _ => self.operand(expr),
        };
        self.print_slots(slots, &expr.ty, manner, expr.span);
        self.release(mark);
    }

    pub(super) fn print_slots(
        &mut self,
        SlotRange { at, width }: SlotRange,
        ty: &Type,
        manner: Manner,
        span: Span,
    ) {
        let shape = self.shape(ty, span);
        let format = self.code.format(Format { shape, manner });
        self.code.emit(match ty {
            Type::Set(_) | Type::EmptySet | Type::List(..) => {
                Op::PrintSet { set: at, width, format }
            }
            _ => Op::Print { a: at, format },
        });
    }

    /// Notes a text that belongs here.
    pub(super) fn later(&mut self, at: CodeLabel, what: Later) {
        let mut read = BTreeSet::new();
        if let Later::Text(expr) | Later::Event(DrawText::Roll(expr)) = &what {
            read = expr.locals();
        }
        let kept = |local: &LocalId| Some((*local, self.body.locals.get(local)?.clone()));
        let locals = read.iter().filter_map(kept).collect();
        let CompiledBody { rule, returning, depth, .. } = self.body;
        let body = self.body_of(rule, locals, returning, depth);
        let span = self.code.span;
        self.code.later.push(Waiting { at, what, body, span });
    }

    /// Compiles the texts that were noted.
    pub(super) fn write_later(&mut self) {
        // A text may read whatever the rule has kept anywhere.
        self.functions[self.current].free.clear();
        for waiting in std::mem::take(&mut self.code.later) {
            let outer = std::mem::replace(&mut self.body, waiting.body);
            let mark = self.mark();
            self.code.span = waiting.span;
            self.code.place(waiting.at);
            match waiting.what {
                Later::Text(text) => self.print(&text),
                Later::Event(event) => self.print_event(&event),
                Later::Outcome(outcome, drawn, ty) => {
                    let value = self.take(1);
                    self.outcome_value(&outcome, drawn, value.at);
                    self.print_slots(value, &ty, Manner::Typed, waiting.span);
                }
            }
            self.code.emit(Op::Stop {});
            self.release(mark);
            self.body = outer;
        }
    }

    fn print_event(&mut self, event: &DrawText) {
        match event {
            // As it is written: a rule that it calls may have been written out.
            DrawText::Random(span) => {
                let source = self.sources.find(*span);
                let written = source.map_or("", |source| source.slice(*span));
                self.words(&written.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            DrawText::Card(pile, cards) => {
                self.words("draw ");
                self.code.emit(Op::PrintPile { pile: *pile, cards: *cards });
            }
            DrawText::Roll(die) => {
                self.words("roll ");
                self.print_place(die);
            }
        }
    }

    fn print_place(&mut self, place: &Expr) {
        let Some((var, mut indices)) = var_element(place) else { return };
        let var = &self.rules.vars[var.index()];
        if indices.len() > var.dims.len() {
            self.print_typed(&indices[0]);
            self.words(".");
            indices = &indices[1..];
        }
        self.words(&var.name);
        self.print_indices(indices);
    }

    /// `[red, 2]`
    pub(super) fn print_indices(&mut self, indices: &[Expr]) {
        for (at, index) in indices.iter().enumerate() {
            self.words(if at == 0 { "[" } else { ", " });
            self.print_typed(index);
        }
        if !indices.is_empty() {
            self.words("]");
        }
    }
}
