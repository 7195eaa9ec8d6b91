//! What people type beside a game.

use super::{BASE, checked};
use crate::check::rules::{Local, Rule, SnippetScope, Type};
use crate::check::{check_call, check_expression, check_statements};
use crate::diagnostic::Diagnostics;
use crate::source::{Source, Span};
use crate::syntax::{parse_expression, parse_statements};

fn scope() -> SnippetScope {
    let local = Local {
        name: "n".to_owned(),
        ty: Type::Number,
        dims: Vec::new(),
        range: None,
        mutable: false,
        span: Span::default(),
    };
    SnippetScope { players: vec!["Ann".to_owned(), "Ben".to_owned()], locals: vec![local] }
}

fn expression(text: &str) -> Result<Rule, Diagnostics> {
    let rules = checked(BASE).0.expect("the base game is fine");
    let expr = parse_expression(&Source::new("typed", text)).expect("it can be read");
    check_expression(&rules, &scope(), &expr)
}

fn statement(text: &str) -> Result<Rule, Diagnostics> {
    let rules = checked(BASE).0.expect("the base game is fine");
    let block = parse_statements(&Source::new("typed", text)).expect("it can be read");
    check_statements(&rules, &scope(), &block)
}

fn call(text: &str) -> Result<Rule, Diagnostics> {
    let rules = checked(BASE).0.expect("the base game is fine");
    let expr = parse_expression(&Source::new("typed", text)).expect("it can be read");
    check_call(&rules, &scope(), &expr)
}

fn code(result: Result<Rule, Diagnostics>) -> String {
    let found = result.expect_err("it has a mistake").sorted();
    found[0].code.expect("each finding has a code").to_string()
}

#[test]
fn players_are_members_by_name() {
    assert_eq!(expression("Ann == Player.first").unwrap().returns, Type::Bool);
    assert_eq!(expression("ben.score").unwrap().returns, Type::Number);
    assert_eq!(code(expression("Cem.score")), "check::unknown_name");
}

#[test]
fn moves_are_counted() {
    assert_eq!(expression("moves == 12 and moves > n").unwrap().returns, Type::Bool);
}

#[test]
fn locals_are_parameters_and_may_be_hidden() {
    let rule = expression("any(n in Colour: n == red)").unwrap();
    assert_eq!((rule.params, rule.locals.len()), (1, 2));
}

#[test]
fn questions_do_nothing() {
    assert_eq!(code(expression("ask(Ann)")), "check::condition_not_pure");
    assert_eq!(code(expression("random Colour")), "check::condition_not_pure");
}

#[test]
fn statements_change_the_state() {
    assert!(statement("Ben.owned = {red, blue}").unwrap().effects.changes);
    assert!(statement("deed(2)").unwrap().effects.changes);
    assert_eq!(code(statement("plain(2)")), "check::pure_call");
    assert_eq!(code(statement("n = 3")), "check::not_assignable");
}

#[test]
fn any_rule_may_be_called() {
    assert!(call("plain(2)").unwrap().effects.is_pure());
    assert!(call("ask(ann)").unwrap().effects.pauses);
    assert_eq!(code(call("fly(ann)")), "check::unknown_rule");
    assert_eq!(code(call("round")), "check::value_alone");
}

#[test]
fn no_new_types_are_typed() {
    assert_eq!(code(statement("var a: 3..77 = 5")), "check::new_type");
}
