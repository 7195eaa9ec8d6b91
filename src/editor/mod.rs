//! Editor queries: hover, completion, definitions, references, outline, renaming, tokens.
//!
//! A file that is being written is wrong most of the time. All answers come from what could be
//! read of it.

mod complete;
mod outline;
mod signature;
mod words;

pub(crate) use complete::WordProposal;
pub(crate) use outline::OutlineEntry;
pub(crate) use signature::CallInProgress;
pub use words::find_word;
pub(crate) use words::words;

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::budget::Budget;
use crate::check::{Description, Global, Symbol, SymbolIndex, index_symbols};
use crate::diagnostic::Diagnostics;
use crate::load::{Assembled, Folder, NamedText, OpenedFile, assemble};
use crate::source::{Source, Sources, Span};
use crate::syntax::ast::{Item, ItemKind};
use crate::syntax::tidy;

/// A file as it is in an editor, and what is known of it.
#[derive(Clone, Debug)]
pub struct Document {
    source: Source,
    /// The file and those that it names.
    sources: Sources,
    /// The texts of the files that it names, so that it can be read again with another text.
    kept: FolderTexts,
    assembled: Assembled,
    index: SymbolIndex,
}

/// What a token, a proposal or an entry of the outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Sort {
    Comment,
    Text,
    Number,
    /// A word of the language.
    Word,
    /// A kind, cards or a board.
    Kind,
    /// A member of a kind, a place of a board.
    Member,
    Column,
    /// A rule, `setup` or `play`.
    Rule,
    Moves,
    Move,
    /// An option, a constant or a table.
    Constant,
    /// A variable of the players or the table.
    Variable,
    Local,
    /// What the players or the table have.
    State,
    /// A measure or an invariant.
    Measure,
    Game,
}

impl From<Symbol> for Sort {
    fn from(symbol: Symbol) -> Sort {
        match symbol {
            Symbol::Kind(_) => Sort::Kind,
            Symbol::Member(..) => Sort::Member,
            Symbol::Column(..) => Sort::Column,
            Symbol::Global(Global::Var(_) | Global::History(_)) => Sort::Variable,
            Symbol::Global(Global::Option(_) | Global::Constant(_) | Global::Table(_)) => {
                Sort::Constant
            }
            Symbol::Rule(_) => Sort::Rule,
            Symbol::Moves(_) => Sort::Moves,
            Symbol::Local(_) => Sort::Local,
        }
    }
}

/// What an editor shows of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    pub(crate) span: Span,
    /// What it is, as it would be written; empty for a word of the language.
    pub code: String,
    /// More about it, in sentences of their own.
    pub more: Vec<String>,
    pub notes: Vec<String>,
}

/// How many proposals, declarations, or members of one an editor is given: nobody reads more.
pub(crate) const MOST_LISTED: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenameRefusal {
    #[error("there is no name here that is declared in this file")]
    NoName,
    /// The file has mistakes, so that nobody knows all places of the name.
    #[error("the file has errors: put them right first")]
    Broken,
    /// It is named in other files too, which may not be open.
    #[error("it is also named in {file}: give it another name there")]
    Elsewhere { file: String },
    /// With the other name something would be wrong.
    #[error("`{name}` cannot be the new name: {reason}")]
    Clash { name: String, reason: String },
}

impl Document {
    /// Reads a text, with the files that it names, and finds out what its names mean.
    ///
    /// # Panics
    /// Never: the text that is read is the first of the sources.
    pub fn read(opened: &OpenedFile<'_>) -> Document {
        let mut sources = Sources::default();
        let watched = WatchedFolder { folder: opened.folder, kept: RefCell::default() };
        let assembled = assemble(&mut sources, &OpenedFile { folder: &watched, ..*opened });
        let index = index_symbols(&assembled.ast, None);
        let source = sources.iter().next().expect("the text was read").clone();
        Document { source, sources, kept: watched.kept.into_inner(), assembled, index }
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Whether it names other files, be they there or not.
    pub(crate) fn names_others(&self) -> bool {
        !self.kept.0.is_empty()
    }

    /// The places that mean the same as the name at an offset, in this file.
    pub(crate) fn highlights(&self, offset: usize) -> Vec<Span> {
        let mut places = self.references(offset, true);
        places.retain(|place| self.source.contains(*place));
        places
    }

    /// All that is wrong, but for what only some settings show.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut diagnostics = self.assembled.diagnostics.clone();
        // What could not be read is missing in the tree; to look for it would be an echo.
        if !diagnostics.has_errors() {
            diagnostics.extend(self.index.diagnostics.clone());
        }
        self.assembled.seen_from_here(diagnostics, &self.sources)
    }

    /// The text in its canonical layout, if it can be read.
    pub(crate) fn formatted_text(&self) -> Option<String> {
        let tidied = || tidy(&self.source, &self.assembled.own, &Budget::default()).ok();
        self.assembled.is_readable.then(tidied).flatten()
    }

