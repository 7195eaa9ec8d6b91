//! Explains a word of the rules: its notes, forms, tables and conditions.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::compile::value_text;
use crate::game::Game;
use crate::rulebook::{Phrases, plain_notes};
use crate::rules::printed::printed_columns;
use crate::rules::visit::{move_names, visit_choices};
use crate::rules::{
    Choose, Column, Expr, ExprKind, Kind, KindShape, MoveOption, PLAYER, Rule, Rules, TextPart,
    Type, Value, Var,
};
use crate::snippet::{edition, format_usage};
use crate::syntax::ast::Owner;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelpBlock {
    Line(String),
    Grid(Vec<Vec<String>>),
}

/// What a word means: everything that is called so; nothing if nothing is.
pub(crate) fn about(game: &Game, word: &str) -> Vec<HelpBlock> {
    let mut about = HelpPage { game, blocks: Vec::new() };
    about.explain_moves(word);
    for (at, kind) in game.rules().kinds.iter().enumerate().filter(|(_, it)| it.name == word) {
        about.explain_kind(kind, at == PLAYER.index());
    }
    about.explain_members(word);
    about.declarations(word);
    about.explain_columns(word);
    about.blocks
}

/// The name of the move that is printed with these words, or begins with them.
pub(crate) fn printed_as(game: &Game, words: &str) -> Option<String> {
    let mut found: Option<(bool, String)> = None;
    for rule in &game.rules().rules {
        visit_choices(&rule.body, &mut |choose| {
            for (name, template) in templates(choose) {
                let first = first_words(template)
                    .filter(|(first, _)| first.trim().eq_ignore_ascii_case(words));
                let named = first.map(|(_, is_all)| (!is_all, name.clone()));
                found = found.take().into_iter().chain(named).min();
            }
        });
    }
    found.map(|(_, name)| name)
}

/// The moves of a decision that have words of their own, by name.
fn templates(choose: &Choose) -> impl Iterator<Item = (&String, &Expr)> {
    let options = choose.options.iter().map(|it| (&it.name, it.template.as_ref()));
    let decline = choose.decline.iter().map(|it| (&it.name, it.template.as_ref()));
    options.chain(decline).filter_map(|(name, template)| Some((name, template?)))
}

/// The words that a printed form begins with, and whether they are all of it.
fn first_words(template: &Expr) -> Option<(&str, bool)> {
    match &template.kind {
        ExprKind::Value(Value::Text(words)) => Some((words, true)),
        ExprKind::Text(parts) => match parts.first()? {
            TextPart::Words(words) => Some((words, parts.len() == 1)),
            TextPart::Hole(_) => None,
        },
        _ => None,
    }
}

/// All topics of help: names of moves, kinds and their members, rules,
/// options, variables, tables, constants.
pub(crate) fn topics(game: &Game) -> Vec<String> {
    let rules = game.rules();
    let mut topics: Vec<String> = Vec::new();
    for rule in &rules.rules {
        visit_choices(&rule.body, &mut |choose| {
            topics.extend(choose.options.iter().map(|option| option.name.clone()));
            topics.extend(choose.decline.iter().map(|decline| decline.name.clone()));
        });
    }
    for kind in rules.kinds.iter().filter(|kind| is_named(kind)) {
        topics.push(kind.name.clone());
        topics.extend(kind.members.iter().map(|member| member.name.clone()));
    }
    topics.extend(rules.rules.iter().filter(|rule| is_ordinary(rule)).map(|it| it.name.clone()));
    topics.extend(rules.options.iter().map(|option| option.name.clone()));
    topics.extend(rules.vars.iter().map(|var| var.name.clone()));
    let tables = rules.tables.iter().filter(|table| !table.is_computed());
    topics.extend(tables.map(|table| table.name.clone()));
    topics.extend(rules.constants.iter().map(|constant| constant.name.clone()));
    topics.sort();
    topics.dedup();
    topics
}

/// The first words of all moves that the rules have, in small letters: their names, and the words that
/// they are printed with.
pub(crate) fn move_words(game: &Game) -> BTreeSet<String> {
    let rules = &game.rules().rules;
    let mut words: BTreeSet<String> =
        move_names(rules).iter().map(|name| name.to_lowercase()).collect();
    let first =
        |template: &Expr| first_words(template)?.0.split_whitespace().next().map(str::to_lowercase);
    for rule in rules {
        visit_choices(&rule.body, &mut |choose| {
            words.extend(templates(choose).filter_map(|(_, template)| first(template)));
        });
    }
    words
}

