//! Bodies of rules and flows, and `suppose`.

use crate::check::context::{Body, Checker, ExprSpot, Mode, Returning};
use crate::check::error;
use crate::check::file::Declared;
use crate::check::resolve::WrittenType;
use crate::check::words::game_word;
use crate::rules::{
    Block, Effects, Expr, ExprKind, Limit, Local, Rule, RuleId, Stmt, StmtKind, Type, effects_text,
    typed,
};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    pub(crate) fn check_bodies(&mut self) {
        for at in 0..self.file.tree.rules.len() {
            self.check_head(RuleId::at(at));
        }
        for at in 0..self.file.groups.len() {
            self.file.groups[at].params = self.parameters(&self.file.groups[at].item.params);
        }
        for at in 0..self.file.tree.rules.len() {
            if !self.file.checked.contains(&self.file.rules.rules[at].span) {
                self.check_rule(RuleId::at(at));
            }
        }
        self.file.rules.setup = self.check_phase(ast::Phase::Setup, "setup");
        if let Some(play) = self.check_phase(ast::Phase::Play, "play") {
            self.file.rules.play = play;
        } else if let Some(game) = self.file.tree.games.first() {
            self.file.report_error(error::no_play(game_word(game.span)));
        }
        self.check_limit();
        self.check_lone_groups();
        self.check_invariants();
        self.check_strategies();
    }

    fn check_head(&mut self, id: RuleId) {
        let rule = self.file.tree.rules[id.index()].item;
        let locals = self.parameters(&rule.params);
        let returns = match (&rule.returns, &rule.body) {
            (Some(ty), _) => self.resolve(ty).ty,
            (None, ast::RuleBody::Block(_)) => Type::Nothing,
            (None, ast::RuleBody::Value(_)) => Type::Unknown,
        };
        let checked = &mut self.file.rules.rules[id.index()];
        (checked.params, checked.locals) = (locals.len(), locals);
        checked.returns = returns;
    }

    fn parameters(&mut self, params: &[ast::Param]) -> Vec<Local> {
        let declare = |checker: &mut Self| {
            for param in params {
                let WrittenType { ty, range } = checker.resolve(&param.ty);
                let local = Local::fixed(&param.name.text, ty, param.name.span);
                checker.declare_local(Local { range, ..local });
            }
        };
        self.in_body(Body::new(Vec::new(), Mode::Rule), declare).1.locals
    }

    /// The type of what a rule returns; one that is not written is found out now.
    pub(crate) fn rule_type(&mut self, id: RuleId, span: Span) -> Type {
        // Snippets have no declarations: what they use is checked.
        if let Some(rule) = self.file.tree.rules.get(id.index()).map(|entry| entry.item)
            && rule.returns.is_none()
            && matches!(rule.body, ast::RuleBody::Value(_))
        {
            if self.file.searched(&rule.name).is_some() {
                let ast::Name { text, span: declared } = &rule.name;
                self.file.report_error(error::rule_type_cycle(text, span, *declared));
            } else if self.file.is_next(&rule.name, span) {
                self.check_rule(id);
            }
        }
        self.file.rules.rule(id).returns.clone()
    }

    fn check_rule(&mut self, id: RuleId) {
        let rule = self.file.tree.rules[id.index()].item;
        self.file.searching.push(&rule.name);
        let outer = self.file.budget.turn_to(rule.name.span);
        let (params, declared) =
            (self.file.rules.rule(id).locals.clone(), self.file.rules.rule(id).returns.clone());
        let name = rule.name.text.clone();
        let errors = self.file.diagnostics.errors();
        let mut body = rule_body(params, &declared, name);
        body.in_rule = true;
        body.base = rule.base.as_ref().and_then(|name| self.file.names.rules.get(name)).copied();
        let (block, body) = self.in_body(body, |checker| match &rule.body {
            ast::RuleBody::Block(block) => checker.check_block(block),
            ast::RuleBody::Value(value) => {
                let value = if rule.returns.is_some() {
                    checker.check_value(value, Some(&declared))
                } else {
                    let value = checker.untyped_value(rule, value);
                    checker.file.rules.rules[id.index()].returns = value.ty.clone();
                    value
                };
                let mut block = std::mem::take(&mut checker.body.before);
                block.push(returning(value));
                block
            }
        });
        if self.file.diagnostics.errors() > errors {
            self.file.broken_rules.insert(id);
        }
        if let (Type::Nothing, Returning::Value(_)) = (&declared, &body.returning) {
            // That its head lacks a type is reported.
            self.file.rules.rules[id.index()].returns = Type::Unknown;
        }
        self.file.take_body(id, block, (body.locals, body.effects, body.calls));
        self.file.end_search();
        self.file.budget.turn_to(outer);
    }

    fn untyped_value(&mut self, rule: &ast::RuleDecl, value: &ast::Expr) -> Expr {
        let value = self.check_value(value, None);
        let value = self.file.keep_range(value);
        if !matches!(value.ty, Type::None | Type::EmptySet | Type::Span) {
            return value;
        }
        let help = format!("write it: `rule {}(…) -> TYPE = …`", rule.name.text);
        self.file.broken(self.untyped(&rule.name, &value, help))
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
        let body = rule_body(Vec::new(), &Type::Nothing, name.to_owned());
        let (block, body) = self.in_body(body, |checker| checker.check_block(block));
        self.file.take_body(id, block, (body.locals, body.effects, body.calls));
        id
    }

    fn check_limit(&mut self) {
        let Some(game) = self.file.tree.games.first().map(|entry| entry.item) else { return };
        let mut earlier = None;
        for clause in &game.clauses {
            let ast::GameClause::Limit { notes, decisions, body, span } = clause else { continue };
            if let Some(earlier) = earlier.replace(*span) {
                self.file.report_error(error::several("limit", *span, earlier));
            }
            let decisions = self.constant_expr(decisions, Some(&Type::Number));
            let body = self.check_flow_body("limit", body, *span, notes.clone());
            self.file.rules.limit = Some(Limit { decisions, body });
        }
    }

    /// `suppose { statements }: value`
    pub(crate) fn suppose(
        &mut self,
        block: &ast::Block,
        value: &ast::Expr,
        spot: ExprSpot,
    ) -> Expr {
        let ExprSpot { span, hint, .. } = spot;
        if self.body.mode == Mode::Constant {
            return self.not_constant("what is supposed", span);
        }
        let (block, value) = self.scoped(|checker| {
            let block = checker.supposed(block);
            let value =
                checker.in_condition("what is supposed", |checker| checker.infer(value, hint));
            (block, checker.file.keep_range(value))
        });
        let ty = value.ty.clone();
        self.no_range(typed(ExprKind::Suppose(block, Box::new(value)), ty, span))
    }

    /// The statements; what they do leaves no trace in the body around.
    fn supposed(&mut self, block: &ast::Block) -> Block {
        let effects = self.body.effects;
        let condition = self.body.condition.take();
        let loops = std::mem::take(&mut self.body.loops);
        let returning = std::mem::replace(&mut self.body.returning, Returning::Supposed);
        let outer = std::mem::replace(&mut self.body.supposing, true);
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            self.body.effects = Effects::default();
            stmts.extend(self.stmt_with_values(stmt));
            let Effects { pauses, finishes, .. } = self.body.effects;
            if pauses || finishes {
                let lasting = Effects { pauses, finishes, ..Effects::default() };
                let what = format!("this {}", effects_text(lasting));
                self.file.report_error(error::suppose_pauses(what, stmt.span));
            }
        }
        self.body.supposing = outer;
        self.body.returning = returning;
        self.body.loops = loops;
        self.body.condition = condition;
        self.body.effects = effects;
        stmts
    }

    /// Reports a word that would leave what cannot be left: a group of moves, or what is supposed.
    pub(crate) fn leaves_too_much(&mut self, word: &'static str, span: Span) -> bool {
        let error = match &self.body.returning {
            Returning::Group(name) => error::leaves_moves(word, name, span),
            Returning::Supposed => error::leaves_suppose(word, span),
            Returning::Value(_) | Returning::Nothing(_) => return false,
        };
        self.file.report_error(error);
        true
    }
}

fn returning(value: Expr) -> Stmt {
    let span = value.span;
    Stmt { kind: StmtKind::Return(Some(value)), span }
}

fn rule_body(params: Vec<Local>, returns: &Type, name: String) -> Body {
    let mut body = Body::new(params, Mode::Rule);
    body.returning = match returns {
        Type::Nothing => Returning::Nothing(name),
        ty => Returning::Value(ty.clone()),
    };
    body
}
