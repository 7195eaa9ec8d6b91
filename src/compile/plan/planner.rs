//! Makes the plan: ranges, constants, layout, how often each rule is called.

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::compile::plan::{
    Plan, facts::Facts, rule_analysis::RuleAnalysis, state_layout::indices_of,
};
use crate::compile::{code::CodeBuffer, compiled::Storage, error, scope::CompiledBody};
use crate::eval::Specialisation;
use crate::rules::visit::visit_stmts;
use crate::rules::{ExprKind, LocalId, RuleId, Stmt, StmtKind, Type, Value};
use crate::source::{Sources, Span};

/// Makes a plan; the slots of the state are the first that the code gives out.
pub(super) struct Planner<'a> {
    pub(in crate::compile) plan: Plan<'a>,
    pub(in crate::compile) code: CodeBuffer,
    pub(in crate::compile) body: CompiledBody<'a>,
}

/// The plan of a game under one setting, and the code to which the emitter adds.
pub(in crate::compile) fn make_plan<'a>(
    prepared: &'a RuleAnalysis,
    budget: &'a Budget,
    setting: &'a Specialisation,
    sources: &'a Sources,
) -> (Plan<'a>, CodeBuffer) {
    let plan = Plan::new(prepared, budget, setting, sources);
    let mut planner = Planner { plan, code: CodeBuffer::default(), body: CompiledBody::default() };
    planner.compute_ranges();
    // Every constant must have a value under every setting, used or not.
    for constant in &planner.plan.rules.constants {
        planner.facts().constant_value(&constant.value);
    }
    planner.lay_out();
    planner.plan.call_counts = planner.count_calls();
    (planner.plan, planner.code)
}

impl<'a> Planner<'a> {
    pub(in crate::compile) fn facts(&self) -> Facts<'_, 'a> {
        Facts { plan: &self.plan, body: &self.body }
    }

    pub(in crate::compile) fn encode_value(
        &mut self,
        value: &Value,
        ty: &Type,
        span: Span,
    ) -> Vec<i64> {
        self.plan.encode_value(value, ty, span, &mut self.code)
    }

    /// Gives the names of the indices of an array the values that they have at an element.
    pub(in crate::compile) fn bind_indices(
        &mut self,
        binders: &[Option<LocalId>],
        dims: &[(i64, usize)],
        element: usize,
    ) {
        let values = binders.iter().zip(indices_of(dims, element));
        let known = |(binder, index): (&Option<LocalId>, i64)| {
            Some(((*binder)?, Storage::Known(Value::Int(index))))
        };
        self.body.locals.extend(values.filter_map(known));
    }

    /// In how many places each rule is called, as far as this setting lets them be reached.
    fn count_calls(&self) -> BTreeMap<RuleId, usize> {
        let rules = self.plan.rules;
        let limit = rules.limit.as_ref().map(|limit| limit.body);
        let flows = rules.setup.into_iter().chain([rules.play]).chain(limit);
        let (mut open, mut counts) = (flows.collect::<Vec<RuleId>>(), BTreeMap::new());
        while let Some(rule) = open.pop() {
            let rule = &rules.rules[rule.index()];
            let dead = self.dead_parts(&rule.body);
            rule.visit_exprs(&mut |expr| {
                let ExprKind::Call(called, _) = &expr.kind else { return };
                let is_in =
                    |span: &Span| span.start <= expr.span.start && expr.span.end <= span.end;
                if !dead.iter().any(is_in) {
                    let count = counts.entry(*called).or_insert(0);
                    *count += 1;
                    if *count == 1 {
                        open.push(*called);
                    }
                }
            });
        }
        counts
    }

    fn dead_parts(&self, body: &[Stmt]) -> Vec<Span> {
        let mut dead = Vec::new();
        visit_stmts(body, &mut |stmt| match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let holds = self.facts().known(condition);
                let branch = holds.map(|holds| if holds { otherwise } else { then });
                dead.extend(branch.into_iter().flatten().map(|stmt| stmt.span));
            }
            StmtKind::Choose(choose) => {
                let options =
                    choose.options.iter().filter(|option| self.facts().never_legal(option));
                dead.extend(options.flat_map(|option| &option.body).map(|stmt| stmt.span));
            }
            _ => {}
        });
        dead
    }

    fn compute_ranges(&mut self) {
        for range in &self.plan.rules.ranges {
            let low = self.facts().known_number(&range.low);
            let high = range.high.as_ref().map(|high| self.facts().known_number(high));
            if let Some(high) = high.filter(|high| *high < low) {
                let (setting, span) = (self.plan.setting_text(), range.span);
                self.plan.report(error::EmptyRange { low, high, setting, span });
            }
            self.plan.ranges.push((low, high));
        }
    }
}
