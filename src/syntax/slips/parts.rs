//! What may be missing or meant where the grammar cannot go on: signs, words, and a value for each sort of them.

use crate::syntax::explain::{Rank, VALUES, describe_rule, rank};
use crate::syntax::parser::{Rule, token};
use crate::syntax::slips::repair::Near;
use crate::syntax::tokens::is_part;

/// How many signs are tried where many are expected: there none of them tells what was meant.
const MOST_SIGNS: usize = 20;

/// What may be missing or meant at a place, and one of it.
pub(super) struct Part {
    pub(super) what: String,
    pub(super) text: &'static str,
    pub(super) is_sign: bool,
}

impl Part {
    pub(super) fn sign(text: &'static str) -> Part {
        Part { what: format!("`{text}`"), text, is_sign: true }
    }

    pub(super) fn is_operator(&self) -> bool {
        self.what == "an operator"
    }
}

/// `=`, `+=` or an operator
pub(super) fn any_of(parts: &[Part]) -> String {
    one_of(&parts.iter().map(|it| it.what.clone()).collect::<Vec<_>>())
}

pub(super) fn quoted_list(words: &[&str]) -> String {
    one_of(&words.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>())
}

fn one_of(all: &[String]) -> String {
    let (last, first) = all.split_last().expect("something is meant");
    if first.is_empty() { last.clone() } else { format!("{} or {last}", first.join(", ")) }
}

impl Near<'_> {
    /// The words and signs that are expected, the most telling first.
    fn signs(&self, expected: &[Rule]) -> Vec<&'static str> {
        let mut rules: Vec<Rule> = expected.to_vec();
        rules.retain(|rule| {
            // Brackets come back below, where one is missing.
            let opens = matches!(rule, Rule::open_paren | Rule::open_bracket);
            !matches!(rule, Rule::EOI | Rule::separator) && (opens || rank(*rule) != Rank::Behind)
        });
        rules.sort_by_key(|rule| rank(*rule));
        if rules.first().is_some_and(|rule| rank(*rule) == Rank::Only) {
            rules.retain(|rule| rank(*rule) == Rank::Only);
        }
        // Most often all brackets have their partners already.
        let text = self.mistake.text;
        let fewer =
            |sign: &str, other: &str| text.matches(sign).count() < text.matches(other).count();
        let pairs = [("{", "}"), ("(", ")"), ("[", "]")];
        let written = |rule: Rule| match rule {
            Rule::clause => vec!["for", "when"],
            Rule::block => vec!["{"],
            Rule::statement => vec!["return", "say"],
            Rule::operand | Rule::expression | Rule::plain => vec!["(", "top", "if"],
            Rule::any_type => vec!["set"],
            Rule::assign => vec!["=", "+=", "-="],
            Rule::sight => vec!["seen"],
            rule => token(rule).into_iter().collect(),
        };
        let lacks = |sign: &str| {
            let pair = pairs.iter().find(|pair| sign == pair.0 || sign == pair.1);
            pair.is_none_or(|(a, b)| fewer(sign, if sign == *a { b } else { a }))
        };
        let signs = rules.into_iter().flat_map(written).filter(|sign| lacks(sign));
        signs.take(MOST_SIGNS).collect()
    }

    /// All that may stand where something of these rules is expected: values, then signs, then operators.
    pub(super) fn parts(&self, expected: &[Rule]) -> Vec<Part> {
        let (mut parts, mut operators) = (Vec::new(), Vec::new());
        for (what, text) in Self::placeholders(expected) {
            let is_operator = what == "an operator";
            let to = if is_operator { &mut operators } else { &mut parts };
            to.push(Part { what: what.to_owned(), text, is_sign: false });
        }
        parts.extend(self.signs(expected).into_iter().map(Part::sign));
        parts.extend(operators);
        parts
    }

    /// Whether the parentheses around the mistake hold one set alone.
    pub(super) fn folds(&self) -> bool {
        let (before, _) = self.mistake.line_before().rsplit_once('(').unwrap_or_default();
        let word = &before[before.trim_end_matches(is_part).len()..];
        ["any", "all", "count", "first", "last", "only", "highest", "lowest"].contains(&word)
    }

    /// Expected items that are no signs: name and an example.
    fn placeholders(expected: &[Rule]) -> Vec<(&'static str, &'static str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        for rule in expected {
            let texts: &[&str] = match rule {
                Rule::operator | Rule::arithmetic_operator => &["+", "or"],
                Rule::number | Rule::cell_number => &["1"],
                Rule::string => &["\"x\""],
                Rule::parameter => &["x: Player"],
                Rule::variable => &["x = 1", "x"],
                // The lower end of a range, or any type.
                Rule::any_type => &["1", "Player"],
                Rule::faces => &["1..6"],
                Rule::game_name | Rule::name | Rule::word | Rule::member | Rule::place => {
                    &["x", "X"]
                }
                Rule::statement
                | Rule::cell
                | Rule::cell_rows
                | Rule::head_label
                | Rule::pattern
                | Rule::patterns
                | Rule::row
                | Rule::row_label => &["x"],
                rule if VALUES.contains(rule) => &["x"],
                _ => &[],
            };
            let what = |text: &'static str| match (rule, text) {
                (Rule::game_name, _) => ("the game that is changed", text),
                (Rule::variable | Rule::statement | Rule::row | Rule::row_label, "x") => {
                    ("a name", text)
                }
                (Rule::any_type, "1") => ("a number", text),
                _ => (describe_rule(*rule).unwrap_or_default(), text),
            };
            found.extend(texts.iter().map(|text| what(text)).filter(|it| !it.0.is_empty()));
        }
        // An operator is the last thing to think of: a value may be missing at many more places.
        found.sort_by_key(|(what, _)| (*what == "an operator", !what.starts_with("the game")));
        found.dedup();
        found
    }
}
