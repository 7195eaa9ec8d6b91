//! Builds declarations with their types and drawn data.

use crate::syntax::ast::{
    self, AlwaysDecl, Arms, Attribute, BoardDecl, BoardShape, CardsDecl, CellRow, Chain,
    ConstantDecl, Copies, Dim, Direction, Drawn, DrawnHead, Expr, ExprKind, Extension, FacesDecl,
    FlowDecl, FoldWord, GameClause, GameDecl, Has, Item, ItemKind, JointDecl, KindBody, KindDecl,
    MeasureDecl, MemberDecl, MovesDecl, Name, OptionItem, Owner, Param, PartColumn, Phase,
    PlayersPart, Removal, RuleBody, StrategyDecl, StrategyLineDecl, TableDecl, Text, TextPart,
    TypeExpr, TypeKind, VarDecl, VarForm, Variant, Visibility,
};
use crate::syntax::drawn_data::{build_link_rows, plain_words};
use crate::syntax::expressions::binders;
use crate::syntax::parser::{Build, Built, Node, Rule};
use crate::syntax::tokens::{RESERVED, in_pascal_case, in_snake_case};
use crate::syntax::{EDITION, error};

/// Builds parts of the tree whose fields are the parts of a rule, in their order: `field: method`, `field: method(rule)`
/// for a part inside a rule, `field: method["what"]` for the words of its error.
macro_rules! build {
    ($($ty:ident [$($rule:ident)+] {
        $($field:ident: $read:ident $(($inside:ident))? $([$what:literal])?),* $(; $span:ident)?
    })*) => {$(
        impl Build for $ty {
            const RULES: &'static [Rule] = &[$(Rule::$rule),+];

            fn build(mut node: Node<'_>) -> Built<$ty> {
                Ok($ty { $($field: node.$read($(Rule::$inside)? $($what)?)?,)* $($span: node.span)? })
            }
        }
    )*};
}

