//! What is read, and as what.

use astragal::machinery::dump::dump;
use astragal::machinery::source::Source;
use astragal::machinery::syntax::{parse_expression, parse_statements, print_expression};

use super::{reads, sample};

/// Declarations of all forms, the rare ones too.
pub(super) const FORMS: &[&str] = &[
    "game \"T\" { players 2 }",
    "option limit: maybe 1..20 = none\noption x: 0.. = players * 2 \"title\"",
    "kind Square {\n         other_side\n blue orange\n orange blue\n}",
    "kind K \"Title\" {}",
    "kind Rank {\n cost: 0..9 from=no title=\"x\"\n ace -1 yes \"The \\\"ace\\\"\"\n}",
    "table hit[Region, 1..4] \"Hits\" {\n 1 2 3 4\n head 3 6 5 -\n wings 2 1 - 5\n}",
    "table t[2..players] = - 1 yes {a} {} \"x\" none",
    "each player has {\n hit \"Hits\"[r in Region, d in 1..4]: yes/no = no\n a: text = \"\"; b = 1\n}",
    "the table has {\n die cup[1..5] = 1..6\n die x = 1 1 2\n dice y for A, B = 1..6\n}",
    "the table has {\n die: number = 3\n coin = 2\n dice = 1\n turn = 0\n first = none\n}",
    "rule roll \"Roll it\" (roll: number, draw: set of maybe Card) -> maybe Player = none",
    "rule a() = ceil(a / b) + floor(c / d) * -e mod f",
    "rule a() = min(a, b) + min(c in S: c.cost) + count(A) + count(c in S where P)",
    "rule a() = first(c in S: P).x + Player.first + Field.lines(4)[2].from",
    "rule a() = highest(c in S where Q by E, E2 lowest) minus lowest(c in S by E)",
    "rule a() = {c.x for c in S where P} union {} union {a, {b}}",
    "rule a() = match x { a, b: 1; 2..4: 2; -1: 0; none, yes: 3; else: 4 }",
    "rule a() = x not in S and not x in S or A within B common C",
    "rule a() = if a then b\nelse if c then d\n  else e",
    "rule a() = f(a,\n  b\n  ,c)[\n1]\n  and g or\n  h",
    "rule a() { var harm[Player]: 0..9 = 0; var x[r in A, B] = 1 }",
    "rule a() { repeat { f() }; repeat n times { f() }; while a { break } }",
    "rule a() { return; }\nrule b() { return a }\nrule c() { }",
    "rule a() { me loses n fire[red]; me pays cost gold; p.x gains 1 + 2 * n water or lose the rest }",
    "rule a() { roll die; roll die[red]; let x = roll die; let y = random {1, 2} }",
    "rule a() { say to p \"x\"; say to.x; say \"{if a then \"b {c}\" else \"\"}\" }",
    "rule a() { roll = 1; draw = 2; win += 1; say -= 1; swap = 3; reset = 4; finish = 5 }",
    "rule a() { roll(1); draw(); pass(); move(a); win(); say(1); reset(2); swap(3, 4) }",
    "rule a() { let c = choose me \"Which?\" discard from me.hand from x }",
    "rule a() { for p in Player from next(me) where p.x { } }",
    "rule a() { turns me from random Player where me.playing { } }",
    "rule a() { match x { a: if b { c() } else { d() }\n else: { } } }",
    "rule a() { if a { b() }\n  else if c { d() }\n  else { e() } }",
    "rule a() { finish win me; finish draw; finish ranking p by p.x lowest, p.y highest }",
    "play { choose me { roll { }; draw(x) for x in S { }\n pass \"P {a}\"\n let a = 1\n when a > 0\n { } } }",
    "play { choose me \"{x}?\" { }\n or keep \"k\"\n when P\n {\n }\n else\n { } }",
    "rule a() { reset a, b[c],\n d.e }\nsetup { }",
    "rule a(from: Player, to: 1..3) -> Player { from += 1; from.x = -from; return from }",
    "rule a() { for from in from from from where from in S { from gains 1 from } }",
    "rule a() { if from == to and from not in S { swap from and from[from]; return a(from) } }",
    "play { turns from from from { choose from { slide(from, to) for from in A for to in B { } } } }",
    "rule a() { move from to from; show from to to; roll from; match from { from: b(); else: c() } }",
    "rule a() { let x = choose (from) pick from from; let y = if from then from else from - 1 }",
    "each player has {\n coin from \"From\": 0..5 = 1; die by = 1 2\n at[of]: number = 0 hidden\n}",
];

