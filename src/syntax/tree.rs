//! What all the files that turn pairs into tree share: spans, names, and a pair's parts.

use std::iter::Peekable;

use pest::iterators::{Pair, Pairs};

use crate::source::Span;
use crate::syntax::ast::{Name, Note};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::{Rule, token};

/// A part of the tree, or why there is none.
pub(super) type Built<T> = Result<T, SyntaxError>;

/// Makes tree of pairs; knows where the text of the pairs begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Builder {
    /// The global offset of the first byte that the grammar saw.
    pub(super) base: usize,
}

impl Builder {
    /// The global place of a pair.
    pub(super) fn span(self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let length = pair.as_str().trim_end().len();
        Span::new(self.base + span.start(), self.base + span.start() + length)
    }

    /// A name as it stands.
    pub(super) fn name(self, pair: &Pair<'_, Rule>) -> Name {
        Name { text: pair.as_str().to_owned(), span: self.span(pair) }
    }

    /// The notes above a declaration, a variable, a row or a move.
    pub(super) fn notes(parts: &mut Parts<'_>) -> Vec<Note> {
        let words = |note: Pair<'_, Rule>| note.as_str().trim_start_matches('#').trim().to_owned();
        let notes = parts.optional(Rule::notes);
        notes.map_or_else(Vec::new, |notes| notes.into_inner().map(words).collect())
    }

    /// All parts of one rule, each made into tree.
    pub(super) fn each<'i, T>(
        parts: &mut Parts<'i>,
        rule: Rule,
        mut build: impl FnMut(Pair<'i, Rule>) -> Built<T>,
    ) -> Built<Vec<T>> {
        let mut all = Vec::new();
        while let Some(part) = parts.optional(rule) {
            all.push(build(part)?);
        }
        Ok(all)
    }
}

/// The parts of a pair in order, without those that are only a word or a sign.
pub(super) struct Parts<'i> {
    pairs: Peekable<Pairs<'i, Rule>>,
}

impl<'i> Parts<'i> {
    /// The parts of `pair`.
    pub(super) fn of(pair: Pair<'i, Rule>) -> Parts<'i> {
        Parts { pairs: pair.into_inner().peekable() }
    }

    /// The next part.
    pub(super) fn next(&mut self) -> Option<Pair<'i, Rule>> {
        self.pairs.find(|pair| token(pair.as_rule()).is_none())
    }

    /// The next part, which the grammar says is there.
    pub(super) fn any(&mut self) -> Pair<'i, Rule> {
        self.next().expect("the grammar has another part here")
    }

    /// The next part, if it is one of this rule.
    pub(super) fn optional(&mut self, rule: Rule) -> Option<Pair<'i, Rule>> {
        while self.pairs.next_if(|pair| token(pair.as_rule()).is_some()).is_some() {}
        self.pairs.next_if(|pair| pair.as_rule() == rule)
    }

    /// The next part, which the grammar says is one of this rule.
    pub(super) fn one(&mut self, rule: Rule) -> Pair<'i, Rule> {
        let part = self.any();
        assert!(part.as_rule() == rule, "the grammar has {rule:?} here, not {:?}", part.as_rule());
        part
    }
}