    /// What an editor shows of the name or word at an offset.
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        let (span, text) = self.word_at(offset)?;
        let described = |symbol| {
            let Description { code, more, notes, .. } = self.index.describe(symbol);
            Hover { span, code, more, notes }
        };
        if let Some(symbol) = self.symbol_at(offset) {
            return Some(described(symbol));
        }
        if let Some(word) = find_word(text) {
            let more = vec![word.help.to_owned()];
            return Some(Hover { span, code: String::new(), more, notes: Vec::new() });
        }
        self.unread_symbol(offset).map(described)
    }

    pub fn definition(&self, offset: usize) -> Option<Span> {
        let symbol = self.symbol_at(offset).or_else(|| self.unread_symbol(offset))?;
        Some(self.index.describe(symbol).span).filter(|span| !span.is_empty())
    }

    /// The places of all names that mean the same as the one at an offset, in order; the
    /// declaration among them on request.
    pub fn references(&self, offset: usize, with_declaration: bool) -> Vec<Span> {
        let Some(declared) = self.definition(offset) else { return Vec::new() };
        let same = |symbol| self.index.describe(symbol).span == declared;
        let uses = self.index.uses.iter().filter(|it| same(it.means)).map(|it| it.span);
        let mut places: Vec<Span> = uses.chain([declared]).collect();
        places.sort_unstable();
        places.dedup();
        // The cells of a board are declared by its name, and called otherwise.
        let name = self.word_at(offset).map_or("", |(_, name)| name);
        let is_name =
            |place| self.sources.find(place).is_some_and(|source| source.slice(place) == name);
        places.retain(|place| is_name(*place) && (with_declaration || *place != declared));
        places
    }

    /// All places that must be rewritten so that what stands at an offset has another name.
    ///
    /// # Errors
    ///
    /// Nothing has a name there, or the file would not be right with the other one.
    pub fn rename(&self, offset: usize, name: &str) -> Result<Vec<Span>, RenameRefusal> {
        if self.diagnostics().has_errors() {
            return Err(RenameRefusal::Broken);
        }
        let places = self.references(offset, true);
        if places.is_empty() || self.word_at(offset).is_none() {
            return Err(RenameRefusal::NoName);
        }
        let mut files = places.iter().filter_map(|place| self.sources.find(*place));
        if let Some(other) = files.find(|source| source.base != self.source.base) {
            return Err(RenameRefusal::Elsewhere { file: other.name.clone() });
        }
        let mut text = self.source.text.clone();
        for place in places.iter().rev() {
            text.replace_range(self.local_offset(place.start)..self.local_offset(place.end), name);
        }
        let opened = OpenedFile { name: &self.source.name, text: &text, folder: &self.kept };
        let found = Document::read(&opened).diagnostics().sorted();
        match found.iter().find(|finding| finding.is_error()) {
            Some(error) => {
                Err(RenameRefusal::Clash { name: name.to_owned(), reason: error.to_string() })
            }
            None => Ok(places),
        }
    }

    /// What the name at an offset means where it stands.
    fn symbol_at(&self, offset: usize) -> Option<Symbol> {
        let at = Span::new(self.source.base + offset, self.source.base + offset).start;
        let covers = |span: Span| (span.start..=span.end).contains(&at);
        let used = self.index.uses.iter().find(|it| covers(it.span)).map(|it| it.means);
        let local = || self.index.locals.keys().copied().find(|span| covers(*span));
        used.or_else(|| local().map(Symbol::Local)).or_else(|| {
            self.declared().into_iter().find(|(span, _)| covers(*span)).map(|(_, symbol)| symbol)
        })
    }

    /// The only possible meaning of a name in a declaration that cannot be read.
    fn unread_symbol(&self, offset: usize) -> Option<Symbol> {
        let (span, text) = self.word_at(offset)?;
        let mut items = self.assembled.ast.items.iter();
        if items.any(|item| item.span.start <= span.start && span.start < item.span.end) {
            return None;
        }
        let named = |symbol: &Symbol| self.index.describe(*symbol).name == text;
        let mut found = self.declared().into_iter().map(|(_, symbol)| symbol).filter(named);
        let symbol = found.next()?;
        found.next().is_none().then_some(symbol)
    }

    /// All that is declared outside of bodies, with the places of the names.
    fn declared(&self) -> Vec<(Span, Symbol)> {
        let symbols = self.symbols().into_iter();
        let placed = symbols.map(|symbol| (self.index.describe(symbol).span, symbol));
        placed.filter(|(span, _)| !span.is_empty()).collect()
    }

    /// The word around an offset, counted from the beginning of this text.
    fn word_at(&self, offset: usize) -> Option<(Span, &str)> {
        let (start, end) = complete::word_around(&self.source.text, offset);
        let text = self.source.text.get(start..end)?;
        let base = self.source.base;
        (!text.is_empty()).then(|| (Span::new(base + start, base + end), text))
    }

    pub(crate) fn game_span(&self) -> Option<Span> {
        let mut items = self.assembled.own.items.iter();
        let is_game = |it: &&Item| matches!(it.kind, ItemKind::Game(_) | ItemKind::Variant(_));
        items.find(is_game).map(|it| it.span)
    }

    fn local_offset(&self, offset: u32) -> usize {
        (offset as usize).saturating_sub(self.source.base).min(self.source.text.len())
    }
}

/// Texts of a folder, as they were when they were read.
#[derive(Clone, Debug, Default)]
struct FolderTexts(BTreeMap<String, Result<NamedText, String>>);

impl Folder for FolderTexts {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let unread = || Err("it was not there when this file was read".to_owned());
        self.0.get(path).cloned().unwrap_or_else(unread)
    }
}

/// A folder, and what was read of it.
struct WatchedFolder<'f> {
    folder: &'f dyn Folder,
    kept: RefCell<FolderTexts>,
}

impl Folder for WatchedFolder<'_> {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let found = self.folder.read(path);
        self.kept.borrow_mut().0.insert(path.to_owned(), found.clone());
        found
    }
}
