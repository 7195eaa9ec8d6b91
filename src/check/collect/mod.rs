//! `Collector`: collects the declarations of a file and checks them, sort after sort.

mod boards;
mod bodies;
mod cards;
mod cells;
mod copies;
mod derived_kinds;
mod histories;
mod joints;
mod kinds;
mod part_columns;
mod seats;
mod strategies;
mod tables;
mod variables;

use std::collections::BTreeSet;

use crate::check::collect::bodies::collect_moves;
use crate::check::collect::histories::{check_histories, collect_history};
use crate::check::collect::strategies::collect_strategy;
use crate::check::error;
use crate::check::file::{Declared, FileContext};
use crate::check::names::Global;
use crate::check::pile_orders::order_piles;
use crate::check::words::{game_word, to_spaced};
use crate::rules::{
    Binder, Constant, ConstantId, Expr, ExprKind, GameOption, Init, KindId, KindShape, OptionId,
    PLAYER, Rule, RuleId, Table, TableId, Type, UnaryOp, Var, VarForm, VarId, join_ranges,
    maybe_if_any, typed, unknown_expr,
};
use crate::source::Span;
use crate::syntax::FUNCTIONS;
use crate::syntax::ast::{self, FOLDS, FoldWord};

const MOST_PLAYERS: usize = 20;

/// Collects the declarations of a file and checks what they declare.
pub(crate) struct Collector<'a> {
    pub(crate) file: FileContext<'a>,
}

impl<'a> Collector<'a> {
    pub(crate) fn check_file(&mut self, file: &'a ast::Ast) {
        self.file.tree.files = &file.files;
        for item in &file.items {
            self.collect(item);
        }
        // Boards and cards come after all other kinds.
        for item in &file.items {
            if let ast::ItemKind::Board(board) = &item.kind {
                let id = self.collect_kind(&board.name, board.title.as_ref(), item);
                self.file.tree.boards.push((id, board));
                for joint in &board.joints {
                    let joints = self.collect_kind(&joint.name, joint.title.as_ref(), item);
                    self.file.rules.kinds[joints.index()].notes.clear();
                    self.file.tree.joints.push((joints, id, joint));
                }
            }
        }
        for item in &file.items {
            if let ast::ItemKind::Cards(cards) = &item.kind {
                let id = self.collect_kind(&cards.name, cards.title.as_ref(), item);
                self.file.tree.cards.push((id, cards));
            }
        }
        self.check_game();
        self.check_kinds(file);
        self.check_tables();
        self.check_options();
        self.check_vars();
        check_histories(&mut self.file);
        self.check_bodies();
        order_piles(&mut self.file.rules);
    }

    pub(crate) fn collect(&mut self, item: &'a ast::Item) {
        match &item.kind {
            ast::ItemKind::Game(game) => self.file.tree.games.push(declare_item(item, game)),
            ast::ItemKind::Option(option) => self.collect_option(item, option),
            ast::ItemKind::Let(constant) => self.collect_constant(item, constant),
            ast::ItemKind::Kind(kind) => {
                let id = self.collect_kind(&kind.name, kind.title.as_ref(), item);
                self.file.tree.kinds.push((id, kind));
            }
            ast::ItemKind::Extend(kind) => self.file.tree.extensions.push(declare_item(item, kind)),
            // Boards and cards come later; the others are gone from a tree that was put together
            // of several files.
            ast::ItemKind::Board(_)
            | ast::ItemKind::Cards(_)
            | ast::ItemKind::Variant(_)
            | ast::ItemKind::Use(_)
            | ast::ItemKind::Replace(_)
            | ast::ItemKind::Remove(_)
            | ast::ItemKind::More(_) => {}
            ast::ItemKind::Table(table) => self.collect_table(item, table),
            ast::ItemKind::Has(has) => {
                has.vars.iter().for_each(|var| self.collect_var(has.owner, var));
            }
            ast::ItemKind::Rule(rule) => self.collect_rule(item, rule),
            ast::ItemKind::Moves(moves) => collect_moves(&mut self.file, item, moves),
            ast::ItemKind::Measure(measure) => {
                self.file.tree.measures.push(declare_item(item, measure));
            }
            ast::ItemKind::Always(always) => self.file.tree.always.push(declare_item(item, always)),
            ast::ItemKind::Strategy(strategy) => collect_strategy(&mut self.file, strategy),
            ast::ItemKind::Flow(flow) => self.file.tree.flows.push(declare_item(item, flow)),
        }
    }

