//! Checks what has a body: rules, groups of moves, flows, limits, measures and invariants.

use crate::check::block::rules::{check_flow_block, check_rule, returning};
use crate::check::block::{BlockState, BlockTyper, Returning};
use crate::check::collect::strategies::check_strategies;
use crate::check::collect::{Collector, first_without};
use crate::check::error;
use crate::check::file::{CheckedGroup, Declared, FileContext, Need, Requirement};
use crate::check::typer::sets::AFTER_ALWAYS;
use crate::check::typer::types::{constant_expr, parameters, resolve};
use crate::check::typer::{Mode, Typer};
use crate::check::words::{game_word, to_spaced};
use crate::rules::{
    self, Always, ExprKind, Limit, Local, Measure, Rule, RuleId, STARTER, Type, UnaryOp, player,
    typed, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast;

impl Collector<'_> {
    pub(crate) fn check_bodies(&mut self) {
        for at in 0..self.file.tree.rules.len() {
            self.check_head(RuleId::at(at));
        }
        for at in 0..self.file.groups.len() {
            let item = self.file.groups[at].item;
            self.file.groups[at].params = parameters(&mut self.file, &item.params);
        }
        self.check_teams();
        for at in 0..self.file.tree.rules.len() {
            if !self.file.checked.contains(&self.file.rules.rules[at].span) {
                check_rule(&mut self.file, RuleId::at(at));
            }
        }
        self.file.rules.setup = self.check_phase(ast::Phase::Setup, "setup");
        if let Some(play) = self.check_phase(ast::Phase::Play, "play") {
            self.file.rules.play = play;
        } else if let Some(game) = self.file.tree.games.first() {
            self.file.report_error(error::no_play(game_word(game.span)));
        }
        self.check_limit();
        check_lone_groups(&mut self.file);
        self.check_invariants();
        check_strategies(&mut self.file);
    }

    fn check_head(&mut self, id: RuleId) {
        let rule = self.file.tree.rules[id.index()].item;
        let mut locals = parameters(&mut self.file, &rule.params);
        let returns = match (&rule.returns, &rule.body) {
            (Some(ty), _) => resolve(&mut self.file, ty).ty,
            (None, ast::RuleBody::Block(_)) => Type::Nothing,
            (None, ast::RuleBody::Value(_)) => Type::Unknown,
        };
        let bag = if let Type::Bag(kind) = returns { Some(kind) } else { None };
        if let Some(kind) = bag {
            let (need, span) = (Need::Bag, rule.name.span);
            self.file.requirements.push(Requirement { rule: id, need, span });
            locals.push(Local::fixed("good", Type::Kind(kind), span));
        }
        let checked = &mut self.file.rules.rules[id.index()];
        (checked.params, checked.locals) = (locals.len(), locals);
        (checked.returns, checked.bag) = (bag.map_or(returns, |_| Type::Number), bag);
    }

    /// Checks `setup` or `play`, if it is there.
    fn check_phase(&mut self, phase: ast::Phase, name: &str) -> Option<RuleId> {
        let mut first: Option<(RuleId, Span)> = None;
        for at in 0..self.file.tree.flows.len() {
            let &Declared { notes, item: flow, span } = &self.file.tree.flows[at];
            if flow.phase != phase {
                continue;
            }
            let start = span.start as usize;
            let word = Span::new(start, start + name.len());
            self.file.budget.turn_to(word);
            let id = self.check_flow_body(name, &flow.body, word, notes.to_vec());
            if let Some((_, earlier)) = first {
                self.file.report_error(error::several(name, word, earlier));
            }
            first.get_or_insert((id, word));
        }
        first.map(|(id, _)| id)
    }

    fn check_flow_body(
        &mut self,
        name: &str,
        block: &ast::Block,
        span: Span,
        notes: Vec<ast::Note>,
    ) -> RuleId {
        let rule = Rule::empty(name, span);
        let id = self.file.add_rule(Rule { returns: Type::Nothing, notes, ..rule });
        check_flow_block(&mut self.file, id, block);
        id
    }

    /// `teams p by TEAM`: a rule without a name that gives the team of a player.
    fn check_teams(&mut self) {
        let Some(game) = self.file.tree.games.first().map(|entry| entry.item) else { return };
        let mut earlier = None;
        for clause in &game.clauses {
            let ast::GameClause::Teams { player: name, team, span } = clause else { continue };
            if let Some(earlier) = earlier.replace(*span) {
                self.file.report_error(error::several("teams", *span, earlier));
                continue;
            }
            let rule = Rule { params: 1, ..Rule::empty("teams", *span) };
            let id = self.file.add_rule(rule);
            let mut typer = Typer::new(&mut self.file, Vec::new(), Mode::Rule);
            typer.declare(name, player());
            let team = typer.in_condition("a team", |it| it.infer(team, None));
            let body = typer.finish();
            if !matches!(unwrap_maybe(&team.ty), Type::Kind(_) | Type::Unknown) {
                let found = self.file.rules.describe_type(&team.ty);
                self.file.report_error(error::team_type(found, team.span));
            }
            self.file.rules.rules[id.index()].returns = team.ty.clone();
            self.file.take_body(id, vec![returning(team)], body);
            self.file.rules.teams = Some(id);
        }
    }

    fn check_limit(&mut self) {
        let Some(game) = self.file.tree.games.first().map(|entry| entry.item) else { return };
        let mut earlier = None;
        for clause in &game.clauses {
            let ast::GameClause::Limit { notes, decisions, body, span } = clause else { continue };
            if let Some(earlier) = earlier.replace(*span) {
                self.file.report_error(error::several("limit", *span, earlier));
            }
            let decisions = constant_expr(&mut self.file, decisions, Some(&Type::Number));
            let body = self.check_flow_body("limit", body, *span, notes.clone());
            self.file.rules.limit = Some(Limit { decisions, body });
        }
    }

    fn check_invariants(&mut self) {
        for measure in std::mem::take(&mut self.file.tree.measures) {
            self.check_measure(measure.item);
        }
        for always in std::mem::take(&mut self.file.tree.always) {
            let checked = self.always(always.item, always.span);
            self.file.rules.always.push(checked);
        }
    }

    fn check_measure(&mut self, measure: &ast::MeasureDecl) {
        let name = &measure.name;
        let earlier = self.file.rules.measures.iter().find(|earlier| earlier.name == name.text);
        let earlier = earlier.map(|earlier| earlier.rule.span);
        if !self.file.claim_name(name, "a measure", false, earlier) {
            return;
        }
        let title = self.file.title_or(measure.title.as_ref(), to_spaced(&name.text));
        let mut typer = Typer::new(&mut self.file, Vec::new(), Mode::Rule);
        if let Some(span) = measure.each {
            let name = ast::Name { text: "p".to_owned(), span };
            typer.declare(&name, player());
        }
        let value = typer.in_condition("a measure", |it| it.infer(&measure.value, None));
        let value = match value.ty {
            // Who began is a seat.
            _ if name.text == STARTER && value.ty == player() => {
                let span = value.span;
                typed(ExprKind::new_unary(UnaryOp::Seat, value), Type::Number, span)
            }
            _ => typer.as_count(value),
        };
        let params = usize::from(measure.each.is_some());
        let locals = typer.scope.locals;
        let rule = Rule { params, locals, ..Rule::empty(&name.text, name.span) };
        let rule = rule.returning(value);
        self.file.rules.measures.push(Measure { name: name.text.clone(), title, rule });
    }

    fn always(&mut self, always: &ast::AlwaysDecl, span: Span) -> Always {
        let mut typer = Typer::new(&mut self.file, Vec::new(), Mode::Rule);
        let binder = always.binder.as_ref().map(|binder| {
            typer.in_condition("`always`", |typer| {
                let (set, member) = typer.iterated_members(&binder.set, None, AFTER_ALWAYS);
                typer.bind_member(binder, set, member)
            })
        });
        let condition = typer.condition(&always.condition, "`always`");
        let locals = typer.scope.locals;
        let test = binder.as_ref().map_or_else(
            || condition.clone(),
            |it| first_without(it, &condition, &locals[it.local.index()].ty),
        );
        let rule = Rule { locals, ..Rule::empty("always", span) };
        Always { binder, condition, rule: rule.returning(test), span }
    }
}