build! {
    Attribute [attribute] { name: one, ty: maybe, rows: build_all; span }
    CellRow [drawn_cells] { cells: build_all; span }
    Chain [chain] { places: build_all; span }
    ConstantDecl [constant_declaration] { name: small_name["the constant"], value: one }
    Dim [dim] { binder: maybe, ty: one }
    Drawn [drawn from_file] { file: maybe, heads: build_all, rows: build_all }
    GameDecl [game_declaration replaced_game] { title: maybe, clauses: build_all }
    DrawnHead [head] { label: one, ty: maybe, default: maybe; span }
    KindDecl [kind_declaration extend_declaration] {
        name: kind_name, title: maybe, within: build_inside(part_of), body: one, form: maybe,
        columns: build_list(part_columns)
    }
    MemberDecl [member place] { name: one, title: maybe }
    MovesDecl [moves_declaration] { name: small_name["the group"], params: build_list(parameters), options: build_all }
    OptionItem [option_declaration] { name: small_name["the option"], ty: maybe, default: one, title: maybe }
    Param [parameter] { name: one, ty: one }
    PlayersPart [players_part] { low: one, high: maybe; span }
    PartColumn [part_column] { name: one, ty: maybe, drawn: one; span }
    StrategyDecl [strategy_declaration] { title: one, lines: build_all }
    TableDecl [table_declaration] { name: small_name["the table"], dims: build_list(dims), title: maybe, ty: maybe, body: one }
}

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
    Ok(match node.rule {
        Rule::game_declaration | Rule::replaced_game => ItemKind::Game(Build::build(node)?),
        Rule::variant_declaration | Rule::mixin_declaration => ItemKind::Variant(variant(node)?),
        Rule::use_declaration => ItemKind::Use(node.one()?),
        Rule::replace_declaration => match declared(node.any())? {
            cells @ ItemKind::More(_) => cells,
            kind => ItemKind::Replace(Box::new(kind)),
        },
        Rule::option_declaration => ItemKind::Option(Build::build(node)?),
        Rule::constant_declaration => ItemKind::Let(Build::build(node)?),
        Rule::kind_declaration => ItemKind::Kind(Build::build(node)?),
        Rule::extend_declaration => ItemKind::Extend(Build::build(node)?),
        Rule::cards_declaration => ItemKind::Cards(build_cards(&mut node)?),
        Rule::moves_declaration => ItemKind::Moves(Build::build(node)?),
        Rule::more_moves
        | Rule::more_branches
        | Rule::around
        | Rule::more_choices
        | Rule::more_rows
        | Rule::more_members
        | Rule::replaced_cells => ItemKind::More(extension(node)?),
        Rule::remove_declaration => ItemKind::Remove(removal(node)?),
        Rule::board_declaration => ItemKind::Board(Build::build(node)?),
        Rule::table_declaration => ItemKind::Table(Build::build(node)?),
        Rule::has_declaration => {
            let is_player = node.any().rule == Rule::of_player;
            let owner = if is_player { Owner::Player } else { Owner::Table };
            ItemKind::Has(Has { owner, vars: node.build_all()? })
        }
        Rule::rule_declaration => ItemKind::Rule(rule(&mut node)?),
        Rule::measure_declaration => ItemKind::Measure(MeasureDecl {
            name: node.small_name("the measure")?,
            title: node.maybe()?,
            each: node.take_part(Rule::each_player).map(|part| part.span),
            value: node.one()?,
        }),
        Rule::always_declaration => {
            let separates = |it: &char| it.is_whitespace() || *it == ';';
            let code = node.text.lines().filter_map(|line| line.split('#').next());
            let written = code.flat_map(str::chars).filter(|it| !separates(it)).collect();
            let (mut condition, binder): (Expr, _) = (node.one()?, node.maybe()?);
            let binders = binders(node.build_all()?)?;
            if !binders.is_empty() {
                let span = condition.span;
                let body = vec![condition];
                condition =
                    Expr { kind: ExprKind::Fold { word: FoldWord::All, binders, body }, span };
            }
            ItemKind::Always(AlwaysDecl { condition, binder, written })
        }
        Rule::strategy_declaration => ItemKind::Strategy(Build::build(node)?),
        Rule::flow_declaration => {
            let is_setup = node.any().rule == Rule::setup;
            let phase = if is_setup { Phase::Setup } else { Phase::Play };
            ItemKind::Flow(FlowDecl { phase, body: node.one()? })
        }
        rule => unreachable!("the grammar has no {rule:?} among the declarations"),
    })
}

fn variant(mut node: Node<'_>) -> Built<Variant> {
    let has_title = node.rule == Rule::variant_declaration;
    let title = has_title.then(|| node.one()).transpose()?;
    let base_of = base(&mut node)?;
    let mut with = Vec::new();
    if let Some(mut files) = node.take_part(Rule::with_files) {
        while let Some(mut file) = files.take_part(Rule::with_file) {
            with.push(base(&mut file)?);
        }
    }
    Ok(Variant { title, base: base_of, with })
}

fn removal(mut node: Node<'_>) -> Built<Removal> {
    let node = node.any();
    if node.rule == Rule::removed {
        return removed(node);
    }
    match declared(node)? {
        ItemKind::Always(always) => Ok(Removal::Always(always)),
        _ => unreachable!("the grammar has only `always` here"),
    }
}

/// A file in quotes, or a bundled game by its name alone.
fn base(node: &mut Node<'_>) -> Built<Text> {
    if let Some(file) = node.maybe()? {
        return Ok(file);
    }
    let name = node.any();
    Ok(Text { parts: vec![TextPart::Words(name.text.to_owned())], span: name.span })
}

