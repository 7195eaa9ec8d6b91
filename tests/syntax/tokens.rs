//! Cutting files into tokens, which may be broken anywhere.

use astragal::machinery::syntax::{RESERVED, TokenKind, in_pascal_case, in_snake_case, tokenize};

use super::parsed;
use crate::support::reserved_words;

#[test]
fn texts_have_holes_and_end_with_their_line() {
    let text = "say \"a {f(x)} b\" # \"c\nlet n = 3, \"open {y\nz";
    let found = tokenize(text);
    let of = |kind| {
        let tokens = found.all.iter().filter(|token| token.kind == kind);
        tokens.map(|token| token.text).collect::<Vec<&str>>()
    };
    assert_eq!(of(TokenKind::Word), ["say", "f", "x", "let", "n", "y", "z"]);
    assert_eq!(of(TokenKind::Text), ["\"a ", " b\"", "\"open "]);
    assert_eq!(of(TokenKind::Comment), ["# \"c"]);
    assert_eq!(of(TokenKind::Number), ["3"]);
    assert!(found.open.is_empty() && !found.in_text);
    assert_eq!(found.pairs.len(), 2);
}

#[test]
fn brackets_that_are_open_are_known() {
    let found = tokenize("rule f() { if any(x in \"{a[1");
    let open: String = found.open.iter().map(|bracket| bracket.letter).collect();
    assert_eq!(open, "{({[");
    assert!(tokenize("say \"a \\\" b").in_text);
}

#[test]
fn no_byte_is_lost() {
    let text = "\t x+=1..3 “ü”\r\n\"{a}{b # c\n}\"\\\"{\"";
    let found: String = tokenize(text).all.iter().map(|token| token.text).collect();
    assert_eq!(found, text);
}

#[test]
fn a_bracket_that_does_not_fit_leaves_its_hole_open() {
    let found = tokenize("say \"{a) + (b} c\" d");
    let texts = found.all.iter().filter(|token| token.kind == TokenKind::Text);
    assert_eq!(texts.map(|token| token.text).collect::<Vec<_>>(), ["\"", " c\""]);
    assert!(found.open.is_empty() && !found.in_text);
}

#[test]
fn the_two_writings_turn_into_each_other() {
    assert_eq!(in_pascal_case("deep_water"), "DeepWater");
    assert_eq!(in_snake_case("DeepWater"), "deep_water");
}

#[test]
fn the_grammar_reserves_the_same_words() {
    let mut reserved = RESERVED.to_vec();
    reserved.sort_unstable();
    assert_eq!(reserved, reserved_words());
    let is_name = |word: &str| parsed(&format!("let {word} = 1\n")).1.is_empty();
    assert!(!RESERVED.iter().any(|word| is_name(word)));
    assert!(is_name("turn"));
}
