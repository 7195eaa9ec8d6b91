//! The outline, semantic tokens and folding ranges of a file.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::check::{Global, Symbol};
use crate::editor::{Document, MOST_LISTED, Sort, find_word};
use crate::load::{declared_members, item_head};
use crate::rules::{ConstantId, HistoryId, KindId, KindShape, OptionId, RuleId, TableId, VarId};
use crate::source::Span;
use crate::syntax::ast::{
    BoardShape, Extension, GameDecl, ItemKind, JointDecl, MoveLine, Name, Text, TextPart,
};
use crate::syntax::{DECLARATIONS, TokenKind, declarations, tokenize};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    pub name: String,
    pub(crate) sort: Sort,
    pub(crate) span: Span,
    pub(crate) at: Span,
    pub(crate) inside: Vec<OutlineEntry>,
}

/// A word, number, text or comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutlineToken {
    pub(crate) span: Span,
    pub(crate) sort: Sort,
    /// Whether it is a name where it is declared.
    pub(crate) declared: bool,
}

/// A part of a file that can be folded, by its first and last offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FoldRange {
    /// Where it begins: what else stands on this line stays.
    pub(crate) start: usize,
    /// Where it ends; a bracket there stays.
    pub(crate) end: usize,
    /// Whether it is made of comments and notes.
    pub(crate) comment: bool,
    /// Whether a bracket ends it.
    pub(crate) bracket: bool,
}

impl Document {
    /// The declarations in the order of the file, those that cannot be read among them.
    pub fn outline(&self) -> Vec<OutlineEntry> {
        let items = self.assembled.own.items.iter();
        let mut entries: Vec<OutlineEntry> =
            items.map(|item| outline_item(&item.kind, item.span)).collect();
        for chunk in declarations(&self.source) {
            let read = |entry: &OutlineEntry| {
                chunk.start <= entry.span.start && entry.span.end <= chunk.end
            };
            if !entries.iter().any(read) {
                entries.extend(self.unread(chunk));
            }
        }
        entries.sort_by_key(|entry| entry.span);
        entries.truncate(MOST_LISTED);
        entries.iter_mut().for_each(|entry| entry.inside.truncate(MOST_LISTED));
        entries
    }

    /// A declaration that cannot be read, by its first words.
    fn unread(&self, chunk: Span) -> Option<OutlineEntry> {
        let mut start = chunk.start as usize;
        for line in self.source.slice(chunk).split_inclusive('\n') {
            let word = line.split_whitespace().next().unwrap_or("");
            if DECLARATIONS.contains(&word) {
                let head = line.trim_end().trim_end_matches(['{', '=', ' ']);
                let head = head.split('#').next().unwrap_or("");
                let at = Span::new(start, start + head.len());
                let name = head.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
                let name = name.split(['(', '[', ':']).next().unwrap_or("").to_owned();
                let sort = sort_of(word);
                return Some(OutlineEntry { name, sort, span: chunk, at, inside: Vec::new() });
            }
            start += line.len();
        }
        None
    }

    /// The tokens that begin in a part of the text, in order.
    pub(crate) fn tokens(&self, within: Range<usize>) -> Vec<OutlineToken> {
        let text = &self.source.text;
        // What all names mean, and whether they are declared there.
        let uses = self.index.uses.iter().map(|it| (it.span, (it.means, false)));
        let locals = self.index.locals.keys().map(|span| (*span, (Symbol::Local(*span), true)));
        let declared = self.declared().into_iter().map(|(span, symbol)| (span, (symbol, true)));
        let names: BTreeMap<Span, (Symbol, bool)> = uses.chain(locals).chain(declared).collect();
        let pieces = tokenize(text).all.into_iter().filter(|it| within.contains(&it.start));
        let tokens = pieces.filter_map(|piece| {
            let span = Span::new(self.source.base + piece.start, self.source.base + piece.end());
            let meaning = names.get(&span).filter(|_| piece.kind == TokenKind::Word);
            let sort = match piece.kind {
                TokenKind::Comment => Sort::Comment,
                TokenKind::Text => Sort::Text,
                TokenKind::Number => Sort::Number,
                TokenKind::Word => match meaning {
                    Some((symbol, _)) => (*symbol).into(),
                    None => find_word(piece.text).map(|_| Sort::Word)?,
                },
                _ => return None,
            };
            let declared = meaning.is_some_and(|(_, declared)| *declared);
            Some(OutlineToken { span, sort, declared })
        });
        tokens.collect()
    }

