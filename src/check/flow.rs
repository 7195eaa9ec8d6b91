//! Control flow: effects of rules, what is reached, returns, ends, and reads of `turn`.

use std::collections::BTreeSet;

use crate::check::error;
use crate::check::file::{FileContext, Need};
use crate::check::turns::count_turns;
use crate::check::words::{STAND_ALONE, quote_path};
use crate::components::Components;
use crate::rules::call_graph::{asked_at, asks, calls_in, effects_of, rules_that};
use crate::rules::ends::{block_ends, stmt_ends};
use crate::rules::visit::any_stmt;
use crate::rules::{
    Ambient, Block, Effects, Expr, ExprKind, Rule, RuleId, Rules, Stmt, StmtKind, Type,
    effects_text,
};
use crate::source::Span;
use crate::syntax::ast;

/// What is checked once all bodies are: effects, what is reached, ends.
pub(crate) struct Flow<'f, 'a> {
    pub(crate) file: &'f mut FileContext<'a>,
}

impl Flow<'_, '_> {
    pub(crate) fn check_flow(&mut self) {
        self.spread_effects();
        self.check_requirements();
        for at in 0..self.file.rules.rules.len() {
            let body = std::mem::take(&mut self.file.rules.rules[at].body);
            self.check_reached_in(&body);
            self.file.rules.rules[at].body = body;
        }
        self.check_returns();
        self.check_end();
        self.check_turns();
    }

    fn check_turns(&mut self) {
        let had = self.file.rules.turns_had.map(|had| self.file.rules.var_at(had).span);
        if !self.file.rules.reads_turn && had.is_none() {
            return;
        }
        let turning = rules_that(&self.file.rules.rules, |rule| has_turns(&rule.body));
        let help = if turning.is_empty() {
            "only `turns p from FIRST { … }` counts turns; in other loops count yourself: \
             `the table has { round = 0 }` and `round += 1`"
        } else {
            "read it inside `turns p from FIRST { … }` or after it"
        };
        for span in turn_reads_too_early(&self.file.rules, &turning) {
            self.file.report_error(error::no_turn("turn", help, span));
        }
        if let Some(span) = had.filter(|_| turning.is_empty()) {
            self.file.report_error(error::no_turn("turns", help, span));
        }
        count_turns(&mut self.file.rules);
    }

    /// Gives each rule the effects of the rules it calls: those first that call nothing else.
    fn spread_effects(&mut self) {
        let number =
            |rule: &RuleId| u32::try_from(rule.index()).expect("a file declares few rules");
        let leads = |calls: &Vec<RuleId>| calls.iter().map(number).collect();
        let calls: Vec<Vec<u32>> = self.file.calls.iter().map(leads).collect();
        for circle in Components::of_graph(calls.len(), |rule| &calls[rule as usize]).iter() {
            let all = circle.iter().fold(Effects::default(), |all, rule| {
                let own = self.file.rules.rules[*rule as usize].effects;
                all.union_effects(own)
                    .union_effects(effects_of(&self.file.rules, &self.file.calls[*rule as usize]))
            });
            circle.iter().for_each(|rule| self.file.rules.rules[*rule as usize].effects = all);
        }
    }

    pub(crate) fn check_requirements(&mut self) {
        for requirement in std::mem::take(&mut self.file.requirements) {
            let rule = self.file.rules.rule(requirement.rule);
            let (name, span, effects) = (&rule.name, requirement.span, rule.effects);
            let what = format!("`{name}` {}", effects_text(effects));
            match requirement.need {
                Need::Effect if self.file.broken_rules.contains(&requirement.rule) => {}
                Need::Effect if effects.is_pure() && rule.returns != Type::Unknown => {
                    self.file.report_error(error::pure_call(name, span));
                }
                Need::Supposed if effects.pauses || effects.finishes => {
                    self.not_supposed(requirement.rule, span);
                }
                Need::Bag if !effects.is_pure() => {
                    self.file.report_error(error::bag_rule(name, effects_text(effects), span));
                }
                Need::Inside | Need::Condition(_) if rule.bag.is_some() => {}
                Need::Inside if !effects.is_pure() => {
                    self.file.report_error(error::must_stand_alone(what, STAND_ALONE, span));
                }
                Need::Condition(place) if !effects.is_pure() => {
                    self.file.report_error(error::condition_not_pure(place, what, span));
                }
                _ => {}
            }
        }
    }

