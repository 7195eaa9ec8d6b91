//! Builds expressions: operators, operands, sets, folds, cases, and texts with holes.

use pest::iterators::Pair;

use crate::source::Span;
use crate::syntax::ast::{
    Arm, BagsOf, BinaryOp, Binder, Direction, Expr, ExprKind, FoldWord, ListsOf, Name, Pattern,
    PileEnd, SubsetSize, Text, TextPart, UnaryOp,
};
use crate::syntax::error;
use crate::syntax::parser::{Build, Built, Node, Rule};
use crate::syntax::print::{PRECEDENCE, binary_op, compares};

/// More `for` than this in one construct are too many; they count as no level of their own.
pub(super) const MAX_BINDERS: usize = 8;

impl Build for SubsetSize {
    const RULES: &'static [Rule] = &[Rule::of_size];
    fn build(mut node: Node<'_>) -> Built<SubsetSize> {
        let up_to = node.take_part(Rule::up_to).is_some();
        Ok(SubsetSize { up_to, size: node.one()? })
    }
}

impl Build for Expr {
    const RULES: &'static [Rule] = &[
        Rule::expression,
        Rule::plain,
        Rule::arithmetic,
        Rule::bound,
        Rule::operand,
        Rule::board_size,
        Rule::key,
    ];

    fn build(mut node: Node<'_>) -> Built<Expr> {
        match node.rule {
            Rule::expression => {
                let set: Expr = node.one()?;
                let set = started(set, node.build_inside(Rule::from_part)?);
                Ok(match node.take_part(Rule::backwards) {
                    Some(word) => reversed(set, word.span),
                    None => set,
                })
            }
            Rule::key => {
                let (span, of) = (node.span, node.one()?);
                let Some(direction) = node.take_part(Rule::direction) else { return Ok(of) };
                let lowest = direction.text.starts_with(Direction::Lowest.keyword());
                let direction = if lowest { Direction::Lowest } else { Direction::Highest };
                Ok(Expr { kind: ExprKind::Directed(Box::new(of), direction), span })
            }
            Rule::operand => build_operand(node),
            Rule::board_size => primary(node.any()),
            _ => operators(node),
        }
    }
}

/// `S from x`, if there is an `x`.
pub(super) fn started(set: Expr, from: Option<Expr>) -> Expr {
    let Some(from) = from else { return set };
    let span = set.span.to(from.span);
    Expr { kind: ExprKind::From(Box::new(set), Box::new(from)), span }
}

/// `S backwards`, where the word ends.
pub(super) fn reversed(set: Expr, word: Span) -> Expr {
    let span = set.span.to(word);
    Expr { kind: ExprKind::Backwards(Box::new(set)), span }
}

/// Operands, and operators before and between them.
fn operators(node: Node<'_>) -> Built<Expr> {
    let base = node.base;
    let flat = node.pairs().map(|pair| match pair.as_rule() {
        Rule::operator => pair.into_inner().next().expect("an operator is one of the operators"),
        _ => pair,
    });
    let flat: Vec<_> = flat.collect();
    refuse_chains(&flat, base)?;
    PRECEDENCE
        .map_primary(|pair| build_operand(Node::new(pair, base)))
        .map_prefix(|sign, operand| {
            let operand = operand?;
            let op = if sign.as_rule() == Rule::op_not { UnaryOp::Not } else { UnaryOp::Negate };
            let span = Node::new(sign, base).span.to(operand.span);
            Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span })
        })
        .map_infix(|left, sign, right| {
            let (left, right) = (Box::new(left?), Box::new(right?));
            let span = left.span.to(right.span);
            let kind = match binary_op(sign.as_rule()) {
                Some(op) => ExprKind::Binary(op, left, right),
                None => ExprKind::Range(left, right),
            };
            Ok(Expr { kind, span })
        })
        .parse(flat.into_iter())
}

