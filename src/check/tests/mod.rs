//! Small games, and what the checker says of them.

mod cards;
mod data;
mod deep;
mod flow;
mod names;
mod narrowing;
mod secrets;
mod snippets;
mod types;

use crate::check::check;
use crate::check::rules::Rules;
use crate::check::rules::{Expr, StmtKind};
use crate::check::visit::visit_stmts;
use crate::check::written::{expression_text, typed_name};
use crate::diagnostic::Diagnostics;
use crate::source::Source;
use crate::syntax;

/// A game with a bit of everything.
const BASE: &str = r#"
game "Trial" { players 2..4 }
option fast = no
option cap: maybe 1..9 = none
let size = 3
kind Colour { red, blue, green }
kind Gem { ruby, blue }
kind Card {
         cost  gem   uses
  ace    1     ruby  {red}
  king   2     -     {}
}
table worth[Colour] = 1 2 -
each player has {
  coin gold: 0..5 = 0
  score = 0
  owned: set of Colour = {}
  best: maybe Colour = none
  lucky: set of 1..6 = {}
}
the table has {
  round = 0
  die cube = 1..6
  dice pool for Colour = 1..6
  on[Colour]: maybe Player = none
}
rule plain(n: number) = n + 1
rule deed(n: number) { round += n }
rule ask(p: Player) -> Colour { choose p { take(c) for c in Colour { return c } } }
play { finish draw }
"#;

/// The codes of all findings in a text, in order of place.
#[track_caller]
fn codes(text: &str) -> Vec<String> {
    let (rules, found) = checked(text);
    assert_eq!(rules.is_none(), found.has_errors(), "rules come out when there is no error");
    let codes = found.sorted();
    codes.iter().map(|one| one.code().expect("each finding has a code").to_string()).collect()
}

#[track_caller]
fn checked(text: &str) -> (Option<Rules>, Diagnostics) {
    let (ast, found) = syntax::parse(&Source::new("trial.game", text));
    let words: Vec<String> = found.sorted().iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "the text can be read: {words:?}");
    let checked = check(&ast);
    (checked.rules, checked.diagnostics)
}

/// The base game with more declarations.
fn with(declarations: &str) -> String {
    format!("{BASE}\n{declarations}\n")
}

/// The base game with a rule of these statements.
fn rule(statements: &str) -> String {
    with(&format!("rule trial(me: Player, hue: maybe Colour, n: number) {{\n{statements}\n}}"))
}

/// Asserts that declarations beside the base game have exactly these findings.
#[track_caller]
fn declared(declarations: &str, expected: &[&str]) {
    assert_eq!(codes(&with(declarations)), expected, "{declarations}");
}

/// Asserts that statements in a rule of the base game have exactly these findings.
#[track_caller]
fn says(statements: &str, expected: &[&str]) {
    assert_eq!(codes(&rule(statements)), expected, "{statements}");
}

/// Asserts that the checker makes this of statements in a rule of the base game: an expression, or
/// the declaration of a name with its type and value.
#[track_caller]
fn becomes(statements: &str, code: &str) {
    let text = rule(statements);
    let (rules, found) = checked(&text);
    let words: Vec<String> = found.sorted().iter().map(ToString::to_string).collect();
    let rules = rules.unwrap_or_else(|| panic!("{statements}: {words:?}"));
    let trial = rules.rules.iter().find(|rule| rule.name == "trial").expect("it is there");
    let text = |expr: &Expr| expression_text(&rules, &trial.locals, expr);
    let mut codes = Vec::new();
    trial.visit(&mut |expr| codes.push(text(expr)));
    visit_stmts(&trial.body, &mut |stmt| {
        if let StmtKind::Let(local, value) = &stmt.kind {
            let name = typed_name(&rules, &trial.locals[local.index()]);
            codes.push(format!("let {name} = {}", text(value)));
        }
    });
    assert!(codes.iter().any(|one| one == code), "no `{code}` in {codes:#?}");
}

#[test]
fn the_base_game_is_fine() {
    assert_eq!(codes(BASE), [""; 0]);
}