    fn check_reached_in(&mut self, block: &Block) {
        let end = block.iter().position(stmt_ends);
        if let Some([end, after, ..]) = end.map(|end| &block[end..]) {
            let help = match end.kind {
                StmtKind::Repeat(_, None) => "leave the loop with `break` when it is done",
                _ => "remove it, or let the statement before it continue",
            };
            self.file.report_error(error::unreachable(help, after.span));
        }
        for inner in block.iter().flat_map(Stmt::blocks) {
            self.check_reached_in(inner);
        }
    }

    fn check_returns(&mut self) {
        for at in 0..self.file.tree.rules.len() {
            let rule = &self.file.rules.rules[at];
            let is_block = matches!(self.file.tree.rules[at].item.body, ast::RuleBody::Block(_));
            let promised = !matches!(rule.returns, Type::Nothing | Type::Unknown);
            if is_block && promised && !block_ends(&rule.body) {
                let expected = self.file.rules.describe_type(&rule.returns);
                self.file.report_error(error::missing_return(&rule.name, expected, rule.span));
            }
        }
    }

    fn check_end(&mut self) {
        let has_play = self.file.tree.flows.iter().any(|flow| flow.item.phase == ast::Phase::Play);
        // Rules with mistakes in them may be those that would have ended it.
        if has_play && !self.file.diagnostics.has_errors() {
            let play = self.file.rules.rule(self.file.rules.play);
            let limit =
                self.file.rules.limit.as_ref().map(|limit| self.file.rules.rule(limit.body));
            // Where somebody decides, the limit comes.
            let is_limited = play.effects.pauses && limit.is_some_and(|it| it.effects.finishes);
            if !play.effects.finishes && !is_limited {
                self.file.report_error(error::never_finishes(play.span));
            }
        }
        let Some(limit) =
            self.file.rules.limit.as_ref().map(|limit| self.file.rules.rule(limit.body))
        else {
            return;
        };
        let goes_on = (!limit.effects.finishes).then_some(limit.span);
        let places = asked_at(limit, &rules_that(&self.file.rules.rules, asks));
        goes_on.into_iter().for_each(|span| self.file.report_error(error::limit_goes_on(span)));
        places.into_iter().for_each(|place| self.file.report_error(error::limit_asks(place)));
    }

    fn not_supposed(&mut self, rule: RuleId, span: Span) {
        let mut called = vec![rule];
        while let Some(next) = self.lasting_callee(&called) {
            called.push(next);
        }
        let Effects { pauses, finishes, .. } = self.file.rules.rule(rule).effects;
        let does = effects_text(Effects { pauses, finishes, ..Effects::default() });
        let names: Vec<&String> =
            called.iter().map(|rule| &self.file.rules.rule(*rule).name).collect();
        let which = if names.len() > 1 { ", which" } else { "" };
        let what = format!("{}{which} {does}", quote_path(&names, "calls"));
        self.file.report_error(error::suppose_pauses(what, span));
    }

    /// A rule that the last one calls and that pauses or ends the game too.
    fn lasting_callee(&self, path: &[RuleId]) -> Option<RuleId> {
        let calls = &self.file.calls[path.last()?.index()];
        let lasting = |rule: &&RuleId| {
            let effects = self.file.rules.rule(**rule).effects;
            (effects.pauses || effects.finishes) && !path.contains(rule)
        };
        calls.iter().find(lasting).copied()
    }
}

/// Places that read `turn` before a turn has begun; turns begin in the rules `turning`.
fn turn_reads_too_early(rules: &Rules, turning: &BTreeSet<RuleId>) -> BTreeSet<Span> {
    let begun = rules_after_turn(rules, turning);
    let reads = |expr: &Expr| matches!(expr.kind, ExprKind::Ambient(Ambient::Turn));
    let mut found = BTreeSet::new();
    for (rule, begun) in rules.rules.iter().zip(&begun) {
        let within = exprs_in_turn(rule, turning);
        rule.visit_exprs(&mut |expr| {
            if reads(expr) && !begun && !within.contains(&std::ptr::from_ref(expr)) {
                found.insert(expr.span);
            }
        });
    }
    for rule in rules_at_any_time(rules).filter(|_| turning.is_empty()) {
        rule.visit_exprs(&mut |expr| found.extend(reads(expr).then_some(expr.span)));
    }
    found
}

