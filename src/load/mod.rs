//! Loads several files into one tree: the files that a file uses, and a variant over its base.
//!
//! Reads no file itself: the caller that opens a file passes its [`Folder`]. The tree that comes out holds
//! declarations only, as if they stood in one file; each keeps its place in the file it is from.

#[cfg(feature = "messages")]
pub(crate) mod bundled;
mod error;
mod extend;
mod names;
mod noted;
mod overlay;
mod removal;

#[cfg(feature = "commands")]
pub(crate) use names::changed_data;
pub(crate) use names::{declared_members, item_head};

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::diagnostic::{Diagnostic, Diagnostics, Label};
use crate::source::{Sources, Span};
use crate::syntax::ast::{Ast, Drawn, Item, ItemKind, Text, Variant};
use crate::syntax::{self, MAX_BYTES};

use names::{first_word, plain_text};
use overlay::Overlay;

pub const MAX_FILES: usize = 64;

/// How many declarations the files of a game may have together.
pub const MAX_DECLARATIONS: usize = 4_096;

/// Where the other files of a game are read from: the folder of the file that was opened.
pub trait Folder {
    /// The text of a file, by its path from the folder, which goes down only. A path that begins with `bundled:`
    /// leads into the program.
    ///
    /// # Errors
    /// Why there is none, in words that go on a sentence.
    fn read(&self, path: &str) -> Result<NamedText, String>;
}

/// What a file is named for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileUse {
    /// The base of a variant, which may be bundled.
    Base,
    Shared,
    /// The cells of a table or a kind.
    Cells,
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedText {
    /// What messages call it.
    pub name: String,
    /// What the file holds.
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoFolder;

impl Folder for NoFolder {
    fn read(&self, _: &str) -> Result<NamedText, String> {
        Err("there are no other files here".to_owned())
    }
}

/// The file that is opened, and where the files are that it names.
#[derive(Clone, Copy)]
pub struct OpenedFile<'a> {
    /// What messages call it: a path, whose last part is its name in the folder.
    pub name: &'a str,
    pub text: &'a str,
    pub folder: &'a dyn Folder,
}

impl<'a> OpenedFile<'a> {
    /// A text that stands alone.
    pub fn alone(name: &'a str, text: &'a str) -> OpenedFile<'a> {
        OpenedFile { name, text, folder: &NoFolder }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// The declarations of all of them.
    pub ast: Ast,
    pub diagnostics: Diagnostics,
    /// The tree of the opened file alone.
    pub(crate) own: Ast,
    /// Whether all of the opened file could be read.
    pub(crate) is_readable: bool,
    /// The whole of the opened file.
    opened: Span,
    /// The line that names the base of a variant.
    variant: Option<Span>,
    /// What a variant replaces or extends: name and place.
    changes: Vec<(String, Span)>,
}

impl Assembled {
    /// Findings for those who opened the file: an error in another file also points at the place in
    /// the opened file that it comes from, and advice about other files is left out. Of many the
    /// last are only counted.
    pub(crate) fn seen_from_here(&self, found: Diagnostics, sources: &Sources) -> Diagnostics {
        let mut seen = Diagnostics::new();
        for found in found {
            if self.has_span(found.place()) {
                seen.push(found);
            } else if found.is_error() {
                let reason = self.reason(&found, sources);
                let help = self.more_cases(&found);
                let found = found.with_labels(reason);
                seen.push(found.with_help(help));
            }
        }
        seen.limited()
    }

    fn has_span(&self, place: Span) -> bool {
        self.opened.is_empty() || (self.opened.start..self.opened.end).contains(&place.start)
    }

    /// How a variant adds the case that a rule of its base lacks.
    fn more_cases(&self, found: &Diagnostic) -> Option<String> {
        let is_meant = self.variant.is_some() && found.code == Some("check::not_exhaustive");
        let (_, missing) = found.message.split_once(" no case for ").filter(|_| is_meant)?;
        let place = found.place().start;
        let rule = self.ast.items.iter().find_map(|item| match &item.kind {
            ItemKind::Rule(rule) => {
                Some(rule).filter(|_| (item.span.start..item.span.end).contains(&place))
            }
            _ => None,
        })?;
        let missing = missing.replace('`', "").replace(" and ", ", ");
        Some(format!("add a case: `extend rule {} {{ {missing}: … }}`", rule.name.text))
    }

