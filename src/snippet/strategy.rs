//! Finds the moves that a strategy of the file would make.

use serde::{Deserialize, Serialize};

use crate::bytecode::program::OptionInfo;
use crate::compile::Storage;
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::game::{Player, Trap};
use crate::rules::{Expr, ExprKind, LocalId, PLAYER, StrategyLine, Tactic, Type, Value};
use crate::snippet::moment::{KnownLocals, LiveGame};
use crate::snippet::{WaitingGame, current_site, in_sight};
use crate::source::Span;
use crate::syntax::ast::Direction;

/// An error that a line of a strategy met at a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineError {
    pub(crate) strategy: String,
    pub(crate) line: Span,
    pub(crate) trap: Trap,
}

impl LineError {
    /// The error as a warning that also shows the line: the seat moves all the same.
    pub(crate) fn describe(&self, when: &str) -> Diagnostic {
        let mut found = Diagnostic::from(&self.trap).with_severity(Severity::Warning);
        found.message = format!("{}, in strategy `{}`", found.message, self.strategy);
        let (line, place) = (self.line, found.place());
        match found.labels.first_mut() {
            // A label of the whole line would hide it.
            Some(label) if line.start <= place.start && place.end <= line.end => {
                label.text.push_str(when);
            }
            _ => found.labels.push(Label::new(line, format!("in this line{when}"))),
        }
        found
    }
}

/// The legal moves that the first line picks which fits any; nothing if no line does. `errors` takes the first error
/// that each line met.
///
/// # Panics
/// If the rules have no strategy of this number.
pub(crate) fn picked(
    waiting: WaitingGame,
    player: Player,
    strategy: usize,
    mut errors: Option<&mut Vec<LineError>>,
) -> Vec<usize> {
    let WaitingGame { game, state, legal } = waiting;
    let Some(rule) = current_site(game, state).rule else { return Vec::new() };
    let locals = &game.rules().rules[rule.index()].locals;
    let moment = LiveGame { game, state, legal, locals, of_rules: true, eyes: &[] };
    let known = in_sight(game, state);
    let moves: Vec<StrategyMove> =
        (0..legal.count()).map(|index| game.bound(state, legal, index)).collect();
    let strategy = &game.rules().strategies[strategy];
    for line in &strategy.lines {
        let mut trial = LineTrial { moment: &moment, wants_error: errors.is_some(), trap: None };
        let picked = trial.find_best_moves(&known, &moves, line, player);
        if let (Some(errors), Some(trap)) = (&mut errors, trial.trap) {
            let title = strategy.title.clone();
            errors.push(LineError { strategy: title, line: line.span, trap });
        }
        if !picked.is_empty() {
            return picked;
        }
    }
    Vec::new()
}

/// A legal move: its option, and the words of its arguments.
type StrategyMove<'a> = (&'a OptionInfo, Vec<Vec<i64>>);

/// A line that is tried on the legal moves.
struct LineTrial<'a> {
    moment: &'a LiveGame<'a>,
    wants_error: bool,
    /// The first error that it met.
    trap: Option<Trap>,
}

impl LineTrial<'_> {
    /// The best of the moves that a line fits.
    fn find_best_moves(
        &mut self,
        known: &KnownLocals,
        moves: &[StrategyMove],
        line: &StrategyLine,
        player: Player,
    ) -> Vec<usize> {
        let (mut best, mut most) = (Vec::new(), None);
        for (index, (option, words)) in moves.iter().enumerate() {
            let Some(tactic) = line.tactics.get(&option.span).filter(|_| option.name == line.name)
            else {
                continue;
            };
            let known = self.bind_names(known, tactic, words, player);
            let condition = tactic.condition.as_ref();
            if condition.is_some_and(|it| self.compute(it, &known) != Some(1)) {
                continue;
            }
            let keys = tactic.keys.iter().map(|(direction, key)| {
                let Some(key) = self.compute(key, &known) else { return i64::MIN };
                if *direction == Direction::Lowest { key.saturating_neg() } else { key }
            });
            let keys = Some(keys.collect::<Vec<_>>());
            if keys > most {
                best.clear();
            }
            if keys >= most {
                most = keys;
                best.push(index);
            }
        }
        best
    }

    /// Adds the names that a line has for who decides and for the arguments.
    fn bind_names(
        &self,
        known: &KnownLocals,
        tactic: &Tactic,
        words: &[Vec<i64>],
        player: Player,
    ) -> KnownLocals {
        let (moment, mut known) = (self.moment, known.clone());
        let me = moment.value_from_words(&Type::Kind(PLAYER), &[player.0.into()]);
        known.extend(me.map(|me| (tactic.me, Storage::Known(me))));
        let named = |(local, words): (&Option<LocalId>, &Vec<i64>)| {
            let local = (*local)?;
            let value = moment.value_from_words(&moment.locals[local.index()].ty, words)?;
            Some((local, Storage::Known(value)))
        };
        known.extend(tactic.arguments.iter().zip(words).filter_map(named));
        known
    }

    /// The number of a value, yes as 1; none where there is an error, of which the machine knows more.
    fn compute(&mut self, expr: &Expr, known: &KnownLocals) -> Option<i64> {
        let value = if looks_through_many(expr) {
            self.moment.run_value(expr, known)
        } else {
            self.moment.try_value(expr, known)
        };
        match value {
            Ok(Value::Int(number)) => return Some(number),
            Err(_) if self.wants_error && self.trap.is_none() => {
                self.trap = self.moment.find_trap(expr, known);
            }
            Ok(_) | Err(_) => {}
        }
        None
    }
}

/// True if an expression has a loop, or calls a rule, which may have one.
fn looks_through_many(expr: &Expr) -> bool {
    expr.any(|part| {
        matches!(
            part.kind,
            ExprKind::Fold { .. } | ExprKind::Filter(_) | ExprKind::Image(..) | ExprKind::Call(..)
        )
    })
}
