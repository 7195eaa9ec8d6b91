//! Types whole bodies: of rules, of flows, and the statements of `suppose`; and what they return.

use crate::check::block::statements::nothing;
use crate::check::block::{BlockState, BlockTyper, Returning};
use crate::check::error;
use crate::check::file::FileContext;
use crate::check::typer::bags::{Bag, given_amount};
use crate::check::typer::expressions::without_range;
use crate::check::typer::{ExprSpot, Mode, Typer};
use crate::rules::{
    Block, Effects, Expr, ExprKind, Local, LocalId, RuleId, Stmt, StmtKind, Type, UnaryOp,
    effects_text, type_code, typed,
};
use crate::source::Span;
use crate::syntax::ast;

pub(crate) fn returning(value: Expr) -> Stmt {
    let span = value.span;
    Stmt { kind: StmtKind::Return(Some(value)), span }
}

/// The type of what a rule returns; one that is not written is found out now.
pub(crate) fn rule_type(file: &mut FileContext, id: RuleId, span: Span) -> Type {
    // Snippets have no declarations: what they use is checked.
    if let Some(rule) = file.tree.rules.get(id.index()).map(|entry| entry.item)
        && rule.returns.is_none()
        && matches!(rule.body, ast::RuleBody::Value(_))
    {
        if file.searched(&rule.name).is_some() {
            let ast::Name { text, span: declared } = &rule.name;
            file.report_error(error::rule_type_cycle(text, span, *declared));
        } else if file.begin_declaration(&rule.name, span) {
            check_rule(file, id);
        }
    }
    file.rules.rule(id).returns.clone()
}

pub(crate) fn check_rule(file: &mut FileContext, id: RuleId) {
    let rule = file.tree.rules[id.index()].item;
    file.searching.push(&rule.name);
    let outer = file.budget.turn_to(rule.name.span);
    let (params, declared) =
        (file.rules.rule(id).locals.clone(), file.rules.rule(id).returns.clone());
    let errors = file.diagnostics.errors();
    let bag = file.rules.rule(id).bag;
    let declared = bag.map_or(declared, Type::Bag);
    let returns = match &declared {
        Type::Nothing => Returning::Nothing(rule.name.text.clone()),
        ty => Returning::Value(ty.clone()),
    };
    let mut state = BlockState { in_rule: true, ..BlockState::new(returns) };
    let base = rule.base.as_ref().and_then(|name| file.names.rules.get(name)).copied();
    let mut typer = Typer::new(file, params, Mode::Rule);
    typer.scope.base = base;
    typer.scope.good = bag.map(|_| LocalId::at(typer.scope.locals.len() - 1));
    typer.name_bags(&rule.params);
    let mut steps = BlockTyper { typer: &mut typer, state: &mut state };
    let block = match &rule.body {
        ast::RuleBody::Block(block) => steps.check_block(block),
        ast::RuleBody::Value(value) => {
            let value = if rule.returns.is_some() {
                let value = steps.check_value(value, Some(&declared));
                given_amount(value, steps.typer.scope.good)
            } else {
                let value = steps.untyped_value(rule, value);
                let value = steps.untyped_bag(rule, value);
                steps.typer.file.rules.rules[id.index()].returns = value.ty.clone();
                value
            };
            let mut block = std::mem::take(&mut steps.state.before);
            block.push(returning(value));
            block
        }
    };
    let body = typer.finish();
    if file.diagnostics.errors() > errors {
        file.broken_rules.insert(id);
    }
    if let (Type::Nothing, Returning::Value(_)) = (&declared, &state.returning) {
        // That its head lacks a type is reported.
        file.rules.rules[id.index()].returns = Type::Unknown;
    }
    file.take_body(id, block, body);
    file.end_search();
    file.budget.turn_to(outer);
}

/// Checks the block of a flow.
pub(crate) fn check_flow_block(file: &mut FileContext, id: RuleId, block: &ast::Block) {
    let name = file.rules.rule(id).name.clone();
    let mut state = BlockState::new(Returning::Nothing(name));
    let mut typer = Typer::new(file, Vec::new(), Mode::Rule);
    let block = BlockTyper { typer: &mut typer, state: &mut state }.check_block(block);
    let body = typer.finish();
    file.take_body(id, block, body);
}