fn extension(mut node: Node<'_>) -> Built<Extension> {
    Ok(match node.rule {
        Rule::more_moves => Extension::Moves(node.one()?),
        Rule::more_branches => {
            let name = node.small_name("the rule")?;
            let arms = match node.take_part(Rule::value_arms) {
                Some(mut arms) => Arms::Values(arms.build_all()?),
                None => Arms::Statements(node.build_all()?),
            };
            Extension::Cases(name, arms)
        }
        Rule::around => {
            let named = node.any();
            let name = Name { text: named.text.to_owned(), span: named.span };
            let is_before = node.any().text.starts_with("before");
            Extension::Around { name, is_before, body: node.one()? }
        }
        Rule::more_choices => Extension::Choice {
            name: name_or_title(&mut node)?.expect("the grammar has a name here"),
            options: node.build_all()?,
            decline: node.maybe()?,
            otherwise: node.build_inside(Rule::nothing_legal)?,
        },
        Rule::more_rows => Extension::Rows(node.small_name("the table")?, node.one()?),
        Rule::replaced_cells => {
            let name = node.small_name("the table")?;
            Extension::Cells {
                name,
                indices: node.build_all()?,
                cells: node.build_list(Rule::cell_rows)?,
            }
        }
        _ => Extension::Members(node.small_name("the constant")?, node.build_all()?),
    })
}

/// A name, or a title in quotes.
fn name_or_title(node: &mut Node<'_>) -> Built<Option<Name>> {
    if node.peek() == Some(Rule::string) {
        let title = node.any();
        let span = title.span;
        return Ok(Some(Name { text: plain_words(title)?, span }));
    }
    node.maybe()
}

fn removed(mut node: Node<'_>) -> Built<Removal> {
    let first = node.any();
    let words = first.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name_or_title(&mut node)?;
    let parts = node.build_list(Rule::removed_parts)?;
    let words = match first.rule {
        Rule::of_player | Rule::of_table => format!("{words} has"),
        _ => words,
    };
    Ok(Removal::Named { words, name, parts })
}

fn rule(node: &mut Node<'_>) -> Built<ast::RuleDecl> {
    let base = calls_base(node.text).then(String::new);
    Ok(ast::RuleDecl {
        base,
        name: node.small_name("the rule")?,
        title: node.maybe()?,
        params: node.build_list(Rule::parameters)?,
        returns: node.maybe()?,
        body: match node.maybe()? {
            Some(block) => RuleBody::Block(block),
            None => RuleBody::Value(node.one()?),
        },
    })
}

fn calls_base(text: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter);
    text.match_indices("base").any(|(at, word)| {
        let begins = !text[..at].ends_with(is_part);
        begins && text[at + word.len()..].trim_start().starts_with('(')
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
                let number = known
                    .ok_or_else(|| error::unknown_edition(number.text, EDITION, number.span))?;
                GameClause::Edition { number, span }
            }
            Rule::limit_clause => GameClause::Limit {
                notes: node.notes(),
                decisions: node.one()?,
                body: node.one()?,
                span,
            },
            Rule::example_clause => GameClause::Example { script: node.one()?, span },
            Rule::teams_clause => {
                GameClause::Teams { player: node.one()?, team: node.one()?, span }
            }
            _ => GameClause::Players {
                counts: node.build_all()?,
                usual: node.build_inside(Rule::usual_players)?,
                seats: node.build_inside(Rule::seats)?,
                span,
            },
        })
    }
}

fn build_cards(node: &mut Node<'_>) -> Built<CardsDecl> {
    Ok(CardsDecl {
        name: node.kind_name()?,
        title: node.maybe()?,
        face: node.one()?,
        copies: match node.maybe()? {
            Some(number) => Copies::Computed(number),
            None if node.peek().is_none() => Copies::One,
            None => Copies::Listed(node.build_list(Rule::copies)?),
        },
    })
}

/// A face and how many cards of it there are.
impl Build for (Name, i64) {
    const RULES: &'static [Rule] = &[Rule::copy];
    fn build(mut node: Node<'_>) -> Built<(Name, i64)> {
        Ok((node.one()?, node.any().parse_number()?))
    }
}

