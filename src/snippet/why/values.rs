//! The values of expressions of the rules where a game waits, and which of them explain a condition.

use crate::check::rules::{Expr, ExprKind, Rule, RuleId, Stmt, StmtKind, Value};
use crate::compile::Snippet;
use crate::snippet::why::{Known, Why, param_of};
use crate::snippet::{extended, fold_space, parts, site, words as put_into_words};
use crate::source::Span;

impl Why<'_> {
    /// Whether a condition holds.
    pub(super) fn is_yes(&self, condition: &Expr, known: &Known) -> bool {
        self.show(condition, known) == "yes"
    }

    /// An expression as it is written in the rules.
    pub(super) fn text(&self, span: Span) -> String {
        let source = self.game.sources().find(span);
        source.map_or_else(String::new, |source| fold_space(source.slice(span)))
    }

    /// The value of an expression of the rules, in words.
    pub(super) fn show(&self, expr: &Expr, known: &Known) -> String {
        let debug = site(self.game, self.state);
        let rules = &self.game.rules().rules;
        let mut rule: Rule = rules[debug.rule.map_or(0, RuleId::index)].clone();
        let value = StmtKind::Return(Some(expr.clone()));
        rule.body = vec![Stmt { kind: value, span: expr.span }];
        let moves = i64::try_from(self.turn.count()).unwrap_or(i64::MAX);
        let locals = known.iter().map(|(id, storage)| (*id, storage.clone())).collect();
        let snippet = Snippet { rule, locals, moves, printed: true };
        let compiled = extended(self.game, &snippet);
        let shown = compiled.and_then(|compiled| put_into_words(self.game, self.state, &compiled));
        shown.unwrap_or_else(|_| "no value".to_owned())
    }

    /// The value of an expression of the rules.
    pub(super) fn compute(&self, expr: &Expr, known: &Known) -> Value {
        let shown = self.show(expr, known);
        let words = shown.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        if let Some(words) = words {
            let ty = param_of(&expr.ty);
            let members = words.split(", ").filter(|word| !word.is_empty());
            let members = members.filter_map(|word| match self.value(&ty, word) {
                Ok(Value::Int(member)) => Some(member),
                _ => None,
            });
            return Value::Set(members.collect());
        }
        if let Some(numbers) = span_of_numbers(&shown) {
            return Value::Set(numbers);
        }
        if shown == "none" {
            return Value::None;
        }
        self.value(&param_of(&expr.ty), &shown).unwrap_or(Value::None)
    }
}

/// The numbers of `2..5`, if these are so few that they can be gone over.
fn span_of_numbers(shown: &str) -> Option<Vec<i64>> {
    let (low, high) = shown.split_once("..")?;
    let (low, high): (i64, i64) = (low.parse().ok()?, high.parse().ok()?);
    (high.checked_sub(low)? < 1000).then(|| (low..=high).collect())
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
