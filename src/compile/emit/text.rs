//! Texts: what is said, questions, other printed forms of moves, events in words.

use crate::bytecode::{Format, Manner, NONE, Op};
use crate::compile::emit::calls::{emit_inside_rule, inline_value};
use crate::compile::emit::deferred_texts::{DeferredText, DrawText};
use crate::compile::emit::{Emitter, chance::outcome_value};
use crate::compile::plan::expr_queries::var_element;
use crate::compile::scope::SlotRange;
use crate::rules::{Expr, ExprKind, TextPart, Type, Value};
use crate::source::Span;

impl Emitter<'_, '_> {
    fn print(&mut self, expr: &Expr) {
        if let Some(Value::Text(words)) = self.facts().fold(expr) {
            return self.words(&words);
        }
        match &expr.kind {
            ExprKind::Text(parts) => parts.iter().for_each(|part| match part {
                TextPart::Words(words) => self.words(words),
                TextPart::Hole(hole) => self.print(hole),
            }),
            ExprKind::If(condition, then, otherwise) => {
                self.branches(condition, then, otherwise, |out, text| out.print(text));
            }
            ExprKind::Match(subject, arms) => self.cases(subject, arms, Self::print),
            ExprKind::Interval(low, high) if expr.ty == Type::Span => {
                self.print(low);
                self.words("..");
                self.print(high);
            }
            ExprKind::Call(rule, args) if expr.ty == Type::Text => {
                match inline_value(self, *rule, args) {
                    Some((value, locals)) => {
                        emit_inside_rule(self, *rule, locals, |out| out.print(&value));
                    }
                    None => print_value(self, expr, Manner::Said),
                }
            }
            _ => print_value(self, expr, Manner::Said),
        }
    }

    /// Puts a value into words as it would be typed.
    pub(super) fn print_typed(&mut self, expr: &Expr) {
        match expr.ty {
            Type::Text | Type::Span => self.print(expr),
            _ => print_value(self, expr, Manner::Typed),
        }
    }

    pub(super) fn words(&mut self, words: &str) {
        if !words.is_empty() {
            let text = self.code.text(words);
            self.code.emit(Op::Words { text });
        }
    }

    pub(super) fn print_slots(
        &mut self,
        SlotRange { at, width }: SlotRange,
        ty: &Type,
        manner: Manner,
        span: Span,
    ) {
        let shape = self.plan.shape(ty, span);
        let format = self.code.format(Format { shape, manner });
        self.code.emit(match ty {
            Type::Set(_) | Type::EmptySet | Type::List(..) => {
                Op::PrintSet { set: at, width, format }
            }
            _ => Op::Print { a: at, format },
        });
    }

    /// Compiles the texts that were noted.
    pub(super) fn write_later(&mut self) {
        // A text may read whatever the rule has kept anywhere.
        self.frames.functions[self.frames.current].free.clear();
        for waiting in std::mem::take(&mut self.pending_texts) {
            let outer = std::mem::replace(&mut self.body, waiting.body);
            let mark = self.mark();
            self.code.span = waiting.span;
            self.code.place(waiting.at);
            match waiting.what {
                DeferredText::Text(text) => self.print(&text),
                DeferredText::Event(event) => print_event(self, &event),
                DeferredText::Outcome(outcome, drawn, ty) => {
                    let value = self.allocate(1);
                    outcome_value(self, &outcome, drawn, value.at);
                    self.print_slots(value, &ty, Manner::Typed, waiting.span);
                }
            }
            self.code.emit(Op::Stop {});
            self.release(mark);
            self.body = outer;
        }
    }
}

/// `say "…"`, `say to p "…"`
pub(super) fn emit_say(out: &mut Emitter, to: Option<&Expr>, text: &Expr) {
    let skip = out.code.label();
    out.code.emit(Op::Quiet { to: skip });
    let to_whom = match to {
        Some(to) => out.word(to),
        None => out.code.constant(NONE),
    };
    out.print(text);
    out.code.emit(Op::Tell { to_whom });
    out.code.place(skip);
}

fn print_value(out: &mut Emitter, expr: &Expr, manner: Manner) {
    let mark = out.mark();
    let slots = match expr.ty {
        Type::EmptySet => SlotRange { at: out.code.constant(0), width: 1 },
        _ => out.operand(expr),
    };
    out.print_slots(slots, &expr.ty, manner, expr.span);
    out.release(mark);
}

fn print_event(out: &mut Emitter, event: &DrawText) {
    match event {
        // As it is written: a rule that it calls may have been written out.
        DrawText::Random(span) => {
            let source = out.plan.sources.find(*span);
            let written = source.map_or("", |source| source.slice(*span));
            out.words(&written.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        DrawText::Card(pile, cards) => {
            out.words("draw ");
            out.code.emit(Op::PrintPile { pile: *pile, cards: *cards });
        }
        DrawText::Roll(die) => {
            out.words("roll ");
            print_place(out, die);
        }
    }
}

fn print_place(out: &mut Emitter, place: &Expr) {
    let Some((var, mut indices)) = var_element(place) else { return };
    let var = &out.plan.rules.vars[var.index()];
    if indices.len() > var.dims.len() {
        out.print_typed(&indices[0]);
        out.words(".");
        indices = &indices[1..];
    }
    out.words(&var.name);
    print_indices(out, indices);
}

/// `[red, 2]`
pub(super) fn print_indices(out: &mut Emitter, indices: &[Expr]) {
    for (at, index) in indices.iter().enumerate() {
        out.words(if at == 0 { "[" } else { ", " });
        out.print_typed(index);
    }
    if !indices.is_empty() {
        out.words("]");
    }
}
