//! What the checker makes of small games; what it reports is in `tests/checks`.

mod cards;
mod snippets;

use crate::check::check;
use crate::check::rules::{Expr, Rules, StmtKind};
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

#[track_caller]
fn checked(text: &str) -> (Option<Rules>, Diagnostics) {
    let (ast, found) = syntax::parse(&Source::new("trial.game", text));
    let words: Vec<String> = found.sorted().iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "the text can be read: {words:?}");
    let checked = check(&ast);
    (checked.rules, checked.diagnostics)
}

/// The codes of all findings in the base game with more declarations, in order of place.
#[track_caller]
fn codes(declarations: &str) -> Vec<String> {
    let (_, found) = checked(&format!("{BASE}\n{declarations}\n"));
    let found = found.sorted();
    found.iter().map(|one| one.code.expect("each finding has a code").to_string()).collect()
}

/// Statements in a rule of the base game, and what the checker makes of them: an expression, or the
/// declaration of a name with its type and value.
const MADE: &[(&str, &str)] = &[
    ("me.best = blue", "blue"),
    ("let a = any(c in Colour: c == blue)", "let a: yes/no = any(c in Colour: c == blue)"),
    ("let a = any(c in Colour: blue == c)", "let a: yes/no = any(c in Colour: blue == c)"),
    ("let a = Gem.blue", "let a: Gem = blue"),
    ("let a = {red, blue}", "let a: set of Colour = {red, blue}"),
    ("me.owned = ask(me)", "let it: Colour = ask(me)"),
    ("for c in random Colour { }", "let it: Colour = random Colour"),
    ("me.owned += red", "{red}"),
    ("me.owned -= hue", "{hue}"),
    ("finish win me", "{me}"),
    ("let a = me.owned union blue", "let a: set of Colour = me.owned union {blue}"),
    ("let a = {3, 1}", "let a: set of 1..3 = {3, 1}"),
    ("me.lucky += {1, 2}", "{1, 2}"),
    ("me.lucky = 2..4", "2..4"),
    ("let a = 2..4", "let a: set of 2..4 = 2..4"),
    ("let a = n in {1, round}", "let a: yes/no = n == 1 or n == round"),
    ("let a = n in {1, 4}", "let a: yes/no = match n { 1, 4: yes; else: no }"),
    ("roll pool for c in Colour where c != red", "pool[c]"),
    ("let a = roll cube", "let a: number = roll cube"),
    ("me pays n gold", "me.gold"),
    ("let a = floor((n + 1) / 2)", "let a: number = floor((n + 1) / 2)"),
    ("for a in 1..n { }", "1..n"),
    ("let a = if fast then red else none", "let a: maybe Colour = if fast then red else none"),
    (
        "let a = match n { 1: red\n else: hue }",
        "let a: maybe Colour = match n { 1: red; else: hue }",
    ),
    ("let a = highest(c in Card by c.cost)", "let a: set of Card = highest(c in Card by c.cost)"),
    ("let a = first(c in Card: c.cost > 1)", "let a: maybe Card = first(c in Card: 1 < c.cost)"),
    ("let a = {c.gem for c in Card}", "let a: set of Gem = {c.gem for c in Card}"),
    ("let a = count(me.owned)", "let a: number = count(it in me.owned)"),
];

#[test]
fn statements_become_checked_expressions() {
    for (statements, code) in MADE {
        let head = "rule trial(me: Player, hue: maybe Colour, n: number)";
        let (rules, found) = checked(&format!("{BASE}\n{head} {{\n{statements}\n}}\n"));
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
}

#[test]
fn the_base_game_is_fine() {
    assert_eq!(codes(""), [""; 0]);
}

#[test]
fn a_column_headed_title_gives_titles() {
    let rules = checked(&format!("{BASE}\nkind T {{\n    title\n x  \"The X\"\n}}")).0;
    let rules = rules.expect("the game is fine");
    let kind = rules.kinds.iter().find(|kind| kind.name == "T").expect("it is declared");
    assert!(kind.columns.is_empty());
    assert_eq!(kind.members[0].title, "The X");
}

#[test]
fn deep_expressions_are_checked() {
    let deep = format!("let deep = {}1{}", "(1 + ".repeat(120), ")".repeat(120));
    assert_eq!(codes(&deep), [""; 0]);
    let deep = format!("let deep = {}yes", "not ".repeat(240));
    assert_eq!(codes(&deep), [""; 0]);
    let deep = format!("let deep = {}size{}", "{".repeat(100), "}".repeat(100));
    assert_eq!(codes(&deep), ["check::needs_type"]);
    let deep =
        format!("let deep = {}1{}", "(if ".repeat(40), " in {1, 2} then 1 else 2)".repeat(40));
    assert_eq!(codes(&deep), [""; 0]);
}

#[test]
fn deep_blocks_are_checked() {
    let deep = format!("rule deep() {{ {}deed(1){} }}", "if fast { ".repeat(120), " }".repeat(120));
    assert_eq!(codes(&deep), [""; 0]);
}

#[test]
fn long_sums_are_checked() {
    let long = format!("let long = 1{}", " + 1".repeat(200));
    assert_eq!(codes(&long), [""; 0]);
}

#[test]
fn long_chains_end_with_a_message() {
    let chain = |form: fn(usize) -> String| (0..5000).map(form).collect::<Vec<_>>().join("\n");
    let constants = chain(|at| format!("let c{at} = c{} + 1", at + 1));
    assert!(codes(&constants).contains(&"check::long_chain".to_owned()));
    let rules = chain(|at| format!("rule r{at}() = r{}() + 1", at + 1));
    assert!(codes(&rules).contains(&"check::long_chain".to_owned()));
}
