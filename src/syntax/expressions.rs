//! Pairs to tree: expressions.

use pest::iterators::Pair;

use crate::source::Span;
use crate::syntax::ast::{Binder, Expr, ExprKind, Name, UnaryOp};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::operators::{PRECEDENCE, binary, compares};
use crate::syntax::tree::{Builder, Built, Parts};

impl Builder {
    /// `expression`: a flat row of operands and operators, and perhaps `from` another.
    pub(super) fn expression(self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let mut parts = Parts::of(pair);
        let set = self.plain(parts.one(Rule::plain))?;
        let Some(from) = self.perhaps_from(&mut parts)? else { return Ok(set) };
        let span = set.span.to(from.span);
        Ok(Expr { kind: ExprKind::From(Box::new(set), Box::new(from)), span })
    }

    /// `from_part`: `from x`, if it is there.
    pub(super) fn perhaps_from(self, parts: &mut Parts<'_>) -> Built<Option<Expr>> {
        let part = parts.optional(Rule::from_part);
        part.map(|part| self.plain(Parts::of(part).one(Rule::plain))).transpose()
    }

    /// `where_part`: `where P`, if it is there.
    pub(super) fn perhaps_where(self, parts: &mut Parts<'_>) -> Built<Option<Expr>> {
        let part = parts.optional(Rule::where_part);
        part.map(|part| self.plain(Parts::of(part).one(Rule::plain))).transpose()
    }

    /// `plain`, `arithmetic`, `bound`: operands, and operators before and between them.
    pub(super) fn plain(self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let flat: Vec<_> = pair.into_inner().map(unwrap_operator).collect();
        self.refuse_chains(&flat)?;
        PRECEDENCE
            .map_primary(|operand| self.operand(operand))
            .map_prefix(|sign, operand| Ok(self.prefix(&sign, operand?)))
            .map_infix(|left, sign, right| Ok(infix(&sign, left?, right?)))
            .parse(flat.into_iter())
    }

