//! What is handed over to a rule: in its range, and not written over on the way.

use crate::check::rules::{Expr, RangeId, RuleId, Value};
use crate::compile::{Compiler, Slots, Storage};

impl Compiler<'_> {
    /// A trap where an argument is outside the range of its parameter.
    pub(super) fn check_params(&mut self, rule: RuleId, args: &[Expr], values: &[Slots]) {
        let params = &self.rules.rules[rule.index()].locals;
        for ((param, arg), value) in params.iter().zip(args).zip(values) {
            self.check_param(param.range, arg, value.at);
        }
    }

    /// The same for an argument that is read where it is kept.
    pub(super) fn check_kept(&mut self, range: Option<RangeId>, arg: &Expr, kept: &Storage) {
        if range.is_some() {
            let at = match kept {
                Storage::Slots(at, _) => *at,
                Storage::Known(_) | Storage::Array(..) => self.word(arg),
            };
            self.check_param(range, arg, at);
        }
    }

    fn check_param(&mut self, range: Option<RangeId>, arg: &Expr, at: u16) {
        let Some((low, high)) = range.map(|range| self.ranges[range.index()]) else { return };
        let is_inside = |number| low <= number && high.is_none_or(|high| number <= high);
        match self.fold(arg) {
            Some(Value::Int(number)) if is_inside(number) => {}
            _ => self.check_range(at, range),
        }
    }

    /// The values for some parameters; those that lie where an earlier parameter is written are
    /// copied, for a rule that calls itself may hand on its own names in another order.
    pub(super) fn out_of_the_way(&mut self, values: Vec<Slots>, params: &[Slots]) -> Vec<Slots> {
        let mut safe = Vec::new();
        for (at, value) in values.into_iter().enumerate() {
            let lies_there = params[..at].iter().any(|param| param.at == value.at);
            safe.push(if lies_there { self.copied(value) } else { value });
        }
        safe
    }

    fn copied(&mut self, value: Slots) -> Slots {
        let copy = self.take(value.width);
        self.copy(copy.at, value);
        copy
    }
}
