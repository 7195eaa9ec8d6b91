//! Pairs to tree: declarations and types.

use pest::iterators::Pair;

use crate::source::Span;
use crate::syntax::EDITION;
use crate::syntax::ast::{
    Always, Arms, Constant, Flow, Game, GameClause, Item, ItemKind, Measure, Member, MoreBranches,
    Name, OptionItem, Param, Phase, RuleBody, TypeExpr, TypeKind, Variant,
};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::naming::{in_pascal_case, in_snake_case, is_reserved};
use crate::syntax::tree::{Builder, Built, Parts};

impl Builder {
    /// `declaration`: any of them, with its notes.
    pub(super) fn declaration(self, pair: Pair<'_, Rule>) -> Built<Item> {
        let mut parts = Parts::of(pair);
        let notes = Self::notes(&mut parts);
        let pair = parts.any();
        let span = self.span(&pair);
        Ok(Item { notes, kind: self.declared(pair)?, span })
    }

    /// Any of the declarations.
    fn declared(self, pair: Pair<'_, Rule>) -> Built<ItemKind> {
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        Ok(match rule {
            Rule::game_declaration | Rule::replaced_game => ItemKind::Game(self.game(&mut parts)?),
            Rule::variant_declaration => ItemKind::Variant(self.variant(&mut parts)?),
            Rule::use_declaration => ItemKind::Use(self.string(parts.one(Rule::string))?),
            Rule::replace_declaration => ItemKind::Replace(Box::new(self.declared(parts.any())?)),
            Rule::option_declaration => ItemKind::Option(self.option(&mut parts)?),
            Rule::constant_declaration => ItemKind::Let(self.constant(&mut parts)?),
            Rule::kind_declaration => ItemKind::Kind(self.kind(&mut parts)?),
            Rule::cards_declaration => ItemKind::Cards(self.cards_of(&mut parts)?),
            Rule::extend_declaration => ItemKind::Extend(self.kind(&mut parts)?),
            Rule::more_moves => {
                let mut parts = Parts::of(parts.one(Rule::moves_declaration));
                ItemKind::MoreMoves(self.moves(&mut parts)?)
            }
            Rule::more_branches => ItemKind::MoreBranches(self.more_branches(&mut parts)?),
            Rule::board_declaration => ItemKind::Board(self.board(&mut parts)?),
            Rule::table_declaration => ItemKind::Table(self.table(&mut parts)?),
            Rule::has_declaration => ItemKind::Has(self.has(&mut parts)?),
            Rule::rule_declaration => ItemKind::Rule(self.rule(&mut parts)?),
            Rule::moves_declaration => ItemKind::Moves(self.moves(&mut parts)?),
            Rule::measure_declaration => ItemKind::Measure(self.measure(&mut parts)?),
            Rule::always_declaration => ItemKind::Always(self.always(&mut parts)?),
            Rule::flow_declaration => ItemKind::Flow(self.flow(&mut parts)?),
            rule => unreachable!("the grammar has no {rule:?} among the declarations"),
        })
    }

    fn variant(self, parts: &mut Parts<'_>) -> Built<Variant> {
        let title = self.string(parts.one(Rule::string))?;
        Ok(Variant { title, base: self.string(parts.one(Rule::string))? })
    }

    fn more_branches(self, parts: &mut Parts<'_>) -> Built<MoreBranches> {
        let name = self.small_name("the rule", parts)?;
        let arms = match parts.optional(Rule::value_arms) {
            Some(arms) => Arms::Values(self.value_arms(&mut Parts::of(arms))?),
            None => Arms::Statements(self.statement_arms(parts)?),
        };
        Ok(MoreBranches { name, arms })
    }

    fn game(self, parts: &mut Parts<'_>) -> Built<Game> {
        let title = self.perhaps_text(parts)?;
        let clauses = Self::each(parts, Rule::game_clause, |pair| self.game_clause(pair))?;
        Ok(Game { title, clauses })
    }

    fn game_clause(self, pair: Pair<'_, Rule>) -> Built<GameClause> {
        let span = self.span(&pair);
        let pair = Parts::of(pair).any();
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        if rule == Rule::edition_clause {
            return self.edition(&parts.any(), span);
        }
        let notes = Self::notes(&mut parts);
        let number = self.plain(parts.any())?;
        if rule == Rule::limit_clause {
            let body = self.block(parts.one(Rule::block))?;
            return Ok(GameClause::Limit { notes, decisions: number, body, span });
        }
        let high = parts.optional(Rule::arithmetic).map(|pair| self.plain(pair)).transpose()?;
        let usual = parts.optional(Rule::usual_players);
        let usual = usual.map(|pair| self.plain(Parts::of(pair).any())).transpose()?;
        Ok(GameClause::Players { low: number, high, usual, span })
    }

    /// The number of an edition; one that is not known yet is refused, since nothing else in the
    /// file can be trusted to mean what it says.
    fn edition(self, number: &Pair<'_, Rule>, span: Span) -> Built<GameClause> {
        let found = number.as_str().trim_end();
        match found.parse() {
            Ok(number @ 1..=EDITION) => Ok(GameClause::Edition { number, span }),
            _ => {
                let (found, newest) = (found.to_owned(), EDITION);
                Err(SyntaxError::UnknownEdition { found, newest, span: self.span(number) })
            }
        }
    }

    fn option(self, parts: &mut Parts<'_>) -> Built<OptionItem> {
        let name = self.small_name("the option", parts)?;
        let ty = self.perhaps_type(parts)?;
        let default = self.expression(parts.one(Rule::expression))?;
        Ok(OptionItem { name, ty, default, title: self.perhaps_text(parts)? })
    }