    /// The likely cause in a variant of a finding in its base: the change that it names or points at, else the line
    /// that names the base.
    fn reason(&self, found: &Diagnostic, sources: &Sources) -> Option<Label> {
        let variant = self.variant?;
        if found.labels.iter().any(|label| self.has_span(label.span)) {
            return None;
        }
        let place = found.place();
        let shown = sources.find(place).map_or("", |source| source.slice(place));
        let spoken_of = |name: &str| {
            !name.is_empty() && (shown == name || found.message.contains(&format!("`{name}`")))
        };
        let mut own = self.changes.iter().filter(|(_, span)| self.has_span(*span));
        let (span, text) = match own.find(|(name, _)| spoken_of(name)) {
            Some((_, span)) => (*span, "this variant changes it here"),
            None => (variant, "in the base of this variant"),
        };
        Some(Label::new(span, text))
    }
}

/// Reads a file, and all that it names, into one tree.
pub fn assemble(sources: &mut Sources, opened: &OpenedFile<'_>) -> Assembled {
    let path = opened.name.rsplit(['/', '\\']).next().unwrap_or(opened.name);
    let mut reader = GameReader {
        sources,
        folder: opened.folder,
        reading: Vec::new(),
        used: BTreeSet::new(),
        laid: BTreeSet::new(),
        files: 0,
        bytes: 0,
        declarations: 0,
        assembled: Assembled::default(),
    };
    let file = NamedText { name: opened.name.to_owned(), text: opened.text.to_owned() };
    let mut items = reader.file(path, file);
    let GameReader { mut assembled, sources, .. } = reader;
    let mut unknown = Diagnostics::new();
    noted::fill_notes(&mut items, sources, &mut unknown);
    // A constant that could not be read is missing; to look for it would be an echo.
    if !assembled.diagnostics.has_errors() {
        assembled.diagnostics.extend(unknown);
    }
    let ast = Ast { items, ..assembled.ast };
    Assembled { ast, ..assembled }
}

struct GameReader<'a> {
    sources: &'a mut Sources,
    folder: &'a dyn Folder,
    /// The files that are being read, outermost first.
    reading: Vec<String>,
    /// The files that were used; each is needed once.
    used: BTreeSet<String>,
    /// The bases of a variant, and the files that lie over them.
    laid: BTreeSet<String>,
    files: usize,
    bytes: usize,
    declarations: usize,
    assembled: Assembled,
}

/// What a file declares, with what it uses.
#[derive(Default)]
struct FileDeclarations {
    path: String,
    items: Vec<Item>,
    /// The mixins that it uses, with where it names them: they lie below it.
    mixins: Vec<(FileDeclarations, Span)>,
}

impl FileDeclarations {
    /// The line that names the base, if the file is a variant or a mixin.
    fn header(&self) -> Option<(Item, Variant)> {
        let headers = self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Variant(variant) => Some((item.clone(), variant.clone())),
            _ => None,
        });
        headers.take(1).next()
    }
}

