//! Checks what people type beside a running game: an expression, statements, a call.

use crate::check::block::{BlockState, BlockTyper, Returning};
use crate::check::error;
use crate::check::file::FileContext;
use crate::check::flow::Flow;
use crate::check::stages::on_large_stack;
use crate::check::typer::{Mode, Typer};
use crate::check::words::WrittenCall;
use crate::diagnostic::Diagnostics;
use crate::rules::call_graph::effects_of;
use crate::rules::{Block, Expr, Rule, Rules, SnippetScope, Stmt, StmtKind, Type};
use crate::source::Span;
use crate::syntax::ast;

/// Checks an expression: a rule that takes the locals of the scope and returns its value.
///
/// # Errors
/// Everything that is wrong with it.
pub fn check_expression(
    rules: &Rules,
    scope: &SnippetScope,
    expr: &ast::Expr,
) -> Result<Rule, Diagnostics> {
    snippet(rules, scope, expr.span, |BlockTyper { typer, .. }| {
        let value = typer.in_condition("a question", |typer| typer.infer(expr, None));
        let value = typer.file.keep_range(value);
        let value = match value.ty {
            Type::EmptySet | Type::Span => typer.coerce(value, &Type::Number),
            _ => value,
        };
        let returns = value.ty.clone();
        let span = value.span;
        (vec![Stmt { kind: StmtKind::Return(Some(value)), span }], returns)
    })
}

/// Checks statements: a rule that takes the locals of the scope and runs them.
///
/// # Errors
/// Everything that is wrong with it.
pub fn check_statements(
    rules: &Rules,
    scope: &SnippetScope,
    block: &ast::Block,
) -> Result<Rule, Diagnostics> {
    snippet(rules, scope, block.span, |steps| (steps.check_block(block), Type::Nothing))
}

/// Checks a call of any rule: a rule that takes the locals of the scope and makes it.
///
/// # Errors
/// Everything that is wrong with it.
pub fn check_call(
    rules: &Rules,
    scope: &SnippetScope,
    call: &ast::Expr,
) -> Result<Rule, Diagnostics> {
    snippet(rules, scope, call.span, |BlockTyper { typer, .. }| {
        let ast::ExprKind::Call(name, args) = &call.kind else {
            let value = typer.infer(call, None);
            if value.ty != Type::Unknown {
                let span = call.span;
                let help = "`do` runs a rule, as in `do take_turn(Ann)`; `?` tests a value";
                typer.file.report_error(error::value_alone(help, span));
            }
            return (Vec::new(), Type::Nothing);
        };
        let called = typer.call_rule(WrittenCall { name, args, span: call.span });
        let stmt = |(call, _): (Expr, _)| Stmt { span: call.span, kind: StmtKind::Call(call) };
        (called.map(stmt).into_iter().collect(), Type::Nothing)
    })
}

fn snippet(
    rules: &Rules,
    scope: &SnippetScope,
    span: Span,
    check: impl FnOnce(&mut BlockTyper) -> (Block, Type) + Send,
) -> Result<Rule, Diagnostics> {
    on_large_stack(|| {
        let mut file = FileContext::new(rules.clone());
        file.seats = Some(scope.players.clone());
        let returning = Returning::Nothing("what is typed".to_owned());
        let mut state = BlockState::new(returning);
        let mut typer = Typer::new(&mut file, scope.locals.clone(), Mode::Rule);
        typer.scope.hideable = scope.locals.len();
        let (block, returns) = check(&mut BlockTyper { typer: &mut typer, state: &mut state });
        let (locals, effects, calls) = typer.finish();
        Flow { file: &mut file }.check_requirements();
        if file.diagnostics.has_errors() {
            return Err(file.diagnostics);
        }
        Ok(Rule {
            params: scope.locals.len(),
            effects: effects.union_effects(effects_of(rules, &calls)),
            locals,
            returns,
            body: block,
            ..Rule::empty("snippet", span)
        })
    })
}