    fn collect_option(&mut self, item: &'a ast::Item, option: &'a ast::OptionItem) {
        let ast::Name { text: name, span } = option.name.clone();
        let id = OptionId::at(self.file.rules.options.len());
        self.file.take_global(&option.name, Global::Option(id), "an option");
        let title = self.file.title_or(option.title.as_ref(), to_spaced(&name));
        self.file.tree.options.push(declare_item(item, option));
        let (ty, range, default) = (Type::Unknown, None, unknown_expr(option.default.span));
        let notes = item.notes.clone();
        self.file.rules.options.push(GameOption { name, title, notes, ty, range, default, span });
    }

    fn collect_constant(&mut self, item: &'a ast::Item, constant: &'a ast::ConstantDecl) {
        let ast::Name { text: name, span } = constant.name.clone();
        let id = ConstantId::at(self.file.rules.constants.len());
        self.file.take_global(&constant.name, Global::Constant(id), "a constant");
        self.file.tree.constants.push(declare_item(item, constant));
        let (notes, value) = (item.notes.clone(), unknown_expr(constant.value.span));
        self.file.rules.constants.push(Constant { name, notes, value, span });
    }

    /// Takes the name of a kind, whose members come later.
    fn collect_kind(
        &mut self,
        name: &ast::Name,
        title: Option<&ast::Text>,
        item: &ast::Item,
    ) -> KindId {
        let earlier = self.file.names.kinds.get(&name.text).copied();
        let span = earlier.map(|earlier| self.file.rules.kind_at(earlier).span);
        self.file.claim_name(name, "a kind", earlier == Some(PLAYER), span);
        let title = self.file.title_or(title, name.text.clone());
        let id = self.file.add_kind(&name.text, KindShape::Plain, Vec::new(), name.span);
        self.file.names.kinds.entry(name.text.clone()).or_insert(id);
        let kind = &mut self.file.rules.kinds[id.index()];
        (kind.title, kind.notes) = (title, item.notes.clone());
        id
    }

    fn collect_table(&mut self, item: &'a ast::Item, table: &'a ast::TableDecl) {
        let ast::Name { text: name, span } = table.name.clone();
        let id = TableId::at(self.file.rules.tables.len());
        self.file.take_global(&table.name, Global::Table(id), "a table");
        let title = self.file.title_or(table.title.as_ref(), to_spaced(&name));
        self.file.tree.tables.push(declare_item(item, table));
        let (notes, dims, cells) = (item.notes.clone(), Vec::new(), Vec::new().into());
        self.file.rules.tables.push(Table {
            name,
            title,
            notes,
            dims,
            ty: Type::Unknown,
            cells,
            formula: None,
            span,
        });
    }

    fn collect_var(&mut self, owner: ast::Owner, var: &'a ast::VarDecl) {
        if let ast::VarForm::History(of) = &var.form {
            return collect_history(&mut self.file, owner, var, of);
        }
        let id = VarId::at(self.file.rules.vars.len());
        match owner {
            ast::Owner::Table => self.file.take_global(&var.name, Global::Var(id), "a variable"),
            ast::Owner::Player => self.take_players_name(&var.name, id),
        }
        let title = self.file.title_or(var.title.as_ref(), to_spaced(&var.name.text));
        self.file.tree.vars.push((owner, var));
        self.file.rules.vars.push(Var {
            name: var.name.text.clone(),
            title,
            notes: var.notes.clone(),
            owner,
            dims: Vec::new(),
            ty: Type::Unknown,
            range: None,
            form: VarForm::Plain,
            sight: var.sight,
            seers: None,
            undrawn: var.undrawn,
            init: Init { binders: Vec::new(), locals: Vec::new(), value: unknown_expr(var.span) },
            span: var.name.span,
        });
    }

    fn collect_rule(&mut self, item: &'a ast::Item, rule: &'a ast::RuleDecl) {
        let name = &rule.name;
        let id = RuleId::at(self.file.rules.rules.len());
        let earlier =
            self.file.names.rules.get(&name.text).map(|it| self.file.rules.rules[it.index()].span);
        let functions = FUNCTIONS.iter().map(|(word, ..)| *word);
        let built_in = functions.chain(FOLDS.map(|fold| fold.word)).any(|word| word == name.text);
        if self.file.claim_name(name, "a rule", built_in, earlier) {
            self.file.names.rules.insert(name.text.clone(), id);
        }
        let title = self.file.title_or(rule.title.as_ref(), to_spaced(&name.text));
        self.file.tree.rules.push(declare_item(item, rule));
        self.file.add_rule(Rule {
            title,
            notes: item.notes.clone(),
            ..Rule::empty(&name.text, name.span)
        });
    }

    fn take_players_name(&mut self, name: &ast::Name, var: VarId) {
        let earlier = self.file.names.of_players.get(&name.text);
        let earlier = earlier.map(|it| self.file.rules.vars[it.index()].span);
        if self.file.claim_name(name, "a variable", name.text == "seat", earlier) {
            self.file.names.of_players.insert(name.text.clone(), var);
        }
    }

