//! What a file holds: its declarations, and what stands in them.

use crate::check::Symbol;
use crate::check::rules::{ConstantId, KindId, OptionId, PLAYER, RuleId, Shape, TableId, VarId};
use crate::editor::Document;
use crate::source::Span;
use crate::syntax::ast::{
    BoardShape, CellKind, Has, Item, ItemKind, KindBody, MoveLine, Name, Owner, Phase, Text,
    TextPart,
};
use crate::syntax::{DECLARATIONS, declarations};

/// Something that a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub sort: EntrySort,
    /// The whole of it.
    pub span: Span,
    /// Its name.
    pub at: Span,
    /// What stands in it.
    pub inside: Vec<Entry>,
}

/// What an entry of an outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntrySort {
    /// The `game` block.
    Game,
    /// A kind, cards or a board.
    Kind,
    /// A member of a kind, a place of a board.
    Member,
    /// An option, a constant or a table.
    Constant,
    /// What the players or the table have.
    State,
    /// One variable of the state.
    Variable,
    /// A rule, `setup` or `play`.
    Rule,
    /// A group of moves.
    Moves,
    /// A move of a group.
    Move,
    /// A measure or a promise.
    Measure,
}

impl Document {
    /// The declarations in the order of the file, those that cannot be read among them.
    pub fn outline(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self.assembled.own.items.iter().map(entry).collect();
        for chunk in declarations(&self.source) {
            let read =
                |entry: &Entry| chunk.start <= entry.span.start && entry.span.end <= chunk.end;
            if !entries.iter().any(read) {
                entries.extend(self.unread(chunk));
            }
        }
        entries.sort_by_key(|entry| entry.span);
        entries
    }

    /// A declaration that cannot be read, by its first words.
    fn unread(&self, chunk: Span) -> Option<Entry> {
        let text = self.source.slice(chunk);
        let mut start = chunk.start as usize;
        for line in text.split_inclusive('\n') {
            let word = line.split_whitespace().next().unwrap_or("");
            if DECLARATIONS.contains(&word) {
                let head = line.trim_end().trim_end_matches(['{', '=', ' ']);
                let head: String = head.chars().take_while(|letter| *letter != '#').collect();
                let at = Span::new(start, start + head.len());
                let name = head.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
                let name = name.split(['(', '[', ':']).next().unwrap_or("").to_owned();
                let sort = sort_of(word);
                return Some(Entry { name, sort, span: chunk, at, inside: Vec::new() });
            }
            start += line.len();
        }
        None
    }

    /// All that is declared outside of bodies, and the members and columns of kinds.
    pub(super) fn things(&self) -> Vec<Symbol> {
        let rules = &self.study.rules;
        let mut things = Vec::new();
        for (at, kind) in rules.kinds.iter().enumerate() {
            let id = KindId::at(at);
            let computed = matches!(kind.shape, Shape::Lines(_));
            if !computed && !kind.name.starts_with('{') {
                things.push(Symbol::Kind(id));
            }
            if id != PLAYER && !computed && !matches!(kind.shape, Shape::Cards(_)) {
                things.extend(kind.own().into_iter().map(|at| Symbol::Member(id, at)));
            }
            let columns = kind.columns.iter().enumerate().filter(|(_, it)| !it.is_computed());
            things.extend(columns.map(|(at, _)| Symbol::Column(id, at)));
        }
        things.extend((0..rules.options.len()).map(|at| Symbol::Option(OptionId::at(at))));
        things.extend((0..rules.constants.len()).map(|at| Symbol::Constant(ConstantId::at(at))));
        let tables = rules.tables.iter().enumerate().filter(|(_, table)| !table.is_computed());
        things.extend(tables.map(|(at, _)| Symbol::Table(TableId::at(at))));
        things.extend((0..rules.vars.len()).map(|at| Symbol::Var(VarId::at(at))));
        let flows = ["setup", "play", "limit"];
        let rule_names = rules.rules.iter().enumerate();
        let named = rule_names.filter(|(_, rule)| !flows.contains(&rule.name.as_str()));
        things.extend(named.map(|(at, _)| Symbol::Rule(RuleId::at(at))));
        things.extend((0..self.study.groups.len()).map(Symbol::Moves));
        things
    }
}

fn entry(item: &Item) -> Entry {
    entry_of(&item.kind, item.span)
}