    /// What can be folded, in order: blocks, declarations and comments of several lines.
    pub(crate) fn folds(&self) -> Vec<FoldRange> {
        let text = &self.source.text;
        let scan = tokenize(text);
        let breaks = |start: usize, end: usize| text[start..end].contains('\n');
        let line = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
        let block = |(start, end)| FoldRange { start, end, comment: false, bracket: true };
        let mut folds: Vec<FoldRange> = scan.pairs.iter().copied().map(block).collect();
        folds.retain(|fold| breaks(fold.start, fold.end));
        for entry in self.outline() {
            let start = self.local_offset(entry.at.start);
            let end =
                start + text[start..self.local_offset(entry.span.end).max(start)].trim_end().len();
            // Where a block begins on the first line it is folded.
            if breaks(start, end) && !folds.iter().any(|it| line(it.start) == line(start)) {
                folds.push(FoldRange { start, end, comment: false, bracket: false });
            }
        }
        let mut runs: Vec<FoldRange> = Vec::new();
        let comments = scan.all.iter().filter(|it| it.kind == TokenKind::Comment);
        for piece in comments.filter(|it| text[line(it.start)..it.start].trim().is_empty()) {
            let (start, end) = (piece.start, piece.end());
            let follows =
                |fold: &FoldRange| text[fold.end..start].trim_matches([' ', '\t', '\r']) == "\n";
            match runs.last_mut() {
                Some(fold) if follows(fold) => fold.end = end,
                _ => runs.push(FoldRange { start, end, comment: true, bracket: false }),
            }
        }
        folds.extend(runs.into_iter().filter(|fold| breaks(fold.start, fold.end)));
        folds.sort_unstable();
        folds
    }

    /// All that is declared outside of bodies, and the members and columns of kinds.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        let rules = &self.index.rules;
        let mut symbols = Vec::new();
        for (at, kind) in rules.kinds.iter().enumerate() {
            let id = KindId::at(at);
            let computed = matches!(kind.shape, KindShape::Lines(_) | KindShape::Bags(_));
            if !computed && !kind.name.starts_with('{') {
                symbols.push(Symbol::Kind(id));
            }
            if !computed && !matches!(kind.shape, KindShape::Cards(_)) {
                symbols.extend(kind.own_members().into_iter().map(|at| Symbol::Member(id, at)));
            }
            let columns = kind.columns.iter().enumerate().filter(|(_, it)| !it.is_computed());
            symbols.extend(columns.map(|(at, _)| Symbol::Column(id, at)));
        }
        symbols.extend(
            (0..rules.options.len()).map(|at| Symbol::Global(Global::Option(OptionId::at(at)))),
        );
        symbols.extend(
            (0..rules.constants.len())
                .map(|at| Symbol::Global(Global::Constant(ConstantId::at(at)))),
        );
        let tables = rules.tables.iter().enumerate().filter(|(_, table)| !table.is_computed());
        symbols.extend(tables.map(|(at, _)| Symbol::Global(Global::Table(TableId::at(at)))));
        let vars = (0..rules.vars.len()).map(VarId::at).filter(|it| Some(*it) != rules.turns_had);
        symbols.extend(vars.map(|it| Symbol::Global(Global::Var(it))));
        let histories = 0..rules.histories.len();
        symbols.extend(histories.map(|at| Symbol::Global(Global::History(HistoryId::at(at)))));
        let is_flow = |name: &str| ["setup", "play", "limit", "teams"].contains(&name);
        let named = rules.rules.iter().enumerate().filter(|(_, rule)| !is_flow(&rule.name));
        symbols.extend(named.map(|(at, _)| Symbol::Rule(RuleId::at(at))));
        symbols.extend((0..self.index.groups.len()).map(Symbol::Moves));
        symbols
    }
}