    fn constant(self, parts: &mut Parts<'_>) -> Built<Constant> {
        let name = self.small_name("the constant", parts)?;
        Ok(Constant { name, value: self.expression(parts.one(Rule::expression))? })
    }

    fn rule(self, parts: &mut Parts<'_>) -> Built<crate::syntax::ast::Rule> {
        let name = self.small_name("the rule", parts)?;
        let title = self.perhaps_text(parts)?;
        let params = self.parameters(parts.one(Rule::parameters))?;
        let returns = self.perhaps_type(parts)?;
        let body = parts.any();
        let body = if body.as_rule() == Rule::block {
            RuleBody::Block(self.block(body)?)
        } else {
            RuleBody::Value(self.expression(body)?)
        };
        Ok(crate::syntax::ast::Rule { name, title, params, returns, body })
    }

    /// `parameters`: names with their types.
    pub(super) fn parameters(self, pair: Pair<'_, Rule>) -> Built<Vec<Param>> {
        Self::each(&mut Parts::of(pair), Rule::parameter, |pair| self.parameter(pair))
    }

    fn parameter(self, pair: Pair<'_, Rule>) -> Built<Param> {
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.one(Rule::name));
        Ok(Param { name, ty: self.any_type(parts.one(Rule::any_type))? })
    }

    fn measure(self, parts: &mut Parts<'_>) -> Built<Measure> {
        let name = self.small_name("the measure", parts)?;
        let title = self.perhaps_text(parts)?;
        let each = parts.optional(Rule::each_player).map(|pair| self.span(&pair));
        Ok(Measure { name, title, each, value: self.expression(parts.one(Rule::expression))? })
    }

    fn always(self, parts: &mut Parts<'_>) -> Built<Always> {
        let condition = self.expression(parts.one(Rule::expression))?;
        let binder = parts.optional(Rule::binder).map(|pair| self.binder(pair)).transpose()?;
        Ok(Always { condition, binder })
    }

    fn flow(self, parts: &mut Parts<'_>) -> Built<Flow> {
        let phase = match parts.any().as_rule() {
            Rule::setup => Phase::Setup,
            _ => Phase::Play,
        };
        Ok(Flow { phase, body: self.block(parts.one(Rule::block))? })
    }

    // ---------------------------------------------------------------------- names

    /// The name of a declaration that is no kind.
    pub(super) fn small_name(self, what: &'static str, parts: &mut Parts<'_>) -> Built<Name> {
        let name = self.free_name(parts)?;
        if !name.text.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return Ok(name);
        }
        let instead = in_snake_case(&name.text);
        Err(SyntaxError::SmallName { what, found: name.text, instead, span: name.span })
    }

    /// The name of a kind.
    pub(super) fn kind_name(self, parts: &mut Parts<'_>) -> Built<Name> {
        let name = self.free_name(parts)?;
        if name.text.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return Ok(name);
        }
        let instead = in_pascal_case(&name.text);
        Err(SyntaxError::KindName { found: name.text, instead, span: name.span })
    }

    fn free_name(self, parts: &mut Parts<'_>) -> Built<Name> {
        let name = self.name(&parts.one(Rule::word));
        if !is_reserved(&name.text) {
            return Ok(name);
        }
        let expected = "a name".to_owned();
        Err(SyntaxError::ReservedWord { word: name.text, span: name.span, expected })
    }

    /// `members`: `elm, oak "Tall oak"`
    pub(super) fn members(self, pair: Pair<'_, Rule>) -> Built<Vec<Member>> {
        Self::each(&mut Parts::of(pair), Rule::member, |pair| {
            let mut parts = Parts::of(pair);
            let name = self.name(&parts.one(Rule::name));
            Ok(Member { name, title: self.perhaps_text(&mut parts)? })
        })
    }

    // ---------------------------------------------------------------------- types

    /// `any_type`, if it is there.
    pub(super) fn perhaps_type(self, parts: &mut Parts<'_>) -> Built<Option<TypeExpr>> {
        parts.optional(Rule::any_type).map(|pair| self.any_type(pair)).transpose()
    }

    /// `any_type`: a type as it is written.
    pub(super) fn any_type(self, pair: Pair<'_, Rule>) -> Built<TypeExpr> {
        let span = self.span(&pair);
        let pair = Parts::of(pair).any();
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        let kind = match rule {
            Rule::type_number => TypeKind::Number,
            Rule::type_bool => TypeKind::Bool,
            Rule::type_text => TypeKind::Text,
            Rule::type_kind => TypeKind::Kind(self.name(&parts.one(Rule::name))),
            Rule::type_lines => self.type_lines(&mut parts)?,
            Rule::type_members => TypeKind::Members(self.members(parts.one(Rule::members))?),
            Rule::type_set => TypeKind::Set(Box::new(self.any_type(parts.any())?)),
            Rule::type_cards => {
                TypeKind::Cards(parts.optional(Rule::name).map(|name| self.name(&name)))
            }
            Rule::type_maybe => TypeKind::Maybe(Box::new(self.any_type(parts.any())?)),
            _ => self.type_range(&mut parts)?,
        };
        Ok(TypeExpr { kind, span })
    }

    fn type_lines(self, parts: &mut Parts<'_>) -> Built<TypeKind> {
        let (board, asked) = (self.name(&parts.one(Rule::name)), self.name(&parts.one(Rule::name)));
        Ok(TypeKind::Of(board, asked, self.expressions(parts.one(Rule::arguments))?))
    }

    fn type_range(self, parts: &mut Parts<'_>) -> Built<TypeKind> {
        let low = Box::new(self.plain(parts.one(Rule::arithmetic))?);
        let high = parts.optional(Rule::arithmetic).map(|pair| self.plain(pair)).transpose()?;
        Ok(TypeKind::Range(low, high.map(Box::new)))
    }
}
