//! Says what is wrong with something that must always hold and does not.

use crate::compile::{Storage, value_text};
use crate::diagnostic::{Diagnostics, diagnostics};
use crate::game::{Player, Unkept};
use crate::rules::{Always, Array, Expr, ExprKind, PLAYER, RuleId, Rules, Type, Value};
use crate::snippet::WaitingGame;
use crate::snippet::moment::{KnownLocals, LiveGame};
use crate::snippet::why::with_values;
use crate::syntax::ast::Visibility;

diagnostics! {
    // A condition that must always hold does not; `values` says for what, unless its text says all.
    play::unkept => not_kept(text, values; span),
        "`{text}` does not hold, though it must always{values}", span: "it does not hold here",
        help: "look at what happened since it last held; or let it promise less";
}

/// Says what is wrong with something that must always hold and does not, as far as all of some
/// players may know it; where nobody is named, all of it. None if they may not know that it does not hold.
pub fn explain(waiting: WaitingGame, unkept: &Unkept, eyes: &[Player]) -> Option<Diagnostics> {
    let WaitingGame { game, state, legal } = waiting;
    let Always { rule, binder, condition, .. } = &game.rules().always[unkept.number];
    let sets = binder.iter().flat_map(|it| std::iter::once(&it.set).chain(&it.condition));
    let mut parts = sets.map(AsRef::as_ref).chain([condition]);
    let has_secrets = game.has_secrets() && !parts.clone().all(|it| reads_openly(game.rules(), it));
    let eyes = if has_secrets { eyes } else { &[] };
    let moment = LiveGame { game, state, legal, locals: &rule.locals, of_rules: true, eyes };
    let (mut known, mut values) = (KnownLocals::new(), Vec::new());
    let member = match &unkept.member {
        Err(trap) if eyes.is_empty() => return Some(Diagnostics::of(trap.clone())),
        Err(_) => return None,
        Ok(member) => *member,
    };
    if let Some(binder) = binder {
        let local = &rule.locals[binder.local.index()];
        known.insert(binder.local, Storage::Known(Value::Int(member)));
        let member = match (&local.ty, usize::try_from(member)) {
            (Type::Kind(PLAYER), Ok(seat)) => game.names()[seat].clone(),
            (ty, _) => value_text(game.rules(), ty, &Value::Int(member)),
        };
        values.push(format!("`{}` is {member}", local.name));
    }
    // Those who cannot see that it does not hold must not learn that, or for whom.
    if !eyes.is_empty() && parts.any(|part| moment.print_value(part, &known).is_err()) {
        return None;
    }
    let (text, span) = (moment.span_text(condition.span), condition.span);
    let values = with_values(values, &moment, condition, &known);
    Some(Diagnostics::of(not_kept(text, values, span)))
}

/// Whether everybody sees all that an expression reads, and the rules that it calls.
fn reads_openly(rules: &Rules, expr: &Expr) -> bool {
    let is_closed = |part: &Expr| match &part.kind {
        ExprKind::Element(Array::Var(var) | Array::Pile(var), _) => {
            rules.vars[var.index()].sight != Visibility::All
        }
        ExprKind::End(_) | ExprKind::Suppose(..) => true,
        _ => false,
    };
    let (mut closed, mut calls) = (false, Vec::new());
    let mut look = |part: &Expr, calls: &mut Vec<RuleId>| {
        closed |= is_closed(part);
        if let ExprKind::Call(called, _) = &part.kind
            && !calls.contains(called)
        {
            calls.push(*called);
        }
    };
    expr.visit_tree(&mut |part| look(part, &mut calls));
    let mut at = 0;
    while let Some(called) = calls.get(at).copied() {
        rules.rules[called.index()].visit_exprs(&mut |part| look(part, &mut calls));
        at += 1;
    }
    !closed
}
