//! What the checker makes of small games and of what people type; what it reports is in `checks`.

use astragal::machinery::budget::Budget;
use astragal::machinery::check::{check_call, check_expression, check_rules, check_statements};
use astragal::machinery::diagnostic::Diagnostics;
use astragal::machinery::rules::print::{expression_text, typed_name};
use astragal::machinery::rules::visit::visit_stmts;
use astragal::machinery::rules::{Expr, Local, Rule, Rules, SnippetScope, StmtKind, Type, VarForm};
use astragal::machinery::source::{Source, Span};
use astragal::machinery::syntax::{parse, parse_expression, parse_statements};

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
    let (ast, found) = parse(&Source::new("trial.game", text));
    let words: Vec<String> = found.sorted().iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "the text can be read: {words:?}");
    let checked = check_rules(&ast, Budget::default());
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
        trial.visit_exprs(&mut |expr| codes.push(text(expr)));
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

// ---------------------------------------------------------------------- cards and piles

const POND: &str = "game \"Pond\" { players 2 }
kind Fish { carp, pike }
cards Catch of Fish
each player has { net: cards }
the table has { pond: cards hidden = Catch }
rule take(from_top: cards, to: cards) { move top 1 of from_top to to }
rule is_carp(c: Catch) = c == carp and c.face in {carp} and c in {carp, pike}
play { take(pond, Player.first.net); finish draw }
";

#[test]
fn only_piles_whose_top_is_asked_for_keep_an_order() {
    let rules = checked(POND).0.expect("the game is fine");
    let ordered = |name: &str| {
        let var = rules.vars.iter().find(|var| var.name == name).expect("it is declared");
        matches!(var.form, VarForm::Pile(pile) if pile.ordered)
    };
    // Only the pile that is given where a top is read.
    assert!(ordered("pond") && !ordered("net"));
    let direct = POND.replace("move top 1 of from_top to to", "move from_top to to");
    let rules = checked(&direct).0.expect("the game is fine");
    assert!(rules.vars.iter().all(|var| !matches!(var.form, VarForm::Pile(pile) if pile.ordered)));
}

#[test]
fn what_is_typed_cannot_ask_for_an_order_that_is_not_kept() {
    let direct = POND.replace("move top 1 of from_top to to", "move from_top to to");
    let rules = checked(&direct).0.expect("the game is fine");
    let scope = SnippetScope { players: vec!["Ann".to_owned()], locals: Vec::new() };
    let expr = parse_expression(&Source::new("typed", "top of pond")).expect("it can be read");
    let found = check_expression(&rules, &scope, &expr).expect_err("nobody keeps it");
    let found = found.sorted();
    let code = found[0].code.expect("each finding has a code");
    assert_eq!(code.to_string(), "check::no_order");
}

// ---------------------------------------------------------------------- what people type

fn scope() -> SnippetScope {
    let local = Local {
        name: "n".to_owned(),
        ty: Type::Number,
        dims: Vec::new(),
        range: None,
        mutable: false,
        bag: None,
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