fn is_named(kind: &Kind) -> bool {
    kind.name.starts_with(char::is_alphabetic)
        && !matches!(kind.shape, KindShape::Lines(_) | KindShape::Bags(_))
}

/// Whether the members of a kind are explained: cards are not, since they read like their faces.
fn has_members(kind: &Kind) -> bool {
    is_named(kind) && !matches!(kind.shape, KindShape::Cards(_))
}

/// Whether a rule has a name of its own, unlike the flows.
fn is_ordinary(rule: &Rule) -> bool {
    !matches!(rule.name.as_str(), "setup" | "play" | "limit")
}

struct HelpPage<'a> {
    game: &'a Game,
    blocks: Vec<HelpBlock>,
}

impl HelpPage<'_> {
    fn push_line(&mut self, line: impl Into<String>) {
        self.blocks.push(HelpBlock::Line(line.into()));
    }

    fn notes(&mut self, notes: &[String]) {
        let note = plain_notes(notes);
        if !note.is_empty() {
            self.push_line(format!("  {note}"));
        }
    }

    fn explain_moves(&mut self, word: &str) {
        // An option of a group is shown once, wherever it is offered.
        let (game, mut shown) = (self.game, BTreeSet::new());
        for rule in &game.rules().rules {
            visit_choices(&rule.body, &mut |choose| {
                for option in choose.options.iter().filter(|option| option.name == word) {
                    if shown.insert(option.span) {
                        self.option(rule, option);
                    }
                }
                for decline in choose.decline.iter().filter(|decline| decline.name == word) {
                    let said = decline.template.as_ref().and_then(first_words);
                    let said = said.map_or(word, |(words, _)| words.trim());
                    self.push_line(format!("move `{said}`: none of the others"));
                }
            });
        }
    }

    /// How a move is typed, and what the rulebook says of it.
    fn option(&mut self, rule: &Rule, option: &MoveOption) {
        let budget = Budget::default();
        let (said, lines) = Phrases::new(&edition(self.game), &budget).of_move(rule, option);
        // What a move is called is typed with `_`. Code has no code inside: what a player fills in stands in braces.
        let braced = |(at, part): (usize, &str)| match at % 2 {
            0 => part.to_owned(),
            _ => format!("{{{part}}}"),
        };
        let said = match option.template {
            Some(_) => said.split('`').enumerate().map(braced).collect(),
            None => format_usage(&rule.locals, option),
        };
        self.push_line(format!("move `{said}`"));
        lines.iter().for_each(|line| self.push_line(format!("  {line}")));
    }

    fn explain_kind(&mut self, kind: &Kind, is_player: bool) {
        let Kind { name, title, .. } = kind;
        let says_more = !title.is_empty() && title != name;
        let title = if says_more { format!(" \"{title}\"") } else { String::new() };
        if is_player {
            return self.push_line(format!("kind `Player`: {}", self.game.names().join(", ")));
        }
        if let KindShape::Cards(face) = kind.shape {
            let face = &self.game.rules().kinds[face.index()].name;
            self.push_line(format!("cards `{name}`{title} of `{face}`: {}", kind.members.len()));
            return self.notes(&kind.notes);
        }
        self.push_line(format!("kind `{name}`{title}"));
        self.notes(&kind.notes);
        match kind.as_board().and_then(|board| board.cell_layout().column_count()) {
            Some(columns) => self.push_board(kind, columns),
            None => self.blocks.push(HelpBlock::Grid(self.members_of(kind))),
        }
    }

    /// The cells of a grid as they lie, then each of its attributes in the same way.
    fn push_board(&mut self, kind: &Kind, columns: usize) {
        let rows = |mut cells: Vec<String>| {
            cells.iter_mut().step_by(columns.max(1)).for_each(|cell| cell.insert_str(0, "  "));
            HelpBlock::Grid(cells.chunks(columns.max(1)).map(<[String]>::to_vec).collect())
        };
        let names = kind.members.iter().map(|member| member.name.clone());
        self.blocks.push(rows(names.collect()));
        // The names of the cells show the numbers of the row and the column.
        let places = ["column", "row"];
        for column in kind.named_columns().filter(|it| !places.contains(&it.name.as_str())) {
            self.push_line(format!("  {}", column.name));
            let cells = (0..kind.members.len()).map(|at| self.format_cell(column, at));
            self.blocks.push(rows(cells.collect()));
        }
    }

    /// A heading, then a row for each member: its name, its cells, and its title if it says more.
    fn members_of(&self, kind: &Kind) -> Vec<Vec<String>> {
        let with_titles = kind
            .members
            .iter()
            .any(|it| !it.title.is_empty() && it.title != it.name.replace('_', " "));
        let columns: Vec<&Column> = kind.named_columns().collect();
        let mut rows = Vec::new();
        if !columns.is_empty() {
            let names = columns.iter().map(|column| column.name.clone());
            rows.push([String::new()].into_iter().chain(names).collect());
        }
        rows.extend(kind.own_members().into_iter().map(|at| {
            let cells = columns.iter().map(|column| self.format_cell(column, at));
            let title = with_titles.then(|| format!("\"{}\"", kind.members[at].title));
            let name = format!("  {}", kind.members[at].name);
            [name].into_iter().chain(cells).chain(title).collect()
        }));
        rows
    }

    fn format_cell(&self, column: &Column, member: usize) -> String {
        match column.cells.get(member) {
            None | Some(Value::None) => "-".to_owned(),
            Some(value) => value_text(self.game.rules(), &column.ty, value),
        }
    }

    fn explain_members(&mut self, word: &str) {
        let rules = self.game.rules();
        for (kind, printed) in rules.kinds.iter().zip(printed_columns(rules)) {
            let found = kind.members.iter().position(|member| member.name == word);
            let Some(at) = found.filter(|_| has_members(kind)) else { continue };
            let says =
                |column: &&Column| !["-", "{}"].contains(&self.format_cell(column, at).as_str());
            let columns = printed.iter().map(|column| &kind.columns[*column]).filter(says);
            let (texts, columns): (Vec<&Column>, Vec<&Column>) =
                columns.partition(|column| column.ty == Type::Text);
            let cell = |it: &&Column| {
                format!("{} {}", it.name.replace('_', " "), self.format_cell(it, at))
            };
            let cells: Vec<String> = columns.iter().map(cell).collect();
            let colon = if cells.is_empty() { "" } else { ": " };
            let title = &kind.members[at].title;
            self.push_line(format!("`{title}` of `{}`{colon}{}", kind.name, cells.join(", ")));
            for column in texts {
                self.push_line(format!("  {}", self.format_cell(column, at)));
            }
            self.notes(&kind.members[at].notes);
        }
    }

    /// What each member has in a column.
    fn explain_columns(&mut self, word: &str) {
        for kind in self.game.rules().kinds.iter().filter(|kind| has_members(kind)) {
            let found = kind.named_columns().find(|column| column.name == word);
            let Some(column) = found else { continue };
            let cell =
                |at: usize| format!("{} {}", kind.members[at].title, self.format_cell(column, at));
            let cells: Vec<String> = kind.own_members().into_iter().map(cell).collect();
            let name = word.replace('_', " ");
            self.push_line(format!("{name} of `{}`: {}", kind.name, cells.join(", ")));
        }
    }

    /// Rules, options, variables, tables and constants: their titles and notes.
    fn declarations(&mut self, word: &str) {
        let rules = self.game.rules();
        let own = rules.rules.iter().filter(|rule| is_ordinary(rule));
        let own = own.map(|it| ("rule", &it.name, &it.title, &it.notes));
        let options = rules.options.iter().map(|it| ("option", &it.name, &it.title, &it.notes));
        let vars = rules
            .vars
            .iter()
            .filter(|var| is_meant(rules, var))
            .map(|it| (it.owner.as_str(), &it.name, &it.title, &it.notes));
        let tables = rules.tables.iter().map(|it| ("table", &it.name, &it.title, &it.notes));
        let constants =
            rules.constants.iter().map(|it| ("constant", &it.name, &it.name, &it.notes));
        let all = own.chain(options).chain(vars).chain(tables).chain(constants);
        for (what, _, title, notes) in all.filter(|(_, name, ..)| *name == word) {
            let says_more = title.to_lowercase() != word.replace('_', " ");
            let title = if says_more { format!(": {title}") } else { String::new() };
            self.push_line(format!("{what} `{word}`{title}"));
            self.notes(notes);
        }
        let mut values = self.game.info().options.iter();
        if let Some((_, value)) = values.find(|(name, _)| name == word) {
            self.push_line(format!("  in this game it is {value}"));
        }
    }
}

/// Whether each player has a variable.
pub(crate) fn is_own(var: &Var) -> bool {
    var.owner == Owner::Player
}

/// Whether a word means a variable: bookkeeping gives way to a move of the same name.
pub(crate) fn is_meant(rules: &Rules, var: &Var) -> bool {
    !var.undrawn || !move_names(&rules.rules).contains(&var.name)
}
