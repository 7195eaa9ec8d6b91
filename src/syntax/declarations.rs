//! Builds declarations and types.

use crate::syntax::EDITION;
use crate::syntax::ast::{
    self, Always, Arms, Attribute, Board, BoardShape, Cards, CellRow, Chain, Constant, Copies,
    Flow, Game, GameClause, Item, ItemKind, Measure, Member, MoreBranches, Moves, Name, OptionItem,
    Param, Phase, RuleBody, TypeExpr, TypeKind, Variant,
};
use crate::syntax::drawn::{has, kind, table};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::tree::{Build, Built, Node};
use crate::syntax::words::{in_pascal_case, in_snake_case, is_reserved};

impl Build for Item {
    const RULES: &'static [Rule] = &[Rule::declaration];

    fn build(mut node: Node<'_>) -> Built<Item> {
        let notes = node.notes();
        let node = node.any();
        let span = node.span;
        Ok(Item { notes, kind: declared(node)?, span })
    }
}

fn declared(mut node: Node<'_>) -> Built<ItemKind> {
    let node = &mut node;
    Ok(match node.rule {
        Rule::game_declaration | Rule::replaced_game => {
            ItemKind::Game(Game { title: node.maybe()?, clauses: node.all()? })
        }
        Rule::variant_declaration => {
            ItemKind::Variant(Variant { title: node.one()?, base: node.one()? })
        }
        Rule::use_declaration => ItemKind::Use(node.one()?),
        Rule::replace_declaration => ItemKind::Replace(Box::new(declared(node.any())?)),
        Rule::option_declaration => ItemKind::Option(OptionItem {
            name: node.small_name("the option")?,
            ty: node.maybe()?,
            default: node.one()?,
            title: node.maybe()?,
        }),
        Rule::constant_declaration => {
            ItemKind::Let(Constant { name: node.small_name("the constant")?, value: node.one()? })
        }
        Rule::kind_declaration => ItemKind::Kind(kind(node)?),
        Rule::extend_declaration => ItemKind::Extend(kind(node)?),
        Rule::cards_declaration => ItemKind::Cards(cards(node)?),
        Rule::moves_declaration => ItemKind::Moves(moves(node)?),
        Rule::more_moves => ItemKind::MoreMoves(moves(&mut node.any())?),
        Rule::more_branches => {
            let name = node.small_name("the rule")?;
            let arms = match node.part(Rule::value_arms) {
                Some(mut arms) => Arms::Values(arms.all()?),
                None => Arms::Statements(node.all()?),
            };
            ItemKind::MoreBranches(MoreBranches { name, arms })
        }
        Rule::board_declaration => ItemKind::Board(board(node)?),
        Rule::table_declaration => ItemKind::Table(table(node)?),
        Rule::has_declaration => ItemKind::Has(has(node)?),
        Rule::rule_declaration => ItemKind::Rule(rule(node)?),
        Rule::measure_declaration => ItemKind::Measure(Measure {
            name: node.small_name("the measure")?,
            title: node.maybe()?,
            each: node.part(Rule::each_player).map(|part| part.span),
            value: node.one()?,
        }),
        Rule::always_declaration => {
            ItemKind::Always(Always { condition: node.one()?, binder: node.maybe()? })
        }
        Rule::flow_declaration => {
            let is_setup = node.any().rule == Rule::setup;
            let phase = if is_setup { Phase::Setup } else { Phase::Play };
            ItemKind::Flow(Flow { phase, body: node.one()? })
        }
        rule => unreachable!("the grammar has no {rule:?} among the declarations"),
    })
}

fn rule(node: &mut Node<'_>) -> Built<ast::Rule> {
    Ok(ast::Rule {
        name: node.small_name("the rule")?,
        title: node.maybe()?,
        params: node.list(Rule::parameters)?,
        returns: node.maybe()?,
        body: match node.maybe()? {
            Some(block) => RuleBody::Block(block),
            None => RuleBody::Value(node.one()?),
        },
    })
}

impl Build for GameClause {
    const RULES: &'static [Rule] = &[Rule::game_clause];

    fn build(mut node: Node<'_>) -> Built<GameClause> {
        let span = node.span;
        let mut node = node.any();
        Ok(match node.rule {
            Rule::edition_clause => {
                let number = node.any();
                let known = number.text.parse().ok().filter(|it| (1..=EDITION).contains(it));
                // Nothing else in a file of an edition not known yet can be trusted.
                let number = known.ok_or_else(|| SyntaxError::UnknownEdition {
                    found: number.text.to_owned(),
                    newest: EDITION,
                    span: number.span,
                })?;
                GameClause::Edition { number, span }
            }
            Rule::limit_clause => GameClause::Limit {
                notes: node.notes(),
                decisions: node.one()?,
                body: node.one()?,
                span,
            },
            _ => GameClause::Players {
                low: node.one()?,
                high: node.maybe()?,
                usual: node.inside(Rule::usual_players)?,
                span,
            },
        })
    }
}