fn entry_of(kind: &ItemKind, span: Span) -> Entry {
    let of = |name: &Name, sort| named(name, sort, span, Vec::new());
    match kind {
        ItemKind::Game(game) => match &game.title {
            Some(title) => titled(title, EntrySort::Game, span),
            None => worded("game", EntrySort::Game, span),
        },
        ItemKind::Variant(variant) => titled(&variant.title, EntrySort::Game, span),
        ItemKind::Use(file) => titled(file, EntrySort::Game, span),
        ItemKind::Replace(kind) => entry_of(kind, span),
        ItemKind::MoreBranches(more) => of(&more.name, EntrySort::Rule),
        ItemKind::Option(option) => of(&option.name, EntrySort::Constant),
        ItemKind::Let(constant) => of(&constant.name, EntrySort::Constant),
        ItemKind::Kind(kind) | ItemKind::Extend(kind) => {
            named(&kind.name, EntrySort::Kind, span, members(&kind.body))
        }
        ItemKind::Cards(cards) => of(&cards.name, EntrySort::Kind),
        ItemKind::Board(board) => named(&board.name, EntrySort::Kind, span, places(&board.shape)),
        ItemKind::Table(table) => of(&table.name, EntrySort::Constant),
        ItemKind::Has(has) => state(has, span),
        ItemKind::Rule(rule) => of(&rule.name, EntrySort::Rule),
        ItemKind::Moves(moves) | ItemKind::MoreMoves(moves) => {
            let options = moves.options.iter().filter_map(|line| match line {
                MoveLine::Option(option) => {
                    Some(named(&option.name, EntrySort::Move, option.span, Vec::new()))
                }
                MoveLine::Group(_) => None,
            });
            named(&moves.name, EntrySort::Moves, span, options.collect())
        }
        ItemKind::Measure(measure) => of(&measure.name, EntrySort::Measure),
        ItemKind::Always(_) => worded("always", EntrySort::Measure, span),
        ItemKind::Flow(flow) => {
            let word = if flow.phase == Phase::Setup { "setup" } else { "play" };
            worded(word, EntrySort::Rule, span)
        }
    }
}

/// Something that is called after a text.
fn titled(text: &Text, sort: EntrySort, span: Span) -> Entry {
    Entry { name: words(text), sort, span, at: text.span, inside: Vec::new() }
}

fn named(name: &Name, sort: EntrySort, span: Span, inside: Vec<Entry>) -> Entry {
    Entry { name: name.text.clone(), sort, span, at: name.span, inside }
}

/// A declaration that is called like its first word.
fn worded(word: &str, sort: EntrySort, span: Span) -> Entry {
    let start = span.start as usize;
    let at = Span::new(start, start + word.len());
    Entry { name: word.to_owned(), sort, span, at, inside: Vec::new() }
}

fn state(has: &Has, span: Span) -> Entry {
    let (name, word) = match has.owner {
        Owner::Player => ("each player has", "each"),
        Owner::Table => ("the table has", "the"),
    };
    let vars =
        has.vars.iter().map(|var| named(&var.name, EntrySort::Variable, var.span, Vec::new()));
    let inside = vars.collect();
    Entry { name: name.to_owned(), inside, ..worded(word, EntrySort::State, span) }
}

fn members(body: &KindBody) -> Vec<Entry> {
    match body {
        KindBody::Members(members) => {
            let of = |name: &Name| named(name, EntrySort::Member, name.span, Vec::new());
            members.iter().map(|member| of(&member.name)).collect()
        }
        KindBody::Drawn(drawn) => {
            let rows = drawn.rows.iter().filter_map(|row| match &row.label.kind {
                CellKind::Name(name) => Some(Entry {
                    name: name.clone(),
                    sort: EntrySort::Member,
                    span: row.span,
                    at: row.label.span,
                    inside: Vec::new(),
                }),
                _ => None,
            });
            rows.collect()
        }
        KindBody::Product(_) => Vec::new(),
    }
}

/// The places of a map, where they are first named.
fn places(shape: &BoardShape) -> Vec<Entry> {
    let BoardShape::Map(chains) = shape else { return Vec::new() };
    let mut places: Vec<Entry> = Vec::new();
    for place in chains.iter().flat_map(|chain| &chain.places) {
        if !places.iter().any(|known| known.name == place.name.text) {
            places.push(named(&place.name, EntrySort::Member, place.name.span, Vec::new()));
        }
    }
    places
}

fn sort_of(word: &str) -> EntrySort {
    match word {
        "game" | "variant" | "use" => EntrySort::Game,
        "kind" | "extend" | "cards" | "board" => EntrySort::Kind,
        "option" | "let" | "table" => EntrySort::Constant,
        "each" | "the" => EntrySort::State,
        "moves" => EntrySort::Moves,
        "measure" | "always" => EntrySort::Measure,
        _ => EntrySort::Rule,
    }
}

fn words(text: &Text) -> String {
    let parts = text.parts.iter().map(|part| match part {
        TextPart::Words(words) => words.as_str(),
        TextPart::Hole(_) => "…",
    });
    parts.collect()
}