impl GameReader<'_> {
    fn file(&mut self, path: &str, found: NamedText) -> Vec<Item> {
        let own = self.read_own(path, found);
        let items = self.over_base(own);
        self.reading.pop();
        items
    }

    /// Reads a file, and what it uses; its path stays among those being read.
    fn read_own(&mut self, path: &str, found: NamedText) -> FileDeclarations {
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
        self.limit_items(&mut ast.items);
        for drawn in ast.items.iter_mut().flat_map(|item| item.kind.drawn_mut()) {
            self.read_cells(path, drawn);
        }
        self.reading.push(path.to_owned());
        let mut own = FileDeclarations { path: path.to_owned(), ..FileDeclarations::default() };
        for item in ast.items {
            match &item.kind {
                ItemKind::Use(used) => self.add_used(&mut own, used),
                _ => own.items.push(item),
            }
        }
        own
    }

    /// Reads the cells that lie in a file beside this one.
    fn read_cells(&mut self, from: &str, drawn: &mut Drawn) {
        let Some(named) = drawn.file.take() else { return };
        let Some((_, found)) = self.open_named(from, &named, FileUse::Cells) else { return };
        self.files += 1;
        self.bytes += found.text.len();
        match syntax::parse_csv(self.sources.add(found.name, found.text)) {
            Ok(read) => *drawn = read,
            Err(errors) => self.assembled.diagnostics.extend(errors),
        }
    }

    fn push_error(&mut self, error: impl Into<Diagnostic>) {
        self.assembled.diagnostics.push(error);
    }

    fn limit_items(&mut self, items: &mut Vec<Item>) {
        let room = MAX_DECLARATIONS - self.declarations;
        self.declarations = MAX_DECLARATIONS.min(self.declarations + items.len());
        if let Some(first) = items.get(room) {
            let (limit, span) = (MAX_DECLARATIONS, first.span);
            self.push_error(error::too_many_declarations(limit, span));
            items.truncate(room);
        }
    }

    /// A file's declarations over those of its base, if it has one.
    fn over_base(&mut self, own: FileDeclarations) -> Vec<Item> {
        let Some((first, variant)) = own.header() else {
            for (mixin, named) in own.mixins {
                let help = "begin with the game that it changes: `variant \"Name\" of …`";
                let (path, base) = (format_path(&mixin.path), "this file is no variant");
                self.push_error(error::other_base(path, base, help, named));
            }
            return overlay::alone(own.items, &mut self.assembled.diagnostics);
        };
        let mut variants = own.items.iter().filter(|it| matches!(it.kind, ItemKind::Variant(_)));
        if let Some(second) = variants.nth(1) {
            self.push_error(error::several(second.span, first.span));
        }
        let outermost = self.reading.len() == 1;
        let found_before = self.assembled.diagnostics.errors();
        let Some((below, found)) = self.open_named(&own.path, &variant.base, FileUse::Base) else {
            return own.items;
        };
        self.laid.insert(below.clone());
        let base = self.file(&below, found);
        let sound = self.assembled.diagnostics.errors() == found_before;
        if sound && !base.iter().any(|item| matches!(item.kind, ItemKind::Game(_))) {
            let span = variant.base.span;
            self.push_error(error::no_game(below, span));
        }
        let mut layer = Overlay::new(&first, &variant, base);
        layer.settle_replaced(&own.items);
        self.lay_files(&mut layer, &own.path, &variant, own.mixins);
        let sound = sound && self.assembled.diagnostics.errors() == found_before;
        layer.apply_variant(own.items);
        if outermost {
            let (items, numbers) = (&mut layer.items, layer.numbers.as_slice());
            noted::old_values(items, numbers, self.sources, &mut layer.diagnostics);
            self.assembled.variant = Some(first.span);
            self.assembled.changes = layer.changes;
        }
        // What could not be read is missing; to look for it would be an echo.
        if sound {
            self.assembled.diagnostics.extend(layer.diagnostics);
        }
        layer.items
    }

    /// Lays the files over a base that a variant names beside it, and the mixins that it uses.
    fn lay_files(
        &mut self,
        layer: &mut Overlay,
        from: &str,
        variant: &Variant,
        mixins: Vec<(FileDeclarations, Span)>,
    ) {
        for named in &variant.with {
            let Some((path, found)) = self.open_named(from, named, FileUse::Base) else { continue };
            if self.laid.insert(path.clone()) {
                let own = self.read_own(&path, found);
                self.lay(layer, own, named.span);
                self.reading.pop();
            }
        }
        for (own, named) in mixins {
            self.lay(layer, own, named);
        }
    }

    /// Lays a file over a base: first what lies between the two.
    fn lay(&mut self, layer: &mut Overlay, own: FileDeclarations, named: Span) {
        let Some((_, variant)) = own.header() else {
            return self.push_error(error::no_variant(own.path, named));
        };
        let base = Self::resolve_path(&own.path, &variant.base, FileUse::Base);
        if !base.is_ok_and(|base| self.laid.contains(&base)) {
            let Some((path, found)) = self.open_named(&own.path, &variant.base, FileUse::Base)
            else {
                return;
            };
            let between = self.read_own(&path, found);
            if between.header().is_none() {
                self.reading.pop();
                let help = match path.strip_prefix(BUNDLED) {
                    Some(_) => format!(
                        "write `of {}`, as it does: a file of that name is a copy",
                        format_path(&path)
                    ),
                    None => "variants that are combined have the same base".to_owned(),
                };
                let base = format!("it begins with `of {}`", format_base(&path));
                let path = format_path(&own.path);
                return self.push_error(error::other_base(path, base, help, named));
            }
            self.laid.insert(path);
            self.lay(layer, between, named);
            self.reading.pop();
        }
        self.lay_files(layer, &own.path, &variant, own.mixins);
        layer.apply_variant(own.items);
    }

    /// Adds the declarations of a file that another one uses, the first time that one does.
    fn add_used(&mut self, by: &mut FileDeclarations, path: &Text) {
        let known = plain_text(path)
            .and_then(|written| path_below(&by.path, &written, FileUse::Shared).ok());
        if known.is_some_and(|known| self.used.contains(&known)) {
            return;
        }
        let Some((below, found)) = self.open_named(&by.path, path, FileUse::Shared) else { return };
        self.used.insert(below.clone());
        let own = self.read_own(&below, found);
        match own.header() {
            Some((_, Variant { title: None, .. })) => {
                self.laid.insert(below);
                by.mixins.push((own, path.span));
                self.reading.pop();
                return;
            }
            Some(_) => {
                self.reading.pop();
                return self.push_error(error::used(below, path.span));
            }
            None => {}
        }
        let mut items = self.over_base(own);
        self.reading.pop();
        items.retain(|item| {
            let own = matches!(item.kind, ItemKind::Game(_) | ItemKind::Flow(_));
            if own {
                let (what, used) = (item_head(&item.kind).0.to_owned(), path.span);
                let span = first_word(item.span, &what);
                self.push_error(error::not_shared(what, span, used));
            }
            !own
        });
        by.items.extend(items);
    }

    /// The path of a file that another one names, from the folder.
    fn resolve_path(from: &str, named: &Text, file: FileUse) -> Result<String, Diagnostic> {
        let written = plain_text(named)
            .ok_or(("a path is a text without `{ }`", "write the name of the file"));
        let is_name = |name: &str| name.starts_with(char::is_alphabetic) && !name.contains('.');
        let path = written.and_then(|written| {
            if file == FileUse::Base && is_name(&written) {
                Ok(bundled_path(&written))
            } else {
                path_below(from, &written, file)
            }
        });
        path.map_err(|(problem, help)| error::path(problem, help, named.span))
    }

    /// The path of a file from the folder, and what it holds; else a finding at where it is named.
    fn open_named(
        &mut self,
        from: &str,
        named: &Text,
        file: FileUse,
    ) -> Option<(String, NamedText)> {
        // The first file that is one too many was reported.
        if self.files > MAX_FILES {
            return None;
        }
        // One that cannot be used was read all the same.
        let opened = self.try_open(from, named, file).inspect_err(|_| self.files += 1);
        opened.map_err(|error| self.push_error(error)).ok()
    }

    fn try_open(
        &self,
        from: &str,
        named: &Text,
        file: FileUse,
    ) -> Result<(String, NamedText), Diagnostic> {
        let span = named.span;
        let path = Self::resolve_path(from, named, file)?;
        if self.reading.contains(&path) {
            return Err(error::circle(path, span));
        }
        if self.files >= MAX_FILES {
            return Err(error::too_many(MAX_FILES, span));
        }
        let found = self.folder.read(&path).map_err(|reason| {
            let written = plain_text(named).expect("it has a path");
            if path.starts_with(BUNDLED) && !written.contains('.') {
                return error::unknown_game(written, reason, span);
            }
            error::unreadable(written, reason, span)
        })?;
        if self.bytes + found.text.len() > MAX_BYTES {
            return Err(error::too_long(MAX_BYTES, span));
        }
        Ok((path, found))
    }
}

