//! Findings in several texts at once, drawn and as JSON.

use serde_json::{Value, json};

use super::{draw, json as lines, summary};
use crate::diagnostic::Diagnostics;
use crate::session::RunError;
use crate::source::{Sources, Span};
use crate::transcript::ScriptError;

fn two_files() -> (Sources, Diagnostics) {
    let mut sources = Sources::default();
    sources.add("a.script", "game pairs\n\nAnn> täke 3\n");
    let base = sources.add("pairs.game", "# Pairs.\nmove take\nwhen open\n").base;
    let mut found = Diagnostics::new();
    found.push(RunError::IllegalMove {
        words: "täke 3".to_owned(),
        reason: "it is closed".to_owned(),
        help: None,
        span: Span::new(17, 24),
        rule: Some(Span::new(base + 24, base + 28)),
    });
    (sources, found)
}

#[test]
fn a_finding_shows_both_files() {
    let (sources, found) = two_files();
    let drawn = draw(&sources, &found, false, 80);
    assert!(drawn.contains("[a.script:3:6]"), "{drawn}");
    assert!(drawn.contains("Ann> täke 3"), "{drawn}");
    assert!(drawn.contains("[pairs.game:3:6]"), "{drawn}");
    assert!(drawn.contains("when open"), "{drawn}");
    assert!(!drawn.contains('\u{1b}'), "{drawn}");
}

#[test]
fn colour_is_used_when_it_is_wanted() {
    let (sources, found) = two_files();
    assert!(draw(&sources, &found, true, 80).contains('\u{1b}'));
}

#[test]
fn json_has_one_object_a_line() {
    let (sources, found) = two_files();
    let text = lines(&sources, &found);
    assert_eq!(text.lines().count(), 1);
    let expected = json!({
        "severity": "error", "code": "script::illegal_move",
        "message": "`täke 3` is illegal here: it is closed", "help": null, "fix": null,
        "file": "a.script", "line": 3, "column": 6, "end_line": 3, "end_column": 12,
        "related": [{
            "message": "because of this", "file": "pairs.game",
            "line": 3, "column": 6, "end_line": 3, "end_column": 10,
        }],
    });
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
}

#[test]
fn json_has_the_text_that_mends_a_mistake() {
    let mut sources = Sources::default();
    let source = sources.add("a.script", "playrs Ann");
    let found = crate::transcript::parse(source).expect_err("a word is misspelt");
    let text = lines(&sources, &found);
    let value: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let expected = json!({
        "text": "players", "file": "a.script",
        "line": 1, "column": 1, "end_line": 1, "end_column": 7,
    });
    assert_eq!(value["fix"], expected, "{value}");
}

#[test]
fn a_finding_without_a_place_has_no_file() {
    let mut found = Diagnostics::new();
    found.push(super::super::error::CliError::NoSeed);
    let value: Value = serde_json::from_str(&lines(&Sources::default(), &found)).unwrap();
    assert_eq!((&value["file"], &value["line"]), (&Value::Null, &Value::Null));
    assert!(draw(&Sources::default(), &found, false, 80).contains("no random number"));
}

#[test]
fn a_finding_at_the_very_end_is_drawn() {
    let mut sources = Sources::default();
    sources.add("empty.script", "");
    let mut found = Diagnostics::new();
    found.push(ScriptError::NoGame { span: Span::new(0, 0) });
    assert!(draw(&sources, &found, false, 80).contains("empty.script"));
}

#[test]
fn findings_are_counted() {
    let (_, mut found) = two_files();
    assert_eq!(summary(&found), "1 error");
    found.push(RunError::Stopped { span: Span::new(0, 4) });
    found.push(RunError::NoSeed { span: Span::new(0, 4) });
    assert_eq!(summary(&found), "2 errors");
    assert_eq!(summary(&Diagnostics::new()), "no errors");
}
