//! What must always hold and does not: which condition, for whom, with what values.

use crate::check::rules::{Always, Expr, PLAYER, Type, Value};
use crate::compile::{Storage, value_text};
use crate::diagnostic::{Diagnostics, diagnostics};
use crate::eval::Stop;
use crate::game::{Game, LegalMoves, Player, State, Unkept};
use crate::snippet::moment::{Known, Moment};
use crate::snippet::why::shown_parts;
use crate::snippet::{finding, fold_space};
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
    turn: &LegalMoves,
    (unkept, eyes): (&Unkept, &[Player]),
) -> Diagnostics {
    let always = &game.rules().always[unkept.number];
    let eyes = if game.has_secrets() { eyes } else { &[] };
    let shown = Shown { game, state, turn, always, eyes };
    match &unkept.member {
        Err(trap) if eyes.is_empty() => finding(trap.clone()),
        Err(_) => finding(shown.said(&[])),
        Ok(member) => finding(shown.broken(*member)),
    }
}

/// What stands for a value that somebody must not see.
const HIDDEN: &str = "?";

/// Where values are taken from.
struct Shown<'a> {
    game: &'a Game,
    state: &'a State,
    turn: &'a LegalMoves,
    always: &'a Always,
    /// Who must see everything that is said.
    eyes: &'a [Player],
}

impl Shown<'_> {
    fn broken(&self, member: i64) -> Broken {
        let condition = &self.always.condition;
        let mut known = Known::new();
        let mut values = Vec::new();
        if let Some(binder) = &self.always.binder {
            let local = &self.always.rule.locals[binder.local.index()];
            known.insert(binder.local, Storage::Known(Value::Int(member)));
            // Whoever cannot tell that it does not hold must not learn for whom.
            let hidden = self.value(condition, &known) == HIDDEN;
            let member = if hidden { HIDDEN.to_owned() } else { self.member(&local.ty, member) };
            values.push(format!("`{}` is {member}", local.name));
        }
        for part in shown_parts(condition) {
            let text = self.text(part.span);
            let value = format!("`{text}` is {}", self.value(part, &known));
            if !values.contains(&value) {
                values.push(value);
            }
        }
        self.said(&values)
    }

    fn said(&self, values: &[String]) -> Broken {
        let span = self.always.condition.span;
        let values =
            if values.is_empty() { values.join("") } else { format!(": {}", values.join(", ")) };
        Broken { text: self.text(span), values, span }
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
        let moment = Moment { game, state, turn, locals, of_rules: true, eyes: self.eyes };
        match moment.words(part, known) {
            Ok(words) => words,
            Err(Stop::Unknown) if !self.eyes.is_empty() => HIDDEN.to_owned(),
            Err(_) => "no value".to_owned(),
        }
    }
}