impl Build for BoardDecl {
    const RULES: &'static [Rule] = &[Rule::board_declaration];
    fn build(mut node: Node<'_>) -> Built<BoardDecl> {
        let (name, title) = (node.kind_name()?, node.maybe()?);
        // Before the places of a map, or behind the sizes of any other board.
        let before = node.build_list(Rule::joints)?;
        let shape = node.one()?;
        let joints = [before, node.build_list(Rule::joints)?].concat();
        Ok(BoardDecl { name, title, shape, attributes: node.build_list(Rule::attributes)?, joints })
    }
}

impl Build for JointDecl {
    const RULES: &'static [Rule] = &[Rule::joint];
    fn build(mut node: Node<'_>) -> Built<JointDecl> {
        let word = node.any();
        let word = Name { text: word.text.to_owned(), span: word.span };
        Ok(JointDecl { word, name: node.kind_name()?, title: node.maybe()? })
    }
}

impl Build for BoardShape {
    const RULES: &'static [Rule] = &[Rule::grid, Rule::shaped, Rule::links];
    fn build(mut node: Node<'_>) -> Built<BoardShape> {
        Ok(match node.rule {
            Rule::grid => BoardShape::Grid {
                columns: node.one()?,
                rows: node.one()?,
                from_bottom: node.take_part(Rule::from_bottom).is_some(),
                wraps: node.take_part(Rule::wrap).is_some(),
            },
            Rule::shaped => BoardShape::Shaped {
                word: node.any().text.to_owned(),
                sizes: node.build_all()?,
                wrap: node.take_part(Rule::wrap).map(|word| word.span),
            },
            _ => match node.take_part(Rule::drawn_links) {
                None => BoardShape::Map(node.build_all()?, None),
                Some(drawn) => {
                    let (chains, drawn) = build_link_rows(drawn)?;
                    BoardShape::Map(chains, Some(KindBody::Drawn(drawn)))
                }
            },
        })
    }
}

impl Node<'_> {
    /// The name of a declaration that is no kind.
    pub(super) fn small_name(&mut self, what: &'static str) -> Built<Name> {
        let name = self.free_name()?;
        if name.text.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            let instead = in_snake_case(&name.text);
            return Err(
                error::SmallName { what, found: name.text, instead, span: name.span }.into()
            );
        }
        Ok(name)
    }

    pub(super) fn kind_name(&mut self) -> Built<Name> {
        let name = self.free_name()?;
        if !name.text.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return Err(error::kind_name(&name.text, in_pascal_case(&name.text), name.span));
        }
        Ok(name)
    }

    fn free_name(&mut self) -> Built<Name> {
        let name: Name = self.one()?;
        if RESERVED.contains(&name.text.as_str()) {
            return Err(error::reserved_word(name.text, "a name", name.span));
        }
        Ok(name)
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
            Rule::type_lines => {
                TypeKind::Of(node.one()?, node.one()?, node.build_list(Rule::arguments)?)
            }
            Rule::type_members => TypeKind::Members(node.build_list(Rule::members)?),
            Rule::type_set => TypeKind::Set(node.one()?),
            Rule::type_list => TypeKind::List(node.one()?, node.one()?),
            Rule::type_bag => TypeKind::Bag(node.one()?, node.maybe()?.map(Box::new)),
            Rule::type_cards => TypeKind::Cards(node.maybe()?),
            Rule::type_maybe => TypeKind::Maybe(node.one()?),
            _ => TypeKind::Range(node.one()?, node.maybe()?),
        };
        Ok(TypeExpr { kind, span })
    }
}

// Strategies, and the variables of the state.

