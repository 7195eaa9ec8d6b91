//! What is printed reads the same again.

use super::SAMPLE;
use super::reads;
use crate::syntax::ast::Ast;
use crate::syntax::print;

/// The tree without its places.
fn shape(ast: &Ast) -> String {
    let text = format!("{:#?}", ast.items);
    let mut kept: Vec<&str> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "span: Span {" {
            lines.nth(2);
        } else {
            kept.push(line);
        }
    }
    kept.join("\n")
}

#[track_caller]
fn prints_as(text: &str, expected: &str) {
    let ast = reads(text);
    let printed = print(&ast);
    assert_eq!(printed, expected);
    let again = reads(&printed);
    assert_eq!(shape(&again), shape(&ast), "{printed}");
    assert_eq!(print(&again), printed);
}

#[track_caller]
fn keeps(text: &str) {
    prints_as(text, text);
}

#[track_caller]
fn round_trips(text: &str) {
    let printed = print(&reads(text));
    prints_as(text, &printed);
}

#[test]
fn the_sample_round_trips() {
    round_trips(SAMPLE);
}

#[test]
fn drawn_tables_are_aligned() {
    prints_as(
        "kind K {\n a b: number c=-\n ## A note.\n xx 1 22 {a, b} # why\n y \"t \\{\" -\n}",
        "kind K {\n      a       b: number  c=-\n  ## A note.\n  xx  1       22         {a, b}  # why\n  \
         y   \"t \\{\"  -\n}\n",
    );
}

#[test]
fn comments_and_blank_lines_stay() {
    keeps(
        "# first\n\nlet a = 1  # one\n\n# two\nlet b = 2\n\nplay {  # begins\n  # before\n  f()  # behind\n\n  \
         g()\n  # last\n}\n# end\n",
    );
}

#[test]
fn a_comment_in_a_short_block_keeps_it_open() {
    keeps("play {\n  if a {\n    # why\n    f()\n  } else {\n    # why not\n    g()\n  }\n}\n");
}

#[test]
fn comments_between_moves_and_their_ends_stay() {
    keeps(
        "play {\n  choose me {\n    # the first\n    a { }\n    # the last\n    b { }\n  }\n  \
         # when nothing pleases\n  or pass { }\n  # when nothing is legal\n  else { finish draw }\n}\n",
    );
}

#[test]
fn parentheses_stay_where_they_mean_something() {
    for text in [
        "(a or b) and c",
        "a - (b - c)",
        "-(a + b)",
        "(if a then b else c) + 1",
        "not (a and b)",
        "(not a) == b",
        "(a..b).first",
        "(random S).x",
        "a union (b from c)",
        "(a == b) == c",
        "random (-x)",
        "f(if a then b else c, 1)",
        "(a in S) in T",
    ] {
        keeps(&format!("let x = {text}\n"));
    }
}

#[test]
fn needless_parentheses_go() {
    prints_as("let x = ((a * b) + (c))", "let x = a * b + c\n");
    prints_as("let x = {c in (S from x) where P}", "let x = {c in S from x where P}\n");
    prints_as("let x = if (a) then (b) else (c)", "let x = if a then b else c\n");
}

#[test]
fn long_lines_break_where_they_may() {
    let name = "a_name_of_some_length";
    let names = [name; 9];
    round_trips(&format!("rule a() = f({})", names.join(", ")));
    round_trips(&format!("rule a() {{ if {} {{ f() }} }}", names.join(" and ")));
    round_trips(&format!("rule a() = match x {{ 1: {}; else: 2 }}", names.join(" or ")));
    round_trips(&format!("rule a(x: {{{}}}) {{ }}", names.join(", ")));
    round_trips(&format!("kind A {{ {} }}", names.join(", ")));
    round_trips(&format!("play {{ let x = if {name} then {} else 2 }}", names.join(" union ")));
    round_trips(&format!(
        "play {{ choose me {{ a(b) for b in {{{}}} {{ }} }} }}",
        names.join(", ")
    ));
}

#[test]
fn all_forms_round_trip() {
    for text in super::reading::FORMS {
        round_trips(text);
    }
}
