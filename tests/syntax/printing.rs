//! What is printed and what is laid out reads the same again.

use astragal::machinery::dump::dump;
use astragal::machinery::source::Source;
use astragal::machinery::syntax::{parse_expression, print_expression};

use super::reading::FORMS;
use super::{reads, sample, tidied};

#[track_caller]
fn prints_as(text: &str, expected: &str) {
    let read = |text: &str| parse_expression(&Source::new("x", text)).expect("an expression");
    let printed = print_expression(&read(text));
    assert_eq!(printed, expected);
    assert_eq!(dump(&read(&printed)), dump(&read(text)), "{printed}");
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
        "match x { a, b: 1; 2..4: 2; -1: 0; else: 4 }",
        "highest(c in S where Q by E, if a then b else c lowest) minus {c.x for c in S}",
        "choose me \"Which?\" discard from top 2 of deck",
        "choose (from) pick from from",
        "choose from \"Which?\" from from to",
        "highest(from in from from from where from.x by from, by)",
        "top from of from",
        "\"{if a then \"b {c}\" else \"\"} \\{\"",
    ] {
        prints_as(text, text);
    }
}

#[test]
fn needless_parentheses_go() {
    prints_as("((a * b) + (c))", "a * b + c");
    prints_as("{c in (S from x) where P}", "{c in S from x where P}");
    prints_as("if (a) then (b) else (c)", "if a then b else c");
}

#[test]
fn drawn_tables_are_aligned() {
    let text = "kind K {\n a b: number c=-\n ## A note.\n xx 1 22 {a, b} # why\n y \"t \\{\" -\n}";
    let expected = "kind K {\n      a       b: number  c=-\n  ## A note.\n  xx  1       22         \
                    {a, b}  # why\n  y   \"t \\{\"  -\n}\n";
    assert_eq!(tidied(text), expected);
    let parted = "kind K {\n     a\n  x  1\n  ## A note.\n\n  y  2\n}\n";
    let expected = "kind K {\n     a\n  x  1\n\n  ## A note.\n  y  2\n}\n";
    assert_eq!(tidied(parted), expected);
    let apart = "board B 2 by 1 { ; # top\n\n a: number {\n 1 20 # one\n\n\n }\n # end\n}";
    let expected = "board B 2 by 1 {  # top\n  a: number {\n    1  20  # one\n  }\n  # end\n}\n";
    assert_eq!(tidied(apart), expected);
}

#[test]
fn all_forms_are_laid_out_once() {
    for text in FORMS.iter().copied().chain([sample().as_str()]) {
        let once = tidied(text);
        assert_eq!(dump(&reads(&once).items), dump(&reads(text).items), "{once}");
        assert_eq!(tidied(&once), once);
    }
}
