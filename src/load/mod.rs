//! Loads several files into one tree: the files that a file uses, and a variant over its base.
//!
//! Reads no file itself: the caller that opens a file passes its [`Folder`]. The tree that comes out holds
//! declarations only, as if they stood in one file; each keeps its place in the file it is from.

#[cfg(feature = "messages")]
pub mod bundled;
mod error;
mod overlay;

pub(crate) use overlay::{head, members};

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::diagnostic::{Diagnostic, Diagnostics, Label};
use crate::source::{Sources, Span};
use crate::syntax::ast::{Ast, Item, ItemKind, Text};
use crate::syntax::{self, MAX_BYTES};

use overlay::{first_word, plain};

/// How many files may be read for one game.
pub const MAX_FILES: usize = 64;

/// How many declarations the files of a game may have together.
pub const MAX_DECLARATIONS: usize = 4_096;

/// Where the other files of a game are read from: the folder of the file that was opened.
pub trait Folder {
    /// The text of a file, by its path from the folder, which goes down only. A path that begins with [`BUNDLED`]
    /// leads into the program.
    ///
    /// # Errors
    /// Why there is none, in words that go on a sentence.
    fn read(&self, path: &str) -> Result<NamedText, String>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedText {
    /// What messages call it.
    pub name: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct NoFolder;

impl Folder for NoFolder {
    fn read(&self, _: &str) -> Result<NamedText, String> {
        Err("there are no other files here".to_owned())
    }
}

/// The file that is opened, and where the files are that it names.
#[derive(Clone, Copy)]
pub struct Opened<'a> {
    /// What messages call it: a path, whose last part is its name in the folder.
    pub name: &'a str,
    pub text: &'a str,
    pub folder: &'a dyn Folder,
}

impl<'a> Opened<'a> {
    /// A text that stands alone.
    pub fn alone(name: &'a str, text: &'a str) -> Opened<'a> {
        Opened { name, text, folder: &NoFolder }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// The declarations of all of them.
    pub ast: Ast,
    pub diagnostics: Diagnostics,
    /// The tree of the opened file alone.
    pub own: Ast,
    /// Whether all of the opened file could be read.
    pub is_readable: bool,
    /// The whole of the opened file.
    opened: Span,
    /// The line that names the base of a variant.
    variant: Option<Span>,
    /// What a variant replaces or extends: name and place.
    changes: Vec<(String, Span)>,
}

impl Assembled {
    /// Findings for those who opened the file: an error in another file also points at the place in
    /// the opened file that it comes from, and advice about other files is left out.
    #[must_use]
    pub fn seen_from_here(&self, found: Diagnostics, sources: &Sources) -> Diagnostics {
        let mut seen = Diagnostics::new();
        for found in found.into_vec() {
            if self.has(found.place()) {
                seen.push(found);
            } else if found.is_error() {
                let reason = self.reason(&found, sources);
                seen.push(found.with_labels(reason));
            }
        }
        seen
    }

    fn has(&self, place: Span) -> bool {
        self.opened.is_empty() || (self.opened.start..self.opened.end).contains(&place.start)
    }

    /// What in a variant a finding in its base comes from, most likely: the change whose name the
    /// finding speaks of or points at, else the line that names the base.
    fn reason(&self, found: &Diagnostic, sources: &Sources) -> Option<Label> {
        let variant = self.variant?;
        if found.labels.iter().any(|label| self.has(label.span)) {
            return None;
        }
        let place = found.place();
        let shown = sources.find(place).map_or("", |source| source.slice(place));
        let spoken_of = |name: &str| {
            !name.is_empty() && (shown == name || found.message.contains(&format!("`{name}`")))
        };
        let (span, text) = match self.changes.iter().find(|(name, _)| spoken_of(name)) {
            Some((_, span)) => (*span, "this variant changes it here"),
            None => (variant, "in the base of this variant"),
        };
        Some(Label::new(span, text))
    }
}

/// Reads a file, and all that it names, into one tree.
pub fn assemble(sources: &mut Sources, opened: &Opened<'_>) -> Assembled {
    let path = opened.name.rsplit(['/', '\\']).next().unwrap_or(opened.name);
    let mut reader = Reader {
        sources,
        folder: opened.folder,
        reading: Vec::new(),
        used: BTreeSet::new(),
        files: 0,
        bytes: 0,
        declarations: 0,
        assembled: Assembled::default(),
    };
    let file = NamedText { name: opened.name.to_owned(), text: opened.text.to_owned() };
    let items = reader.file(path, file);
    let ast = Ast { items, ..reader.assembled.ast };
    Assembled { ast, ..reader.assembled }
}

struct Reader<'a> {
    sources: &'a mut Sources,
    folder: &'a dyn Folder,
    /// The files that are being read, outermost first.
    reading: Vec<String>,
    /// The files that were used; each is needed once.
    used: BTreeSet<String>,
    files: usize,
    bytes: usize,
    declarations: usize,
    assembled: Assembled,
}

