//! Texts that nobody writes: deep, long, broken, binary.

use std::time::{Duration, Instant};

use astragal::machinery::budget::Budget;
use astragal::machinery::dump::dump;
use astragal::machinery::source::Source;
use astragal::machinery::syntax::ast::Ast;
use astragal::machinery::syntax::{MAX_BYTES, parse, tidy};

use super::{parsed, reads, sample};

/// A text with `depth` of something around something else.
fn nested(depth: usize, before: &str, inside: &str, after: &str) -> String {
    format!("{}{inside}{}", before.repeat(depth), after.repeat(depth))
}

fn nests(depth: usize) -> Vec<String> {
    vec![
        format!("let a = {}", nested(depth, "(", "1", ")")),
        format!("let a = {}", nested(depth, "{", "1", "}")),
        format!("let a = {}", nested(depth, "f(", "1", ")")),
        format!("let a = {}", nested(depth, "x[", "1", "]")),
        format!("let a = {}", nested(depth, "{c in ", "S", " where c}")),
        format!("let a = {}", nested(depth, "any(c in S: ", "c", ")")),
        format!("let a = {}", nested(depth, "not ", "b", "")),
        format!("let a = {}", nested(depth, "- ", "b", "")),
        format!("let a = {}", nested(depth, "if b then ", "c", " else d")),
        format!("let a = b{}", ".c".repeat(depth)),
        format!("let a = b{}", " + c".repeat(depth)),
        format!("rule a() {{ {} }}", nested(depth, "if b { ", "f()", " }")),
        format!("rule a() {{ if b {{ }}{} }}", " else if c { }".repeat(depth)),
        format!("rule a(x: {}number) {{ }}", "set of ".repeat(depth)),
        format!("rule a() {{ {} }}", nested(depth, "match b { c: { ", "f()", " } }")),
        format!("rule a() {{ {} }}", nested(depth, "choose me { b { ", "f()", " } }")),
    ]
}

/// A walk that repeats its children takes hours at this depth; a busy machine takes seconds at most.
fn time_limit() -> Duration {
    Duration::from_mins(1)
}

#[test]
fn eighty_levels_are_read_in_no_time() {
    // Few enough for the stack of the caller, and too many for it.
    for text in [7, 10, 20, 80].into_iter().flat_map(nests) {
        let start = Instant::now();
        answers(&text);
        assert!(start.elapsed() < time_limit(), "{text}");
    }
}

#[test]
fn two_hundred_brackets_are_read_in_no_time() {
    for (before, after) in [("(", ")"), ("{", "}"), ("x[", "]"), ("{ (", ") }")] {
        let depth = if before.len() == 3 { 100 } else { 200 };
        let start = Instant::now();
        reads(&format!("let a = {}", nested(depth, before, "1", after)));
        assert!(start.elapsed() < time_limit(), "{before}");
    }
}

#[test]
fn deep_and_wrong_is_refused_in_no_time() {
    for text in nests(80) {
        for wrong in [text.replace('1', "1 1"), text.replace("f()", "f( f"), format!("{text} =")] {
            let start = Instant::now();
            parsed(&wrong);
            assert!(start.elapsed() < time_limit(), "{wrong}");
        }
    }
}

#[test]
fn ten_thousand_levels_are_too_deep() {
    for text in nests(10_000) {
        let (_, diagnostics) = parsed(&text);
        let messages: Vec<_> = diagnostics.sorted().iter().map(ToString::to_string).collect();
        assert_eq!(messages, ["this is nested more than 256 levels deep"], "{}", &text[..40]);
    }
}

#[test]
fn long_but_shallow_is_read() {
    reads(&format!("let a = f({})", vec!["b + 1"; 1000].join(", ")));
    reads(&format!("rule a() {{\n{}}}", "  if b { c() }\n".repeat(1000)));
    reads(&format!("kind K {{\n a\n{}}}", "  b - - - - -\n".repeat(1000)));
}

#[test]
fn a_huge_file_is_refused() {
    let (_, diagnostics) = parsed(&"#".repeat(MAX_BYTES + 1));
    assert_eq!(diagnostics.errors(), 1);
}

#[test]
fn megabytes_of_rubbish_are_refused_in_no_time() {
    for rubbish in ["\n", "rule x {\n", "play {\n", "}", "\"", "{", "\"{", "a", "##\n", "(", "))"] {
        let start = Instant::now();
        let (_, diagnostics) = parsed(&rubbish.repeat(200_000 / rubbish.len()));
        assert!(diagnostics.has_errors(), "{rubbish:?}");
        assert!(start.elapsed() < 5 * time_limit(), "{rubbish:?}");
    }
}

/// Reads a text; what is read without a mistake must be laid out so that it reads the same.
fn answers(text: &str) {
    let laid_out = |source: &Source, ast: &Ast| {
        Source::new("x", tidy(source, ast, &Budget::default()).expect("there is room for it"))
    };
    let source = Source::new("x", text);
    let (ast, diagnostics) = parse(&source);
    if diagnostics.is_empty() {
        let once = laid_out(&source, &ast);
        let (again, _) = parse(&once);
        assert_eq!(dump(&again.items), dump(&ast.items), "{text}\n---\n{}", once.text);
        assert_eq!(laid_out(&once, &again).text, once.text, "{text}");
    }
}

/// Each text that is one step away from a right one must be answered, never with a panic.
#[test]
fn no_slip_of_one_letter_makes_it_panic() {
    let signs = ["{", "}", "\"", "(", ")", "\n", "é", "..", "# x\n", "\\", "=", " ", " a ", "\n\n"];
    let sample = sample();
    let places: Vec<_> = sample.char_indices().map(|(at, _)| at).collect();
    for (number, at) in places.into_iter().enumerate().step_by(5) {
        let rest = &sample[at..];
        let letter = rest.chars().next().expect("there is a letter at each place");
        answers(&format!("{}{}", &sample[..at], &rest[letter.len_utf8()..]));
        let sign = signs[number % signs.len()];
        answers(&format!("{}{sign}{rest}", &sample[..at]));
        answers(&sample[..at]);
        answers(rest);
    }
}
