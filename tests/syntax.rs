//! The form of a file: what is read, as what, and what is said of what cannot be read.

mod limits;
mod printing;
mod reading;
mod tokens;

use std::fmt::Write;

use astragal::machinery::budget::Budget;
use astragal::machinery::diagnostic::Diagnostics;
use astragal::machinery::source::Source;
use astragal::machinery::syntax::ast::Ast;
use astragal::machinery::syntax::{parse, tidy};

use crate::support::{read, root, snapshots};

/// A game that uses most of the language.
fn sample() -> String {
    read(&root().join("tests/syntax/sample.game"))
}

fn parsed(text: &str) -> (Ast, Diagnostics) {
    parse(&Source::new("test.game", text))
}

#[track_caller]
fn reads(text: &str) -> Ast {
    let (ast, diagnostics) = parsed(text);
    let messages: Vec<_> = diagnostics.sorted().iter().map(ToString::to_string).collect();
    assert!(messages.is_empty(), "{messages:#?}");
    ast
}

/// A text laid out, which has no mistake of form.
fn tidied(text: &str) -> String {
    let source = Source::new("test.game", text);
    tidy(&source, &parse(&source).0, &Budget::default()).expect("there is room for it")
}

/// The findings, each as `line:column code: message`, with its help.
fn findings(text: &str) -> String {
    let source = Source::new("test.game", text);
    let mut all = String::new();
    for finding in parse(&source).1.sorted() {
        let at = source.place(finding.place().start);
        let code = finding.code.expect("each finding has a code").to_string();
        let code = code.trim_start_matches("syntax::");
        let _ = writeln!(all, "{}:{} {code}: {finding}", at.line, at.column);
        if let Some(help) = &finding.help {
            let _ = writeln!(all, "    help: {help}");
        }
    }
    all
}

/// Short texts, each with what is said of it.
#[test]
fn slips_are_answered() {
    let _guard = snapshots("syntax");
    let text = read(&root().join("tests/syntax/messages.txt"));
    let answers = text.split("\n---\n").map(|text| {
        let said = findings(text.trim_end_matches('\n'));
        assert!(!said.is_empty(), "nothing is wrong with {text}");
        format!("{}\n>>>\n{said}", text.trim_end())
    });
    let answers = answers.collect::<Vec<_>>().join("---\n");
    insta::with_settings!({ snapshot_suffix => "messages.txt" }, {
        insta::assert_snapshot!("message", answers);
    });
}

#[test]
fn what_cannot_be_seen_is_named() {
    assert!(findings("").starts_with("1:1 empty: expected a declaration, found an empty file\n"));
    let zero = findings("let a = \0");
    assert!(zero.starts_with("1:9 stray_character: `\\0` means nothing here\n"), "{zero}");
}

#[test]
fn the_declarations_behind_a_broken_one_are_read() {
    let text = "rule a() {\n  f()\nrule b() = 1\nrule c() = +\nrule d() = 1 1\nplay { }\n";
    let (ast, diagnostics) = parsed(text);
    assert_eq!((ast.items.len(), diagnostics.errors()), (2, 3));
}

/// The phrases of the file, each with its examples: what is typed, and what is answered.
fn phrases(text: &str) -> Vec<(&str, Vec<(String, &str)>)> {
    let mut phrases: Vec<(&str, Vec<(String, &str)>)> = Vec::new();
    let (_, stages) = text.split_once("\n== ").expect("phrases stand below a heading");
    for line in stages.lines() {
        if let (Some(example), Some((_, examples))) =
            (line.strip_prefix("    "), phrases.last_mut())
        {
            let (typed, answer) = example.split_once(" => ").unwrap_or((example, ""));
            examples.push((typed.replace("\\n", "\n"), answer));
        } else if line.contains(">>") {
            phrases.push((line, Vec::new()));
        }
    }
    phrases
}

#[test]
fn phrases_answer_their_examples() {
    let text = read(&root().join("grammar/phrases.txt"));
    let mut wrong = String::new();
    for (phrase, examples) in phrases(&text) {
        assert!(!examples.is_empty(), "no example of {phrase}");
        let (_, words) = phrase.split_once(" => ").expect("a phrase has an answer");
        let known = words.split(['{', '=', '+']).next().unwrap_or_default().trim_end();
        for (typed, answer) in examples {
            let source = Source::new("typed", typed.as_str());
            let found = parse(&source).1.sorted();
            let said = found.first().and_then(|finding| finding.help.as_deref());
            let said = said.map(str::to_owned).unwrap_or_default();
            if said != answer || !said.starts_with(known) {
                let _ = writeln!(wrong, "{phrase}\n    {} => {said}", typed.replace('\n', "\\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "not as the file says:\n{wrong}");
}
