//! The declarations of a file: first all names, then what each of them holds.

use crate::check::context::{Checker, Entry, Progress, Tree, unknown};
use crate::check::error::{DataError, FlowError, NameError};
use crate::check::rules::{
    Constant, ConstantId, Effects, GameOption, Group, Init, Kind, KindId, OptionId, Rule, RuleId,
    Shape, Table, TableId, Type, Var, VarForm, VarId,
};
use crate::check::scope::Global;
use crate::source::Span;
use crate::syntax::ast;

/// Words that are there without being declared.
const WORDS: [&str; 2] = ["players", "turn"];

/// Functions that are there without being declared.
const FUNCTIONS: [&str; 16] = [
    "next", "previous", "others", "abs", "min", "max", "ceil", "floor", "count", "sum", "any",
    "all", "first", "last", "highest", "lowest",
];

/// The most players that a game may have.
const MOST_PLAYERS: usize = 20;

/// How many bytes a title may have.
const MAX_TITLE: usize = 1000;

impl<'a> Checker<'a> {
    /// Checks a whole file.
    pub(super) fn check_file(&mut self, file: &'a ast::Ast) {
        for item in &file.items {
            self.collect(item);
        }
        for item in &file.items {
            if let ast::ItemKind::Board(board) = &item.kind {
                self.collect_board(item, board);
            }
        }
        for item in &file.items {
            if let ast::ItemKind::Cards(cards) = &item.kind {
                self.collect_cards(item, cards);
            }
        }
        self.check_game();
        self.check_kinds(file);
        self.check_tables();
        self.check_options();
        self.check_vars();
        self.check_bodies();
        self.order_piles();
        self.check_flow();
    }

    /// Takes the names of a declaration.
    fn collect(&mut self, item: &'a ast::Item) {
        match &item.kind {
            ast::ItemKind::Game(game) => self.tree.games.push(entry(item, game)),
            ast::ItemKind::Option(option) => self.collect_option(item, option),
            ast::ItemKind::Let(constant) => self.collect_constant(item, constant),
            ast::ItemKind::Kind(kind) => self.collect_kind(item, kind),
            ast::ItemKind::Extend(kind) => self.tree.extensions.push(entry(item, kind)),
            // Boards and cards come after all other kinds, whose ids are their places in the file;
            // the others are gone from a tree that was put together of several files.
            ast::ItemKind::Board(_)
            | ast::ItemKind::Cards(_)
            | ast::ItemKind::Variant(_)
            | ast::ItemKind::Use(_)
            | ast::ItemKind::Replace(_)
            | ast::ItemKind::MoreMoves(_)
            | ast::ItemKind::MoreBranches(_) => {}
            ast::ItemKind::Table(table) => self.collect_table(item, table),
            ast::ItemKind::Has(has) => {
                for var in &has.vars {
                    self.collect_var(has.owner, var);
                }
            }
            ast::ItemKind::Rule(rule) => self.collect_rule(item, rule),
            ast::ItemKind::Moves(moves) => {
                let (name, notes) = (moves.name.text.clone(), item.notes.clone());
                self.rules.groups.push(Group { name, notes, span: item.span });
                self.collect_moves(moves);
            }
            ast::ItemKind::Measure(measure) => self.tree.measures.push(entry(item, measure)),
            ast::ItemKind::Always(always) => self.tree.always.push(entry(item, always)),
            ast::ItemKind::Flow(flow) => self.tree.flows.push(entry(item, flow)),
        }
    }

    fn collect_option(&mut self, item: &'a ast::Item, option: &'a ast::OptionItem) {
        let id = OptionId::at(self.rules.options.len());
        self.take_global(&option.name, Global::Option(id), "an option");
        let title = self.title(option.title.as_ref(), spaced(&option.name.text));
        self.tree.options.push(entry(item, option));
        self.rules.options.push(GameOption {
            name: option.name.text.clone(),
            title,
            notes: item.notes.clone(),
            ty: Type::Unknown,
            range: None,
            default: unknown(option.default.span),
            span: option.name.span,
        });
    }

