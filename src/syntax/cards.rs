//! Pairs to tree: cards, piles, and what is done with them.

use pest::iterators::Pair;

use crate::source::Span;
use crate::syntax::ast::{
    CardDeed, Cards, Copies, Name, Note, PileEnd, Text, TypeExpr, TypeKind, Var, VarForm,
};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::tree::{Builder, Built, Parts};

impl Builder {
    /// `cards_declaration`: pieces with a face and a place.
    pub(super) fn cards_of(self, parts: &mut Parts<'_>) -> Built<Cards> {
        let name = self.kind_name(parts)?;
        let title = self.perhaps_text(parts)?;
        let face = self.name(&parts.one(Rule::name));
        let copies = match parts.next() {
            None => Copies::One,
            Some(pair) if pair.as_rule() == Rule::copies => {
                let copies = Self::each(&mut Parts::of(pair), Rule::copy, |pair| self.copy(pair));
                Copies::Listed(copies?)
            }
            Some(column) => Copies::Column(self.name(&column)),
        };
        Ok(Cards { name, title, face, copies })
    }

    fn copy(self, pair: Pair<'_, Rule>) -> Built<(Name, i64)> {
        let mut parts = Parts::of(pair);
        let face = self.name(&parts.one(Rule::word));
        let number = parts.one(Rule::number);
        let (found, span) = (number.as_str().to_owned(), self.span(&number));
        let count = number.as_str().parse();
        Ok((face, count.map_err(|_| SyntaxError::NumberTooLarge { found, span })?))
    }

    /// `pile`: a variable that holds cards, behind its name and title.
    pub(super) fn pile(
        self,
        (notes, name, title): (Vec<Note>, Name, Option<Text>),
        parts: &mut Parts<'_>,
        span: Span,
    ) -> Built<Var> {
        let dims = self.dims(parts)?;
        let ty = parts.one(Rule::type_cards);
        let ty_span = self.span(&ty);
        let kind = TypeKind::Cards(self.cards_type(ty));
        let ty = Some(TypeExpr { kind, span: ty_span });
        let sight = Self::sight(parts);
        let init =
            parts.optional(Rule::expression).map(|pair| self.expression(pair)).transpose()?;
        Ok(Var { notes, form: VarForm::Pile, name, title, dims, ty, init, sight, span })
    }

    /// `type_cards`: of which cards, where that is written.
    pub(super) fn cards_type(self, pair: Pair<'_, Rule>) -> Option<Name> {
        Parts::of(pair).optional(Rule::name).map(|pair| self.name(&pair))
    }

    /// `move_statement`, `shuffle_statement`, `look_statement`
    pub(super) fn card_deed(self, rule: Rule, parts: &mut Parts<'_>) -> Built<CardDeed> {
        if rule == Rule::shuffle_statement {
            return Ok(CardDeed::Shuffle(self.operand(parts.one(Rule::operand))?));
        }
        let what = self.plain(parts.one(Rule::plain))?;
        Ok(match rule {
            Rule::look_statement => {
                CardDeed::Look { what, by: self.operand(parts.one(Rule::operand))? }
            }
            _ => {
                let to = parts.any();
                let bottom = to.as_rule() == Rule::to_bottom;
                let to = if bottom { Parts::of(to).one(Rule::operand) } else { to };
                CardDeed::Move { what, to: self.operand(to)?, bottom }
            }
        })
    }

    /// `pile_end`: what lies on top of a pile or below all of it.
    pub(super) fn pile_end(self, parts: &mut Parts<'_>) -> Built<PileEnd> {
        let bottom = parts.one(Rule::end_word).as_str() == "bottom";
        let first = self.operand(parts.one(Rule::operand))?;
        let second = parts.optional(Rule::operand).map(|pair| self.operand(pair)).transpose()?;
        Ok(match second {
            Some(pile) => PileEnd { bottom, count: Some(first), pile },
            None => PileEnd { bottom, count: None, pile: first },
        })
    }
}
