//! Explains an invariant that does not hold: the condition, for whom, with which values.

use crate::check::rules::{Always, Expr, PLAYER, Type, Value};
use crate::compile::{Storage, value_text};
use crate::diagnostic::{Diagnostics, diagnostics};
use crate::eval::Stop;
use crate::game::{Game, LegalMoves, Player, State, Unkept};
use crate::snippet::moment::{Known, Moment};
use crate::snippet::why::shown_parts;
use crate::source::Span;

diagnostics! {
    /// A condition that must always hold does not; `values` says for what, unless its text says all.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct
    play::unkept => Broken { text: String, values: String, span: Span },
        "`{text}` does not hold, though it must always{values}", span: "it does not hold here",
        help: "look at what happened since it last held; or let it promise less";
}

/// Says what is wrong with something that must always hold and does not, as far as all of some
/// players may know it; where nobody is named, all of it.
pub fn explain(
    game: &Game,
    state: &State,
    legal: &LegalMoves,
    (unkept, eyes): (&Unkept, &[Player]),
) -> Diagnostics {
    let always = &game.rules().always[unkept.number];
    let eyes = if game.has_secrets() { eyes } else { &[] };
    let locals = &always.rule.locals;
    let moment = Moment { game, state, legal, locals, of_rules: true, eyes };
    match &unkept.member {
        Err(trap) if eyes.is_empty() => Diagnostics::of(trap.clone()),
        Err(_) => Diagnostics::of(said(moment, always, &[])),
        Ok(member) => Diagnostics::of(broken(moment, always, *member)),
    }
}

/// What stands for a value that somebody must not see.
const HIDDEN: &str = "?";

/// What is wrong, for the member for which it does not hold.
fn broken(moment: Moment, always: &Always, member: i64) -> Broken {
    let mut known = Known::new();
    let mut values = Vec::new();
    if let Some(binder) = &always.binder {
        let local = &always.rule.locals[binder.local.index()];
        known.insert(binder.local, Storage::Known(Value::Int(member)));
        // Whoever cannot tell that it does not hold must not learn for whom.
        let member = match (&local.ty, usize::try_from(member)) {
            _ if shown(moment, &always.condition, &known) == HIDDEN => HIDDEN.to_owned(),
            (Type::Kind(PLAYER), Ok(seat)) => moment.game.names()[seat].clone(),
            (ty, _) => value_text(moment.game.rules(), ty, &Value::Int(member)),
        };
        values.push(format!("`{}` is {member}", local.name));
    }
    for part in shown_parts(&always.condition) {
        let value = format!("`{}` is {}", moment.text(part.span), shown(moment, part, &known));
        if !values.contains(&value) {
            values.push(value);
        }
    }
    said(moment, always, &values)
}

fn said(moment: Moment, always: &Always, values: &[String]) -> Broken {
    let span = always.condition.span;
    let colon = if values.is_empty() { "" } else { ": " };
    Broken { text: moment.text(span), values: format!("{colon}{}", values.join(", ")), span }
}

/// The value of a part of the condition, in words.
fn shown(moment: Moment, part: &Expr, known: &Known) -> String {
    match moment.words(part, known) {
        Ok(words) => words,
        Err(Stop::Unknown) if !moment.eyes.is_empty() => HIDDEN.to_owned(),
        Err(_) => "no value".to_owned(),
    }
}
