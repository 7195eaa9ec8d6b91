//! What an editor asks of a file while it is written: what is at this place, what could stand
//! here, where it is declared, what the file holds.
//!
//! A file that is being written is wrong most of the time. All answers come from what could be
//! read of it.

mod complete;
mod folds;
mod kept;
mod outline;
mod probe;
mod rename;
mod signature;
#[cfg(test)]
mod tests;
mod tokens;
mod words;

pub use complete::{Proposal, Sort};
pub use folds::Fold;
pub use outline::{Entry, EntrySort};
pub use rename::Refusal;
pub use signature::{Call, Signature};
pub use tokens::{Token, TokenSort};
pub use words::{Place, WORDS, Word, word};

use crate::budget::Budget;
use crate::check::{Description, Symbol, SymbolIndex, study};
use crate::diagnostic::Diagnostics;
use crate::load::{Assembled, Opened, assemble};
use crate::source::{Source, Sources, Span};
use crate::syntax::ast::{Item, ItemKind};
use crate::syntax::tidy;

use kept::Kept;

/// A file as it is in an editor, and what is known of it.
#[derive(Clone, Debug)]
pub struct Document {
    source: Source,
    /// The file and those that it names.
    sources: Sources,
    /// The texts of the files that it names, for another look.
    kept: Kept,
    assembled: Assembled,
    study: SymbolIndex,
}

/// What is told of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The name that stands there.
    pub span: Span,
    /// What it is, as it would be written; empty for a word of the language.
    pub code: String,
    /// More about it, in sentences of their own.
    pub more: Vec<String>,
    /// The notes above its declaration.
    pub notes: Vec<String>,
}

impl Document {
    /// Reads a text, with the files that it names, and finds out what its names mean.
    ///
    /// # Panics
    /// Never: the text that is read is the first of the sources.
    pub fn read(opened: &Opened<'_>) -> Document {
        let mut sources = Sources::default();
        let (assembled, kept) =
            Kept::while_reading(opened, |opened| assemble(&mut sources, opened));
        let study = study(&assembled.ast, None);
        let source = sources.iter().next().expect("the text was read").clone();
        Document { source, sources, kept, assembled, study }
    }

    /// The text.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The text, and those of the files that it names.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Whether it names other files, be they there or not.
    pub fn names_others(&self) -> bool {
        !self.kept.is_empty()
    }

    /// The places that mean the same as the name at an offset, in this file.
    pub fn highlights(&self, offset: usize) -> Vec<Span> {
        let mut places = self.references(offset, true);
        places.retain(|place| self.source.contains(*place));
        places
    }

    /// All that is wrong, but for what only some settings show.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut diagnostics = self.assembled.diagnostics.clone();
        // What could not be read is missing in the tree; to look for it would be an echo.
        if !diagnostics.has_errors() {
            diagnostics.extend(self.study.diagnostics.clone());
        }
        self.assembled.seen_from_here(diagnostics, &self.sources)
    }

    /// The text in its canonical layout, if it can be read.
    pub fn laid_out(&self) -> Option<String> {
        let tidied = || tidy(&self.source, &self.assembled.own, &Budget::default()).ok();
        self.assembled.is_readable.then(tidied).flatten()
    }

    /// What is told of the name or word at an offset.
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        let (span, text) = self.word_at(offset)?;
        let told = |thing| {
            let Description { code, more, notes, .. } = self.study.describe(thing);
            Hover { span, code, more, notes }
        };
        if let Some(thing) = self.thing_at(offset) {
            return Some(told(thing));
        }
        if let Some(word) = words::word(text) {
            let more = vec![word.says.to_owned()];
            return Some(Hover { span, code: String::new(), more, notes: Vec::new() });
        }
        self.unread_thing(offset).map(told)
    }

    /// Where the name at an offset is declared.
    pub fn definition(&self, offset: usize) -> Option<Span> {
        let thing = self.thing_at(offset).or_else(|| self.unread_thing(offset))?;
        let span = self.study.describe(thing).span;
        (!span.is_empty()).then_some(span)
    }

    /// The places of all names that mean the same as the one at an offset, in order; the
    /// declaration among them if that is asked for.
    pub fn references(&self, offset: usize, with_declaration: bool) -> Vec<Span> {
        let Some(declared) = self.definition(offset) else { return Vec::new() };
        let same = |thing| self.study.describe(thing).span == declared;
        let uses = self.study.uses.iter().filter(|it| same(it.means)).map(|it| it.span);
        let mut places: Vec<Span> = uses.chain([declared]).collect();
        places.sort_unstable();
        places.dedup();
        // The cells of a board are declared by its name, and called otherwise.
        let name = self.word_at(offset).map_or("", |(_, name)| name);
        places.retain(|place| {
            self.sources.find(*place).is_some_and(|source| source.slice(*place) == name)
        });
        if !with_declaration {
            places.retain(|place| *place != declared);
        }
        places
    }

    /// What the name at an offset means where it stands.
    fn thing_at(&self, offset: usize) -> Option<Symbol> {
        let at = self.place(offset);
        let covers = |span: Span| (span.start..=span.end).contains(&at);
        let used = self.study.uses.iter().find(|it| covers(it.span)).map(|it| it.means);
        let local = || self.study.locals.keys().copied().find(|span| covers(*span));
        used.or_else(|| local().map(Symbol::Local)).or_else(|| {
            self.declared().into_iter().find(|(span, _)| covers(*span)).map(|(_, thing)| thing)
        })
    }

    /// What the name at an offset can only mean, where the declaration around it cannot be read.
    fn unread_thing(&self, offset: usize) -> Option<Symbol> {
        let (span, text) = self.word_at(offset)?;
        let mut items = self.assembled.ast.items.iter();
        if items.any(|item| item.span.start <= span.start && span.start < item.span.end) {
            return None;
        }
        let named = |thing: &Symbol| self.study.describe(*thing).name == text;
        let mut found = self.declared().into_iter().map(|(_, thing)| thing).filter(named);
        let thing = found.next()?;
        found.next().is_none().then_some(thing)
    }

    /// All that is declared outside of bodies, with the places of the names.
    fn declared(&self) -> Vec<(Span, Symbol)> {
        let things = self.things();
        let placed = things.into_iter().map(|thing| (self.study.describe(thing).span, thing));
        placed.filter(|(span, _)| !span.is_empty()).collect()
    }

    /// The word around an offset, counted from the begin of this text.
    fn word_at(&self, offset: usize) -> Option<(Span, &str)> {
        let (start, end) = probe::word_around(&self.source.text, offset);
        let text = self.source.text.get(start..end)?;
        let base = self.source.base;
        (!text.is_empty()).then(|| (Span::new(base + start, base + end), text))
    }

    /// Where the `game` or `variant` begins, if this file has one.
    pub fn game(&self) -> Option<Span> {
        let mut items = self.assembled.own.items.iter();
        let is_game = |it: &&Item| matches!(it.kind, ItemKind::Game(_) | ItemKind::Variant(_));
        items.find(is_game).map(|it| it.span)
    }

    /// The offset in this text.
    fn local(&self, offset: u32) -> usize {
        (offset as usize).saturating_sub(self.source.base).min(self.source.text.len())
    }

    fn place(&self, offset: usize) -> u32 {
        Span::new(self.source.base + offset, self.source.base + offset).start
    }
}
