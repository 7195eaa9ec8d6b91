//! The parser that is made from `grammar/*.pest`, and what its rules are called in messages.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The parser and its rules.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/tokens.pest"]
#[grammar = "grammar/expressions.pest"]
#[grammar = "grammar/statements.pest"]
#[grammar = "grammar/game.pest"]
pub(super) struct GameParser;

/// The rules that are a sign, and how people write them.
const SIGNS: &[(Rule, &str)] = &[
    (Rule::open_brace, "{"),
    (Rule::close_brace, "}"),
    (Rule::open_paren, "("),
    (Rule::close_paren, ")"),
    (Rule::open_bracket, "["),
    (Rule::close_bracket, "]"),
    (Rule::comma, ","),
    (Rule::colon, ":"),
    (Rule::dot, "."),
    (Rule::dots, ".."),
    (Rule::dots_to, ".."),
    (Rule::arrow, "->"),
    (Rule::equals, "="),
    (Rule::plus_equals, "+="),
    (Rule::minus_equals, "-="),
    (Rule::slash, "/"),
    (Rule::dash, "-"),
    (Rule::separator, "\n"),
    (Rule::EOI, "end of the text"),
];

/// The rules that are a word: `kw_if` is `if`.
static WORDS: LazyLock<BTreeMap<Rule, String>> = LazyLock::new(|| {
    let written = |rule: &Rule| format!("{rule:?}").strip_prefix("kw_").map(str::to_owned);
    Rule::all_rules().iter().filter_map(|rule| Some((*rule, written(rule)?))).collect()
});

/// How a rule that is one word or one sign is written.
pub(super) fn token(rule: Rule) -> Option<&'static str> {
    let sign = SIGNS.iter().find(|(token, _)| *token == rule).map(|(_, written)| *written);
    sign.or_else(|| WORDS.get(&rule).map(String::as_str))
}