/// `a < b < c` and `a..b..c` would be read, and then mean something nobody meant.
fn refuse_chains(flat: &[Pair<'_, Rule>], base: usize) -> Built<()> {
    let (mut comparison, mut range) = (None, false);
    for pair in flat {
        let rule = pair.as_rule();
        let span = || Node::new(pair.clone(), base).span;
        match rule {
            Rule::op_and | Rule::op_or | Rule::op_not => (comparison, range) = (None, false),
            Rule::op_range if range => return Err(error::chained_range(span())),
            Rule::op_range => range = true,
            Rule::op_union | Rule::op_minus | Rule::op_common => range = false,
            _ if compares(rule) => {
                if let Some(first) = comparison {
                    return Err(error::chained_comparison(span(), first));
                }
                (comparison, range) = (Some(span()), false);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Something, and fields and indices after it.
fn build_operand(mut node: Node<'_>) -> Built<Expr> {
    let mut expr = primary(node.any())?;
    while node.peek().is_some() {
        let mut part = node.any();
        let span = expr.span.to(part.span);
        let base = Box::new(expr);
        let kind = if part.rule == Rule::index {
            ExprKind::Index(base, part.build_all()?)
        } else {
            let name = part.one()?;
            match part.take_part(Rule::arguments) {
                Some(mut arguments) => ExprKind::Method(base, name, arguments.build_all()?),
                None => ExprKind::Field(base, name),
            }
        };
        expr = Expr { kind, span };
    }
    Ok(expr)
}

fn primary(mut node: Node<'_>) -> Built<Expr> {
    let span = node.span;
    let kind = match node.rule {
        Rule::number => ExprKind::Number(node.parse_number()?),
        Rule::string => ExprKind::Text(Text::build(node)?),
        Rule::yes => ExprKind::Bool(true),
        Rule::no => ExprKind::Bool(false),
        Rule::none => ExprKind::None,
        Rule::name => {
            let instead = match node.text {
                "true" => "yes",
                "false" => "no",
                _ => return Ok(Expr { kind: ExprKind::Name(Build::build(node)?), span }),
            };
            return Err(error::foreign_truth(node.text, instead, span));
        }
        Rule::parenthesised => node.one::<Expr>()?.kind,
        Rule::call => ExprKind::Call(node.one()?, node.build_list(Rule::arguments)?),
        Rule::fold => {
            let word = node.any().text;
            let word = FoldWord::from_word(word).expect("a word of the table");
            let binders = binders(node.build_all()?)?;
            let body = node.peek().map(|_| node.any().build_all()).transpose()?;
            ExprKind::Fold { word, binders, body: body.unwrap_or_default() }
        }
        Rule::brace => brace(node)?,
        Rule::condition => ExprKind::If(node.one()?, node.one()?, node.one()?),
        Rule::match_value => ExprKind::Match(node.one()?, node.build_all()?),
        Rule::suppose => ExprKind::Suppose(node.one()?, node.one()?),
        Rule::pick => ExprKind::Pick {
            chooser: node.one()?,
            prompt: node.maybe()?,
            name: node.one()?,
            set: node.one()?,
        },
        Rule::pile_end => {
            let bottom = node.any().text == "bottom";
            let (first, second) = (node.one()?, node.maybe()?);
            let (count, pile) = match second {
                Some(pile) => (Some(first), pile),
                None => (None, first),
            };
            ExprKind::End(Box::new(PileEnd { bottom, count, pile }))
        }
        Rule::roll_value => ExprKind::Roll(node.one()?),
        Rule::random_value => ExprKind::Random(node.one()?),
        Rule::subsets => ExprKind::Subsets(node.one()?, node.maybe()?),
        Rule::bags => {
            let (of, most, within) = (node.one()?, node.one()?, node.maybe()?);
            ExprKind::Bags(Box::new(BagsOf { of, most, within }))
        }
        Rule::list => ExprKind::List(node.build_all()?),
        Rule::lists => {
            let (of, most, next) = (node.one()?, node.one()?, node.one()?);
            ExprKind::Lists(Box::new(ListsOf { name: None, of, most, next }))
        }
        rule => unreachable!("the grammar has no {rule:?} among the operands"),
    };
    Ok(Expr { kind, span })
}

/// `{a, b}`, `{c in S where P}`, `{E for c in S where P}`, `{2 red, 1 blue}`
fn brace(mut node: Node<'_>) -> Built<ExprKind> {
    let Some(first) = node.maybe::<Expr>()? else { return Ok(ExprKind::Set(Vec::new())) };
    if let Some(condition) = node.build_inside(Rule::where_part)? {
        return filter(first, condition);
    }
    if let Some(goods) = node.take_part(Rule::goods) {
        return bag(first, goods);
    }
    let binders = binders(node.build_list(Rule::image_part)?)?;
    if !binders.is_empty() {
        return Ok(ExprKind::Image(Box::new(first), binders));
    }
    let mut elements = vec![first];
    elements.extend(node.build_list::<Expr>(Rule::more)?);
    Ok(ExprKind::Set(elements))
}

/// The goods of a bag, whose first amount is read.
fn bag(first: Expr, mut node: Node<'_>) -> Built<ExprKind> {
    let mut goods = vec![(first, node.one()?)];
    let binders = binders(node.build_list(Rule::image_part)?)?;
    while let Some(mut good) = node.take_part(Rule::good) {
        goods.push((good.one()?, good.one()?));
    }
    Ok(ExprKind::Goods(goods, binders))
}

impl Build for Binder {
    const RULES: &'static [Rule] = &[Rule::binder];
    fn build(mut node: Node<'_>) -> Built<Binder> {
        let (name, set): (Name, _) = (node.one()?, node.one()?);
        let set = Box::new(naming(set, &name));
        Ok(Binder { name, set, condition: node.build_inside(Rule::where_part)? })
    }
}

/// A set that is iterated: what may come next in a list reads the list by the name that it has.
pub(super) fn naming(mut set: Expr, name: &Name) -> Expr {
    if let ExprKind::Lists(lists) = &mut set.kind {
        lists.name = Some(name.clone());
    }
    set
}

/// The binders of one construct: each is a loop inside the one before.
pub(super) fn binders(binders: Vec<Binder>) -> Built<Vec<Binder>> {
    match binders.get(MAX_BINDERS) {
        Some(binder) => Err(error::too_deep(MAX_BINDERS, binder.name.span)),
        None => Ok(binders),
    }
}

/// What `c in S` before `where` binds.
fn filter(expr: Expr, condition: Box<Expr>) -> Built<ExprKind> {
    let span = expr.span;
    let (expr, backwards) = match expr.kind {
        ExprKind::Backwards(inner) => (*inner, true),
        kind => (Expr { kind, span }, false),
    };
    let (inner, from) = match expr.kind {
        ExprKind::From(inner, from) => (*inner, Some(*from)),
        _ => (expr, None),
    };
    let ExprKind::Binary(BinaryOp::In, name, mut set) = inner.kind else {
        return Err(error::filter_without_name(span));
    };
    let ExprKind::Name(name) = name.kind else {
        return Err(error::filter_without_name(name.span));
    };
    set = Box::new(started(*set, from));
    if backwards {
        set = Box::new(reversed(*set, span));
    }
    Ok(ExprKind::Filter(Binder { name, set, condition: Some(condition) }))
}

impl<T: Build> Build for Arm<T> {
    const RULES: &'static [Rule] = &[Rule::value_arm, Rule::statement_arm];
    fn build(mut node: Node<'_>) -> Built<Arm<T>> {
        let span = node.span;
        Ok(Arm { patterns: node.build_list(Rule::patterns)?, body: node.one()?, span })
    }
}

impl Build for Pattern {
    const RULES: &'static [Rule] = &[Rule::pattern];
    fn build(mut node: Node<'_>) -> Built<Pattern> {
        let low = node.one()?;
        Ok(match node.maybe()? {
            Some(high) => Pattern::Range(low, high),
            None => Pattern::Value(low),
        })
    }
}

impl Build for Text {
    const RULES: &'static [Rule] = &[Rule::string];
    fn build(node: Node<'_>) -> Built<Text> {
        let (span, base) = (node.span, node.base);
        let part = |pair| {
            let mut part = Node::new(pair, base);
            Ok(match part.rule {
                Rule::words => TextPart::Words(unescape(part.text, part.span)?),
                _ => TextPart::Hole(part.any().one()?),
            })
        };
        Ok(Text { parts: node.pairs().map(part).collect::<Built<_>>()?, span })
    }
}

fn unescape(words: &str, span: Span) -> Built<String> {
    let mut plain = String::with_capacity(words.len());
    let mut letters = words.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            Some((_, 'n')) => plain.push('\n'),
            Some((_, escaped @ ('{' | '}' | '"' | '\\'))) => plain.push(escaped),
            Some((end, found)) => {
                let start = span.start as usize;
                let span = Span::new(start + at, start + end + found.len_utf8());
                return Err(error::unknown_escape(found, span));
            }
            None => unreachable!("the grammar has a character behind each backslash"),
        }
    }
    Ok(plain)
}