    fn check_game(&mut self) {
        let Some(&Declared { notes, item: game, span: first }) = self.file.tree.games.first()
        else {
            let help = if self.file.tree.flows.is_empty() {
                "begin with `game \"Title\" { players 2 }`; rules that games share are checked with a \
                 game that takes them in, `use \"shared.game\"`"
            } else {
                "begin with `game \"Title\" { players 2 }`"
            };
            return self.file.report_error(error::no_game(help, Span::default()));
        };
        for at in 1..self.file.tree.games.len() {
            let again = game_word(self.file.tree.games[at].span);
            self.file.report_error(error::several("game", again, game_word(first)));
        }
        self.file.rules.title = self.file.title_or(game.title.as_ref(), String::new());
        self.file.rules.notes = notes.to_vec();
        self.check_clauses(game, first);
    }

    /// Checks how many play, and that a file is written in one edition; which editions there are
    /// is known where it is read.
    fn check_clauses(&mut self, game: &ast::GameDecl, place: Span) {
        let (mut edition, mut players, mut example) = (None, None, None);
        for clause in &game.clauses {
            match clause {
                ast::GameClause::Edition { span, .. } => {
                    if let Some(earlier) = edition.replace(*span) {
                        self.file.report_error(error::several("edition", *span, earlier));
                    }
                }
                ast::GameClause::Players { counts, usual, span, .. } => {
                    if let Some(earlier) = players.replace(*span) {
                        self.file.report_error(error::several("players", *span, earlier));
                    }
                    self.check_players(counts, usual.as_ref(), *span);
                }
                ast::GameClause::Example { script, span } => {
                    if let Some(earlier) = example.replace(*span) {
                        self.file.report_error(error::several("example", *span, earlier));
                    }
                    let path = self.file.title_or(Some(script), String::new());
                    self.file.rules.example = Some(path);
                }
                ast::GameClause::Limit { .. } | ast::GameClause::Teams { .. } => {}
            }
        }
        if players.is_none() {
            let problem = "the `game` block does not say how many play";
            self.file.report_error(error::players_range(problem, game_word(place)));
        }
    }

    fn players_bound(&mut self, bound: &ast::Expr) -> Option<usize> {
        if let ast::ExprKind::Number(number) = bound.kind {
            return usize::try_from(number).ok();
        }
        let problem = "the number of players must be a literal number";
        self.file.refuse_with(error::players_range(problem, bound.span))
    }

    /// Takes the numbers of players, a range or several.
    fn check_players(
        &mut self,
        parts: &[ast::PlayersPart],
        usual: Option<&ast::Expr>,
        span: Span,
    ) -> Option<()> {
        let usual = usual.map(|usual| self.players_bound(usual));
        let mut counts = BTreeSet::new();
        for part in parts {
            let low = self.players_bound(&part.low);
            let high = part.high.as_ref().map_or(low, |high| self.players_bound(high));
            let (low, high) = (low?, high?);
            let twice = (low..=high.min(MOST_PLAYERS)).find(|count| !counts.insert(*count));
            let problem = match (low, high) {
                (0, _) => "a game needs at least 1 player".to_owned(),
                _ if high > MOST_PLAYERS => {
                    format!("at most {MOST_PLAYERS} can play, found {high}")
                }
                _ if low > high => format!("the range {low}..{high} holds nothing"),
                _ => match twice {
                    Some(twice) => format!("{twice} players are named twice"),
                    None => continue,
                },
            };
            let place = if parts.len() == 1 { span } else { part.span };
            return self.file.refuse_with(error::players_range(problem, place));
        }
        let (fewest, most) = (*counts.first()?, *counts.last()?);
        let usual = usual.unwrap_or(Some(fewest))?;
        if !counts.contains(&usual) {
            let counts = join_ranges(counts, "..").join(", ");
            let problem = format!("the usual number, {usual}, is not in {counts}");
            return self.file.refuse_with(error::players_range(problem, span));
        }
        let rules = &mut self.file.rules;
        (rules.players, rules.usual_players) = ((fewest, most), usual);
        rules.players_left_out = (fewest..=most).filter(|it| !counts.contains(it)).collect();
        Some(())
    }
}

fn declare_item<'a, T>(item: &'a ast::Item, of: &'a T) -> Declared<'a, T> {
    Declared { notes: &item.notes, item: of, span: item.span }
}

/// The first member for which a condition does not hold.
pub(crate) fn first_without(binder: &Binder, condition: &Expr, member: &Type) -> Expr {
    let span = condition.span;
    let fails = typed(ExprKind::new_unary(UnaryOp::Not, condition.clone()), Type::Bool, span);
    let fold = ExprKind::Fold { word: FoldWord::First, binder: binder.clone(), body: vec![fails] };
    typed(fold, maybe_if_any(member.clone()), span)
}