impl Build for StrategyLineDecl {
    const RULES: &'static [Rule] = &[Rule::strategy_line];
    fn build(mut node: Node<'_>) -> Built<StrategyLineDecl> {
        let (span, notes, name) = (node.span, node.notes(), node.one()?);
        let arguments = node.take_part(Rule::strategy_arguments).map(|mut part| -> Built<_> {
            let mut arguments = Vec::new();
            while let Some(mut argument) = part.take_part(Rule::strategy_argument) {
                arguments.push(match argument.take_part(Rule::any_argument) {
                    Some(_) => None,
                    None => Some(argument.one()?),
                });
            }
            Ok(arguments)
        });
        let arguments = arguments.transpose()?;
        let before = node.build_inside(Rule::when_clause)?;
        let keys = node.take_part(Rule::strategy_keys).map(|mut part| -> Built<_> {
            let mut keys = Vec::new();
            while let Some(mut key) = part.take_part(Rule::strategy_key) {
                let lowest = key.any().text.starts_with(Direction::Lowest.keyword());
                let direction = if lowest { Direction::Lowest } else { Direction::Highest };
                keys.push((direction, key.one()?));
            }
            Ok(keys)
        });
        let keys = keys.transpose()?.unwrap_or_default();
        let condition =
            before.map_or_else(|| node.build_inside(Rule::when_clause), |it| Ok(Some(it)))?;
        Ok(StrategyLineDecl { notes, name, arguments, condition, keys, span })
    }
}

impl Build for VarDecl {
    const RULES: &'static [Rule] = &[Rule::variable];
    fn build(mut node: Node<'_>) -> Built<VarDecl> {
        let notes = node.notes();
        let undrawn = node.take_part(Rule::undrawn).is_some();
        let mut node = node.any();
        let (rule, span) = (node.rule, node.span);
        let (name, title, mut dims) = (node.one()?, node.maybe()?, node.build_list(Rule::dims)?);
        let (mut ty, mut init, mut sight) = (None, None, (Visibility::All, None));
        let form = match rule {
            Rule::die | Rule::dice => {
                // The types after `for` of dice.
                let types = node.build_all()?.into_iter();
                dims.extend(types.map(|ty| Dim { binder: None, ty }));
                VarForm::Die(node.one()?)
            }
            Rule::pile => {
                ty = node.maybe()?;
                sight = visibility(&mut node)?;
                init = node.maybe()?;
                VarForm::Pile
            }
            Rule::history => VarForm::History(node.build_all()?),
            _ => {
                ty = node.maybe()?;
                init = Some(node.one()?);
                if rule == Rule::coin { VarForm::Coin } else { VarForm::Plain }
            }
        };
        if rule != Rule::pile {
            sight = visibility(&mut node)?;
        }
        let (sight, seers) = sight;
        Ok(VarDecl { notes, form, name, title, dims, ty, init, sight, seers, undrawn, span })
    }
}

/// `owner` and `others` are words of their own where nothing stands beside them.
fn visibility(node: &mut Node<'_>) -> Built<(Visibility, Option<Expr>)> {
    let Some(mut sight) = node.take_part(Rule::sight) else { return Ok((Visibility::All, None)) };
    let mut sight = sight.any();
    if sight.rule != Rule::seen_by {
        return Ok((Visibility::Nobody, None));
    }
    let seers: Expr = sight.one()?;
    Ok(match &seers.kind {
        ExprKind::Name(name) if name.text == "owner" => (Visibility::Owner, None),
        ExprKind::Name(name) if name.text == "others" => (Visibility::Others, None),
        _ => (Visibility::Named, Some(seers)),
    })
}

impl Build for FacesDecl {
    const RULES: &'static [Rule] = &[Rule::faces];
    fn build(mut node: Node<'_>) -> Built<FacesDecl> {
        Ok(match node.maybe()? {
            Some(low) => FacesDecl::Range(low, node.one()?),
            None => FacesDecl::List(node.build_list(Rule::cell_row)?),
        })
    }
}
