//! Pairs to tree: boards, with their attributes and links.

use pest::iterators::Pair;

use crate::syntax::ast::{Attribute, Board, BoardShape, CellRow, Chain, Expr, ExprKind, Member};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::tree::{Builder, Built, Parts};

impl Builder {
    /// `board`: a kind whose members lie beside each other.
    pub(super) fn board(self, parts: &mut Parts<'_>) -> Built<Board> {
        let name = self.kind_name(parts)?;
        let title = self.perhaps_text(parts)?;
        let shape = parts.any();
        let shape = match shape.as_rule() {
            Rule::grid => self.grid(shape)?,
            Rule::ring => BoardShape::Ring(self.board_size(Parts::of(shape).any())?),
            _ => {
                let chains = &mut Parts::of(shape);
                BoardShape::Map(Self::each(chains, Rule::chain, |pair| self.chain(pair))?)
            }
        };
        let attributes = match parts.optional(Rule::attributes) {
            Some(pair) => {
                Self::each(&mut Parts::of(pair), Rule::attribute, |pair| self.attribute(pair))?
            }
            None => Vec::new(),
        };
        Ok(Board { name, title, shape, attributes })
    }

    fn grid(self, pair: Pair<'_, Rule>) -> Built<BoardShape> {
        let mut parts = Parts::of(pair);
        let columns = self.board_size(parts.one(Rule::board_size))?;
        let rows = self.board_size(parts.one(Rule::board_size))?;
        let from_bottom = parts.optional(Rule::from_bottom).is_some();
        Ok(BoardShape::Grid { columns, rows, from_bottom })
    }

    /// `board_size`: a number or the name of one.
    fn board_size(self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let span = self.span(&pair);
        let written = pair.as_str().trim_end();
        if !written.starts_with(|letter: char| letter.is_ascii_digit()) {
            let name = self.name(&Parts::of(pair).one(Rule::name));
            return Ok(Expr { kind: ExprKind::Name(name), span });
        }
        let number = written
            .parse()
            .map_err(|_| SyntaxError::NumberTooLarge { found: written.to_owned(), span })?;
        Ok(Expr { kind: ExprKind::Number(number), span })
    }

    fn attribute(self, pair: Pair<'_, Rule>) -> Built<Attribute> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.one(Rule::word));
        let ty = self.perhaps_type(&mut parts)?;
        let rows = Self::each(&mut parts, Rule::drawn_cells, |pair| {
            let span = self.span(&pair);
            Ok(CellRow { cells: self.cells(&mut Parts::of(pair))?, span })
        })?;
        Ok(Attribute { name, ty, rows, span })
    }

    fn chain(self, pair: Pair<'_, Rule>) -> Built<Chain> {
        let span = self.span(&pair);
        let places = Self::each(&mut Parts::of(pair), Rule::place, |pair| {
            let mut parts = Parts::of(pair);
            let name = self.name(&parts.one(Rule::name));
            Ok(Member { name, title: self.perhaps_text(&mut parts)? })
        })?;
        Ok(Chain { places, span })
    }
}