    fn collect_constant(&mut self, item: &'a ast::Item, constant: &'a ast::Constant) {
        let id = ConstantId::at(self.rules.constants.len());
        self.take_global(&constant.name, Global::Constant(id), "a constant");
        self.tree.constants.push(entry(item, constant));
        self.rules.constants.push(Constant {
            name: constant.name.text.clone(),
            notes: item.notes.clone(),
            value: unknown(constant.value.span),
            span: constant.name.span,
        });
    }

    fn collect_kind(&mut self, item: &'a ast::Item, kind: &'a ast::Kind) {
        self.take_kind(&kind.name, kind.title.as_ref(), &item.notes);
        self.tree.kinds.push(entry(item, kind));
    }

    fn collect_board(&mut self, item: &'a ast::Item, board: &'a ast::Board) {
        let id = self.take_kind(&board.name, board.title.as_ref(), &item.notes);
        self.tree.boards.push((id, board));
    }

    fn collect_cards(&mut self, item: &'a ast::Item, cards: &'a ast::Cards) {
        let id = self.take_kind(&cards.name, cards.title.as_ref(), &item.notes);
        self.tree.cards.push((id, cards));
    }

    /// Takes the name of a kind, whose members come later.
    fn take_kind(
        &mut self,
        name: &ast::Name,
        title: Option<&ast::Text>,
        notes: &[ast::Note],
    ) -> KindId {
        let id = KindId::at(self.rules.kinds.len());
        self.check_case(name, "a kind", true);
        match self.names.kinds.get(&name.text) {
            Some(KindId(0)) => {
                let (name, span) = (name.text.clone(), name.span);
                self.report(NameError::BuiltIn { name, span });
            }
            Some(earlier) => self.duplicate(name, self.kind(*earlier).span),
            None => drop(self.names.kinds.insert(name.text.clone(), id)),
        }
        let title = self.title(title, name.text.clone());
        self.rules.kinds.push(Kind {
            name: name.text.clone(),
            title,
            notes: notes.to_vec(),
            members: Vec::new(),
            columns: Vec::new(),
            shape: Shape::Plain,
            within: None,
            span: name.span,
        });
        id
    }

    fn collect_table(&mut self, item: &'a ast::Item, table: &'a ast::Table) {
        let id = TableId::at(self.rules.tables.len());
        self.take_global(&table.name, Global::Table(id), "a table");
        let title = self.title(table.title.as_ref(), spaced(&table.name.text));
        self.tree.tables.push(entry(item, table));
        self.rules.tables.push(Table {
            name: table.name.text.clone(),
            title,
            notes: item.notes.clone(),
            dims: Vec::new(),
            ty: Type::Unknown,
            cells: Vec::new().into(),
            span: table.name.span,
        });
    }

    fn collect_var(&mut self, owner: ast::Owner, var: &'a ast::Var) {
        let id = VarId::at(self.rules.vars.len());
        match owner {
            ast::Owner::Table => self.take_global(&var.name, Global::Var(id), "a variable"),
            ast::Owner::Player => self.take_players_name(&var.name, id),
        }
        let title = self.title(var.title.as_ref(), spaced(&var.name.text));
        self.tree.vars.push((owner, var));
        self.rules.vars.push(Var {
            name: var.name.text.clone(),
            title,
            notes: var.notes.clone(),
            owner,
            dims: Vec::new(),
            ty: Type::Unknown,
            range: None,
            form: VarForm::Plain,
            sight: var.sight,
            init: Init { binders: Vec::new(), locals: Vec::new(), value: unknown(var.span) },
            span: var.name.span,
        });
    }

    fn collect_rule(&mut self, item: &'a ast::Item, rule: &'a ast::Rule) {
        let id = RuleId::at(self.rules.rules.len());
        self.check_case(&rule.name, "a rule", false);
        let name = &rule.name;
        if FUNCTIONS.contains(&name.text.as_str()) {
            self.report(NameError::BuiltIn { name: name.text.clone(), span: name.span });
        } else if let Some(earlier) = self.names.rules.get(&name.text) {
            self.duplicate(name, self.rules.rules[earlier.index()].span);
        } else {
            self.names.rules.insert(name.text.clone(), id);
        }
        let title = self.title(rule.title.as_ref(), spaced(&name.text));
        self.tree.rules.push(entry(item, rule));
        self.add_rule(Rule { title, notes: item.notes.clone(), ..empty_rule(name) });
    }