/// Asserts that an expression is read as if it had these parentheses.
#[track_caller]
fn reads_as(text: &str, expected: &str) {
    let read = |text: &str| parse_expression(&Source::new("x", text)).expect("an expression");
    assert_eq!(dump(&read(text)), dump(&read(expected)));
}

#[test]
fn the_sample_is_read() {
    assert_eq!(reads(&sample()).items.len(), 16);
}

#[test]
fn all_forms_are_read() {
    for text in FORMS {
        reads(text);
    }
}

#[test]
fn operators_bind_as_the_table_says() {
    reads_as("a or b and not c == d", "a or (b and (not (c == d)))");
    reads_as("not x in s", "not (x in s)");
    reads_as("a - b - c * -d", "(a - b) - (c * (-d))");
    reads_as("x in a union b minus c", "x in ((a union b) minus c)");
    reads_as("1..n - 1", "1..(n - 1)");
    reads_as("a union b from c", "(a union b) from c");
    reads_as("-a.b[c]", "-((a.b)[c])");
    reads_as("if a then b else c + 1", "if a then b else (c + 1)");
}

#[test]
fn what_is_read_is_drawn_as_a_tree() {
    let drawn = dump(&reads("rule a(p: Player) = x not in S and count(c in S: c.x) > -1").items);
    let expected = "\
Rule a
  params: [Param(name: p, ty: Kind(Player))]
  body: Value
    Binary And
      Binary(NotIn, x, S)
      Binary Greater
        Fold(word: Count, binders: [Binder(name: c, set: S)], body: [Field(c, x)])
        Unary(Negate, 1)
";
    assert_eq!(drawn, expected);
}

#[test]
fn lines_go_on_where_they_say_so() {
    reads_as("a +\n  b\n  and c\n  or d", "((a + b) and c) or d");
    reads_as("if a then b\nelse c", "if a then b else c");
    reads_as("f(a\n  - b,\n\n  c)", "f(a - b, c)");
    reads_as("{a,\n b}\n union c # d\n # e\n minus d", "({a, b} union c) minus d");
}

#[test]
fn an_open_range_ends_with_its_line() {
    let ast = reads("each player has {\n  coin fire: 0.. = 0\n  water: 0.. = 0\n}");
    let apart = reads("each player has { coin fire: 0.. = 0; water: 0.. = 0 }");
    assert_eq!(dump(&ast.items), dump(&apart.items));
}

#[test]
fn else_with_a_colon_is_a_case() {
    reads("rule a() {\n  match x {\n    a: if b { c() }\n    else: d()\n  }\n}");
}

#[test]
fn a_declaration_may_stand_at_any_margin() {
    assert_eq!(reads("  let a = 1\r\n\tlet b = 2\r\n  ## note\r\n  play { }").items.len(), 3);
}

#[test]
fn spans_are_those_of_the_source() {
    let source = Source { base: 100, ..Source::new("x", " foo ( a ) . b + 1 ") };
    let expr = parse_expression(&source).expect("it is an expression");
    assert_eq!(source.slice(expr.span), "foo ( a ) . b + 1");
    assert_eq!(expr.span.start, 101);
    assert_eq!(print_expression(&expr), "foo(a).b + 1");
}

#[test]
fn snippets_are_read_alone() {
    let statement = |text: &str| parse_statements(&Source::new("x", text)).is_ok();
    assert!(statement("me gains 2 water # now"));
    assert!(statement("if a { b() }\nelse { c() }\n"));
    assert!(statement("{ a(); b = 2 }"));
    assert!(!statement("a() b()"));
    assert!(!statement(""));
    let expression = |text: &str| parse_expression(&Source::new("x", text)).is_ok();
    assert!(expression("kind + table"));
    assert!(!expression("a = 3"));
}

#[test]
fn notes_are_no_comments() {
    let ast = reads("# c\n## n1\n## n2\nlet a = 1 # d\n");
    assert_eq!(ast.items[0].notes, ["n1", "n2"]);
}
