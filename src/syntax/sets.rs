//! Pairs to tree: sets, folds over them, cases, and texts with holes.

use pest::iterators::Pair;

use crate::source::Span;
use crate::syntax::ast::{
    Arm, BinaryOp, Binder, Expr, ExprKind, FoldWord, Pattern, Text, TextPart,
};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::tree::{Builder, Built, Parts};

fn fold_word(word: &str) -> FoldWord {
    match word {
        "any" => FoldWord::Any,
        "all" => FoldWord::All,
        "count" => FoldWord::Count,
        "sum" => FoldWord::Sum,
        "min" => FoldWord::Min,
        "max" => FoldWord::Max,
        "first" => FoldWord::First,
        "last" => FoldWord::Last,
        "highest" => FoldWord::Highest,
        "lowest" => FoldWord::Lowest,
        word => unreachable!("the grammar has no fold `{word}`"),
    }
}

impl Builder {
    /// `fold`: `any(c in S: P)`, `highest(c in S by E)`
    pub(super) fn fold(self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut parts = Parts::of(pair);
        let word = fold_word(parts.one(Rule::fold_word).as_str());
        let binder = self.binder(parts.one(Rule::binder))?;
        let body = parts.next().map(|body| self.expressions(body)).transpose()?;
        Ok(ExprKind::Fold { word, binder, body: body.unwrap_or_default() })
    }

    /// `brace`: `{a, b}`, `{c in S where P}`, `{E for c in S where P}`
    pub(super) fn brace(self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut parts = Parts::of(pair);
        let Some(first) = parts.optional(Rule::expression) else {
            return Ok(ExprKind::Set(Vec::new()));
        };
        let first = self.expression(first)?;
        if let Some(condition) = self.perhaps_where(&mut parts)? {
            return filter(first, condition);
        }
        if let Some(image) = parts.optional(Rule::image_part) {
            let binder = self.binder(Parts::of(image).one(Rule::binder))?;
            return Ok(ExprKind::Image(Box::new(first), binder));
        }
        let mut elements = vec![first];
        if let Some(more) = parts.optional(Rule::more) {
            elements.extend(self.expressions(more)?);
        }
        Ok(ExprKind::Set(elements))
    }

    /// `match_value`: `match x { a, b: 1; else: 2 }`
    pub(super) fn match_value(self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut parts = Parts::of(pair);
        let subject = Box::new(self.expression(parts.one(Rule::expression))?);
        Ok(ExprKind::Match(subject, self.value_arms(&mut parts)?))
    }

    /// Cases with a value each.
    pub(super) fn value_arms(self, parts: &mut Parts<'_>) -> Built<Vec<Arm<Expr>>> {
        Self::each(parts, Rule::value_arm, |pair| self.value_arm(pair))
    }

    fn value_arm(self, pair: Pair<'_, Rule>) -> Built<Arm<Expr>> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let patterns = self.patterns(parts.one(Rule::patterns))?;
        let body = self.expression(parts.one(Rule::expression))?;
        Ok(Arm { patterns, body, span })
    }

    /// `patterns`: `elm, 2..4`; none of them for `else`.
    pub(super) fn patterns(self, pair: Pair<'_, Rule>) -> Built<Vec<Pattern>> {
        Self::each(&mut Parts::of(pair), Rule::pattern, |pair| {
            let mut parts = Parts::of(pair);
            let low = self.plain(parts.one(Rule::bound))?;
            Ok(match parts.optional(Rule::bound) {
                Some(high) => Pattern::Range(low, self.plain(high)?),
                None => Pattern::Value(low),
            })
        })
    }

    /// `string`: words and holes between quotes.
    pub(super) fn string(self, pair: Pair<'_, Rule>) -> Built<Text> {
        let span = self.span(&pair);
        let mut parts = Vec::new();
        for part in pair.into_inner() {
            parts.push(match part.as_rule() {
                Rule::words => TextPart::Words(unescape(part.as_str(), self.span(&part))?),
                _ => TextPart::Hole(self.hole(part)?),
            });
        }
        Ok(Text { parts, span })
    }

    fn hole(self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let inner = Parts::of(pair).one(Rule::inner);
        self.expression(Parts::of(inner).one(Rule::expression))
    }

    /// `string` as a cell of drawn data.
    pub(super) fn plain_words(self, pair: Pair<'_, Rule>) -> Built<String> {
        let mut words = String::new();
        for part in self.string(pair)?.parts {
            match part {
                TextPart::Words(part) => words.push_str(&part),
                TextPart::Hole(hole) => return Err(SyntaxError::HoleInCell { span: hole.span }),
            }
        }
        Ok(words)
    }
}

/// What `c in S` before `where` binds.
fn filter(expr: Expr, condition: Expr) -> Built<ExprKind> {
    let span = expr.span;
    let condition = Some(Box::new(condition));
    let (inner, from) = match expr.kind {
        ExprKind::From(inner, from) => (*inner, Some(from)),
        kind => (Expr { kind, span }, None),
    };
    let ExprKind::Binary(BinaryOp::In, name, set) = inner.kind else {
        return Err(SyntaxError::FilterWithoutName { span });
    };
    let ExprKind::Name(name) = name.kind else {
        return Err(SyntaxError::FilterWithoutName { span: name.span });
    };
    let set = match from {
        Some(from) => {
            let span = set.span.to(from.span);
            Box::new(Expr { kind: ExprKind::From(set, from), span })
        }
        None => set,
    };
    Ok(ExprKind::Filter(Binder { name, set, condition }))
}

fn unescape(words: &str, span: Span) -> Built<String> {
    let mut plain = String::with_capacity(words.len());
    let mut letters = words.char_indices();
    while let Some((_, letter)) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            Some((_, 'n')) => plain.push('\n'),
            Some((_, escaped @ ('{' | '}' | '"' | '\\'))) => plain.push(escaped),
            Some((at, found)) => {
                let at = span.start as usize + at;
                let span = Span::new(at - 1, at + found.len_utf8());
                return Err(SyntaxError::UnknownEscape { found, span });
            }
            None => unreachable!("the grammar has a character behind each backslash"),
        }
    }
    Ok(plain)
}