pub(crate) fn collect_moves<'a>(
    file: &mut FileContext<'a>,
    item: &ast::Item,
    moves: &'a ast::MovesDecl,
) {
    let name = &moves.name;
    let (text, notes, span) = (name.text.clone(), item.notes.clone(), item.span);
    file.rules.groups.push(rules::Group { name: text, notes, span });
    file.check_case(name, "a group of moves", false);
    if let Some(earlier) = file.names.groups.get(&name.text) {
        let earlier = file.groups[*earlier].item.name.span;
        file.duplicate(name, earlier);
    } else {
        file.names.groups.insert(name.text.clone(), file.groups.len());
    }
    file.groups.push(CheckedGroup { item: moves, params: Vec::new(), named: false });
}

/// Checks the groups that no rule includes.
fn check_lone_groups(file: &mut FileContext) {
    for at in 0..file.groups.len() {
        if file.groups[at].named {
            continue;
        }
        let (item, params) = (file.groups[at].item, file.groups[at].params.clone());
        file.including.push(at);
        let returning = Returning::Group(item.name.text.clone());
        let mut state = BlockState::new(returning);
        let mut typer = Typer::new(file, params, Mode::Rule);
        typer.name_bags(&item.params);
        let mut steps = BlockTyper { typer: &mut typer, state: &mut state };
        steps.resolve_options(&item.options, &[]);
        file.including.pop();
    }
    for at in 0..file.groups.len() {
        if !file.groups[at].named {
            let name = &file.groups[at].item.name;
            file.report_error(error::unused_moves(&name.text, name.span));
        }
    }
}