impl Reader<'_> {
    fn file(&mut self, path: &str, found: NamedText) -> Vec<Item> {
        self.files += 1;
        self.bytes += found.text.len();
        let source = self.sources.add(found.name, found.text);
        self.assembled.ast.files.push(Span::new(source.base, source.base).start);
        let (mut ast, diagnostics) = syntax::parse(source);
        if self.reading.is_empty() {
            self.assembled.opened = Span::new(source.base, source.base + source.text.len() + 1);
            self.assembled.own = ast.clone();
            self.assembled.is_readable = !diagnostics.has_errors();
        }
        self.assembled.diagnostics.extend(diagnostics);
        self.limit(&mut ast.items);
        self.reading.push(path.to_owned());
        let own = ast.items.into_iter().flat_map(|item| match &item.kind {
            ItemKind::Use(used) => self.used(path, used),
            _ => vec![item],
        });
        let own = own.collect();
        let items = self.over_base(path, own);
        self.reading.pop();
        items
    }

    fn report(&mut self, error: impl Into<Diagnostic>) {
        self.assembled.diagnostics.push(error);
    }

    fn limit(&mut self, items: &mut Vec<Item>) {
        let room = MAX_DECLARATIONS - self.declarations;
        self.declarations = MAX_DECLARATIONS.min(self.declarations + items.len());
        if let Some(first) = items.get(room) {
            let (limit, span) = (MAX_DECLARATIONS, first.span);
            self.report(error::too_many_declarations(limit, span));
            items.truncate(room);
        }
    }

    /// A file's declarations over those of its base, if it has one.
    fn over_base(&mut self, path: &str, own: Vec<Item>) -> Vec<Item> {
        let mut variants = own.iter().filter(|item| matches!(item.kind, ItemKind::Variant(_)));
        let Some(first) = variants.next().cloned() else {
            return overlay::alone(own, &mut self.assembled.diagnostics);
        };
        if let Some(second) = variants.next() {
            self.report(error::several(second.span, first.span));
        }
        let ItemKind::Variant(variant) = &first.kind else {
            unreachable!("only variants were looked for")
        };
        let outermost = self.reading.len() == 1;
        let found_before = self.assembled.diagnostics.errors();
        let Some((below, found)) = self.open(path, &variant.base, true) else { return own };
        let base = self.file(&below, found);
        let sound = self.assembled.diagnostics.errors() == found_before;
        if sound && !base.iter().any(|item| matches!(item.kind, ItemKind::Game(_))) {
            let span = variant.base.span;
            self.report(error::no_game(below, span));
        }
        let mut layer = overlay::Layer::new(&first, variant, base);
        layer.put(own);
        if outermost {
            self.assembled.variant = Some(first.span);
            self.assembled.changes = layer.changes;
        }
        // What could not be read is missing; to look for it would be an echo.
        if sound {
            self.assembled.diagnostics.extend(layer.diagnostics);
        }
        layer.items
    }

    /// The declarations of a file that another one uses, the first time that one does.
    fn used(&mut self, from: &str, path: &Text) -> Vec<Item> {
        let known = plain(path).and_then(|written| below(from, &written).ok());
        if known.is_some_and(|known| self.used.contains(&known)) {
            return Vec::new();
        }
        let Some((below, found)) = self.open(from, path, false) else { return Vec::new() };
        self.used.insert(below.clone());
        let mut items = self.file(&below, found);
        items.retain(|item| {
            let own = matches!(item.kind, ItemKind::Game(_) | ItemKind::Flow(_));
            if own {
                let (what, used) = (head(&item.kind).0.to_owned(), path.span);
                let span = first_word(item.span, &what);
                self.report(error::not_shared(what, span, used));
            }
            !own
        });
        items
    }

    /// The path of a file from the folder, and what it holds; else a finding at where it is named.
    fn open(&mut self, from: &str, named: &Text, is_base: bool) -> Option<(String, NamedText)> {
        // The first file that is one too many was reported.
        if self.files > MAX_FILES {
            return None;
        }
        // One that cannot be used was read all the same.
        let opened = self.try_open(from, named, is_base).inspect_err(|_| self.files += 1);
        opened.map_err(|error| self.report(error)).ok()
    }

    fn try_open(
        &self,
        from: &str,
        named: &Text,
        is_base: bool,
    ) -> Result<(String, NamedText), Diagnostic> {
        let span = named.span;
        let no_text = ("a path is a text without `{ }`", "write the name of the file");
        let written = plain(named).ok_or(no_text);
        let is_name = |name: &str| name.starts_with(char::is_alphabetic) && !name.contains('.');
        let is_bundled = is_base && written.as_ref().is_ok_and(|name| is_name(name));
        let path = match &written {
            Ok(name) if is_bundled => Ok(bundled_path(name)),
            Ok(written) => below(from, written),
            Err(problem) => Err(*problem),
        };
        let path = path.map_err(|(problem, help)| error::path(problem, help, span))?;
        if self.reading.contains(&path) {
            return Err(error::circle(path, span));
        }
        if self.files >= MAX_FILES {
            return Err(error::too_many(MAX_FILES, span));
        }
        let found = self.folder.read(&path).map_err(|reason| {
            let path = written.expect("it has a path");
            if is_bundled {
                return error::unknown_game(path, reason, span);
            }
            error::unreadable(path, reason, span)
        })?;
        if self.bytes + found.text.len() > MAX_BYTES {
            return Err(error::too_long(MAX_BYTES, span));
        }
        Ok((path, found))
    }
}

/// What the paths of games begin with that are inside the program.
pub const BUNDLED: &str = "bundled:";

/// The path of a bundled game; the files that it names lie beside it.
fn bundled_path(name: &str) -> String {
    let (folder, file) = name.split_once('/').unwrap_or((name, name));
    format!("{BUNDLED}{folder}/{file}.game")
}

const STAY: &str = "a file reads only files in and below the folder of the file that was opened";

/// The path from the opened folder to a file that is named in the file at `from`. It goes down, and
/// never out of the folder.
fn below(from: &str, named: &str) -> Result<String, (&'static str, &'static str)> {
    if named.contains(['\\', ':', '\0']) || named.starts_with('/') {
        return Err(("this path does not begin in the folder of this file", STAY));
    }
    if Path::new(named).extension() != Some(OsStr::new("game")) {
        return Err(("this is not the name of a `.game` file", "names of files end with `.game`"));
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in named.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or(("this path leads out of the folder", STAY))?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}
