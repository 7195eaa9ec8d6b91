//! Bodies of rules, and statements that are only supposed.

use crate::check::context::{Body, Mode, Returning, in_body};
use crate::check::error;
use crate::check::file::FileContext;
use crate::rules::{Expr, Local, RuleId, Stmt, StmtKind, Type};
use crate::source::Span;
use crate::syntax::ast;

pub(crate) fn returning(value: Expr) -> Stmt {
    let span = value.span;
    Stmt { kind: StmtKind::Return(Some(value)), span }
}

pub(crate) fn rule_body(params: Vec<Local>, returns: &Type, name: String) -> Body {
    let mut body = Body::new(params, Mode::Rule);
    body.returning = match returns {
        Type::Nothing => Returning::Nothing(name),
        ty => Returning::Value(ty.clone()),
    };
    body
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
        } else if file.is_next(&rule.name, span) {
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
    let name = rule.name.text.clone();
    let errors = file.diagnostics.errors();
    let mut body = rule_body(params, &declared, name);
    body.in_rule = true;
    body.scope.base = rule.base.as_ref().and_then(|name| file.names.rules.get(name)).copied();
    let (block, body) = in_body(file, body, |checker| match &rule.body {
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
    if file.diagnostics.errors() > errors {
        file.broken_rules.insert(id);
    }
    if let (Type::Nothing, Returning::Value(_)) = (&declared, &body.returning) {
        // That its head lacks a type is reported.
        file.rules.rules[id.index()].returns = Type::Unknown;
    }
    file.take_body(id, block, (body.scope.locals, body.effects, body.calls));
    file.end_search();
    file.budget.turn_to(outer);
}