impl BlockTyper<'_, '_, '_> {
    fn untyped_value(&mut self, rule: &ast::RuleDecl, value: &ast::Expr) -> Expr {
        let value = self.check_value(value, None);
        let value = self.typer.file.keep_range(value);
        if !matches!(value.ty, Type::None | Type::EmptySet | Type::Span) {
            return value;
        }
        let help = format!("write it: `rule {}(…) -> TYPE = …`", rule.name.text);
        self.typer.file.report_as_expr(self.typer.look().untyped(&rule.name, &value, help))
    }

    /// A bag needs its type in the head of a rule, for the rule is one for each good.
    fn untyped_bag(&mut self, rule: &ast::RuleDecl, value: Expr) -> Expr {
        let Type::Bag(kind) = value.ty else { return value };
        let file = &mut *self.typer.file;
        let (name, of) = (&rule.name.text, &file.rules.kind_at(kind).name);
        let help = format!("write it: `rule {name}(…) -> bag of {of} = …`");
        let what = format!("`{name}`");
        file.report_as_expr(error::needs_type(what, "a bag", help, value.span))
    }

    pub(crate) fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span) -> StmtKind {
        match (self.state.returning.clone(), value) {
            (Returning::Value(ty), Some(value)) => {
                let value = self.check_value(value, Some(&ty));
                StmtKind::Return(Some(given_amount(value, self.typer.scope.good)))
            }
            // Of an unknown type something was said already.
            (Returning::Nothing(_) | Returning::Value(Type::Unknown), None) => {
                StmtKind::Return(None)
            }
            (Returning::Value(ty), None) => {
                let expected = self.typer.file.rules.describe_type(&ty);
                let problem = format!("expected {expected} to return, found nothing");
                let help = "write the value after `return`";
                self.typer.file.report_error(error::return_misfit(problem, "nothing", help, span));
                StmtKind::Return(None)
            }
            (Returning::Group(_) | Returning::Supposed, value) => {
                self.leaves_too_much("return", span);
                value.iter().for_each(|value| drop(self.check_value(value, None)));
                nothing()
            }
            (Returning::Nothing(name), Some(value)) => {
                let value = self.check_value(value, None);
                let (problem, help) = if self.state.in_rule {
                    let ty = type_code(&self.typer.file.rules, &value.ty).replace('?', "TYPE");
                    (
                        format!("`{name}` returns a value, but its first line names no type"),
                        format!("write the type there: `rule {name}(…) -> {ty} {{ … }}`"),
                    )
                } else {
                    (format!("`{name}` returns no value"), "write `return` alone".to_owned())
                };
                self.typer.file.report_error(error::return_misfit(problem, "a value", help, span));
                // The head is wrong, which one message says.
                self.state.returning = Returning::Value(Type::Unknown);
                StmtKind::Return(None)
            }
        }
    }

    /// A whole right side, which may pause.
    pub(crate) fn check_value(&mut self, expr: &ast::Expr, want: Option<&Type>) -> Expr {
        self.typer.alone = true;
        let checked = self.typer.expect_or_infer(expr, want);
        self.settled(checked)
    }

    /// A value that may pause and then becomes a set is kept first, so that it stands alone.
    pub(crate) fn settled(&mut self, mut value: Expr) -> Expr {
        let span = value.span;
        if let ExprKind::Unary(UnaryOp::ToSet, of) | ExprKind::Column(_, _, of) = &mut value.kind
            && let ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_) | ExprKind::Call(..) =
                of.kind
        {
            let local = self.typer.scope.add_local(Local::fixed("it", of.ty.clone(), span));
            let kept = typed(ExprKind::Local(local), of.ty.clone(), span);
            let pausing = std::mem::replace(of.as_mut(), kept);
            self.state.before.push(Stmt { kind: StmtKind::Let(local, pausing), span });
        }
        value
    }
}

/// `suppose { statements }: value`
pub(crate) fn infer_suppose(
    typer: &mut Typer,
    block: &ast::Block,
    value: &ast::Expr,
    spot: ExprSpot,
) -> Expr {
    let ExprSpot { span, hint, .. } = spot;
    if typer.mode == Mode::Constant {
        return typer.file.report_as_expr(error::not_constant("what is supposed", span));
    }
    let (block, value) = typer.scoped(|typer| {
        let block = supposed(typer, block);
        let value = typer.in_condition("what is supposed", |typer| typer.infer(value, hint));
        (block, typer.file.keep_range(value))
    });
    let suppose = |value: Expr| {
        let ty = value.ty.clone();
        typed(ExprKind::Suppose(block, Box::new(value)), ty, span)
    };
    match Bag::from_expr(value) {
        Ok(Bag { kind, good, amount }) => {
            Bag { kind, good, amount: suppose(amount) }.into_expr(span)
        }
        Err(value) => without_range(typer.file, suppose(value)),
    }
}

/// The statements; what they do leaves no trace in the body around.
pub(crate) fn supposed(typer: &mut Typer, block: &ast::Block) -> Block {
    let (effects, condition) = (typer.effects, typer.condition.take());
    let outer = std::mem::replace(&mut typer.supposing, true);
    let mut state = BlockState::new(Returning::Supposed);
    let mut steps = BlockTyper { typer: &mut *typer, state: &mut state };
    let mut stmts = Vec::new();
    for stmt in &block.stmts {
        steps.typer.effects = Effects::default();
        stmts.extend(steps.stmt_with_values(stmt));
        let Effects { pauses, finishes, .. } = steps.typer.effects;
        if pauses || finishes {
            let lasting = Effects { pauses, finishes, ..Effects::default() };
            let what = format!("this {}", effects_text(lasting));
            steps.typer.file.report_error(error::suppose_pauses(what, stmt.span));
        }
    }
    (typer.supposing, typer.condition, typer.effects) = (outer, condition, effects);
    stmts
}