fn cards(node: &mut Node<'_>) -> Built<Cards> {
    Ok(Cards {
        name: node.kind_name()?,
        title: node.maybe()?,
        face: node.one()?,
        copies: match node.maybe()? {
            Some(column) => Copies::Column(column),
            None if node.peek().is_none() => Copies::One,
            None => Copies::Listed(node.list(Rule::copies)?),
        },
    })
}

/// A face and how many cards of it there are.
impl Build for (Name, i64) {
    const RULES: &'static [Rule] = &[Rule::copy];

    fn build(mut node: Node<'_>) -> Built<(Name, i64)> {
        Ok((node.one()?, node.any().number()?))
    }
}

fn moves(node: &mut Node<'_>) -> Built<Moves> {
    Ok(Moves {
        name: node.small_name("the group")?,
        params: node.list(Rule::parameters)?,
        options: node.all()?,
    })
}

impl Build for Param {
    const RULES: &'static [Rule] = &[Rule::parameter];

    fn build(mut node: Node<'_>) -> Built<Param> {
        Ok(Param { name: node.one()?, ty: node.one()? })
    }
}

fn board(node: &mut Node<'_>) -> Built<Board> {
    let (name, title) = (node.kind_name()?, node.maybe()?);
    let mut shape = node.any();
    let shape = match shape.rule {
        Rule::grid => BoardShape::Grid {
            columns: shape.one()?,
            rows: shape.one()?,
            from_bottom: shape.part(Rule::from_bottom).is_some(),
        },
        Rule::ring => BoardShape::Ring(shape.one()?),
        _ => BoardShape::Map(shape.all()?),
    };
    Ok(Board { name, title, shape, attributes: node.list(Rule::attributes)? })
}

impl Build for Attribute {
    const RULES: &'static [Rule] = &[Rule::attribute];

    fn build(mut node: Node<'_>) -> Built<Attribute> {
        let span = node.span;
        Ok(Attribute { name: node.one()?, ty: node.maybe()?, rows: node.all()?, span })
    }
}

impl Build for CellRow {
    const RULES: &'static [Rule] = &[Rule::drawn_cells];

    fn build(mut node: Node<'_>) -> Built<CellRow> {
        Ok(CellRow { cells: node.all()?, span: node.span })
    }
}

impl Build for Chain {
    const RULES: &'static [Rule] = &[Rule::chain];

    fn build(mut node: Node<'_>) -> Built<Chain> {
        Ok(Chain { places: node.all()?, span: node.span })
    }
}

impl Build for Member {
    const RULES: &'static [Rule] = &[Rule::member, Rule::place];

    fn build(mut node: Node<'_>) -> Built<Member> {
        Ok(Member { name: node.one()?, title: node.maybe()? })
    }
}

impl Node<'_> {
    /// The name of a declaration that is no kind.
    pub(super) fn small_name(&mut self, what: &'static str) -> Built<Name> {
        let name = self.free_name()?;
        if !name.text.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return Ok(name);
        }
        let instead = in_snake_case(&name.text);
        Err(SyntaxError::SmallName { what, found: name.text, instead, span: name.span })
    }

    pub(super) fn kind_name(&mut self) -> Built<Name> {
        let name = self.free_name()?;
        if name.text.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return Ok(name);
        }
        let instead = in_pascal_case(&name.text);
        Err(SyntaxError::KindName { found: name.text, instead, span: name.span })
    }

    fn free_name(&mut self) -> Built<Name> {
        let name: Name = self.one()?;
        if !is_reserved(&name.text) {
            return Ok(name);
        }
        let expected = "a name".to_owned();
        Err(SyntaxError::ReservedWord { word: name.text, span: name.span, expected })
    }
}

impl Build for TypeExpr {
    const RULES: &'static [Rule] = &[Rule::any_type, Rule::type_cards];

    fn build(mut node: Node<'_>) -> Built<TypeExpr> {
        let span = node.span;
        let mut node = if node.rule == Rule::any_type { node.any() } else { node };
        let kind = match node.rule {
            Rule::type_number => TypeKind::Number,
            Rule::type_bool => TypeKind::Bool,
            Rule::type_text => TypeKind::Text,
            Rule::type_kind => TypeKind::Kind(node.one()?),
            Rule::type_lines => TypeKind::Of(node.one()?, node.one()?, node.list(Rule::arguments)?),
            Rule::type_members => TypeKind::Members(node.list(Rule::members)?),
            Rule::type_set => TypeKind::Set(node.one()?),
            Rule::type_cards => TypeKind::Cards(node.maybe()?),
            Rule::type_maybe => TypeKind::Maybe(node.one()?),
            _ => TypeKind::Range(node.one()?, node.maybe()?),
        };
        Ok(TypeExpr { kind, span })
    }
}