/// What the paths of games begin with that are inside the program.
pub(crate) const BUNDLED: &str = "bundled:";

/// The path of a bundled game; the files that it names lie beside it.
fn bundled_path(name: &str) -> String {
    let (folder, file) = name.split_once('/').unwrap_or((name, name));
    format!("{BUNDLED}{folder}/{file}.game")
}

/// A path as it is written after `of`.
fn format_base(path: &str) -> String {
    if path.starts_with(BUNDLED) { format_path(path) } else { format!("\"{path}\"") }
}

/// A path in messages: the name of a bundled game, or that of a file.
fn format_path(path: &str) -> String {
    let Some(bundled) = path.strip_prefix(BUNDLED) else { return path.to_owned() };
    let name = bundled.trim_end_matches(".game");
    match name.split_once('/') {
        Some((folder, file)) if folder == file => file.to_owned(),
        _ => name.to_owned(),
    }
}

const STAY: &str = "a file reads only files in and below the folder of the file that was opened";

/// The path from the opened folder to a file that is named in the file at `from`. It goes down, and
/// never out of the folder.
fn path_below(
    from: &str,
    named: &str,
    file: FileUse,
) -> Result<String, (&'static str, &'static str)> {
    if named.contains(['\\', ':', '\0']) || named.starts_with('/') {
        return Err(("this path does not begin in the folder of this file", STAY));
    }
    let extension = Path::new(named).extension();
    if file == FileUse::Cells {
        if extension != Some(OsStr::new("csv")) {
            let help = "spreadsheets save cells as `.csv`: comma-separated values";
            return Err(("this is not the name of a `.csv` file", help));
        }
    } else if extension != Some(OsStr::new("game")) {
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
