//! Explains a word of the rules: its notes, forms, tables and conditions.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::check::rules::{
    Column, Expr, ExprKind, Kind, KindShape, MoveOption, PLAYER, Rule, TextPart, Type, Value,
};
use crate::check::visit::{move_names, visit_choices};
use crate::compile::value_text;
use crate::game::Game;
use crate::rulebook::{Edition, Phrases, plain_notes};
use crate::snippet::{form, source_text};
use crate::source::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelpBlock {
    Line(String),
    Grid(Vec<Vec<String>>),
}

/// What a word means: everything that is called so; nothing if nothing is.
pub fn about(game: &Game, word: &str) -> Vec<HelpBlock> {
    let mut about = HelpPage { game, blocks: Vec::new() };
    about.moves(word);
    for (at, kind) in game.rules().kinds.iter().enumerate().filter(|(_, it)| it.name == word) {
        about.kind(kind, at == PLAYER.index());
    }
    about.members(word);
    about.declarations(word);
    about.blocks
}

/// All topics of help: names of moves, kinds and their members, rules,
/// options, variables, tables, constants.
pub fn topics(game: &Game) -> Vec<String> {
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
pub fn move_words(game: &Game) -> BTreeSet<String> {
    let rules = &game.rules().rules;
    let mut words: BTreeSet<String> =
        move_names(rules).iter().map(|name| name.to_lowercase()).collect();
    let first = |template: &Expr| {
        let words = match &template.kind {
            ExprKind::Value(Value::Text(words)) => words,
            ExprKind::Text(parts) => match parts.first()? {
                TextPart::Words(words) => words,
                TextPart::Hole(_) => return None,
            },
            _ => return None,
        };
        words.split_whitespace().next().map(str::to_lowercase)
    };
    for rule in rules {
        visit_choices(&rule.body, &mut |choose| {
            let templates = choose.options.iter().filter_map(|option| option.template.as_ref());
            let decline = choose.decline.iter().filter_map(|decline| decline.template.as_ref());
            words.extend(templates.chain(decline).filter_map(first));
        });
    }
    words
}

fn is_named(kind: &Kind) -> bool {
    kind.name.starts_with(char::is_alphabetic) && !matches!(kind.shape, KindShape::Lines(_))
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
    fn line(&mut self, line: impl Into<String>) {
        self.blocks.push(HelpBlock::Line(line.into()));
    }

    fn notes(&mut self, notes: &[String]) {
        let note = plain_notes(notes);
        if !note.is_empty() {
            self.line(format!("  {note}"));
        }
    }

    /// The line on which something is declared, without the brace at its end.
    fn declared(&self, span: Span) -> String {
        let Some(source) = self.game.sources().find(span) else { return String::new() };
        let at = (span.start as usize).saturating_sub(source.base).min(source.text.len());
        let start = source.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = source.text[start..].lines().next().unwrap_or_default();
        line.trim().trim_end_matches('{').trim_end().to_owned()
    }

    fn moves(&mut self, word: &str) {
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
                    self.line(format!("move `{word}`: none of the others"));
                    if let Some(condition) = &decline.condition {
                        self.line(format!("  when {}", source_text(self.game, condition.span)));
                    }
                }
            });
        }
    }

    /// How a move is typed, and what the rulebook says of it.
    fn option(&mut self, rule: &Rule, option: &MoveOption) {
        self.line(format!("move `{}`", form(&rule.locals, option)));
        let (rules, sources, setting) =
            (self.game.rules(), self.game.sources(), Some(self.game.setting()));
        let (edition, budget) =
            (Edition { rules, sources, setting, variants: &[] }, Budget::default());
        let lines = Phrases::new(&edition, &budget).of_move(rule, option);
        lines.iter().for_each(|line| self.line(format!("  {line}")));
    }

    fn kind(&mut self, kind: &Kind, is_player: bool) {
        let Kind { name, title, .. } = kind;
        let says_more = !title.is_empty() && title != name;
        let title = if says_more { format!(" \"{title}\"") } else { String::new() };
        if is_player {
            return self.line(format!("kind `Player`: {}", self.game.names().join(", ")));
        }
        if let KindShape::Cards(face) = kind.shape {
            let face = &self.game.rules().kinds[face.index()].name;
            self.line(format!("cards `{name}`{title} of `{face}`: {}", kind.members.len()));
            return self.notes(&kind.notes);
        }
        self.line(format!("kind `{name}`{title}"));
        self.notes(&kind.notes);
        match kind.board().and_then(|board| board.layout().columns()) {
            Some(columns) => self.board(kind, columns),
            None => self.blocks.push(HelpBlock::Grid(self.members_of(kind))),
        }
    }

    /// The cells of a grid as they lie, then each of its attributes in the same way.
    fn board(&mut self, kind: &Kind, columns: usize) {
        let rows = |mut cells: Vec<String>| {
            cells.iter_mut().step_by(columns.max(1)).for_each(|cell| cell.insert_str(0, "  "));
            HelpBlock::Grid(cells.chunks(columns.max(1)).map(<[String]>::to_vec).collect())
        };
        let names = kind.members.iter().map(|member| member.name.clone());
        self.blocks.push(rows(names.collect()));
        // The names of the cells show the numbers of the row and the column.
        let places = ["column", "row"];
        for column in kind.named_columns().filter(|it| !places.contains(&it.name.as_str())) {
            self.line(format!("  {}", column.name));
            let cells = (0..kind.members.len()).map(|at| self.cell(column, at));
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
        rows.extend(kind.own().into_iter().map(|at| {
            let cells = columns.iter().map(|column| self.cell(column, at));
            let title = with_titles.then(|| format!("\"{}\"", kind.members[at].title));
            let name = format!("  {}", kind.members[at].name);
            [name].into_iter().chain(cells).chain(title).collect()
        }));
        rows
    }

    fn cell(&self, column: &Column, member: usize) -> String {
        match column.cells.get(member) {
            None | Some(Value::None) => "-".to_owned(),
            Some(value) => value_text(self.game.rules(), &column.ty, value),
        }
    }

    fn members(&mut self, word: &str) {
        let kinds = self.game.rules().kinds.iter();
        for kind in
            kinds.filter(|kind| is_named(kind) && !matches!(kind.shape, KindShape::Cards(_)))
        {
            let Some(at) = kind.members.iter().position(|member| member.name == word) else {
                continue;
            };
            let (texts, columns): (Vec<&Column>, Vec<&Column>) =
                kind.named_columns().partition(|column| column.ty == Type::Text);
            let cells: Vec<String> =
                columns.iter().map(|c| format!("{} {}", c.name, self.cell(c, at))).collect();
            let colon = if cells.is_empty() { "" } else { ": " };
            self.line(format!("member `{word}` of `{}`{colon}{}", kind.name, cells.join(", ")));
            for column in texts.iter().filter(|column| column.cells.get(at) != Some(&Value::None)) {
                self.line(format!("  {}", self.cell(column, at)));
            }
            self.notes(&kind.members[at].notes);
        }
    }

    /// Rules, options, variables, tables and constants: as they are declared, with their notes.
    fn declarations(&mut self, word: &str) {
        let rules = self.game.rules();
        for rule in rules.rules.iter().filter(|rule| is_ordinary(rule) && rule.name == word) {
            self.line(self.declared(rule.span));
            self.notes(&rule.notes);
        }
        for option in rules.options.iter().filter(|option| option.name == word) {
            self.line(self.declared(option.span));
            self.notes(&option.notes);
            let mut values = self.game.info().options.iter();
            if let Some((_, value)) = values.find(|(name, _)| name == word) {
                self.line(format!("  in this game it is {value}"));
            }
        }
        let vars = rules.vars.iter().map(|var| (&var.name, var.span, &var.title, &var.notes));
        let tables = rules.tables.iter().map(|it| (&it.name, it.span, &it.title, &it.notes));
        for (_, span, title, notes) in vars.chain(tables).filter(|(name, ..)| *name == word) {
            let declared = self.declared(span);
            let says_all = declared.contains(title.as_str()) || *title == word.replace('_', " ");
            self.line(if says_all { declared } else { format!("{declared}  \"{title}\"") });
            self.notes(notes);
        }
        for constant in rules.constants.iter().filter(|constant| constant.name == word) {
            self.line(self.declared(constant.span));
            self.notes(&constant.notes);
        }
    }
}
