//! The parser that is made from `grammar/*.pest`, and its pairs taken apart: `one`, `maybe` and `build_all`
//! read the parts of a rule in their order.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::sync::LazyLock;

use pest::iterators::{Pair, Pairs};

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Name, Note};
use crate::syntax::error;

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

/// A part of the tree, or why there is none.
pub(super) type Built<T> = Result<T, Diagnostic>;

/// A part of the tree that is built of what one rule matched.
pub(super) trait Build: Sized {
    /// The rules that it is built of.
    const RULES: &'static [Rule];
    fn build(node: Node<'_>) -> Built<Self>;
}

impl<T: Build> Build for Box<T> {
    const RULES: &'static [Rule] = T::RULES;
    fn build(node: Node<'_>) -> Built<Box<T>> {
        T::build(node).map(Box::new)
    }
}

impl Build for Name {
    const RULES: &'static [Rule] = &[Rule::name, Rule::word];
    fn build(node: Node<'_>) -> Built<Name> {
        Ok(Name { text: node.text.to_owned(), span: node.span })
    }
}

/// What a rule matched. Its parts come in order, without those that are only a word or a sign.
pub(super) struct Node<'i> {
    /// The global offset of the first byte that the grammar saw.
    pub(super) base: usize,
    pub(super) rule: Rule,
    pub(super) text: &'i str,
    /// Its place, without white space at its end.
    pub(super) span: Span,
    parts: Peekable<Pairs<'i, Rule>>,
}

impl<'i> Node<'i> {
    pub(super) fn new(pair: Pair<'i, Rule>, base: usize) -> Node<'i> {
        let (rule, text) = (pair.as_rule(), pair.as_str());
        let start = base + pair.as_span().start();
        let span = Span::new(start, start + text.trim_end().len());
        Node { base, rule, text, span, parts: pair.into_inner().peekable() }
    }

    /// All its parts, words and signs too.
    pub(super) fn pairs(self) -> Peekable<Pairs<'i, Rule>> {
        self.parts
    }

    pub(super) fn peek(&mut self) -> Option<Rule> {
        while self.parts.next_if(|pair| token(pair.as_rule()).is_some()).is_some() {}
        self.parts.peek().map(Pair::as_rule)
    }

    /// The next part, which the grammar says is there.
    pub(super) fn any(&mut self) -> Node<'i> {
        let part = self.parts.find(|pair| token(pair.as_rule()).is_none());
        Node::new(part.expect("the grammar has another part here"), self.base)
    }

    /// The next part, if it is one of this rule.
    pub(super) fn take_part(&mut self, rule: Rule) -> Option<Node<'i>> {
        (self.peek() == Some(rule)).then(|| self.any())
    }

    pub(super) fn one<T: Build>(&mut self) -> Built<T> {
        let part = self.any();
        assert!(T::RULES.contains(&part.rule), "no {:?} is built of {:?}", T::RULES, part.rule);
        T::build(part)
    }

    pub(super) fn maybe<T: Build>(&mut self) -> Built<Option<T>> {
        let fits = self.peek().is_some_and(|rule| T::RULES.contains(&rule));
        fits.then(|| self.one()).transpose()
    }

    pub(super) fn build_all<T: Build>(&mut self) -> Built<Vec<T>> {
        let mut all = Vec::new();
        while let Some(part) = self.maybe()? {
            all.push(part);
        }
        Ok(all)
    }

    /// What stands alone in a part of this rule, if that is there.
    pub(super) fn build_inside<T: Build>(&mut self, rule: Rule) -> Built<Option<T>> {
        self.take_part(rule).map(|mut part| part.one()).transpose()
    }

    /// What stands in a part of this rule; nothing if that is not there.
    pub(super) fn build_list<T: Build>(&mut self, rule: Rule) -> Built<Vec<T>> {
        self.take_part(rule).map_or(Ok(Vec::new()), |mut part| part.build_all())
    }

    /// The notes above a declaration, a variable, a row or a move.
    pub(super) fn notes(&mut self) -> Vec<Note> {
        let words = |note: Pair<'_, Rule>| note.as_str().trim_start_matches('#').trim().to_owned();
        self.take_part(Rule::notes).map_or_else(Vec::new, |notes| notes.parts.map(words).collect())
    }

    pub(super) fn parse_number(&self) -> Built<i64> {
        let too_large = |_| error::number_too_large(self.text, self.span);
        self.text.trim_end().parse().map_err(too_large)
    }
}
