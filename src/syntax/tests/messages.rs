//! Slips, and what is said about them.

use std::fmt::Write;

use super::read;
use crate::source::Source;

/// The findings, each as `line:column code message`.
fn findings(text: &str) -> String {
    let source = Source::new("test.game", text);
    let mut all = String::new();
    for finding in read(text).1.sorted() {
        let at = source.place(finding.place().start);
        let code = finding.code().expect("each finding has a code").to_string();
        let code = code.trim_start_matches("syntax::").to_owned();
        writeln!(all, "{}:{} {code}: {finding}", at.line, at.column).expect("texts can grow");
    }
    all.trim_end().to_owned()
}

#[track_caller]
fn says(text: &str, expected: &str) {
    assert_eq!(findings(text), expected, "{text}");
}

#[test]
fn an_empty_file_is_refused() {
    says("", "1:1 empty: expected a declaration, found an empty file");
    says(" \n# only this\n", "1:1 empty: expected a declaration, found an empty file");
}

#[test]
fn a_bracket_never_closed_is_pointed_at() {
    let unclosed = |place| format!("{place} unclosed_bracket: this `{{` is never closed");
    says("rule a() {\n  f()\nrule b() = 1", &unclosed("1:10"));
    says("rule a() {\n  if x {\n    f()\n}\nrule b() = 1", &unclosed("2:8"));
    says("rule a() {\n  if x {\n    f()\n  g()\n}\n\n## n\nplay { }", &unclosed("2:8"));
    says("kind K {\n  a, b\ntable t[K] = 1 2", &unclosed("1:8"));
    says("rule a() {\n  f(1, 2\n}\nrule b() = 1", "2:4 unclosed_bracket: this `(` is never closed");
    says("let a = (1 +\nrule b() = 1", "1:9 unclosed_bracket: this `(` is never closed");
}

#[test]
fn the_declarations_behind_a_broken_one_are_read() {
    let (ast, diagnostics) =
        read("rule a() {\n  f()\nrule b() = 1\nrule c() = +\nrule d() = 1 1\nplay { }\n");
    assert_eq!((ast.items.len(), diagnostics.errors()), (2, 3));
}

#[test]
fn a_bracket_too_many_is_pointed_at() {
    let stray = "nothing is open here that this `}` could close";
    says("}", &format!("1:1 stray_bracket: {stray}"));
    says("rule a() {\n  f()\n}\n}\nrule b() = 1", &format!("4:1 stray_bracket: {stray}"));
    says("let a = 1)", "1:10 stray_bracket: nothing is open here that this `)` could close");
}

#[test]
fn a_missing_brace_is_named() {
    let missing = "missing_brace: expected `{`, found the end of the line";
    says("rule a() {\n  if x\n    f()\n  }\n  g()\n}\nlet b = 1", &format!("2:7 {missing}"));
    says("play\n{\n}", &format!("1:5 {missing}"));
}

#[test]
fn a_lost_quote_is_pointed_at() {
    let lost = "unclosed_text: this text has no closing quote";
    says("\"", &format!("1:1 {lost}"));
    says("play {\n  say \"a {b\"\n}\nlet a = 1", &format!("2:7 {lost}"));
    says("let a = \"x", &format!("1:9 {lost}"));
}

#[test]
fn a_misspelt_declaration_is_named() {
    says("rul a() {\n}", "1:1 unknown_declaration: expected a declaration, found `rul`");
    says("let a = 1\nfoo()\n", "2:1 unknown_declaration: expected a declaration, found `foo`");
}

#[test]
fn names_in_the_wrong_writing_are_named() {
    says(
        "kind deep_water { a }",
        "1:6 kind_name: the kind `deep_water` should be called `DeepWater`",
    );
    says("rule Foe() = 1", "1:6 small_name: the rule `Foe` should be called `foe`");
    says("let in = 1", "1:5 reserved_word: `in` is a word of the language and cannot be a name");
    says(
        "play { let match = 1 }",
        "1:12 reserved_word: `match` is a word of the language and cannot be a name",
    );
    says(
        "kind K {\n  x\n  for 1\n}",
        "3:3 reserved_word: `for` is a word of the language and cannot be a name",
    );
}