    /// Adds a rule without a body.
    pub(super) fn add_rule(&mut self, rule: Rule) -> RuleId {
        self.rules.rules.push(rule);
        self.calls.push(Vec::new());
        RuleId::at(self.rules.rules.len() - 1)
    }

    fn take_global(&mut self, name: &ast::Name, global: Global, what: &str) {
        self.check_case(name, what, false);
        if WORDS.contains(&name.text.as_str()) {
            self.report(NameError::BuiltIn { name: name.text.clone(), span: name.span });
        } else if let Some(earlier) = self.names.globals.get(&name.text) {
            self.duplicate(name, self.declaration(*earlier));
        } else {
            self.names.globals.insert(name.text.clone(), global);
        }
    }

    fn take_players_name(&mut self, name: &ast::Name, var: VarId) {
        self.check_case(name, "a variable", false);
        if name.text == "seat" {
            self.report(NameError::BuiltIn { name: name.text.clone(), span: name.span });
        } else if let Some(earlier) = self.names.of_players.get(&name.text) {
            self.duplicate(name, self.rules.vars[earlier.index()].span);
        } else {
            self.names.of_players.insert(name.text.clone(), var);
        }
    }

    /// Reports a second declaration.
    pub(super) fn duplicate(&mut self, name: &ast::Name, earlier: Span) {
        let (name, span) = (name.text.clone(), name.span);
        self.report(NameError::Duplicate { name, span, earlier });
    }

    /// Reports a name that begins with the wrong letter.
    pub(super) fn check_case(&mut self, name: &ast::Name, what: &str, capital: bool) {
        let first = name.text.chars().next().unwrap_or('_');
        if first.is_uppercase() == capital {
            return;
        }
        let rest = &name.text[first.len_utf8()..];
        let (wanted, better) = if capital {
            ("capital", format!("{}{rest}", first.to_uppercase()))
        } else {
            ("small", format!("{}{rest}", first.to_lowercase()))
        };
        self.report(NameError::Naming {
            what: what.to_owned(),
            name: name.text.clone(),
            wanted: wanted.to_owned(),
            better,
            span: name.span,
        });
    }

    /// The words of a title, or others if there is none.
    pub(super) fn title(&mut self, title: Option<&ast::Text>, otherwise: String) -> String {
        let Some(title) = title else { return otherwise };
        let words = self.words(title);
        self.short_title(words, title.span)
    }

    /// A title that is not too long; nothing of one that is.
    pub(super) fn short_title(&mut self, title: String, span: Span) -> String {
        let (found, most) = (title.len(), MAX_TITLE);
        if found <= most {
            return title;
        }
        self.report(DataError::LongTitle { found, most, span });
        String::new()
    }

    /// The words of a text that must not have holes.
    fn words(&mut self, text: &ast::Text) -> String {
        let mut words = String::new();
        for part in &text.parts {
            match part {
                ast::TextPart::Words(part) => words.push_str(part),
                ast::TextPart::Hole(hole) => {
                    self.report(DataError::HolesInTitle { span: hole.span });
                }
            }
        }
        words
    }

    fn check_game(&mut self) {
        let games: Vec<(&ast::Game, Span)> =
            self.tree.games.iter().map(|entry| (entry.item, entry.span)).collect();
        let Some((game, first)) = games.first() else {
            let help = if self.tree.flows.is_empty() {
                "begin with `game \"Title\" { players 2 }`; rules that games share are checked with a \
                 game that takes them in, `use \"shared.game\"`"
            } else {
                "begin with `game \"Title\" { players 2 }`"
            };
            return self.report(FlowError::NoGame { help, span: Span::default() });
        };
        for (_, span) in &games[1..] {
            let what = "game".to_owned();
            self.report(FlowError::Several {
                what,
                span: game_word(*span),
                earlier: game_word(*first),
            });
        }
        self.rules.title = self.title(game.title.as_ref(), String::new());
        self.rules.notes = self.tree.games[0].notes.to_vec();
        self.check_edition(game);
        self.check_players(game, *first);
    }