fn outline_item(kind: &ItemKind, span: Span) -> OutlineEntry {
    let (sort, inside) = match kind {
        ItemKind::Replace(kind) => return outline_item(kind, span),
        ItemKind::Game(GameDecl { title: Some(title), .. }) => return titled(title, span),
        ItemKind::Variant(variant) => {
            return titled(variant.title.as_ref().unwrap_or(&variant.base), span);
        }
        ItemKind::Strategy(strategy) => return titled(&strategy.title, span),
        ItemKind::Use(file) => return titled(file, span),
        ItemKind::Kind(_) | ItemKind::Extend(_) => {
            let member = |(name, at, span): (&str, Span, Span)| OutlineEntry {
                name: name.to_owned(),
                sort: Sort::Member,
                span,
                at,
                inside: Vec::new(),
            };
            (Sort::Kind, declared_members(kind).map(member).collect())
        }
        ItemKind::Board(board) => {
            let joint =
                |it: &JointDecl| named_entry(&it.name, Sort::Kind, it.name.span, Vec::new());
            let joints = board.joints.iter().map(joint);
            (Sort::Kind, map_places(&board.shape).into_iter().chain(joints).collect())
        }
        ItemKind::Has(has) => {
            let var = |name, span| named_entry(name, Sort::Variable, span, Vec::new());
            (Sort::State, has.vars.iter().map(|it| var(&it.name, it.span)).collect())
        }
        ItemKind::Moves(moves) | ItemKind::More(Extension::Moves(moves)) => {
            let options = moves.options.iter().filter_map(|line| match line {
                MoveLine::Option(it) => {
                    Some(named_entry(&it.name, Sort::Move, it.span, Vec::new()))
                }
                MoveLine::Group(_) => None,
            });
            (Sort::Moves, options.collect())
        }
        ItemKind::Game(_) => (Sort::Game, Vec::new()),
        ItemKind::Cards(_) => (Sort::Kind, Vec::new()),
        ItemKind::Option(_) | ItemKind::Let(_) | ItemKind::Table(_) => (Sort::Constant, Vec::new()),
        ItemKind::Measure(_) | ItemKind::Always(_) => (Sort::Measure, Vec::new()),
        ItemKind::Rule(_) | ItemKind::Flow(_) | ItemKind::More(_) | ItemKind::Remove(_) => {
            (Sort::Rule, Vec::new())
        }
    };
    match item_head(kind) {
        (_, Some(name)) => named_entry(name, sort, span, inside),
        // A declaration that is called like its first words.
        (words, None) => {
            let word = words.split(' ').next().unwrap_or(words);
            let at = Span::new(span.start as usize, span.start as usize + word.len());
            OutlineEntry { name: words.to_owned(), sort, span, at, inside }
        }
    }
}

fn named_entry(name: &Name, sort: Sort, span: Span, inside: Vec<OutlineEntry>) -> OutlineEntry {
    OutlineEntry { name: name.text.clone(), sort, span, at: name.span, inside }
}

/// A game or file that is called after a text.
fn titled(text: &Text, span: Span) -> OutlineEntry {
    let parts = text.parts.iter().map(|part| match part {
        TextPart::Words(words) => words.as_str(),
        TextPart::Hole(_) => "…",
    });
    let (name, sort) = (parts.collect(), Sort::Game);
    OutlineEntry { name, sort, span, at: text.span, inside: Vec::new() }
}

/// The places of a map, where they are first named.
fn map_places(shape: &BoardShape) -> Vec<OutlineEntry> {
    let BoardShape::Map(chains, _) = shape else { return Vec::new() };
    let mut places: Vec<OutlineEntry> = Vec::new();
    for place in chains.iter().flat_map(|chain| &chain.places) {
        if !places.iter().any(|known| known.name == place.name.text) {
            places.push(named_entry(&place.name, Sort::Member, place.name.span, Vec::new()));
        }
    }
    places
}

/// By the first word of a declaration that cannot be read.
fn sort_of(word: &str) -> Sort {
    match word {
        "game" | "variant" | "use" => Sort::Game,
        "kind" | "extend" | "cards" | "board" => Sort::Kind,
        "option" | "let" | "table" => Sort::Constant,
        "each" | "the" => Sort::State,
        "moves" => Sort::Moves,
        "measure" | "always" => Sort::Measure,
        _ => Sort::Rule,
    }
}
