//! Checks what people type beside a running game: an expression, statements, a call.

use crate::check::context::{Body, Checker, Mode, Returning, in_body};
use crate::check::error;
use crate::check::file::FileContext;
use crate::check::flow::Flow;
use crate::check::stack::on_large_stack;
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
    snippet(rules, scope, expr.span, |checker| {
        let value = checker.in_condition("a question", |checker| checker.infer(expr, None));
        let value = checker.file.keep_range(value);
        let value = match value.ty {
            Type::EmptySet | Type::Span => checker.coerce(value, &Type::Number),
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
    snippet(rules, scope, block.span, |checker| (checker.check_block(block), Type::Nothing))
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
    snippet(rules, scope, call.span, |checker| {
        let ast::ExprKind::Call(name, args) = &call.kind else {
            let value = checker.infer(call, None);
            if value.ty != Type::Unknown {
                let span = call.span;
                let help = "`do` runs a rule, as in `do take_turn(Ann)`; `?` tests a value";
                checker.file.report_error(error::value_alone(help, span));
            }
            return (Vec::new(), Type::Nothing);
        };
        let called = checker.call_rule(WrittenCall { name, args, span: call.span });
        let stmt = |(call, _): (Expr, _)| Stmt { span: call.span, kind: StmtKind::Call(call) };
        (called.map(stmt).into_iter().collect(), Type::Nothing)
    })
}

fn snippet(
    rules: &Rules,
    scope: &SnippetScope,
    span: Span,
    check: impl FnOnce(&mut Checker) -> (Block, Type) + Send,
) -> Result<Rule, Diagnostics> {
    on_large_stack(|| {
        let mut file = FileContext::new(rules.clone());
        file.seats = Some(scope.players.clone());
        let mut body = Body::new(scope.locals.clone(), Mode::Rule);
        body.scope.hideable = scope.locals.len();
        body.returning = Returning::Nothing("what is typed".to_owned());
        let ((block, returns), body) = in_body(&mut file, body, check);
        Flow { file: &mut file }.check_requirements();
        if file.diagnostics.has_errors() {
            return Err(file.diagnostics);
        }
        Ok(Rule {
            params: scope.locals.len(),
            effects: body.effects.union_effects(effects_of(rules, &body.calls)),
            locals: body.scope.locals,
            returns,
            body: block,
            ..Rule::empty("snippet", span)
        })
    })
}
