//! The values of expressions of the rules where a game waits, and which of them explain a condition.

use crate::check::rules::{Expr, ExprKind, RuleId, Value};
use crate::snippet::moment::{Known, Moment};
use crate::snippet::why::Why;
use crate::snippet::{fold_space, parts, site};
use crate::source::Span;

impl Why<'_> {
    /// Whether a condition holds.
    pub(super) fn is_yes(&self, condition: &Expr, known: &Known) -> bool {
        self.compute(condition, known) == Value::Int(1)
    }

    /// An expression as it is written in the rules.
    pub(super) fn text(&self, span: Span) -> String {
        let source = self.game.sources().find(span);
        source.map_or_else(String::new, |source| fold_space(source.slice(span)))
    }

    fn moment(&self) -> Moment<'_> {
        let rule = site(self.game, self.state).rule.map_or(0, RuleId::index);
        let locals = &self.game.rules().rules[rule].locals;
        let (game, state, turn) = (self.game, self.state, self.turn);
        Moment { game, state, turn, locals, of_rules: true, eyes: &[] }
    }

    /// The value of an expression of the rules, in words.
    pub(super) fn show(&self, expr: &Expr, known: &Known) -> String {
        self.moment().words(expr, known).unwrap_or_else(|_| "no value".to_owned())
    }

    /// The value of an expression of the rules; none where it has no value.
    pub(super) fn compute(&self, expr: &Expr, known: &Known) -> Value {
        self.moment().value(expr, known).unwrap_or(Value::None)
    }
}

/// The parts of a condition whose values explain it: what it compares, else whatever it reads.
pub(in crate::snippet) fn shown_parts(condition: &Expr) -> Vec<&Expr> {
    let compared = parts(condition);
    if compared.is_empty() { read_parts(condition) } else { compared }
}

/// The arguments of a rule that is called, or the value itself if it is read from the state.
fn read_parts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Not(inner) => read_parts(inner),
        ExprKind::Call(_, args) => args.iter().filter(|arg| reads(arg)).collect(),
        _ if reads(condition) => vec![condition],
        _ => Vec::new(),
    }
}

fn reads(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Local(_)
            | ExprKind::LocalElement(..)
            | ExprKind::Var(..)
            | ExprKind::Column(..)
            | ExprKind::Table(..)
            | ExprKind::Option(_)
    )
}
