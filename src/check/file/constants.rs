//! Evaluates expressions that have one value in every setting.

use std::cell::Cell;

use crate::check::file::FileContext;
use crate::eval::{Constants, Evaluator};
use crate::rules::{Expr, LocalId, Value};

/// How many steps one value may take.
const MOST_STEPS: usize = 1 << 16;

impl FileContext<'_> {
    /// A number that depends on nothing.
    pub(crate) fn known_number(&self, number: &Expr) -> Option<i64> {
        self.fold_constant(number, &[]).and_then(|value| value.as_number())
    }

    /// The members of a set that depends on nothing.
    pub(crate) fn known_set(&self, set: &Expr) -> Option<Vec<i64>> {
        self.fold_constant(set, &[]).and_then(Value::into_set)
    }

    /// The value of an expression whose first locals have these values; nothing if it needs more.
    pub(crate) fn fold_constant(&self, expr: &Expr, bound: &[Value]) -> Option<Value> {
        if self.budget.is_spent() {
            return None;
        }
        let bound = (0..).map(LocalId::at).zip(bound.iter().cloned()).collect();
        let (left, constants) = (Cell::new(MOST_STEPS), Constants::default());
        let found = Evaluator::without_setting(&self.rules, bound, &left, &constants).value(expr);
        self.budget.charge(MOST_STEPS - left.get());
        found.ok()
    }
}
