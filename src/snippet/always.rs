//! What must always hold and does not: which condition, for whom, with what values.

use miette::Diagnostic;
use thiserror::Error;

use crate::check::rules::{Always, Expr, PLAYER, Type, Value};
use crate::compile::{Storage, value_text};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, State, Turn, Unkept};
use crate::snippet::moment::{Known, Moment};
use crate::snippet::why::shown_parts;
use crate::snippet::{finding, fold_space};
use crate::source::Span;

/// A condition that must always hold does not.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
#[error("`{text}` does not hold, though it must always{values}")]
#[diagnostic(
    code(play::unkept),
    help("look at what happened since it last held; or let it promise less")
)]
pub struct Broken {
    /// The condition as it stands in the rules.
    pub text: String,
    /// What it is about, in words; empty if the text says all.
    pub values: String,
    /// Its place.
    #[label("it does not hold here")]
    pub span: Span,
}

/// Says what is wrong with something that must always hold and does not.
pub fn explain(game: &Game, state: &State, turn: &Turn, unkept: &Unkept) -> Diagnostics {
    let always = &game.rules().always[unkept.number];
    match &unkept.member {
        Err(trap) => finding(trap.clone()),
        Ok(member) => finding(Shown { game, state, turn, always }.broken(*member)),
    }
}

/// Where values are taken from.
struct Shown<'a> {
    game: &'a Game,
    state: &'a State,
    turn: &'a Turn,
    always: &'a Always,
}

impl Shown<'_> {
    fn broken(&self, member: i64) -> Broken {
        let condition = &self.always.condition;
        let mut known = Known::new();
        let mut values = Vec::new();
        if let Some(binder) = &self.always.binder {
            let local = &self.always.rule.locals[binder.local.index()];
            known.insert(binder.local, Storage::Known(Value::Int(member)));
            values.push(format!("`{}` is {}", local.name, self.member(&local.ty, member)));
        }
        for part in shown_parts(condition) {
            let text = self.text(part.span);
            let value = format!("`{text}` is {}", self.value(part, &known));
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let text = self.text(condition.span);
        let values =
            if values.is_empty() { values.join("") } else { format!(": {}", values.join(", ")) };
        Broken { text, values, span: condition.span }
    }

    fn member(&self, ty: &Type, member: i64) -> String {
        match (ty, usize::try_from(member)) {
            (Type::Kind(PLAYER), Ok(seat)) => self.game.names()[seat].clone(),
            _ => value_text(self.game.rules(), ty, &Value::Int(member)),
        }
    }

    fn text(&self, span: Span) -> String {
        let source = self.game.sources().find(span);
        source.map_or_else(String::new, |source| fold_space(source.slice(span)))
    }

    /// The value of a part of the condition, in words.
    fn value(&self, part: &Expr, known: &Known) -> String {
        let (game, state, turn) = (self.game, self.state, self.turn);
        let locals = &self.always.rule.locals;
        let moment = Moment { game, state, turn, locals, of_rules: true };
        moment.words(part, known).unwrap_or_else(|_| "no value".to_owned())
    }
}