    /// `a < b < c` and `a..b..c` would be read, and then mean something nobody meant.
    fn refuse_chains(self, flat: &[Pair<'_, Rule>]) -> Built<()> {
        let (mut comparison, mut range) = (None, false);
        for pair in flat {
            let rule = pair.as_rule();
            let span = self.span(pair);
            match rule {
                Rule::op_and | Rule::op_or | Rule::op_not => (comparison, range) = (None, false),
                Rule::op_range if range => return Err(SyntaxError::ChainedRange { span }),
                Rule::op_range => range = true,
                Rule::op_union | Rule::op_minus | Rule::op_common => range = false,
                _ if compares(rule) => {
                    if let Some(first) = comparison {
                        return Err(SyntaxError::ChainedComparison { span, first });
                    }
                    (comparison, range) = (Some(span), false);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn prefix(self, sign: &Pair<'_, Rule>, operand: Expr) -> Expr {
        let op = if sign.as_rule() == Rule::op_not { UnaryOp::Not } else { UnaryOp::Negate };
        let span = self.span(sign).to(operand.span);
        Expr { kind: ExprKind::Unary(op, Box::new(operand)), span }
    }

    /// `operand`: something, and fields and indices behind it.
    pub(super) fn operand(self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let mut parts = Parts::of(pair);
        let mut expr = self.primary(parts.any())?;
        while let Some(part) = parts.next() {
            let span = expr.span.to(self.span(&part));
            let base = Box::new(expr);
            let kind = match part.as_rule() {
                Rule::field => self.field(base, part)?,
                _ => ExprKind::Index(base, self.expressions(part)?),
            };
            expr = Expr { kind, span };
        }
        Ok(expr)
    }

    fn field(self, base: Box<Expr>, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.one(Rule::word));
        Ok(match parts.optional(Rule::arguments) {
            Some(arguments) => ExprKind::Method(base, name, self.expressions(arguments)?),
            None => ExprKind::Field(base, name),
        })
    }

    /// The expressions of `arguments`, `index`, `fold_keys`, `more`.
    pub(super) fn expressions(self, pair: Pair<'_, Rule>) -> Built<Vec<Expr>> {
        let mut parts = Parts::of(pair);
        Self::each(&mut parts, Rule::expression, |pair| self.expression(pair))
    }

    fn primary(self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::number => self.number(&pair)?,
            Rule::string => ExprKind::Text(self.string(pair)?),
            Rule::yes => ExprKind::Bool(true),
            Rule::no => ExprKind::Bool(false),
            Rule::none => ExprKind::None,
            Rule::name => ExprKind::Name(self.known_name(&pair)?),
            Rule::parenthesised => self.expression(Parts::of(pair).any())?.kind,
            Rule::call => self.call(pair)?,
            Rule::fold => self.fold(pair)?,
            Rule::brace => self.brace(pair)?,
            Rule::condition => self.condition(pair)?,
            Rule::match_value => self.match_value(pair)?,
            Rule::suppose => {
                let mut parts = Parts::of(pair);
                let block = self.block(parts.one(Rule::block))?;
                ExprKind::Suppose(block, Box::new(self.plain(parts.one(Rule::plain))?))
            }
            Rule::pick => self.pick(pair)?,
            Rule::pile_end => ExprKind::End(Box::new(self.pile_end(&mut Parts::of(pair))?)),
            Rule::roll_value => ExprKind::Roll(Box::new(self.operand(Parts::of(pair).any())?)),
            Rule::random_value => ExprKind::Random(Box::new(self.plain(Parts::of(pair).any())?)),
            Rule::subsets => {
                let set = Parts::of(pair).one(Rule::plain);
                ExprKind::Subsets(Box::new(self.plain(set)?))
            }
            rule => unreachable!("the grammar has no {rule:?} among the operands"),
        };
        Ok(Expr { kind, span })
    }

    fn number(self, pair: &Pair<'_, Rule>) -> Built<ExprKind> {
        let found = pair.as_str().to_owned();
        let too_large = |_| SyntaxError::NumberTooLarge { found, span: self.span(pair) };
        pair.as_str().parse().map(ExprKind::Number).map_err(too_large)
    }

    fn known_name(self, pair: &Pair<'_, Rule>) -> Built<Name> {
        let name = self.name(pair);
        let instead = match name.text.as_str() {
            "true" => "yes",
            "false" => "no",
            _ => return Ok(name),
        };
        let (found, instead) = (name.text, instead.to_owned());
        Err(SyntaxError::ForeignTruth { found, instead, span: name.span })
    }

    fn call(self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.one(Rule::name));
        Ok(ExprKind::Call(name, self.expressions(parts.one(Rule::arguments))?))
    }

    /// `binder`: `x in S where P`
    pub(super) fn binder(self, pair: Pair<'_, Rule>) -> Built<Binder> {
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.one(Rule::name));
        let set = Box::new(self.expression(parts.one(Rule::expression))?);
        let condition = self.perhaps_where(&mut parts)?.map(Box::new);
        Ok(Binder { name, set, condition })
    }

    fn condition(self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut parts = Parts::of(pair);
        let condition = self.expression(parts.any())?;
        let then = self.expression(parts.any())?;
        let otherwise = self.plain(parts.any())?;
        Ok(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn pick(self, pair: Pair<'_, Rule>) -> Built<ExprKind> {
        let mut parts = Parts::of(pair);
        let chooser = Box::new(self.operand(parts.any())?);
        let prompt = parts.optional(Rule::string).map(|text| self.string(text)).transpose()?;
        let name = self.name(&parts.one(Rule::name));
        let set = Box::new(self.expression(parts.one(Rule::expression))?);
        Ok(ExprKind::Pick { chooser, prompt, name, set })
    }
}

fn unwrap_operator(pair: Pair<'_, Rule>) -> Pair<'_, Rule> {
    if pair.as_rule() == Rule::operator {
        return pair.into_inner().next().expect("an operator is one of the operators");
    }
    pair
}

fn infix(sign: &Pair<'_, Rule>, left: Expr, right: Expr) -> Expr {
    let span: Span = left.span.to(right.span);
    let (left, right) = (Box::new(left), Box::new(right));
    let kind = match binary(sign.as_rule()) {
        Some(op) => ExprKind::Binary(op, left, right),
        None => ExprKind::Range(left, right),
    };
    Expr { kind, span }
}