    /// A file is written in one edition; which ones there are is known where it is read.
    fn check_edition(&mut self, game: &ast::Game) {
        let mut earlier = None;
        for clause in &game.clauses {
            let ast::GameClause::Edition { span, .. } = clause else { continue };
            if let Some(earlier) = earlier.replace(*span) {
                let what = "edition".to_owned();
                self.report(FlowError::Several { what, span: *span, earlier });
            }
        }
    }

    fn check_players(&mut self, game: &ast::Game, place: Span) {
        let mut earlier = None;
        for clause in &game.clauses {
            let ast::GameClause::Players { low, high, usual, span } = clause else { continue };
            if let Some(earlier) = earlier.replace(*span) {
                let what = "players".to_owned();
                self.report(FlowError::Several { what, span: *span, earlier });
            }
            let low = self.players_bound(low);
            let high = high.as_ref().map_or(low, |high| self.players_bound(high));
            let usual = usual.as_ref().map_or(low, |usual| self.players_bound(usual));
            if let (Some(low), Some(high), Some(usual)) = (low, high, usual) {
                self.take_players((low, high), usual, *span);
            }
        }
        if earlier.is_none() {
            let problem = "the `game` block does not say how many play".to_owned();
            self.report(DataError::PlayersRange { problem, span: game_word(place) });
        }
    }

    fn players_bound(&mut self, bound: &ast::Expr) -> Option<usize> {
        if let ast::ExprKind::Number(number) = bound.kind {
            return usize::try_from(number).ok();
        }
        let problem = "the number of players must be a number as it stands".to_owned();
        self.report(DataError::PlayersRange { problem, span: bound.span });
        None
    }

    fn take_players(&mut self, (low, high): (usize, usize), usual: usize, span: Span) {
        let problem = match (low, high) {
            (0, _) => "a game needs at least 1 player".to_owned(),
            _ if high > MOST_PLAYERS => format!("at most {MOST_PLAYERS} can play, found {high}"),
            _ if low > high => format!("the range {low}..{high} holds nothing"),
            _ if !(low..=high).contains(&usual) => {
                format!("the usual number, {usual}, is not in {low}..{high}")
            }
            _ => {
                self.rules.players = (low, high);
                self.rules.usual_players = usual;
                return;
            }
        };
        self.report(DataError::PlayersRange { problem, span });
    }
}

/// A rule of which only the name is known.
pub(super) fn empty_rule(name: &ast::Name) -> Rule {
    Rule {
        name: name.text.clone(),
        title: spaced(&name.text),
        notes: Vec::new(),
        params: 0,
        locals: Vec::new(),
        returns: Type::Unknown,
        body: Vec::new(),
        effects: Effects::default(),
        span: name.span,
    }
}

/// A name with spaces, as people see it.
pub(super) fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// The first word of the `game` block.
pub(super) fn game_word(span: Span) -> Span {
    Span { start: span.start, end: span.end.min(span.start + 4) }
}

fn entry<'a, T>(item: &'a ast::Item, of: &'a T) -> Entry<'a, T> {
    Entry { notes: &item.notes, item: of, span: item.span, progress: Progress::Waiting }
}

impl Tree<'_> {
    /// Whether an option or constant of this id is left to check; snippets have none.
    pub(super) fn option_progress(&self, option: OptionId) -> Progress {
        self.options.get(option.index()).map_or(Progress::Done, |entry| entry.progress)
    }

    /// How far the check of a constant is.
    pub(super) fn constant_progress(&self, constant: ConstantId) -> Progress {
        self.constants.get(constant.index()).map_or(Progress::Done, |entry| entry.progress)
    }

    /// How far the check of a rule is.
    pub(super) fn rule_progress(&self, rule: RuleId) -> Progress {
        self.rules.get(rule.index()).map_or(Progress::Done, |entry| entry.progress)
    }
}