#[test]
fn habits_from_other_languages_are_answered() {
    says(
        "play {\n  if x = 3 { f() }\n}",
        "2:8 assignment_in_condition: `=` gives a value; `==` compares",
    );
    says(
        "let a = any(c in S: c = 3)",
        "1:23 assignment_in_condition: `=` gives a value; `==` compares",
    );
    let else_if = "is not a word of the language";
    says("play {\n  if x { } elseif y { }\n}", &format!("2:12 else_if: `elseif` {else_if}"));
    says("play {\n  if x { }\n  elif y { }\n}", &format!("3:3 else_if: `elif` {else_if}"));
    says("let a = b && c", "1:11 foreign_sign: `&&` is not a sign of this language");
    says("let a = b || c", "1:11 foreign_sign: `||` is not a sign of this language");
    says("let a = !b", "1:9 foreign_sign: `!` is not a sign of this language");
    says("play { x++ }", "1:9 foreign_sign: `++` is not a sign of this language");
    says("play { say 'x' }", "1:12 foreign_sign: `'` is not a sign of this language");
    says("let a = true", "1:9 foreign_truth: `true` is written `yes` here");
    says(
        "rule f(x: number) number = 3",
        "1:19 missing_arrow: the type of a rule's value stands behind `->`",
    );
}

#[test]
fn chains_are_refused() {
    says("let a = 1 < x < 3", "1:15 chained_comparison: comparisons cannot be chained");
    says("let a = x in S == yes", "1:16 chained_comparison: comparisons cannot be chained");
    says("let a = 1..2..3", "1:13 chained_range: a range has two ends");
}

#[test]
fn numbers_and_texts_are_checked() {
    says(
        "let a = 99999999999999999999",
        "1:9 number_too_large: the number `99999999999999999999` is too large",
    );
    says("let a = 1.5", "1:9 decimal: `1.5` is not a whole number");
    says("let a = \"é\\q\"", "1:11 unknown_escape: `\\q` means nothing in a text");
    says("let a = \"{}\"", "1:11 unexpected: expected an expression, found `}`");
    says("kind K {\n  t\n  a \"{x}\"\n}", "3:7 hole_in_cell: a drawn cell holds plain words");
    says("let a = ä", "1:9 stray_character: `ä` means nothing here");
    says("let a = \u{0}", "1:9 stray_character: `\\0` means nothing here");
}

#[test]
fn what_is_expected_is_said_in_words() {
    says(
        "play {\n  x = 3 y\n}",
        "2:9 unexpected: expected an operator, a new line or `}`, found `y`",
    );
    says("play {\n  x =\n}", "3:1 unexpected: expected an expression, found `}`");
    says("play {\n  f() g()\n}", "2:7 unexpected: expected a new line or `}`, found `g`");
    says(
        "play { finish wun me }",
        "1:15 unexpected: expected `draw`, `win` or `ranking`, found `wun`",
    );
    says("let a = b +\n\nlet c = 1", "1:12 unexpected: expected an expression, found the end");
    says("each player have {\n}", "1:13 unexpected: expected `has`, found `have`");
    says("play { for x on S { } }", "1:14 unexpected: expected `in`, found `on`");
    says(
        "play {\n  choose me {\n    a(x) fr x in S { }\n  }\n}",
        "3:10 unexpected: expected `{`, `for`, `let`, `maybe` or `when`, found `fr`",
    );
    says("play {\n  x\n}", "2:3 idle_statement: this does nothing");
    says(
        "let a = {x + 1 where x > 3}",
        "1:10 filter_without_name: expected `NAME in SET` before `where`",
    );
}

#[test]
fn a_misspelt_word_is_suggested() {
    let (_, diagnostics) = read("play { finish wim me }");
    let help = diagnostics.sorted()[0].help().expect("there is a near word").to_string();
    assert_eq!(help, "did you mean `win`?");
}

#[test]
fn a_note_above_nothing_is_named() {
    says("let a = 1\n## lost\n", "2:1 stray_note: this note belongs to nothing");
    says("play {\n  ## lost\n  f()\n}", "2:3 stray_note: this note belongs to nothing");
}

#[test]
fn members_without_commas_are_named() {
    says(
        "kind E {\n  fire\n  water\n}",
        "2:3 missing_comma: the members of a kind are separated by commas",
    );
}
