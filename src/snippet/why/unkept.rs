//! Says what is wrong with something that must always hold and does not.

use super::with_values;
use crate::compile::{Storage, value_text};
use crate::diagnostic::{Diagnostics, diagnostics};
use crate::game::{Player, Unkept};
use crate::rules::{Always, PLAYER, Type, Value};
use crate::snippet::WaitingGame;
use crate::snippet::moment::{HIDDEN, KnownLocals, LiveGame};

diagnostics! {
    // A condition that must always hold does not; `values` says for what, unless its text says all.
    play::unkept => not_kept(text, values; span),
        "`{text}` does not hold, though it must always{values}", span: "it does not hold here",
        help: "look at what happened since it last held; or let it promise less";
}

/// Says what is wrong with something that must always hold and does not, as far as all of some
/// players may know it; where nobody is named, all of it.
pub fn explain(waiting: WaitingGame, unkept: &Unkept, eyes: &[Player]) -> Diagnostics {
    let WaitingGame { game, state, legal } = waiting;
    let Always { rule, binder, condition, .. } = &game.rules().always[unkept.number];
    let eyes = if game.has_secrets() { eyes } else { &[] };
    let moment = LiveGame { game, state, legal, locals: &rule.locals, of_rules: true, eyes };
    let (mut known, mut values) = (KnownLocals::new(), Vec::new());
    let broken = |values| {
        let (text, span) = (moment.span_text(condition.span), condition.span);
        Diagnostics::of(not_kept(text, values, span))
    };
    let member = match &unkept.member {
        Err(trap) if eyes.is_empty() => return Diagnostics::of(trap.clone()),
        Err(_) => return broken(String::new()),
        Ok(member) => *member,
    };
    if let Some(binder) = binder {
        let local = &rule.locals[binder.local.index()];
        known.insert(binder.local, Storage::Known(Value::Int(member)));
        // Those who cannot see that it does not hold must not learn for whom.
        let member = match (&local.ty, usize::try_from(member)) {
            _ if moment.show_value(condition, &known) == HIDDEN => HIDDEN.to_owned(),
            (Type::Kind(PLAYER), Ok(seat)) => game.names()[seat].clone(),
            (ty, _) => value_text(game.rules(), ty, &Value::Int(member)),
        };
        values.push(format!("`{}` is {member}", local.name));
    }
    broken(with_values(values, &moment, condition, &known))
}
