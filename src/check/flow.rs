//! Control flow: effects, unreachable statements, missing returns, games that never end.

use crate::check::context::{Checker, Need};
use crate::check::error::FlowError;
use crate::check::rules::{Block, Effects, RuleId, Rules, Stmt, StmtKind, Type};
use crate::check::{secrecy, turns};
use crate::components::Components;
use crate::syntax::ast;

/// Whether what follows these statements is never reached.
pub(super) fn ends(block: &[Stmt]) -> bool {
    block.iter().any(stmt_ends)
}

/// Whether a `break` in these statements leaves the loop around them.
pub(super) fn breaks(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break => true,
        StmtKind::If { then, otherwise, .. } => breaks(then) || breaks(otherwise),
        StmtKind::Match { arms, .. } => arms.iter().any(|arm| breaks(&arm.body)),
        StmtKind::Choose(choose) => choose.blocks().any(|block| breaks(block)),
        _ => false,
    })
}

/// What a rule does, in words: `changes the state and pauses`.
pub(super) fn deeds(effects: Effects) -> String {
    let deeds = [
        (effects.changes, "changes the state"),
        (effects.says, "says something"),
        (effects.pauses, "pauses"),
        (effects.finishes, "ends the game"),
    ];
    let deeds: Vec<&str> =
        deeds.into_iter().filter(|(does, _)| *does).map(|(_, deed)| deed).collect();
    match deeds.split_last() {
        None => "pure".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

pub(super) fn effects_of(rules: &Rules, calls: &[RuleId]) -> Effects {
    calls
        .iter()
        .fold(Effects::default(), |effects, call| effects.with(rules.rules[call.index()].effects))
}

fn stmt_ends(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_)
        | StmtKind::Break
        | StmtKind::FinishDraw
        | StmtKind::FinishWin(_)
        | StmtKind::FinishRanking { .. } => true,
        StmtKind::If { then, otherwise, .. } => ends(then) && ends(otherwise),
        StmtKind::Match { arms, .. } => !arms.is_empty() && arms.iter().all(|arm| ends(&arm.body)),
        // Where nobody is asked no body runs.
        StmtKind::Choose(choose) if choose.each.is_some() => false,
        StmtKind::Choose(choose) => {
            // An order goes on when nothing of it is left.
            let mut bodies = choose.blocks().peekable();
            choose.order.is_none() && bodies.peek().is_some() && bodies.all(|block| ends(block))
        }
        StmtKind::Repeat(body, None) => !breaks(body),
        StmtKind::Repeat(body, Some(_)) => ends(body) && !breaks(body),
        _ => false,
    }
}

impl Checker<'_> {
    pub(super) fn check_flow(&mut self) {
        self.spread_effects();
        self.check_requirements();
        for at in 0..self.rules.rules.len() {
            let body = std::mem::take(&mut self.rules.rules[at].body);
            self.check_reached_in(&body);
            self.rules.rules[at].body = body;
        }
        self.check_returns();
        self.check_end();
        self.check_turns();
        if !self.diagnostics.has_errors() {
            let found = secrecy::look(&self.rules, &self.budget);
            self.rules.asked_anyway = found.asked_anyway;
            self.rules.quiet = found.quiet;
            found.errors.into_iter().for_each(|error| self.report(error));
        }
    }

    fn check_turns(&mut self) {
        for span in turns::unturned(&self.rules) {
            let help = if turns::any(&self.rules) {
                "read it inside `turns p from FIRST { … }` or behind it"
            } else {
                "only `turns p from FIRST { … }` counts turns; in other loops count yourself: \
                 `the table has { round = 0 }` and `round += 1`"
            };
            self.report(FlowError::NoTurn { help, span });
        }
    }

    /// Gives each rule the effects of the rules it calls: those first that call nothing else.
    fn spread_effects(&mut self) {
        let number =
            |rule: &RuleId| u32::try_from(rule.index()).expect("a file declares few rules");
        let leads = |calls: &Vec<RuleId>| calls.iter().map(number).collect();
        let calls: Vec<Vec<u32>> = self.calls.iter().map(leads).collect();
        for circle in Components::of(calls.len(), |rule| &calls[rule as usize]).iter() {
            let all = circle.iter().fold(Effects::default(), |all, rule| {
                let own = self.rules.rules[*rule as usize].effects;
                all.with(own).with(effects_of(&self.rules, &self.calls[*rule as usize]))
            });
            circle.iter().for_each(|rule| self.rules.rules[*rule as usize].effects = all);
        }
    }

    pub(super) fn check_requirements(&mut self) {
        for requirement in std::mem::take(&mut self.requirements) {
            let rule = self.rule(requirement.rule);
            let (name, span, effects) = (rule.name.clone(), requirement.span, rule.effects);
            let what = format!("`{name}` {}", deeds(effects));
            match requirement.need {
                Need::Effect if self.broken_rules.contains(&requirement.rule) => {}
                Need::Effect if effects.is_pure() && rule.returns != Type::Unknown => {
                    self.report(FlowError::PureCall { name, span });
                }
                Need::Supposed if effects.pauses || effects.finishes => {
                    self.not_supposed(requirement.rule, span);
                }
                Need::Inside if !effects.is_pure() => {
                    self.report(FlowError::MustStandAlone { what: format!("{what}, so it"), span });
                }
                Need::Condition(place) if !effects.is_pure() => {
                    let place = place.to_owned();
                    self.report(FlowError::ConditionNotPure { place, what, span });
                }
                _ => {}
            }
        }
    }

    fn check_reached_in(&mut self, block: &Block) {
        let end = block.iter().position(stmt_ends);
        if let Some(after) = end.and_then(|end| block.get(end + 1)) {
            self.report(FlowError::Unreachable { span: after.span });
        }
        for inner in block.iter().flat_map(Stmt::blocks) {
            self.check_reached_in(inner);
        }
    }

    fn check_returns(&mut self) {
        for at in 0..self.tree.rules.len() {
            let rule = &self.rules.rules[at];
            let is_block = matches!(self.tree.rules[at].item.body, ast::RuleBody::Block(_));
            let promised = !matches!(rule.returns, Type::Nothing | Type::Unknown);
            if is_block && promised && !ends(&rule.body) {
                let expected = self.name_of(&rule.returns);
                let (name, span) = (rule.name.clone(), rule.span);
                self.report(FlowError::MissingReturn { name, expected, span });
            }
        }
    }

    fn check_end(&mut self) {
        let has_play = self.tree.flows.iter().any(|flow| flow.item.phase == ast::Phase::Play);
        // Rules with mistakes in them may be those that would have ended it.
        if has_play && !self.diagnostics.has_errors() {
            let play = self.rule(self.rules.play);
            if !play.effects.finishes {
                self.report(FlowError::NeverFinishes { span: play.span });
            }
        }
        if let Some(limit) = self.rules.limit.as_ref().map(|limit| self.rule(limit.body))
            && !limit.effects.finishes
        {
            self.report(FlowError::LimitGoesOn { span: limit.span });
        }
    }
}