/// Rules that run at the end of the game or at every decision.
fn rules_at_any_time(rules: &Rules) -> impl Iterator<Item = &Rule> {
    let measures = rules.measures.iter().map(|measure| &measure.rule);
    measures.chain(rules.always.iter().map(|always| &always.rule))
}

fn has_turns(block: &[Stmt]) -> bool {
    any_stmt(block, |stmt| matches!(stmt.kind, StmtKind::Turns { .. }))
}

/// For each rule, whether a turn may have begun when it is called. What the flow of the game does not
/// reach, and what is computed at its end, may come at any time.
fn rules_after_turn(rules: &Rules, turning: &BTreeSet<RuleId>) -> Vec<bool> {
    let any = !turning.is_empty();
    let reached = reachable_rules(rules);
    let by_setup = rules.setup.is_some_and(|setup| turning.contains(&setup));
    let ids = (0..).map(RuleId::at).take(rules.rules.len());
    let begins = |id| if id == rules.play { by_setup } else { any && !reached.contains(&id) };
    let mut begun: Vec<bool> = ids.map(begins).collect();
    for called in rules_at_any_time(rules).flat_map(|rule| calls_in(&rule.body)) {
        begun[called.index()] |= any;
    }
    loop {
        let known = begun.clone();
        for (rule, from) in rules.rules.iter().zip(&known) {
            let within = exprs_in_turn(rule, turning);
            rule.visit_exprs(&mut |expr| {
                if let ExprKind::Call(rule, _) = expr.kind {
                    begun[rule.index()] |= *from || within.contains(&std::ptr::from_ref(expr));
                }
            });
        }
        if begun == known {
            return begun;
        }
    }
}

/// The rules that `setup` and `play` reach.
fn reachable_rules(rules: &Rules) -> BTreeSet<RuleId> {
    let mut open: Vec<RuleId> = rules.setup.into_iter().chain([rules.play]).collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        // A file without `play` may have no rule at all.
        let Some(rule) = rules.rules.get(id.index()) else { continue };
        if reached.insert(id) {
            open.extend(calls_in(&rule.body));
        }
    }
    reached
}

/// The expressions of a rule that are read in a turn of its own, or after one.
fn exprs_in_turn(rule: &Rule, turning: &BTreeSet<RuleId>) -> BTreeSet<*const Expr> {
    let mut within = BTreeSet::new();
    if has_turns(&rule.body) || !calls_in(&rule.body).is_disjoint(turning) {
        collect_after_turn(&rule.body, turning, &mut within);
    }
    within
}

fn collect_after_turn(
    block: &Block,
    turning: &BTreeSet<RuleId>,
    within: &mut BTreeSet<*const Expr>,
) {
    let Some(first) = block.iter().position(|stmt| starts_turn(stmt, turning)) else { return };
    for stmt in &block[first + 1..] {
        stmt.visit_exprs(&mut |expr| within.extend([std::ptr::from_ref(expr)]));
    }
    let stmt = &block[first];
    match &stmt.kind {
        // In a loop what comes before the turns comes after them too.
        StmtKind::Turns { .. }
        | StmtKind::For { .. }
        | StmtKind::Times(..)
        | StmtKind::While(..)
        | StmtKind::Repeat(..) => {
            stmt.visit_exprs(&mut |expr| within.extend([std::ptr::from_ref(expr)]));
        }
        _ => stmt.blocks().into_iter().for_each(|inner| collect_after_turn(inner, turning, within)),
    }
}

fn starts_turn(stmt: &Stmt, turning: &BTreeSet<RuleId>) -> bool {
    let stmts = std::slice::from_ref(stmt);
    has_turns(stmts) || !calls_in(stmts).is_disjoint(turning)
}
